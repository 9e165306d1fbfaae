package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Thorough;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.own.NetworkJson;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.importer.own.PlanFile;
import stowage.network.Network;
import stowage.packing.PackingProblem;

/**
 * Damages valid files in seeded ways. Whatever comes of it is read as a sound problem, which then
 * goes round trip, or refused by an {@link InputException} of one line; nothing else may happen.
 */
class PackingFilesFuzzTest extends FolderTest {
  private static final int ROUNDS = Thorough.of(200, 5_000);

  /** Pieces that have a meaning in one of the formats, or nearly one. */
  private static final String PIECES =
      ",~\n~\r\n~\"~\"\"~-~-1~0~@~:~ ~\t~{~}~[~]~null~true~1e9~0.5~9223372036854775807~"
          + "9223372036854775808~-9223372036854775808~2147483647~2147483648~"
          + "99999999999999999999999~\u0000~\ufeff~\u00e9~end~upper~size~memory~m0 m1~"
          + "\\ud800~\\u0000~5-~5-6@~7-8@1:2~;";

  private static final Damage DAMAGE =
      new Damage(PIECES, "-1~0~1~4~7~64~1000~4096~9223372036854775807~2147483647~2147483648");

  @Test
  void damagedCsvIsReadOrRefused() throws IOException {
    damage("p.csv", ROUNDS);
  }

  @Test
  void damagedJsonIsReadOrRefused() throws IOException {
    damage("p.json", ROUNDS);
  }

  /** Networks too, whose text is the same after a round trip. */
  @Test
  void damagedNetworksAreReadOrRefused() throws IOException {
    byte[] good = Files.readAllBytes(Path.of("models/networks/tiny.json"));
    for (int seed = 0; seed < Thorough.of(500, 5000); seed++) {
      Path file = file("network.json", DAMAGE.of(good, new Random(seed)));
      check(
          file,
          seed,
          damaged -> {
            String text = NetworkJson.text(NetworkJson.read(damaged));
            Path again = assertDoesNotThrow(() -> file("again.json", text));
            Network read = assertDoesNotThrow(() -> NetworkJson.read(again));
            assertEquals(text, NetworkJson.text(read));
          });
    }
  }

  private void damage(String name, int rounds) throws IOException {
    Path file = folder.resolve(name);
    int sound = 0;
    for (int seed = 0; seed < rounds; seed++) {
      Random draw = new Random(seed);
      PackingProblem problem = ProblemSamples.everything(draw);
      if (name.endsWith(".csv")) {
        PackingCsv.write(file, problem);
      } else {
        PackingJson.write(file, problem);
      }
      Files.write(file, DAMAGE.of(Files.readAllBytes(file), draw));
      sound += check(file, seed, this::roundTrip) ? 1 : 0;
      check(file, seed, damagedFile -> PlanFile.read(damagedFile).peak());
    }
    assertTrue(
        sound > rounds / 10 && sound < rounds, sound + " of " + rounds + " were still sound");
  }

  private void roundTrip(Path file) {
    PackingProblem problem = ((Input.Packing) InputFormats.read(file)).problem();
    Path again = folder.resolve("again.json");
    assertDoesNotThrow(() -> PackingJson.write(again, problem));
    assertEquals(problem.buffers(), assertDoesNotThrow(() -> PackingJson.read(again)).buffers());
  }

  /** Whether the file was read; fails unless it was read or properly refused. */
  private static boolean check(Path file, int seed, Consumer<Path> reader) {
    try {
      reader.accept(file);
      return true;
    } catch (InputException refused) {
      String message = refused.getMessage();
      assertTrue(message.startsWith(file.toString()), "seed " + seed + ": " + message);
      assertFalse(message.contains("\n"), "seed " + seed + ": " + message);
      assertTrue(message.length() <= 600, "seed " + seed + ": " + message);
      return false;
    } catch (RuntimeException | AssertionError failure) {
      return fail("seed " + seed, failure);
    }
  }
}
