package stowage.importer.executorch;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes small ExecuTorch programs for tests, with FlatBuffers' own builder. */
public final class PteBuilder {
  static final int BYTE = 0;
  static final int FLOAT = 6;

  private static final int HEADER_BYTES = 32;
  private static final int SEGMENT_ALIGNMENT = 128;

  private final FlatBufferBuilder out = new FlatBufferBuilder(1024);
  private final List<Integer> methods = new ArrayList<>();
  private final List<String> operators = new ArrayList<>();
  private List<Integer> values = new ArrayList<>();
  private List<Integer> instructions = new ArrayList<>();

  /** Adds a tensor that is planned; returns its index. */
  int tensor(int type, int memory, long offset, int... sizes) {
    return withData(type, memory, offset, 0, sizes);
  }

  /** Adds a tensor; it has an initial content where its data is not 0. */
  int withData(int type, int memory, long offset, int data, int... sizes) {
    int allocation = 0;
    if (memory > 0) {
      out.startTable(3);
      out.addInt(0, memory, 0);
      out.addInt(1, (int) offset, 0);
      out.addInt(2, (int) (offset >>> 32), 0);
      allocation = out.endTable();
    }
    int extents = ints(sizes);
    out.startTable(10);
    out.addByte(0, (byte) type, 0);
    out.addOffset(2, extents, 0);
    out.addInt(5, data, 0);
    out.addOffset(6, allocation, 0);
    return value(5, out.endTable());
  }

  /** Adds a list of tensors; returns its index. */
  int list(int... items) {
    int vector = ints(items);
    out.startTable(1);
    out.addOffset(0, vector, 0);
    return value(10, out.endTable());
  }

  /** Adds an integer; returns its index. */
  int integer() {
    out.startTable(1);
    return value(2, out.endTable());
  }

  private int value(int kind, int content) {
    out.startTable(2);
    out.addByte(0, (byte) kind, 0);
    out.addOffset(1, content, 0);
    values.add(out.endTable());
    return values.size() - 1;
  }

  private int ints(int... items) {
    out.startVector(4, items.length, 4);
    for (int k = items.length - 1; k >= 0; k--) {
      out.addInt(items[k]);
    }
    return out.endVector();
  }

  /** Adds a call of a kernel, its name with the overload. */
  PteBuilder kernel(String op, int... args) {
    if (!operators.contains(op)) {
      operators.add(op);
    }
    return instruction(1, operators.indexOf(op), ints(args));
  }

  /** Adds a call of a delegate. */
  PteBuilder delegate(int... args) {
    return instruction(2, 0, ints(args));
  }

  /** Adds a move of a value. */
  PteBuilder move(int from, int to) {
    out.startTable(2);
    out.addInt(0, from, 0);
    out.addInt(1, to, 0);
    return instruction(3, out.endTable());
  }

  /** Adds a jump that is taken where the condition is false. */
  PteBuilder jump(int condition, int target) {
    out.startTable(2);
    out.addInt(0, condition, 0);
    out.addInt(1, target, 0);
    return instruction(4, out.endTable());
  }

  private PteBuilder instruction(int kind, int index, int args) {
    out.startTable(2);
    out.addInt(0, index, 0);
    out.addOffset(1, args, 0);
    return instruction(kind, out.endTable());
  }

  private PteBuilder instruction(int kind, int content) {
    out.startTable(2);
    out.addByte(0, (byte) kind, 0);
    out.addOffset(1, content, 0);
    instructions.add(out.endTable());
    return this;
  }

  /** Ends a method; the first size is that of memory 1. */
  PteBuilder method(String name, int[] inputs, int[] outputs, long... sizes) {
    List<Integer> ops = new ArrayList<>();
    for (String operator : operators) {
      int dot = operator.lastIndexOf('.');
      int text = out.createString(dot < 0 ? operator : operator.substring(0, dot));
      int overload = out.createString(dot < 0 ? "" : operator.substring(dot + 1));
      out.startTable(2);
      out.addOffset(0, text, 0);
      out.addOffset(1, overload, 0);
      ops.add(out.endTable());
    }
    int operatorList = tables(ops);
    int instructionList = tables(instructions);
    out.startTable(3);
    out.addOffset(2, instructionList, 0);
    int chains = tables(List.of(out.endTable()));
    int valueList = tables(values);
    int inputList = ints(inputs);
    int outputList = ints(outputs);
    int text = out.createString(name);
    out.startVector(8, sizes.length + 1, 8);
    for (int k = sizes.length - 1; k >= 0; k--) {
      out.addLong(sizes[k]);
    }
    out.addLong(0);
    int sizeList = out.endVector();
    out.startTable(9);
    out.addOffset(0, text, 0);
    out.addOffset(2, valueList, 0);
    out.addOffset(3, inputList, 0);
    out.addOffset(4, outputList, 0);
    out.addOffset(5, chains, 0);
    out.addOffset(6, operatorList, 0);
    out.addOffset(8, sizeList, 0);
    methods.add(out.endTable());
    values = new ArrayList<>();
    instructions = new ArrayList<>();
    operators.clear();
    return this;
  }

