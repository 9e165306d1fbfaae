package stowage.importer.openvino;

import java.util.ArrayList;
import java.util.List;

/**
 * Extents of convolutions' and poolings' results, from batch to width: {@code floor((in + pads -
 * dilation * (kernel - 1) - 1) / stride) + 1} along each spatial axis, the inverse for transposed
 * convolutions (OpenVINO's operation sets, Convolution-1, ConvolutionBackpropData-1, MaxPool-8).
 */
final class WindowExtents {
  private WindowExtents() {}

  /** A convolution or pooling; {@link IrGraph#OPEN} for the channels of a convolution. */
  static List<Long> forward(IrGraph.Layer layer, List<Long> data, List<List<Long>> inputs) {
    List<Long> kernel = kernel(layer, data.size() - 2, inputs);
    String padding = layer.data().getOrDefault("auto_pad", "explicit");
    boolean up = layer.data().getOrDefault("rounding_type", "floor").startsWith("ceil");
    List<Long> extents = start(layer, data);
    for (int k = 0; k < data.size() - 2; k++) {
      if (k >= kernel.size()) {
        extents.add(IrGraph.OPEN);
        continue;
      }
      long stride = Math.max(1, at(layer, "strides", k, 1));
      long window = at(layer, "dilations", k, 1) * (kernel.get(k) - 1) + 1;
      long length = data.get(k + 2);
      if (padding.startsWith("same")) {
        extents.add((length + stride - 1) / stride);
        continue;
      }
      if (!padding.equals("valid")) {
        length += at(layer, "pads_begin", k, 0) + at(layer, "pads_end", k, 0);
      }
      long steps = length - window + (up ? stride - 1 : 0);
      extents.add(steps < 0 ? IrGraph.OPEN : steps / stride + 1);
    }
    return extents;
  }

  /** A transposed convolution. */
  static List<Long> backward(IrGraph.Layer layer, List<Long> data, List<List<Long>> inputs) {
    List<Long> kernel = kernel(layer, data.size() - 2, inputs);
    String padding = layer.data().getOrDefault("auto_pad", "explicit");
    List<Long> extents = start(layer, data);
    for (int k = 0; k < data.size() - 2; k++) {
      long stride = Math.max(1, at(layer, "strides", k, 1));
      if (k >= kernel.size() || inputs.size() > 2) {
        extents.add(IrGraph.OPEN); // a third input says the shape by its values
        continue;
      }
      long window = at(layer, "dilations", k, 1) * (kernel.get(k) - 1) + 1;
      long length = stride * (data.get(k + 2) - 1) + window + at(layer, "output_padding", k, 0);
      if (padding.startsWith("same")) {
        length = stride * data.get(k + 2);
      } else if (!padding.equals("valid")) {
        length -= at(layer, "pads_begin", k, 0) + at(layer, "pads_end", k, 0);
      }
      extents.add(length < 0 ? IrGraph.OPEN : length);
    }
    return extents;
  }

  private static List<Long> start(IrGraph.Layer layer, List<Long> data) {
    List<Long> extents = new ArrayList<>(data.subList(0, Math.min(1, data.size())));
    if (data.size() > 1) {
      extents.add(layer.type().endsWith("Pool") ? data.get(1) : IrGraph.OPEN);
    }
    return extents;
  }

  /** The window's extents: an attribute, or the last extents of the weights. */
  private static List<Long> kernel(IrGraph.Layer layer, int spatial, List<List<Long>> inputs) {
    List<Long> kernel = layer.integers("kernel");
    if (!kernel.isEmpty() || inputs.size() < 2 || layer.type().endsWith("Pool")) {
      return kernel;
    }
    // A deformable convolution reads offsets before its weights.
    boolean offsets = layer.type().startsWith("Deformable") && inputs.size() > 2;
    List<Long> weights = inputs.get(offsets ? 2 : 1);
    return weights.size() < spatial || spatial < 0
        ? List.of()
        : weights.subList(weights.size() - spatial, weights.size());
  }

  private static long at(IrGraph.Layer layer, String key, int axis, long otherwise) {
    List<Long> values = layer.integers(key);
    return axis < values.size() ? values.get(axis) : otherwise;
  }
}
