package stowage.importer.tflite;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Writes small TFLite models for tests, with FlatBuffers' own builder. */
final class TfliteBuilder {
  static final int FLOAT32 = 0;
  static final int INT32 = 2;
  static final int STRING = 5;
  static final int INT8 = 9;
  static final int BOOL = 6;
  static final int INT4 = 17;

  private final FlatBufferBuilder out = new FlatBufferBuilder(1024);
  private final List<Integer> buffers = new ArrayList<>();
  private final List<Integer> codes = new ArrayList<>();
  private final List<Integer> subgraphs = new ArrayList<>();
  private final List<Integer> metadata = new ArrayList<>();
  private boolean withoutBuffers;
  private List<Integer> tensors = new ArrayList<>();
  private List<Integer> operators = new ArrayList<>();

  TfliteBuilder() {
    buffer(null);
  }

  /** Adds data; returns its index. */
  int buffer(byte[] data) {
    int vector = 0;
    if (data != null) {
      out.startVector(1, data.length, 16);
      for (int k = data.length - 1; k >= 0; k--) {
        out.addByte(data[k]);
      }
      vector = out.endVector();
    }
    out.startTable(3);
    if (data != null) {
      out.addOffset(0, vector, 0);
    }
    buffers.add(out.endTable());
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

  private int ints(int... values) {
    out.startVector(4, values.length, 4);
    for (int k = values.length - 1; k >= 0; k--) {
      out.addInt(values[k]);
    }
    return out.endVector();
  }

  private int offsets(List<Integer> values) {
    return out.createVectorOfTables(values.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Adds a tensor to the subgraph at hand; returns its index. */
  int tensor(String name, int type, int buffer, boolean variable, int... shape) {
    return tensor(name, type, buffer, variable, 0, new int[0], shape);
  }

  /** A tensor of integers that stand for reals: by one scale, or by one for each extent of dim. */
  int quantised(
      String name, int type, int buffer, int dim, int zero, float[] scales, int... shape) {
    out.startVector(4, scales.length, 4);
    for (int k = scales.length - 1; k >= 0; k--) {
      out.addFloat(scales[k]);
    }
    int reals = out.endVector();
    out.startVector(8, scales.length, 8);
    for (int k = 0; k < scales.length; k++) {
      out.addLong(zero);
    }
    int zeros = out.endVector();
    out.startTable(7);
    out.addOffset(2, reals, 0);
    out.addOffset(3, zeros, 0);
    out.addInt(6, dim, 0);
    return tensor(name, type, buffer, false, out.endTable(), new int[0], shape);
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
    int text = out.createString(name);
    int extents = ints(shape);
    int changing = signature.length == 0 ? 0 : ints(signature);
    out.startTable(10);
    out.addOffset(0, extents, 0);
    out.addByte(1, (byte) type, 0);
    out.addInt(2, buffer, 0);
    out.addOffset(3, text, 0);
    out.addOffset(4, quantisation, 0);
    out.addBoolean(5, variable, false);
    out.addOffset(7, changing, 0);
    tensors.add(out.endTable());
    return tensors.size() - 1;
  }

  int tensor(String name, int type, int... shape) {
    return tensor(name, type, 0, false, shape);
  }

  /** A code of an op that TFLite names. */
  int code(String builtin) {
    return code(
        IntStream.range(0, 256)
            .filter(k -> TfliteOps.name(k).equals(builtin))
            .findFirst()
            .orElseThrow(),
        null);
  }

  /** Adds a type of ops; returns its index. */
  int code(int builtin, String custom) {
    int text = custom == null ? 0 : out.createString(custom);
    out.startTable(4);
    out.addByte(0, (byte) Math.min(builtin, 127), 0);
    if (custom != null) {
      out.addOffset(1, text, 0);
    }
    out.addInt(3, builtin, 0);
    codes.add(out.endTable());
    return codes.size() - 1;
  }

  /** Options that hold integers, from field 0 on. */
  int options(int... fields) {
    out.startTable(fields.length);
    for (int k = 0; k < fields.length; k++) {
      out.addInt(k, fields[k], -1);
    }
    return out.endTable();
  }

  /** Options that hold reals, from field 0 on. */
  int floats(float... fields) {
    out.startTable(fields.length);
    for (int k = 0; k < fields.length; k++) {
      out.addFloat(k, fields[k], 0);
    }
    return out.endTable();
  }

  /** Options that hold texts, from field 0 on. */
  int texts(String... fields) {
    int[] texts = Arrays.stream(fields).mapToInt(out::createString).toArray();
    out.startTable(fields.length);
    for (int k = 0; k < fields.length; k++) {
      out.addOffset(k, texts[k], 0);
    }
    return out.endTable();
  }

  /** Options that hold one list of integers. */
  int list(int... values) {
    int list = ints(values);
    out.startTable(1);
    out.addOffset(0, list, 0);
    return out.endTable();
  }

  /** Options that hold bytes, flags and integers, from field 0 on. */
  int fields(Object... fields) {
    out.startTable(fields.length);
    for (int k = 0; k < fields.length; k++) {
      if (fields[k] instanceof Integer value) {
        out.addInt(k, value, -1);
      } else {
        byte set = (byte) (Boolean.TRUE.equals(fields[k]) ? 1 : 0);
        out.addByte(k, fields[k] instanceof Byte value ? value : set, 0);
      }
    }
    return out.endTable();
  }

  void op(int code, int[] inputs, int[] outputs, int options) {
    op(code, inputs, outputs, options, 1);
  }

  /** Adds an op whose options are of a type (schema.fbs, union BuiltinOptions). */
  void op(int code, int[] inputs, int[] outputs, int options, int optionsType) {
    int in = ints(inputs);
    int made = ints(outputs);
    out.startTable(13);
    out.addInt(0, code, 0);
    out.addOffset(1, in, 0);
    out.addOffset(2, made, 0);
    if (options != 0) {
      out.addByte(3, (byte) optionsType, 0);
      out.addOffset(4, options, 0);
    }
    operators.add(out.endTable());
  }

  /** Ends the subgraph at hand and begins the next. */
  void subgraph(String name, int[] inputs, int[] outputs) {
    int text = out.createString(name);
    int all = offsets(tensors);
    int in = ints(inputs);
    int made = ints(outputs);
    int ops = offsets(operators);
    out.startTable(5);
    out.addOffset(0, all, 0);
    out.addOffset(1, in, 0);
    out.addOffset(2, made, 0);
    out.addOffset(3, ops, 0);
    out.addOffset(4, text, 0);
    subgraphs.add(out.endTable());
    tensors = new ArrayList<>();
    operators = new ArrayList<>();
  }

  void metadata(String name, int buffer) {
    int text = out.createString(name);
    out.startTable(2);
    out.addOffset(0, text, 0);
    out.addInt(1, buffer, 0);
    metadata.add(out.endTable());
  }

  /** Leaves out the table of buffers, as files without any data may. */
  TfliteBuilder withoutBuffers() {
    withoutBuffers = true;
    return this;
  }

  byte[] bytes() {
    int description = out.createString("a test");
    int allCodes = offsets(codes);
    int allSubgraphs = offsets(subgraphs);
    int allBuffers = offsets(buffers);
    int allMetadata = offsets(metadata);
    out.startTable(8);
    out.addInt(0, 3, 0);
    out.addOffset(1, allCodes, 0);
    out.addOffset(2, allSubgraphs, 0);
    out.addOffset(3, description, 0);
    if (!withoutBuffers) {
      out.addOffset(4, allBuffers, 0);
    }
    out.addOffset(6, allMetadata, 0);
    out.finish(out.endTable(), "TFL3");
    return out.sizedByteArray();
  }

  /** x → CONV → c; c and x → ADD → y, with a variable and a slice. */
  static TfliteBuilder small() {
    TfliteBuilder builder = new TfliteBuilder();
    int weights = builder.buffer(new byte[3 * 4 * 4]);
    int begin = builder.buffer(bytes(0, 1));
    int size = builder.buffer(bytes(1, 2));
    int conv = builder.code(3, null);
    int slice = builder.code(65, null);
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
    builder.op(conv, new int[] {x, w, -1}, new int[] {c}, builder.options(0, 2, 2));
    builder.op(slice, new int[] {c, b, s}, new int[] {part}, 0);
    builder.op(custom, new int[] {part, state}, new int[] {y, text}, 0);
    builder.subgraph("small", new int[] {x}, new int[] {y});
    return builder;
  }
}
