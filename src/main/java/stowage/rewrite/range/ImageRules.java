package stowage.rewrite.range;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;

/** Axis rules of ops on images: windows, transposed convolutions, resizing, blocks of channels. */
final class ImageRules {
  private final AxisRules rules;
  private final Network network;
  private final boolean channelsLast;

  /** The first dimension of the image. */
  private final int image;

  ImageRules(AxisRules rules, Network network, boolean channelsLast, int image) {
    this.rules = rules;
    this.network = network;
    this.channelsLast = channelsLast;
    this.image = image;
  }

  private WindowShape windowShape(Op op, int operand, boolean transposed) {
    int filter = AxisRules.isPool(op) ? -1 : OpTypes.key(op).startsWith("QLINEAR") ? 3 : 1;
    boolean has = filter >= 0 && filter < op.inputs().size() && !op.inputs().get(filter).isEmpty();
    return WindowShape.of(
        op,
        network.tensor(op.inputs().get(operand)).shape(),
        network.tensor(op.presentOutputs().get(0)).shape(),
        has ? network.tensor(op.inputs().get(filter)).shape() : null,
        channelsLast,
        transposed);
  }

  /** The rule of a convolution or pool along a dimension of its result. */
  AxisRule window(Op op, int dim, long[] in, long[] out, PadForm pads) {
    int last = channelsLast ? out.length - 1 : out.length;
    if (in.length != out.length || dim != 0 && (dim < image || dim >= last)) {
      return AxisRule.barrier("it goes over all channels");
    }
    if (dim == 0) {
      return AxisRules.same(0);
    }
    WindowShape window = windowShape(op, 0, false);
    // What a maximum's last window has beyond the padding is padding too; a mean counts it apart.
    // ONNX Runtime refuses padding of as many rows as a pool has taps, as dilated ones may need.
    boolean ceiled = op.flag("ceil_mode") || op.text("rounding_type", "").startsWith("ceil");
    boolean wide = AxisRules.isPool(op) && op.integers("dilations").stream().anyMatch(d -> d > 1);
    if (window == null
        || ceiled && (wide || !OpTypes.key(op).startsWith("MAX") || isBehind(window, in, out))) {
      return AxisRule.barrier(
          "its kernel_shape is not known, or it is a mean or dilated with ceil_mode");
    }
    int k = dim - image;
    for (int d = 0; d < window.dimensions(); d++) {
      if ((out[image + d] - 1) * window.stride()[d] + window.reach(d) <= window.before()[d]
          || window.reach(d) > in[image + d] + padding(op, window, d)) {
        return AxisRule.barrier("its windows lie in padding alone, or are larger than the image");
      }
    }
    if (!channelsLast && WindowShape.automatic(op).startsWith("SAME")) {
      for (int d = 0; d < window.dimensions(); d++) {
        long read = (out[image + d] - 1) * window.stride()[d] + window.reach(d);
        if (read < in[image + d] || wide) {
          return AxisRule.barrier(
              "run-times differ in SAME where windows leave gaps at the end, or refuse the"
                  + " padding");
        }
      }
    }
    boolean crops = rules.isSame(op) && (pads == PadForm.CROP || AxisRules.isPool(op));
    IndexMap.Window map =
        new IndexMap.Window(window.reach(k), window.stride()[k], window.before()[k]);
    return AxisRule.of(crops ? map.same() : map, dim);
  }

  /** What an op pads the image by along a dimension; no bound where the image says how much. */
  private static long padding(Op op, WindowShape window, int d) {
    List<Long> pads = op.integers("pads");
    boolean given = pads.size() == 2 * window.dimensions();
    boolean none = pads.isEmpty() && !op.attributes().containsKey("pads_begin");
    return switch (WindowShape.automatic(op)) {
      case "VALID" -> 0;
      case "NOTSET" ->
          given ? pads.get(d) + pads.get(d + window.dimensions()) : none ? 0 : Integer.MAX_VALUE;
      default -> Integer.MAX_VALUE;
    };
  }

  /** Whether a last window begins after the image, in padding alone. */
  private boolean isBehind(WindowShape window, long[] in, long[] out) {
    return IntStream.range(0, window.dimensions())
        .anyMatch(
            d -> (out[image + d] - 1) * window.stride()[d] - window.before()[d] >= in[image + d]);
  }

