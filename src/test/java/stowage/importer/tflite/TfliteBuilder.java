package stowage.importer.tflite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.importer.FlatWriter;

/** Writes small TFLite models for tests, with FlatBuffers' own builder. */
final class TfliteBuilder {
  static final int FLOAT32 = 0;
  static final int INT32 = 2;
  static final int STRING = 5;
  static final int INT8 = 9;
  static final int BOOL = 6;
  static final int INT4 = 17;

  private final FlatWriter out = new FlatWriter();
  private final List<Integer> buffers = new ArrayList<>();
  private final List<Integer> codes = new ArrayList<>();
  private final Map<String, Integer> named = new HashMap<>();
  private final List<Integer> subgraphs = new ArrayList<>();
  private final List<Integer> metadata = new ArrayList<>();
  private final List<Integer> signatures = new ArrayList<>();
  private boolean withoutBuffers;
  private List<Integer> tensors = new ArrayList<>();
  private List<Integer> operators = new ArrayList<>();

  TfliteBuilder() {
    buffer(null);
  }

  /** Adds data; returns its index. */
  int buffer(byte[] data) {
    buffers.add(out.table(data == null ? null : out.data(data)));
    return buffers.size() - 1;
  }

  /** Little-endian bytes of integers. */
  static byte[] bytes(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  /** Adds a tensor to the subgraph at hand; returns its index. */
  int tensor(String name, int type, int buffer, boolean variable, int... shape) {
    return tensor(name, type, buffer, variable, 0, new int[0], shape);
  }

  /** A tensor of integers that stand for reals: by one scale, or by one for each extent of dim. */
  int quantised(
      String name, int type, int buffer, int dim, int zero, float[] scales, int... shape) {
    long[] zeros = new long[scales.length];
    Arrays.fill(zeros, zero);
    FlatWriter.At reals = out.floats(scales);
    int quantisation = out.table(null, null, reals, out.longs(zeros), null, null, dim);
    return tensor(name, type, buffer, false, quantisation, new int[0], shape);
  }

  /** A tensor whose signature says which extents may change, by -1. */
  int dynamicTensor(String name, int type, int[] signature, int... shape) {
    return tensor(name, type, 0, false, 0, signature, shape);
  }

  private int tensor(
      String name,
      int type,
      int buffer,
      boolean variable,
      int quantisation,
      int[] signature,
      int... shape) {
    FlatWriter.At text = out.text(name);
    FlatWriter.At extents = out.ints(shape);
    FlatWriter.At changing = signature.length == 0 ? null : out.ints(signature);
    FlatWriter.At reals = new FlatWriter.At(quantisation);
    tensors.add(out.table(extents, (byte) type, buffer, text, reals, variable, null, changing));
    return tensors.size() - 1;
  }

  int tensor(String name, int type, int... shape) {
    return tensor(name, type, 0, false, shape);
  }

  /** A code of an op that TFLite names. */
  int code(String builtin) {
    IntStream all = IntStream.range(0, 256).filter(k -> TfliteOps.name(k).equals(builtin));
    return named.computeIfAbsent(builtin, name -> code(all.findFirst().orElseThrow(), null));
  }

  /** Adds a type of ops; returns its index. */
  int code(int builtin, String custom) {
    FlatWriter.At text = custom == null ? null : out.text(custom);
    codes.add(out.table((byte) Math.min(builtin, 127), text, null, builtin));
    return codes.size() - 1;
  }

  /** Options from field 0 on: bytes, flags, numbers, texts and lists of integers. */
  int options(Object... fields) {
    Object[] written = fields.clone();
    for (int k = 0; k < fields.length; k++) {
      if (fields[k] instanceof String text) {
        written[k] = out.text(text);
      } else if (fields[k] instanceof int[] list) {
        written[k] = out.ints(list);
      }
    }
    return out.options(written);
  }

  /** Adds an op without options. */
  void op(String code, int[] inputs, int[] outputs) {
    op(code, inputs, outputs, 0, 0);
  }

  /** Adds an op whose options are of a type (schema.fbs, union BuiltinOptions). */
  void op(int code, int[] inputs, int[] outputs, int options, int optionsType) {
    byte type = (byte) (options == 0 ? 0 : optionsType);
    FlatWriter.At in = out.ints(inputs);
    operators.add(out.table(code, in, out.ints(outputs), type, new FlatWriter.At(options)));
  }

  /** Adds an op by its name in TFLite. */
  void op(String code, int[] inputs, int[] outputs, int options, int optionsType) {
    op(code(code), inputs, outputs, options, optionsType);
  }

  /** Adds an op without options that has intermediate tensors. */
  void op(String code, int[] inputs, int[] outputs, int[] intermediates) {
    int number = code(code);
    FlatWriter.At in = out.ints(inputs);
    FlatWriter.At made = out.ints(outputs);
    FlatWriter.At between = out.ints(intermediates);
    operators.add(out.table(number, in, made, null, null, null, null, null, between));
  }

  /** Ends the subgraph at hand and begins the next. */
  void subgraph(String name, int[] inputs, int[] outputs) {
    FlatWriter.At text = out.text(name);
    FlatWriter.At all = out.tables(tensors);
    FlatWriter.At in = out.ints(inputs);
    subgraphs.add(out.table(all, in, out.ints(outputs), out.tables(operators), text));
    tensors = new ArrayList<>();
    operators = new ArrayList<>();
  }

  /** Names an input and an output of a subgraph. */
  void signature(String key, int subgraph, int input, int output) {
    FlatWriter.At from = out.tables(List.of(out.table(out.text("from"), input)));
    FlatWriter.At to = out.tables(List.of(out.table(out.text("to"), output)));
    signatures.add(out.table(from, to, out.text(key), null, subgraph));
  }

  void metadata(String name, int buffer) {
    metadata.add(out.table(out.text(name), buffer));
  }

  /** Leaves out the table of buffers, as files without any data may. */
  TfliteBuilder withoutBuffers() {
    withoutBuffers = true;
    return this;
  }

  byte[] bytes() {
    FlatWriter.At description = out.text("a test");
    FlatWriter.At types = out.tables(codes);
    FlatWriter.At graphs = out.tables(subgraphs);
    FlatWriter.At data = withoutBuffers ? null : out.tables(buffers);
    FlatWriter.At more = out.tables(metadata);
    int model =
        signatures.isEmpty()
            ? out.table(3, types, graphs, description, data, null, more)
            : out.table(3, types, graphs, description, data, null, more, out.tables(signatures));
    return out.finish(model, "TFL3");
  }

  /** x → CONV → c; c and x → ADD → y, with a variable and a slice. */
  static TfliteBuilder small() {
    TfliteBuilder builder = new TfliteBuilder();
    int weights = builder.buffer(new byte[3 * 4 * 4]);
    int begin = builder.buffer(bytes(0, 1));
    int size = builder.buffer(bytes(1, 2));
    builder.code("CONV_2D");
    builder.code("SLICE");
    int custom = builder.code(32, "Own");
    int x = builder.tensor("x", FLOAT32, 1, 4);
    int w = builder.tensor("w", FLOAT32, weights, false, 3, 4);
    int c = builder.tensor("c", FLOAT32, 1, 3);
    int b = builder.tensor("begin", INT32, begin, false, 2);
    int s = builder.tensor("size", INT32, size, false, 2);
    int part = builder.tensor("part", FLOAT32, 1, 2);
    int state = builder.tensor("state", INT8, 0, true, 100);
    int y = builder.tensor("y", FLOAT32, 7);
    int text = builder.tensor("text", STRING, 5);
    builder.op("CONV_2D", new int[] {x, w, -1}, new int[] {c}, builder.options(0, 2, 2), 1);
    builder.op("SLICE", new int[] {c, b, s}, new int[] {part});
    builder.op(custom, new int[] {part, state}, new int[] {y, text}, 0, 0);
    builder.subgraph("small", new int[] {x}, new int[] {y});
    return builder;
  }
}
