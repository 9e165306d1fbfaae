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
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;
import stowage.packing.Rounding;

/**
 * One part as CP-SAT sees it: rectangles in the plane of sections and offsets that must not
 * overlap.
 *
 * <p>A buffer's offset is an integer variable, or a multiple of one where it is aligned, so that
 * every value of the domain is allowed. Each span is a rectangle: fixed in time, tied to the offset
 * in address. Buffers that mind banks get a bank and an offset inside it. Where buffers have a
 * choice of memories, each memory has a plane of its own with optional rectangles, of which every
 * buffer takes those of one memory. Extra conflicts are pairs of which one is below the other. Of
 * exchangeable buffers the first is lowest.
 */
final class RectangleModel {
  private final Component part;
  private final long[] ceiling;
  private final int minimised;
  private final CpModel model = new CpModel();
  private final LinearExpr[] offset;
  private final Literal[][] present;
  private final IntVar[] variable;
  private final long[] factor;
  private final IntVar peak;
  private final List<Derived> derived = new ArrayList<>();

  /** A variable beside offsets and memories, whose value follows from the offsets. */
  private record Derived(IntVar variable, long highest, ToLongFunction<long[]> value) {}

  /**
   * @param part the part
   * @param ceiling for each of its memories, a height that nothing may pass
   * @param minimised the memory whose peak is the objective, or -1 for none
   * @param lower a bound of that peak
   * @param order the buffers in the order in which those are taken that can be equally low
   */
  RectangleModel(Component part, long[] ceiling, int minimised, long lower, int[] order) {
    this.part = part;
    this.ceiling = ceiling;
    this.minimised = minimised;
    int n = part.count();
    offset = new LinearExpr[n];
    variable = new IntVar[n];
    factor = new long[n];
    present = new Literal[n][part.memories()];
    peak =
        minimised < 0
            ? null
            : model.newIntVar(Math.min(lower, ceiling[minimised]), ceiling[minimised], "peak");
    for (int i = 0; i < n; i++) {
      choose(i);
      addOffset(i);
      for (int m = 0; m < part.memories(); m++) {
        if (present[i][m] != null) {
          confine(i, m, m == minimised);
        }
      }
    }
    for (int m = 0; m < part.memories(); m++) {
      addRectangles(m);
    }
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
  void hint(long[] offsets, int[] places) {
    for (int i = 0; i < variable.length; i++) {
      if (variable[i] != null && offsets[i] % factor[i] == 0) {
        model.addHint(variable[i], offsets[i] / factor[i]);
      }
      for (int m = 0; hasChoice(i) && places != null && m < part.memories(); m++) {
        if (present[i][m] != null) {
          model.addHint(present[i][m], places[i] == m);
        }
      }
    }
    for (Derived one : derived) {
      model.addHint(one.variable, Math.min(one.highest, one.value.applyAsLong(offsets)));
    }
    if (peak != null) {
      model.addHint(peak, part.peak(minimised, offsets, places));
    }
  }

  /** The offsets that a solution gives, in units. */
  long[] offsets(ToLongFunction<LinearExpr> value) {
    long[] offsets = new long[offset.length];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = value.applyAsLong(offset[i]);
    }
    return offsets;
  }

  /** The memories that a solution gives, or null where the part has only one. */
  int[] places(Predicate<Literal> value) {
    if (part.memories() == 1) {
      return null;
    }
    int[] places = new int[offset.length];
    for (int i = 0; i < places.length; i++) {
      for (int m = 0; m < part.memories(); m++) {
        if (present[i][m] != null && value.test(present[i][m])) {
          places[i] = m;
        }
      }
    }
    return places;
  }

  /** One literal a memory; the constant true where there is no choice, null where not allowed. */
  private void choose(int i) {
    List<Literal> choices = new ArrayList<>();
    for (int m = 0; m < part.memories(); m++) {
      if (part.allows(i, m)) {
        present[i][m] =
            Long.bitCount(part.allowed(i)) == 1
                ? model.trueLiteral()
                : model.newBoolVar("in_" + i + "_" + m);
        choices.add(present[i][m]);
      }
    }
    if (choices.size() > 1) {
      model.addExactlyOne(choices);
    }
  }

  private boolean hasChoice(int i) {
    return Long.bitCount(part.allowed(i)) > 1;
  }

