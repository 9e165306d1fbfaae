package stowage.exact.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Rounding;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * The least change of a problem's buffers after which they fit into its capacity: the fewest bytes
 * that sizes shrink by in all, or the fewest bytes of buffers that move to another memory.
 *
 * <p><b>Model.</b> An offset for each buffer, a multiple of its alignment; of two buffers that may
 * not share bytes one ends before the other begins. To shrink, each size is a variable from 0 to
 * what it is, and the sum of what is taken off is least; at every step the sizes alive fit into the
 * capacity, which the solver's relaxation needs. To move, each buffer has a literal for being
 * elsewhere, which frees it from all else, and the sum of the bytes of those is least. All figures
 * are in units of their greatest common divisor, the capacity's too where sizes may shrink: for
 * given sides of all pairs the rest is a system of differences, so a best solution in units is a
 * best one.
 *
 * <p>What is found is verified. That no less is enough is CP-SAT's word. O(pairs) literals.
 */
public final class CpSatLeastChange {
  private static final int MOST_PAIRS = 30_000;

  /** What may be changed. */
  public enum Kind {
    /** Sizes become smaller. */
    SHRINK,
    /** Buffers move to another memory. */
    MOVE
  }

  /**
   * A change after which the buffers fit.
   *
   * @param kind what is changed
   * @param bytes by which sizes shrink, or that move, in all
   * @param lowerBound no change of the kind with fewer bytes is enough
   * @param sizes the bytes that each buffer keeps in the memory, by index
   */
  public record Change(Kind kind, long bytes, long lowerBound, long[] sizes) {
    /** Whether no smaller change is enough. */
    public boolean isLeast() {
      return bytes == lowerBound;
    }
  }

  private final PackingProblem problem;
  private final Kind kind;
  private final CpModel model = new CpModel();
  private final long unit;
  private final long capacity;
  private final IntVar[] offset;
  private final IntVar[] size;
  private final BoolVar[] gone;

  private CpSatLeastChange(PackingProblem problem, Kind kind) {
    this.problem = problem;
    this.kind = kind;
    int n = problem.size();
    long bytes = problem.memories().get(0).capacity();
    long common = kind == Kind.SHRINK ? bytes : 0;
    for (int i = 0; i < n; i++) {
      Buffer buffer = problem.buffer(i);
      common = Rounding.gcd(common, buffer.size());
      common = Rounding.gcd(common, problem.alignment(i, 0) == 1 ? 0 : problem.alignment(i, 0));
      common = Rounding.gcd(common, buffer.isFixed() ? buffer.fixedOffset() : 0);
    }
    this.unit = Math.max(1, common);
    this.capacity = bytes / unit;
    this.offset = new IntVar[n];
    this.size = new IntVar[n];
    this.gone = new BoolVar[n];
  }

  /**
   * The least change of a kind, or the best found until the run is stopped; empty where none was
   * found, or where the problem has several memories, no capacity, more pairs than the model is
   * for, or says more than live ranges, conflicts, alignments and given offsets.
   *
   * @param problem with the capacity that cannot be met
   */
  public static Optional<Change> of(PackingProblem problem, Kind kind, RunControl control) {
    if (!isKnown(problem)) {
      return Optional.empty();
    }
    NativeLibraries.load();
    CpSatLeastChange change = new CpSatLeastChange(problem, kind);
    if (!change.build()) {
      return Optional.empty();
    }
    CpSatRun.Result result = CpSatRun.solve(change.model, control, Double.MAX_VALUE);
    return result.hasSolution() ? Optional.of(change.read(result)) : Optional.empty();
  }

  private static boolean isKnown(PackingProblem problem) {
    Memory memory = problem.memories().get(0);
    return problem.memories().size() == 1
        && memory.capacity() != Memory.UNBOUNDED
        && problem.isPlain()
        && problem.buffers().stream().noneMatch(b -> b.hasWindows() || b.withinBank());
  }

