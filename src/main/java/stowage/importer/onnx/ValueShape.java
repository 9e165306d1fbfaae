package stowage.importer.onnx;

import java.util.Arrays;

/**
 * What is known of a value's type.
 *
 * @param elementType ONNX's number of it; 0 for values that are no tensors
 * @param dims extents, -1 where unknown; null when not even their number is known
 * @param sampled whether the extents come from a run on zeros, so that other data may give others
 */
record ValueShape(int elementType, long[] dims, boolean sampled) {
  /** A value that is no tensor: a sequence, a map or the like. */
  static ValueShape opaque() {
    return new ValueShape(0, new long[0], false);
  }

  boolean known() {
    return dims != null && Arrays.stream(dims).allMatch(extent -> extent >= 0);
  }

  /** Whether all extents are known and the same for any data. */
  boolean fixed() {
    return known() && !sampled;
  }
}
