package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.PublicData;
import stowage.Thorough;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.tflite.TfliteMicroRuntime;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.schedule.NetworkOrders;
import stowage.schedule.model.Downset;

/** Models written in other orders are read back in them, and run-times compute the same. */
class OrderExportTest {
  @TempDir Path folder;

  private static Network read(Path file) {
    String name = file.toString();
    Map<String, Long> dimensions =
        name.contains("gpt2_past")
            ? Map.of("batch_size", 1L, "seq_len", 3L)
            : name.contains("bert_toy")
                ? Map.of("batch", 1L, "max_seq_len_in_batch", 8L)
                : name.contains("super_resolution") ? Map.of("batch_size", 1L) : Map.of();
    InputFormat.Options options = new InputFormat.Options(false, dimensions);
    return ((Input.Graph) InputFormats.read(file, options)).network();
  }

  private static int[] anyOrder(Network network, long seed) {
    NetworkOrders orders = NetworkOrders.of(network, LivenessOptions.defaults());
    Downset downset = new Downset(orders.problem());
    Random random = new Random(seed);
    int[] order = new int[orders.problem().ops()];
    for (int k = 0; k < order.length; k++) {
      order[k] = downset.ready(random.nextInt(downset.readyCount()));
      downset.run(order[k]);
    }
    return orders.toNetwork(order);
  }

  private static List<List<String>> made(Network network, int[] order) {
    List<List<String>> made = new ArrayList<>();
    for (int op : order) {
      made.add(network.ops().get(op).presentOutputs());
    }
    return made;
  }

  private Path written(Path model, long seed) throws IOException {
    Network network = read(model);
    int[] order = anyOrder(network, seed);
    Path target = folder.resolve(seed + "-" + model.getFileName());
    OrderExport.write(model, network, order, target);
    Network back = read(target);
    assertEquals(made(network, order), made(back, back.executionOrder()), model.toString());
    return target;
  }

  @Test
  void networksInJsonAreReadBackInTheOrderWritten() throws IOException {
    for (String name : List.of("tiny", "unet", "yolo", "inception_v3")) {
      written(Path.of("models/networks", name + ".json"), 7);
    }
    Path text = folder.resolve("x.onnx");
    Network tiny = read(Path.of("models/networks/tiny.json"));
    assertThrows(
        InputException.class,
        () ->
            OrderExport.write(
                Path.of("models/networks/tiny.json"), tiny, tiny.executionOrder(), text));
  }

  @Test
  void mlirFilesAreReadBackInTheOrderWritten() throws IOException {
    written(PublicData.network("tpu-mlir/resnet18_top.mlir"), 3);
  }

  @Test
  void tfliteFilesAreReadBackAndTfliteMicroComputesTheSame() throws Exception {
    List<Path> written = new ArrayList<>();
    List<Path> models = PublicData.networks("tflite");
    for (Path model : models) {
      written.add(written(model, 11));
    }
    TfliteMicroRuntime.program();
    int ran = 0;
    for (int k = 0; k < models.size() && ran < Thorough.of(5, 99); k++) {
      JsonNode outputs = TfliteMicroRuntime.run(models.get(k)).path("outputs");
      if (outputs.size() > 0) {
        JsonNode after = TfliteMicroRuntime.run(written.get(k));
        assertEquals(outputs, after.get("outputs"), models.get(k).toString());
        ran++;
      }
    }
    assertTrue(ran > 3, ran + " models ran");
  }

  @Test
  void onnxFilesAreReadBackAndOnnxRuntimeComputesTheSame() throws Exception {
    int ran = 0;
    List<Path> models = PublicData.networks("onnx");
    for (int k = 0; k < models.size(); k++) {
      Path model = models.get(k);
      Path other = written(model, 5);
      Map<String, float[]> before = Thorough.on() || k % 2 == 0 ? outputs(model) : Map.of();
      if (!before.isEmpty()) {
        Map<String, float[]> after = outputs(other);
        assertEquals(before.keySet(), after.keySet());
        before.forEach((name, values) -> assertArrayEquals(values, after.get(name), name));
        ran++;
      }
    }
    assertTrue(ran > 3, ran + " models ran");
  }

  /** The outputs for random inputs, run node by node as in the file; none if it cannot run. */
  private static Map<String, float[]> outputs(Path model) {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    Map<String, float[]> found = new TreeMap<>();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.NO_OPT);
      options.setIntraOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
      try (OrtSession session = environment.createSession(model.toString(), options)) {
        Map<String, OnnxTensor> inputs = new TreeMap<>();
        Random random = new Random(1);
        for (NodeInfo input : session.getInputInfo().values()) {
          TensorInfo info = (TensorInfo) input.getInfo();
          long[] shape = info.getShape().clone();
          int size = 1;
          for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.max(1, shape[d]);
            size *= (int) shape[d];
          }
          if (info.type == OnnxJavaType.INT64) {
            LongBuffer numbers = LongBuffer.wrap(random.longs(size, 0, 2).toArray());
            inputs.put(input.getName(), OnnxTensor.createTensor(environment, numbers, shape));
            continue;
          }
          if (info.type != OnnxJavaType.FLOAT) {
            return found;
          }
          float[] values = new float[size];
          for (int k = 0; k < size; k++) {
            values[k] = random.nextFloat();
          }
          inputs.put(
              input.getName(),
              OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), shape));
        }
        try (OrtSession.Result result = session.run(inputs)) {
          result.forEach(
              entry -> {
                if (entry.getValue() instanceof OnnxTensor tensor
                    && tensor.getInfo().type == OnnxJavaType.FLOAT) {
                  FloatBuffer buffer = tensor.getFloatBuffer();
                  float[] values = new float[buffer.remaining()];
                  buffer.get(values);
                  found.put(entry.getKey(), values);
                }
              });
        }
      }
    } catch (OrtException cannot) {
      found.clear();
    }
    return found;
  }
}
