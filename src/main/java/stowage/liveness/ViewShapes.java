package stowage.liveness;

import java.util.Arrays;
import java.util.List;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Where parts of a tensor are inside it, by shapes alone. */
final class ViewShapes {
  private ViewShapes() {}

  /** Whether two tensors have as many elements of as many bits. */
  static boolean sameBytes(Tensor a, Tensor b) {
    return a.elements() == b.elements() && a.type().bits() == b.type().bits();
  }

  /** The one axis along which two shapes differ; -1 when there are none or several. */
  static int onlyDifference(Tensor a, Tensor b) {
    int found = -1;
    for (int axis = 0; axis < a.rank(); axis++) {
      if (a.extent(axis) != b.extent(axis)) {
        if (found >= 0) {
          return -1;
        }
        found = axis;
      }
    }
    return found;
  }

  /** The one axis along which all parts of a tensor differ from it; -1 for none or several. */
  static int commonAxis(Tensor whole, List<Tensor> parts) {
    int axis = -1;
    for (Tensor part : parts) {
      boolean alike = part.type() == whole.type() && part.rank() == whole.rank();
      int differing = alike ? onlyDifference(whole, part) : -1;
      if (differing < 0 || (axis >= 0 && differing != axis)) {
        return -1;
      }
      axis = differing;
    }
    return axis;
  }

  /** The extents of some tensors along an axis, added up. */
  static long extents(List<Tensor> parts, int axis) {
    return parts.stream().mapToLong(part -> part.extent(axis)).sum();
  }

  /** Bytes before an index of an axis; -1 when a cut there is not contiguous or not at a byte. */
  static long contiguousStart(Tensor whole, int axis, long start) {
    long inner = 1;
    for (int d = 0; d < whole.rank(); d++) {
      if (d < axis && whole.extent(d) != 1) {
        return -1;
      }
      inner *= d > axis ? whole.extent(d) : 1;
    }
    long bits = start * inner * whole.type().bits();
    return bits % 8 == 0 ? bits / 8 : -1;
  }

  /**
   * By result of an op that shows parts of its source, the byte there at which the result begins;
   * -1 where that is not known, the result is no stretch of the source, or the op is another one.
   */
  static long[] starts(Network network, Op op) {
    long[] starts = new long[op.outputs().size()];
    Arrays.fill(starts, -1);
    OpTraits trait = OpTraits.hasFusedActivation(op) ? OpTraits.OTHER : OpTraits.of(op);
    String source = op.inputs().isEmpty() ? "" : OpTraits.source(op);
    if (source.isEmpty() || starts.length == 0 || op.outputs().get(0).isEmpty()) {
      return starts;
    }
    Tensor from = network.tensor(source);
    if (trait == OpTraits.RESHAPE_LIKE || trait == OpTraits.CONCAT_LIKE && isOfOne(op)) {
      starts[0] = sameBytes(from, network.tensor(op.outputs().get(0))) ? 0 : -1;
    }
    boolean slice = trait == OpTraits.SLICE_LIKE && starts.length == 1;
    if (!slice && trait != OpTraits.SPLIT_LIKE || op.outputs().contains("")) {
      return starts;
    }
    List<Tensor> parts = op.outputs().stream().map(network::tensor).toList();
    Tensor only = parts.size() == 1 && from.rank() > 0 ? parts.get(0) : null;
    boolean all = only != null && only.shape().equals(from.shape()) && sameBytes(from, only);
    int axis = all ? 0 : commonAxis(from, parts);
    long extent = axis < 0 ? -1 : from.extent(axis);
    long start = slice && axis >= 0 ? OpTraits.sliceStart(op, axis, from.rank(), extent) : 0;
    if (axis < 0
        || start < 0
        || (slice ? start + extents(parts, axis) > extent : extents(parts, axis) != extent)) {
      return starts;
    }
    for (int k = 0; k < starts.length; k++) {
      starts[k] = contiguousStart(from, axis, start);
      start += parts.get(k).extent(axis);
    }
    return starts;
  }

  /** Whether a concat has one operand and does not copy it. */
  private static boolean isOfOne(Op op) {
    return op.inputs().size() == 1 && !Boolean.FALSE.equals(op.attributes().get("only_merge"));
  }

  /** Whether a part is in one stretch of a concat. */
  static boolean fits(Tensor part, Tensor whole) {
    int axis = part.rank() == whole.rank() ? onlyDifference(whole, part) : -1;
    return axis >= 0 && contiguousStart(whole, axis, 0) >= 0;
  }
}
