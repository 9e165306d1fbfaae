package stowage.onchip.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.IntervalVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.exact.cpsat.NativeLibraries;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;

/**
 * An {@link LmemProblem} as a model of CP-SAT.
 *
 * <p>Addresses count in vectors (EU bytes). In each step the intervals of addresses of the buffers
 * alive must not overlap: a disjunctive line a step, whose intervals are the same variables in all
 * steps. (Rectangles of CP-SAT's two-dimensional constraint that share an interval were tried, and
 * presolve of version 9.15 then called a peak optimal that was not.) A result that may take its
 * operand's place has its interval, in the step where both live, switched off by a literal that
 * makes the addresses equal. For the figures each buffer has its first and last bank; two buffers
 * are apart when one's last bank is before the other's first, in either order.
 *
 * <p>Figures already settled are held by constraints, the next is the objective.
 */
final class LmemModel {
  private final LmemProblem problem;
  private final long unit;
  private final CpModel model = new CpModel();
  private final IntVar[] offsets;
  private final IntVar[] firstBank;
  private final IntVar[] lastBank;
  private final Map<LmemProblem.Sharing, BoolVar> shared = new HashMap<>();
  private final Map<Long, BoolVar[]> apart = new HashMap<>();
  private final BoolVar[] held;

  LmemModel(LmemProblem problem) {
    this(problem, new long[problem.size()]);
  }

  /** A model of a problem, and by buffer what not staying costs; 0 where there is no choice. */
  LmemModel(LmemProblem problem, long[] reloads) {
    NativeLibraries.load();
    this.problem = problem;
    this.unit = problem.chip().vectorBytes();
    int n = problem.size();
    this.offsets = new IntVar[n];
    this.firstBank = new IntVar[n];
    this.lastBank = new IntVar[n];
    this.held = new BoolVar[n];
    long lane = problem.chip().laneBytes() / unit;
    for (int b = 0; b < n; b++) {
      offsets[b] = model.newIntVar(0, Math.max(0, lane - units(b)), "");
      if (units(b) > lane) {
        model.addBoolOr(new Literal[0]);
      }
    }
    for (int b = 0; b < n; b++) {
      if (reloads[b] > 0) {
        held[b] = model.newBoolVar("");
      }
    }
    overlaps();
  }

  /** Bytes loaded again by what does not stay. */
  LinearExpr reloaded(long[] reloads) {
    LinearExprBuilder sum = LinearExpr.newBuilder();
    for (int b = 0; b < held.length; b++) {
      if (held[b] != null) {
        sum.add(reloads[b]).addTerm(held[b], -reloads[b]);
      }
    }
    return sum.build();
  }

  boolean[] held(CpSolver solver) {
    boolean[] stays = new boolean[held.length];
    for (int b = 0; b < stays.length; b++) {
      stays[b] = held[b] != null && solver.booleanValue(held[b]);
    }
    return stays;
  }

  private long units(int b) {
    return (problem.buffer(b).size() + unit - 1) / unit;
  }

  /** In every step the buffers alive are apart; sets within another step's are left out. */
  private void overlaps() {
    int n = offsets.length;
    IntervalVar[] bytes = new IntervalVar[n];
    IntervalVar[] unlessShared = new IntervalVar[n];
    for (int b = 0; b < n; b++) {
      bytes[b] = model.newFixedSizeIntervalVar(offsets[b], units(b), "");
      LmemProblem.Sharing sharing = sharingOf(b);
      if (sharing != null && problem.buffer(b).size() > 0) {
        BoolVar takes = model.newBoolVar("");
        shared.put(sharing, takes);
        model.addEquality(offsets[b], offsets[sharing.operand()]).onlyEnforceIf(takes);
        unlessShared[b] =
            model.newOptionalFixedSizeIntervalVar(offsets[b], units(b), takes.not(), "");
      }
    }
    IntervalVar[] whereHeld = new IntervalVar[n];
    boolean anyHeld = false;
    for (int b = 0; b < n; b++) {
      if (held[b] != null) {
        anyHeld = true;
        whereHeld[b] = model.newOptionalFixedSizeIntervalVar(offsets[b], units(b), held[b], "");
      }
    }
    List<BitSet> live = IntStream.range(0, problem.steps()).mapToObj(step -> live(step)).toList();
    for (int step = 0; step < live.size(); step++) {
      if (!anyHeld && isWithinAnother(live, step)) {
        continue;
      }
      List<IntervalVar> line = new ArrayList<>();
      for (int b = live.get(step).nextSetBit(0); b >= 0; b = live.get(step).nextSetBit(b + 1)) {
        line.add(meetsOperand(b, step) ? unlessShared[b] : bytes[b]);
      }
      for (int b = 0; b < n; b++) {
        if (whereHeld[b] != null && !live.get(step).get(b)) {
          line.add(whereHeld[b]);
        }
      }
      model.addNoOverlap(line);
    }
  }

