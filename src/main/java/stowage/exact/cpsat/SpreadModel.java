package stowage.exact.cpsat;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import stowage.exact.presolve.Component;
import stowage.packing.Rounding;

/**
 * The ways to spread a part's buffers over its memories, as CP-SAT sees them: by loads, without
 * offsets.
 *
 * <p>One literal says that a buffer is in a memory. At every section the loads of a memory stay
 * within its ceiling. Where all that may be there starts at multiples of a figure a, loads count in
 * cells of a bytes: they may be one more than the ceiling has where some buffer there could be the
 * highest, since it needs no more of its last cell than the ceiling leaves. Sets of buffers that
 * are known not to fit are left out ({@link Refusal}). So every placement within the ceilings
 * spreads the buffers in a way of the model, and where it has none there is no placement.
 */
final class SpreadModel {
  /**
   * Buffers that no placement puts into a memory together within a ceiling.
   *
   * @param exchanges for each of them those that could take its place for no less: itself first. No
   *     buffer is in two of these sets
   */
  record Refusal(int memory, long ceiling, List<int[]> exchanges) {}

  private final Component part;
  private final long[] ceilings;
  private final CpModel model = new CpModel();
  private final Literal[][] in;

  /** A model under ceilings of each memory, in units. */
  SpreadModel(Component part, long[] ceilings, List<Refusal> refusals) {
    this.part = part;
    this.ceilings = ceilings;
    this.in = new Literal[part.count()][part.memories()];
    for (int i = 0; i < part.count(); i++) {
      choose(i);
    }
    int[] owner = part.spanOwners();
    int[][] spans = part.spansBySection();
    for (int m = 0; m < part.memories(); m++) {
      for (int[] alive : spans) {
        limit(m, alive, owner);
      }
    }
    for (Refusal refusal : refusals) {
      for (int m = 0; m < part.memories(); m++) {
        if (ceilings[m] <= refusal.ceiling && isNoEasier(m, refusal.memory)) {
          refuse(m, refusal);
        }
      }
    }
  }

  CpModel model() {
    return model;
  }

  void hint(int[] places) {
    for (int i = 0; i < in.length; i++) {
      for (int m = 0; Long.bitCount(part.allowed(i)) > 1 && m < part.memories(); m++) {
        if (in[i][m] != null) {
          model.addHint(in[i][m], places[i] == m);
        }
      }
    }
  }

  int[] places(CpSolver solver) {
    int[] places = new int[in.length];
    for (int i = 0; i < places.length; i++) {
      for (int m = 0; m < part.memories(); m++) {
        if (in[i][m] != null && solver.booleanValue(in[i][m])) {
          places[i] = m;
        }
      }
    }
    return places;
  }

  private void choose(int i) {
    List<Literal> choices = new ArrayList<>();
    for (int m = 0; m < part.memories(); m++) {
      long lowest = part.allows(i, m) ? part.roundUp(i, m, 0) : -1;
      if (lowest >= 0 && lowest <= ceilings[m] - part.sizes()[i]) {
        in[i][m] = model.newBoolVar("");
        choices.add(in[i][m]);
      }
    }
    model.addExactlyOne(choices);
  }

  /** Keeps the load of some spans within a memory's ceiling. */
  private void limit(int m, int[] alive, int[] owner) {
    long cell = 0;
    long sum = 0;
    for (int span : alive) {
      int i = owner[span];
      if (in[i][m] != null) {
        long fixed = part.fixedOffsets()[i];
        long start = fixed >= 0 ? fixed : part.alignment(i, m);
        cell = Rounding.gcd(Rounding.gcd(cell, start), part.spanLows()[span]);
        sum += height(span);
      }
    }
    if (sum == 0) {
      return;
    }
    cell = cell == 0 ? 1 : cell;
    long cells = Math.floorDiv(ceilings[m], cell);
    long rest = Math.floorMod(ceilings[m], cell);
    LinearExprBuilder load = LinearExpr.newBuilder();
    List<Literal> highest = new ArrayList<>();
    long all = 0;
    for (int span : alive) {
      int i = owner[span];
      if (in[i][m] != null) {
        long height = (height(span) + cell - 1) / cell;
        load.addTerm(in[i][m], height);
        all += height;
        if (height(span) - (height - 1) * cell <= rest) {
          highest.add(in[i][m]);
        }
      }
    }
    if (all > cells && !highest.isEmpty()) {
      Literal more = model.newBoolVar("");
      highest.add(more.not());
      model.addBoolOr(highest);
      load.addTerm(more, -1);
    }
    if (all > cells) {
      model.addLessOrEqual(load, cells);
    }
  }

  private long height(int span) {
    return part.spanHighs()[span] - part.spanLows()[span];
  }

  /** Whether what does not fit into a memory does not fit into another of the same height. */
  private boolean isNoEasier(int m, int known) {
    boolean same = m == known || part.bankSize(m) == part.bankSize(known);
    for (int i = 0; same && m != known && i < part.count(); i++) {
      same =
          in[i][m] == null
              || part.allows(i, known) && part.alignment(i, m) % part.alignment(i, known) == 0;
    }
    return same;
  }

  private void refuse(int m, Refusal refusal) {
    List<Literal> outside = new ArrayList<>();
    for (int[] exchange : refusal.exchanges) {
      List<Literal> inside =
          Arrays.stream(exchange).mapToObj(i -> in[i][m]).filter(Objects::nonNull).toList();
      if (inside.isEmpty()) {
        return;
      }
      if (inside.size() == 1) {
        outside.add(inside.get(0).not());
      } else {
        Literal any = model.newBoolVar("");
        inside.forEach(literal -> model.addImplication(literal, any));
        outside.add(any.not());
      }
    }
    model.addBoolOr(outside);
  }
}
