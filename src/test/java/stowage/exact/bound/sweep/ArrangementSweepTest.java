package stowage.exact.bound.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;

class ArrangementSweepTest {
  private static final long AMPLE = 1_000_000_000;
  private static final int CASES = Thorough.of(3_000, 30_000);

  private static ArrangementSweep sweep(SweepRectangles pieces, long ceiling) {
    return new ArrangementSweep(pieces, ceiling, AMPLE, () -> false);
  }

  @Test
  void answersAsTryingEveryPositionDoes() {
    int[] answers = new int[2];
    for (long seed = 0; seed < CASES; seed++) {
      SweepRectangles pieces = random(new Random(seed * 31 + 7), seed % 2 == 0);
      long least = Arrays.stream(pieces.height()).max().orElse(0);
      long most = Arrays.stream(pieces.step()).sum() + 4;
      for (long ceiling = least; ceiling <= most; ceiling++) {
        boolean fits = fits(pieces, ceiling, new long[pieces.count()], 0);
        ArrangementSweep sweep = sweep(pieces, ceiling);
        ArrangementSweep.Answer answer = sweep.run();
        String where = "seed " + seed + ", ceiling " + ceiling + ": " + answer;
        assertEquals(fits, answer == ArrangementSweep.Answer.FITS, where);
        assertEquals(!fits, answer == ArrangementSweep.Answer.EXCLUDED, where);
        answers[fits ? 1 : 0]++;
        if (fits) {
          assertTrue(isPlacement(pieces, sweep.positions(), ceiling), where);
          break;
        }
        for (long lower = ceiling; lower < Math.min(most, sweep.nextCeiling()); lower++) {
          assertTrue(!fits(pieces, lower, new long[pieces.count()], 0), where + ", too far");
        }
      }
    }
    assertTrue(answers[0] > CASES / 4 && answers[1] > CASES / 4, Arrays.toString(answers));
  }

  @Test
  void turningTimeRoundChangesNoAnswer() {
    for (long seed = 0; seed < CASES; seed++) {
      SweepRectangles pieces = random(new Random(seed * 17 + 3), true);
      long ceiling = Arrays.stream(pieces.height()).sum() * 2 / 3;
      assertEquals(
          sweep(pieces, ceiling).run(), sweep(pieces.backwards(4), ceiling).run(), "seed " + seed);
    }
  }

  @Test
  void aLongRowOfExchangesIsDecidedInLinearWork() {
    long[] spent = new long[2];
    for (int k = 0; k < 2; k++) {
      SweepRectangles row = row(k == 0 ? 200 : 400);
      ArrangementSweep sweep = sweep(row, 24);
      assertEquals(ArrangementSweep.Answer.FITS, sweep.run());
      assertTrue(isPlacement(row, sweep.positions(), 24));
      spent[k] = AMPLE - sweep.workLeft();
    }
    assertTrue(spent[1] < 3 * spent[0], Arrays.toString(spent));
  }

  @Test
  void tooManyPiecesAtOnceAndTooLittleWorkAreSaid() {
    int count = ArrangementSweep.WIDEST + 1;
    int[] ends = new int[count];
    Arrays.fill(ends, 1);
    long[] heights = new long[count];
    Arrays.fill(heights, 2);
    SweepRectangles wide = free(new int[count], ends, heights);
    assertEquals(ArrangementSweep.Answer.TOO_LONG, sweep(wide, 100).run());
    assertEquals(
        ArrangementSweep.Answer.TOO_LONG,
        new ArrangementSweep(row(200), 24, 1_000, () -> false).run());
    assertEquals(
        ArrangementSweep.Answer.TOO_LONG,
        new ArrangementSweep(row(4_000), 24, AMPLE, () -> true).run());
  }

  /** In every section one piece of 3 to 5 begins; each lives for three to five sections. */
  private static SweepRectangles row(int sections) {
    Random random = new Random(5);
    int[] start = new int[sections];
    int[] end = new int[sections];
    long[] height = new long[sections];
    for (int i = 0; i < sections; i++) {
      start[i] = i;
      end[i] = Math.min(sections, i + 3 + random.nextInt(3));
      height[i] = 3 + random.nextInt(3);
    }
    return free(start, end, height);
  }

  private static SweepRectangles random(Random random, boolean free) {
    int n = 1 + random.nextInt(6);
    int[] start = new int[n];
    int[] end = new int[n];
    long[] height = new long[n];
    for (int i = 0; i < n; i++) {
      start[i] = random.nextInt(4);
      end[i] = start[i] + 1 + random.nextInt(4 - start[i]);
      height[i] = 1 + random.nextInt(4);
    }
    SweepRectangles pieces = free(start, end, height);
    if (free) {
      return pieces;
    }
    long unit = 1 + random.nextInt(3);
    for (int i = 0; i < n; i++) {
      pieces.step()[i] = (height[i] + unit - 1) / unit * unit;
      switch (random.nextInt(5)) {
        case 0 -> pieces.lowest()[i] = unit * random.nextInt(3);
        case 1 -> pieces.tail()[i] = random.nextInt(4);
        case 2 -> {
          pieces.lowest()[i] = unit * random.nextInt(3);
          pieces.highest()[i] = pieces.lowest()[i];
        }
        default -> {}
      }
    }
    // Equals are what orders of twins are about.
    if (n > 1 && random.nextBoolean()) {
      Stream.of(pieces.height(), pieces.step(), pieces.lowest(), pieces.highest(), pieces.tail())
          .forEach(figures -> figures[n - 1] = figures[0]);
      end[n - 1] = Math.max(end[0], start[n - 1] + 1);
    }
    return pieces;
  }

  private static boolean fits(SweepRectangles pieces, long ceiling, long[] at, int k) {
    if (k == at.length) {
      return true;
    }
    long top = Math.min(pieces.highest()[k], ceiling - pieces.height()[k] - pieces.tail()[k]);
    for (at[k] = pieces.lowest()[k]; at[k] <= top; at[k]++) {
      if (isFree(pieces, at, k) && fits(pieces, ceiling, at, k + 1)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFree(SweepRectangles pieces, long[] at, int k) {
    for (int j = 0; j < k; j++) {
      boolean meet = pieces.start()[j] < pieces.end()[k] && pieces.start()[k] < pieces.end()[j];
      if (meet && at[k] < at[j] + pieces.step()[j] && at[j] < at[k] + pieces.step()[k]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlacement(SweepRectangles pieces, long[] at, long ceiling) {
    return IntStream.range(0, at.length)
        .allMatch(
            k ->
                at[k] >= pieces.lowest()[k]
                    && at[k] <= pieces.highest()[k]
                    && at[k] + pieces.height()[k] + pieces.tail()[k] <= ceiling
                    && isFree(pieces, at, k));
  }

  /** Pieces that may be anywhere. */
  private static SweepRectangles free(int[] start, int[] end, long[] height) {
    long[] highest = new long[height.length];
    Arrays.fill(highest, Long.MAX_VALUE);
    return new SweepRectangles(
        start, end, height, height, new long[height.length], highest, new long[height.length]);
  }
}
