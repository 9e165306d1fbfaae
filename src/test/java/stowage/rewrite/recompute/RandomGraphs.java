package stowage.rewrite.recompute;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/** Random graphs small enough for exhaustion, and chains. */
public final class RandomGraphs {
  private RandomGraphs() {}

  /**
   * Small graphs with several results per op, inputs, kept values, scratch memory and ops that must
   * not repeat.
   */
  public static RecomputeProblem of(Random random) {
    int ops = 3 + random.nextInt(6);
    int inputs = random.nextInt(2);
    int values = inputs;
    int[][] writes = new int[ops][];
    for (int v = 0; v < ops; v++) {
      writes[v] = new int[random.nextInt(5) == 0 ? 2 : 1];
      for (int k = 0; k < writes[v].length; k++) {
        writes[v][k] = values++;
      }
    }
    int[] maker = new int[values];
    long[] bytes = new long[values];
    boolean[] kept = new boolean[values];
    for (int i = 0; i < values; i++) {
      maker[i] = -1;
      bytes[i] = random.nextInt(7);
    }
    int[][] reads = new int[ops][];
    long[] cost = new long[ops];
    long[] scratch = new long[ops];
    int[] until = new int[ops];
    boolean[] read = new boolean[values];
    for (int v = 0; v < ops; v++) {
      int before = writes[v][0];
      reads[v] =
          random
              .ints(0, Math.max(1, before))
              .limit(before == 0 ? 0 : random.nextInt(4))
              .distinct()
              .toArray();
      if (v > 0 && random.nextInt(10) > 0) {
        int last = writes[v - 1][0];
        int[] with = Arrays.copyOf(reads[v], reads[v].length + 1);
        with[reads[v].length] = last;
        reads[v] = Arrays.stream(with).distinct().toArray();
      }
      for (int i : reads[v]) {
        read[i] = true;
      }
      for (int i : writes[v]) {
        maker[i] = v;
      }
      cost[v] = random.nextInt(6);
      scratch[v] = random.nextInt(8) == 0 ? random.nextInt(4) : 0;
      until[v] = random.nextInt(6) == 0 ? v : ops;
      until[v] = random.nextInt(6) == 0 ? v + random.nextInt(ops - v) : until[v];
    }
    for (int i = 0; i < values; i++) {
      kept[i] = !read[i] && random.nextInt(4) > 0 || random.nextInt(12) == 0;
    }
    return new RecomputeProblem(maker, bytes, kept, reads, writes, cost, scratch, until);
  }

  /** A limit from what single ops need up to what all need without recomputing. */
  public static long limit(RecomputeProblem problem, Random random) {
    long least = 0;
    for (int v = 0; v < problem.ops; v++) {
      least = Math.max(least, problem.workingSet(v));
    }
    long peak = new Timeline(problem, problem.once()).peak;
    return least + (long) (random.nextDouble() * Math.max(0, peak - least));
  }

  /** A share of the ops. */
  public static int[] some(RecomputeProblem problem, Random random, double share) {
    return IntStream.range(0, problem.ops).filter(v -> random.nextDouble() < share).toArray();
  }

  /** The training graph of a linear network with one byte and one cost unit an op. */
  public static RecomputeProblem chain(int layers) {
    int ops = 2 * layers + 1;
    int[][] reads = new int[ops][];
    long[] ones = new long[ops];
    for (int v = 0; v < ops; v++) {
      int other = 2 * layers - v;
      reads[v] =
          v == 0
              ? new int[0]
              : v > layers && other < layers && other != v - 1
                  ? new int[] {other, v - 1}
                  : new int[] {v - 1};
      ones[v] = 1;
    }
    return single(reads, ones, ones);
  }

  /** Ops of one result each, which all may repeat; the last one's result is kept. */
  static RecomputeProblem single(int[][] reads, long[] bytes, long[] cost) {
    int ops = reads.length;
    int[] maker = IntStream.range(0, ops).toArray();
    int[][] writes = IntStream.of(maker).mapToObj(v -> new int[] {v}).toArray(int[][]::new);
    boolean[] kept = new boolean[ops];
    kept[ops - 1] = true;
    int[] until = IntStream.generate(() -> ops).limit(ops).toArray();
    return new RecomputeProblem(maker, bytes, kept, reads, writes, cost, new long[ops], until);
  }
}
