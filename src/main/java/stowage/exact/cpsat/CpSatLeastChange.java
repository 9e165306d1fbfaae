package stowage.exact.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearArgument;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.Rounding;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * The least change of a problem's buffers after which they fit into its memories: the fewest bytes
 * that sizes shrink by in all, or the fewest bytes of buffers that move to a memory beyond.
 *
 * <p><b>Model.</b> Each buffer is in one of its memories, or gone; there its offset is a multiple
 * of its alignment, and it keeps out of reserved ranges and, where it must, of borders between
 * banks. Of two buffers in one memory that may not share bytes one ends before the other begins,
 * window by window where they have windows. Buffers kept together, and in other banks, are so
 * unless one is gone. To shrink, each size is a variable from 0 to what it is, windows are cut off
 * where the size ends, and the sum of what is taken off is least; a buffer of size 0 is gone. To
 * move, each size is as it is or gone, and the sum of the bytes gone is least. All figures are in
 * units of their greatest common divisor, the capacities too where sizes may shrink: for given
 * sides of all pairs the rest is a system of differences, so a best solution in units is a best
 * one. At every step the sizes alive fit into the capacities, which the solver's relaxation needs.
 *
 * <p>What is found is verified. That no less is enough is CP-SAT's word. O(pairs) literals.
 */
public final class CpSatLeastChange {
  private static final int MOST_PAIRS = 30_000;

  /** What may be changed. */
  public enum Kind {
    SHRINK,
    MOVE
  }

  /**
   * A change after which the buffers fit.
   *
   * @param bytes by which sizes shrink, or that move, in all
   * @param lowerBound no change of the kind with fewer bytes is enough
   * @param sizes the bytes that each buffer keeps in the memories, by index
   */
  public record Change(long bytes, long lowerBound, long[] sizes) {}

  private final PackingProblem problem;
  private final Kind kind;
  private final CpModel model = new CpModel();
  private final long unit;
  private final long ceiling;
  private final IntVar[] offset;
  private final IntVar[] size;
  private final BoolVar[] gone;

  /** By buffer and memory whether it is there; null where it may not be. */
  private final BoolVar[][] in;

  private int pairs;

