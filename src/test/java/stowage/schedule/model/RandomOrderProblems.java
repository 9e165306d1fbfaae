package stowage.schedule.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Small random order problems, and their answer by walking over all downsets. */
public final class RandomOrderProblems {
  private RandomOrderProblems() {}

  /** A problem of up to so many ops: several producers, scratch, inputs, outputs, overwriting. */
  public static OrderProblem problem(Random random, int most) {
    int ops = 1 + random.nextInt(most);
    int[][] before = new int[ops][];
    double density = random.nextDouble() * 0.6;
    int widest = random.nextBoolean() ? 9 : 60;
    List<OrderProblem.Item> items = new ArrayList<>();
    List<OrderProblem.Overwrite> pairs = new ArrayList<>();
    for (int v = 0; v < ops; v++) {
      int here = v;
      before[v] =
          IntStream.range(0, v)
              .filter(u -> random.nextDouble() < density * (here - u < 4 ? 1 : 0.3))
              .toArray();
    }
    for (int v = 0; v < ops; v++) {
      for (int k = random.nextInt(3); k > 0; k--) {
        List<Integer> touches = new ArrayList<>(List.of(v));
        for (int u = 0; u < ops; u++) {
          if (waits(before, v, u) && random.nextInt(2) == 0) {
            touches.add(u);
          }
        }
        if (random.nextInt(6) == 0) {
          touches.add(random.nextInt(ops)); // another producer, as of a concat made in place
        }
        items.add(item(random, widest, touches, random.nextInt(10) == 0, random.nextInt(8) == 0));
      }
      if (random.nextInt(5) == 0) {
        items.add(item(random, widest, List.of(v), false, false));
      }
    }
    for (int k = random.nextInt(3); k > 0; k--) {
      List<Integer> touches = new ArrayList<>();
      for (int u = 0; u < ops; u++) {
        if (random.nextInt(4) == 0) {
          touches.add(u);
        }
      }
      items.add(item(random, widest, touches, true, random.nextInt(3) == 0));
    }
    for (int v = 0; v < ops; v++) {
      for (int from = 0; from < items.size(); from++) {
        for (int to = 0; to < items.size(); to++) {
          if (from != to
              && items.get(from).bytes() == items.get(to).bytes()
              && touches(items.get(from), v)
              && touches(items.get(to), v)
              && items.get(to).touches()[0] == v
              && random.nextInt(2) == 0) {
            pairs.add(new OrderProblem.Overwrite(v, from, to));
          }
        }
      }
    }
    return OrderProblem.of(before, items, oneResultEach(pairs));
  }

  /** An op writes one result, over one of several operands. */
  private static List<OrderProblem.Overwrite> oneResultEach(List<OrderProblem.Overwrite> pairs) {
    List<OrderProblem.Overwrite> kept = new ArrayList<>();
    for (OrderProblem.Overwrite pair : pairs) {
      if (kept.stream().allMatch(k -> k.op() != pair.op() || k.to() == pair.to())
          && kept.stream().noneMatch(k -> k.op() == pair.op() && k.from() == pair.to())) {
        kept.add(pair);
      }
    }
    return kept;
  }

  private static boolean touches(OrderProblem.Item item, int op) {
    return Arrays.stream(item.touches()).anyMatch(v -> v == op);
  }

  private static OrderProblem.Item item(
      Random random, int widest, List<Integer> touches, boolean given, boolean kept) {
    int[] sorted = touches.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    return new OrderProblem.Item(1 + random.nextInt(widest), sorted, given, kept);
  }

  private static boolean waits(int[][] before, int u, int v) {
    return u == v || Arrays.stream(before[v]).anyMatch(w -> waits(before, u, w));
  }

  /** The load of running an op after a set of others, from the definition. */
  public static long load(OrderProblem problem, int done, int op) {
    long load = problem.constant() + (done == 0 ? problem.idle() : 0);
    for (int b = 0; b < problem.buffers(); b++) {
      boolean begun = problem.given(b);
      boolean finished = !problem.kept(b);
      for (int v : problem.touches(b)) {
        begun |= ((done | 1 << op) >> v & 1) != 0;
        finished &= (done >> v & 1) != 0;
      }
      load += begun && !finished ? problem.bytes(b) : 0;
    }
    int[] pairs = problem.overwrites(op);
    for (int k = 0; k < pairs.length; k += 2) {
      boolean last = !problem.kept(pairs[k]);
      for (int v : problem.touches(pairs[k])) {
        last &= v == op || (done >> v & 1) != 0;
      }
      boolean first = !problem.given(pairs[k + 1]);
      for (int v : problem.touches(pairs[k + 1])) {
        first &= (done >> v & 1) == 0;
      }
      if (last && first) {
        return load - problem.bytes(pairs[k + 1]);
      }
    }
    return load;
  }

  /** The least peak over all orders, by the best way to each downset. */
  public static long leastPeak(OrderProblem problem) {
    int ops = problem.ops();
    long[] best = new long[1 << ops];
    Arrays.fill(best, Long.MAX_VALUE);
    best[0] = 0;
    for (int done = 0; done < best.length; done++) {
      if (best[done] == Long.MAX_VALUE) {
        continue;
      }
      for (int v = 0; v < ops; v++) {
        int set = done;
        if ((done >> v & 1) == 0
            && Arrays.stream(problem.before(v)).allMatch(u -> (set >> u & 1) != 0)) {
          long peak = Math.max(best[done], load(problem, done, v));
          best[done | 1 << v] = Math.min(best[done | 1 << v], peak);
        }
      }
    }
    return best[best.length - 1];
  }
}
