package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.rewrite.range.PadForm;

/**
 * The choice for one run: ops that are executed piece by piece, and how their result is cut.
 *
 * @param ops indices of ops of the given network, in an order in which they can run; no other op
 *     may both depend on the run and be needed by it. The result of the last one is the run's
 *     result, which the bounds cut
 * @param axes one or two axes, each once; the pieces of the second are inside those of the first
 * @param topDown whether pieces run from the first to the last, or from the last to the first
 * @param pads how ops of TFLite with padding SAME are padded; of no effect in other formats
 */
public record RunSplit(int[] ops, List<AxisSplit> axes, boolean topDown, PadForm pads) {

  /** Copies what is given. */
  public RunSplit {
    ops = ops.clone();
    axes = List.copyOf(axes);
    if (ops.length == 0 || axes.isEmpty() || axes.size() > 2) {
      throw new IllegalArgumentException("a run has ops, and one or two axes");
    }
  }

  /** Indices of the ops; a copy. */
  @Override
  public int[] ops() {
    return ops.clone();
  }

  /** How many pieces the result is cut into. */
  public int pieces() {
    return axes.stream().mapToInt(AxisSplit::pieces).reduce(1, Math::multiplyExact);
  }

  /**
   * The same run from an end; from the other one its pieces change places along the first axis,
   * whose length is {@code extent}, unless they are even.
   */
  public RunSplit directed(boolean down, long extent) {
    AxisSplit first = axes.get(0);
    if (down == topDown || first.equals(AxisSplit.even(first.axis(), extent, first.pieces()))) {
      return new RunSplit(ops, axes, down, pads);
    }
    List<AxisSplit> mirrored = new ArrayList<>(axes);
    int end = Math.toIntExact(extent);
    int[] bounds = Arrays.stream(first.bounds()).map(bound -> end - bound).sorted().toArray();
    mirrored.set(0, new AxisSplit(first.axis(), bounds));
    return new RunSplit(ops, mirrored, down, pads);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RunSplit run
        && Arrays.equals(run.ops, ops)
        && run.axes.equals(axes)
        && run.topDown == topDown
        && run.pads == pads;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(ops) + axes.hashCode();
  }

  @Override
  public String toString() {
    return Arrays.toString(ops) + axes + (topDown ? "v" : "^") + pads;
  }
}
