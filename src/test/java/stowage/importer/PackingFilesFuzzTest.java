package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Thorough;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.importer.own.PlanFile;
import stowage.packing.PackingProblem;

/**
 * Damages valid files in seeded ways. Whatever comes of it is read as a sound problem, which then
 * goes round trip, or refused by an {@link InputException} of one line; nothing else may happen.
 */
class PackingFilesFuzzTest extends FolderTest {
  private static final int ROUNDS = Thorough.of(200, 5_000);

  /** Pieces that have a meaning in one of the formats, or nearly one. */
  private static final String[] PIECES =
      (",~\n~\r\n~\"~\"\"~-~-1~0~@~:~ ~\t~{~}~[~]~null~true~1e9~0.5~9223372036854775807~"
              + "9223372036854775808~-9223372036854775808~2147483647~2147483648~"
              + "99999999999999999999999~\u0000~\ufeff~\u00e9~end~upper~size~memory~m0 m1~"
              + "\\ud800~\\u0000~5-~5-6@~7-8@1:2~;")
          .split("~");

  @Test
  void damagedCsvIsReadOrRefused() throws IOException {
    damage("p.csv", ROUNDS);
  }

  @Test
  void damagedJsonIsReadOrRefused() throws IOException {
    damage("p.json", ROUNDS);
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
      byte[] bytes = Files.readAllBytes(file);
      for (int k = 1 + draw.nextInt(3); k > 0; k--) {
        bytes = damaged(bytes, draw);
      }
      Files.write(file, bytes);
      sound += check(file, seed, this::roundTrip) ? 1 : 0;
      check(file, seed, damagedFile -> PlanFile.read(damagedFile).peak());
    }
    assertTrue(
        sound > rounds / 10 && sound < rounds, sound + " of " + rounds + " were still sound");
  }

  private void roundTrip(Path file) {
    PackingProblem problem = ((Input.Packing) InputFormats.read(file)).problem();
    Path again = folder.resolve("again.json");
    try {
      PackingJson.write(again, problem);
      assertTrue(problem.buffers().equals(PackingJson.read(again).buffers()));
    } catch (IOException | InputException failure) {
      fail("what was read is not written and read again", failure);
    }
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
      return false;
    } catch (RuntimeException | AssertionError failure) {
      return fail("seed " + seed, failure);
    }
  }

  /** Numbers that a well-formed file may hold in any place, whether it makes sense there or not. */
  private static final String[] NUMBERS =
      ("-1~0~1~4~7~64~1000~4096~9223372036854775807~2147483647~2147483648").split("~");

  private static byte[] damaged(byte[] bytes, Random draw) {
    int at = draw.nextInt(bytes.length + 1);
    if (draw.nextInt(3) > 0) {
      return withAnotherNumber(bytes, at, NUMBERS[draw.nextInt(NUMBERS.length)]);
    }
    int to = Math.min(bytes.length, at + draw.nextInt(12));
    switch (draw.nextInt(6)) {
      case 0: // cut off
        return Arrays.copyOf(bytes, at);
      case 1: // drop some bytes
        return joined(bytes, at, new byte[0], to);
      case 2: // repeat some bytes
        return joined(bytes, at, Arrays.copyOfRange(bytes, at, to), at);
      case 3: // turn a bit
        byte[] turned = bytes.clone();
        if (at < turned.length) {
          turned[at] ^= (byte) (1 << draw.nextInt(8));
        }
        return turned;
      case 4: // put a piece over some bytes
        return joined(bytes, at, piece(draw), to);
      default: // put a piece between
        return joined(bytes, at, piece(draw), at);
    }
  }

  /** Puts a number for the first one after a place, so that the file stays well-formed. */
  private static byte[] withAnotherNumber(byte[] bytes, int from, String number) {
    int start = from;
    while (start < bytes.length && !Character.isDigit(bytes[start])) {
      start++;
    }
    int end = start;
    while (end < bytes.length && Character.isDigit(bytes[end])) {
      end++;
    }
    return joined(bytes, start, number.getBytes(StandardCharsets.UTF_8), end);
  }

  private static byte[] piece(Random draw) {
    return PIECES[draw.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[] bytes, int to, byte[] piece, int from) {
    byte[] result = Arrays.copyOf(bytes, to + piece.length + bytes.length - from);
    System.arraycopy(piece, 0, result, to, piece.length);
    System.arraycopy(bytes, from, result, to + piece.length, bytes.length - from);
    return result;
  }
}
