package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Op;
import stowage.rewrite.range.AxisRule;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.IndexMap;
import stowage.rewrite.range.PadForm;
import stowage.rewrite.range.Part;
import stowage.rewrite.range.Span;

/** Layout of the steps of one run in pieces; used once. */
final class RunWriter {
  private final RunModel run;
  private final RunModel.AxisPieces[] pieces;
  private final int[] counts = {1, 1};
  private final List<RunProgram.Value> values = new ArrayList<>();
  private final List<RunProgram.Step> steps = new ArrayList<>();
  private final Map<Integer, Integer> wholes = new HashMap<>();

  /** By tensor that leaves and piece the value that the piece contributes, -1 for none. */
  private final int[][] contributed;

  /** By op and dimension, how an uncut dimension is padded; worked out once. */
  private final Part[][] uncut;

  private final int[][] padded;
  private final int[] made;
  private final List<int[]> slices = new ArrayList<>();
  private final boolean tflite;
  private long macs;
  private long moved;

  RunWriter(RunModel run, RunModel.AxisPieces[] pieces) {
    this.run = run;
    this.pieces = pieces;
    this.tflite = AxisRules.isTflite(run.network);
    this.made = new int[run.tensors.size()];
    this.padded = new int[run.ops.length][];
    this.uncut = new Part[run.ops.length][];
    for (int a = 0; a < pieces.length; a++) {
      counts[a] = pieces[a].parts()[0].length;
    }
    this.contributed = new int[run.tensors.size()][counts[0] * counts[1]];
    for (int[] row : contributed) {
      Arrays.fill(row, -1);
    }
    for (int i = 0; i < run.ops.length; i++) {
      padded[i] = run.model.rules().padded(run.op(i));
      uncut[i] = new Part[run.tensors.get(run.results[i][0]).rank()];
      for (int dim : padded[i]) {
        uncut[i][dim] = axisOf(i, dim) < 0 ? whole(i, dim) : null;
      }
    }
  }

  /** How an op runs along a dimension that is not cut. */
  private Part whole(int i, int dim) {
    AxisRule rule = run.model.rule(run.ops[i], dim, run.pads);
    long out = run.tensors.get(run.results[i][0]).extent(dim);
    int input = 0;
    while (run.rules[0][i].dimension(input) < 0) {
      input++;
    }
    long in = run.tensors.get(run.operands[i][input]).extent(dim);
    Part whole = null;
    if (rule.barrier() == null) {
      whole =
          rule.map() instanceof IndexMap.Transposed turned
              ? turned.fed(Span.whole(in), Span.whole(out))
              : rule.map().part(Span.whole(out), in, out);
    }
    if (whole == null) { // not known, or not of the extents that the op makes
      List<Long> pads = run.op(i).integers("pads");
      boolean known = pads.size() == 2 * uncut[i].length;
      long before = known ? pads.get(dim) : 0;
      long after = known ? pads.get(dim + uncut[i].length) : 0;
      whole = new Part(Span.whole(in), Span.whole(out), before, after);
    }
    return whole;
  }

  private int axisOf(int i, int dim) {
    for (int a = 0; a < pieces.length; a++) {
      if (run.dims[a][run.results[i][0]] == dim) {
        return a;
      }
    }
    return -1;
  }

  RunProgram program(boolean topDown) {
    for (int r = 0; r < counts[0]; r++) {
      int row = topDown ? r : counts[0] - 1 - r;
      for (int c = 0; c < counts[1]; c++) {
        piece(row, topDown ? c : counts[1] - 1 - c);
      }
      for (int t = 0; t < made.length && counts[1] > 1; t++) {
        if (run.leaves[t]) {
          int first = row * counts[1];
          int[] parts = present(Arrays.copyOfRange(contributed[t], first, first + counts[1]));
          Arrays.fill(contributed[t], first, first + counts[1], -1);
          contributed[t][first] = parts.length == 0 ? -1 : joined(t, parts, 1, false);
        }
      }
    }
    for (int t = 0; t < made.length; t++) {
      if (run.leaves[t]) {
        joined(t, present(contributed[t]), 0, true);
      }
    }
    return new RunProgram(values, steps, macs, moved);
  }

