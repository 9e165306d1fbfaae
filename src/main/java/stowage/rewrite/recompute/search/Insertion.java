package stowage.rewrite.recompute.search;

import java.util.Arrays;
import java.util.Random;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * One way to compute a value again, and what it does to the bytes alive. At a position of a
 * sequence the value's maker runs once more, after those of its operands' makers whose operands are
 * cheaper to compute than to keep: an operand that is there anyway is read; one whose copy has
 * ended is kept longer where that exceeds nothing, and computed again otherwise. Not thread-safe;
 * one insertion is evaluated at a time.
 */
final class Insertion {
  private static final int MOST_OPS = 40;

  private final RecomputeProblem problem;
  private final long limit;
  private final Random random;

  private Timeline line;
  private int[] firstCopy;
  private int[] nextCopy = new int[0];
  private int[] touchAt = new int[0];
  private int[] touch = new int[0];
  private long[] across = new long[0];
  private long[] delta = new long[0];
  private int low;
  private double noise;

  /** The ops that run, in their order. */
  final int[] ops = new int[MOST_OPS];

  /** How many they are. */
  int count;

  /** What they cost. */
  long cost;

  /** By how much the bytes above the limit, summed over all steps with their weights, fall. */
  double relief;

  private double[] weight;
  private double cap;

  private final int[] stretched = new int[4 * MOST_OPS];
  private int stretches;

  Insertion(RecomputeProblem problem, long limit, Random random) {
    this.problem = problem;
    this.limit = limit;
    this.random = random;
    this.firstCopy = new int[problem.values];
  }

  /**
   * Turns to a sequence. O(steps + reads).
   *
   * @param weights of each step's bytes above the limit, by the op whose first computation is next
   * @param chance of computing an operand again that may as well be kept, or the other way round
   */
  void over(Timeline timeline, double[] weights, double chance) {
    line = timeline;
    weight(timeline.sequence, weights);
    noise = chance;
    int copies = timeline.copies;
    int steps = timeline.sequence.length;
    if (nextCopy.length < copies) {
      nextCopy = new int[2 * copies];
    }
    if (delta.length < steps + 2) {
      delta = new long[2 * steps + 2];
      across = new long[2 * steps + 2];
    }
    touchAt = new int[copies + 1];
    Arrays.fill(firstCopy, -1);
    int[] last = new int[problem.values];
    for (int c = 0; c < copies; c++) {
      int i = timeline.value[c];
      nextCopy[c] = -1;
      if (firstCopy[i] < 0) {
        firstCopy[i] = c;
      } else {
        nextCopy[last[i]] = c;
      }
      last[i] = c;
    }
    for (int c : timeline.readCopy) {
      touchAt[c + 1]++;
    }
    for (int c = 0; c < copies; c++) {
      touchAt[c + 1] += touchAt[c];
    }
    touch = new int[touchAt[copies]];
    int[] filled = Arrays.copyOf(touchAt, copies);
    long end = 0;
    for (int s = 0; s < steps; s++) {
      int v = timeline.sequence[s];
      across[s] = timeline.load[s] - problem.scratch[v];
      for (int i : problem.writes[v]) {
        across[s] -= problem.bytes[i];
      }
      for (int k = timeline.readAt[s]; k < timeline.readAt[s + 1]; k++) {
        touch[filled[timeline.readCopy[k]]++] = s;
      }
    }
    for (int i = 0; i < problem.values; i++) {
      end += problem.kept[i] ? problem.bytes[i] : 0;
    }
    across[steps] = end;
  }

  private void weight(int[] sequence, double[] weights) {
    if (weight == null || weight.length < sequence.length + 1) {
      weight = new double[2 * sequence.length + 1];
    }
    int done = 0;
    for (int s = 0; s < sequence.length; s++) {
      weight[s] = weights[Math.min(done, problem.ops - 1)];
      done = Math.max(done, sequence[s] + 1);
    }
    weight[sequence.length] = weights[problem.ops - 1];
  }

  /** The last touch of a copy before a step: its computation or a reader. */
  int touchBefore(int copy, int step) {
    int at = line.begin[copy];
    for (int k = touchAt[copy]; k < touchAt[copy + 1] && touch[k] < step; k++) {
      at = touch[k];
    }
    return at;
  }

  /** The first touch of a copy after a step; the end of the run for one that is kept. */
  int touchAfter(int copy, int step) {
    for (int k = touchAt[copy]; k < touchAt[copy + 1]; k++) {
      if (touch[k] > step) {
        return touch[k];
      }
    }
    return line.end[copy];
  }

  /** The value of a copy. */
  int valueOf(int copy) {
    return line.value[copy];
  }

  /** The step after the last one of the copy of a value that is the latest before a position. */
  int endBefore(int value, int position) {
    return line.end[copyBefore(value, position)];
  }

  /** The copy of a value that is the latest before a position; -1 for none. */
  int copyBefore(int value, int position) {
    int found = -1;
    for (int c = firstCopy[value]; c >= 0; c = nextCopy[c]) {
      if (line.begin[c] < position || problem.maker[value] < 0) {
        found = c;
      }
    }
    return found;
  }