  /** The rule of a transposed convolution along a dimension of its result. */
  AxisRule transposed(Op op, int dim, long[] out) {
    int input = channelsLast ? 2 : 0;
    if (op.inputs().size() <= input) {
      return AxisRule.barrier("its operands are not known");
    }
    long[] in = rules.shape(op.inputs().get(input));
    int last = channelsLast ? out.length - 1 : out.length;
    if (in.length != out.length || dim != 0 && (dim < image || dim >= last)) {
      return AxisRule.barrier("it goes over all channels");
    }
    int[] dims = new int[input + 1];
    Arrays.fill(dims, AxisRule.WHOLE);
    dims[input] = dim;
    if (dim == 0) {
      return AxisRule.of(new IndexMap.Same(), dims);
    }
    WindowShape window = windowShape(op, input, true);
    boolean given = op.attributes().containsKey("output_shape") && !channelsLast;
    if (window == null || given || !channelsLast && WindowShape.automatic(op).startsWith("SAME")) {
      return AxisRule.barrier("its padding follows from its output_shape");
    }
    int k = dim - image;
    return AxisRule.of(
        new IndexMap.Transposed(
            window.reach(k), window.stride()[k], window.before()[k], !channelsLast),
        dims);
  }

  /** Nearest neighbours at whole factors. */
  AxisRule resized(Op op, int dim, long[] in, long[] out) {
    if (in.length != out.length) {
      return AxisRule.barrier("its operand has another rank");
    }
    boolean scaled = channelsLast ? dim == 1 || dim == 2 : in[dim] != out[dim];
    if (network.format().equals("onnx")
        && !op.attributes().containsKey("scales")
        && !op.attributes().containsKey("sizes")) {
      return AxisRule.barrier("its scales are not known");
    }
    boolean nearest = op.text("mode", "nearest").toLowerCase(Locale.ROOT).equals("nearest");
    String middle = op.text("coordinate_transformation_mode", "half_pixel");
    if (!op.text("keep_aspect_ratio_policy", "stretch").equals("stretch")
        || middle.equals("tf_crop_and_resize")) {
      return AxisRule.barrier("a part of its operand says what happens to the others");
    }
    long factor = in[dim] > 0 && out[dim] % in[dim] == 0 ? out[dim] / in[dim] : 0;
    Object scales = op.attributes().get("scales");
    List<Long> axes = op.integers("axes");
    int at =
        axes.isEmpty()
            ? dim
            : Math.max(axes.indexOf((long) dim), axes.indexOf((long) dim - in.length));
    boolean exact =
        !(scales instanceof List<?> list)
            || at < 0
            || list.size() <= at
            || ((Number) list.get(at)).doubleValue() == factor;
    if (!scaled) {
      return nearest && exact ? AxisRules.same(dim) : AxisRule.barrier("it interpolates");
    }
    boolean floors =
        channelsLast
            ? !op.flag("align_corners") && factor > 0 && 1f / factor * (double) factor >= 1
            : op.type().equals("Upsample")
                || middle.equals("asymmetric") && op.text("nearest_mode", "").equals("floor")
                || middle.equals("half_pixel")
                    && op.text("nearest_mode", "round_prefer_floor").startsWith("round_prefer");
    return nearest && floors && exact && factor > 0
        ? AxisRule.of(new IndexMap.Repeated(factor), dim)
        : AxisRule.barrier("it is no repetition of rows by a whole factor");
  }

  /** The rule of ops that exchange rows or columns with channels, block by block. */
  AxisRule blocks(int dim, long[] in, long[] out, boolean toSpace) {
    int channels = channelsLast ? out.length - 1 : 1;
    long small = Math.min(in[dim], out[dim]);
    if (dim == channels || small == 0 || dim == 0) {
      return dim == 0 ? AxisRules.same(0) : AxisRule.barrier("it moves channels");
    }
    long factor = Math.max(in[dim], out[dim]) / small;
    return AxisRule.of(
        toSpace ? new IndexMap.Repeated(factor) : new IndexMap.Gathered(factor), dim);
  }
}