  private static int[] present(int[] parts) {
    return Arrays.stream(parts).filter(part -> part >= 0).toArray();
  }

  private int add(int t, long[] begin, long[] end, int first, int last) {
    values.add(new RunProgram.Value(run.tensors.get(t), begin, end, first < 0, first, last));
    return values.size() - 1;
  }

  private long[] extents(int t) {
    return run.tensors.get(t).shape().stream().mapToLong(Long::longValue).toArray();
  }

  private int whole(int t) {
    return wholes.computeIfAbsent(
        t, absent -> add(t, new long[run.tensors.get(t).rank()], extents(t), -1, -1));
  }

  private void step(OpOrigin.Kind kind, int i, int piece, int[] reads, int[] writes, int dim) {
    steps.add(new RunProgram.Step(kind, run.ops[i], piece, reads, writes, dim, null, null, false));
    moved += values.get(writes[0]).bytes();
  }

  private void piece(int row, int column) {
    int[] at = {row, column};
    int piece = row * counts[1] + column;
    slices.clear();
    for (int i = 0; i < run.ops.length; i++) {
      int[] reads = new int[run.operands[i].length];
      for (int k = 0; k < reads.length; k++) {
        reads[k] = run.operands[i][k] < 0 ? -1 : operand(i, k, at, piece);
      }
      op(i, at, piece, reads);
    }
    for (int t = 0; t < made.length; t++) {
      if (run.leaves[t]) {
        contribute(t, at, piece);
      }
    }
  }

  private void contribute(int t, int[] at, int piece) {
    long[] begin = new long[run.tensors.get(t).rank()];
    long[] end = extents(t);
    for (int a = 0; a < pieces.length; a++) {
      Span owned = pieces[a].owned()[t][at[a]];
      if (owned == null) {
        return;
      }
      begin[run.dims[a][t]] = owned.begin();
      end[run.dims[a][t]] = owned.end();
    }
    contributed[t][piece] = region(t, begin, end, maker(t), piece);
  }

  private int maker(int t) {
    int i = 0;
    while (Arrays.stream(run.results[i]).noneMatch(result -> result == t)) {
      i++;
    }
    return i;
  }

  /** The value that an op of a piece reads: the tensor, the piece of it, or a slice of these. */
  private int operand(int i, int k, int[] at, int piece) {
    int t = run.operands[i][k];
    long[] begin = new long[run.tensors.get(t).rank()];
    long[] end = extents(t);
    for (int a = 0; a < pieces.length; a++) {
      int dim = run.rules[a][i].dimension(k);
      if (dim >= 0) {
        Span fed = pieces[a].parts()[i][at[a]].fed();
        begin[dim] = fed.begin();
        end[dim] = fed.end();
      }
    }
    return region(t, begin, end, i, piece);
  }

  /** A region of a tensor: what is there of it, or a slice of that; each slice once a piece. */
  private int region(int t, long[] begin, long[] end, int i, int piece) {
    int from = run.inner[t] ? made[t] : whole(t);
    if (values.get(from).isRegion(begin, end)) {
      return from;
    }
    for (int[] slice : slices) {
      if (slice[0] == t && values.get(slice[1]).isRegion(begin, end)) {
        return slice[1];
      }
    }
    int value = add(t, begin, end, piece, piece);
    slices.add(new int[] {t, value});
    step(OpOrigin.Kind.SLICE, i, piece, new int[] {from}, new int[] {value}, -1);
    return value;
  }

