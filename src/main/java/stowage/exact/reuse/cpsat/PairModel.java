package stowage.exact.reuse.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import com.google.ortools.util.Domain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Buffer;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.Rounding;
import stowage.packing.Units;

/**
 * A packing problem as a CP-SAT model that decides every pair of buffers by itself: which is below
 * which, or for reuse pairs that it is paid for. All that a problem can say is in it.
 *
 * <p>Buffers that are together have one offset variable, that of their group. Offsets count
 * {@linkplain Units units}.
 *
 * <p>Quadratic in the buffers, with a few Booleans for each pair that may clash.
 */
final class PairModel {
  /** The most banks times buffers that are counted one by one. */
  private static final long MOST_CELLS = 300_000;

  private final PackingProblem problem;
  private final Objective objective;
  private final long unit;
  private final long[] ceiling;
  private final long[] highest;
  private final CpModel model = new CpModel();
  private final Relations.Groups groups;
  private final IntVar[] base;
  private final LinearExpr[] offset;
  private final BoolVar[][] in;
  private final BoolVar[] paid;
  private final LinearExpr[] figures;
  private final IntVar[] bankOf;
  private final IntVar[] lastBankOf;

  /**
   * Makes the model.
   *
   * @param ceiling for each memory, bytes that its peak may have at most
   * @param room for each memory, bytes below which buffers that need no memory can be
   */
  PairModel(PackingProblem problem, Objective objective, long[] ceiling, long[] room) {
    this.problem = problem;
    this.objective = objective;
    this.groups = problem.relations().groups(problem.size());
    this.unit = unit(problem, objective);
    this.ceiling = ceiling;
    checkBanks();
    this.highest = highest(room);
    int n = problem.size();
    base = new IntVar[n];
    offset = new LinearExpr[n];
    in = new BoolVar[n][problem.memories().size()];
    bankOf = new IntVar[n];
    lastBankOf = new IntVar[n];
    paid = new BoolVar[problem.relations().reuse().size()];
    for (int i = 0; i < n; i++) {
      addOffset(i);
    }
    for (int i = 0; i < n; i++) {
      addMemories(i);
      addOwn(i);
    }
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        addPair(i, j);
      }
    }
    addReuse();
    figures = new LinearExpr[objective.parts().size()];
    Arrays.setAll(figures, f -> figure(objective.parts().get(f)));
  }

  CpModel model() {
    return model;
  }

  /** Asks for the least value of a figure. */
  void minimize(int figure) {
    model.minimize(figures[figure]);
  }

  /** Keeps a figure at or below a value, in the figure's own terms. */
  void atMost(int figure, long value) {
    model.addLessOrEqual(figures[figure], isBytes(figure) ? value / unit : value);
  }

  private boolean isBytes(int figure) {
    Goal goal = objective.parts().get(figure).goal();
    return goal == Goal.PEAK || goal == Goal.OVERFLOW;
  }

  /** A figure's value in its own terms from the model's, which counts units. */
  long value(int figure, long inModel) {
    return isBytes(figure) ? inModel * unit : inModel;
  }

  /** Gives the solver a placement to start from. */
  void hint(Placement placement) {
    for (int i = 0; i < base.length; i++) {
      if (groups.leader()[i] == i) {
        model.addHint(base[i], (placement.offset(i) - groups.shift()[i]) / unit);
      }
    }
  }

  Placement placement(CpSolver solver) {
    long[] offsets = new long[base.length];
    int[] memories = new int[base.length];
    for (int i = 0; i < offsets.length; i++) {
      int leader = groups.leader()[i];
      offsets[i] = solver.value(base[leader]) * unit + groups.shift()[i];
      for (int m = 0; m < in[i].length; m++) {
        if (in[i][m] != null && solver.booleanValue(in[i][m])) {
          memories[i] = m;
        }
      }
    }
    return Placement.of(offsets, memories);
  }

  private static long unit(PackingProblem problem, Objective objective) {
    long capacities = 0;
    // The problem itself has no capacities where the bytes beyond them are counted.
    for (Memory memory : objective.memories()) {
      if (objective.indexOf(Goal.OVERFLOW) >= 0 && memory.isBounded()) {
        capacities = Rounding.gcd(capacities, memory.capacity());
      }
    }
    return Units.of(problem, capacities, objective.indexOf(Goal.BANKS) >= 0);
  }

  /**
   * The highest offset that the lowest member of each group may have, by its leader: below the
   * ceiling where a member needs memory; else below the room, or where one is fixed.
   */
  private long[] highest(long[] room) {
    long[] highest = new long[problem.size()];
    boolean[] needed = new boolean[highest.length];
    for (int i = 0; i < highest.length; i++) {
      needed[groups.leader()[i]] |= problem.buffer(i).needsMemory();
    }
    for (int i = 0; i < highest.length; i++) {
      int leader = groups.leader()[i];
      for (int m = 0; m < ceiling.length; m++) {
        if (problem.allows(i, m)) {
          highest[leader] = Math.max(highest[leader], needed[leader] ? ceiling[m] : room[m]);
        }
      }
      highest[leader] = Math.max(highest[leader], problem.buffer(i).fixedOffset());
    }
    return highest;
  }

  private void addOffset(int i) {
    int leader = groups.leader()[i];
    if (leader == i) {
      base[i] = model.newIntVar(0, highest[i] / unit, "o" + i);
    }
    offset[i] = LinearExpr.newBuilder().add(base[leader]).add(groups.shift()[i] / unit).build();
  }

  private void addMemories(int i) {
    int leader = groups.leader()[i];
    List<Literal> choices = new ArrayList<>();
    for (int m = 0; m < ceiling.length; m++) {
      if (leader == i) {
        in[i][m] = model.newBoolVar("m" + i + "_" + m);
        choices.add(in[i][m]);
      } else {
        in[i][m] = in[leader][m];
      }
      if (!problem.allows(i, m)) {
        model.addEquality(in[i][m], 0);
      }
    }
    if (leader == i) {
      model.addExactlyOne(choices);
    }
  }

  /** What concerns one buffer alone: its place, alignment, banks and reserved ranges. */
  private void addOwn(int i) {
    Buffer buffer = problem.buffer(i);
    long size = buffer.size() / unit;
    if (buffer.isFixed()) {
      model.addEquality(offset[i], buffer.fixedOffset() / unit);
    }
    for (int m = 0; m < ceiling.length; m++) {
      if (!problem.allows(i, m)) {
        continue;
      }
      Memory memory = problem.memories().get(m);
      long step = problem.alignment(i, m);
      if (unit % step != 0) {
        long multiple = step / Rounding.gcd(step, unit);
        IntVar factor = model.newIntVar(0, Long.MAX_VALUE / 8 / multiple / 4, "a");
        model.addEquality(offset[i], LinearExpr.term(factor, multiple)).onlyEnforceIf(in[i][m]);
      }
      if (!buffer.needsMemory()) {
        if (buffer.withinBank() && size > 0 && memory.bankSize() > 0) {
          addBanks(i, m, size, memory.bankSize() / unit);
        }
        continue;
      }
      model.addLessOrEqual(offset[i], ceiling[m] / unit - size).onlyEnforceIf(in[i][m]);
      for (ReservedRange range : memory.reserved()) {
        BoolVar below = model.newBoolVar("b");
        model
            .addLessOrEqual(offset[i], range.from() / unit - size)
            .onlyEnforceIf(new Literal[] {in[i][m], below});
        model
            .addGreaterOrEqual(offset[i], range.to() / unit)
            .onlyEnforceIf(new Literal[] {in[i][m], below.not()});
      }
      if (needsBanks(i) && memory.bankSize() > 0) {
        addBanks(i, m, size, memory.bankSize() / unit);
      }
    }
  }

  private boolean needsBanks(int i) {
    return problem.buffer(i).withinBank()
        || problem.relations().otherBank().of(i).length > 0
        || objective.parts().stream().anyMatch(figure -> figure.goal() == Goal.BANKS);
  }

  private void addBanks(int i, int m, long size, long bank) {
    long most = ((highest[groups.leader()[i]] + groups.shift()[i]) / unit + size) / bank;
    if (bankOf[i] == null) {
      bankOf[i] = model.newIntVar(0, most, "f" + i);
      lastBankOf[i] = model.newIntVar(0, most, "l" + i);
    }
    within(offset[i], bankOf[i], bank, in[i][m]);
    LinearExpr last = LinearExpr.newBuilder().add(offset[i]).add(size - 1).build();
    within(last, lastBankOf[i], bank, in[i][m]);
    if (problem.buffer(i).withinBank()) {
      model.addEquality(bankOf[i], lastBankOf[i]).onlyEnforceIf(in[i][m]);
    }
  }

  /** {@code index * bank <= address < (index + 1) * bank}, where the condition holds. */
  private void within(LinearExpr address, IntVar index, long bank, BoolVar condition) {
    LinearExpr rest = LinearExpr.newBuilder().add(address).addTerm(index, -bank).build();
    model.addLinearExpressionInDomain(rest, new Domain(0, bank - 1)).onlyEnforceIf(condition);
  }

  private void addPair(int i, int j) {
    if (!problem.buffer(i).needsMemory()
        || !problem.buffer(j).needsMemory()
        || (problem.allowedMask(i) & problem.allowedMask(j)) == 0) {
      return;
    }
    if (problem.conflicts().contains(i, j)) {
      apart(i, j, 0, problem.buffer(i).size(), 0, problem.buffer(j).size());
    } else if (problem.meet(i, j)) {
      for (Buffer.Span a : problem.buffer(i).spans()) {
        for (Buffer.Span b : problem.buffer(j).spans()) {
          if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())) {
            apart(i, j, a.low(), a.high(), b.low(), b.high());
          }
        }
      }
    }
    if (problem.relations().otherBank().contains(i, j)) {
      addOtherBank(i, j);
    }
  }

  /** One of two byte windows is below the other wherever both buffers are in one memory. */
  private void apart(int i, int j, long lowI, long highI, long lowJ, long highJ) {
    BoolVar below = model.newBoolVar("");
    BoolVar above = model.newBoolVar("");
    order(i, highI, j, lowJ, below);
    order(j, highJ, i, lowI, above);
    different(i, j, below, above, null);
  }

  /** Bytes up to {@code high} of one buffer end where byte {@code low} of another begins. */
  private void order(int one, long high, int other, long low, BoolVar when) {
    model
        .addLessOrEqual(
            LinearExpr.newBuilder().add(offset[one]).addTerm(offset[other], -1).build(),
            (low - high) / unit)
        .onlyEnforceIf(when);
  }

  private void different(int i, int j, BoolVar below, BoolVar above, BoolVar orPaid) {
    for (int m = 0; m < ceiling.length; m++) {
      if (problem.allows(i, m) && problem.allows(j, m)) {
        List<Literal> either = new ArrayList<>(List.of(below, above));
        either.add(in[i][m].not());
        either.add(in[j][m].not());
        if (orPaid != null) {
          either.add(orPaid);
        }
        model.addBoolOr(either);
      }
    }
  }

  private void addOtherBank(int i, int j) {
    if (bankOf[i] == null || bankOf[j] == null) {
      return;
    }
    for (int m = 0; m < ceiling.length; m++) {
      if (problem.allows(i, m)
          && problem.allows(j, m)
          && problem.memories().get(m).bankSize() > 0) {
        BoolVar below = model.newBoolVar("");
        Literal[] first = {in[i][m], in[j][m], below};
        Literal[] second = {in[i][m], in[j][m], below.not()};
        model.addLessThan(lastBankOf[i], bankOf[j]).onlyEnforceIf(first);
        model.addLessThan(lastBankOf[j], bankOf[i]).onlyEnforceIf(second);
      }
    }
  }

  private void addReuse() {
    if (objective.parts().stream().noneMatch(figure -> figure.goal() == Goal.REUSE)) {
      return;
    }
    for (int k = 0; k < paid.length; k++) {
      Relations.Reuse pair = problem.relations().reuse().get(k);
      int i = pair.first();
      int j = pair.second();
      if (!problem.isPayable(pair)) {
        continue;
      }
      paid[k] = model.newBoolVar("p" + k);
      BoolVar below = model.newBoolVar("");
      BoolVar above = model.newBoolVar("");
      order(i, problem.buffer(i).size(), j, 0, below);
      order(j, problem.buffer(j).size(), i, 0, above);
      different(i, j, below, above, paid[k]);
    }
  }

  private LinearExpr figure(Objective.Figure figure) {
    return switch (figure.goal()) {
      case PEAK -> LinearExpr.term(peak(figure.memory()), 1);
      case REUSE -> {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (int k = 0; k < paid.length; k++) {
          if (paid[k] != null) {
            sum.addTerm(paid[k], problem.relations().reuse().get(k).weight());
          }
        }
        yield sum.build();
      }
      case OVERFLOW -> overflow();
      case BANKS -> banks();
    };
  }

  private IntVar peak(int m) {
    IntVar peak = model.newIntVar(0, ceiling[m] / unit, "peak" + m);
    for (int i = 0; i < problem.size(); i++) {
      if (problem.allows(i, m) && problem.buffer(i).needsMemory()) {
        LinearExpr end =
            LinearExpr.newBuilder().add(offset[i]).add(problem.buffer(i).size() / unit).build();
        model.addGreaterOrEqual(peak, end).onlyEnforceIf(in[i][m]);
      }
    }
    return peak;
  }

  /** The objective knows the capacities, the problem has none then; see {@link Goal#OVERFLOW}. */
  private LinearExpr overflow() {
    LinearExprBuilder sum = LinearExpr.newBuilder();
    for (int m = 0; m < ceiling.length; m++) {
      Memory memory = objective.memories().get(m);
      if (memory.isBounded()) {
        IntVar over = model.newIntVar(0, ceiling[m] / unit, "over" + m);
        IntVar peak = peak(m);
        model.addGreaterOrEqual(
            LinearExpr.newBuilder().add(over).addTerm(peak, -1).build(),
            -(memory.capacity() / unit));
        sum.add(over);
      }
    }
    return sum.build();
  }

  /** Each bank that may be touched is a Boolean for each buffer. */
  private void checkBanks() {
    if (objective.indexOf(Goal.BANKS) < 0) {
      return;
    }
    long cells = 0;
    for (int m = 0; m < ceiling.length; m++) {
      long bank = problem.memories().get(m).bankSize();
      cells += bank > 0 ? Math.min(ceiling[m] / bank + 1, MOST_CELLS) * problem.size() : 0;
    }
    if (cells > MOST_CELLS) {
      throw new NotPlannableException(
          "pairs counts the touched banks one by one; with "
              + problem.size()
              + " buffers these are too many here");
    }
  }

  private LinearExpr banks() {
    LinearExprBuilder sum = LinearExpr.newBuilder();
    for (int m = 0; m < ceiling.length; m++) {
      long bank = problem.memories().get(m).bankSize();
      for (long k = 0; bank > 0 && k * bank < ceiling[m]; k++) {
        BoolVar used = model.newBoolVar("bank" + m + "_" + k);
        for (int i = 0; i < problem.size(); i++) {
          if (problem.allows(i, m) && problem.buffer(i).needsMemory()) {
            BoolVar before = model.newBoolVar("");
            Literal[] left = {in[i][m], used.not(), before};
            Literal[] right = {in[i][m], used.not(), before.not()};
            model.addLessThan(lastBankOf[i], k).onlyEnforceIf(left);
            model.addGreaterThan(bankOf[i], k).onlyEnforceIf(right);
          }
        }
        sum.add(used);
      }
    }
    return sum.build();
  }
}
