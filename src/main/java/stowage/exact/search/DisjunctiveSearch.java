package stowage.exact.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A complete search for problems with windows, where bottom-left placements are not enough.
 *
 * <p><b>Why another search.</b> Without windows two conflicting buffers lie one above the other,
 * and every placement can be pushed down to one in which each rests on the floor or on another. A
 * window breaks that: while buffer A needs only bytes [8, 10) of its 10, B of size 8 may lie at the
 * same offset as A, and one step later it may not. The differences {@code d = offset(B) -
 * offset(A)} that the pair admits are then no longer {@code d <= -8 or d >= 10} but a union of
 * intervals with holes.
 *
 * <p><b>How it works.</b> For every pair in conflict the admitted differences are a list of closed
 * intervals {@code [low, high]}. A node of the search has chosen an interval for some pairs. Chosen
 * intervals are difference constraints: {@code offset(B) >= offset(A) + low} and {@code offset(A)
 * >= offset(B) - high}. Rounding up to an alignment or over a bank border is monotone, so the
 * constraints have a least solution, found by raising offsets until nothing changes, or they have
 * none below the capacity. If the least solution leaves every other pair in an admitted interval
 * too, it is a placement, and no placement under these choices has a lower offset anywhere.
 * Otherwise the search branches over the intervals of a pair that clashes. Every placement chooses
 * some interval for each pair, so nothing is missed.
 *
 * <p>Two bounds cut nodes: a pair none of whose intervals can be met between the current lower and
 * upper offsets, and, in each section, the pieces as jobs on one machine that start no lower than
 * their current offsets and must end below the capacity.
 *
 * <p>Exponential in the number of clashing pairs; meant for some twenty buffers. Memory O(depth x
 * (n + pairs)).
 */
public final class DisjunctiveSearch {
  private static final long INFINITE = Long.MAX_VALUE / 4;
  private static final int UNDECIDED = -1;

  private final RectangleProblem problem;
  private final SearchControl control;
  private final int[] first;
  private final int[] second;
  private final long[][] lows;
  private final long[][] highs;
  private final int[][] bySection;
  private long capacity;
  private long nodes;
  private boolean gaveUp;

  /**
   * Prepares a search. O(n^2) pairs.
   *
   * @param control when to stop; its node budget counts nodes of this search
   */
  public DisjunctiveSearch(RectangleProblem problem, SearchControl control) {
    this.problem = problem;
    this.control = control;
    List<int[]> pairs = new ArrayList<>();
    List<long[][]> intervals = new ArrayList<>();
    for (int i = 0; i < problem.count; i++) {
      for (int j = i + 1; j < problem.count; j++) {
        if (problem.conflict(i, j)) {
          pairs.add(new int[] {i, j});
          intervals.add(admitted(i, j));
        }
      }
    }
    this.first = pairs.stream().mapToInt(pair -> pair[0]).toArray();
    this.second = pairs.stream().mapToInt(pair -> pair[1]).toArray();
    this.lows = intervals.stream().map(bounds -> bounds[0]).toArray(long[][]::new);
    this.highs = intervals.stream().map(bounds -> bounds[1]).toArray(long[][]::new);
    this.bySection = piecesBySection();
  }

  /** The differences that a pair admits, as lows and highs of ascending closed intervals. */
  private long[][] admitted(int i, int j) {
    List<long[]> forbidden = new ArrayList<>();
    for (int p = problem.firstPiece[i]; p < problem.firstPiece[i + 1]; p++) {
      for (int q = problem.firstPiece[j]; q < problem.firstPiece[j + 1]; q++) {
        if (problem.pieceStart[p] < problem.pieceEnd[q]
            && problem.pieceStart[q] < problem.pieceEnd[p]) {
          forbidden.add(
              new long[] {
                problem.pieceLow[p] - problem.pieceHigh[q],
                problem.pieceHigh[p] - problem.pieceLow[q]
              });
        }
      }
    }
    if (problem.extraConflict(i, j)) {
      forbidden.add(new long[] {-problem.size[j], problem.size[i]});
    }
    forbidden.sort((a, b) -> Long.compare(a[0], b[0]));
    List<Long> low = new ArrayList<>(List.of(-INFINITE));
    List<Long> high = new ArrayList<>();
    for (long[] open : forbidden) {
      // Open intervals that only touch leave the one difference between them admitted.
      if (!high.isEmpty() && open[0] < low.get(low.size() - 1)) {
        low.set(low.size() - 1, Math.max(low.get(low.size() - 1), open[1]));
      } else {
        high.add(open[0]);
        low.add(open[1]);
      }
    }
    high.add(INFINITE);
    return new long[][] {
      low.stream().mapToLong(Long::longValue).toArray(),
      high.stream().mapToLong(Long::longValue).toArray()
    };
  }

