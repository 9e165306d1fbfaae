package stowage.onchip.partition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupSearch;
import stowage.onchip.search.GroupSearches;
import stowage.packing.RunControl;

/**
 * Ladder of ways to divide a network, each tried after every weaker one, so that a stronger setting
 * is never worse than a weaker one.
 *
 * <p>A way is weaker where its partitions and its ways of running groups are among those of the
 * stronger: {@code tail} than {@code dp} than {@code cp}; the document's and today's addresses than
 * exact ones; quick slices than exact ones. The ladder climbs from the weakest up:
 *
 * <pre>
 *   dp, exact addresses, quick slices
 *     tail document   tail today   dp document   dp today   tail exact   dp exact
 * </pre>
 *
 * <p>Each step begins from all that the steps before have found, groups and partitions, and can
 * only improve on it. So that this also holds when time runs out, each step has a share of the time
 * limit of its own, the same whatever is to come after it: a stronger run does all that a weaker
 * run does, in the same time, and more. What rules find with contiguous groups and quick slices has
 * all of the limit, and together two seconds of a run at least; where that takes more than its
 * part, the others have only what is left. Time that a step does not need is not given to others,
 * but to the strongest of all, or to a {@linkplain #climb(Partitioner, GroupOptions, RunControl,
 * boolean) last} one: no other begins from it.
 *
 * <p>Of the peak of LMEM this is true group by group, not for whole networks: groups are chosen by
 * the bytes they move, and those that move fewer may need more.
 *
 * <p>What was found is kept: of several runs on one ladder each takes only its own steps.
 */
public final class PartitionLadder {
  /** Whether buffers fit is thought about for a share of the time, as if asked so often. */
  private static final int QUESTIONS = 200;

  private static final double LEAST_SECONDS_PER_QUESTION = 0.05;
  private static final double MOST_SECONDS_PER_QUESTION = 0.5;

  /** The last step of a run has so long where that is more than its share. */
  private static final double LEAST_SECONDS_OF_LAST = 10;

  /** What rules find with contiguous groups and quick slices has so long in all at least. */
  private static final double LEAST_SECONDS_OF_RULES = 2;

  /** Of the time limit this share is kept for addresses. */
  private static final double RESERVE = 0.12;

  private final GroupSearches searches;
  private final GroupObjective objective;
  private final Map<List<Object>, Partition> found = new LinkedHashMap<>();
  private Partition latest;

  /** The run that climbs, and how long its rules have at least. */
  private RunControl running;

  private RunControl rules;

  /**
   * @param engine decides what the rules cannot; used with exact addresses alone
   * @param control of the first run, whose time says how long questions are thought about
   */
  public PartitionLadder(
      LayerGraph graph, GroupObjective objective, LmemEngine engine, RunControl control) {
    double share = Math.min(MOST_SECONDS_PER_QUESTION, control.secondsLeft() / QUESTIONS);
    this.objective = objective;
    this.searches =
        new GroupSearches(graph, engine, control, Math.max(LEAST_SECONDS_PER_QUESTION, share));
  }

  /** The search that says what groups cost that are built in a certain way. */
  public GroupSearch search(GroupOptions options) {
    return searches.of(options);
  }

  /** Divides the network for the ladder's objective, within the limits of this run. */
  public Partition climb(Partitioner partitioner, GroupOptions options, RunControl control) {
    return climb(partitioner, options, control, false);
  }

  /**
   * As {@link #climb(Partitioner, GroupOptions, RunControl)}, where {@code last} says that nothing
   * comes after it, so that its own step may have more than its share: ten seconds of those left.
   */
  public Partition climb(
      Partitioner partitioner, GroupOptions options, RunControl control, boolean last) {
    if (options.objective() != objective) {
      throw new IllegalArgumentException(
          "the ladder is for " + objective + ", not for " + options.objective());
    }
    if (control != running) {
      running = control;
      rules = control.withOwnDeadline(LEAST_SECONDS_OF_RULES);
    }
    double seconds = control.secondsLeft();
    List<Partitioner> partitioners = new ArrayList<>(partitioner.included());
    partitioners.add(partitioner);
    for (GroupOptions weaker : upTo(options)) {
      for (Partitioner each : partitioners) {
        boolean end = last && each == partitioner && weaker.equals(options);
        double share = limit(each, weaker, seconds, control);
        double most = Math.max(share, LEAST_SECONDS_OF_LAST);
        double limit = end ? Math.min(left(seconds, control), most) : share;
        take(each, weaker, control, limit);
      }
    }
    searches.limit(control);
    return found.get(List.of(partitioner.name(), options));
  }

  /** The weaker ways of running groups, from the weakest on, and the way itself. */
  private static List<GroupOptions> upTo(GroupOptions options) {
    List<GroupOptions> ways = new ArrayList<>();
    for (GroupOptions.Lmem lmem : GroupOptions.Lmem.values()) {
      for (GroupOptions.SlicingSearch slicing : GroupOptions.SlicingSearch.values()) {
        GroupOptions way =
            lmem == options.lmem() ? options.with(slicing) : options.with(slicing).with(lmem);
        if (options.include(way)) {
          ways.add(way);
        }
      }
    }
    return ways;
  }

  private void take(
      Partitioner partitioner, GroupOptions options, RunControl control, double limit) {
    List<Object> step = List.of(partitioner.name(), options);
    if (found.containsKey(step)) {
      return;
    }
    searches.limit(control.withOwnDeadline(limit));
    GroupSearch search = searches.of(options);
    List<List<int[]>> starts = found.values().stream().map(Partition::groups).toList();
    boolean over =
        search.graph().size() > IntervalPartitioner.MANY_OPS && search.limits().isStopped();
    Partition partition =
        over && latest != null && latest.scope() == BoundScope.NETWORK
            ? latest // without a search no step adds to it
            : partitioner.partition(search, starts);
    List<int[]> best =
        Partitioner.cheapest(
            partition.groups(), starts, groups -> Partitioner.recalledCost(search, groups));
    latest = new Partition(best, partition.lowerBound(), partition.scope());
    found.put(step, latest);
  }

  /** Seconds for a step of a run that has so many in all: its share, if so much is left. */
  private double limit(
      Partitioner partitioner, GroupOptions options, double seconds, RunControl control) {
    boolean exactly = options.isExact();
    boolean quick = options.slicing() == GroupOptions.SlicingSearch.QUICK;
    boolean complete = !exactly && quick && !isConvex(partitioner);
    double left = left(seconds, control);
    if (complete || left == Double.POSITIVE_INFINITY) {
      return complete ? Math.max(rules.secondsLeft(), left) : left;
    }
    boolean strongest = exactly && !quick && isConvex(partitioner);
    return strongest ? left : Math.min(left, seconds * share(partitioner, options));
  }

  /** Seconds left of a run that has so many in all, except for those kept for addresses. */
  private static double left(double seconds, RunControl control) {
    return seconds == Double.POSITIVE_INFINITY
        ? seconds
        : Math.max(0, control.secondsLeft() - seconds * RESERVE);
  }

  private static boolean isConvex(Partitioner partitioner) {
    return partitioner.included().size() > 1;
  }

  /** Of the time limit a step gets this share; all together {@code 1 - RESERVE}. */
  private static double share(Partitioner partitioner, GroupOptions options) {
    boolean exactly = options.isExact();
    if (isConvex(partitioner)) {
      return exactly ? 0.1 : 0.06;
    }
    if (!exactly) {
      return 0.02;
    }
    return partitioner.included().isEmpty() ? 0.03 : 0.15;
  }
}
