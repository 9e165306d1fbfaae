package stowage.rewrite.recompute.search;

import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * Simulated annealing over sequences that may exceed the limit: what is above it is charged by the
 * byte and step, at a price that rises while the sequence is above and falls while it is within, so
 * that the search crosses the border again and again. A move inserts a computation where bytes are
 * above the limit or takes one out; its effect is found without building the sequence, in O(reads *
 * range).
 */
public final class Annealing {
  private final RecomputeProblem problem;
  private final long limit;
  private final Random random;
  private final Insertion insertion;
  private final SequenceSearch polish;
  private final double[] weights;

  private Timeline line;
  private int[] repeats;
  private int[] over;
  private int overs;

  /** A search for one limit. */
  public Annealing(RecomputeProblem problem, long limit, Random random) {
    this.problem = problem;
    this.limit = limit;
    this.random = random;
    this.insertion = new Insertion(problem, limit, random);
    this.polish = new SequenceSearch(problem, limit, random);
    this.weights = new double[problem.ops];
  }

  /**
   * Anneals in rounds until it is stopped or reaches a bound.
   *
   * @param given where it begins; it need not be within the limit
   * @param below only sequences with less extra cost are of interest
   * @param bound no sequence costs less
   * @param found called with each better sequence within the limit
   */
  public void run(
      int[] given, long below, long bound, BooleanSupplier stop, Consumer<int[]> found) {
    double mean = 0;
    for (long cost : problem.cost) {
      mean += cost / (double) problem.ops;
    }
    long best = below;
    int[] bestSequence = given;
    turnTo(given);
    Arrays.fill(weights, 1);
    double excess = 1;
    for (int k = 0; k < overs; k++) {
      excess += line.load[over[k]] - limit;
    }
    double price = mean * 4 / excess * Math.max(1, Math.sqrt(overs));
    double hot = mean / 4;
    double cold = mean / 200 + 1e-9;
    long length = 40_000 + 400L * problem.ops;
    for (long round = 0; !stop.getAsBoolean() && best > bound; round++) {
      for (long trial = 0; trial < length; trial++) {
        if ((trial & 63) == 0 && stop.getAsBoolean()) {
          return;
        }
        double heat = hot * Math.pow(cold / hot, trial / (double) length);
        if ((trial & 255) == 0) {
          price *= overs > 0 ? 1.03 : 0.97;
        }
        if (move(price, heat) && overs == 0 && problem.extra(line.sequence) < best) {
          int[] pruned = polish.prune(line.sequence);
          best = problem.extra(pruned);
          bestSequence = pruned;
          found.accept(pruned);
          turnTo(pruned);
          if (best <= bound) {
            return;
          }
        }
      }
      hot = mean / (4 << (round % 3));
      if (round % 4 == 3) {
        turnTo(bestSequence);
      }
      length = Math.min(2_000_000, length * 3 / 2);
    }
  }

  private void turnTo(int[] sequence) {
    line = Timeline.of(problem, sequence);
    insertion.over(line, weights, 0.05);
    repeats = SequenceSearch.repeats(sequence);
    over = over == null || over.length < sequence.length ? new int[2 * sequence.length] : over;
    overs = 0;
    for (int s = 0; s < sequence.length; s++) {
      if (line.load[s] > limit) {
        over[overs++] = s;
      }
    }
  }

  private boolean move(double price, double heat) {
    if (repeats.length > 0 && (overs == 0 || random.nextInt(3) == 0)) {
      int position = repeats[random.nextInt(repeats.length)];
      insertion.evaluateRemoval(position);
      double gain = problem.cost[line.sequence[position]] + price * insertion.relief;
      if (!accepts(gain, heat)) {
        return false;
      }
      turnTo(SequenceSearch.without(line.sequence, new int[] {position}));
      return true;
    }
    if (overs == 0) {
      return false;
    }
    int step = over[random.nextInt(overs)];
    int rival = -1;
    for (int tries = 0; tries < 50; tries++) {
      int c = random.nextInt(line.copies);
      if (line.begin[c] >= step
          || line.end[c] <= step
          || problem.bytes[line.value[c]] == 0
          || !problem.returns(line.value[c])
          || insertion.touchBefore(c, step + 1) == step) {
        continue;
      }
      if (rival < 0 && random.nextInt(2) == 0) {
        rival = c; // the cheaper a byte of two by chance goes on
        continue;
      }
      if (rival >= 0 && rate(rival) < rate(c)) {
        c = rival;
      }
      int next = insertion.touchAfter(c, step);
      int position = next;
      if (random.nextInt(3) == 0) {
        position = step + 1 + random.nextInt(next - step);
      } else if (random.nextInt(2) == 0) {
        int[] reads = problem.reads[problem.maker[line.value[c]]];
        for (int i : reads) {
          int end = insertion.endBefore(i, next);
          position = end > step && end < position ? end : position;
        }
      }
      double freed = (double) problem.bytes[line.value[c]] * (position - line.begin[c]);
      if (!insertion.evaluate(c, position, price * freed + 10 * heat)
          || !accepts(price * insertion.relief - insertion.cost, heat)) {
        return false;
      }
      turnTo(insertion.apply(position));
      return true;
    }
    return false;
  }

  /** What computing a copy's value again costs for each of its bytes, without its operands. */
  private double rate(int copy) {
    int value = line.value[copy];
    return problem.cost[problem.maker[value]] / (double) problem.bytes[value];
  }

  private boolean accepts(double gain, double heat) {
    return gain >= 0 || random.nextDouble() < Math.exp(gain / heat);
  }
}
