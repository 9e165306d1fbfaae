package stowage.rewrite.range;

import java.util.List;
import java.util.Locale;
import stowage.network.Op;

/**
 * The window that an op slides over an image, by dimension of the image: read from the attributes
 * of ONNX ({@code kernel_shape, strides, pads}), OpenVINO IR ({@code kernel, pads_begin}), TFLite
 * ({@code filter_height, stride_h, padding}) and TPU-MLIR.
 *
 * @param kernel taps
 * @param stride from window to window
 * @param dilation from tap to tap
 * @param before padding in front of the image
 */
public record WindowShape(long[] kernel, long[] stride, long[] dilation, long[] before) {

  /**
   * The window of an op.
   *
   * @param operand shape of the tensor that it slides over
   * @param result shape of the result, of the same rank
   * @param filter shape of the filter, for ops whose attributes do not give the kernel; null when
   *     there is none
   * @param channelsLast whether a shape ends with the channels; else its image does
   * @param transposed whether the result is the larger of the two
   * @return null when the window is unknown, or beyond the numbers that can be followed
   */
  public static WindowShape of(
      Op op,
      List<Long> operand,
      List<Long> result,
      List<Long> filter,
      boolean channelsLast,
      boolean transposed) {
    int spatial = operand.size() - 2;
    List<Long> taps = null;
    if (filter != null && filter.size() >= operand.size()) {
      int from = channelsLast ? 1 : filter.size() - spatial;
      taps = filter.subList(from, from + spatial);
    }
    long[] kernel = kernel(op, spatial, taps);
    if (kernel == null || result.size() != operand.size()) {
      return null;
    }
    int image = channelsLast ? 1 : 2;
    long[] stride = each(op, "strides", "stride_h", "stride_w", spatial);
    long[] dilation = each(op, "dilations", "dilation_h_factor", "dilation_w_factor", spatial);
    long[] before = new long[spatial];
    String automatic = automatic(op);
    List<Long> given = op.integers("pads");
    given = given.isEmpty() ? op.integers("pads_begin") : given;
    for (int k = 0; k < spatial; k++) {
      long windows = (transposed ? operand : result).get(image + k);
      long covered = (transposed ? result : operand).get(image + k);
      long total = (windows - 1) * stride[k] + (kernel[k] - 1) * dilation[k] + 1 - covered;
      if (automatic.startsWith("SAME")) {
        total = Math.max(0, total);
        before[k] = automatic.equals("SAME_LOWER") ? (total + 1) / 2 : total / 2;
      } else {
        before[k] = k < given.size() && !automatic.equals("VALID") ? given.get(k) : 0;
      }
    }
    WindowShape found = new WindowShape(kernel, stride, dilation, before);
    return found.isWithin() ? found : null;
  }

  /** Whether its numbers are 1 or more, and their sums and products within a long. */
  private boolean isWithin() {
    double taps = 1;
    for (int k = 0; k < kernel.length; k++) {
      taps *= kernel[k];
      long most = Math.max(Math.max(kernel[k], stride[k]), Math.max(dilation[k], before[k]));
      long least = Math.min(kernel[k], Math.min(stride[k], dilation[k]));
      if (most > Integer.MAX_VALUE || least < 1) {
        return false;
      }
    }
    return taps <= Integer.MAX_VALUE;
  }

  /** How the padding is found: {@code NOTSET}, {@code VALID}, {@code SAME_UPPER}... */
  static String automatic(Op op) {
    return op.text("auto_pad", op.text("padding", "NOTSET")).toUpperCase(Locale.ROOT);
  }

  private static long[] kernel(Op op, int spatial, List<Long> filter) {
    List<Long> found = filter;
    if (op.integer("filter_height", 0) > 0 && spatial == 2) {
      found = List.of(op.integer("filter_height", 0), op.integer("filter_width", 0));
    }
    for (String attribute : List.of("kernel", "kernel_shape")) {
      List<Long> given = op.integers(attribute);
      found = given.size() >= spatial ? given.subList(0, spatial) : found;
    }
    return found == null ? null : found.stream().mapToLong(Long::longValue).toArray();
  }

  /** One value for each dimension of the image, 1 where none is given. */
  private static long[] each(Op op, String list, String rows, String columns, int spatial) {
    List<Long> given = op.integers(list);
    long[] values = new long[spatial];
    for (int k = 0; k < spatial; k++) {
      long single = Math.max(1, op.integer(k == spatial - 1 ? columns : rows, 1));
      values[k] = given.isEmpty() ? single : given.get(Math.min(k, given.size() - 1));
    }
    return values;
  }

  public int dimensions() {
    return kernel.length;
  }

  /** From the first to the last tap, both included. */
  public long reach(int k) {
    return (kernel[k] - 1) * dilation[k] + 1;
  }

  public long taps() {
    long taps = 1;
    for (long extent : kernel) {
      taps *= extent;
    }
    return taps;
  }
}
