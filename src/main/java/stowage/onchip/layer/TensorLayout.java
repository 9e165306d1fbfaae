package stowage.onchip.layer;

import java.util.ArrayList;
import java.util.List;

/** In which order a format lists the dimensions of a tensor. Lanes hold channels either way. */
enum TensorLayout {
  /** Batch, channels, then the image: ONNX, OpenVINO IR, TPU-MLIR. */
  CHANNELS_FIRST,
  /** Batch, the image, channels last: TFLite. */
  CHANNELS_LAST;

  static TensorLayout of(String format) {
    return format.equals("tflite") ? CHANNELS_LAST : CHANNELS_FIRST;
  }

  /** The extents of a shape, as LMEM sees it. */
  Extents extents(List<Long> shape) {
    int rank = shape.size();
    if (this == CHANNELS_FIRST || rank < 3) {
      return Extents.of(shape);
    }
    List<Long> first = new ArrayList<>(shape);
    first.add(1, first.remove(rank - 1));
    return Extents.of(first);
  }

  Axis axis(int dimension, int rank) {
    if (this == CHANNELS_FIRST || rank < 3 || dimension == 0) {
      return Extents.axisOf(dimension, rank);
    }
    return dimension == rank - 1 ? Axis.C : Extents.axisOf(dimension + 1, rank);
  }
}
