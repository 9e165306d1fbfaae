package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Thorough;
import stowage.cli.Stowage;
import stowage.network.ElementType;
import stowage.network.Graphs;

class GroupExportTest extends FolderTest {
  /** A convolution whose rows overlap by far more than half, too wide for a lane. */
  private static final String TALL =
      "x:1x64x100x1600; weight w:64x64x61x1; y:1x64x40x1600 = Conv x w kernel_shape=[61,1]"
          + " strides=[1,1] pads=[0,0,0,0]; z:1x64x40x1600 = Relu y; -> z";

  private Path tall(String statements) throws IOException {
    return Graphs.of(ElementType.I8, statements).write(folder.resolve("tall.json"));
  }

  /** The manual's example: of 100 rows, [0, 80) and [20, 100) repeat 60, more than half. */
  @Test
  void theLimitOfRepeatedRowsIsNamed() throws IOException {
    Path network = tall(TALL);
    Stowage.run("group", network, "--chip", "bm1684x", "--lmem", "document")
        .ends(0)
        .prints("more than half of the 100 rows of \"x\" would be read twice by 2 slices");
    Stowage free =
        Stowage.line("group %s --chip bm1684x --lmem document --overlap-limit off", network);
    assertTrue(!free.out().contains("read twice"), free.out());
  }

  @Test
  void theBatchAndTheRowsAloneAreCutWhereAsked() throws IOException {
    Path network = tall(TALL.replace("61", "3"));
    for (String axes : List.of("all", "nh")) {
      JsonNode answer =
          Stowage.line("group %s --chip bm1684x --axes %s --json", network, axes).json();
      for (JsonNode group : answer.get("groups")) {
        String slices = group.path("slices").toString();
        assertTrue(axes.equals("all") || !slices.matches(".*\"[cdw]\" ?: ?([2-9]|1\\d).*"), slices);
      }
    }
  }

  @Test
  void settingsOfOtherEnginesAreRefused() throws IOException {
    Path network = tall(TALL);
    Stowage.line("group %s --chip bm1684x --config fast", network)
        .ends(2)
        .says("--config is for plan");
    Stowage.line("group %s --chip bm1684x --export %s", network, folder.resolve("x.mlir"))
        .ends(2)
        .says("tall.json is none");
  }

  private static List<String> chips() {
    return List.of("cv184x", "bm1688").subList(0, Thorough.of(1, 2));
  }

  /** Our addresses in the file's own groups, read back: no more clashes, no higher in the lane. */
  @ParameterizedTest
  @MethodSource("chips")
  void theGroupsOfAFileAreWrittenWithOurAddresses(String chip) throws IOException {
    Path model = PublicData.network("tpu-mlir/blazeface_" + chip + "_final.mlir");
    Path written = folder.resolve("written.mlir");
    String export = "group %s --partition file --export %s --json --threads 2 --time-limit %s";
    JsonNode before =
        Stowage.line(export, model, written, Thorough.of(6, 60)).answer().at("/baseline/groups");
    JsonNode after = inTheFile(written).get("groups");
    int groups = 0;
    boolean lower = false;
    for (int k = 0; k < before.size(); k++) {
      if (before.get(k).get("grouped").asBoolean()) {
        groups++;
        assertEquals(0, after.get(k).path("violations").size(), after.get(k).toString());
        for (String figure : List.of("clashes", "lmemPeak")) {
          long ours = after.get(k).get(figure).asLong();
          long theirs = before.get(k).get(figure).asLong();
          assertTrue(ours <= theirs, "group " + k + ", " + figure);
          lower |= ours < theirs;
        }
      }
    }
    assertEquals(13, groups);
    assertTrue(lower, "nothing was lower than in the file");
    assertEquals(Files.readAllLines(model).size(), Files.readAllLines(written).size());
  }

  /** What is said of the groups that a file has. */
  private static JsonNode inTheFile(Path file) {
    return Stowage.line("group %s --partition file --lmem today --json", file)
        .json()
        .get("baseline");
  }

  /** Our groups in the file: never more clashes, bytes to move or bytes of GMEM than the file's. */
  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void otherGroupsAreWrittenAndAreNoWorseThanTheFiles(String chip) {
    Path model = PublicData.network("tpu-mlir/blazeface_" + chip + "_final.mlir");
    Path written = folder.resolve("written.mlir");
    String export = "group %s --partition dp --lmem today --export %s --json --threads 2";
    Stowage run = Stowage.line(export, model, written).ends(0);
    JsonNode before = run.json().get("baseline");
    JsonNode after = inTheFile(written);
    long fewer = before.get("trafficBytes").asLong() - after.get("trafficBytes").asLong();
    assertTrue(fewer >= 0, "moves " + -fewer + " bytes more");
    assertTrue(clashes(after) <= clashes(before), clashes(after) + " clashes");
    assertEquals("VALID", after.at("/gmem/status").asText());
    assertTrue(after.at("/gmem/peak").asLong() <= before.at("/gmem/peak").asLong());
    boolean kept = run.err().contains("the file's own groups are kept");
    assertEquals(kept, run.json().get("partition").asText().equals("file"), run.err());
  }

  private static long clashes(JsonNode grouping) {
    long clashes = 0;
    for (JsonNode group : grouping.get("groups")) {
      clashes += group.path("clashes").asLong();
      assertEquals(0, group.path("violations").size(), group.toString());
    }
    return clashes;
  }

  /** A file for a chip without a description is refused, and works with one. */
  @Test
  void aChipThatIsNotKnownIsDescribedByAFile() throws IOException {
    Path model = PublicData.network("tpu-mlir/blazeface_bm1688_final.mlir");
    String text = Files.readString(model).replace("\"bm1688\"", "\"mars3\"");
    Path other = file("mars3.mlir", text);
    Path written = folder.resolve("written.mlir");
    Stowage.run("group", other, "--export", written)
        .ends(3)
        .says("compiled for \"mars3\", a chip that is not known");
    String bm1688 = Files.readString(Path.of("models/chips/bm1688.json"));
    Path chip = file("mars3.json", bm1688.replace("\"bm1688\"", "\"mars3\""));
    Stowage.line(
            "group %s --chip %s --partition tail --lmem today --export %s", other, chip, written)
        .ends(0);
    assertTrue(Files.readString(written).contains("\"mars3\""));
    Stowage.line("group %s --chip %s --partition file --lmem today", written, chip).ends(0);
  }
}
