package stowage.rewrite.recompute.search;

import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * Upper bounds: sequences within the limit, made by inserting computations where bytes above the
 * limit fall most for their cost, pruned of those that turn out needless, and improved by taking
 * some out and repairing the rest (large neighbourhood search). Every sequence is valid, because an
 * op reads whatever copy is the latest; only the bytes alive are to be brought under the limit. An
 * insertion takes O(live copies * their gaps) steps.
 */
public final class SequenceSearch {
  private final RecomputeProblem problem;
  private final long limit;
  private final Random random;
  private final Insertion insertion;
  private final double crumb;
  private final double[] weights;

  /** A search for one limit, drawing on one source of random numbers. */
  public SequenceSearch(RecomputeProblem problem, long limit, Random random) {
    this.problem = problem;
    this.limit = limit;
    this.random = random;
    this.insertion = new Insertion(problem, limit, random);
    this.weights = new double[problem.ops];
    Arrays.fill(weights, 1);
    double sum = 0;
    for (long cost : problem.cost) {
      sum += cost;
    }
    this.crumb = sum / Math.max(1, problem.ops) / 1e4 + 1e-9;
  }

  /**
   * Inserts computations until the sequence is within the limit.
   *
   * @param noise 0 for the best insertion each time; up to 1 for more chance
   * @param below gives up when the extra cost reaches this
   * @return null where it found no way
   */
  public int[] repair(int[] given, double noise, long below, BooleanSupplier stop) {
    int[] sequence = given;
    long extra = problem.extra(sequence);
    int tries = 0;
    while (true) {
      Timeline line = Timeline.of(problem, sequence);
      if (line.peak <= limit) {
        return sequence;
      }
      if (stop.getAsBoolean() || tries++ > 4 * problem.ops + 200) {
        return null;
      }
      insertion.over(line, weights, noise * 0.1);
      int[] better = null;
      int[] steps = overloaded(line, noise);
      for (int k = 0; k < steps.length && better == null; k++) {
        better = insert(line, steps[k], noise, below - extra);
      }
      if (better == null) {
        return null;
      }
      sequence = better;
      extra = problem.extra(sequence);
    }
  }

  /** Some steps above the limit, the highest first, or one by chance in front. */
  private int[] overloaded(Timeline line, double noise) {
    int[] over = new int[line.load.length];
    int count = 0;
    for (int s = 0; s < line.load.length; s++) {
      if (line.load[s] > limit) {
        over[count++] = s;
      }
    }
    int worst = 0;
    for (int k = 1; k < count; k++) {
      worst = line.load[over[k]] > line.load[over[worst]] ? k : worst;
    }
    if (random.nextDouble() < noise) {
      worst = random.nextInt(count);
    }
    int[] chosen = new int[Math.min(count, 6)];
    chosen[0] = over[worst];
    for (int k = 1; k < chosen.length; k++) {
      chosen[k] = over[random.nextInt(count)];
    }
    return chosen;
  }

  private int[] insert(Timeline line, int step, double noise, long budget) {
    double best = 0;
    int bestCopy = -1;
    int bestPosition = 0;
    int after = step + 1;
    while (after < line.load.length && line.load[after] > limit) {
      after++;
    }
    for (int c = 0; c < line.copies; c++) {
      if (line.begin[c] >= step
          || line.end[c] <= step
          || problem.bytes[line.value[c]] == 0
          || !problem.returns(line.value[c])
          || insertion.touchBefore(c, step + 1) == step) {
        continue;
      }
      int next = insertion.touchAfter(c, step);
      int[] positions = positions(c, step, after, next);
      for (int k = 0; k < positions.length; k++) {
        if (positions[k] > 0
            && insertion.evaluate(c, positions[k], budget)
            && insertion.relief > 0) {
          double worth = insertion.relief / (insertion.cost + crumb);
          worth *= 1 - noise * random.nextDouble();
          if (worth > best && insertion.cost < budget) {
            best = worth;
            bestCopy = c;
            bestPosition = positions[k];
          }
        }
      }
    }
    if (bestCopy < 0 || !insertion.evaluate(bestCopy, bestPosition, budget)) {
      return null;
    }
    return insertion.apply(bestPosition);
  }