  private void addOffset(int i) {
    long shared = 0;
    long highest = 0;
    for (int m = 0; m < part.memories(); m++) {
      if (part.allows(i, m)) {
        shared = Rounding.gcd(shared, part.alignment(i, m));
        highest = Math.max(highest, ceiling[m] - part.sizes()[i]);
      }
    }
    if (part.fixedOffsets()[i] >= 0) {
      offset[i] = LinearExpr.constant(part.fixedOffsets()[i]);
      factor[i] = 1;
      return;
    }
    factor[i] = shared;
    variable[i] = model.newIntVar(0, highest / shared, "offset_" + i);
    offset[i] = LinearExpr.term(variable[i], shared);
  }

  /** What a buffer must keep to when it is in a memory. */
  private void confine(int i, int m, boolean minimised) {
    Literal[] here = hasChoice(i) ? new Literal[] {present[i][m]} : new Literal[0];
    LinearExpr end = LinearExpr.newBuilder().add(offset[i]).add(part.sizes()[i]).build();
    model.addLessOrEqual(end, ceiling[m]).onlyEnforceIf(here);
    if (minimised) {
      model.addLessOrEqual(end, peak).onlyEnforceIf(here);
    }
    if (part.fixedOffsets()[i] >= 0) {
      return; // checked when the part was made
    }
    long alignment = part.alignment(i, m);
    if (alignment != factor[i]) {
      long most = Math.max(0, ceiling[m] / alignment);
      IntVar multiple = model.newIntVar(0, most, "aligned_" + i);
      derived.add(new Derived(multiple, most, offsets -> offsets[i] / alignment));
      model.addEquality(offset[i], LinearExpr.term(multiple, alignment)).onlyEnforceIf(here);
    }
    long bank = part.withinBanks()[i] ? part.bankSize(m) : 0;
    if (bank > 0) {
      long most = Math.max(0, ceiling[m] / bank);
      long last = bank - part.sizes()[i];
      IntVar number = model.newIntVar(0, most, "bank_" + i);
      IntVar inside = model.newIntVar(0, last, "inside_" + i);
      derived.add(new Derived(number, most, offsets -> offsets[i] / bank));
      derived.add(new Derived(inside, last, offsets -> offsets[i] % bank));
      LinearExpr position = LinearExpr.newBuilder().addTerm(number, bank).add(inside).build();
      model.addEquality(offset[i], position).onlyEnforceIf(here);
    }
  }

  private void addRectangles(int m) {
    NoOverlap2dConstraint plane = model.addNoOverlap2D();
    for (int i = 0; i < part.count(); i++) {
      if (present[i][m] == null) {
        continue;
      }
      for (int s = part.firstSpans()[i]; s < part.firstSpans()[i + 1]; s++) {
        long low = part.spanLows()[s];
        long height = part.spanHighs()[s] - low;
        int start = part.spanStarts()[s];
        LinearExpr bottom =
            low == 0 ? offset[i] : LinearExpr.newBuilder().add(offset[i]).add(low).build();
        IntervalVar inTime = model.newFixedInterval(start, part.spanEnds()[s] - start, "");
        IntervalVar inAddress =
            hasChoice(i)
                ? model.newOptionalFixedSizeIntervalVar(bottom, height, present[i][m], "")
                : model.newFixedSizeIntervalVar(bottom, height, "");
        plane.addRectangle(inTime, inAddress);
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
      for (int m = 0; m < part.memories(); m++) {
        if (present[i][m] != null && present[j][m] != null) {
          addOrder(j, i, m, below);
          addOrder(i, j, m, below.not());
        }
      }
    }
  }

  /** When both are in the memory and the literal holds, {@code first} is wholly below. */
  private void addOrder(int first, int second, int m, Literal holds) {
    List<Literal> conditions = new ArrayList<>(List.of(holds));
    for (int i : new int[] {first, second}) {
      if (hasChoice(i)) {
        conditions.add(present[i][m]);
      }
    }
    LinearExpr end = LinearExpr.newBuilder().add(offset[first]).add(part.sizes()[first]).build();
    model.addLessOrEqual(end, offset[second]).onlyEnforceIf(conditions.toArray(new Literal[0]));
  }

  private void addTwin(int i) {
    int first = part.twins()[i];
    if (first < 0 || hasChoice(i)) {
      return;
    }
    boolean whole = part.firstSpans()[i] < part.firstSpans()[i + 1];
    for (int s = part.firstSpans()[i]; s < part.firstSpans()[i + 1]; s++) {
      whole &= part.spanHighs()[s] - part.spanLows()[s] == part.sizes()[i];
    }
    LinearExpr least =
        whole
            ? LinearExpr.newBuilder().add(offset[first]).add(part.sizes()[first]).build()
            : offset[first];
    model.addLessOrEqual(least, offset[i]);
  }
}