  private int[][] piecesBySection() {
    List<List<Integer>> lists = new ArrayList<>();
    for (int s = 0; s < problem.sections; s++) {
      lists.add(new ArrayList<>());
    }
    for (int p = 0; p < problem.pieceStart.length; p++) {
      for (int s = problem.pieceStart[p]; s < problem.pieceEnd[p]; s++) {
        lists.get(s).add(p);
      }
    }
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** Looks for a placement within a capacity, in the problem's unit. */
  public SearchResult search(long within) {
    long[] found = decide(within);
    SearchResult.Status status =
        found != null
            ? SearchResult.Status.FEASIBLE
            : gaveUp ? SearchResult.Status.UNKNOWN : SearchResult.Status.INFEASIBLE;
    long bound = status == SearchResult.Status.INFEASIBLE ? within + 1 : problem.maxLoad();
    return new SearchResult(
        status, found, found == null ? -1 : problem.peak(found), bound, statistics());
  }

  /**
   * Looks for the lowest peak: first at the goal, whose success is a proof, then downwards from
   * what is known.
   *
   * @param goal a peak that is low enough, such as a proven bound
   * @param upper a known placement, or null
   * @param listener hears of every better placement
   */
  public SearchResult minimise(long goal, long[] upper, SearchListener listener) {
    long bound = Math.max(goal, problem.maxLoad());
    long[] best = decide(bound);
    if (best == null && !gaveUp) {
      bound++;
    }
    if (best == null) {
      best = upper;
    }
    while (!gaveUp && (best == null || problem.peak(best) > bound)) {
      long ceiling = best == null ? highest() : problem.peak(best) - 1;
      long[] better = decide(ceiling);
      if (better != null) {
        best = better;
        listener.placement(better.clone(), problem.peak(better), "search");
      } else if (!gaveUp) {
        bound = best == null ? INFINITE : problem.peak(best);
        break;
      }
    }
    SearchResult.Status status = SearchResult.Status.UNKNOWN;
    if (best != null) {
      status =
          problem.peak(best) <= bound ? SearchResult.Status.OPTIMAL : SearchResult.Status.FEASIBLE;
    } else if (!gaveUp) {
      status = SearchResult.Status.INFEASIBLE;
    }
    return new SearchResult(
        status, best, best == null ? -1 : problem.peak(best), bound, statistics());
  }

  /** A capacity within which a placement exists if there is any at all. */
  private long highest() {
    long top = 0;
    for (int i = 0; i < problem.count; i++) {
      long padding = problem.alignment[i] + (problem.withinBank[i] ? problem.bankSize : 0);
      top += problem.size[i] + padding * (problem.withinBank[i] ? problem.alignment[i] : 1);
      top = Math.max(top, problem.fixedOffset[i] + problem.size[i]);
    }
    for (int i = 0; i < problem.count; i++) {
      top += Math.max(0, problem.fixedOffset[i]);
    }
    return top;
  }

  private SearchStatistics statistics() {
    return new SearchStatistics(nodes, 0, 0, "disjunctive search");
  }

  private long[] decide(long within) {
    capacity = within;
    long[] low = new long[problem.count];
    long[] high = new long[problem.count];
    for (int i = 0; i < problem.count; i++) {
      low[i] = problem.roundUp(i, 0);
      high[i] = problem.fixedOffset[i] >= 0 ? problem.fixedOffset[i] : within - problem.size[i];
      if (low[i] < 0 || low[i] > high[i] || low[i] + problem.size[i] > within) {
        return null;
      }
    }
    int[] chosen = new int[first.length];
    Arrays.fill(chosen, UNDECIDED);
    return branch(low, high, chosen);
  }

  private long[] branch(long[] low, long[] high, int[] chosen) {
    nodes++;
    if (gaveUp || nodes >= control.nodeBudget() || ((nodes & 255) == 0 && control.ended())) {
      gaveUp = true;
      return null;
    }
    if (!propagate(low, high, chosen) || !fitsEverySection(low)) {
      return null;
    }
    int pair = clashing(low, high, chosen);
    if (pair < 0) {
      return low;
    }
    for (int interval : byIncrease(pair, low, high)) {
      int[] next = chosen.clone();
      next[pair] = interval;
      long[] found = branch(low.clone(), high.clone(), next);
      if (found != null || gaveUp) {
        return found;
      }
    }
    return null;
  }

  /** Raises and lowers offsets to the fixpoint of what is chosen; false when nothing is left. */
  private boolean propagate(long[] low, long[] high, int[] chosen) {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int k = 0; k < chosen.length; k++) {
        if (chosen[k] == UNDECIDED) {
          int only = onlyPossible(k, low, high);
          if (only == NONE) {
            return false;
          }
          if (only == SEVERAL) {
            continue;
          }
          chosen[k] = only;
        }
        int i = first[k];
        int j = second[k];
        long least = lows[k][chosen[k]];
        long most = highs[k][chosen[k]];
        if (least > -INFINITE) {
          changed |= raise(j, low[i] + least, low);
          changed |= lower(i, high[j] - least, high);
        }
        if (most < INFINITE) {
          changed |= raise(i, low[j] - most, low);
          changed |= lower(j, high[i] + most, high);
        }
        if (low[i] > high[i] || low[j] > high[j]) {
          return false;
        }
      }
      if (changed && control.ended()) {
        gaveUp = true;
        return false;
      }
    }
    return true;
  }

  private boolean raise(int buffer, long to, long[] low) {
    if (to <= low[buffer]) {
      return false;
    }
    long rounded = problem.roundUp(buffer, to);
    low[buffer] = rounded < 0 ? INFINITE : rounded;
    return true;
  }

  private static boolean lower(int buffer, long to, long[] high) {
    if (to >= high[buffer]) {
      return false;
    }
    high[buffer] = to;
    return true;
  }

  private static final int NONE = -2;
  private static final int SEVERAL = -3;

  /** The only interval that a pair can still meet; NONE, or SEVERAL. */
  private int onlyPossible(int pair, long[] low, long[] high) {
    int found = NONE;
    for (int interval = 0; interval < lows[pair].length; interval++) {
      if (possible(pair, interval, low, high)) {
        if (found != NONE) {
          return SEVERAL;
        }
        found = interval;
      }
    }
    return found;
  }

  private boolean possible(int pair, int interval, long[] low, long[] high) {
    long smallest = low[second[pair]] - high[first[pair]];
    long largest = high[second[pair]] - low[first[pair]];
    return lows[pair][interval] <= largest && highs[pair][interval] >= smallest;
  }

  /** Pieces as jobs on one machine, by the lowest start; false when they cannot end in time. */
  private boolean fitsEverySection(long[] low) {
    for (int[] pieces : bySection) {
      long[] starts = new long[pieces.length];
      for (int k = 0; k < pieces.length; k++) {
        starts[k] = low[bufferOf(pieces[k])] + problem.pieceLow[pieces[k]];
      }
      Integer[] order = new Integer[pieces.length];
      Arrays.setAll(order, k -> k);
      Arrays.sort(order, (a, b) -> Long.compare(starts[a], starts[b]));
      long top = 0;
      for (int k : order) {
        top = Math.max(top, starts[k]) + problem.pieceHigh[pieces[k]] - problem.pieceLow[pieces[k]];
      }
      if (top > capacity) {
        return false;
      }
    }
    return true;
  }

  private int bufferOf(int piece) {
    int at = Arrays.binarySearch(problem.firstPiece, piece);
    if (at < 0) {
      return -at - 2;
    }
    while (problem.firstPiece[at + 1] == piece) {
      at++; // buffers without pieces share their start with the next one
    }
    return at;
  }

  /**
   * A pair that clashes in the least solution: of those with fewest choices, the largest; or -1.
   */
  private int clashing(long[] low, long[] high, int[] chosen) {
    int best = -1;
    int bestChoices = Integer.MAX_VALUE;
    long bestSize = -1;
    for (int k = 0; k < chosen.length; k++) {
      if (chosen[k] != UNDECIDED || isAdmitted(k, low[second[k]] - low[first[k]])) {
        continue;
      }
      int choices = 0;
      for (int interval = 0; interval < lows[k].length; interval++) {
        choices += possible(k, interval, low, high) ? 1 : 0;
      }
      long size = Math.min(problem.size[first[k]], problem.size[second[k]]);
      if (choices < bestChoices || (choices == bestChoices && size > bestSize)) {
        best = k;
        bestChoices = choices;
        bestSize = size;
      }
    }
    return best;
  }

  private boolean isAdmitted(int pair, long difference) {
    for (int interval = 0; interval < lows[pair].length; interval++) {
      if (lows[pair][interval] <= difference && difference <= highs[pair][interval]) {
        return true;
      }
    }
    return false;
  }

  /** The intervals that a pair can still meet, the one first that raises offsets least. */
  private int[] byIncrease(int pair, long[] low, long[] high) {
    long difference = low[second[pair]] - low[first[pair]];
    List<Integer> intervals = new ArrayList<>();
    for (int interval = 0; interval < lows[pair].length; interval++) {
      if (possible(pair, interval, low, high)) {
        intervals.add(interval);
      }
    }
    intervals.sort(
        (a, b) -> Long.compare(distance(pair, a, difference), distance(pair, b, difference)));
    return intervals.stream().mapToInt(Integer::intValue).toArray();
  }

  private long distance(int pair, int interval, long difference) {
    return Math.max(
        0, Math.max(lows[pair][interval] - difference, difference - highs[pair][interval]));
  }
}
