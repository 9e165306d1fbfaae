package stowage.importer.tflite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * What a TFLite file holds, as far as planning needs it. Numbers of fields are those of the schema
 * (tensorflow/tensorflow, tensorflow/compiler/mlir/lite/schema/schema.fbs, version 3c).
 *
 * @param bytes the whole file
 * @param root the outermost table
 * @param codes the ops' types
 * @param subgraphs the first is the main one
 * @param buffers constant data; the first is empty
 */
record TfliteModel(
    Path file,
    ByteBuffer bytes,
    FlatTable root,
    List<String> codes,
    List<Subgraph> subgraphs,
    List<Data> buffers,
    List<Metadata> metadata) {

  /** Fields of the table Model. */
  static final int VERSION = 0;

  static final int OPERATOR_CODES = 1;
  static final int SUBGRAPHS = 2;
  static final int DESCRIPTION = 3;
  static final int BUFFERS = 4;
  static final int METADATA_BUFFER = 5;
  static final int METADATA = 6;
  static final int SIGNATURES = 7;

  /** The field of an operator that lists its intermediate tensors. */
  static final int INTERMEDIATES = 8;

  static final String IDENTIFIER = "TFL3";

  /** A graph: its tensors and its ops in execution order. */
  record Subgraph(
      String name, List<Value> tensors, int[] inputs, int[] outputs, List<Operator> operators) {}

  /**
   * A tensor: its extents, the number of its element type, the index of its data (0: none), whether
   * it keeps its content between runs, whether an extent may change, and whether its data leaves
   * out zeros.
   */
  record Value(
      String name,
      int[] shape,
      int type,
      int buffer,
      boolean variable,
      boolean dynamic,
      boolean sparse) {}

  /** An op; inputs, outputs and intermediates are indices of tensors, -1 where absent. */
  record Operator(
      int code,
      int[] inputs,
      int[] outputs,
      int[] intermediates,
      FlatTable options,
      FlatTable moreOptions) {}

  /** Constant data: where it is described, its first byte in the file, and its bytes (0: none). */
  record Data(FlatTable table, long start, long length) {}

  record Metadata(FlatTable table, String name, int buffer) {}

  static TfliteModel read(Path file) {
    byte[] content = InputFiles.readAllBytes(file);
    FlatTable.FlatFile flat = new FlatTable.FlatFile(file, content);
    if (content.length < 8
        || !new String(content, 4, 4, StandardCharsets.US_ASCII).equals(IDENTIFIER)) {
      throw new InputException(
          file, "", "is not a TFLite file: bytes 4 to 7 should be \"" + IDENTIFIER + "\"");
    }
    FlatTable root = flat.root();
    if (root.int32(VERSION, 0) != 3) {
      throw new InputException(
          file, "", "has schema version " + root.int32(VERSION, 0) + "; only 3 is understood");
    }
    List<String> codes = new ArrayList<>();
    for (FlatTable code : root.tables(OPERATOR_CODES)) {
      int number = Math.max(code.int8(0, 0), code.int32(3, 0));
      String custom = code.text(1);
      codes.add(number == TfliteOps.CUSTOM && !custom.isEmpty() ? custom : TfliteOps.name(number));
    }
    List<Data> buffers =
        root.tables(BUFFERS).stream().map(buffer -> data(file, content, buffer)).toList();
    List<Subgraph> subgraphs = root.tables(SUBGRAPHS).stream().map(TfliteModel::subgraph).toList();
    List<Metadata> metadata =
        root.tables(METADATA).stream()
            .map(entry -> new Metadata(entry, entry.text(0), entry.int32(1, 0)))
            .toList();
    root.text(DESCRIPTION);
    root.ints(METADATA_BUFFER);
    for (FlatTable signature : root.tables(SIGNATURES)) {
      signature.tables(0).forEach(entry -> entry.text(0));
      signature.tables(1).forEach(entry -> entry.text(0));
      signature.text(2);
    }
    TfliteModel model =
        new TfliteModel(file, flat.bytes(), root, codes, subgraphs, buffers, metadata);
    model.check(flat.extent());
    return model;
  }

  private static Data data(Path file, byte[] content, FlatTable buffer) {
    long inside = buffer.count(0, 1);
    long offset = buffer.int64(1, 0);
    long size = buffer.int64(2, 0);
    if (inside > 0 || offset <= 1 || size == 0) {
      return new Data(buffer, buffer.vector(0, 1), inside);
    }
    if (size < 0 || offset > content.length - size) {
      String what = "is cut short or damaged: data of %s bytes are expected at %s, the file has %s";
      throw new InputException(file, "", what, size, offset, content.length);
    }
    return new Data(buffer, offset, size);
  }

  private static Subgraph subgraph(FlatTable table) {
    List<Value> tensors = new ArrayList<>();
    for (FlatTable tensor : table.tables(0)) {
      boolean dynamic = IntStream.of(tensor.ints(7)).anyMatch(extent -> extent < 0);
      touchQuantization(tensor.table(4));
      tensors.add(
          new Value(
              tensor.text(3),
              tensor.ints(0),
              tensor.int8(1, 0),
              tensor.int32(2, 0),
              tensor.flag(5),
              dynamic,
              tensor.table(6) != null));
    }
    List<Operator> operators = new ArrayList<>();
    for (FlatTable operator : table.tables(3)) {
      operator.count(5, 1);
      operator.count(7, 1);
      operators.add(
          new Operator(
              operator.int32(0, 0),
              operator.ints(1),
              operator.ints(2),
              operator.ints(INTERMEDIATES),
              operator.int8(3, 0) == 0 ? null : operator.table(4),
              operator.int8(11, 0) == 0 ? null : operator.table(12)));
    }
    return new Subgraph(
        table.text(4), tensors, table.ints(1), table.ints(2), List.copyOf(operators));
  }

  private static void touchQuantization(FlatTable quantization) {
    if (quantization != null) {
      quantization.count(0, Float.BYTES);
      quantization.count(1, Float.BYTES);
      quantization.count(2, Float.BYTES);
      quantization.count(3, Long.BYTES);
    }
  }

  InputException fault(String where, String what, Object... arguments) {
    return new InputException(file, where, what, arguments);
  }

  /** Checks indices, and that the file's end is there. */
  private void check(long extent) {
    if (subgraphs.isEmpty()) {
      throw fault("", "has no subgraph");
    }
    checkEnd(extent);
    for (int s = 0; s < subgraphs.size(); s++) {
      Subgraph subgraph = subgraphs.get(s);
      int count = subgraph.tensors().size();
      String where = "subgraph " + s;
      checkIndices(where + ", inputs", 0, count, subgraph.inputs());
      checkIndices(where + ", outputs", 0, count, subgraph.outputs());
      for (int t = 0; t < count; t++) {
        int buffer = subgraph.tensors().get(t).buffer();
        checkIndices(where + ", buffer of tensor " + t, 0, Math.max(1, buffers.size()), buffer);
      }
      for (int o = 0; o < subgraph.operators().size(); o++) {
        Operator operator = subgraph.operators().get(o);
        checkIndices(where + ", inputs of op " + o, -1, count, operator.inputs());
        checkIndices(where + ", outputs of op " + o, -1, count, operator.outputs());
        checkIndices(where + ", intermediates of op " + o, -1, count, operator.intermediates());
        checkIndices(where + ", operator code of op " + o, 0, codes.size(), operator.code());
      }
    }
    for (Metadata entry : metadata) {
      checkIndices("metadata \"" + entry.name() + "\"", 0, buffers.size(), entry.buffer());
    }
  }

  private void checkIndices(String where, int least, int end, int... indices) {
    for (int index : indices) {
      if (index < least || index >= end) {
        throw fault(where, "index %s should be between %s and %s", index, least, end - 1);
      }
    }
  }

  /**
   * FlatBuffers' files are a multiple of 4 bytes long, and may be followed by a zip archive of
   * labels and the like, whose last record says where it ends.
   */
  private void checkEnd(long extent) {
    int length = bytes.limit();
    long rest = length - extent;
    boolean zeros = rest < 16;
    for (long k = extent; k < length && zeros; k++) {
      zeros = bytes.get((int) k) == 0;
    }
    if (zeros && length % 4 != 0) {
      throw fault("", "is cut short: %s bytes should be a multiple of 4", length);
    }
    for (int k = (int) extent; k < Math.min(extent + 16, length - 3L); k++) {
      if (bytes.getInt(k) == 0x04034b50 && !endsWithZip(k)) {
        throw fault("", "is cut short: the archive at its end is not complete");
      }
    }
  }

  private boolean endsWithZip(int start) {
    int length = bytes.limit();
    for (int k = length - 22; k >= Math.max(start, length - 22 - 65_535); k--) {
      if (bytes.getInt(k) == 0x06054b50
          && k + 22 + Short.toUnsignedInt(bytes.getShort(k + 20)) == length) {
        return true;
      }
    }
    return false;
  }

  /** The integers of 32 or 64 bits that a tensor's data holds; null when it has none. */
  List<Long> integers(Value value) {
    Data data = buffers.isEmpty() ? null : buffers.get(value.buffer());
    int width = value.type() == TfliteOps.INT32 ? 4 : value.type() == TfliteOps.INT64 ? 8 : 0;
    if (data == null || data.length() == 0 || width == 0 || data.length() > 1024) {
      return null;
    }
    List<Long> integers = new ArrayList<>();
    for (long k = 0; k + width <= data.length(); k += width) {
      int at = (int) (data.start() + k);
      integers.add(width == 4 ? (long) bytes.getInt(at) : bytes.getLong(at));
    }
    return integers;
  }
}
