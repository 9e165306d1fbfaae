package stowage.exact.search.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.PrimitiveSort;
import stowage.exact.search.model.SearchResult;
import stowage.exact.search.model.SearchStatistics;
import stowage.packing.RunControl;

/**
 * Search that decides packings with windows, where bottom-left placements are not complete: the way
 * down for a buffer may lead through positions it cannot take.
 *
 * <p>Branches on pairs instead. For every pair the difference of the offsets is in one of a few
 * intervals ({@link PairRelation}); each choice is a pair of difference constraints, and these have
 * a least solution, reached from below by raising offsets to the smallest allowed ones, which is
 * monotone in the presence of alignments and bank borders too. Once every pair has chosen, that
 * least solution is a placement. So the search is complete for every kind of constraint.
 *
 * <p>At a node, pairs that have one interval left take it, and every section is checked as one
 * machine by release dates and by deadlines. Where the least offsets satisfy every pair they are a
 * placement already; else, of the pairs they violate, the one with the fewest intervals and the
 * least room is branched on. A node costs O(n^2) a pass of propagation; meant for some 20 buffers.
 *
 * <p>Not safe for use by several threads.
 */
public final class DisjunctiveSearch {
  private static final long PROBE_NODES = 2_000;

  /** Pairs and pieces of sections that are looked at in a microsecond, a unit of work. */
  private static final long LOOKS_A_UNIT = 30;

  private static final String NAME = "disjunctive search";

  private final ComponentIncumbent incumbent;
  private final Component problem;
  private final RunControl control;
  private final PairRelation[] relations;

  /** Interval chosen for each relation, or -1. */
  private final int[] chosen;

  private final int[] trail;
  private int decided;

  /** Piece numbers by section, for the schedules. */
  private final int[][] live;

  private final int[] owner;
  private final boolean plain;
  private long capacity;
  private long nodes;
  private long nodeLimit;
  private long looks;
  private long[] found;

  /**
   * Prepares a search, whose microseconds the control's work limit counts, about. O(n^2) pairs.
   *
   * @param incumbent where findings go
   */
  public DisjunctiveSearch(ComponentIncumbent incumbent, RunControl control) {
    this.incumbent = incumbent;
    this.problem = incumbent.part();
    this.control = control;
    List<PairRelation> pairs = new ArrayList<>();
    for (int first = 0; first < problem.count(); first++) {
      for (int second = first + 1; second < problem.count(); second++) {
        PairRelation relation = PairRelation.of(problem, first, second);
        if (relation != null) {
          pairs.add(relation);
        }
      }
    }
    this.relations = pairs.toArray(new PairRelation[0]);
    this.chosen = new int[relations.length];
    this.trail = new int[relations.length];
    this.owner = problem.spanOwners();
    this.live = problem.spansBySection();
    this.plain =
        IntStream.range(0, problem.count())
            .allMatch(
                buffer ->
                    problem.alignment(buffer, 0) == 1
                        && (problem.bankSize(0) == 0 || !problem.withinBanks()[buffer])
                        && problem.fixedOffsets()[buffer] < 0);
  }

  /**
   * Looks for the lowest peak: at the incumbent's target first, whose success is a proof, then
   * downwards from what is known.
   */
  public SearchResult minimise() {
    incumbent.raise(problem.maxLoad(), "");
    boolean probing = true;
    while (!incumbent.ended() && work() < control.workLimit()) {
      long target = incumbent.target();
      if (!probing) {
        // A peak that is low enough to end at may be above all that this problem needs.
        target =
            incumbent.offsets() == null
                ? Math.max(problem.horizon(), target)
                : incumbent.best() - 1;
      }
      int answer = decide(target, probing ? nodes + PROBE_NODES : Long.MAX_VALUE);
      if (answer == CanonicalSearch.FOUND) {
        incumbent.offer(found, NAME);
      } else if (answer == CanonicalSearch.FAILED) {
        incumbent.raise(target + 1, NAME);
        if (target >= problem.horizon()) {
          return infeasible(target + 1);
        }
      } else if (!probing) {
        break;
      }
      probing = false;
    }
    long[] best = incumbent.offsets();
    return SearchResult.of(problem, best, incumbent.target(), statistics(best != null));
  }

