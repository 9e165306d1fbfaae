package stowage.importer.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.ValueInfo;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The child process: reads models from its standard input, has ONNX Runtime infer the shapes of
 * their outputs, and writes these to its standard output, one answer a model, until the input ends.
 *
 * <p>Shapes are looked for in three ways, each only for what the one before left unknown: as
 * inferred with no optimisation; as inferred after folding constants, which follows shapes that the
 * network computes from its own static shapes; and as seen in one run on zeros, which is all that
 * can be done where extents depend on data. A run is made as well where the name of an output asks
 * for it.
 */
public final class ShapeWorker {
  /** The most bytes of zeros that a run is fed with. */
  private static final long MOST_ZEROS = 1L << 30;

  /** Marks a tensor whose element type the binding has no name for. */
  private static final int UNNAMED_TYPE = -1;

  /** The binding's names of element types by ONNX's numbers. */
  private static final List<String> TYPES =
      List.of(
          ("UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 DOUBLE UINT32"
                  + " UINT64 COMPLEX64 COMPLEX128 BFLOAT16 FLOAT8E4M3FN FLOAT8E4M3FNUZ FLOAT8E5M2"
                  + " FLOAT8E5M2FNUZ")
              .split(" "));

  private ShapeWorker() {}

  /** Serves requests; there are no arguments. */
  public static void main(String[] arguments) throws IOException {
    DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
    DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
    System.setOut(System.err);
    // The parent ends a late child; a child at work on a model does not see the end of its input.
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    try {
      while (true) {
        answer(ShapeProtocol.readRequest(in), out);
      }
    } catch (EOFException parentIsGone) {
      Runtime.getRuntime().halt(0);
    }
  }

  private static void answer(ShapeProtocol.Request request, DataOutputStream out)
      throws IOException {
    ShapeProtocol.Answer answer;
    try {
      answer = shapes(request);
    } catch (OrtException | RuntimeException | OutOfMemoryError failure) {
      ShapeProtocol.writeFailure(out, String.valueOf(failure.getMessage()));
      return;
    }
    ShapeProtocol.write(out, answer);
  }

  private static ShapeProtocol.Answer shapes(ShapeProtocol.Request request) throws OrtException {
    OrtEnvironment environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    Map<String, ValueShape> shapes = new LinkedHashMap<>();
    if (!request.fold()) {
      try (OrtSession.SessionOptions options = options(OrtSession.SessionOptions.OptLevel.NO_OPT);
          OrtSession session = environment.createSession(request.model(), options)) {
        collect(session, shapes);
      }
      if (shapes.values().stream().allMatch(ValueShape::known)) {
        return new ShapeProtocol.Answer(shapes, false);
      }
    }
    try (OrtSession.SessionOptions options = options(OrtSession.SessionOptions.OptLevel.BASIC_OPT);
        OrtSession session = environment.createSession(request.model(), options)) {
      collect(session, shapes);
      shapes.replaceAll(
          (name, shape) ->
              name.endsWith(ShapeProtocol.RUN)
                  ? new ValueShape(shape.elementType(), null, false)
                  : shape);
      if (!shapes.values().stream().allMatch(ValueShape::known)) {
        run(environment, session, shapes);
      }
    }
    return new ShapeProtocol.Answer(shapes, true);
  }

  private static OrtSession.SessionOptions options(OrtSession.SessionOptions.OptLevel level)
      throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setOptimizationLevel(level);
    options.setIntraOpNumThreads(1);
    options.setInterOpNumThreads(1);
    options.setCPUArenaAllocator(false);
    options.setMemoryPatternOptimization(false);
    options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    options.addConfigEntry("session.disable_prepacking", "1");
    return options;
  }

  private static void collect(OrtSession session, Map<String, ValueShape> shapes)
      throws OrtException {
    for (Map.Entry<String, NodeInfo> entry : session.getOutputInfo().entrySet()) {
      ValueShape known = shapes.get(entry.getKey());
      if (known == null || !known.known()) {
        shapes.put(entry.getKey(), shape(entry.getValue().getInfo(), false));
      }
    }
    for (String name : List.copyOf(shapes.keySet())) {
      if (name.endsWith(ShapeProtocol.PROBE) && !shapes.get(name).known()) {
        String value = name.substring(0, name.length() - ShapeProtocol.PROBE.length());
        ValueShape looksScalar = shapes.get(value);
        if (looksScalar != null && looksScalar.dims() != null && looksScalar.dims().length == 0) {
          shapes.put(value, new ValueShape(looksScalar.elementType(), null, false));
        }
      }
    }
  }

  private static ValueShape shape(ValueInfo value, boolean sampled) {
    return value instanceof TensorInfo tensor
        ? new ValueShape(elementType(tensor.onnxType), tensor.getShape(), sampled)
        : ValueShape.opaque();
  }

  /** ONNX's number of a type; those of ONNX Runtime's Java binding are others. */
  private static int elementType(TensorInfo.OnnxTensorType type) {
    int number = TYPES.indexOf(type.name().replaceFirst("ONNX_TENSOR_ELEMENT_DATA_TYPE_", ""));
    return number > 0 ? number : UNNAMED_TYPE;
  }

  private static void run(
      OrtEnvironment environment, OrtSession session, Map<String, ValueShape> shapes)
      throws OrtException {
    Set<String> unknown = new LinkedHashSet<>();
    shapes.forEach(
        (name, shape) -> {
          if (!shape.known()) {
            unknown.add(name);
          }
        });
    Map<String, OnnxTensor> zeros = new HashMap<>();
    long[] left = {MOST_ZEROS};
    try {
      for (Map.Entry<String, NodeInfo> entry : session.getInputInfo().entrySet()) {
        zeros.put(entry.getKey(), zeros(environment, entry.getKey(), entry.getValue(), left));
      }
      Map<String, OnnxTensorLike> inputs = new HashMap<>(zeros);
      try (OrtSession.Result result = session.run(inputs, unknown)) {
        for (Map.Entry<String, OnnxValue> entry : result) {
          shapes.put(entry.getKey(), shape(entry.getValue().getInfo(), true));
        }
      }
    } finally {
      zeros.values().forEach(OnnxTensor::close);
    }
  }

  private static OnnxTensor zeros(
      OrtEnvironment environment, String name, NodeInfo node, long[] left) throws OrtException {
    if (!(node.getInfo() instanceof TensorInfo tensor)) {
      throw new IllegalArgumentException("input " + name + " is not a tensor");
    }
    long[] shape = tensor.getShape();
    long elements = LongStream.of(shape).reduce(1, Math::multiplyExact);
    if (tensor.type == OnnxJavaType.STRING) {
      String[] texts = new String[Math.toIntExact(Math.min(elements, 1 << 20))];
      Arrays.fill(texts, "");
      return OnnxTensor.createTensor(environment, texts, shape);
    }
    long bytes = Math.multiplyExact(elements, (long) Math.max(1, tensor.type.size));
    left[0] -= bytes;
    if (left[0] < 0) {
      throw new IllegalArgumentException(
          "its shapes are known only by a run, which would need more than 1 GiB of inputs");
    }
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    return OnnxTensor.createTensor(environment, buffer, shape, tensor.type);
  }
}
