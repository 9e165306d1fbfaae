package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.range.AxisRule;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;
import stowage.rewrite.range.Part;
import stowage.rewrite.range.Span;

/**
 * A run of ops that can be cut along one or two axes: which dimension of each tensor an axis is,
 * and by which rule each op is cut. It serves for all bounds.
 *
 * <p>What a run makes and others read, or is a result of the network, leaves the run: it is
 * assembled whole. The bounds cut the result of the last op; any other tensor that leaves is cut
 * where the pieces' needs end, or in proportion where no op of the run reads it.
 */
public final class RunModel {
  final SplitModel model;
  final Network network;
  final int[] ops;
  final PadForm pads;
  final int axes;

  /** The activations that the run touches. */
  final List<Tensor> tensors = new ArrayList<>();

  /** Whether the run makes a tensor, and whether it leaves. */
  final boolean[] inner;

  final boolean[] leaves;

  /** By op of the run and position the tensor read, -1 for a constant or an absent one. */
  final int[][] operands;

  final int[][] results;

  /** By axis and op. */
  final AxisRule[][] rules;

  /** By axis and tensor that the run makes. */
  final int[][] dims;

  /** The tensor that the bounds cut. */
  final int main;

  RunModel(SplitModel model, int[] ops, List<SplitAxis> axes, PadForm pads)
      throws BarrierException {
    this.model = model;
    this.network = model.network();
    this.ops = ops;
    this.pads = pads;
    this.axes = axes.size();
    Map<String, Integer> index = new HashMap<>();
    this.operands = new int[ops.length][];
    this.results = new int[ops.length][];
    List<Integer> made = new ArrayList<>();
    for (int i = 0; i < ops.length; i++) {
      Op op = network.ops().get(ops[i]);
      if (model.barrier(ops[i]) != null) {
        throw barrier(i, model.barrier(ops[i]));
      }
      operands[i] = op.inputs().stream().mapToInt(name -> local(name, index)).toArray();
      results[i] = op.presentOutputs().stream().mapToInt(name -> local(name, index)).toArray();
      for (int result : results[i]) {
        made.add(result);
      }
    }
    this.inner = new boolean[tensors.size()];
    made.forEach(tensor -> inner[tensor] = true);
    this.leaves = new boolean[tensors.size()];
    for (int t = 0; t < inner.length; t++) {
      leaves[t] = inner[t] && leaves(tensors.get(t).name());
    }
    this.main = results[ops.length - 1][0];
    checkOrder();
    this.rules = new AxisRule[this.axes][ops.length];
    this.dims = new int[this.axes][tensors.size()];
    for (int a = 0; a < this.axes; a++) {
      trace(a, axes.get(a));
    }
  }

  private int local(String name, Map<String, Integer> index) {
    if (name.isEmpty() || network.tensor(name).isWeight()) {
      return -1;
    }
    return index.computeIfAbsent(
        name,
        absent -> {
          tensors.add(network.tensor(name));
          return tensors.size() - 1;
        });
  }

  private boolean leaves(String name) {
    List<Integer> readers = model.readers(name);
    return model.isOutput(name)
        || readers.isEmpty()
        || readers.stream().anyMatch(reader -> IntStream.of(ops).noneMatch(op -> op == reader));
  }

  /** Each op comes after those of the run that it reads. */
  private void checkOrder() {
    boolean[] there = new boolean[tensors.size()];
    for (int i = 0; i < ops.length; i++) {
      for (int t : operands[i]) {
        if (t >= 0 && inner[t] && !there[t]) {
          throw new IllegalArgumentException(
              "the run's ops "
                  + Arrays.toString(ops)
                  + " are in no order in which they can run, or one occurs twice");
        }
      }
      for (int t : results[i]) {
        if (there[t]) {
          throw new IllegalArgumentException("op " + ops[i] + " occurs twice in a run");
        }
        there[t] = true;
      }
    }
  }

  private BarrierException barrier(int i, String reason) {
    return new BarrierException(
        "op \"" + network.ops().get(ops[i]).name() + "\" is not run in pieces: " + reason);
  }