  /** Looks for a placement within a capacity, in the problem's unit. */
  public SearchResult search(long limit) {
    long bound = problem.maxLoad();
    int answer = bound > limit ? CanonicalSearch.FAILED : decide(limit, Long.MAX_VALUE);
    if (answer == CanonicalSearch.FAILED) {
      return infeasible(Math.max(bound, limit + 1));
    }
    boolean fits = answer == CanonicalSearch.FOUND;
    if (fits) {
      incumbent.offer(found, NAME);
    }
    return SearchResult.of(problem, fits ? found : null, bound, statistics(fits));
  }

  private SearchResult infeasible(long bound) {
    return new SearchResult(SearchResult.Status.INFEASIBLE, null, -1, bound, statistics(false));
  }

  private SearchStatistics statistics(boolean hasFound) {
    return new SearchStatistics(nodes, 0, 1, hasFound ? NAME : "", "");
  }

  private long work() {
    return nodes + looks / LOOKS_A_UNIT;
  }

  private int decide(long limit, long lastNode) {
    capacity = limit;
    nodeLimit = lastNode;
    Arrays.fill(chosen, -1);
    decided = 0;
    long[] lower = new long[problem.count()];
    long[] upper = new long[problem.count()];
    for (int buffer = 0; buffer < problem.count(); buffer++) {
      lower[buffer] = problem.roundUp(buffer, 0);
      upper[buffer] = limit - problem.sizes()[buffer];
      if (problem.fixedOffsets()[buffer] >= 0) {
        upper[buffer] = Math.min(upper[buffer], problem.fixedOffsets()[buffer]);
      }
      if (lower[buffer] < 0 || lower[buffer] > upper[buffer]) {
        return CanonicalSearch.FAILED;
      }
    }
    return explore(lower, upper);
  }

  private int explore(long[] lower, long[] upper) {
    if (++nodes > nodeLimit || work() > control.workLimit() || control.isStopped()) {
      return CanonicalSearch.STOPPED;
    }
    if (!propagate(lower, upper)) {
      return CanonicalSearch.FAILED;
    }
    int branch = tightest(lower, upper);
    if (branch < 0) {
      found = lower.clone();
      return CanonicalSearch.FOUND;
    }
    PairRelation pair = relations[branch];
    int mark = decided;
    // From the interval that lifts least: the first one that is at or above the present offsets.
    int count = pair.low.length;
    int middle = 0;
    long present = lower[pair.second] - lower[pair.first];
    while (middle + 1 < count && pair.high[middle] < present) {
      middle++;
    }
    for (int step = 0; step < count; step++) {
      int interval = (middle + step) % count;
      if (!possible(pair, interval, lower, upper)) {
        continue;
      }
      choose(branch, interval);
      int answer = explore(lower.clone(), upper.clone());
      if (answer != CanonicalSearch.FAILED) {
        return answer;
      }
      while (decided > mark) {
        chosen[trail[--decided]] = -1;
      }
    }
    return CanonicalSearch.FAILED;
  }

  private void choose(int relation, int interval) {
    chosen[relation] = interval;
    trail[decided++] = relation;
  }

  private static boolean possible(PairRelation pair, int interval, long[] lower, long[] upper) {
    return pair.low[interval] <= upper[pair.second] - lower[pair.first]
        && pair.high[interval] >= lower[pair.second] - upper[pair.first];
  }

  /** Raises and lowers the bounds to their fixpoint; false where a buffer has no offset left. */
  private boolean propagate(long[] lower, long[] upper) {
    boolean changed = true;
    int passes = 0;
    int known = decided;
    while (changed) {
      // Without rounding, n passes settle every chain: what rises longer is a cycle.
      if (plain && passes > problem.count() + 1) {
        return false;
      }
      passes = known == decided ? passes + 1 : 0;
      known = decided;
      changed = false;
      looks += relations.length;
      for (int k = 0; k < relations.length; k++) {
        PairRelation pair = relations[k];
        if (chosen[k] < 0 && !force(k, pair, lower, upper)) {
          return false;
        }
        int interval = chosen[k];
        if (interval >= 0) {
          long least = pair.low[interval];
          long most = pair.high[interval];
          int result = order(pair.first, pair.second, least, lower, upper);
          int back = order(pair.second, pair.first, -most, lower, upper);
          if (result < 0 || back < 0) {
            return false;
          }
          changed |= result > 0 || back > 0;
        }
      }
    }
    for (int[] section : live) {
      if (!schedule(section, lower, upper)) {
        return false;
      }
    }
    return true;
  }

