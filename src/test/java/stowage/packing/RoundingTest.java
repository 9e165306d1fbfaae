package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundingTest {
  private static boolean suits(long offset, long size, long alignment, long bank) {
    return offset % alignment == 0 && (bank == 0 || offset % bank + size <= bank);
  }

  @Test
  void roundsAsTryingEveryOffsetDoes() {
    Random random = new Random(26);
    for (int round = 0; round < 20_000; round++) {
      long bank = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(60);
      long size = 1 + random.nextInt(bank == 0 ? 40 : (int) bank + 1);
      long alignment = 1 + random.nextInt(70);
      long offset = random.nextInt(4_000);
      String which =
          "round " + round + ": " + offset + ", " + size + ", " + alignment + ", " + bank;
      long period = Rounding.lcm(alignment, Math.max(1, bank));
      long up = offset;
      while (up <= offset + period && !suits(up, size, alignment, bank)) {
        up++;
      }
      assertEquals(
          up > offset + period ? -1 : up, Rounding.up(offset, size, alignment, bank), which);
      long down = offset;
      while (down >= 0 && !suits(down, size, alignment, bank)) {
        down--;
      }
      assertEquals(down, Rounding.down(offset, size, alignment, bank), which);
    }
  }

  @Test
  void findsTheFewPhasesThatSuitAmongVeryMany() {
    long bank = 100_000_000_003L;
    // Looking at one bank after the other would take 10^11 steps.
    assertEquals(0, Rounding.up(0, bank - 1, 99_999_999_977L, bank));
    assertEquals(-1, Rounding.up(1, bank - 1, 99_999_999_977L, bank));
    assertEquals(0, Rounding.down(99_999_999_977L * 12_345, bank - 1, 99_999_999_977L, bank));
    long lesser = 1_000_000_007L;
    long step = lesser - 70;
    long free = lesser / 1_000;
    long found = Rounding.up(1, lesser - free, step, lesser);
    assertEquals(0, found % step);
    assertTrue(found > 0 && found % lesser <= free);
    assertEquals(found, Rounding.down(found + 1, lesser - free, step, lesser));
    assertEquals(0, Rounding.down(found - 1, lesser - free, step, lesser));
  }

  @Test
  void answersNoneAboveTheHighestOffset() {
    assertEquals(-1, Rounding.up(Long.MAX_VALUE - 5, 3, 16, 32));
    assertEquals(-1, Rounding.up(1, 1L << 61, 1L << 62, (1L << 61) + 1));
  }
}
