package stowage.rewrite.range;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/**
 * How ops can be cut, by their types and shapes: those of ONNX, TFLite and OpenVINO, of networks in
 * JSON, and windows, elementwise ops and concatenations of TPU-MLIR. An unknown type is a barrier.
 *
 * <p>A constant is never cut: an op that would need a part of one is a barrier, and so is one that
 * reads an activation which is broadcast along the cut axis.
 */
public final class AxisRules {
  private static final Set<String> CONVOLUTIONS =
      Set.of(
          "CONV QLINEARCONV CONVINTEGER CONVOLUTION GROUPCONVOLUTION CONV2D DEPTHWISECONV2D"
              .split(" "));
  private static final Set<String> TRANSPOSED = Set.of("CONVTRANSPOSE", "TRANSPOSECONV");
  private static final Set<String> POOLS =
      OpTypes.words("MAXPOOL AVERAGEPOOL AVGPOOL LPPOOL MAXPOOL2D AVERAGEPOOL2D L2POOL2D");
  private static final Set<String> PADS = Set.of("PAD", "PADV2");

  private final Network network;
  private final boolean channelsLast;
  private final ImageRules images;

  /** The rules of a network's ops. */
  public AxisRules(Network network) {
    this.network = network;
    this.channelsLast = isTflite(network);
    this.images = new ImageRules(this, network, channelsLast, image());
  }

  /** Types that TFLite alone spells so: a network read from JSON may have been a model of it. */
  private static final Set<String> TFLITE_IMAGES = Set.of("CONV_2D", "DEPTHWISE_CONV_2D");

  /** Whether a network has TFLite's ops, with images as batch, rows, columns, channels. */
  public static boolean isTflite(Network network) {
    return network.format().equals("tflite") || TFLITE_IMAGES.stream().anyMatch(network::hasType);
  }

  /**
   * The dimensions along which a piece of an op has padding of its own: all of the image for a
   * window, all for an op that adds margins, none for others. O(1).
   */
  public int[] padded(Op op) {
    String key = OpTypes.key(op);
    int rank = shape(op.presentOutputs().get(0)).length;
    boolean window = CONVOLUTIONS.contains(key) || POOLS.contains(key) || TRANSPOSED.contains(key);
    int first = window ? image() : PADS.contains(key) ? 0 : rank;
    int last = window && channelsLast ? rank - 1 : rank;
    int[] padded = new int[Math.max(0, last - first)];
    Arrays.setAll(padded, k -> first + k);
    return padded;
  }

  /** Whether an op is a pool: its padding is no value, so no other op can add it. */
  public static boolean isPool(Op op) {
    return POOLS.contains(OpTypes.key(op));
  }

  public static boolean isTransposed(Op op) {
    return TRANSPOSED.contains(OpTypes.key(op));
  }

  /** Whether an op has TFLite's padding SAME, which its kernel works out from the shapes. */
  public boolean isSame(Op op) {
    return channelsLast && op.text("padding", "").equals("SAME");
  }

  private int image() {
    return channelsLast ? 1 : 2;
  }

