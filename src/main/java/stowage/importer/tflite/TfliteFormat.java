package stowage.importer.tflite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import stowage.importer.io.Input;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.network.Baseline;
import stowage.network.Network;

/**
 * TFLite files as networks, see {@link SubgraphLayout}. A plan that the file carries for TFLite
 * Micro's memory planner is read as one to compare with, see {@link OfflinePlan}.
 */
public final class TfliteFormat extends InputFormat {

  /** The format. */
  public TfliteFormat() {
    super("a network as TFLite", Set.of(Feature.SCRATCH), ".tflite");
  }

  @Override
  public List<String> writePlan(Path model, Planned plan, Path target) throws IOException {
    TfliteExport.write(model, plan.offsets(), target);
    return List.of();
  }

  @Override
  public String writeOrder(Path model, Map<String, Integer> places, Path target)
      throws IOException {
    TfliteOrder.write(model, places, target);
    return "TFLite and TFLite Micro run operators in the order of the file.";
  }

  @Override
  public Input.Graph read(Path file, Options options) {
    TfliteModel model = TfliteModel.read(file);
    SubgraphLayout layout = new SubgraphLayout(model);
    List<String> notes = new ArrayList<>();
    if (options.scratch() == null) {
      notes.add("the file does not contain scratch memory; it is not planned");
    }
    notes.addAll(layout.notes());
    Network network =
        new Network(
            name(model),
            "tflite",
            layout.tensors(),
            options.scratch() == null
                ? layout.ops()
                : ScratchLog.ops(options.scratch(), model, layout),
            layout.inputs(),
            layout.outputs(),
            notes);
    Optional<Baseline> baseline = OfflinePlan.read(model, layout);
    return new Input.Graph(network, baseline, OfflinePlan.shadowed(model, layout));
  }

  private static String name(TfliteModel model) {
    String name = model.subgraphs().get(0).name();
    return name.isEmpty() || name.equals("main") ? InputFiles.stem(model.file()) : name;
  }
}
