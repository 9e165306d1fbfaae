package stowage.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import stowage.importer.io.AtomicFiles;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.network.TopologicalOrder;

/**
 * Writer of an ONNX file with the nodes of its graph in another order; all else stays as it is.
 * Constants and shapes, which are no ops of the network, come before the first node that reads
 * them.
 */
public final class OnnxOrder {
  private OnnxOrder() {}

  /**
   * Writes a copy of a model with its nodes in another order, by the place of the op that makes a
   * tensor; says what it lacks in its folder, empty for nothing.
   */
  public static String write(Path source, Map<String, Integer> places, Path target)
      throws IOException {
    ModelProto model = OnnxModel.parse(source);
    List<NodeProto> written = ordered(model.getGraph().getNodeList(), places);
    ModelProto.Builder copy = model.toBuilder();
    copy.getGraphBuilder().clearNode().addAllNode(written);
    AtomicFiles.write(target, copy.build()::writeTo);
    return TensorData.missing(model, source, target);
  }

  /** Nodes in an order in which they can run, by the wanted places of the ops that make tensors. */
  static List<NodeProto> ordered(List<NodeProto> given, Map<String, Integer> places) {
    int[] runnable = TopologicalOrder.ofAll(OnnxModel.needed(given));
    List<NodeProto> nodes = Arrays.stream(runnable).mapToObj(given::get).toList();
    int[] ranks = new int[nodes.size()];
    for (int k = 0; k < ranks.length; k++) {
      ranks[k] = -1;
      for (String output : nodes.get(k).getOutputList()) {
        ranks[k] = Math.max(ranks[k], places.getOrDefault(output, -1));
      }
    }
    return Arrays.stream(TopologicalOrder.ofRanked(ranks, OnnxModel.needed(nodes)))
        .mapToObj(nodes::get)
        .toList();
  }
}
