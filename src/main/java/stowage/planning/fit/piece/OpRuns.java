package stowage.planning.fit.piece;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/**
 * Runs of one op each, for pieces that take turns: cut by rows, or where a result has none by
 * tokens.
 *
 * <p>An op is left whole where its result has to be whole, as one of the network or for an op that
 * stays whole, and is no smaller than what the op reads: all pieces would be there next to it.
 */
public final class OpRuns {
  private static final int MOST_GRAIN = 8;

  private final SplitModel model;
  private final Network network;

  /** By number of pieces the run of each op, null where it stays whole. */
  private final Map<Integer, RunSplit[]> known = new HashMap<>();

  /** Runs of a network whose ops are in the order in which they run. */
  public OpRuns(SplitModel model) {
    this.model = model;
    this.network = model.network();
  }

  /** Runs of those of some ops that do not stay whole, in so many pieces or in fewer. */
  public List<RunSplit> of(Collection<Integer> ops, int pieces) {
    RunSplit[] runs = known.computeIfAbsent(pieces, this::all);
    return ops.stream().filter(op -> runs[op] != null).map(op -> runs[op]).toList();
  }

  /** Numbers of pieces of a row each: extents of results, halved until they are at most so many. */
  public Set<Integer> rows(int most) {
    Set<Integer> rows = new TreeSet<>();
    for (int op = 0; op < network.ops().size(); op++) {
      long extent = extent(op, axis(op));
      while (extent > most) {
        extent = (extent + 1) / 2;
      }
      rows.add((int) extent);
    }
    rows.removeIf(extent -> extent < 2);
    return rows;
  }

  private RunSplit[] all(int pieces) {
    RunSplit[] runs = new RunSplit[network.ops().size()];
    BitSet whole = new BitSet();
    for (int op = runs.length - 1; op >= 0; op--) {
      runs[op] = isBetterWhole(op, whole) ? null : cut(op, pieces);
      whole.set(op, runs[op] == null);
    }
    return runs;
  }

  private boolean isBetterWhole(int op, BitSet whole) {
    List<String> made = network.ops().get(op).presentOutputs();
    return bytes(made) >= bytes(network.ops().get(op).presentInputs())
        && made.stream()
            .anyMatch(
                name ->
                    network.outputs().contains(name)
                        || model.readers(name).stream().anyMatch(whole::get));
  }

  private long bytes(List<String> tensors) {
    return tensors.stream()
        .map(network::tensor)
        .filter(tensor -> !tensor.isWeight())
        .mapToLong(Tensor::bytes)
        .sum();
  }

  /**
   * A run of one op in so many pieces, or in fewer where some would be empty; null where it cannot
   * be cut. Bounds are at multiples of 1, 2, 4 or 8 rows, whichever compute least: between them a
   * transposed convolution computes rows twice.
   */
  private RunSplit cut(int op, int pieces) {
    SplitAxis axis = axis(op);
    long extent = extent(op, axis);
    RunSplit least = null;
    int first = extent > Integer.MAX_VALUE ? 0 : pieces; // bounds are ints
    for (int most = first; least == null && most > 1; most /= 2) {
      long compute = Long.MAX_VALUE;
      for (int grain = 1; grain <= MOST_GRAIN && 2 * grain <= extent; grain *= 2) {
        int unit = grain;
        long units = (extent + grain - 1) / grain;
        int[] bounds = AxisSplit.even(axis, units, (int) Math.min(units, most)).bounds();
        AxisSplit cut = new AxisSplit(axis, IntStream.of(bounds).map(k -> k * unit).toArray());
        RunSplit run = new RunSplit(new int[] {op}, List.of(cut), true, PadForm.CROP);
        try {
          long macs = model.run(run).program(run.axes(), true).macs();
          least = macs < compute ? run : least;
          compute = Math.min(compute, macs);
        } catch (BarrierException barrier) {
          continue; // it cannot be cut, or some piece would be empty
        }
      }
    }
    return least;
  }

  private SplitAxis axis(int op) {
    return extent(op, SplitAxis.ROWS) > 1 ? SplitAxis.ROWS : SplitAxis.TOKENS;
  }

  /** The rows or tokens of an op's result; 0 where it has none, or several results. */
  private long extent(int op, SplitAxis axis) {
    List<String> made = network.ops().get(op).presentOutputs();
    Tensor result = made.size() == 1 ? network.tensor(made.get(0)) : null;
    int dim = result == null ? -1 : axis.dimension(result, AxisRules.isTflite(network));
    return dim < 0 ? 0 : result.extent(dim);
  }
}
