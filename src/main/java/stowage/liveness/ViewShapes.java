package stowage.liveness;

import java.util.List;
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

  /** Whether a part is in one stretch of a concat. */
  static boolean fits(Tensor part, Tensor whole) {
    int axis = part.rank() == whole.rank() ? onlyDifference(whole, part) : -1;
    return axis >= 0 && contiguousStart(whole, axis, 0) >= 0;
  }
}
