package stowage.rewrite;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.IndexMap;
import stowage.rewrite.range.PadForm;
import stowage.rewrite.range.Part;
import stowage.rewrite.range.Span;

/**
 * What a run takes in pieces, from the ranges along each axis alone: compute exactly, bytes nearly.
 * Much quicker than to lay out its steps, so that those of most cuts need not be.
 */
public final class RunTiles {
  private final RunModel run;

  /** By tensor the bytes of the whole. */
  private final long[] bytes;

  /** By tensor what it takes as a source; 0 where it is kept elsewhere. */
  private final long[] taken;

  /** Whether slices along the first axis show their source, and pieces are made in the result. */
  private final boolean contiguous;

  /** By op its compute as a whole, and how products follow from shapes; null for none. */
  private final long[] whole;

  private final MacCount.Basis[] basis;

  /** By tensor that the run makes the op that does. */
  private final int[] maker;

  /** By op what the run makes before it and reads after it alone. */
  private final int[][] held;

  /** The last op that reads a source. */
  private final int lastReading;

  /** By op whether an op of its own may pad its pieces. */
  private final boolean[] mayPad;

  /** By op how much larger it gets by what is padded along dimensions that are not cut. */
  private final double[] wider;

  private final List<Map<AxisSplit, Axis>> known = List.of(new HashMap<>(), new HashMap<>());

  /**
   * How pieces run along an axis.
   *
   * @param same by op and piece whether padding SAME does what is needed
   * @param share by op what all pieces compute, see {@link #share}
   */
  private record Axis(
      int number, Part[][] parts, RunModel.AxisPieces pieces, boolean[][] same, double[] share) {}

  /**
   * Looks at a run.
   *
   * @param compute what an op takes as a whole
   * @param taken what a source takes; 0 where it is kept elsewhere
   * @param contiguous whether slices along the first axis show their source, and pieces are made in
   *     their place in the result
   */
  public RunTiles(
      RunModel run, ToLongFunction<Op> compute, ToLongFunction<Tensor> taken, boolean contiguous) {
    this.run = run;
    this.bytes = run.tensors.stream().mapToLong(Tensor::bytes).toArray();
    this.taken = run.tensors.stream().mapToLong(taken).toArray();
    this.contiguous = contiguous;
    this.whole = new long[run.ops.length];
    this.basis = new MacCount.Basis[run.ops.length];
    this.mayPad = new boolean[run.ops.length];
    this.wider = new double[run.ops.length];
    this.maker = new int[run.tensors.size()];
    for (int i = 0; i < basis.length; i++) {
      for (int t : run.results[i]) {
        maker[t] = i;
      }
      whole[i] = compute.applyAsLong(run.op(i));
      basis[i] = MacCount.basis(run.network, run.op(i));
      mayPad[i] =
          run.pads == PadForm.PAD
              && run.model.rules().isSame(run.op(i))
              && !AxisRules.isPool(run.op(i))
              && !AxisRules.isTransposed(run.op(i));
      wider[i] = mayPad[i] ? wider(i) : 1;
    }
    this.held = new int[run.ops.length][];
    int last = -1;
    for (int i = 0; i < held.length; i++) {
      held[i] = held(i);
      for (int t : run.operands[i]) {
        last = t >= 0 && !run.inner[t] ? i : last;
      }
    }
    this.lastReading = last;
  }

  private double wider(int i) {
    Tensor result = run.tensors.get(run.results[i][0]);
    double wider = 1;
    for (int dim : run.model.rules().padded(run.op(i))) {
      boolean cut = dim == run.dims[0][run.results[i][0]];
      IndexMap map = run.model.rule(run.ops[i], dim, run.pads).map();
      if (!cut && run.axes == 1 && map != null) {
        long in = run.network.tensor(run.op(i).inputs().get(0)).extent(dim);
        Part all = map.part(Span.whole(result.extent(dim)), in, result.extent(dim));
        wider *= all == null ? 1 : (double) padded(all) / in;
      }
    }
    return wider;
  }

