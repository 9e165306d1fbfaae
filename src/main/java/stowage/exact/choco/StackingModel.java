package stowage.exact.choco;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.chocosolver.solver.Model;
import org.chocosolver.solver.Settings;
import org.chocosolver.solver.Solver;
import org.chocosolver.solver.constraints.Constraint;
import org.chocosolver.solver.search.limits.FailCounter;
import org.chocosolver.solver.search.restart.AbstractRestart;
import org.chocosolver.solver.search.strategy.Search;
import org.chocosolver.solver.search.strategy.strategy.AbstractStrategy;
import org.chocosolver.solver.variables.BoolVar;
import org.chocosolver.solver.variables.IntVar;
import org.chocosolver.solver.variables.Task;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.presolve.Component;
import stowage.packing.IndexOrder;

/**
 * The question of one part and one set of ceilings, as a Choco model: one position a buffer, the
 * {@link StackingPropagator}, and what the settings add.
 */
final class StackingModel {
  private static final int MOST_PAIRS = 20_000;
  private static final double GROWTH = 1.2;

  private final Axis axis;
  private final ChocoSettings settings;
  private final Model model;
  private final IntVar[] positions;
  private final List<BoolVar> orders = new ArrayList<>();

  /** A model that tries the lowest positions in the hint's order, which may be null. */
  StackingModel(Axis axis, ChocoSettings settings, long[] hint) {
    this.axis = axis;
    this.settings = settings;
    this.model = new Model("part", Settings.init().setLCG(settings.learning).setWarnUser(false));
    this.positions = new IntVar[axis.count];
    for (int i = 0; i < axis.count; i++) {
      int low = axis.next(i, 0);
      int high = axis.previous(i, Integer.MAX_VALUE / 4);
      // Without any position the propagator fails at once; the variable needs some domain though.
      int from = Math.max(0, low);
      positions[i] = model.intVar("position_" + i, from, Math.max(from, high), true);
    }
    new Constraint(
            "stacking", new StackingPropagator(axis, positions, settings.sections, settings.rest))
        .post();
    if (settings.cumulative) {
      addCumulative();
    }
    if (!settings.strategy.equals(ChocoSettings.BOTTOM_LEFT)
        && !settings.strategy.equals(ChocoSettings.BY_SIZE)) {
      addOrders();
    }
    solver().setSearch(strategies(hint));
    addRestarts();
  }

  Solver solver() {
    return model.getSolver();
  }

  /** The offsets of the solution that the solver is at, in units. */
  long[] offsets() {
    return Arrays.stream(positions).mapToLong(p -> axis.offset(p.getValue())).toArray();
  }

  /** The memories of the solution, or null where the part has only one. */
  int[] places() {
    return axis.part.memories() == 1
        ? null
        : Arrays.stream(positions).mapToInt(p -> axis.memory(p.getValue())).toArray();
  }

  /** What was really applied, read from the model and the solver. */
  String echo() {
    String constraints =
        Arrays.stream(model.getCstrs())
            .map(Constraint::getName)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return ("Parameters: strategy: %s (%s) learning: %s rest: %s sections: %s "
            + "restarts: %s variables: %s constraints: %s (%s)")
        .formatted(
            settings.strategy,
            solver().getSearch().getClass().getSimpleName(),
            solver().isLCG(),
            settings.rest,
            settings.sections,
            solver().getRestarter() == AbstractRestart.NO_RESTART
                ? "none"
                : settings.restarts + " after " + settings.restartAfter,
            model.getNbVars(),
            model.getNbCstrs(),
            constraints);
  }

  /** Along the addresses, the buffers at any address are next to each other in time. */
  private void addCumulative() {
    Component part = axis.part;
    List<Task> tasks = new ArrayList<>();
    List<IntVar> widths = new ArrayList<>();
    for (int i = 0; i < axis.count; i++) {
      int first = part.firstSpans()[i];
      boolean plain =
          part.firstSpans()[i + 1] == first + 1
              && part.spanHighs()[first] - part.spanLows()[first] == part.sizes()[i];
      if (plain) {
        tasks.add(new Task(positions[i], axis.size[i]));
        widths.add(model.intVar(part.spanEnds()[first] - part.spanStarts()[first]));
      }
    }
    if (!tasks.isEmpty()) {
      model
          .cumulative(
              tasks.toArray(new Task[0]),
              widths.toArray(new IntVar[0]),
              model.intVar(part.sections()))
          .post();
    }
  }

  /** A truth value a pair: which of the two is below; only for conflicting buffers. */
  private void addOrders() {
    for (int i = 0; i < axis.count; i++) {
      for (int k = 0; k < axis.neighbours[i].length; k++) {
        int j = axis.neighbours[i][k];
        int[] open = axis.forbidden[i][k];
        if (j < i || open.length != 2 || orders.size() >= MOST_PAIRS) {
          continue;
        }
        BoolVar above = model.boolVar("above_" + j + "_" + i);
        model.arithm(positions[j], "-", positions[i], ">=", open[1]).reifyWith(above);
        model.arithm(positions[j], "-", positions[i], "<=", open[0]).reifyWith(above.not());
        orders.add(above);
      }
    }
  }

  private AbstractStrategy<?>[] strategies(long[] hint) {
    BottomLeftStrategy bottomLeft = new BottomLeftStrategy(positions, ranks(hint));
    BoolVar[] pairs = orders.toArray(new BoolVar[0]);
    return switch (settings.strategy) {
      case ChocoSettings.WEIGHTED ->
          new AbstractStrategy<?>[] {Search.domOverWDegSearch(joined(pairs)), bottomLeft};
      case ChocoSettings.PAIR_ORDER ->
          pairs.length == 0
              ? new AbstractStrategy<?>[] {bottomLeft}
              : new AbstractStrategy<?>[] {
                Search.lastConflict(Search.domOverWDegRefSearch(pairs)), bottomLeft
              };
      case ChocoSettings.BY_SIZE -> new AbstractStrategy<?>[] {Search.inputOrderLBSearch(bySize())};
      default -> new AbstractStrategy<?>[] {bottomLeft};
    };
  }

  private IntVar[] joined(BoolVar[] pairs) {
    IntVar[] all = Arrays.copyOf(positions, positions.length + pairs.length);
    System.arraycopy(pairs, 0, all, positions.length, pairs.length);
    return all;
  }

  private IntVar[] bySize() {
    int[] order =
        IndexOrder.of(IntStream.range(0, axis.count), Comparator.comparingInt(i -> -axis.size[i]));
    return Arrays.stream(order).mapToObj(i -> positions[i]).toArray(IntVar[]::new);
  }

  /** By the hint's offsets, or by the order in which parts are best stacked. */
  private int[] ranks(long[] hint) {
    int[] order = BottomLeftOrder.of(axis.part);
    if (hint != null) {
      order = IndexOrder.of(Arrays.stream(order), Comparator.comparingLong(i -> hint[i]));
    }
    return IndexOrder.places(order, axis.count);
  }

  private void addRestarts() {
    int after = settings.restartAfter;
    FailCounter failures = new FailCounter(model, after);
    switch (settings.restarts) {
      case "luby" -> solver().setLubyRestart(after, failures, Integer.MAX_VALUE);
      case "geometric" ->
          solver().setGeometricalRestart(after, GROWTH, failures, Integer.MAX_VALUE);
      default -> solver().clearRestarter();
    }
  }
}
