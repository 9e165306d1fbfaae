package stowage.onchip.layer;

import java.util.List;
import java.util.Locale;

/**
 * The window that an op slides over an image, by dimension of the image: read from the attributes
 * of ONNX ({@code kernel_shape, strides, pads}), OpenVINO IR ({@code kernel, pads_begin}), TFLite
 * ({@code filter_height, stride_h, padding}) and TPU-MLIR.
 *
 * @param kernel taps
 * @param stride from window to window
 * @param dilation from tap to tap
 * @param before zeros in front of the image
 */
record WindowShape(long[] kernel, long[] stride, long[] dilation, long[] before) {

  /**
   * The window of an op whose first input is an image.
   *
   * @param filter the tensor of the filter, or -1
   * @param transposed whether the result is the larger of the two
   * @return null when the window is unknown; the draft then says so
   */
  static WindowShape of(LayerDraft draft, int filter, boolean transposed) {
    int spatial = draft.tensor(draft.input(0)).rank() - 2;
    long[] kernel = kernel(draft, spatial, filter);
    if (kernel == null) {
      draft.obstacle = "its kernel_shape is unknown";
      return null;
    }
    long[] stride = each(draft, "strides", "stride_h", "stride_w", spatial);
    long[] dilation = each(draft, "dilations", "dilation_h_factor", "dilation_w_factor", spatial);
    long[] before = new long[spatial];
    String automatic =
        draft.op.text("auto_pad", draft.op.text("padding", "NOTSET")).toUpperCase(Locale.ROOT);
    List<Long> given = draft.op.integers("pads");
    given = given.isEmpty() ? draft.op.integers("pads_begin") : given;
    for (int k = 0; k < spatial; k++) {
      if (automatic.startsWith("SAME")) {
        Axis axis = axis(k, spatial);
        long small = draft.extents(draft.input(0)).along(axis);
        long large = draft.result().along(axis);
        long windows = transposed ? small : large;
        long covered = transposed ? large : small;
        long total =
            Math.max(0, (windows - 1) * stride[k] + (kernel[k] - 1) * dilation[k] + 1 - covered);
        before[k] = automatic.equals("SAME_LOWER") ? (total + 1) / 2 : total / 2;
      } else {
        before[k] = k < given.size() ? given.get(k) : 0;
      }
    }
    return new WindowShape(kernel, stride, dilation, before);
  }

  private static long[] kernel(LayerDraft draft, int spatial, int filter) {
    for (String attribute : List.of("kernel_shape", "kernel")) {
      List<Long> given = draft.op.integers(attribute);
      if (given.size() >= spatial) {
        return longs(given.subList(0, spatial));
      }
    }
    if (draft.op.integer("filter_height", 0) > 0 && spatial == 2) {
      return new long[] {draft.op.integer("filter_height", 0), draft.op.integer("filter_width", 0)};
    }
    boolean known = filter >= 0 && draft.tensor(filter).rank() >= spatial + 2;
    return known ? longs(draft.layout.window(draft.tensor(filter).shape(), spatial)) : null;
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** One value for each dimension of the image, 1 where none is given. */
  private static long[] each(
      LayerDraft draft, String list, String rows, String columns, int spatial) {
    List<Long> given = draft.op.integers(list);
    long[] values = new long[spatial];
    for (int k = 0; k < spatial; k++) {
      if (!given.isEmpty()) {
        values[k] = given.get(Math.min(k, given.size() - 1));
      } else {
        values[k] = Math.max(1, draft.op.integer(k == spatial - 1 ? columns : rows, 1));
      }
    }
    return values;
  }

  /** The axis of a dimension of an image. */
  static Axis axis(int k, int spatial) {
    return Extents.axisOf(k + 2, spatial + 2);
  }

  /** How many dimensions the image has. */
  int dimensions() {
    return kernel.length;
  }

  /** From the first to the last tap, both included. */
  long reach(int k) {
    return (kernel[k] - 1) * dilation[k] + 1;
  }

  /** How many taps there are. */
  long taps() {
    long taps = 1;
    for (long extent : kernel) {
      taps *= extent;
    }
    return taps;
  }
}
