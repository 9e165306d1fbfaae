package stowage.onchip.cpsat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import stowage.network.TopologicalOrder;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.partition.Partition;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.partition.TailPartitioner;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupSearch;
import stowage.packing.RunControl;

/**
 * The cheapest partition into convex groups: sets of ops that need not follow each other in the
 * execution order, as long as no path leaves a group and comes back.
 *
 * <p>The groups looked at are those of {@link ConvexGroups}. At first each counts what it would
 * cost if nothing had to be cut. A linear programme covers every op once at least cost; the groups
 * in its optimum that were not searched yet are searched now, and the LMEM model's answer goes back
 * into the programme: their true cost, or that they cannot run. The prices of the programme show
 * which groups no cheaper cover than the best known can hold; these are dropped for good. When all
 * groups of the optimum are searched, CP-SAT covers the ops with whole groups of those left. Groups
 * that wait for each other in a circle are kept apart from then on. It starts from the cheapest
 * partition known, with all that was learnt for it.
 *
 * <pre>
 *   ops        a  b  c      groups  ab 5   bc 4   abc 3   a 4   b 4   c 2
 *   programme  abc 3        searched: abc does not fit
 *   programme  ab 5 + c 2   searched: ab costs 6
 *   programme  a 4 + bc 4   searched: bc costs 4, so 8; but ab + c is 8 too: no cover costs less
 * </pre>
 *
 * <p>The bound holds over all partitions into these groups, where slices and addresses are exact:
 * then each search bounds its group. Column generation: doi:10.1287/opre.46.3.316.
 */
public final class ConvexPartitioner implements Partitioner {
  private static final double SOME = 1e-6;

  /** Larger networks have too many groups for memory and for CP-SAT. */
  private static final int MOST_OPS = 4000;

  @Override
  public String name() {
    return "cp";
  }

  @Override
  public List<Partitioner> included() {
    return List.of(new TailPartitioner(), new IntervalPartitioner());
  }

  @Override
  public Partition partition(GroupSearch search, List<List<int[]>> starts) {
    // Ops by themselves need no search, so their cost is known, too.
    List<int[]> start =
        Partitioner.cheapest(
            Partitioner.singletons().partition(search, List.of()).groups(),
            starts,
            groups -> Partitioner.recalledCost(search, groups));
    return search.limits().isStopped() || search.graph().size() > MOST_OPS
        ? Partition.of(start, 0, BoundScope.CONVEX, search)
        : new Run(search, start, Partitioner.recalledCost(search, start)).partition();
  }

  /** One partition on its way. */
  private static final class Run {
    private final LayerGraph graph;
    private final GroupSearch search;
    private final GroupOptions.GroupObjective objective;
    private final boolean proving;
    private final GroupCover cover;
    private final RunControl limited;
    private List<ConvexGroup> pool;
    private List<int[]> groups;
    private double best;
    private double lower;

    Run(GroupSearch search, List<int[]> start, double cost) {
      this.graph = search.graph();
      this.search = search;
      this.objective = search.options().objective();
      this.proving =
          search.options().isExact()
              && search.options().slicing() == GroupOptions.SlicingSearch.EXACT;
      this.cover = new GroupCover(graph.size());
      this.limited = search.limits();
      this.pool = ConvexGroups.of(search);
      this.groups = start;
      this.best = cost;
      for (ConvexGroup group : pool) {
        GroupOutcome before = group.searched ? null : search.known(group.members);
        if (before != null) {
          group.learn(before, objective, before.fits(), proving);
        }
      }
      pool.removeIf(group -> group.members.length > 1 && group.lower >= best);
    }

    Partition partition() {
      boolean open = true;
      while (open && !limited.isStopped()) {
        GroupCover.Relaxation relaxed = cover.relaxed(pool, limited);
        open = relaxed != null && relaxed.bound() < best * (1 - 1e-12);
        if (relaxed != null) {
          proven(relaxed.bound());
        }
        if (open && !searchedAny(relaxed)) {
          drop(relaxed);
          open = takeWhole();
        }
      }
      return Partition.of(groups, Math.min(lower, best), BoundScope.CONVEX, search);
    }

