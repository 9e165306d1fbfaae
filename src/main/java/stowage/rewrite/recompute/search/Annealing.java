package stowage.rewrite.recompute.search;

import java.util.Random;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * Simulated annealing over sequences that may exceed the limit. Bytes above it are charged by the
 * step, at a price that follows a target: while a round is hot, a share of the bytes that were
 * above the limit at first may stay there; the share falls to 0, and from then on the search
 * crosses the border again and again. A move computes a value again where bytes are above the
 * limit, after those of its operands that cost less to compute than to keep; or it takes a
 * computation out, with those that only it needed; or it moves one. The first round is hot; later
 * ones begin at the best sequence so far with a random heat. Most rounds are short, since the next
 * one often ends elsewhere, and some are long: their lengths follow M. Luby, A. Sinclair and D.
 * Zuckerman, Optimal speedup of Las Vegas algorithms (1993, doi:10.1016/0020-0190(93)90029-9).
 */
public final class Annealing {
  /** Ops that a move computes again at most. */
  private static final int MOST_OPS = 20;

  /** How often an operand is kept that had better be computed again, or the other way round. */
  private static final double NOISE = 0.05;

  /** Values drawn for a move until one is kept across the step. */
  private static final int TRIES = 50;

  /** Heat at which the first round begins, and the least and most of later ones, by mean cost. */
  private static final double FIRST = 0.5;

  private static final double WARM = 0.05;
  private static final double HOT = 0.7;

  /** Heat at the end of a round, by mean cost. */
  private static final double COLD = 0.01;

  /** Share of the first bytes above the limit that a heat of the mean cost allows. */
  private static final double ALLOWED = 0.1;

  private final RecomputeProblem problem;
  private final long limit;
  private final Random random;
  private final double mean;
  private final int[] planned;
  private int plan;
  private EditableSequence line;
  private double left;
  private int opsLeft;

  public Annealing(RecomputeProblem problem, long limit, Random random) {
    this.problem = problem;
    this.limit = limit;
    this.random = random;
    this.planned = new int[problem.ops];
    IntStream dear =
        IntStream.range(0, problem.ops).filter(v -> problem.repeatable[v] && problem.cost[v] > 0);
    this.mean = dear.mapToDouble(v -> problem.cost[v]).average().orElse(1);
  }

  /**
   * Anneals until no seconds are left or nothing is above what the ops cost once.
   *
   * @param given where it begins; it need not be within the limit
   * @param known where every other round begins until something better is found; null for the same
   * @param below only sequences with less extra cost are of interest
   * @param secondsLeft asked now and then; infinite for no limit
   * @param found called with each better sequence within the limit
   */
  public void run(
      int[] given, int[] known, long below, DoubleSupplier secondsLeft, Consumer<int[]> found) {
    long best = below;
    int[] bestSequence = null;
    long first = new EditableSequence(problem, limit, problem.once()).excess();
    line = new EditableSequence(problem, limit, given);
    double price = 20 * mean / (1 + first);
    boolean changed = given.length > problem.ops;
    for (int round = 1; best > 0; round++) {
      double share =
          round == 1 && !changed ? FIRST : WARM * Math.pow(HOT / WARM, random.nextDouble());
      double hot = mean * share;
      long length = (40_000 + 400L * problem.ops) * luby(round);
      double cold = mean * COLD;
      for (long trial = 0; trial < length; trial++) {
        if ((trial & 63) == 0 && secondsLeft.getAsDouble() <= 0) {
          return;
        }
        double done = trial / (double) length;
        double heat = hot * Math.pow(cold / hot, done);
        if ((trial & 255) == 0) {
          double allowed = first * ALLOWED * hot / mean * Math.pow(Math.max(0, 1 - done / 0.9), 5);
          price *= line.excess() > allowed ? 1.03 : 0.97;
        }
        if (move(price, heat) && line.excess() == 0 && line.extra() < best) {
          prune();
          best = line.extra();
          bestSequence = line.ops();
          found.accept(bestSequence);
        }
      }
      int[] other = known == null || round % 2 == 0 ? given : known;
      int[] next = bestSequence == null ? other : bestSequence;
      line = new EditableSequence(problem, limit, next);
    }
  }

  /** The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from 1 on. */
  private static long luby(int k) {
    int high = Integer.highestOneBit(k + 1);
    return high == k + 1 ? high / 2 : luby(k + 1 - high);
  }

  /** Takes out computations that the limit does not ask for. */
  private void prune() {
    for (int k = line.repeats() - 1; k >= 0; k = Math.min(k, line.repeats()) - 1) {
      line.remove(line.repeat(k));
      line.sweep();
      if (line.excess() > 0) {
        line.undo();
      } else {
        line.commit();
      }
    }
  }

