package stowage.exact.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.DecisionStrategyProto;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.IntervalVar;
import com.google.ortools.sat.LinearArgument;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import com.google.ortools.sat.NoOverlap2dConstraint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;

/**
 * A part with one memory as CP-SAT sees it: rectangles in the plane of sections and offsets that
 * must not overlap.
 *
 * <p>A buffer's offset is an integer variable, or a multiple of one where it is aligned, so that
 * every value of the domain is allowed. Each span is a rectangle: fixed in time, tied to the offset
 * in address. Buffers that mind banks get a bank and an offset inside it. Extra conflicts are pairs
 * of which one is below the other. Of exchangeable buffers the first is lowest.
 */
final class RectangleModel {
  private final Component part;
  private final long ceiling;
  private final CpModel model = new CpModel();
  private final LinearExpr[] offset;
  private final IntVar[] variable;
  private final long[] factor;
  private final IntVar peak;
  private final List<Derived> derived = new ArrayList<>();

  private record Derived(IntVar variable, long highest, ToLongFunction<long[]> value) {}

  /**
   * @param ceiling a height that nothing may pass
   * @param minimised whether the peak is the objective
   * @param lower a bound of the peak
   * @param order the buffers in the order in which those are taken that can be equally low
   */
  RectangleModel(Component part, long ceiling, boolean minimised, long lower, int[] order) {
    this.part = part;
    this.ceiling = ceiling;
    int n = part.count();
    offset = new LinearExpr[n];
    variable = new IntVar[n];
    factor = new long[n];
    peak = minimised ? model.newIntVar(Math.min(lower, ceiling), ceiling, "peak") : null;
    for (int i = 0; i < n; i++) {
      addOffset(i);
      confine(i);
    }
    addRectangles();
    for (int i = 0; i < n; i++) {
      addPairs(i);
      addTwin(i);
    }
    addBottomLeft(order);
    if (peak != null) {
      model.minimize(peak);
    }
  }

  /**
   * Offers the order of bottom-left stacking as a strategy: the buffer that can be lowest, the
   * first in the given order among equals, as low as it can.
   */
  private void addBottomLeft(int[] buffers) {
    LinearArgument[] order =
        IntStream.of(buffers)
            .filter(i -> variable[i] != null)
            .mapToObj(i -> offset[i])
            .toArray(LinearArgument[]::new);
    if (order.length > 0) {
      model.addDecisionStrategy(
          order,
          DecisionStrategyProto.VariableSelectionStrategy.CHOOSE_LOWEST_MIN,
          DecisionStrategyProto.DomainReductionStrategy.SELECT_MIN_VALUE);
    }
  }

  CpModel model() {
    return model;
  }

  /**
   * Gives the solver a placement to start from: every variable has its value in it, so that a valid
   * placement within the ceilings is a solution. Values outside a domain are left out.
   */
  void hint(long[] offsets) {
    for (int i = 0; i < variable.length; i++) {
      if (variable[i] != null && offsets[i] % factor[i] == 0) {
        model.addHint(variable[i], offsets[i] / factor[i]);
      }
    }
    for (Derived one : derived) {
      model.addHint(one.variable, Math.min(one.highest, one.value.applyAsLong(offsets)));
    }
    if (peak != null) {
      model.addHint(peak, part.peak(offsets));
    }
  }

  /** The offsets that a solution gives, in units. */
  long[] offsets(ToLongFunction<LinearExpr> value) {
    return Arrays.stream(offset).mapToLong(value).toArray();
  }

  private void addOffset(int i) {
    if (part.fixedOffsets()[i] >= 0) {
      offset[i] = LinearExpr.constant(part.fixedOffsets()[i]);
      factor[i] = 1;
      return;
    }
    factor[i] = part.alignment(i, 0);
    long highest = Math.max(0, ceiling - part.sizes()[i]);
    variable[i] = model.newIntVar(0, highest / factor[i], "offset_" + i);
    offset[i] = LinearExpr.term(variable[i], factor[i]);
  }

  private void confine(int i) {
    LinearExpr end = LinearExpr.newBuilder().add(offset[i]).add(part.sizes()[i]).build();
    model.addLessOrEqual(end, ceiling);
    if (peak != null) {
      model.addLessOrEqual(end, peak);
    }
    if (part.fixedOffsets()[i] >= 0) {
      return; // checked when the part was made
    }
    long bank = part.withinBanks()[i] ? part.bankSize(0) : 0;
    if (bank > 0) {
      long most = Math.max(0, ceiling / bank);
      long last = bank - part.sizes()[i];
      IntVar number = model.newIntVar(0, most, "bank_" + i);
      IntVar inside = model.newIntVar(0, last, "inside_" + i);
      derived.add(new Derived(number, most, offsets -> offsets[i] / bank));
      derived.add(new Derived(inside, last, offsets -> offsets[i] % bank));
      LinearExpr position = LinearExpr.newBuilder().addTerm(number, bank).add(inside).build();
      model.addEquality(offset[i], position);
    }
  }

  private void addRectangles() {
    NoOverlap2dConstraint plane = model.addNoOverlap2D();
    for (int i = 0; i < part.count(); i++) {
      for (int s = part.firstSpans()[i]; s < part.firstSpans()[i + 1]; s++) {
        long low = part.spanLows()[s];
        long height = part.spanHighs()[s] - low;
        int start = part.spanStarts()[s];
        LinearExpr bottom =
            low == 0 ? offset[i] : LinearExpr.newBuilder().add(offset[i]).add(low).build();
        IntervalVar inTime = model.newFixedInterval(start, part.spanEnds()[s] - start, "");
        plane.addRectangle(inTime, model.newFixedSizeIntervalVar(bottom, height, ""));
      }
    }
  }

  private void addPairs(int i) {
    for (int j : part.extraConflicts(i)) {
      if (j > i) {
        continue;
      }
      BoolVar below = model.newBoolVar("below_" + j + "_" + i);
      derived.add(new Derived(below, 1, offsets -> offsets[j] < offsets[i] ? 1 : 0));
      addOrder(j, i, below);
      addOrder(i, j, below.not());
    }
  }

  /** When the literal holds, {@code first} is wholly below. */
  private void addOrder(int first, int second, Literal holds) {
    LinearExpr end = LinearExpr.newBuilder().add(offset[first]).add(part.sizes()[first]).build();
    model.addLessOrEqual(end, offset[second]).onlyEnforceIf(holds);
  }

  private void addTwin(int i) {
    int first = part.twins()[i];
    if (first < 0) {
      return;
    }
    LinearExpr least =
        part.isWhole(i)
            ? LinearExpr.newBuilder().add(offset[first]).add(part.sizes()[first]).build()
            : offset[first];
    model.addLessOrEqual(least, offset[i]);
  }
}