    /**
     * Raises the bound to what no cover is below, where searches prove what groups cost at least.
     */
    private void proven(double bound) {
      lower = proving ? Math.max(lower, Math.min(best, bound)) : lower;
    }

    /** Searches the groups of an optimum that were not; says whether there were any. */
    private boolean searchedAny(GroupCover.Relaxation relaxed) {
      boolean any = false;
      for (int k = 0; k < pool.size() && !limited.isStopped(); k++) {
        ConvexGroup group = pool.get(k);
        if (relaxed.shares()[k] > SOME && !group.searched) {
          double prices = group.lower - relaxed.reduced()[k];
          search(group, best - relaxed.bound() + prices);
          any = true;
        }
      }
      if (any) {
        drop(relaxed);
      }
      return any;
    }

    /** Searches a group; where it costs the limit, no cover with it is below the best known. */
    private void search(ConvexGroup group, double limit) {
      GroupOutcome outcome = search.search(group.members, limit);
      group.learn(outcome, objective, true, proving);
    }

    /** Drops the groups that no cover cheaper than the best known can hold. */
    private void drop(GroupCover.Relaxation relaxed) {
      List<ConvexGroup> left = new ArrayList<>();
      for (int k = 0; k < pool.size(); k++) {
        ConvexGroup group = pool.get(k);
        boolean dear = relaxed.bound() + relaxed.reduced()[k] >= best;
        if ((!dear && group.lower < best) || group.members.length == 1) {
          left.add(group);
        }
      }
      pool = left;
    }

    /** Covers with whole groups; says whether there is more to do. */
    private boolean takeWhole() {
      GroupCover.Whole whole = cover.whole(pool, group -> group.lower, best, limited);
      proven(whole.bound());
      if (whole.groups() == null) {
        return false;
      }
      boolean any = false;
      for (ConvexGroup group : whole.groups()) {
        if (!group.searched) {
          search(group, Double.POSITIVE_INFINITY);
          any = true;
        }
      }
      if (any || !take(whole.groups())) {
        return true;
      }
      boolean unproven = whole.groups().stream().anyMatch(group -> !group.isProven());
      if (unproven && proving) {
        GroupCover.Whole found = cover.whole(pool, group -> group.cost, best, limited);
        return found.groups() != null && !take(found.groups());
      }
      return false;
    }

    /** Takes a cover if it is cheaper and can run; false when groups of it are kept apart now. */
    private boolean take(List<ConvexGroup> chosen) {
      List<ConvexGroup> order = new ArrayList<>();
      List<ConvexGroup> circle = ordered(graph, chosen, order);
      if (circle != null) {
        cover.keepApart(circle);
        return false;
      }
      double found = order.stream().mapToDouble(group -> group.cost).sum();
      if (found < best) {
        best = found;
        groups = order.stream().map(group -> group.members).toList();
      }
      return true;
    }
  }

  /** Puts groups into an order in which they can run; gives those in a circle if there is none. */
  private static List<ConvexGroup> ordered(
      LayerGraph graph, List<ConvexGroup> chosen, List<ConvexGroup> order) {
    List<ConvexGroup> byFirst =
        chosen.stream().sorted(Comparator.comparingInt(group -> group.members[0])).toList();
    int[] groupOf = new int[graph.size()];
    List<Set<Integer>> needed = new ArrayList<>();
    for (int k = 0; k < byFirst.size(); k++) {
      needed.add(new HashSet<>());
      for (int member : byFirst.get(k).members) {
        groupOf[member] = k;
      }
    }
    for (int p = 0; p < graph.size(); p++) {
      for (int next : ConvexGroups.successors(graph, p)) {
        if (groupOf[p] != groupOf[next]) {
          needed.get(groupOf[next]).add(groupOf[p]);
        }
      }
    }
    Arrays.stream(TopologicalOrder.of(needed)).mapToObj(byFirst::get).forEach(order::add);
    return order.size() == chosen.size()
        ? null
        : chosen.stream().filter(group -> !order.contains(group)).toList();
  }
}
