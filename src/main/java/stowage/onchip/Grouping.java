package stowage.onchip;

import java.util.List;
import java.util.stream.Stream;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions;
import stowage.packing.Status;

/**
 * A network divided into groups, each with its slices, steps and addresses.
 *
 * @param graph the network as the chip sees it
 * @param partition how it was divided: {@code tail}, {@code dp}, {@code cp}, {@code file}
 * @param groups in the order in which they run; together they hold every op once
 * @param lowerBound no grouping of the scope has a lower objective
 * @param scope which groupings the bound is over
 */
public record Grouping(
    LayerGraph graph,
    String partition,
    GroupOptions options,
    List<PlannedGroup> groups,
    double lowerBound,
    BoundScope scope) {
  /** Bounds are sums of many numbers, and so not exact to the last digit. */
  private static final double ROUNDING = 1e-9;

  public Grouping {
    groups = List.copyOf(groups);
  }

  /** The groups of two ops or more. */
  public Stream<PlannedGroup> grouped() {
    return groups.stream().filter(PlannedGroup::isGrouped);
  }

  /** A figure of the addresses, by its place in {@link LmemScore#FIGURES}, of all groups. */
  public long sum(int figure) {
    return grouped().mapToLong(group -> group.answer().score().figure(figure)).sum();
  }

  /** The bounds of such a figure, of all groups. */
  public long sumOfBounds(int figure) {
    return grouped().mapToLong(group -> group.answer().bounds().get(figure)).sum();
  }

  /** Bytes moved between GMEM and LMEM. */
  public long trafficBytes() {
    return groups.stream().mapToLong(PlannedGroup::trafficBytes).sum();
  }

  /** Cycles of the cost model. */
  public double cycles() {
    return groups.stream().mapToDouble(PlannedGroup::cycles).sum();
  }

  /** The most bytes a lane that a group uses. */
  public long lmemPeak() {
    return groups.stream().mapToLong(PlannedGroup::lmemPeak).max().orElse(0);
  }

  /** The figure that the objective asks to be low. */
  public double objective() {
    return switch (options.objective()) {
      case TRAFFIC -> trafficBytes();
      case CYCLES -> cycles();
      case LMEM_PEAK -> lmemPeak();
    };
  }

  /** The figure that the objective asks to be low, in whole bytes or cycles. */
  public long figure() {
    return Math.round(objective());
  }

  /**
   * What no figure of a grouping of the scope is below; at most this one's. Bytes are whole, so a
   * bound between two numbers of them is as good as the higher one.
   */
  public long provenLeast() {
    if (objective() <= lowerBound * (1 + ROUNDING)) {
      return figure();
    }
    boolean cycles = options.objective() == GroupOptions.GroupObjective.CYCLES;
    double least = cycles ? Math.round(lowerBound) : Math.ceil(lowerBound * (1 - ROUNDING));
    return Math.min((long) least, figure());
  }

  /** What the bound is over, to follow "lowest" or "no lower" in a sentence. */
  public String scopeInWords() {
    boolean searched = scope == BoundScope.CONTIGUOUS || scope == BoundScope.CONVEX;
    boolean limited = options.overlapLimit() || options.rowsOnly();
    return scope.range() + (searched && limited ? ", with the slices that the options allow" : "");
  }

  /** OPTIMAL where the figure meets its bound, else FEASIBLE. */
  public Status status() {
    return figure() <= provenLeast() ? Status.OPTIMAL : Status.FEASIBLE;
  }

  /** Bytes that all ops move when each runs by itself. */
  public long ungroupedBytes() {
    return new CostModel(graph.chip()).layersTraffic(graph);
  }

  /** Cycles of all ops when each runs by itself. */
  public double ungroupedCycles() {
    return new CostModel(graph.chip()).layersCycles(graph);
  }
}
