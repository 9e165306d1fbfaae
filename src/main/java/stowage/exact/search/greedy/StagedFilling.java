package stowage.exact.search.greedy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import stowage.exact.search.greedy.SkylineBestFit.Preference;
import stowage.packing.RunControl;

/**
 * A filling of the valleys stage by stage: each stage of the height is filled in several styles,
 * and the next one goes on from what promises the lowest peak.
 *
 * <p>A filling loses its bytes in some fifty valleys at all heights, by chance. The least losses of
 * the stages together are below the least loss of as many whole fillings, for the same work. What
 * is promised is the largest sum of the height reached and the load to come, over all sections.
 *
 * <p>O(tries n log n) time and the memory of a {@link SkylineBestFit} for each thread and two more.
 */
final class StagedFilling {
  /** How often a stage is filled. */
  static final int TRIES = 6;

  private static final int STAGES = 10;

  /** How far the tolerances are spread: the logarithm of largest by least. */
  private static final double SPREAD = 0.7;

  /** Runner of tasks by their number, several at a time or in turn. */
  interface Runner {
    void run(int tasks, IntConsumer task);
  }

  private final Supplier<SkylineBestFit> starts;
  private final long top;
  private final double tolerance;
  private final long seed;
  private final RunControl control;
  private final Deque<SkylineBestFit> spare = new ArrayDeque<>();
  private SkylineBestFit best;
  private volatile long lowest;

  /**
   * @param starts fillings of nothing
   * @param top about the height that is to be filled
   * @param tolerance about what share of the mean size is shallow; see {@link SkylineBestFit}
   * @param seed of the styles, which do not depend on which thread takes them
   */
  StagedFilling(
      Supplier<SkylineBestFit> starts, long top, double tolerance, long seed, RunControl control) {
    this.starts = starts;
    this.top = top;
    this.tolerance = tolerance;
    this.seed = seed;
    this.control = control;
  }

  /** The offsets of all, or null where each try of a stage turns out as high as the ceiling. */
  long[] fill(Runner runner, LongSupplier ceiling) {
    SkylineBestFit base = spare();
    for (int stage = 1; stage <= STAGES; stage++) {
      best = null;
      lowest = ceiling.getAsLong();
      SkylineBestFit from = base;
      long stop = stage == STAGES ? Long.MAX_VALUE : top / STAGES * stage;
      int first = stage * TRIES;
      runner.run(TRIES, task -> fillStage(from, stop, first + task));
      if (best == null) {
        return null;
      }
      give(base);
      base = best;
    }
    return base.offsets();
  }

  private void fillStage(SkylineBestFit from, long stop, int number) {
    SplittableRandom random = new SplittableRandom(seed + number);
    int task = number % TRIES;
    double factor = StrictMath.exp(SPREAD * (random.nextDouble() - 0.5));
    Preference any = random.nextInt(3) == 0 ? Preference.LEVEL : Preference.SNUG;
    SkylineBestFit filling = spare();
    switch (task) {
      case 0 -> filling.goOnFrom(from, Preference.LEVEL, tolerance, null);
      case 1 -> filling.goOnFrom(from, Preference.SNUG, tolerance, null);
      case TRIES - 1 -> filling.goOnFrom(from, Preference.WIDE, 0, null); // mostly soon too high
      default -> filling.goOnFrom(from, any, tolerance * factor, (task & 1) == 0 ? random : null);
    }
    boolean filled = filling.fillUpTo(stop, control, () -> lowest);
    give(filled ? keepLower(filling) : filling);
  }

  /** Keeps the one that promises the lower peak; answers the other one, if any. */
  private synchronized SkylineBestFit keepLower(SkylineBestFit filling) {
    long promised = filling.promised();
    if (promised >= lowest) {
      return filling;
    }
    SkylineBestFit worse = best;
    best = filling;
    lowest = promised;
    return worse;
  }

  private synchronized void give(SkylineBestFit filling) {
    if (filling != null) {
      spare.push(filling);
    }
  }

  private SkylineBestFit spare() {
    synchronized (this) {
      if (!spare.isEmpty()) {
        return spare.pop();
      }
    }
    return starts.get();
  }
}