  private int[] held(int i) {
    return IntStream.range(0, maker.length)
        .filter(t -> run.inner[t] && maker[t] < i)
        .filter(t -> !run.leaves[t] && !reads(i, t))
        .filter(t -> IntStream.range(i + 1, run.ops.length).anyMatch(later -> reads(later, t)))
        .toArray();
  }

  private boolean reads(int i, int t) {
    return Arrays.stream(run.operands[i]).anyMatch(read -> read == t);
  }

  private Axis[] axes(List<AxisSplit> cuts) throws BarrierException {
    Axis[] axes = new Axis[cuts.size()];
    for (int a = 0; a < axes.length; a++) {
      axes[a] = axis(a, cuts.get(a));
    }
    return axes;
  }

  private Axis axis(int a, AxisSplit cut) throws BarrierException {
    Axis found = known.get(a).get(cut);
    if (found == null) {
      RunModel.AxisPieces pieces = run.pieces(a, cut.bounds());
      Part[][] parts = pieces.parts();
      found = new Axis(a, parts, pieces, same(a, parts), share(a, parts, 0, parts[0].length));
      known.get(a).put(cut, found);
    }
    return found;
  }

  private boolean[][] same(int a, Part[][] parts) {
    boolean[][] same = new boolean[parts.length][parts[0].length];
    for (int i = 0; i < parts.length; i++) {
      Arrays.fill(same[i], true);
      if (mayPad[i] && run.rules[a][i].map() instanceof IndexMap.Window window) {
        int result = run.results[i][0];
        long out = run.tensors.get(result).extent(run.dims[a][result]);
        for (int k = 0; k < same[i].length; k++) {
          Part alone = window.same().part(parts[i][k].computed(), run.fedExtent(a, i), out);
          same[i][k] = parts[i][k].sameAs(alone);
        }
      }
    }
    return same;
  }

  /**
   * The compute of all pieces. O(ops * pieces along each axis).
   *
   * @throws BarrierException when a piece needs nothing of an op, or lies in padding alone
   */
  public long compute(List<AxisSplit> cuts) throws BarrierException {
    Axis[] axes = axes(cuts);
    return compute(axes[0].share, axes.length < 2 ? null : axes[1].share);
  }

  /** The compute of all pieces where the second axis alone is cut. */
  public long columns(AxisSplit cut) throws BarrierException {
    return compute(axis(1, cut).share, null);
  }

  /** By op what some pieces compute, as a share of its whole extent along an axis. */
  private double[] share(int a, Part[][] parts, int from, int to) {
    double[] share = new double[basis.length];
    for (int i = 0; i < basis.length; i++) {
      int counted = basis[i] == null ? -1 : basis[i].operand();
      int t = counted < 0 ? run.results[i][0] : run.operands[i][counted];
      int dim = counted < 0 ? run.dims[a][t] : run.rules[a][i].dimension(counted);
      long rows = 0;
      for (int k = from; k < to; k++) {
        Part part = parts[i][k];
        rows += counted < 0 ? part.computed().size() : part.fed().size();
      }
      share[i] = dim < 0 ? 1 : (double) rows / run.tensors.get(t).extent(dim);
    }
    return share;
  }

  private long compute(double[] share, double[] across) {
    long sum = 0;
    for (int i = 0; i < basis.length; i++) {
      double both = across == null ? share[i] : share[i] * across[i];
      sum += Math.round(whole[i] * both);
    }
    return sum;
  }

