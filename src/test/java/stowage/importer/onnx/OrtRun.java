package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** What ONNX Runtime computes, node by node as in the file. */
public final class OrtRun {
  private OrtRun() {}

  /** The outputs in floats by name for random inputs of drawn floats; free dimensions are 1. */
  public static Map<String, float[]> outputs(Path model, ToDoubleFunction<Random> drawn)
      throws OrtException {
    Map<String, float[]> found = new TreeMap<>();
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
      options.setIntraOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      try (OrtSession session = environment.createSession(model.toString(), options)) {
        Map<String, OnnxTensor> inputs = new TreeMap<>();
        Random random = new Random(1);
        for (NodeInfo input : session.getInputInfo().values()) {
          TensorInfo info = (TensorInfo) input.getInfo();
          inputs.put(input.getName(), tensor(environment, info, random, drawn));
        }
        try (OrtSession.Result result = session.run(inputs)) {
          for (Map.Entry<String, ai.onnxruntime.OnnxValue> entry : result) {
            if (entry.getValue() instanceof OnnxTensor tensor
                && tensor.getInfo().type == OnnxJavaType.FLOAT) {
              FloatBuffer buffer = tensor.getFloatBuffer();
              float[] values = new float[buffer.remaining()];
              buffer.get(values);
              found.put(entry.getKey(), values);
            }
          }
        }
      }
    }
    return found;
  }

  /** Holds that the outputs of a model are those of another one, up to a distance. */
  public static void same(
      Map<String, float[]> before, Map<String, float[]> after, float distance, String what) {
    assertEquals(before.keySet(), after.keySet(), what);
    before.forEach(
        (name, values) -> assertArrayEquals(values, after.get(name), distance, what + ", " + name));
  }

  private static OnnxTensor tensor(
      OrtEnvironment environment, TensorInfo info, Random random, ToDoubleFunction<Random> drawn)
      throws OrtException {
    long[] shape = info.getShape().clone();
    int size = 1;
    for (int d = 0; d < shape.length; d++) {
      shape[d] = Math.max(1, shape[d]);
      size *= (int) shape[d];
    }
    if (info.type == OnnxJavaType.INT64) {
      LongBuffer numbers = LongBuffer.wrap(random.longs(size, 0, 2).toArray());
      return OnnxTensor.createTensor(environment, numbers, shape);
    }
    if (info.type != OnnxJavaType.FLOAT) {
      throw new OrtException("input of type " + info.type);
    }
    float[] values = new float[size];
    for (int k = 0; k < size; k++) {
      values[k] = (float) drawn.applyAsDouble(random);
    }
    return OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), shape);
  }
}
