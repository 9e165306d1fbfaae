package stowage.importer.executorch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import stowage.importer.FlatWriter;

/** Writes small ExecuTorch programs for tests, with FlatBuffers' own builder. */
public final class PteBuilder {
  static final int BYTE = 0;
  static final int FLOAT = 6;

  private static final int HEADER_BYTES = 32;
  private static final int SEGMENT_ALIGNMENT = 128;

  private final FlatWriter out = new FlatWriter();
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
    int place = memory == 0 ? 0 : out.table(memory, (int) offset, (int) (offset >>> 32));
    FlatWriter.At allocation = new FlatWriter.At(place);
    FlatWriter.At extents = out.ints(sizes);
    return value(5, out.table((byte) type, null, extents, null, null, data, allocation));
  }

  /** Adds a list of tensors; returns its index. */
  int list(int... items) {
    return value(10, out.table(out.ints(items)));
  }

  /** Adds an integer; returns its index. */
  int integer() {
    return value(2, out.table());
  }

  private int value(int kind, int content) {
    values.add(out.table((byte) kind, new FlatWriter.At(content)));
    return values.size() - 1;
  }

  /** Adds a call of a kernel, its name with the overload. */
  PteBuilder kernel(String op, int... args) {
    if (!operators.contains(op)) {
      operators.add(op);
    }
    return instruction(1, operators.indexOf(op), out.ints(args));
  }

  /** Adds a call of a delegate. */
  PteBuilder delegate(int... args) {
    return instruction(2, 0, out.ints(args));
  }

  /** Adds a move of a value. */
  PteBuilder move(int from, int to) {
    return instruction(3, from, to);
  }

  /** Adds a jump that is taken where the condition is false. */
  PteBuilder jump(int condition, int target) {
    return instruction(4, condition, target);
  }

  private PteBuilder instruction(int kind, Object... fields) {
    instructions.add(out.table((byte) kind, new FlatWriter.At(out.table(fields))));
    return this;
  }

  /** Ends a method; the first size is that of memory 1. */
  PteBuilder method(String name, int[] inputs, int[] outputs, long... sizes) {
    List<Integer> ops = new ArrayList<>();
    for (String operator : operators) {
      int dot = operator.lastIndexOf('.');
      FlatWriter.At text = out.text(dot < 0 ? operator : operator.substring(0, dot));
      ops.add(out.table(text, out.text(dot < 0 ? "" : operator.substring(dot + 1))));
    }
    FlatWriter.At kernels = out.tables(ops);
    FlatWriter.At chains = out.tables(List.of(out.table(null, null, out.tables(instructions))));
    FlatWriter.At all = out.tables(values);
    FlatWriter.At in = out.ints(inputs);
    FlatWriter.At made = out.ints(outputs);
    FlatWriter.At text = out.text(name);
    long[] memories = new long[sizes.length + 1];
    System.arraycopy(sizes, 0, memories, 1, sizes.length);
    FlatWriter.At bytes = out.longs(memories);
    methods.add(out.table(text, null, all, in, made, chains, kernels, null, bytes));
    values = new ArrayList<>();
    instructions = new ArrayList<>();
    operators.clear();
    return this;
  }

  /** The file, without anything behind the tables and without the header that says so. */
  byte[] bytes() {
    return finish(0);
  }

  /** The file with an extended header and constants behind the tables. */
  byte[] bytes(byte[] constants) {
    byte[] tables = finish(constants.length);
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

  private byte[] finish(int segmentBytes) {
    boolean none = segmentBytes == 0;
    FlatWriter.At segments =
        out.tables(none ? List.of() : List.of(out.table(null, (long) segmentBytes)));
    return out.finish(out.table(null, out.tables(methods), null, null, segments), "ET12");
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