  long[] shape(String tensor) {
    return network.tensor(tensor).shape().stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * The rule of an op along a dimension of its results. O(operands * rank).
   *
   * @param dim a dimension of the results, the same of all
   * @param pads how SAME is done in TFLite
   */
  public AxisRule rule(Op op, int dim, PadForm pads) {
    List<String> results = op.presentOutputs();
    if (results.isEmpty() || op.inputs().isEmpty() || op.inputs().get(0).isEmpty()) {
      return AxisRule.barrier("it has no result or no first operand");
    }
    long[] out = shape(results.get(0));
    for (String result : results) {
      long[] shape = shape(result);
      if (shape.length != out.length || shape[dim] != out[dim]) {
        return AxisRule.barrier("its results differ along the cut axis");
      }
    }
    String key = OpTypes.key(op);
    boolean several =
        results.size() > 1 && !key.startsWith("SPLIT") && !(isPool(op) && isUnread(results.get(1)));
    if (several || op.type().contains(".") && !isKnownInDialects(op, key)) {
      return AxisRule.barrier("an op of type " + op.type() + " is run whole");
    }
    AxisRule rule = rule(op, key, dim, out, pads);
    for (int k = 0; k < op.inputs().size() && rule.barrier() == null; k++) {
      if (rule.dimension(k) != AxisRule.WHOLE && network.tensor(op.inputs().get(k)).isWeight()) {
        return AxisRule.barrier("its constant \"" + op.inputs().get(k) + "\" would be cut");
      }
    }
    return rule;
  }

  /** Whether nothing reads a tensor, as is usual for the positions of a pool's maxima. */
  private boolean isUnread(String tensor) {
    return !network.outputs().contains(tensor)
        && network.ops().stream().noneMatch(op -> op.inputs().contains(tensor));
  }

  /** Whether an op of a dialect of TPU-MLIR means what ONNX's op of that name means. */
  private static boolean isKnownInDialects(Op op, String key) {
    return OpTypes.isTpuMlir(op)
        && (CONVOLUTIONS.contains(key)
            || POOLS.contains(key)
            || key.equals("CONCAT")
            || OpTypes.isElementwise(op));
  }

  private AxisRule rule(Op op, String key, int dim, long[] out, PadForm pads) {
    long[] in = shape(op.inputs().get(0));
    if (CONVOLUTIONS.contains(key) || POOLS.contains(key)) {
      return images.window(op, dim, in, out, pads);
    }
    if (OpTypes.isElementwise(op) && !key.equals("BATCHNORMALIZATION") && !key.equals("SCALE")) {
      return elementwise(op, dim, out);
    }
    return switch (key) {
      case "QUANTIZE", "DEQUANTIZE", "QLINEARADD", "QLINEARMUL", "QLINEARSIGMOID", "REQUANTIZE" ->
          elementwise(op, dim, out);
      case "QUANTIZELINEAR", "DEQUANTIZELINEAR" -> quantized(op, dim, out);
      case "BATCHNORMALIZATION", "SCALE", "LRN" ->
          dim == 1
                  || dim > 1 && op.integer("spatial", 1) == 0
                  || op.integer("training_mode", 0) == 1
                  || op.presentOutputs().size() > 1
              ? AxisRule.barrier("it goes by channels, by places of the image, or by batches")
              : same(dim);
      case "LOCALRESPONSENORMALIZATION", "L2NORMALIZATION" -> before(out.length - 1, dim);
      case "SOFTMAX", "LOGSOFTMAX", "LAYERNORMALIZATION", "RMSNORMALIZATION" ->
          before(axis(op, "axis", -1, out.length), dim);
      case "CONVTRANSPOSE", "TRANSPOSECONV" -> images.transposed(op, dim, out);
      case "PAD", "PADV2" -> margins(op, dim, in);
      case "CONCAT", "CONCATENATION" -> concatenation(op, dim, out);
      case "SPLIT" ->
          !channelsLast && axis(op, "axis", 0, out.length) == dim
              ? AxisRule.barrier("it takes parts along the cut axis")
              : cutFrom(channelsLast ? 1 : 0, op, dim, out);
      case "SPLITV" ->
          op.presentOutputs().size() == 1
              ? AxisRule.barrier("its only part has a size of its own")
              : cutFrom(0, op, dim, out);
      case "SLICE" -> cutFrom(0, op, dim, out);
      case "SQUEEZE" ->
          !Set.of("onnx", "tflite").contains(network.format())
                  || op.inputs().size() > 1
                  || op.attributes().containsKey("axes")
              ? reshaped(in, out, dim, out.length)
              : AxisRule.barrier("it drops the cut axis of a piece of one row");
      case "RESHAPE", "FLATTEN", "UNSQUEEZE", "EXPANDDIMS", "IDENTITY" ->
          reshaped(in, out, dim, out.length);
      case "TRANSPOSE" -> {
        List<Long> order = op.integers("perm");
        yield order.size() == out.length
            ? AxisRule.of(new IndexMap.Same(), order.get(dim).intValue())
            : AxisRule.barrier("its order of axes is not known");
      }
      case "MATMUL", "MATMULINTEGER", "BATCHMATMUL" -> product(op, dim, out, 1);
      case "QLINEARMATMUL" -> product(op, dim, out, 3);
      case "GEMM", "QGEMM" -> gemm(op, dim);
      case "FULLYCONNECTED" ->
          dim == out.length - 1
              ? AxisRule.barrier("it goes over the last axis")
              : reshaped(
                  Arrays.copyOf(in, in.length - 1),
                  Arrays.copyOf(out, out.length - 1),
                  dim,
                  out.length - 1);
      case "RESIZE", "UPSAMPLE", "RESIZENEARESTNEIGHBOR" -> images.resized(op, dim, in, out);
      case "DEPTHTOSPACE" -> images.blocks(dim, in, out, true);
      case "SPACETODEPTH" -> images.blocks(dim, in, out, false);
      case "GATHER" -> {
        int indices = op.inputs().size() < 2 ? 0 : shape(op.inputs().get(1)).length;
        yield axis(op, "axis", 0, in.length) == 0 && dim < indices
            ? AxisRule.of(new IndexMap.Same(), AxisRule.WHOLE, dim)
            : AxisRule.barrier("it gathers along other axes");
      }
      case "GLOBALAVERAGEPOOL", "GLOBALMAXPOOL" -> before(2, dim);
      case "MEAN", "SUM", "REDUCEMEAN", "REDUCESUM", "REDUCEMAX", "REDUCEMIN" ->
          in.length == out.length && in[dim] == out[dim] && in[dim] > 1
              ? same(dim)
              : AxisRule.barrier("it reduces the cut axis, or drops axes");
      default -> AxisRule.barrier("nothing is known of cutting an op of type " + op.type());
    };
  }

  static AxisRule same(int dim) {
    return AxisRule.of(new IndexMap.Same(), dim);
  }

  /** Ops that go over an axis and all after it. */
  private static AxisRule before(int axis, int dim) {
    return dim < axis ? same(dim) : AxisRule.barrier("it needs all of the cut axis at once");
  }

  private static int axis(Op op, String name, int otherwise, int rank) {
    long axis = op.integer(name, otherwise);
    return (int) (axis < 0 ? axis + rank : axis);
  }

  private AxisRule elementwise(Op op, int dim, long[] out) {
    int[] dims = new int[op.inputs().size()];
    Arrays.fill(dims, AxisRule.WHOLE);
    // The condition of TFLite's first SELECT may have one element for each row of the others.
    if (op.type().equals("SELECT") && shape(op.inputs().get(0)).length != out.length) {
      return AxisRule.barrier("its condition has another rank");
    }
    for (int k = 0; k < dims.length; k++) {
      if (op.inputs().get(k).isEmpty()) {
        continue;
      }
      Tensor operand = network.tensor(op.inputs().get(k));
      int own = dim - (out.length - operand.rank());
      long extent = own < 0 ? 1 : operand.extent(own);
      if (extent == out[dim] && own >= 0) {
        dims[k] = own;
      } else if (extent != 1) {
        return AxisRule.barrier("operand \"" + operand.name() + "\" has another shape");
      } else if (!operand.isWeight()) {
        return AxisRule.barrier("operand \"" + operand.name() + "\" is broadcast along the axis");
      }
    }
    return AxisRule.of(new IndexMap.Same(), dims);
  }

  private AxisRule quantized(Op op, int dim, long[] out) {
    if (op.inputs().size() < 2 || op.inputs().get(1).isEmpty()) {
      return AxisRule.barrier("it has no scale");
    }
    boolean perTensor = network.tensor(op.inputs().get(1)).elements() == 1;
    return perTensor || axis(op, "axis", 1, out.length) != dim && op.integer("block_size", 0) == 0
        ? same(dim)
        : AxisRule.barrier("it is quantised along the cut axis");
  }

  private AxisRule margins(Op op, int dim, long[] in) {
    List<Long> pads = op.integers("pads");
    if (op.attributes().containsKey("axes")
        || pads.size() != 2 * in.length
        || pads.stream().anyMatch(pad -> pad < 0)) {
      return AxisRule.barrier("its pads are not known, or cut something off");
    }
    long before = pads.get(dim);
    long after = pads.get(dim + in.length);
    boolean constant = op.text("mode", "constant").equals("constant");
    if (before == 0 && after == 0) {
      return same(dim);
    }
    return constant
        ? AxisRule.of(new IndexMap.Window(1, 1, before), dim)
        : AxisRule.barrier("it pads by values along the cut axis");
  }

  private AxisRule concatenation(Op op, int dim, long[] out) {
    if (axis(op, "axis", 1, out.length) == dim) {
      return AxisRule.barrier("it puts its operands together along the cut axis");
    }
    int[] dims = new int[op.inputs().size()];
    for (int k = 0; k < dims.length; k++) {
      dims[k] = op.inputs().get(k).isEmpty() ? AxisRule.WHOLE : dim;
    }
    return AxisRule.of(new IndexMap.Same(), dims);
  }

  /** Ops that take parts of an operand, here along other axes. */
  private AxisRule cutFrom(int operand, Op op, int dim, long[] out) {
    long[] in = operand < op.inputs().size() ? shape(op.inputs().get(operand)) : new long[0];
    long[] from = OpTypes.key(op).equals("SLICE") ? SliceStarts.of(op, in) : null;
    if (from != null && in.length == out.length && in[dim] != out[dim]) {
      return AxisRule.of(new IndexMap.Window(1, 1, -from[dim]), dim);
    }
    if (in.length != out.length || in[dim] != out[dim] || !forward(op)) {
      return AxisRule.barrier("it takes parts along the cut axis, or which ones is not known");
    }
    int[] dims = new int[operand + 1];
    Arrays.fill(dims, AxisRule.WHOLE);
    dims[operand] = dim;
    return AxisRule.of(new IndexMap.Same(), dims);
  }

  private static boolean forward(Op op) {
    return op.integers("steps").stream().allMatch(step -> step > 0)
        && op.integers("strides").stream().allMatch(step -> step > 0);
  }

  /** The dimension that means the same before and after the bytes get another shape. */
  private static AxisRule reshaped(long[] in, long[] out, int dim, int rank) {
    long outer = 1;
    for (int k = 0; k < dim; k++) {
      outer *= out[k];
    }
    long before = 1;
    for (int k = 0; k < in.length && dim < rank; k++) {
      if (before == outer && in[k] == out[dim] && in[k] > 1) {
        return same(k);
      }
      before *= in[k];
    }
    return AxisRule.barrier("it mixes the cut axis with others");
  }

  /** Matrix products: rows and batches of the left operand, batches of the right one. */
  private AxisRule product(Op op, int dim, long[] out, int right) {
    int rank = out.length;
    int[] dims = new int[right + 1];
    Arrays.fill(dims, AxisRule.WHOLE);
    for (int k = 0; k <= right; k += right) {
      if (op.inputs().size() <= k) {
        return AxisRule.barrier("its right operand is missing");
      }
      long[] shape = shape(op.inputs().get(k));
      if (shape.length < 2 || rank < 2) {
        return AxisRule.barrier("an operand is no matrix");
      }
      boolean turned =
          k == 0 ? op.flag("transA") || op.flag("adj_x") : op.flag("transB") || op.flag("adj_y");
      int own = dim - (rank - shape.length);
      if (dim == rank - 1) {
        return AxisRule.barrier("it is cut along rows, not columns");
      } else if (dim == rank - 2) {
        dims[k] = k > 0 ? AxisRule.WHOLE : turned ? shape.length - 1 : own;
      } else if (own >= 0 && shape[own] == out[dim]) {
        dims[k] = own;
      } else if (own >= 0 && shape[own] != 1 || !network.tensor(op.inputs().get(k)).isWeight()) {
        return AxisRule.barrier("operand \"" + op.inputs().get(k) + "\" is broadcast");
      }
    }
    boolean third = op.inputs().size() > 2 && !op.inputs().get(2).isEmpty();
    if (third && right == 1 && !network.tensor(op.inputs().get(2)).isWeight()) {
      return AxisRule.barrier("its bias is no constant");
    }
    boolean scaled = right > 1 || op.type().equals("MatMulInteger");
    if (third && scaled && LongStream.of(shape(op.inputs().get(2))).anyMatch(d -> d != 1)) {
      return AxisRule.barrier("its zero points go by rows");
    }
    return AxisRule.of(new IndexMap.Same(), dims);
  }

  private AxisRule gemm(Op op, int dim) {
    if (dim != 0) {
      return AxisRule.barrier("it is cut along rows, not columns");
    }
    boolean bias = op.type().equals("Gemm") && op.inputs().size() > 2;
    if (bias && !op.inputs().get(2).isEmpty()) {
      long[] shape = shape(op.inputs().get(2));
      if (shape.length > 1 && shape[0] != 1) {
        return AxisRule.barrier("its summand \"" + op.inputs().get(2) + "\" has rows");
      }
    }
    return AxisRule.of(new IndexMap.Same(), op.flag("transA") ? 1 : 0);
  }
}
