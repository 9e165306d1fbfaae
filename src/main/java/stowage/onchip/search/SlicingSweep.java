package stowage.onchip.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import stowage.onchip.layer.Axis;
import stowage.onchip.slice.GroupCuts;
import stowage.onchip.slice.LoadBound;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.packing.RunControl;

/**
 * The cheapest of all slicings of a group.
 *
 * <p>Slicings that differ in the size of a slice are looked at best first. Each carries a cost that
 * it cannot go below, and what is to be worked out next: first only bytes and operations are
 * counted; then its steps are laid out, if cycles count; then addresses are sought with all
 * constants staying; at last with some loaded again. Each answer raises the cost or ends the
 * slicing, so that the first complete way that costs no more than all left open is the cheapest.
 *
 * <pre>
 *   cost  slicing  known so far                     next
 *   70    h1       needs more than a lane           dropped
 *   74    h2       constants of 60 bytes too many   back with 74 + 60
 *   81    h3       all fits at 81                   the answer: nothing open costs less
 *   134   h2       would load constants again
 * </pre>
 */
final class SlicingSweep {
  private static final int MOST_SLICINGS = 50_000;

  private final GroupSearch search;
  private final GroupOptions options;
  private final ExactEvaluation exact;
  private final RunControl control;
  private boolean open;
  private double floor;

  SlicingSweep(GroupSearch search) {
    this.search = search;
    this.options = search.options();
    this.exact = search.exact;
    this.control = search.limits();
  }

  /** What is to be worked out next about a slicing. */
  private enum Stage {
    COUNTED,
    STEPPED,
    STAYING,
    RELOADING
  }

  /** A slicing, what it costs at least, and what comes next. */
  private record Entry(SlicedGroup sliced, double cost, Stage next) {}

  /**
   * No way of running the group costs less than this; infinite when none can run at all. With rules
   * for addresses it holds under these rules alone.
   */
  double floor() {
    return floor;
  }

  /** The cheapest way found below a limit, beginning with the best way known, which may not fit. */
  GroupOutcome best(GroupCuts cuts, GroupOutcome start, double limit) {
    open = false;
    floor = Double.POSITIVE_INFINITY;
    exact.takeOpen();
    PriorityQueue<Entry> queue =
        new PriorityQueue<>(
            Comparator.comparingDouble(Entry::cost)
                .thenComparing(Entry::next, Comparator.reverseOrder())
                .thenComparingLong(entry -> entry.sliced().slicing().count()));
    for (Slicing slicing : slicings(cuts)) {
      SlicedGroup sliced = cuts.slice(slicing);
      queue.add(new Entry(sliced, counted(sliced), Stage.COUNTED));
    }
    GroupOutcome best = start;
    double unanswered = open ? 0 : Double.POSITIVE_INFINITY;
    while (!queue.isEmpty()) {
      Entry entry = queue.poll();
      if (entry.cost() >= Math.min(limit, costOf(best))) {
        floor = limit;
        break;
      }
      if (control.isStopped()) {
        unanswered = Math.min(unanswered, entry.cost());
        break;
      }
      GroupOutcome found = advance(entry, queue);
      // The constants that stay are those of the fewest bytes, which may not be of fewest cycles.
      boolean chosen = entry.next() == Stage.RELOADING && found != null;
      if (exact.takeOpen() || (chosen && countsCycles())) {
        unanswered = Math.min(unanswered, entry.cost());
      }
      if (found != null && found.isBetter(best, options.objective())) {
        best = found;
      }
    }
    floor = Math.min(Math.min(floor, unanswered), costOf(best));
    return best;
  }

  private double costOf(GroupOutcome outcome) {
    if (!outcome.fits()) {
      return Double.POSITIVE_INFINITY;
    }
    return options.objective() == GroupOptions.GroupObjective.LMEM_PEAK
        ? outcome.peak()
        : outcome.cost(options.objective());
  }

  private boolean countsCycles() {
    return options.objective() == GroupOptions.GroupObjective.CYCLES;
  }

  private double counted(SlicedGroup sliced) {
    return options.objective() == GroupOptions.GroupObjective.LMEM_PEAK
        ? new LoadBound(sliced).bytes()
        : search.leastCost(sliced);
  }

  /** Works out the next thing about a slicing; puts it back where more is left to do. */
  private GroupOutcome advance(Entry entry, PriorityQueue<Entry> queue) {
    SlicedGroup sliced = entry.sliced();
    control.did(GroupSearch.WORK_OF_AN_OP * sliced.group().size());
    switch (entry.next()) {
      case COUNTED:
        if (new LoadBound(sliced).exceedsLane()) {
          return null;
        }
        double cost = countsCycles() && options.isExact() ? exact.cycles(sliced) : entry.cost();
        queue.add(new Entry(sliced, Math.max(cost, entry.cost()), Stage.STEPPED));
        return null;
      case STEPPED:
        if (!options.isExact()) {
          return search.ruled.run(sliced, options.lmem());
        }
        boolean all = new LoadBound(sliced).leastReloaded() == 0;
        queue.add(all ? new Entry(sliced, entry.cost(), Stage.STAYING) : withReloads(entry));
        return null;
      case STAYING:
        GroupOutcome staying = exact.staying(sliced);
        if (staying == null && ExactEvaluation.mayReload(sliced)) {
          queue.add(withReloads(entry));
        }
        return staying;
      default:
        return exact.reloading(sliced);
    }
  }

  private Entry withReloads(Entry entry) {
    SlicedGroup sliced = entry.sliced();
    double cost = entry.cost();
    if (options.objective() == GroupOptions.GroupObjective.TRAFFIC) {
      cost = Math.max(cost, exact.traffic(sliced) + new LoadBound(sliced).leastReloaded());
    }
    return new Entry(sliced, cost, Stage.RELOADING);
  }

  /** All slicings with different slice sizes. */
  private List<Slicing> slicings(GroupCuts cuts) {
    List<Slicing> slicings = List.of(Slicing.WHOLE);
    for (Axis axis : Axis.values()) {
      List<Slicing> more = new ArrayList<>();
      for (Slicing slicing : slicings) {
        for (int count : cuts.counts(axis)) {
          if (more.size() < MOST_SLICINGS) {
            more.add(slicing.with(axis, count));
          } else {
            open = true;
          }
        }
      }
      slicings = more;
    }
    return slicings;
  }
}
