package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.SchemaFields;
import stowage.importer.io.InputException;
import stowage.network.Chip;

class ChipsTest extends FolderTest {
  private static final Path FOLDER = Path.of("models/chips");

  @Test
  void allFilesOfTheFolderAreBundled() throws IOException {
    List<String> files = names(FOLDER).stream().filter(name -> name.endsWith(".json")).toList();
    assertEquals(files, Chips.names().stream().map(name -> name + ".json").toList());
    for (Chip chip : Chips.all()) {
      assertEquals(ChipJson.read(FOLDER.resolve(chip.name() + ".json")), chip);
    }
  }

  /**
   * The published sizes once more: lanes, bytes of a vector, KiB of a lane, banks, KiB of a bank,
   * alignments of DMA, cores, alignment of activations and weights.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bm1684   64 128 512  8 64 512 1 4096",
        "bm1684x  64  64 256 16 16 512 1 4096",
        "bm1688   32  16 128 16  8 512 2 4096",
        "cv186x   32  16 128 16  8 512 2 4096",
        "bm1690   64  64 256 16 16 256 8 4096",
        "bm1690e  64  64 256 16 16 512 1 4096",
        "bm1684x2 16  32 256 16 16 512 1 4096",
        "sg2380   32  16 128 16  8 256 4 4096",
        "sgtpuv8   8  16  64 16  4 256 1 4096",
        "cv184x    8  16  64 16  4 256 1 4096",
        "cv181x    8  16  32  8  4   1 1   16",
        "cv180x    2  16  32  8  4   1 1   16",
        "bm1880v2 32  16  32  8  4   1 1   16"
      })
  void sizesAreThePublishedOnes(String published) {
    String name = published.split(" ")[0];
    Chip chip = Chips.load(name);
    List<Object> figures = new ArrayList<>(List.of(chip.name(), chip.lanes(), chip.vectorBytes()));
    figures.addAll(List.of(chip.laneBytes() / 1024.0, chip.banks(), chip.bankBytes() / 1024.0));
    figures.addAll(List.of(chip.dmaAlignment(), chip.cores(), chip.activationAlignment()));
    String found = figures.stream().map(Object::toString).collect(Collectors.joining(" "));
    assertEquals(published.replaceAll(" +", " "), found.replace(".0", ""));
    assertEquals(chip.activationAlignment(), chip.weightAlignment());
    assertEquals(name.equals("bm1684"), chip.fourNPacking());
  }

  @Test
  void activationsStartWhereCompiledFilesHaveThem() {
    assertEquals(687194767360L, Chips.load("BM1688").activationBase());
    assertEquals(2201170739200L, Chips.load("cv184x").activationBase());
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    Refusals.input(
        () -> Chips.load("bm1864x"),
        "unknown chip bm1864x; known are ",
        "; did you mean \"bm1684x\"?");
    assertTrue(assertThrows(InputException.class, () -> Chips.load("bm1864x")).isMisuse());
    Refusals.input(() -> Chips.load(""));
    Refusals.input(() -> Chips.load("\u0000"));
    Refusals.input(() -> Chips.load("absent.json"));
  }

  /** What of a good file is replaced, by what, and what is said then; ' stands for ". */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      textBlock =
          """
          'lanes': 32 => 'lanes': 0 => field 'lanes': 0 should be
          'banks': 16 => 'banks': 15 => laneBytes 131072 should be a multiple of banks 15
          'vectorBytes': 16 => 'vectorBytes': 48 => 48 should be a divisor of the bytes of a bank, 8192
          'laneBytes' => 'lanesBytes' => did you mean 'lane
          'cores': 2, => `` => the field 'cores' is missing
          false => 0 => 0 should be true or false
          ('computeMegahertz':) 900 => $1 0 => 'speed.computeMegahertz': 0 should be a number from 0.001 to
          ('dramGigabytesPerSecond':) [0-9.]+ => $1 1e-300 => should be a number from 0.001 to 1000000
          ('dramGigabytesPerSecond':) [0-9.]+ => $1 1e300 => should be a number from 0.001 to 1000000
          ('dramGigabytesPerSecond':) [0-9.]+ => $1 -1 => should be a number from 0.001 to 1000000
          ('dramGigabytesPerSecond':) [0-9.]+ => $1 null => should be a number from 0.001 to 1000000
          ('dramGigabytesPerSecond':) [0-9.]+ => $1 1e400 => should be a number from 0.001 to 1000000
          ('dmaSetupCycles':) [0-9.]+ => $1 1e12 => field 'speed.dmaSetupCycles': 1.0E12 should be a number from 0 to 1000000000
          ('laneBytes':) 131072 => $1 9223372036854775792 => field 'laneBytes': 9223372036854775792 should be a whole number 0 to
          ('lanes':) 32 => $1 2147483647 => field 'lanes': 2147483647 should be a whole number 1 to 1048576
          'banks': '[^']*',\\s* => `` => field 'sources': the field 'banks' is missing
          """)
  void impossibleFiguresAreNamed(String part, String by, String said) throws IOException {
    String good = Files.readString(FOLDER.resolve("bm1688.json"));
    assertEquals("bm1688", read(good).name());
    String text = good.replaceAll(part.replace('\'', '"'), by.replace('\'', '"'));
    Refusals.input(() -> read(text), "chip.json", said.replace('\'', '"'));
  }

  private Chip read(String text) throws IOException {
    return Chips.load(file("chip.json", text).toString());
  }

  @Test
  void theSchemaNamesTheFieldsThatAreRead() throws IOException {
    JsonNode schema = SchemaFields.schema("chip");
    JsonNode parts = schema.get("properties");
    assertEquals(Set.copyOf(ChipJson.FIELDS), SchemaFields.properties(schema));
    JsonNode speeds = parts.get("speed");
    assertEquals(
        ChipJson.SPEEDS.stream().map(ChipJson.Speed::field).collect(Collectors.toSet()),
        SchemaFields.properties(speeds));
    for (ChipJson.Speed speed : ChipJson.SPEEDS) {
      JsonNode range = speeds.get("properties").get(speed.field());
      assertEquals(speed.least(), range.get("minimum").asDouble(), speed.field());
      assertEquals(speed.most(), range.get("maximum").asDouble(), speed.field());
    }
    assertEquals(ChipJson.MOST_UNITS, parts.get("lanes").get("maximum").asInt());
    assertEquals(ChipJson.MOST_BYTES, parts.get("laneBytes").get("maximum").asLong());
    assertEquals(Set.copyOf(ChipJson.SOURCED), SchemaFields.properties(parts.get("sources")));
  }
}
