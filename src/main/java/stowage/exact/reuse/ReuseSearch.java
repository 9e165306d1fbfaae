package stowage.exact.reuse;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * Walks of {@link ReuseWalk} from different seeds, side by side, toward the least price of reuse.
 *
 * <p>Each walk anneals in rounds, in which the temperature falls geometrically from 3 to 0.2 mean
 * weights: a short one so that there is something soon, then rounds of 10,000 moves an item, with
 * more than 40 items 6 times the cube of their number, or of what time is left where that is not
 * enough for one and a half. Longer rounds gain nothing on small problems, other beginnings do.
 * Where no greedy order keeps all hard pairs apart, the same walk first lowers the number of hard
 * pairs that share addresses.
 *
 * <p>With limits that count work, a work unit is a twentieth of a move, four walks run to their
 * ends on as many threads as there are, and the cheapest, of equal ones the first, is the answer.
 */
public final class ReuseSearch {
  private static final double HOT = 3;
  private static final double COLD = 0.2;
  private static final int STARTS = 180;
  private static final int BATCH = 100;
  private static final int WALKS = 4;
  private static final long UNITS_PER_MOVE = 20;
  private static final double FIRST_ROUND_SECONDS = 0.7;
  private static final double LEAST_MOVES_AN_ITEM = 10_000;
  private static final double MOVES_A_TRIPLE = 6;

  /** Where work is counted, moves in rounds: a few items need no more. */
  private static final double MOST_ROUNDS = 10;

  private final ReuseItems part;
  private final RunControl control;
  private final LongSupplier enough;
  private final BiConsumer<long[], int[]> cheaper;
  private long best = Long.MAX_VALUE;
  private int bestWalk = Integer.MAX_VALUE;
  private long[] bestAt;
  private int[] bestIn;

  /**
   * A search.
   *
   * @param enough a proven bound of the cost, which may rise: the search ends when it is met
   * @param cheaper takes the offset and memory of every item where these cost less than all before;
   *     it must copy them
   */
  public ReuseSearch(
      ReuseItems part, RunControl control, LongSupplier enough, BiConsumer<long[], int[]> cheaper) {
    this.part = part;
    this.control = control;
    this.enough = enough;
    this.cheaper = cheaper;
  }

  /** Searches until the bound is met or the run is stopped. */
  public void run() {
    boolean deterministic = control.isDeterministic();
    int walks = deterministic ? WALKS : Math.max(1, control.threads());
    int threads = Math.max(1, Math.min(walks, control.threads()));
    IntConsumer walking =
        own -> {
          for (int walk = own; walk < walks; walk += threads) {
            walk(walk);
          }
        };
    Threads.run("reuse", threads, threads, walking, control::stop);
    if (deterministic && bestAt != null) {
      cheaper.accept(bestAt, bestIn);
    }
  }

  private boolean isDone() {
    return control.isStopped() || (!control.isDeterministic() && best <= enough.getAsLong());
  }

  private void walk(int number) {
    SplittableRandom random =
        new SplittableRandom(control.seed() * 0x9E3779B97F4A7C15L + number * 0x632BE59BD9B4E019L);
    ReuseWalk walk = new ReuseWalk(part, random);
    if (!walk.start(STARTS, this::isDone) && !repair(walk, random)) {
      return;
    }
    offer(walk, number);
    if (control.isDeterministic()) {
      long most = (long) (MOST_ROUNDS * round());
      rounds(walk, number, Math.min(most, control.workLimit() / UNITS_PER_MOVE));
      return;
    }
    double first = Math.min(FIRST_ROUND_SECONDS, control.secondsLeft() / 6);
    double rate = anneal(walk, number, first);
    while (!isDone()) {
      double left = control.secondsLeft();
      double round = round() / Math.max(1, rate);
      rate = anneal(walk, number, left < 1.5 * round ? left : round);
    }
  }

  private double round() {
    double triples = MOVES_A_TRIPLE * part.count * part.count;
    return Math.max(LEAST_MOVES_AN_ITEM, triples) * part.count;
  }

  /** Three rounds of so many moves in all. */
  private void rounds(ReuseWalk walk, int number, long moves) {
    long done = 0;
    for (double share : new double[] {0.05, 0.25, 1}) {
      long left = (long) (moves * share) - done;
      if (left > 0) {
        done += anneal(walk, number, made -> made / (double) left);
      }
    }
  }

  private static double temperature(double progress) {
    return HOT * Math.pow(COLD / HOT, progress);
  }

  /** Anneals once, for some seconds; gives the moves a second. */
  private double anneal(ReuseWalk walk, int number, double seconds) {
    long begin = System.nanoTime();
    double span = Math.max(1e-3, seconds) * 1e9;
    long moves = anneal(walk, number, made -> (System.nanoTime() - begin) / span);
    return moves / ((System.nanoTime() - begin + 1) / 1e9);
  }

  /** Anneals once, where progress goes from 0 to 1 with the moves; gives the moves made. */
  private long anneal(ReuseWalk walk, int number, LongToDoubleFunction progress) {
    long moves = 0;
    for (double now = 0; now < 1 && !isDone(); now = progress.applyAsDouble(moves)) {
      long before = walk.best();
      walk.walk(BATCH, temperature(now), enough.getAsLong());
      moves += BATCH;
      if (walk.best() < before) {
        offer(walk, number);
      }
    }
    return moves;
  }

  /** Brings hard pairs apart by walking toward fewer of them. */
  private boolean repair(ReuseWalk walk, SplittableRandom random) {
    ReuseWalk mending = new ReuseWalk(part.relaxed(), random);
    if (!mending.start(8, this::isDone)) {
      return false;
    }
    long batches = control.isDeterministic() ? control.workLimit() / UNITS_PER_MOVE / BATCH / 2 : 0;
    for (long k = 0; mending.best() > 0 && !control.isStopped(); k++) {
      if (control.isDeterministic() && k >= batches) {
        return false;
      }
      // Cooling repeatedly: 2,000 moves from warm to cold, starting where the last ended.
      mending.walk(BATCH, temperature(k % 40 / 40.0), 0);
    }
    if (mending.best() > 0) {
      return false;
    }
    walk.restart(mending.bestAt().clone(), mending.bestIn().clone());
    return true;
  }

  private synchronized void offer(ReuseWalk walk, int number) {
    boolean better = walk.best() < best || walk.best() == best && number < bestWalk;
    if (!better) {
      return;
    }
    boolean lower = walk.best() < best;
    best = walk.best();
    bestWalk = number;
    bestAt = Arrays.copyOf(walk.bestAt(), part.count);
    bestIn = Arrays.copyOf(walk.bestIn(), part.count);
    if (lower && !control.isDeterministic()) {
      cheaper.accept(bestAt, bestIn);
    }
  }
}
