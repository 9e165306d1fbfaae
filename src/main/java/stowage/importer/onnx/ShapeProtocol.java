package stowage.importer.onnx;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@link ShapeService} and {@link ShapeWorker} say to each other over a pipe. */
final class ShapeProtocol {
  /** The most bytes of a model; what is sent has no large constants in it. */
  static final int LARGEST_MODEL = 256 << 20;

  /** What is appended to a value's name to name its shape, by which its rank is given. */
  static final String PROBE = "\u0001rank";

  /** What ends the name of an output whose shape should be that of a run. */
  static final String RUN = "\u0001run";

  private static final int LONGEST_TEXT = 1 << 20;

  private ShapeProtocol() {}

  /** A serialized model, and whether to fold constants. */
  record Request(byte[] model, boolean fold) {}

  /** Shapes of the outputs by name, and whether constants had to be folded to find them. */
  record Answer(Map<String, ValueShape> shapes, boolean folded) {}

  /** Reason why ONNX Runtime gave no shapes. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
      super(message);
    }
  }

  static void write(DataOutputStream out, Request request) throws IOException {
    out.writeBoolean(request.fold());
    out.writeInt(request.model().length);
    out.write(request.model());
    out.flush();
  }

  static Request readRequest(DataInputStream in) throws IOException {
    boolean fold = in.readBoolean();
    return new Request(readBytes(in, LARGEST_MODEL), fold);
  }

  static void write(DataOutputStream out, Answer answer) throws IOException {
    Map<String, ValueShape> shapes = answer.shapes();
    out.writeBoolean(true);
    out.writeBoolean(answer.folded());
    out.writeInt(shapes.size());
    for (Map.Entry<String, ValueShape> entry : shapes.entrySet()) {
      writeText(out, entry.getKey());
      ValueShape shape = entry.getValue();
      out.writeInt(shape.elementType());
      out.writeBoolean(shape.sampled());
      out.writeInt(shape.dims() == null ? -1 : shape.dims().length);
      if (shape.dims() != null) {
        for (long extent : shape.dims()) {
          out.writeLong(extent);
        }
      }
    }
    out.flush();
  }

  /** Writes an answer: why there are no shapes. */
  static void writeFailure(DataOutputStream out, String what) throws IOException {
    out.writeBoolean(false);
    writeText(out, what == null ? "unknown" : what);
    out.flush();
  }

  /** Reads an answer; a {@link Failure} says why there are no shapes. */
  static Answer readAnswer(DataInputStream in) throws IOException, Failure {
    if (!in.readBoolean()) {
      throw new Failure(readText(in));
    }
    boolean folded = in.readBoolean();
    Map<String, ValueShape> shapes = new LinkedHashMap<>();
    for (int count = in.readInt(); count > 0; count--) {
      String name = readText(in);
      int elementType = in.readInt();
      boolean sampled = in.readBoolean();
      int rank = in.readInt();
      long[] dims = rank < 0 ? null : new long[Math.min(rank, 1 << 16)];
      for (int k = 0; k < rank; k++) {
        dims[k] = in.readLong();
      }
      shapes.put(name, new ValueShape(elementType, dims, sampled));
    }
    return new Answer(shapes, folded);
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, LONGEST_TEXT);
    out.writeInt(length);
    out.write(bytes, 0, length);
  }

  private static String readText(DataInputStream in) throws IOException {
    return new String(readBytes(in, LONGEST_TEXT), StandardCharsets.UTF_8);
  }

  private static byte[] readBytes(DataInputStream in, int most) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > most) {
      throw new IOException("a message of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
