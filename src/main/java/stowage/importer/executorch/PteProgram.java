package stowage.importer.executorch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * What an ExecuTorch program holds, as far as planning needs it. Numbers of fields are those of the
 * schema (pytorch/executorch, schema/program.fbs, identifier ET12); the header that tells how long
 * the tables are, and where constants begin after them, is that of schema/extended_header.h. Only
 * header and tables are read, so weights of gigabytes are not.
 *
 * @param bytes header and tables
 * @param header whether there is an extended header
 * @param segmentBase where the data after the tables begins; 0 for none
 * @param methods in the file's order
 */
record PteProgram(Path file, byte[] bytes, boolean header, long segmentBase, List<Method> methods) {
  /** Where the extended header says how many bytes header and tables have. */
  static final int PROGRAM_SIZE = 16;

  /** Where it says at which byte of the file the segments begin. */
  static final int SEGMENT_BASE = 24;

  /** Field of a tensor for where it is planned. */
  static final int ALLOCATION_INFO = 6;

  private static final int HEADER_START = 8;
  private static final String HEADER_MAGIC = "eh";
  private static final int HEADER_END = 32;

  private static final int TENSOR = 5;
  private static final int TENSOR_LIST = 10;
  private static final int OPTIONAL_TENSOR_LIST = 11;

  /** Bytes of an element by the number of its type, c10's ScalarType. */
  private static final int[] ELEMENT_BYTES = {
    1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, 1, 1, 4, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 4, 8
  };

  /**
   * An entry point.
   *
   * @param values tensors and lists of them; null for others
   * @param inputs indices of values
   * @param outputs indices of values
   * @param instructions in the order in which they run, those of all chains
   * @param sizes bytes of each memory by its id; 0 is not used
   * @param sizesPlace where the first size is in the file
   * @param sizesPointer where the file points to the sizes
   */
  record Method(
      String name,
      List<Value> values,
      int[] inputs,
      int[] outputs,
      List<Instruction> instructions,
      long[] sizes,
      int sizesPlace,
      int sizesPointer) {}

  /**
   * A tensor, or a list of tensors.
   *
   * @param tensor null for a list
   * @param items indices of values; empty for a tensor
   */
  record Value(TensorInfo tensor, int[] items) {
    boolean isPlanned() {
      return tensor != null && tensor.memory > 0 && tensor.bytes > 0;
    }
  }

  /**
   * A tensor.
   *
   * @param bytes of its largest shape
   * @param memory the id of the memory it is planned in, 0 where it is planned in none
   * @param offset in that memory
   * @param state whether the file says that it has an initial content or a name of its own
   * @param table where it is described
   * @param allocation where its place is described, or null
   */
  record TensorInfo(
      long bytes, int memory, long offset, boolean state, FlatTable table, FlatTable allocation) {
    long end() {
      return offset + bytes;
    }

    boolean touches(TensorInfo other) {
      return memory == other.memory && offset < other.end() && other.offset < end();
    }
  }

  enum Kind {
    NONE,
    KERNEL,
    DELEGATE,
    MOVE,
    JUMP,
    FREE
  }

  /**
   * An instruction.
   *
   * @param op a kernel's name with its overload, such as {@code aten::add.out}
   * @param args indices of values; of a move what is moved and its target, of a jump the condition
   * @param target the instruction a jump leads to; else -1
   */
  record Instruction(Kind kind, String op, int[] args, int target) {}

