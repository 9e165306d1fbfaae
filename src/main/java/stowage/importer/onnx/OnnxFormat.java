package stowage.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.Input;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.importer.onnx.proto.ModelProto;
import stowage.network.Network;

/**
 * ONNX files as networks. Weights in other files are not read; shapes come from ONNX Runtime, see
 * {@link ShapeInference}; what is constant vanishes, see {@link GraphLayout}.
 */
public final class OnnxFormat extends InputFormat {
  /** Seconds of processor time that a file may cost where nothing else is said. */
  private static final double DEFAULT_SECONDS = 9;

  public OnnxFormat() {
    super("a network as ONNX", Set.of(Feature.DIMENSIONS, Feature.PLANS), ".onnx");
  }

  @Override
  public String lacking(Path model, Path target) {
    return TensorData.missing(OnnxModel.parse(model), model, target).strip();
  }

  @Override
  public List<String> writePlan(Path model, Planned plan, Path target) throws IOException {
    return OnnxPlan.write(model, plan.network(), plan.offsets(), plan.bytes(), target);
  }

  @Override
  public String writeOrder(Path model, Map<String, Integer> places, Path target)
      throws IOException {
    return "ONNX Runtime sorts nodes again unless the session is made with optimizations off"
        + " (ORT_DISABLE_ALL) and execution_order = ExecutionOrder.PRIORITY_BASED."
        + OnnxOrder.write(model, places, target);
  }

  @Override
  public Input.Graph read(Path file, Options options) {
    ShapeService.instance().warmUp();
    OnnxModel read = OnnxModel.read(file);
    ModelProto model = read.proto();
    FreeDimensions dimensions = new FreeDimensions(file, options.dimensions());
    dimensions.checkNames(model.getGraph());
    TensorData data = new TensorData(file);
    ShapeInference inference =
        new ShapeInference(model, dimensions, data, new WorkLimit(limitMillis()));
    GraphLayout layout = new GraphLayout(dimensions, inference);
    List<List<String>> ends = layout.run(model.getGraph());
    List<String> notes = new ArrayList<>(read.notes());
    notes.addAll(layout.notes());
    notes.addAll(inference.notes());
    if (inference.missingData()) {
      notes.add("files with weights are missing; only shapes were used");
    }
    return new Input.Graph(
        new Network(
            InputFiles.nameOr(model.getGraph().getName(), file),
            "onnx",
            layout.tensors.values(),
            layout.ops,
            ends.get(0),
            ends.get(1),
            notes),
        OnnxPlan.read(file, model, layout.tensors.values()));
  }

  /** The bound that the system property {@code stowage.import.seconds} sets, or the default. */
  private static long limitMillis() {
    String chosen = System.getProperty("stowage.import.seconds", "");
    boolean number = chosen.matches("\\d{1,6}(\\.\\d{1,3})?");
    return Math.round(1000 * (number ? Double.parseDouble(chosen) : DEFAULT_SECONDS));
  }
}
