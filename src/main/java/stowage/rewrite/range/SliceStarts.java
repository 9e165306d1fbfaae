package stowage.rewrite.range;

import java.util.List;
import stowage.network.Op;

/** Where the slices of ONNX and TFLite begin, as their attributes say. */
public final class SliceStarts {
  private SliceStarts() {}

  /** Where a slice begins along each dimension of its operand; null where steps are not 1. */
  public static long[] of(Op op, long[] extents) {
    List<Long> starts = op.integers(op.attributes().containsKey("starts") ? "starts" : "begin");
    List<Long> axes = op.integers("axes");
    boolean steps =
        op.integers("steps").stream().anyMatch(step -> step != 1)
            || op.integers("strides").stream().anyMatch(step -> step != 1);
    boolean unlike = !axes.isEmpty() && axes.size() != starts.size();
    if (extents.length == 0 || starts.isEmpty() || steps || unlike) {
      return null;
    }
    long[] from = new long[extents.length];
    for (int k = 0; k < starts.size(); k++) {
      int axis = Math.floorMod(axes.isEmpty() ? k : axes.get(k).intValue(), extents.length);
      long start = starts.get(k) < 0 ? starts.get(k) + extents[axis] : starts.get(k);
      from[axis] = Math.max(0, Math.min(start, extents[axis]));
    }
    return from;
  }
}