  static PteProgram read(Path file) {
    try (InputStream in = InputFiles.open(file)) {
      long length = Files.size(file);
      byte[] head = in.readNBytes(HEADER_END);
      String id = head.length < 8 ? "" : new String(head, 4, 4, StandardCharsets.US_ASCII);
      if (!id.matches("ET\\d\\d")) {
        throw new InputException(
            file, "", "is no ExecuTorch program: bytes 4 to 7 should be \"ET12\"");
      }
      ByteBuffer numbers = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
      boolean header =
          head.length == HEADER_END
              && new String(head, HEADER_START, 2, StandardCharsets.US_ASCII).equals(HEADER_MAGIC);
      long program = header ? numbers.getLong(PROGRAM_SIZE) : length;
      long segments = header ? numbers.getLong(SEGMENT_BASE) : 0;
      if (program < HEADER_END || program > length || segments < 0 || segments > length) {
        throw cut(file, "header", "it says " + program + " bytes of tables", length);
      }
      if (program > Integer.MAX_VALUE - 8) {
        throw new InputException(
            file, "", "has " + program + " bytes of tables; at most 2 GiB are read");
      }
      byte[] bytes = Arrays.copyOf(head, (int) program);
      int got = in.readNBytes(bytes, head.length, bytes.length - head.length);
      if (got < bytes.length - head.length) {
        throw cut(file, "header", "it says " + program + " bytes of tables", length);
      }
      return of(file, bytes, header, segments, length);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
  }

  private static InputException cut(Path file, String where, String what, long length) {
    return new InputException(
        file, where, "is cut short or damaged: " + what + ", the file has " + length + " bytes");
  }

  private static PteProgram of(
      Path file, byte[] bytes, boolean header, long segmentBase, long length) {
    FlatTable root = new FlatTable.FlatFile(file, bytes).root();
    long end = segmentBase;
    for (FlatTable segment : root.tables(4)) {
      long from = segment.int64(0, 0);
      long size = segment.int64(1, 0);
      if (from < 0 || size < 0 || from > length - size || segmentBase + from > length - size) {
        throw cut(file, "segments", "one of " + size + " bytes begins at " + from, length);
      }
      end = Math.max(end, segmentBase + from + size);
    }
    if (end > bytes.length && !header) {
      throw cut(file, "segments", "it has some, but no header that says where they begin", length);
    }
    List<Method> methods = new ArrayList<>();
    root.tables(1).forEach(plan -> methods.add(new MethodReader(file, plan, plan.text(0)).read()));
    if (methods.isEmpty()) {
      throw new InputException(file, "", "has no method");
    }
    return new PteProgram(file, bytes, header, segmentBase, methods);
  }

  /** Reader of one table {@code ExecutionPlan}. */
  private record MethodReader(Path file, FlatTable plan, String name) {
    Method read() {
      List<Value> values = new ArrayList<>();
      plan.tables(2).forEach(value -> values.add(value(values.size(), value)));
      List<String> operators = new ArrayList<>();
      for (FlatTable operator : plan.tables(6)) {
        String overload = operator.text(1);
        operators.add(operator.text(0) + (overload.isEmpty() ? "" : "." + overload));
      }
      List<Instruction> instructions = new ArrayList<>();
      for (FlatTable chain : plan.tables(5)) {
        int first = instructions.size();
        for (FlatTable instruction : chain.tables(2)) {
          instructions.add(instruction(instructions.size(), first, instruction, operators));
        }
      }
      Method method =
          new Method(
              name,
              values,
              plan.ints(3),
              plan.ints(4),
              instructions,
              plan.longs(8),
              plan.vector(8, Long.BYTES),
              plan.place(8, Integer.BYTES));
      check(values, method.inputs(), "inputs");
      check(values, method.outputs(), "outputs");
      for (int i = 0; i < instructions.size(); i++) {
        check(values, instructions.get(i).args(), "instruction " + i);
      }
      values.forEach(value -> check(values, value.items(), "a list of tensors"));
      return method;
    }

    private InputException fault(String where, String what, Object... arguments) {
      return new InputException(file, "method \"" + name + "\", " + where, what, arguments);
    }

    private void check(List<Value> values, int[] indices, String where) {
      for (int index : indices) {
        if (index < -1 || index >= values.size()) {
          throw fault(where, "value %s should be one of the %s values", index, values.size());
        }
      }
    }

    private Value value(int index, FlatTable value) {
      FlatTable content = value.table(1);
      int kind = content == null ? 0 : value.int8(0, 0);
      if (kind == TENSOR) {
        return new Value(tensor("value " + index, content), new int[0]);
      }
      boolean list = kind == TENSOR_LIST || kind == OPTIONAL_TENSOR_LIST;
      return new Value(null, list ? content.ints(0) : new int[0]);
    }

    private TensorInfo tensor(String where, FlatTable tensor) {
      FlatTable allocation = tensor.table(ALLOCATION_INFO);
      FlatTable extra = tensor.table(9);
      if (allocation == null) {
        return new TensorInfo(0, 0, 0, false, tensor, null);
      }
      int type = tensor.int8(0, 0);
      if (type < 0 || type >= ELEMENT_BYTES.length) {
        throw fault(where, "has element type %s; known are 0 to 29 of ScalarType", type);
      }
      long bytes = ELEMENT_BYTES[type];
      for (int extent : tensor.ints(2)) {
        if (extent < 0 || (extent > 0 && bytes > Long.MAX_VALUE / 4 / extent)) {
          throw fault(where, "extent %s should be 0 or more, and all bytes below 2^61", extent);
        }
        bytes *= extent;
      }
      long offset =
          Integer.toUnsignedLong(allocation.int32(1, 0)) | (long) allocation.int32(2, 0) << 32;
      int memory = allocation.int32(0, 0);
      if (offset < 0 || memory < 0) {
        String what = "is planned at %s of memory %s; both should be 0 or more";
        throw fault(where, what, offset, memory);
      }
      boolean state = tensor.int32(5, 0) != 0 || (extra != null && !extra.text(1).isEmpty());
      return new TensorInfo(bytes, memory, offset, state, tensor, allocation);
    }

    private Instruction instruction(int index, int first, FlatTable table, List<String> operators) {
      FlatTable content = table.table(1);
      int kind = content == null ? 0 : table.int8(0, 0);
      return switch (kind) {
        case 1 -> {
          int op = content.int32(0, 0);
          if (op < 0 || op >= operators.size()) {
            String what = "operator %s should be one of %s";
            throw fault("instruction " + index, what, op, operators.size());
          }
          yield new Instruction(Kind.KERNEL, operators.get(op), content.ints(1), -1);
        }
        case 2 -> new Instruction(Kind.DELEGATE, "delegate", content.ints(1), -1);
        case 3 ->
            new Instruction(
                Kind.MOVE, "move", new int[] {content.int32(0, 0), content.int32(1, 0)}, -1);
        case 4 ->
            new Instruction(
                Kind.JUMP, "jump", new int[] {content.int32(0, 0)}, first + content.int32(1, 0));
        case 5 -> new Instruction(Kind.FREE, "free", new int[0], -1);
        default -> new Instruction(Kind.NONE, "", new int[0], -1);
      };
    }
  }
}
