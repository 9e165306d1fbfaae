package stowage.generator.networks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Builder of a network, op by op, which works out each result's shape.
 *
 * <p>Every method adds one op, named by its first argument, with its weights ({@code name.weight},
 * {@code name.bias}), and returns its result's name, which is the op's. Types and attributes are
 * those of {@code docs/network-format.md}; images are in the order batch, channels, rows, columns.
 */
public final class NetworkBuilder {
  private final String name;
  private final ElementType type;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Starts a network of tensors of a type, unless they are given another. */
  public NetworkBuilder(String name, ElementType type) {
    this.name = name;
    this.type = type;
  }

  /** A window that slides over rows and columns. */
  public record Window(int height, int width, int stride, int padHeight, int padWidth) {
    /** A square window that keeps the extents at stride 1. */
    public static Window same(int size, int stride) {
      return new Window(size, size, stride, size / 2, size / 2);
    }

    /** A square window without padding. */
    public static Window valid(int size, int stride) {
      return new Window(size, size, stride, 0, 0);
    }

    private Map<String, Object> attributes() {
      long top = padHeight;
      long left = padWidth;
      Map<String, Object> attributes = new LinkedHashMap<>();
      attributes.put("kernel_shape", List.of((long) height, (long) width));
      attributes.put("strides", List.of((long) stride, (long) stride));
      attributes.put("pads", List.of(top, left, top, left));
      return attributes;
    }
  }

  /** What a convolution applies to its result at no cost of memory. */
  public enum Fused {
    /** Nothing. */
    NONE,
    /** max(x, 0). */
    RELU,
    /** min(max(x, 0), 6). */
    RELU6
  }

  public void note(String remark) {
    notes.add(remark);
  }

  /** Adds a graph input. */
  public String input(String input, long... shape) {
    return input(input, type, shape);
  }

  /** Adds a graph input of another element type. */
  public String input(String input, ElementType other, long... shape) {
    inputs.add(tensor(input, other, Tensor.Kind.ACTIVATION, shape));
    return input;
  }

  /** Makes a tensor a graph output. */
  public void output(String tensor) {
    outputs.add(tensor);
  }

  /** Adds a constant. */
  public String weight(String weight, long... shape) {
    return tensor(weight, type, Tensor.Kind.WEIGHT, shape);
  }

  private String tensor(String tensor, ElementType of, Tensor.Kind kind, long... shape) {
    List<Long> extents = list(shape);
    if (tensors.put(tensor, new Tensor(tensor, extents, of, kind)) != null) {
      throw new IllegalArgumentException("tensor \"" + tensor + "\" is written twice");
    }
    return tensor;
  }