  /**
   * Evaluates computing a copy's value again just before a position at which the copy is alive.
   *
   * @param most no more is to be spent
   * @return whether it can be done
   */
  boolean evaluate(int copy, int position, double most) {
    cap = most;
    count = 0;
    cost = 0;
    stretches = 0;
    relief = 0;
    low = position;
    if (!gather(problem.maker[line.value[copy]], position)) {
      clear(position);
      return false;
    }
    long base = across[position];
    for (int m = 0; m < count; m++) {
      for (int i : problem.writes[ops[m]]) {
        int c = copyBefore(i, position);
        if (c >= 0 && alive(c, position)) {
          base -= problem.bytes[i];
          add(touchBefore(c, position) + 1, position, -problem.bytes[i]);
        }
      }
    }
    for (int k = 0; k < stretches; k++) {
      base += problem.bytes[line.value[stretched[k]]];
    }
    for (int s = low; s < position; s++) {
      if (delta[s] != 0) {
        relief += weight[s] * (over(line.load[s]) - over(line.load[s] + delta[s]));
      }
    }
    group(base, position);
    clear(position);
    return true;
  }

  /** Evaluates taking out a computation that is not an op's first; only {@link #relief} is set. */
  void evaluateRemoval(int position) {
    relief = weight[position] * over(line.load[position]);
    low = position;
    int op = line.sequence[position];
    for (int k = line.readAt[position]; k < line.readAt[position + 1]; k++) {
      int c = line.readCopy[k];
      if (line.end[c] == position + 1) {
        add(touchBefore(c, position) + 1, position, -problem.bytes[line.value[c]]);
      }
    }
    for (int i : problem.writes[op]) {
      int earlier = copyBefore(i, position);
      int own = earlier < 0 ? firstCopy[i] : nextCopy[earlier];
      if (line.end[own] > position + 1) {
        add(line.end[earlier], position, problem.bytes[i]);
      }
    }
    for (int s = low; s < position; s++) {
      if (delta[s] != 0) {
        relief += weight[s] * (over(line.load[s]) - over(line.load[s] + delta[s]));
      }
    }
    clear(position);
  }

  /** The bytes alive while the ops of the insertion run. */
  private void group(long base, int position) {
    for (int m = 0; m < count; m++) {
      long load = base + problem.scratch[ops[m]];
      for (int earlier = 0; earlier <= m; earlier++) {
        for (int i : problem.writes[ops[earlier]]) {
          int c = copyBefore(i, position);
          boolean stays = earlier == m || (c >= 0 && alive(c, position)) || readWithin(i, m);
          load += stays ? problem.bytes[i] : 0;
        }
      }
      relief -= weight[position] * over(load);
    }
  }

  private boolean readWithin(int value, int from) {
    for (int m = from; m < count; m++) {
      for (int i : problem.reads[ops[m]]) {
        if (i == value) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean alive(int copy, int position) {
    return line.end[copy] > position
        || (position == line.sequence.length
            && problem.kept[line.value[copy]]
            && nextCopy[copy] < 0);
  }

  private boolean gather(int op, int position) {
    cost += problem.cost[op];
    if (cost > cap) {
      return false;
    }
    for (int i : problem.reads[op]) {
      int c = copyBefore(i, position);
      if (alive(c, position) || isStretched(c) || isMade(problem.maker[i])) {
        continue;
      }
      boolean worse = false;
      for (int s = line.end[c]; s < position && !worse; s++) {
        worse = line.load[s] + delta[s] + problem.bytes[i] > limit;
      }
      boolean again = problem.returns(i) && (worse ^ random.nextDouble() < noise);
      if (again && count < MOST_OPS / 2) {
        if (!gather(problem.maker[i], position)) {
          return false;
        }
      } else if (stretches < stretched.length) {
        stretched[stretches++] = c;
        add(line.end[c], position, problem.bytes[i]);
      } else {
        return false;
      }
    }
    if (count == MOST_OPS) {
      return false;
    }
    ops[count++] = op;
    return true;
  }

  private boolean isStretched(int copy) {
    for (int k = 0; k < stretches; k++) {
      if (stretched[k] == copy) {
        return true;
      }
    }
    return false;
  }

  private boolean isMade(int op) {
    for (int m = 0; m < count; m++) {
      if (ops[m] == op) {
        return true;
      }
    }
    return false;
  }

  private void add(int from, int to, long bytes) {
    low = Math.min(low, from);
    for (int s = from; s < to; s++) {
      delta[s] += bytes;
    }
  }

  private void clear(int position) {
    if (low < position) {
      Arrays.fill(delta, low, position, 0);
    }
  }

  private long over(long bytes) {
    return Math.max(0, bytes - limit);
  }

  /** The sequence with the insertion last evaluated at a position. */
  int[] apply(int position) {
    int[] sequence = line.sequence;
    int[] longer = Arrays.copyOf(sequence, sequence.length + count);
    System.arraycopy(ops, 0, longer, position, count);
    System.arraycopy(sequence, position, longer, position + count, sequence.length - position);
    return longer;
  }
}