  /** Tries one move; whether it is made. */
  private boolean move(double price, double heat) {
    double least = heat * Math.log(1 - random.nextDouble());
    long extra = line.extra();
    long excess = line.excess();
    boolean changed;
    if (line.repeats() > 0 && (excess == 0 || random.nextInt(3) == 0)) {
      int run = line.repeat(random.nextInt(line.repeats()));
      if (random.nextInt(4) == 0) {
        changed = shift(run);
      } else {
        line.remove(run);
        line.sweep();
        changed = true;
      }
    } else {
      changed = excess > 0 && compute(price, least);
    }
    if (changed && extra - line.extra() + price * (excess - line.excess()) >= least) {
      line.commit();
      return true;
    }
    line.undo();
    return false;
  }

  /** Moves a run to a step between the last touch of the copy before and its first reader. */
  private boolean shift(int run) {
    int op = line.op(run);
    int from = line.step(run);
    int value = problem.writes[op][0];
    int low = line.end(line.latest(value, from)) + 1;
    int high = line.readAfter(line.latest(value, from + 1), from);
    high = high > line.length() ? high : Math.min(high, line.until(op));
    if (high > line.length() || high - low < 2) {
      return false;
    }
    line.remove(run);
    line.insert(op, low + random.nextInt(high - low));
    return true;
  }

  /** Computes a value again that is kept across a step above the limit: the better of two. */
  private boolean compute(double price, double least) {
    int over = line.nextAbove(random.nextInt(line.length()));
    int rival = -1;
    for (int tries = 0; tries < TRIES; tries++) {
      int value = random.nextInt(problem.values);
      if (!isKeptAcross(value, over)) {
        continue;
      }
      if (rival < 0 && random.nextInt(2) == 0) {
        rival = value;
        continue;
      }
      value = rival >= 0 && rate(rival) < rate(value) ? rival : value;
      return compute(value, over, price, least);
    }
    return false;
  }

  private boolean isKeptAcross(int value, int step) {
    if (problem.bytes[value] == 0 || !problem.returns(value)) {
      return false;
    }
    int copy = line.latest(value, step);
    return copy >= 0
        && line.readAfter(copy, step) <= line.length()
        && line.touchBefore(copy, step + 1) < step;
  }

  /** Computes a value again between a step and its next reader. */
  private boolean compute(int value, int over, double price, double least) {
    int maker = problem.maker[value];
    int copy = line.latest(value, over);
    int next = line.readAfter(copy, over);
    int at = next;
    if (random.nextInt(3) == 0) {
      at = over + 1 + random.nextInt(next - over);
    } else if (random.nextInt(2) == 0) {
      for (int i : problem.reads[maker]) {
        int end = line.end(line.latest(i, next));
        at = end > over && end < at ? end : at;
      }
    }
    at = Math.min(at, line.until(maker));
    if (at <= over) {
      return false;
    }
    int last = line.touchBefore(copy, over + 1);
    left = price * line.relief(last + 1, at, problem.bytes[value]) - least;
    opsLeft = MOST_OPS;
    plan++;
    if (!isCheap(maker, at)) {
      return false;
    }
    insert(maker, at);
    line.sweep();
    return true;
  }

  /** Plans to run an op before a step, after what it needs; whether that is worth its cost. */
  private boolean isCheap(int op, int before) {
    left -= problem.cost[op];
    planned[op] = plan;
    if (left < 0 || opsLeft-- == 0 || before > line.until(op)) {
      return false;
    }
    for (int i : problem.reads[op]) {
      int maker = problem.maker[i];
      if (maker < 0 || planned[maker] == plan) {
        continue;
      }
      int end = line.end(line.latest(i, before));
      if (end < before
          && problem.returns(i)
          && line.exceeds(end + 1, before, problem.bytes[i]) ^ random.nextDouble() < NOISE
          && !isCheap(maker, before)) {
        return false;
      }
    }
    return true;
  }

  /** Runs a planned op before a step, after those of its operands that are planned; its step. */
  private int insert(int op, int before) {
    planned[op] = 0;
    int at = before;
    for (int i : problem.reads[op]) {
      if (problem.maker[i] >= 0 && planned[problem.maker[i]] == plan) {
        at = insert(problem.maker[i], at) + 1;
      }
    }
    line.insert(op, at);
    return at;
  }

  /** What computing a value again costs for each of its bytes, without its operands. */
  private double rate(int value) {
    return problem.cost[problem.maker[value]] / (double) problem.bytes[value];
  }
}