  private static List<Long> list(long[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  /** The extents of a tensor written so far. */
  public long[] shape(String tensor) {
    return tensors.get(tensor).shape().stream().mapToLong(Long::longValue).toArray();
  }

  private long extent(String tensor, int axis) {
    return tensors.get(tensor).extent(axis);
  }

  /** Adds an op whose one result has the given shape and the first operand's element type. */
  public String op(
      String op,
      String opType,
      Map<String, Object> attributes,
      List<String> operands,
      long... shape) {
    tensor(op, tensors.get(operands.get(0)).type(), Tensor.Kind.ACTIVATION, shape);
    ops.add(new Op(op, opType, attributes, operands, List.of(op), 0));
    return op;
  }

  /** Conv, with a bias. */
  public String conv(String op, String x, long channels, Window window, Fused fused) {
    return conv(op, x, channels, window, 1, true, fused);
  }

  /** Conv in groups, with or without a bias. */
  public String conv(
      String op, String x, long channels, Window window, long groups, boolean bias, Fused fused) {
    List<String> operands = new ArrayList<>(List.of(x));
    operands.add(
        weight(op + ".weight", channels, extent(x, 1) / groups, window.height(), window.width()));
    if (bias) {
      operands.add(weight(op + ".bias", channels));
    }
    Map<String, Object> attributes = window.attributes();
    attributes.put("dilations", List.of(1L, 1L));
    attributes.put("group", groups);
    return conv(op, attributes, operands, channels, window, fused);
  }

  private String conv(
      String op,
      Map<String, Object> attributes,
      List<String> operands,
      long channels,
      Window window,
      Fused fused) {
    if (fused != Fused.NONE) {
      attributes.put("relu", true);
    }
    if (fused == Fused.RELU6) {
      attributes.put("relu_limit", 6.0);
    }
    return op(op, "Conv", attributes, operands, over(operands.get(0), channels, window));
  }

  /** The shape of what a window makes of an image. */
  private long[] over(String x, long channels, Window window) {
    return new long[] {
      extent(x, 0),
      channels,
      (extent(x, 2) + 2L * window.padHeight() - window.height()) / window.stride() + 1,
      (extent(x, 3) + 2L * window.padWidth() - window.width()) / window.stride() + 1
    };
  }

  /** Conv with a bias, whose weights are named and made at their first use. */
  public String convShared(
      String op, String weights, String x, long channels, Window window, Fused fused) {
    String weight = weights + ".weight";
    String bias = weights + ".bias";
    if (!tensors.containsKey(weight)) {
      weight(weight, channels, extent(x, 1), window.height(), window.width());
      weight(bias, channels);
    }
    return conv(op, window.attributes(), List.of(x, weight, bias), channels, window, fused);
  }

  /**
   * BatchNormTraining: normalised by the mean and variance of the batch, which it gives as a second
   * result for the gradient; a factor and a summand a channel, and ReLU if wanted.
   */
  public String batchNorm(String op, String x, boolean relu) {
    long channels = extent(x, 1);
    String factor = weight(op + ".weight", channels);
    String summand = weight(op + ".bias", channels);
    String saved = tensor(op + ".saved", type, Tensor.Kind.ACTIVATION, 2, channels);
    tensor(op, type, Tensor.Kind.ACTIVATION, shape(x));
    Map<String, Object> attributes = relu ? Map.of("relu", true) : Map.of();
    List<String> operands = List.of(x, factor, summand);
    ops.add(new Op(op, "BatchNormTraining", attributes, operands, List.of(op, saved), 0));
    return op;
  }

  /** Mix: an op of any operands with a weight of its own, linear in both. */
  public String mix(String op, List<String> operands, long[] weight, long[] shape) {
    List<String> all = new ArrayList<>(operands);
    all.add(weight(op + ".weight", weight));
    return op(op, "Mix", Map.of(), all, shape);
  }

  /** ConvTranspose without padding, with a bias. */
  public String convTranspose(String op, String x, long channels, int kernel, int stride) {
    String weight = weight(op + ".weight", extent(x, 1), channels, kernel, kernel);
    String bias = weight(op + ".bias", channels);
    Map<String, Object> attributes = Window.valid(kernel, stride).attributes();
    attributes.put("dilations", List.of(1L, 1L));
    attributes.put("output_padding", List.of(0L, 0L));
    attributes.put("group", 1L);
    long rows = (extent(x, 2) - 1) * stride + kernel;
    long columns = (extent(x, 3) - 1) * stride + kernel;
    long[] shape = {extent(x, 0), channels, rows, columns};
    return op(op, "ConvTranspose", attributes, List.of(x, weight, bias), shape);
  }

  public String maxPool(String op, String x, Window window) {
    return pool(op, "MaxPool", x, window, false);
  }

  /** AveragePool; padding counts as zeros. */
  public String averagePool(String op, String x, Window window) {
    return pool(op, "AveragePool", x, window, true);
  }

  private String pool(String op, String opType, String x, Window window, boolean average) {
    Map<String, Object> attributes = window.attributes();
    attributes.put("ceil_mode", false);
    if (average) {
      attributes.put("count_include_pad", true);
    }
    return op(op, opType, attributes, List.of(x), over(x, extent(x, 1), window));
  }

  /** GlobalAveragePool: one value a channel. */
  public String globalAveragePool(String op, String x) {
    return op(op, "GlobalAveragePool", Map.of(), List.of(x), extent(x, 0), extent(x, 1), 1, 1);
  }

  /** Gemm of a matrix with a weight stored as [out, in], with a bias. */
  public String gemm(String op, String x, long features) {
    String weight = weight(op + ".weight", features, extent(x, 1));
    String bias = weight(op + ".bias", features);
    return op(op, "Gemm", Map.of("transB", true), List.of(x, weight, bias), extent(x, 0), features);
  }

  /** MatMul of the last axis with a weight stored as [in, out], with a bias as third operand. */
  public String linear(String op, String x, long features) {
    long[] shape = shape(x);
    String weight = weight(op + ".weight", shape[shape.length - 1], features);
    String bias = weight(op + ".bias", features);
    shape[shape.length - 1] = features;
    return op(op, "MatMul", Map.of(), List.of(x, weight, bias), shape);
  }

  /** MatMul of two activations over their last two axes, the second transposed if wanted. */
  public String matMul(String op, String a, String b, boolean transposeB) {
    long[] shape = shape(a);
    int last = shape.length - 1;
    shape[last] = extent(b, transposeB ? last - 1 : last);
    Map<String, Object> attributes = transposeB ? Map.of("transB", true) : Map.of();
    return op(op, "MatMul", attributes, List.of(a, b), shape);
  }

  /** Add of equal shapes, or with a constant or an operand that is broadcast. */
  public String add(String op, String a, String b) {
    return op(op, "Add", Map.of(), List.of(a, b), shape(a));
  }

  /** Add with a fused ReLU. */
  public String addRelu(String op, String a, String b) {
    return op(op, "Add", Map.of("relu", true), List.of(a, b), shape(a));
  }

  /** An op of one operand that keeps its shape, such as Relu, Sigmoid, Silu, Gelu. */
  public String unary(String op, String opType, String x) {
    return op(op, opType, Map.of(), List.of(x), shape(x));
  }

  public String softmax(String op, String x, long axis) {
    return op(op, "Softmax", Map.of("axis", axis), List.of(x), shape(x));
  }

  /** LayerNormalization over the last axis. */
  public String layerNorm(String op, String x, double epsilon) {
    long[] shape = shape(x);
    String factor = weight(op + ".weight", shape[shape.length - 1]);
    String summand = weight(op + ".bias", shape[shape.length - 1]);
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("axis", -1L);
    attributes.put("epsilon", epsilon);
    return op(op, "LayerNormalization", attributes, List.of(x, factor, summand), shape);
  }

  /** Gather of rows of a table of constants. */
  public String gather(String op, String table, String indices) {
    long[] rows = shape(indices);
    long[] shape = Arrays.copyOf(rows, rows.length + 1);
    shape[rows.length] = extent(table, 1);
    return op(op, "Gather", Map.of("axis", 0L), List.of(table, indices), shape);
  }

  public String concat(String op, int axis, String... parts) {
    long[] shape = shape(parts[0]);
    shape[axis] = 0;
    for (String part : parts) {
      shape[axis] += extent(part, axis);
    }
    return op(op, "Concat", Map.of("axis", (long) axis), List.of(parts), shape);
  }

  /** Split into equal parts along an axis; the results are named {@code op.0}, {@code op.1}, ... */
  public List<String> split(String op, String x, int axis, int parts) {
    long[] shape = shape(x);
    shape[axis] /= parts;
    List<String> results = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      results.add(tensor(op + "." + part, tensors.get(x).type(), Tensor.Kind.ACTIVATION, shape));
    }
    ops.add(new Op(op, "Split", Map.of("axis", (long) axis), List.of(x), results, 0));
    return results;
  }

  /** Slice along some axes, without steps. */
  public String slice(String op, String x, int[] axes, long[] starts, long[] ends) {
    long[] shape = shape(x);
    for (int k = 0; k < axes.length; k++) {
      shape[axes[k]] = ends[k] - starts[k];
    }
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("axes", Arrays.stream(axes).mapToObj(axis -> (long) axis).toList());
    attributes.put("starts", list(starts));
    attributes.put("ends", list(ends));
    return op(op, "Slice", attributes, List.of(x), shape);
  }

  /** Reshape; the shape is the result's. */
  public String reshape(String op, String x, long... shape) {
    return op(op, "Reshape", Map.of("shape", list(shape)), List.of(x), shape);
  }

  /** Flatten of all axes but the first. */
  public String flatten(String op, String x) {
    long rows = extent(x, 0);
    return op(
        op, "Flatten", Map.of("axis", 1L), List.of(x), rows, tensors.get(x).elements() / rows);
  }

  /** Transpose: axis k of the result is axis {@code perm[k]} of the operand. */
  public String transpose(String op, String x, int... perm) {
    long[] shape = IntStream.range(0, perm.length).mapToLong(k -> extent(x, perm[k])).toArray();
    List<Long> axes = Arrays.stream(perm).mapToObj(axis -> (long) axis).toList();
    return op(op, "Transpose", Map.of("perm", axes), List.of(x), shape);
  }

  /** Resize of rows and columns by a whole factor, each pixel repeated. */
  public String upsample(String op, String x, long factor) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("mode", "nearest");
    attributes.put("scales", List.of(1L, 1L, factor, factor));
    long[] shape = {extent(x, 0), extent(x, 1), extent(x, 2) * factor, extent(x, 3) * factor};
    return op(op, "Resize", attributes, List.of(x), shape);
  }

  public Network build() {
    return new Network(name, "json", tensors.values(), ops, inputs, outputs, notes);
  }
}