  /** Finds the axis' dimension of each tensor, from the results back to the sources. */
  private void trace(int a, SplitAxis axis) throws BarrierException {
    boolean tflite = AxisRules.isTflite(network);
    Arrays.fill(dims[a], -1);
    for (int i = ops.length - 1; i >= 0; i--) {
      int dim = -1;
      for (int t : results[i]) {
        dim = Math.max(dim, dims[a][t]);
      }
      Tensor first = tensors.get(results[i][0]);
      dim = dim < 0 ? axis.dimension(first, tflite) : dim;
      if (dim < 0 || first.rank() <= dim) {
        throw barrier(i, "its result has no " + axis.label());
      }
      boolean image = axis == SplitAxis.ROWS || axis == SplitAxis.COLUMNS;
      for (int t : results[i]) {
        dims[a][t] = dims[a][t] < 0 ? dim : dims[a][t];
        if (dims[a][t] != dim || a > 0 && dims[0][t] == dim) {
          throw barrier(i, "its result would be cut along two dimensions");
        }
        if (tflite && image && dim > 0 && tensors.get(t).extent(0) != 1) {
          throw barrier(i, "a batch of more than one image has no rows in one stretch");
        }
      }
      AxisRule rule = model.rule(ops[i], dim, pads);
      if (rule.barrier() != null) {
        throw barrier(i, rule.barrier());
      }
      rules[a][i] = rule;
      boolean cut = false;
      for (int k = 0; k < operands[i].length; k++) {
        int t = operands[i][k];
        int own = rule.dimension(k);
        cut |= t >= 0 && own >= 0;
        if (t >= 0 && inner[t] && (own < 0 || dims[a][t] >= 0 && dims[a][t] != own)) {
          throw barrier(i, "it reads \"" + tensors.get(t).name() + "\" whole, or another way");
        }
        if (t >= 0 && own >= 0 && a > 0 && rules[0][i].dimension(k) == own) {
          throw barrier(i, "its operand would be cut twice along one dimension");
        }
        if (t >= 0 && inner[t]) {
          dims[a][t] = own;
        }
      }
      if (!cut) {
        throw barrier(i, "it reads nothing that can be cut");
      }
    }
  }

  Op op(int i) {
    return network.ops().get(ops[i]);
  }

  /** The extent along an axis of the operands that an op of the run reads in pieces. */
  long fedExtent(int a, int i) {
    for (int k = 0; k < operands[i].length; k++) {
      if (operands[i][k] >= 0 && rules[a][i].dimension(k) >= 0) {
        return tensors.get(operands[i][k]).extent(rules[a][i].dimension(k));
      }
    }
    throw new IllegalStateException("nothing is cut");
  }

  /** The extent of the run's result along an axis: bounds lie between 0 and it. */
  public long extent(int axis) {
    return tensors.get(main).extent(dims[axis][main]);
  }

  /** How the pieces run along one axis. */
  record AxisPieces(Part[][] parts, Span[][] owned) {}

  /**
   * Works out, from the bounds, what every op computes and reads in each piece.
   *
   * @throws BarrierException when a piece needs nothing of an op, or lies in padding alone, or when
   *     a bound is beyond the result
   */
  AxisPieces pieces(int a, int[] bounds) throws BarrierException {
    int count = bounds.length + 1;
    if (bounds.length > 0 && bounds[bounds.length - 1] >= extent(a)) {
      throw barrier(
          ops.length - 1, "bounds " + Arrays.toString(bounds) + " should be below " + extent(a));
    }
    Part[][] parts = new Part[ops.length][count];
    Span[][] owned = new Span[tensors.size()][count];
    long[] reached = new long[tensors.size()];
    for (int k = 0; k < count; k++) {
      Span[] need = new Span[tensors.size()];
      for (int i = ops.length - 1; i >= 0; i--) {
        Span want = null;
        for (int t : results[i]) {
          if (leaves[t]) {
            owned[t][k] = owned(a, t, k, bounds, need[t], reached);
            need[t] = owned[t][k] == null ? need[t] : owned[t][k].hull(need[t]);
          }
          want = need[t] == null ? want : need[t].hull(want);
        }
        long out = tensors.get(results[i][0]).extent(dims[a][results[i][0]]);
        Part part = want == null ? null : rules[a][i].map().part(want, fedExtent(a, i), out);
        if (part == null) {
          throw barrier(i, "piece " + (k + 1) + " of " + count + " would have nothing to read");
        }
        parts[i][k] = part;
        for (int o = 0; o < operands[i].length; o++) {
          int t = operands[i][o];
          if (t >= 0 && inner[t] && rules[a][i].dimension(o) >= 0) {
            need[t] = part.fed().hull(need[t]);
          }
        }
      }
    }
    return new AxisPieces(parts, owned);
  }

  /** What piece k contributes to a tensor that leaves; null for nothing. */
  private Span owned(int a, int t, int k, int[] bounds, Span need, long[] reached) {
    long extent = tensors.get(t).extent(dims[a][t]);
    long end = extent;
    if (k < bounds.length) {
      end =
          t == main
              ? bounds[k]
              : need == null ? bounds[k] * extent / extent(a) : Math.min(need.end(), extent);
    }
    long begin = reached[t];
    reached[t] = Math.max(begin, end);
    return end > begin ? new Span(begin, end) : null;
  }

  /**
   * The run in pieces, step by step: all ops of a piece before those of the next, slices and pads
   * right before the op that reads them. O(ops * pieces * operands).
   *
   * @param cuts of the axes that the run was asked for, in their order
   * @param topDown whether pieces run from the first to the last
   * @throws BarrierException when a piece needs nothing of an op, or lies in padding alone
   */
  public RunProgram program(List<AxisSplit> cuts, boolean topDown) throws BarrierException {
    if (cuts.size() != axes) {
      throw new IllegalArgumentException(cuts.size() + " axes are cut of " + axes);
    }
    AxisPieces[] pieces = new AxisPieces[axes];
    for (int a = 0; a < axes; a++) {
      pieces[a] = pieces(a, cuts.get(a).bounds());
    }
    return new RunWriter(this, pieces).program(topDown);
  }
}
