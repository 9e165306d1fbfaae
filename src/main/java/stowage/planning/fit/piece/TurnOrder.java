package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
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
  private final int places;

  /** Ops by place, those of a place as they are numbered, and where each place begins. */
  private final int[] sorted;

  private final int[] first;

  /** Ops in the order in which they are asked for within a stretch. */
  private final int[] asked;

  /** The ranks of ops in that order by place, rising in each. */
  private final int[] ranks;

  /** Ranks of the ops of a stretch, rising, and their number. */
  private final int[] roots;

  private int rooted;
  private final int[] stack;

  /** By depth of the stack how many of the ops that one waits for are known to have run. */
  private final int[] passed;

  /** The ops of the stretch that have run, in their order. */
  private final int[] order;

  private int count;

  /** What is known of stretches, and a description of each place's ops. */
  private final StretchLoads known;

  private final long[] described;

  // What has run: by buffer how many touches are to come, by op whether it has, the live bytes.
  private final int[] left;
  private final boolean[] ran;
  private boolean begun;
  private long live;

  /**
   * Orders of some pieces.
   *
   * @param placeOf by op the place of the op that it is a piece of, in the order in which ops are
   *     cut; no op waits for one of a later place
   * @param parts by op how much of that op's result is made when it has run, above 0 and at most 1
   * @param ids by op a number that says which one it is, in other orders too
   * @param known what is known of stretches
   */
  TurnOrder(OrderProblem problem, int[] placeOf, double[] parts, long[] ids, StretchLoads known) {
    this.problem = problem;
    this.places = Arrays.stream(placeOf).max().orElse(-1) + 1;
    this.first = new int[places + 1];
    for (int place : placeOf) {
      first[place + 1]++;
    }
    Arrays.parallelPrefix(first, Integer::sum);
    this.asked =
        IntStream.range(0, placeOf.length)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(op -> parts[op])
                    .thenComparing(op -> -placeOf[op]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.sorted = new int[placeOf.length];
    this.ranks = new int[placeOf.length];
    int[] next = first.clone();
    int[] nextRank = first.clone();
    for (int k = 0; k < placeOf.length; k++) {
      sorted[next[placeOf[k]]++] = k;
      ranks[nextRank[placeOf[asked[k]]]++] = k;
    }
    this.roots = new int[placeOf.length];
    this.stack = new int[placeOf.length];
    this.passed = new int[placeOf.length];
    this.order = new int[placeOf.length];
    this.left = new int[problem.buffers()];
    this.ran = new boolean[placeOf.length];
    this.known = known;
    this.described = StretchLoads.described(problem, placeOf, parts, ids, asked, places);
  }

  /** Nothing has run. */
  private void reset() {
    Arrays.setAll(left, b -> problem.touches(b).length);
    Arrays.fill(ran, false);
    begun = false;
    live = problem.liveAtStart();
  }

  /**
   * The order of least load of those looked at; null where each takes a limit or more. Of one use.
   */
  int[] below(long limit) {
    long[] between = liveBetween();
    long[] best = new long[places + 1];
    int[] from = new int[places + 1];
    Arrays.fill(best, 1, best.length, limit);
    reset();
    for (int a = 0; a < places; a++) {
      long work = WORK / places;
      rooted = 0;
      long key = begun ? a : StretchLoads.mixed(a, problem.idle());
      for (int b = a + 1, to = a, said = a; b <= places && best[a] < best[places]; b++) {
        if (best[b] <= best[a] || between[b] >= best[places] && b < places) {
          continue;
        }
        work -= first[b] - first[a];
        b = work < 0 && b > a + 1 ? places : b;
        for (; said < b; said++) {
          key = StretchLoads.mixed(key, described[said]);
        }
        long most = Math.min(best[b], best[places]);
        long load = known(key, most);
        if (load < 0) {
          for (; to < b; to++) {
            addRoots(to);
          }
          load = load(most);
          known.put(key, 2 * (load - live) + (load < most ? 1 : 0));
        }
        load = Math.max(best[a], load);
        if (load < best[b]) {
          best[b] = load;
          from[b] = a;
        }
      }
      for (int k = first[a]; k < first[a + 1]; k++) {
        run(sorted[k]);
      }
    }
    return best[places] < limit ? path(from) : null;
  }

  /**
   * The load of a stretch, or a lower bound of it that is not below a limit; -1 where neither is
   * known. Values are twice the bytes above the live ones, and 1 more where these are exact.
   */
  private long known(long key, long limit) {
    long value = known.get(key);
    long load = live + (value >> 1);
    return value >= 0 && ((value & 1) == 1 || load >= limit) ? load : -1;
  }

  /** By place the bytes live when all ops of earlier ones have run. */
  private long[] liveBetween() {
    long[] between = new long[places + 1];
    reset();
    for (int place = 0; place < places; place++) {
      for (int k = first[place]; k < first[place + 1]; k++) {
        run(sorted[k]);
      }
      between[place + 1] = live;
    }
    return between;
  }

  private int[] path(int[] from) {
    int[] path = new int[sorted.length];
    for (int b = places; b > 0; b = from[b]) {
      reset();
      for (int k = 0; k < first[from[b]]; k++) {
        ran[sorted[k]] = true;
      }
      rooted = 0;
      for (int place = from[b]; place < b; place++) {
        addRoots(place);
      }
      runRoots(Long.MAX_VALUE);
      System.arraycopy(order, 0, path, first[from[b]], count);
    }
    return path;
  }

  /** Merges the ranks of a place's ops into those of the stretch. O(ops of the stretch). */
  private void addRoots(int place) {
    int k = rooted - 1;
    rooted += first[place + 1] - first[place];
    int to = rooted - 1;
    for (int added = first[place + 1] - 1; added >= first[place]; to--) {
      roots[to] = k >= 0 && roots[k] > ranks[added] ? roots[k--] : ranks[added--];
    }
  }

  /** The largest load within a stretch, or one from a limit on that is known to be exceeded. */
  private long load(long limit) {
    long before = live;
    boolean none = !begun;
    long load = runRoots(limit);
    for (int k = 0; k < count; k++) {
      ran[order[k]] = false;
      for (int b : problem.uses(order[k])) {
        left[b]++;
      }
    }
    live = before;
    begun = !none;
    return load;
  }

  /** Runs a stretch, each op with all that it needs; its largest load to a limit. */
  private long runRoots(long limit) {
    long most = 0;
    count = 0;
    for (int k = 0; k < rooted && most < limit; k++) {
      most = Math.max(most, runWithNeeded(asked[roots[k]], limit));
    }
    return most;
  }

  /** Runs what an op waits for and itself, depth first. */
  private long runWithNeeded(int root, long limit) {
    long most = 0;
    int depth = 0;
    stack[0] = root;
    passed[0] = 0;
    while (depth >= 0 && most < limit) {
      int op = stack[depth];
      int[] before = problem.before(op);
      int k = passed[depth];
      while (k < before.length && ran[before[k]]) {
        k++;
      }
      passed[depth] = k;
      if (k < before.length) {
        stack[++depth] = before[k];
        passed[depth] = 0;
        continue;
      }
      depth--;
      if (!ran[op]) {
        most = Math.max(most, run(op));
        order[count++] = op;
      }
    }
    return most;
  }

  /** Runs an op that waits for none; its load, as {@link OrderProblem} has it. */
  private long run(int op) {
    long load = live + (begun ? 0 : problem.idle());
    int[] pairs = problem.overwrites(op);
    for (int k = 0; k < pairs.length; k += 2) {
      if (left[pairs[k]] == 1 && isNew(pairs[k + 1])) {
        load -= problem.bytes(pairs[k + 1]);
        break;
      }
    }
    for (int b : problem.uses(op)) {
      if (isNew(b)) {
        load += problem.bytes(b);
        live += problem.bytes(b);
      }
      if (--left[b] == 0 && !problem.kept(b)) {
        live -= problem.bytes(b);
      }
    }
    ran[op] = true;
    begun = true;
    return load;
  }

  private boolean isNew(int buffer) {
    return !problem.given(buffer) && left[buffer] == problem.touches(buffer).length;
  }
}