  private int tables(List<Integer> offsets) {
    return out.createVectorOfTables(offsets.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The file, without anything behind the tables and without the header that says so. */
  byte[] bytes() {
    finish(0);
    return out.sizedByteArray();
  }

  /** The file with an extended header and constants behind the tables. */
  byte[] bytes(byte[] constants) {
    finish(constants.length);
    byte[] tables = out.sizedByteArray();
    // The header goes between the identifier and the tables, so the root moves by its length.
    int added = HEADER_BYTES - 8;
    int length = tables.length + added;
    int base = (length + SEGMENT_ALIGNMENT - 1) / SEGMENT_ALIGNMENT * SEGMENT_ALIGNMENT;
    ByteBuffer file = ByteBuffer.allocate(base + constants.length).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(ByteBuffer.wrap(tables).order(ByteOrder.LITTLE_ENDIAN).getInt(0) + added);
    file.put("ET12eh00".getBytes(StandardCharsets.US_ASCII)).putInt(HEADER_BYTES);
    file.putLong(length).putLong(base);
    file.put(tables, 8, tables.length - 8);
    file.position(base);
    file.put(constants);
    return file.array();
  }

  private void finish(int segmentBytes) {
    List<Integer> segments = new ArrayList<>();
    if (segmentBytes > 0) {
      out.startTable(2);
      out.addLong(1, segmentBytes, 0);
      segments.add(out.endTable());
    }
    int segmentList = tables(segments);
    int methodList = tables(methods);
    out.startTable(5);
    out.addOffset(1, methodList, 0);
    out.addOffset(4, segmentList, 0);
    out.finish(out.endTable(), "ET12");
  }

  /**
   * A chain x, a, b, c of tensors of 64, 128, 64 and 128 bytes that ExecuTorch packs badly, with a
   * view of b without an instruction, state, working memory and an empty tensor.
   */
  static PteBuilder everything() {
    PteBuilder program = new PteBuilder();
    addMethod(program, "forward");
    return program;
  }

  private static void addMethod(PteBuilder program, String name) {
    int x = program.tensor(FLOAT, 1, 0, 16);
    int weight = program.withData(FLOAT, 0, 0, 1, 16);
    int a = program.tensor(FLOAT, 1, 128, 32);
    int b = program.tensor(FLOAT, 1, 256, 4, 4);
    int view = program.tensor(FLOAT, 1, 256, 16);
    int c = program.tensor(FLOAT, 1, 384, 32);
    int empty = program.tensor(BYTE, 1, 512, 0);
    int scratch = program.tensor(BYTE, 1, 384, 16);
    int cache = program.tensor(FLOAT, 1, 64, 16);
    int number = program.integer();
    program
        .kernel("aten::mul.out", x, weight, a, a)
        .kernel("my::reduce.out", a, empty, scratch, b, b)
        .kernel("aten::add.out", view, cache, number, c, c)
        .kernel("aten::copy_", cache, view, number, cache)
        .method(name, new int[] {x}, new int[] {c}, 512);
  }

  /** A small program whose tensors ExecuTorch has placed one after the other. */
  public static byte[] example() {
    PteBuilder program = new PteBuilder();
    int x = program.tensor(FLOAT, 1, 0, 1, 16, 32);
    int a = program.tensor(FLOAT, 1, 2048, 1, 64, 32);
    int b = program.tensor(FLOAT, 1, 10240, 1, 64, 32);
    int c = program.tensor(FLOAT, 1, 18432, 1, 16, 32);
    int y = program.tensor(FLOAT, 1, 20480, 1, 16, 32);
    return program
        .kernel("aten::expand.out", x, a, a)
        .kernel("aten::relu.out", a, b, b)
        .kernel("aten::sum.out", b, c, c)
        .kernel("aten::add.out", x, c, y, y)
        .method("forward", new int[] {x}, new int[] {y}, 22528)
        .bytes();
  }

  /** Files to be damaged. */
  public static List<byte[]> samples() {
    PteBuilder two = everything();
    addMethod(two, "decode");
    return List.of(
        everything().bytes(), everything().bytes(new byte[200]), two.bytes(new byte[64]));
  }
}
