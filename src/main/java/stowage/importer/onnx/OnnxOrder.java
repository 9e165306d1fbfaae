package stowage.importer.onnx;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.network.TopologicalOrder;

/**
 * Writes an ONNX file with the nodes of its graph in another order; all else stays as it is.
 * Constants and shapes, which are no ops of the network, come before the first node that reads
 * them.
 */
public final class OnnxOrder {
  private OnnxOrder() {}

  /**
   * Writes a copy of a model with its nodes in another order.
   *
   * @param places the place of the op that makes a tensor in the order wanted, by tensor
   * @throws InputException when the model cannot be read
   * @throws IOException when the file cannot be written
   */
  public static void write(Path source, Map<String, Integer> places, Path target)
      throws IOException {
    ModelProto model;
    try {
      model = ModelProto.parseFrom(InputFiles.readAllBytes(source));
    } catch (InvalidProtocolBufferException malformed) {
      throw new InputException(
          source, "", "is not an ONNX model: " + malformed.getMessage(), malformed);
    }
    List<NodeProto> written = ordered(model.getGraph().getNodeList(), places);
    ModelProto.Builder copy = model.toBuilder();
    copy.getGraphBuilder().clearNode().addAllNode(written);
    byte[] bytes = copy.build().toByteArray();
    AtomicFiles.write(target, stream -> stream.write(bytes));
  }

  /**
   * Nodes in an order in which they can run.
   *
   * @param places the place of the op that makes a tensor in the order wanted, by tensor
   */
  static List<NodeProto> ordered(List<NodeProto> given, Map<String, Integer> places) {
    List<NodeProto> nodes = sorted(given);
    int[] ranks = new int[nodes.size()];
    for (int k = 0; k < ranks.length; k++) {
      ranks[k] = -1;
      for (String output : nodes.get(k).getOutputList()) {
        ranks[k] = Math.max(ranks[k], places.getOrDefault(output, -1));
      }
    }
    List<NodeProto> written = new ArrayList<>();
    for (int k : TopologicalOrder.ofRanked(ranks, needed(nodes))) {
      written.add(nodes.get(k));
    }
    return written;
  }

  /** The nodes in an order in which they can run, near the file's. */
  private static List<NodeProto> sorted(List<NodeProto> nodes) {
    List<NodeProto> sorted = new ArrayList<>();
    for (int k : TopologicalOrder.ofAll(needed(nodes))) {
      sorted.add(nodes.get(k));
    }
    return sorted;
  }

  private static List<Collection<Integer>> needed(List<NodeProto> nodes) {
    Map<String, Integer> maker = new HashMap<>();
    for (int k = 0; k < nodes.size(); k++) {
      for (String output : nodes.get(k).getOutputList()) {
        maker.put(output, k);
      }
    }
    List<Collection<Integer>> needed = new ArrayList<>();
    for (int k = 0; k < nodes.size(); k++) {
      Set<Integer> before = new HashSet<>();
      reads(nodes.get(k), maker, before);
      before.remove(k);
      needed.add(before);
    }
    return needed;
  }

  /** What a node reads, itself or in a graph inside of it. */
  private static void reads(NodeProto node, Map<String, Integer> maker, Set<Integer> before) {
    for (String input : node.getInputList()) {
      if (!input.isEmpty() && maker.containsKey(input)) {
        before.add(maker.get(input));
      }
    }
    for (AttributeProto attribute : node.getAttributeList()) {
      List<GraphProto> graphs = new ArrayList<>(attribute.getGraphsList());
      if (attribute.hasG()) {
        graphs.add(attribute.getG());
      }
      for (GraphProto graph : graphs) {
        graph.getNodeList().forEach(inner -> reads(inner, maker, before));
        graph.getOutputList().stream()
            .map(output -> maker.get(output.getName()))
            .filter(Objects::nonNull)
            .forEach(before::add);
      }
    }
  }
}