  /** Where a copy may be computed again after a step: at its use, after the overload, early. */
  private int[] positions(int copy, int step, int after, int next) {
    int[] positions = new int[3 + problem.reads[problem.maker[line(copy)]].length];
    int count = 0;
    positions[count++] = next;
    if (after < next) {
      positions[count++] = after;
    }
    for (int i : problem.reads[problem.maker[line(copy)]]) {
      int end = insertion.endBefore(i, next);
      if (end > step && end < next && end != after) {
        positions[count++] = end;
      }
    }
    return Arrays.copyOf(positions, count);
  }

  private int line(int copy) {
    return insertion.valueOf(copy);
  }

  /** Takes out computations that the limit does not ask for, dear ones first. */
  public int[] prune(int[] given) {
    int[] sequence = given;
    boolean found = true;
    while (found) {
      found = false;
      int[] repeats = repeats(sequence);
      shuffle(repeats);
      boolean[] tried = new boolean[repeats.length];
      for (int round = 0; round < repeats.length; round++) {
        int next = -1;
        for (int k = 0; k < repeats.length; k++) {
          if (!tried[k]
              && (next < 0
                  || problem.cost[sequence[repeats[k]]] > problem.cost[sequence[repeats[next]]])) {
            next = k;
          }
        }
        tried[next] = true;
        int[] shorter = without(sequence, new int[] {repeats[next]});
        if (Timeline.of(problem, shorter).peak <= limit) {
          int out = repeats[next];
          sequence = shorter;
          for (int k = 0; k < repeats.length; k++) {
            repeats[k] -= repeats[k] > out ? 1 : 0;
          }
          found = true;
        }
      }
    }
    return sequence;
  }

  /**
   * Improves a sequence until it is stopped or reaches a bound.
   *
   * @param given within the limit
   * @param bound no sequence costs less
   * @param found called with each better sequence
   */
  public int[] improve(int[] given, long bound, BooleanSupplier stop, Consumer<int[]> found) {
    int[] best = given;
    int[] current = given;
    long bestExtra = problem.extra(best);
    long currentExtra = bestExtra;
    for (long round = 0; !stop.getAsBoolean() && bestExtra > bound; round++) {
      int[] repeats = repeats(current);
      int[] next = without(current, chosen(current, repeats));
      double noise = random.nextInt(4) == 0 ? 0 : random.nextDouble();
      long slack = bestExtra / 100;
      next = repair(next, noise, currentExtra + slack + 1, stop);
      if (next == null) {
        continue;
      }
      next = prune(next);
      long extra = problem.extra(next);
      if (extra <= currentExtra || extra <= bestExtra + (random.nextInt(20) == 0 ? slack : 0)) {
        current = next;
        currentExtra = extra;
        if (extra < bestExtra) {
          best = next;
          bestExtra = extra;
          found.accept(best);
        }
      } else if (random.nextInt(200) == 0) {
        current = best;
        currentExtra = bestExtra;
      }
    }
    return best;
  }

  /** Repetitions to take out: a few by chance, a stretch of them, or all that are near a step. */
  private int[] chosen(int[] sequence, int[] repeats) {
    if (repeats.length == 0) {
      return repeats;
    }
    int most = Math.min(repeats.length, 2 + random.nextInt(12));
    int[] out;
    if (random.nextInt(3) == 0) {
      shuffle(repeats);
      out = Arrays.copyOf(repeats, most);
    } else {
      int begin = random.nextInt(repeats.length - most + 1);
      out = Arrays.copyOfRange(repeats, begin, begin + most);
    }
    Arrays.sort(out);
    return out;
  }

  private void shuffle(int[] list) {
    for (int k = list.length - 1; k > 0; k--) {
      int other = random.nextInt(k + 1);
      int swap = list[k];
      list[k] = list[other];
      list[other] = swap;
    }
  }

  /** The positions at which ops run again, ascending. */
  static int[] repeats(int[] sequence) {
    int[] repeats = new int[sequence.length];
    int count = 0;
    int done = 0;
    for (int s = 0; s < sequence.length; s++) {
      if (sequence[s] < done) {
        repeats[count++] = s;
      } else {
        done = sequence[s] + 1;
      }
    }
    return Arrays.copyOf(repeats, count);
  }

  /** A sequence without some positions, ascending. */
  static int[] without(int[] sequence, int[] out) {
    int[] left = new int[sequence.length - out.length];
    int next = 0;
    int count = 0;
    for (int s = 0; s < sequence.length; s++) {
      if (next < out.length && out[next] == s) {
        next++;
      } else {
        left[count++] = sequence[s];
      }
    }
    return left;
  }
}