  private BitSet live(int step) {
    BitSet live = new BitSet();
    for (int b = 0; b < offsets.length; b++) {
      LmemBuffer buffer = problem.buffer(b);
      live.set(b, buffer.size() > 0 && buffer.isLive(step));
    }
    return live;
  }

  private boolean meetsOperand(int b, int step) {
    LmemProblem.Sharing sharing = sharingOf(b);
    return sharing != null && problem.buffer(sharing.operand()).isLive(step);
  }

  /** Whether another step has all the same buffers, none of them excused there but not here. */
  private boolean isWithinAnother(List<BitSet> live, int step) {
    for (int other = 0; other < live.size(); other++) {
      BitSet rest = (BitSet) live.get(step).clone();
      rest.andNot(live.get(other));
      boolean equal = live.get(step).equals(live.get(other));
      if (other == step || !rest.isEmpty() || (equal && other > step)) {
        continue;
      }
      int there = other;
      if (live.get(step).stream()
          .noneMatch(b -> meetsOperand(b, there) && !meetsOperand(b, step))) {
        return true;
      }
    }
    return false;
  }

  private LmemProblem.Sharing sharingOf(int result) {
    return problem.sharings().stream().filter(s -> s.result() == result).findFirst().orElse(null);
  }

  CpModel model() {
    return model;
  }

  void hint(LmemPlacement placement) {
    for (int b = 0; b < offsets.length; b++) {
      model.addHint(offsets[b], placement.offset(b) / unit);
    }
    shared.forEach(
        (sharing, takes) ->
            model.addHint(takes, placement.shares(sharing.result()) == sharing.operand() ? 1 : 0));
  }

  LmemPlacement placement(CpSolver solver) {
    long[] found = new long[offsets.length];
    int[] shares = new int[offsets.length];
    Arrays.fill(shares, LmemPlacement.OWN);
    Arrays.setAll(found, b -> solver.value(offsets[b]) * unit);
    shared.forEach(
        (sharing, takes) -> {
          if (solver.booleanValue(takes)) {
            shares[sharing.result()] = sharing.operand();
          }
        });
    return new LmemPlacement(found, shares);
  }

  /** The bank variables of a buffer, made when first needed. */
  private void banks(int b) {
    if (firstBank[b] != null) {
      return;
    }
    long bank = problem.chip().bankBytes() / unit;
    int banks = problem.chip().banks();
    firstBank[b] = model.newIntVar(0, banks - 1, "");
    lastBank[b] = model.newIntVar(0, banks - 1, "");
    inBank(LinearExpr.newBuilder().add(offsets[b]), firstBank[b], bank);
    long reach = Math.max(1, units(b)) - 1;
    inBank(LinearExpr.newBuilder().add(offsets[b]).add(reach), lastBank[b], bank);
    model.addLinearConstraint(
        LinearExpr.weightedSum(new IntVar[] {lastBank[b], firstBank[b]}, new long[] {1, -1}),
        0,
        banks);
  }

  private void inBank(LinearExprBuilder at, IntVar number, long bank) {
    model.addLinearConstraint(at.addTerm(number, -bank), 0, bank - 1);
  }

