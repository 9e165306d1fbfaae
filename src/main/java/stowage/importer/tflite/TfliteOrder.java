package stowage.importer.tflite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.flat.FlatTable;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.network.TopologicalOrder;

/**
 * Writes a TFLite file with the operators of its main graph in another order. Only the list of
 * operators changes: its entries count from where they are to the operator, so each is written
 * again for its new place. Tensors keep their numbers, and graphs that operators call stay.
 */
public final class TfliteOrder {
  private static final int SUBGRAPH_OPERATORS = 3;

  private TfliteOrder() {}

  /**
   * Writes a copy of a model with its operators in another order.
   *
   * @param places the place of the op that makes a tensor in the order wanted, by tensor
   * @throws InputException when the model cannot be read
   */
  public static void write(Path source, Map<String, Integer> places, Path target)
      throws IOException {
    byte[] bytes = InputFiles.readAllBytes(source);
    TfliteModel model = TfliteModel.of(source, bytes);
    SubgraphLayout layout = new SubgraphLayout(model);
    List<TfliteModel.Operator> operators = model.subgraphs().get(0).operators();
    int[] ranks = new int[operators.size()];
    List<List<Integer>> needed = new ArrayList<>();
    Map<Integer, Integer> maker = new HashMap<>();
    for (int k = 0; k < ranks.length; k++) {
      ranks[k] = -1;
      List<Integer> before = new ArrayList<>();
      for (int input : operators.get(k).inputs()) {
        if (maker.containsKey(input)) {
          before.add(maker.get(input));
        }
      }
      for (int output : operators.get(k).outputs()) {
        if (output >= 0) {
          maker.put(output, k);
          ranks[k] = Math.max(ranks[k], places.getOrDefault(layout.name(0, output), -1));
        }
      }
      needed.add(before);
    }
    int[] order = TopologicalOrder.ofRanked(ranks, needed);
    FlatTable graph = model.root().tables(TfliteModel.SUBGRAPHS).get(0);
    int list = graph.vector(SUBGRAPH_OPERATORS, Integer.BYTES);
    ByteBuffer old = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer written = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
    for (int k = 0; k < order.length; k++) {
      int from = list + Integer.BYTES * order[k];
      int to = list + Integer.BYTES * k;
      written.putInt(to, from + old.getInt(from) - to);
    }
    AtomicFiles.write(target, stream -> stream.write(written.array()));
  }
}