  private void op(int i, int[] at, int piece, int[] reads) {
    Op op = run.op(i);
    int rank = run.tensors.get(run.results[i][0]).rank();
    long[] before = new long[rank];
    long[] after = new long[rank];
    Part[] parts = new Part[rank];
    boolean pads = false;
    boolean cut = false;
    for (int dim : padded[i]) {
      int a = axisOf(i, dim);
      cut |= a >= 0;
      parts[dim] = a < 0 ? uncut[i][dim] : pieces[a].parts()[i][at[a]];
      before[dim] = parts[dim].before();
      after[dim] = parts[dim].after();
      pads |= before[dim] != 0 || after[dim] != 0;
    }
    boolean transposed = AxisRules.isTransposed(op);
    boolean valid = tflite && transposed && cut;
    if (run.model.rules().isSame(op)
        && !transposed
        && run.pads == PadForm.PAD
        && !AxisRules.isPool(op)
        && !isExact(i, parts)) {
      valid = true;
      if (pads) {
        reads[0] = padded(i, reads[0], before, after, piece);
      }
    }
    int[] writes = new int[run.results[i].length];
    for (int k = 0; k < writes.length; k++) {
      int t = run.results[i][k];
      long[] begin = new long[rank];
      long[] end = extents(t);
      for (int dim = 0; dim < rank; dim++) {
        int a = axisOf(i, dim);
        Part part = a >= 0 ? pieces[a].parts()[i][at[a]] : valid ? parts[dim] : null;
        if (part != null) {
          begin[dim] = part.computed().begin();
          end[dim] = part.computed().end();
        }
      }
      made[t] = add(t, begin, end, piece, piece);
      writes[k] = made[t];
    }
    boolean own = cut && (!tflite || padded[i].length == rank);
    long[] front = own ? before : null;
    long[] behind = own ? after : null;
    steps.add(
        new RunProgram.Step(
            OpOrigin.Kind.PIECE, run.ops[i], piece, reads, writes, -1, front, behind, valid));
    MacCount.Basis basis = MacCount.basis(run.network, op);
    if (basis != null) {
      int counted = basis.operand() < 0 ? writes[0] : reads[basis.operand()];
      macs += values.get(counted).elements() * basis.each();
    }
  }

  /** Whether padding SAME, worked out from the piece's own rows, is just what it needs. */
  private boolean isExact(int i, Part[] parts) {
    for (int dim : padded[i]) {
      int a = axisOf(i, dim);
      if (a >= 0 && run.rules[a][i].map() instanceof IndexMap.Window window) {
        long out = run.tensors.get(run.results[i][0]).extent(dim);
        Part same = window.same().part(parts[dim].computed(), run.fedExtent(a, i), out);
        if (!parts[dim].sameAs(same)) {
          return false;
        }
      }
    }
    return true;
  }

  private int padded(int i, int from, long[] before, long[] after, int piece) {
    RunProgram.Value read = values.get(from);
    long[] begin = read.begin().clone();
    long[] end = read.end().clone();
    for (int dim = 0; dim < begin.length; dim++) {
      begin[dim] -= before[dim];
      end[dim] += after[dim];
    }
    int[] reads = {from};
    int[] writes = {add(run.operands[i][0], begin, end, piece, piece)};
    steps.add(
        new RunProgram.Step(
            OpOrigin.Kind.PAD, run.ops[i], piece, reads, writes, -1, before, after, false));
    moved += values.get(writes[0]).bytes();
    return writes[0];
  }

  /** Puts parts of a tensor together along an axis, over a tree where they are many. */
  private int joined(int t, int[] parts, int a, boolean all) {
    int most = tflite ? SplitModel.TFLITE_OPERANDS : Integer.MAX_VALUE;
    int[] level = parts;
    while (level.length > most) {
      int groups = (level.length + most - 1) / most;
      int[] next = new int[groups];
      for (int g = 0; g < groups; g++) {
        int from = (int) ((long) g * level.length / groups);
        int to = (int) ((long) (g + 1) * level.length / groups);
        next[g] = concatenated(t, Arrays.copyOfRange(level, from, to), a, false);
      }
      level = next;
    }
    return level.length == 1 && !all ? level[0] : concatenated(t, level, a, all);
  }

  private int concatenated(int t, int[] parts, int a, boolean all) {
    RunProgram.Value first = values.get(parts[0]);
    RunProgram.Value last = values.get(parts[parts.length - 1]);
    int value =
        all
            ? whole(t)
            : add(t, first.begin().clone(), last.end().clone(), first.first(), last.last());
    step(OpOrigin.Kind.CONCAT, maker(t), -1, parts, new int[] {value}, run.dims[a][t]);
    return value;
  }
}
