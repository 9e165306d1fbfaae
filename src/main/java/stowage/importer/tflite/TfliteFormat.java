package stowage.importer.tflite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.network.Baseline;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;

/**
 * TFLite files as networks, see {@link SubgraphLayout}. A plan that the file carries for TFLite
 * Micro's memory planner is read as one to compare with, see {@link OfflinePlan}.
 */
public final class TfliteFormat implements InputFormat {

  @Override
  public String label() {
    return "a network as TFLite";
  }

  @Override
  public List<String> extensions() {
    return List.of(".tflite");
  }

  @Override
  public boolean takesScratch() {
    return true;
  }

  @Override
  public Input.Graph read(Path file, Options options) {
    TfliteModel model = TfliteModel.read(file);
    try {
      SubgraphLayout layout = new SubgraphLayout(model);
      layout.run();
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
    } catch (InvalidNetworkException contradiction) {
      throw new InputException(file, "", contradiction.getMessage(), contradiction);
    }
  }

  private static String name(TfliteModel model) {
    String name = model.subgraphs().get(0).name();
    return name.isEmpty() || name.equals("main")
        ? model.file().getFileName().toString().replaceFirst("\\.[^.]*$", "")
        : name;
  }
}