  /**
   * About the largest sum of live bytes: of the operands and results of an op in a piece, and where
   * rows are contiguous of rows of sources that later pieces read, and of results made before, from
   * whichever end that is less. O(ops * operands * pieces).
   *
   * @throws BarrierException when a piece needs nothing of an op, or lies in padding alone
   */
  public long load(List<AxisSplit> cuts) throws BarrierException {
    Axis[] axes = axes(cuts);
    Axis across = axes.length < 2 ? null : axes[1];
    int rows = axes[0].parts[0].length;
    long down = 0;
    long up = 0;
    for (int row = 0; row < rows; row++) {
      down = Math.max(down, load(axes[0], row, across, true));
      up = contiguous ? Math.max(up, load(axes[0], row, across, false)) : down;
    }
    return contiguous ? Math.min(down, up) : down;
  }

  /** The load of one row of pieces, which those on one side of it were made before. */
  private long load(Axis rows, int row, Axis across, boolean down) {
    long[] work = work(rows, row, across, down);
    long made = 0;
    long waiting = 0;
    long later = 0;
    int next = down ? row + 1 : row - 1;
    for (int t = 0; t < run.tensors.size() && contiguous; t++) {
      if (run.leaves[t]) {
        made += made(t, rows, row, down);
      } else if (!run.inner[t]) {
        long all = taken[t];
        boolean more = all > 0 && next >= 0 && next < rows.parts[0].length;
        waiting += all == 0 ? 0 : unread(t, all, rows.parts, row, down);
        later += more ? unread(t, all, rows.parts, next, down) : 0;
      }
    }
    long rest = Math.max(work[1] + (across == null ? later : waiting), work[2] + later);
    return made + Math.max(work[0] + waiting, rest);
  }

  /** Bytes of a result that are made before a piece. */
  private long made(int t, Axis rows, int row, boolean down) {
    long extent = run.tensors.get(t).extent(run.dims[0][t]);
    long count = 0;
    for (int k = down ? 0 : row + 1; k < (down ? row : rows.parts[0].length); k++) {
      Span owned = rows.pieces.owned()[t][k];
      count += owned == null ? 0 : owned.size();
    }
    return bytes[t] * count / extent;
  }

  /** Bytes of a source that a piece and those after it read. */
  private long unread(int t, long all, Part[][] parts, int row, boolean down) {
    Tensor tensor = run.tensors.get(t);
    long bytes = 0;
    for (int i = 0; i < run.ops.length; i++) {
      for (int o = 0; o < run.operands[i].length; o++) {
        int dim = run.operands[i][o] == t ? run.rules[0][i].dimension(o) : -1;
        if (dim >= 0) {
          long extent = tensor.extent(dim);
          Part part = parts[i][row];
          long own = down ? extent - part.fed().begin() : part.fed().end();
          bytes = Math.max(bytes, all / extent * own);
        } else if (run.operands[i][o] == t) {
          bytes = all;
        }
      }
    }
    return bytes;
  }

  /**
   * Most that an op takes in a row of pieces: one after which a source is read, any other, and what
   * puts the pieces of a row together.
   */
  private long[] work(Axis rows, int row, Axis across, boolean down) {
    long[] most = new long[3];
    int columns = across == null ? 1 : across.parts[0].length;
    for (int column = 0; column < columns; column++) {
      long beside = 0; // of the results what was made in this row
      for (int t = 0; t < run.tensors.size() && across != null; t++) {
        if (run.leaves[t]) {
          long band = owned(t, 0, rows, row, bytes[t]);
          for (int k = 0; k < columns; k++) {
            boolean before = down ? k < column : k > column;
            beside += before ? owned(t, 1, across, k, band) : 0;
          }
          most[2] = column == 0 ? most[2] + 2 * band : most[2];
        }
      }
      for (int i = 0; i < run.ops.length; i++) {
        int kind = i <= lastReading ? 0 : 1;
        long own = beside;
        for (int t : held[i]) {
          long all = computed(t, 0, rows, row, bytes[t]);
          own += across == null ? all : computed(t, 1, across, column, all);
        }
        most[kind] = Math.max(most[kind], own + work(i, rows, row, across, column));
      }
    }
    return most;
  }

  private long owned(int t, int a, Axis axis, int piece, long bytes) {
    Span owned = axis.pieces.owned()[t][piece];
    return owned == null ? 0 : part(bytes, run.tensors.get(t), run.dims[a][t], owned.size());
  }