  private CpSatLeastChange(PackingProblem problem, Kind kind) {
    this.problem = problem;
    this.kind = kind;
    int n = problem.size();
    this.unit = Math.max(1, commonUnit());
    long highest = 0;
    long unbounded = 0;
    for (Buffer buffer : problem.buffers()) {
      unbounded += buffer.size() + Math.max(0, buffer.fixedOffset());
    }
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      highest = Math.max(highest, memory.isBounded() ? memory.capacity() : 0);
      for (ReservedRange range : memory.reserved()) {
        unbounded += range.to();
      }
      for (int i = 0; i < n; i++) {
        unbounded += problem.alignment(i, m) + memory.bankSize();
      }
    }
    boolean bounded = problem.memories().stream().allMatch(Memory::isBounded);
    this.ceiling = (bounded ? highest : Math.max(highest, unbounded)) / unit;
    this.offset = new IntVar[n];
    this.size = new IntVar[n];
    this.gone = new BoolVar[n];
    this.in = new BoolVar[n][problem.memories().size()];
  }

  private long commonUnit() {
    long common = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      common = Rounding.gcd(common, memory.bankSize());
      common =
          kind == Kind.SHRINK && memory.isBounded()
              ? Rounding.gcd(common, memory.capacity())
              : common;
      for (ReservedRange range : memory.reserved()) {
        common = Rounding.gcd(Rounding.gcd(common, range.from()), range.to());
      }
      for (int i = 0; i < problem.size(); i++) {
        long alignment = mayBeIn(i, m) ? problem.alignment(i, m) : 1;
        common = alignment == 1 ? common : Rounding.gcd(common, alignment);
      }
    }
    for (Buffer buffer : problem.buffers()) {
      common = Rounding.gcd(common, buffer.size());
      common = buffer.isFixed() ? Rounding.gcd(common, buffer.fixedOffset()) : common;
      for (Buffer.Span span : buffer.spans()) {
        common = Rounding.gcd(Rounding.gcd(common, span.low()), span.high());
      }
    }
    for (Relations.Together pair : problem.relations().together()) {
      common = Rounding.gcd(common, Math.abs(pair.distance()));
    }
    return common;
  }

  /**
   * The least change of a kind, or the best found until the run is stopped; empty where none was
   * found, where no memory has a capacity, or where the model would have too many pairs.
   *
   * @param problem with the capacity that cannot be met
   */
  public static Optional<Change> of(PackingProblem problem, Kind kind, RunControl control) {
    if (problem.memories().stream().noneMatch(Memory::isBounded)) {
      return Optional.empty();
    }
    NativeLibraries.load();
    CpSatLeastChange change = new CpSatLeastChange(problem, kind);
    if (!change.build(control)) {
      return Optional.empty();
    }
    CpSatRun.Result result = CpSatRun.solve(change.model, control, Double.MAX_VALUE);
    return result.hasSolution() ? Optional.of(change.read(result)) : Optional.empty();
  }

  /** Whether the model is whole; else there are too many pairs, or the run is to stop. */
  private boolean build(RunControl control) {
    int n = problem.size();
    LinearExprBuilder price = LinearExpr.newBuilder();
    for (int i = 0; i < n; i++) {
      addBuffer(i, price);
      for (int m = 0; m < in[i].length; m++) {
        if (in[i][m] != null) {
          confine(i, m);
        }
      }
    }
    for (int i = 0; i < n && !control.isStopped(); i++) {
      for (int j = 0; j < i && pairs <= MOST_PAIRS; j++) {
        if (problem.conflicts().contains(i, j)) {
          apart(i, j, whole(i), whole(j));
        } else if (problem.meet(i, j)) {
          addSpans(i, j);
        }
        if (problem.relations().otherBank().contains(i, j)) {
          inOtherBanks(i, j);
        }
      }
    }
    for (Relations.Together pair : problem.relations().together()) {
      keepTogether(pair);
    }
    if (problem.relations().constrainNothing()) {
      addLoads(control);
    }
    model.minimize(price.build());
    return pairs <= MOST_PAIRS && !control.isStopped();
  }

  private void addBuffer(int i, LinearExprBuilder price) {
    Buffer buffer = problem.buffer(i);
    long whole = buffer.needsMemory() ? buffer.size() / unit : 0;
    offset[i] =
        buffer.isFixed()
            ? model.newConstant(buffer.fixedOffset() / unit)
            : model.newIntVar(0, ceiling, "x" + i);
    gone[i] = model.newBoolVar("g" + i);
    List<Literal> places = new ArrayList<>(List.of(gone[i]));
    for (int m = 0; m < in[i].length; m++) {
      if (mayBeIn(i, m)) {
        in[i][m] = model.newBoolVar("in" + i + "_" + m);
        places.add(in[i][m]);
      }
    }
    model.addExactlyOne(places);
    if (kind == Kind.MOVE) {
      size[i] = model.newConstant(whole);
      price.addTerm(gone[i], whole);
    } else {
      size[i] = model.newIntVar(0, whole, "s" + i);
      price.addTerm(size[i], -1).add(whole);
      model.addEquality(size[i], 0).onlyEnforceIf(gone[i]);
    }
  }

  /** Whether a buffer may be in a memory; one that shrinks also where it is too large for banks. */
  private boolean mayBeIn(int i, int m) {
    List<String> names = problem.buffer(i).memories();
    return kind == Kind.MOVE
        ? problem.allows(i, m)
        : names.isEmpty() || names.contains(problem.memories().get(m).name());
  }

  private void confine(int i, int m) {
    Memory memory = problem.memories().get(m);
    Buffer buffer = problem.buffer(i);
    BoolVar here = in[i][m];
    long most = memory.isBounded() ? memory.capacity() / unit : ceiling;
    model.addLessOrEqual(end(i), most).onlyEnforceIf(here);
    long step = Math.max(1, problem.alignment(i, m) / unit);
    if (step > 1 && !buffer.isFixed()) {
      IntVar multiple = model.newIntVar(0, ceiling / step, "k" + i + "_" + m);
      model.addEquality(offset[i], LinearExpr.term(multiple, step)).onlyEnforceIf(here);
    }
    if (!buffer.needsMemory()) {
      return;
    }
    long bank = memory.bankSize() / unit;
    if (buffer.withinBank() && bank > 0) {
      IntVar number = model.newIntVar(0, ceiling / bank, "bank" + i + "_" + m);
      LinearExpr first = LinearExpr.term(number, bank);
      model.addGreaterOrEqual(offset[i], first).onlyEnforceIf(here);
      LinearExpr next = LinearExpr.newBuilder().addTerm(number, bank).add(bank).build();
      model.addLessOrEqual(end(i), next).onlyEnforceIf(here);
    }
    for (ReservedRange range : memory.reserved()) {
      Literal below = model.newBoolVar("");
      Literal above = model.newBoolVar("");
      model.addLessOrEqual(end(i), range.from() / unit).onlyEnforceIf(below);
      model.addGreaterOrEqual(offset[i], range.to() / unit).onlyEnforceIf(above);
      model.addBoolOr(new Literal[] {below, above, here.not()});
    }
  }

  private LinearExpr end(int i) {
    return LinearExpr.sum(new IntVar[] {offset[i], size[i]});
  }

  /**
   * Bytes of a buffer that are taken together.
   *
   * @param none holds only where its size leaves none of them; null where it is never so
   */
  private record Stretch(LinearArgument low, LinearArgument high, Literal none) {}

  private Stretch whole(int i) {
    return new Stretch(offset[i], end(i), null);
  }

  private Stretch stretch(int i, Buffer.Span span) {
    if (span.low() == 0 && span.high() == problem.buffer(i).size()) {
      return whole(i);
    }
    long low = span.low() / unit;
    long high = span.high() / unit;
    LinearExpr bottom = LinearExpr.newBuilder().add(offset[i]).add(low).build();
    if (kind == Kind.MOVE) {
      return new Stretch(bottom, LinearExpr.newBuilder().add(offset[i]).add(high).build(), null);
    }
    IntVar top = model.newIntVar(0, high, "");
    model.addMinEquality(top, new LinearArgument[] {size[i], LinearExpr.constant(high)});
    BoolVar none = model.newBoolVar("");
    model.addLessOrEqual(size[i], low).onlyEnforceIf(none);
    return new Stretch(bottom, LinearExpr.sum(new IntVar[] {offset[i], top}), none);
  }

  private void addSpans(int i, int j) {
    for (Buffer.Span a : problem.buffer(i).spans()) {
      for (Buffer.Span b : problem.buffer(j).spans()) {
        if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())) {
          apart(i, j, stretch(i, a), stretch(j, b));
        }
      }
    }
  }

  /** In every memory that both may be in, one of two stretches ends before the other begins. */
  private void apart(int i, int j, Stretch one, Stretch other) {
    pairs++;
    List<Literal> either = new ArrayList<>(List.of(model.newBoolVar(""), model.newBoolVar("")));
    model.addLessOrEqual(one.high(), other.low()).onlyEnforceIf(either.get(0));
    model.addLessOrEqual(other.high(), one.low()).onlyEnforceIf(either.get(1));
    for (Literal none : Arrays.asList(one.none(), other.none())) {
      if (none != null) {
        either.add(none);
      }
    }
    inOneMemory(i, j, either);
  }

  /** One of some literals holds in every memory where two buffers both are. */
  private void inOneMemory(int i, int j, List<Literal> either) {
    for (int m = 0; m < in[i].length; m++) {
      if (in[i][m] != null && in[j][m] != null) {
        List<Literal> clause = new ArrayList<>(either);
        clause.add(in[i][m].not());
        clause.add(in[j][m].not());
        model.addBoolOr(clause);
      }
    }
  }

  private void inOtherBanks(int i, int j) {
    for (int m = 0; m < in[i].length; m++) {
      long bank = problem.memories().get(m).bankSize() / unit;
      if (bank > 0 && in[i][m] != null && in[j][m] != null) {
        IntVar border = model.newIntVar(0, ceiling / bank + 1, "");
        LinearExpr at = LinearExpr.term(border, bank);
        Literal below = model.newBoolVar("");
        Literal above = model.newBoolVar("");
        model.addLessOrEqual(end(i), at).onlyEnforceIf(below);
        model.addGreaterOrEqual(offset[j], at).onlyEnforceIf(below);
        model.addLessOrEqual(end(j), at).onlyEnforceIf(above);
        model.addGreaterOrEqual(offset[i], at).onlyEnforceIf(above);
        model.addBoolOr(new Literal[] {below, above, in[i][m].not(), in[j][m].not()});
      }
    }
  }

  private void keepTogether(Relations.Together pair) {
    int i = pair.first();
    int j = pair.second();
    Literal[] both = {gone[i].not(), gone[j].not()};
    LinearExpr there = LinearExpr.newBuilder().add(offset[i]).add(pair.distance() / unit).build();
    model.addEquality(offset[j], there).onlyEnforceIf(both);
    for (int m = 0; m < in[i].length; m++) {
      if (in[i][m] != null && in[j][m] != null) {
        model.addEquality(in[i][m], in[j][m]).onlyEnforceIf(both);
      } else if (in[i][m] != null) {
        model.addBoolOr(new Literal[] {in[i][m].not(), gone[j]});
      } else if (in[j][m] != null) {
        model.addBoolOr(new Literal[] {in[j][m].not(), gone[i]});
      }
    }
  }

  /** At every step what is alive and stays fits into the capacities, where all have one. */
  private void addLoads(RunControl control) {
    if (!problem.memories().stream().allMatch(Memory::isBounded)) {
      return;
    }
    long capacity =
        problem.memories().stream()
            .mapToLong(m -> m.capacity() / unit)
            .reduce(0, (sum, one) -> Math.min(Long.MAX_VALUE / 2, sum + one));
    TreeSet<Integer> starts = new TreeSet<>();
    problem.buffers().forEach(b -> b.spans().forEach(span -> starts.add(span.start())));
    for (int step : starts) {
      if (control.isStopped()) {
        return;
      }
      LinearExprBuilder load = LinearExpr.newBuilder();
      long most = 0;
      for (int i = 0; i < problem.size(); i++) {
        Buffer buffer = problem.buffer(i);
        long bytes = buffer.needsMemory() ? buffer.bytesAt(step) / unit : 0;
        if (bytes > 0 && kind == Kind.MOVE) {
          load.addTerm(gone[i], -bytes).add(bytes);
          most += bytes;
        } else if (bytes > 0 && bytes == buffer.size() / unit) {
          load.add(size[i]);
          most += bytes;
        }
      }
      if (most > capacity) {
        model.addLessOrEqual(load.build(), capacity);
      }
    }
  }

  private Change read(CpSatRun.Result result) {
    int n = problem.size();
    long[] sizes = new long[n];
    long bytes = 0;
    for (int i = 0; i < n; i++) {
      boolean out = result.solver().booleanValue(gone[i]);
      sizes[i] = out ? 0 : result.solver().value(size[i]) * unit;
      bytes += problem.buffer(i).needsMemory() ? problem.buffer(i).size() - sizes[i] : 0;
    }
    int[] stays = IntStream.range(0, n).filter(i -> sizes[i] > 0).toArray();
    long[] offsets =
        Arrays.stream(stays).mapToLong(i -> result.solver().value(offset[i]) * unit).toArray();
    int[] memories = Arrays.stream(stays).map(i -> memory(result, i)).toArray();
    PackingProblem part = problem.select(stays);
    PackingProblem changed =
        part.withBuffers(
            IntStream.range(0, stays.length)
                .mapToObj(k -> shrunk(part.buffer(k), sizes[stays[k]]))
                .toList());
    Placement placement = Placement.of(offsets, memories);
    if (!Verifier.violations(changed, placement).isEmpty()) {
      throw new IllegalStateException(
          "the least change does not fit: " + Verifier.violations(changed, placement).get(0));
    }
    long bound = Math.min(bytes, Math.max(1, result.bound(0) * unit));
    return new Change(bytes, bound, sizes);
  }

  private int memory(CpSatRun.Result result, int i) {
    int m = 0;
    while (in[i][m] == null || !result.solver().booleanValue(in[i][m])) {
      m++;
    }
    return m;
  }

  static Buffer shrunk(Buffer buffer, long size) {
    List<Gap> gaps = new ArrayList<>();
    for (Gap gap : buffer.gaps()) {
      LiveRange steps = gap.range();
      boolean left = gap.hasWindow() && gap.windowStart() < size;
      gaps.add(
          left
              ? new Gap(steps, gap.windowStart(), Math.min(size, gap.windowEnd()))
              : Gap.empty(steps.start(), steps.end()));
    }
    return buffer.withGaps(gaps).withSize(size);
  }
}
