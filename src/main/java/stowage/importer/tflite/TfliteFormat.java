package stowage.importer.tflite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.Input;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.network.Baseline;
import stowage.network.Network;
import stowage.network.TopologicalOrder;

/**
 * TFLite files as networks, see {@link SubgraphLayout}. A plan that the file carries for TFLite
 * Micro's memory planner is read as one to compare with, see {@link OfflinePlan}.
 */
public final class TfliteFormat extends InputFormat {
  private static final int SUBGRAPH_OPERATORS = 3;

  public TfliteFormat() {
    super("a network as TFLite", Set.of(Feature.SCRATCH, Feature.PLANS), ".tflite");
  }

  @Override
  public List<String> writePlan(Path model, Planned plan, Path target) throws IOException {
    TfliteExport.write(model, plan.offsets(), target);
    return List.of();
  }

  @Override
  public String writeOrder(Path model, Map<String, Integer> places, Path target)
      throws IOException {
    byte[] written = reordered(model, places);
    AtomicFiles.write(target, stream -> stream.write(written));
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
            InputFiles.nameOr(model.subgraphs().get(0).name(), file),
            "tflite",
            layout.tensors.values(),
            options.scratch() == null
                ? layout.ops
                : ScratchLog.ops(options.scratch(), model, layout),
            layout.inputs,
            layout.outputs,
            notes);
    Optional<Baseline> baseline = OfflinePlan.read(model, layout);
    return new Input.Graph(network, baseline, OfflinePlan.shadowed(model, layout));
  }

  /**
   * A file with the operators of its main graph in another order. Only the list of operators
   * changes: its entries count from where they are to the operator, so each is written again for
   * its new place. Tensors keep their numbers, and graphs that operators call stay.
   *
   * @param places the place of the op that makes a tensor in the order wanted, by tensor
   */
  private static byte[] reordered(Path source, Map<String, Integer> places) {
    TfliteModel model = TfliteModel.read(source);
    SubgraphLayout layout = new SubgraphLayout(model);
    List<TfliteModel.Operator> operators = model.subgraphs().get(0).operators();
    int[] ranks = new int[operators.size()];
    List<List<Integer>> needed = new ArrayList<>();
    Map<Integer, Integer> maker = new HashMap<>();
    for (int k = 0; k < ranks.length; k++) {
      ranks[k] = -1;
      IntStream inputs = IntStream.of(operators.get(k).inputs());
      needed.add(inputs.filter(maker::containsKey).mapToObj(maker::get).toList());
      for (int output : operators.get(k).outputs()) {
        if (output >= 0) {
          maker.put(output, k);
          ranks[k] = Math.max(ranks[k], places.getOrDefault(layout.name(0, output), -1));
        }
      }
    }
    int[] order = TopologicalOrder.ofRanked(ranks, needed);
    FlatTable graph = model.root().tables(TfliteModel.SUBGRAPHS).get(0);
    int list = graph.vector(SUBGRAPH_OPERATORS, Integer.BYTES);
    ByteBuffer old = model.bytes();
    ByteBuffer written = ByteBuffer.wrap(old.array().clone()).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 0; k < order.length; k++) {
      int from = list + Integer.BYTES * order[k];
      int to = list + Integer.BYTES * k;
      written.putInt(to, from + old.getInt(from) - to);
    }
    return written.array();
  }
}