  private boolean build() {
    int n = problem.size();
    LinearExprBuilder price = LinearExpr.newBuilder();
    for (int i = 0; i < n; i++) {
      Buffer buffer = problem.buffer(i);
      long whole = buffer.needsMemory() ? buffer.size() / unit : 0;
      if (buffer.isFixed()) {
        offset[i] = model.newConstant(buffer.fixedOffset() / unit);
      } else {
        long step = Math.max(1, problem.alignment(i, 0) / unit);
        IntVar multiple = model.newIntVar(0, Math.max(0, capacity / step), "k" + i);
        offset[i] = model.newIntVar(0, capacity, "x" + i);
        model.addEquality(offset[i], LinearExpr.term(multiple, step));
      }
      gone[i] = model.newBoolVar("g" + i);
      if (kind == Kind.MOVE) {
        size[i] = model.newConstant(whole);
        price.addTerm(gone[i], whole);
      } else {
        size[i] = model.newIntVar(0, whole, "s" + i);
        price.addTerm(size[i], -1).add(whole);
        model.addEquality(size[i], 0).onlyEnforceIf(gone[i]);
      }
      LinearExpr end = LinearExpr.sum(new IntVar[] {offset[i], size[i]});
      model.addLessOrEqual(end, capacity).onlyEnforceIf(gone[i].not());
    }
    int pairs = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        if (problem.meet(i, j) || problem.conflicts().contains(i, j)) {
          pairs++;
          apart(i, j);
        }
      }
      if (pairs > MOST_PAIRS) {
        return false;
      }
    }
    addLoads();
    model.minimize(price.build());
    return true;
  }

  private void apart(int i, int j) {
    Literal below = model.newBoolVar("b" + i + "_" + j);
    Literal above = model.newBoolVar("a" + i + "_" + j);
    model
        .addLessOrEqual(LinearExpr.sum(new IntVar[] {offset[i], size[i]}), offset[j])
        .onlyEnforceIf(below);
    model
        .addLessOrEqual(LinearExpr.sum(new IntVar[] {offset[j], size[j]}), offset[i])
        .onlyEnforceIf(above);
    model.addBoolOr(new Literal[] {below, above, gone[i], gone[j]});
  }

  /** At every step what is alive and stays fits into the capacity. */
  private void addLoads() {
    TreeSet<Integer> starts = new TreeSet<>();
    problem.buffers().forEach(b -> b.spans().forEach(span -> starts.add(span.start())));
    for (int step : starts) {
      LinearExprBuilder load = LinearExpr.newBuilder();
      long most = 0;
      for (int i = 0; i < problem.size(); i++) {
        long bytes = problem.buffer(i).needsMemory() ? problem.buffer(i).bytesAt(step) / unit : 0;
        most += bytes;
        if (bytes > 0 && kind == Kind.MOVE) {
          load.addTerm(gone[i], -bytes).add(bytes);
        } else if (bytes > 0) {
          load.add(size[i]);
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
    long[] offsets = new long[n];
    long bytes = 0;
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      boolean out = kind == Kind.MOVE && result.solver().booleanValue(gone[i]);
      sizes[i] = out ? 0 : result.solver().value(size[i]) * unit;
      offsets[i] = result.solver().value(offset[i]) * unit;
      bytes += problem.buffer(i).needsMemory() ? problem.buffer(i).size() - sizes[i] : 0;
      if (sizes[i] > 0) {
        kept.add(i);
      }
    }
    int[] stays = kept.stream().mapToInt(Integer::intValue).toArray();
    PackingProblem part = problem.select(stays);
    List<Buffer> smaller = new ArrayList<>();
    for (int k = 0; k < stays.length; k++) {
      smaller.add(part.buffer(k).withSize(sizes[stays[k]]));
    }
    Placement placement = Placement.of(Arrays.stream(stays).mapToLong(i -> offsets[i]).toArray());
    PackingProblem changed = part.withBuffers(smaller);
    if (!Verifier.violations(changed, placement).isEmpty()) {
      throw new IllegalStateException(
          "the least change does not fit: " + Verifier.violations(changed, placement).get(0));
    }
    long bound = Math.min(bytes, Math.max(1, result.bound(0) * unit));
    return new Change(kind, bytes, bound, sizes);
  }
}
