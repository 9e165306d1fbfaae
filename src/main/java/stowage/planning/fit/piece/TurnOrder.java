package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Order in which pieces of ops that follow each other take turns, and where the turns stop: at some
 * ops all pieces so far have run before the next one does.
 *
 * <p>A stretch of ops in turns holds a few rows of each tensor within, and all rows of what it
 * reads and of what later ops read. Which stretches take least is a shortest path over the ops: the
 * weight of a way is the largest load within the stretch, which does not depend on other stretches,
 * since all earlier pieces have run before it, in whatever order. An example: of the ops a, b, c
 * and d the tensor between b and c is small and the others are large; then a and b take turns first
 * and c and d afterwards, and fewer rows are held at a time than if all four did.
 *
 * <p>Within a stretch pieces are asked for by the part of their op's result that is there then, of
 * equal ones that of the last op first, and each runs when what it needs has run, depth first. So
 * results that are read after the stretch grow side by side.
 */
final class TurnOrder {
  /** Most ops that run, over all stretches that are looked at. */
  private static final long WORK = 3_000_000;

  private final OrderProblem problem;
  private final Downset ran;
  private final int places;

  /** Ops by place, those of a place as they are numbered, and where each place begins. */
  private final int[] sorted;

  private final int[] first;

  /** Ops in the order in which they are asked for within a stretch, and by op its rank there. */
  private final int[] asked;

  private final int[] rank;

  /** Ranks of the ops of a stretch, rising. */
  private final int[] roots;

  private final int[] stack;
  private final int[] order;
  private int count;

  /**
   * Orders of some pieces.
   *
   * @param placeOf by op the place of the op that it is a piece of, in the order in which ops are
   *     cut; no op waits for one of a later place
   * @param parts by op how much of that op's result is made when it has run, above 0 and at most 1
   */
  TurnOrder(OrderProblem problem, int[] placeOf, double[] parts) {
    this.problem = problem;
    this.ran = new Downset(problem);
    this.places = Arrays.stream(placeOf).max().orElse(-1) + 1;
    this.first = new int[places + 1];
    for (int place : placeOf) {
      first[place + 1]++;
    }
    Arrays.parallelPrefix(first, Integer::sum);
    int[] next = first.clone();
    this.sorted = new int[placeOf.length];
    for (int op = 0; op < placeOf.length; op++) {
      sorted[next[placeOf[op]]++] = op;
    }
    this.asked =
        IntStream.range(0, placeOf.length)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(op -> parts[op])
                    .thenComparing(op -> -placeOf[op]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.rank = IndexOrder.places(asked, asked.length);
    this.roots = new int[placeOf.length];
    this.stack = new int[placeOf.length];
    this.order = new int[placeOf.length];
  }

  /**
   * The order of least load of those looked at; null where each takes a limit or more. Of one use.
   */
  int[] below(long limit) {
    long[] between = liveBetween();
    long[] best = new long[places + 1];
    int[] from = new int[places + 1];
    Arrays.fill(best, 1, best.length, limit);
    for (int a = 0; a < places; a++) {
      long work = WORK / places;
      for (int b = a + 1; b <= places && best[a] < best[places]; b++) {
        if (between[b] >= best[places] && b < places) {
          continue;
        }
        work -= first[b] - first[a];
        b = work < 0 && b > a + 1 ? places : b;
        long load = Math.max(best[a], load(a, b, Math.min(best[b], best[places])));
        if (load < best[b]) {
          best[b] = load;
          from[b] = a;
        }
      }
      for (int k = first[a]; k < first[a + 1]; k++) {
        ran.run(sorted[k]);
      }
    }
    return best[places] < limit ? path(from) : null;
  }

  /** By place the bytes live when all ops of earlier ones have run. */
  private long[] liveBetween() {
    long[] live = new long[places + 1];
    for (int place = 0; place < places; place++) {
      for (int k = first[place]; k < first[place + 1]; k++) {
        ran.run(sorted[k]);
      }
      live[place + 1] = ran.live();
    }
    for (int k = sorted.length - 1; k >= 0; k--) {
      ran.undo(sorted[k]);
    }
    return live;
  }

  private int[] path(int[] from) {
    int[] path = new int[sorted.length];
    for (int a = places; a > 0; ) {
      int b = a;
      a = from[b];
      for (int k = first[b] - 1; k >= first[a]; k--) {
        ran.undo(sorted[k]);
      }
      run(a, b, Long.MAX_VALUE);
      System.arraycopy(order, 0, path, first[a], count);
      undo();
    }
    return path;
  }

  /** The largest load within a stretch, or one from a limit on that is known to be exceeded. */
  private long load(int a, int b, long limit) {
    long load = run(a, b, limit);
    undo();
    return load;
  }

  private void undo() {
    for (int k = count - 1; k >= 0; k--) {
      ran.undo(order[k]);
    }
  }

  /** Runs a stretch, each op with all that it needs; its largest load to a limit. */
  private long run(int a, int b, long limit) {
    int ops = first[b] - first[a];
    for (int k = 0; k < ops; k++) {
      roots[k] = rank[sorted[first[a] + k]];
    }
    Arrays.sort(roots, 0, ops);
    long most = 0;
    count = 0;
    for (int k = 0; k < ops && most < limit; k++) {
      most = Math.max(most, run(asked[roots[k]], limit));
    }
    return most;
  }

  /** Runs what an op waits for and itself, depth first. */
  private long run(int root, long limit) {
    long most = 0;
    int depth = 0;
    stack[depth++] = root;
    while (depth > 0 && most < limit) {
      int op = stack[depth - 1];
      int needed = -1;
      for (int other : problem.before(op)) {
        if (!ran.holds(other)) {
          needed = other;
          break;
        }
      }
      if (needed >= 0) {
        stack[depth++] = needed;
        continue;
      }
      depth--;
      if (!ran.holds(op)) {
        most = Math.max(most, ran.load(op));
        ran.run(op);
        order[count++] = op;
      }
    }
    return most;
  }
}