  private long computed(int t, int a, Axis axis, int piece, long bytes) {
    long size = axis.parts[maker[t]][piece].computed().size();
    return part(bytes, run.tensors.get(t), run.dims[a][t], size);
  }

  /** Bytes that an op reads and makes in a piece, except for what it is shown of sources. */
  private long work(int i, Axis rows, int row, Axis across, int column) {
    Part down = rows.parts[i][row];
    Part right = across == null ? null : across.parts[i][column];
    boolean same = rows.same[i][row] && (across == null || across.same[i][column]);
    long read = 0;
    long padded = 0;
    long cropped = 0;
    for (int o = 0; o < run.operands[i].length; o++) {
      int t = run.operands[i][o];
      if (t < 0) {
        continue;
      }
      Tensor tensor = run.tensors.get(t);
      int dim = run.rules[0][i].dimension(o);
      int second = right == null ? -1 : run.rules[1][i].dimension(o);
      long own = part(bytes[t], tensor, dim, down.fed().size());
      long wide = part(bytes[t], tensor, dim, padded(down));
      own = second < 0 ? own : part(own, tensor, second, right.fed().size());
      wide = second < 0 ? wide : part(wide, tensor, second, padded(right));
      boolean slice = run.inner[t] || right != null || taken[t] == 0;
      read += slice || !contiguous ? own : 0;
      int from = right == null || !run.inner[t] ? -1 : maker[t];
      if (from >= 0) {
        // What the op before made of it has to be cropped into a copy where that is more.
        long all = computed(t, 1, across, column, computed(t, 0, rows, row, bytes[t]));
        cropped = all > own ? Math.max(cropped, all + own) : cropped;
      }
      padded = o == 0 ? (long) (wide * wider[i]) : padded;
    }
    long made = 0;
    for (int t : run.results[i]) {
      Tensor tensor = run.tensors.get(t);
      long own = part(bytes[t], tensor, run.dims[0][t], down.computed().size());
      made += right == null ? own : part(own, tensor, run.dims[1][t], right.computed().size());
    }
    boolean pads = down.before() + down.after() > 0 || wider[i] > 1;
    pads |= right != null && right.before() + right.after() > 0;
    if (mayPad[i] && pads && !same) {
      return Math.max(cropped, padded + Math.max(read, made));
    }
    return Math.max(cropped, basis[i] == null ? Math.max(read, made) : read + made);
  }

  private static long padded(Part part) {
    return part.fed().size() + part.before() + part.after();
  }

  private static long part(long bytes, Tensor tensor, int dim, long rows) {
    return dim < 0 ? bytes : bytes * rows / tensor.extent(dim);
  }

  /**
   * A row of pieces.
   *
   * @param load about the largest sum of live bytes while it runs
   */
  public record Row(long compute, long load) {}

  /**
   * The row of pieces between two rows of the run's result. O(ops * operands * pieces of a row).
   *
   * @param across how the second axis is cut; null where there is none
   * @param topDown from which end pieces run
   * @return null where a piece would have nothing to read
   */
  public Row row(AxisSplit across, int from, int to, boolean topDown) throws BarrierException {
    Axis columns = across == null ? null : axis(1, across);
    int extent = extent();
    int[] bounds = IntStream.of(from, to).filter(b -> b > 0 && b < extent).toArray();
    Axis rows;
    try {
      rows = axis(0, new AxisSplit(SplitAxis.ROWS, bounds));
    } catch (BarrierException barrier) {
      return null;
    }
    int row = from == 0 ? 0 : 1;
    double[] share = columns == null ? null : columns.share;
    return new Row(
        compute(share(rows.number, rows.parts, row, row + 1), share),
        load(rows, row, columns, topDown));
  }

  /** Rows of the run's result. */
  public int extent() {
    return Math.toIntExact(run.extent(0));
  }
}