  /** Two literals of which one must hold for two buffers to share no bank. */
  private BoolVar[] apart(int one, int other) {
    int low = Math.min(one, other);
    int high = Math.max(one, other);
    return apart.computeIfAbsent(
        (long) low * offsets.length + high,
        key -> {
          banks(low);
          banks(high);
          BoolVar below = model.newBoolVar("");
          BoolVar above = model.newBoolVar("");
          before(low, high, below);
          before(high, low, above);
          return new BoolVar[] {below, above};
        });
  }

  private void before(int lower, int upper, BoolVar holds) {
    model
        .addLinearConstraint(
            LinearExpr.weightedSum(
                new IntVar[] {firstBank[upper], lastBank[lower]}, new long[] {1, -1}),
            1,
            problem.chip().banks())
        .onlyEnforceIf(holds);
  }

  /** The expression of a figure of {@link LmemScore#FIGURES}, with the variables it needs. */
  LinearExpr figure(int figure) {
    return switch (figure) {
      case 0 -> clashes();
      case 1 -> operandClashes();
      case 2 -> crossings();
      default -> peak();
    };
  }

  /** Holds a figure at or below a value. */
  void limit(int figure, long most) {
    model.addLinearConstraint(figure(figure), 0, most);
  }

  private LinearExpr clashes() {
    List<BoolVar> clashes = new ArrayList<>();
    long self = 0;
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      for (LmemProblem.Move move : step.moves()) {
        if (LmemScore.isUsed(step, move.buffer())) {
          self++;
        } else if (!step.computes().isEmpty()) {
          clashes.add(clash(step, move.buffer()));
        }
      }
    }
    return LinearExpr.newBuilder().addSum(clashes.toArray(new BoolVar[0])).add(self).build();
  }

  private BoolVar clash(LmemProblem.Step step, int moved) {
    BoolVar clash = model.newBoolVar("");
    for (LmemProblem.Compute compute : step.computes()) {
      for (int buffer : compute.uses()) {
        BoolVar[] apart = apart(moved, buffer);
        model.addBoolOr(new Literal[] {clash, apart[0], apart[1]});
      }
    }
    return clash;
  }

  private LinearExpr operandClashes() {
    List<BoolVar> clashes = new ArrayList<>();
    for (int s = 0; s < problem.steps(); s++) {
      BoolVar clash = null;
      for (LmemProblem.Compute compute : problem.step(s).computes()) {
        List<Integer> reads = compute.reads();
        for (int i = 0; i < reads.size(); i++) {
          for (int j = 0; j < i; j++) {
            clash = clash == null ? model.newBoolVar("") : clash;
            BoolVar[] apart = apart(reads.get(i), reads.get(j));
            model.addBoolOr(new Literal[] {clash, apart[0], apart[1]});
          }
        }
      }
      if (clash != null) {
        clashes.add(clash);
      }
    }
    return LinearExpr.sum(clashes.toArray(new BoolVar[0]));
  }

  private LinearExpr crossings() {
    List<BoolVar> crossings = new ArrayList<>();
    for (int b = 0; b < offsets.length; b++) {
      if (problem.buffer(b).size() <= problem.chip().bankBytes() && units(b) > 1) {
        banks(b);
        BoolVar crosses = model.newBoolVar("");
        model.addEquality(firstBank[b], lastBank[b]).onlyEnforceIf(crosses.not());
        crossings.add(crosses);
      }
    }
    return LinearExpr.sum(crossings.toArray(new BoolVar[0]));
  }

  private LinearExpr peak() {
    IntVar peak = model.newIntVar(0, problem.chip().laneBytes(), "");
    for (int b = 0; b < offsets.length; b++) {
      LinearExprBuilder above = LinearExpr.newBuilder().add(peak).addTerm(offsets[b], -unit);
      model.addLinearConstraint(above, problem.buffer(b).size(), problem.chip().laneBytes());
    }
    return LinearExpr.term(peak, 1);
  }
}
