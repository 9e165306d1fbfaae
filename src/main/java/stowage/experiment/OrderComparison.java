package stowage.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import stowage.compiler.core.ImplicitDependencies;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.liveness.Precedence;
import stowage.liveness.StreamSpread;
import stowage.network.Network;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.report.compare.OrderReport;

/**
 * What running ops side by side costs in memory: the least peak under every order in which they may
 * run, alongside the parallelism that the order allows.
 *
 * <p>The freer ops may run, the fewer buffers may share addresses. For each order the buffers that
 * may not are kept apart as pairs, and the problem that this makes is solved to its end. The
 * parallelism of an order is the number of ops over the longest chain that it leaves, each op one
 * unit of time: what an endless number of processors would gain.
 */
public final class OrderComparison {
  private static final int MOST_STREAMS = 4;

  private final String name;
  private final Network network;
  private final int[] order;
  private final LivenessOptions options;
  private final Map<String, LivenessOptions> orders = new LinkedHashMap<>();

  /**
   * All orders: in order, on 2 to 4 streams that {@link StreamSpread} fills, branches side by side,
   * and out of order; the case is in one of them, and its other choices are kept.
   */
  public OrderComparison(PlanningCase planningCase) {
    this.name = planningCase.problem().name();
    this.network = planningCase.network();
    this.order = planningCase.order().clone();
    this.options = planningCase.options();
    add(LivenessOptions.Order.IN_ORDER);
    for (int streams = 2; streams <= MOST_STREAMS; streams++) {
      addStreams(streams + " streams", StreamSpread.over(network, order, streams));
    }
    add(LivenessOptions.Order.BRANCHES);
    add(LivenessOptions.Order.OUT_OF_ORDER);
  }

  private void add(LivenessOptions.Order freedom) {
    String name = freedom.name().toLowerCase(Locale.ROOT).replace('_', '-');
    orders.put(name, options.withOrder(freedom));
  }

  /** Adds streams of the user's own. */
  public void addStreams(String name, Map<String, String> streamOfOp) {
    orders.put(name, options.withStreams(streamOfOp));
  }

  /**
   * Solves each order's problem in equal shares of the time left, or each in a limit of work; an
   * order is left out where {@code goesOn}, asked before it, is false.
   */
  public OrderReport report(RunControl control, EngineOptions settings, BooleanSupplier goesOn) {
    List<OrderReport.Row> rows = new ArrayList<>();
    orders.forEach(
        (name, chosen) -> {
          double share = control.secondsLeft() / (orders.size() - rows.size());
          if (goesOn.getAsBoolean()) {
            rows.add(row(name, chosen, control.within(share), settings));
          }
        });
    return new OrderReport(name, order.length, rows);
  }

  private OrderReport.Row row(
      String name, LivenessOptions chosen, RunControl control, EngineOptions settings) {
    PlanningCase given = Liveness.of(network, order, chosen);
    Incumbent incumbent = new Incumbent(given.problem());
    Portfolio.run(incumbent, control, settings);
    Bound bound = incumbent.bound(0);
    int[] levels = levels(Precedence.of(network, order, chosen));
    ImplicitDependencies added =
        incumbent.placement() == null
            ? null
            : ImplicitDependencies.of(given, incumbent.placement());
    return new OrderReport.Row(
        name,
        incumbent.placement() == null ? null : incumbent.bestFigure(),
        bound == null ? 0 : bound.value(),
        bound == null ? "none" : bound.kind(),
        given.problem().conflicts().count(),
        Arrays.stream(levels).max().orElse(-1) + 1,
        ImplicitDependencies.width(levels),
        added == null
            ? null
            : new OrderReport.Waits(
                added.pairs().size(),
                added.criticalPathBefore(),
                added.criticalPathAfter(),
                added.widthBefore(),
                added.widthAfter()),
        incumbent.seconds());
  }

  /** For each step how many run before it on the longest chain that the order leaves. */
  private static int[] levels(Precedence precedence) {
    int[] level = new int[precedence.steps()];
    for (int step = 0; step < level.length; step++) {
      for (int earlier = 0; earlier < step; earlier++) {
        if (level[earlier] >= level[step] && precedence.precedes(earlier, step)) {
          level[step] = level[earlier] + 1;
        }
      }
    }
    return level;
  }
}