  /** Chooses the only interval a pair has left; false where it has none. */
  private boolean force(int relation, PairRelation pair, long[] lower, long[] upper) {
    int only = -1;
    for (int interval = 0; interval < pair.low.length; interval++) {
      if (possible(pair, interval, lower, upper)) {
        if (only >= 0) {
          return true;
        }
        only = interval;
      }
    }
    if (only < 0) {
      return false;
    }
    choose(relation, only);
    return true;
  }

  /**
   * Keeps {@code above} at least a distance over {@code below}: 1 where a bound has changed, 0
   * where none has, -1 where a buffer has no offset left.
   */
  private int order(int below, int above, long distance, long[] lower, long[] upper) {
    if (distance <= -PairRelation.UNLIMITED) {
      return 0;
    }
    int result = 0;
    if (lower[below] + distance > lower[above]) {
      long raised = problem.roundUp(above, lower[below] + distance);
      if (raised < 0 || raised > upper[above]) {
        return -1;
      }
      lower[above] = raised;
      result = 1;
    }
    if (upper[above] - distance < upper[below]) {
      upper[below] = upper[above] - distance;
      if (upper[below] < lower[below]) {
        return -1;
      }
      result = 1;
    }
    return result;
  }

  /** Whether the pieces of a section, as jobs on one machine, end in time from both sides. */
  private boolean schedule(int[] pieces, long[] lower, long[] upper) {
    int count = pieces.length;
    looks += count;
    long[] release = new long[count];
    long[] deadline = new long[count];
    int[] byRelease = new int[count];
    int[] byDeadline = new int[count];
    long last = 0;
    long first = capacity;
    for (int k = 0; k < count; k++) {
      int piece = pieces[k];
      release[k] = lower[owner[piece]] + problem.spanLows()[piece];
      deadline[k] = -(upper[owner[piece]] + problem.spanHighs()[piece]);
      last = Math.max(last, -deadline[k]);
      first = Math.min(first, release[k]);
      byRelease[k] = k;
      byDeadline[k] = k;
    }
    PrimitiveSort.byKey(byRelease, count, release);
    PrimitiveSort.byKey(byDeadline, count, deadline);
    long forward = 0;
    long backward = Long.MAX_VALUE;
    for (int k = 0; k < count; k++) {
      int job = byRelease[k];
      int piece = pieces[job];
      forward =
          Math.max(forward, release[job]) + problem.spanHighs()[piece] - problem.spanLows()[piece];
      job = byDeadline[k];
      piece = pieces[job];
      backward =
          Math.min(backward, -deadline[job])
              - problem.spanHighs()[piece]
              + problem.spanLows()[piece];
    }
    return count == 0 || forward <= last && backward >= first;
  }

  /** Of the pairs that clash at the lower offsets, the one with fewest intervals left, or -1. */
  private int tightest(long[] lower, long[] upper) {
    int best = -1;
    int fewest = Integer.MAX_VALUE;
    long leastRoom = Long.MAX_VALUE;
    looks += relations.length;
    for (int k = 0; k < relations.length; k++) {
      if (chosen[k] >= 0) {
        continue;
      }
      PairRelation pair = relations[k];
      if (pair.admits(lower[pair.second] - lower[pair.first])) {
        continue;
      }
      int left = 0;
      for (int interval = 0; interval < pair.low.length; interval++) {
        left += possible(pair, interval, lower, upper) ? 1 : 0;
      }
      long room = upper[pair.first] - lower[pair.first] + upper[pair.second] - lower[pair.second];
      room -= problem.sizes()[pair.first] + problem.sizes()[pair.second];
      if (left < fewest || left == fewest && room < leastRoom) {
        fewest = left;
        leastRoom = room;
        best = k;
      }
    }
    return best;
  }
}
