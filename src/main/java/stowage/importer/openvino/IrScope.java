package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.importer.io.InputException;
import stowage.network.TopologicalOrder;

/** A graph's layers by id, the edges between them, and what their ports give. */
final class IrScope {
  private final Path file;
  private final IrGraph graph;
  private final Map<Integer, Integer> position = new HashMap<>();
  private final List<Map<Integer, IrGraph.Edge>> incoming = new ArrayList<>();
  private final Map<Integer, Map<Integer, IrValue>> values = new HashMap<>();
  private final Map<Place, IrValue> fed = new HashMap<>();

  /** Names of the graph's inputs, filled as it is laid out. */
  final List<String> given = new ArrayList<>();

  /** Names of the graph's results. */
  final Set<String> results = new LinkedHashSet<>();

  /** For the inputs of code inside a layer, by layer: extents that the layer's own inputs give. */
  final Map<Integer, List<Long>> around = new HashMap<>();

  record Place(int layer, int port) {}

  /** Indexes a graph and checks its edges. O(layers + edges). */
  IrScope(Path file, IrGraph graph) {
    this.file = file;
    this.graph = graph;
    Map<Integer, Set<Integer>> ports = new HashMap<>();
    for (IrGraph.Layer layer : graph.layers()) {
      if (position.put(layer.id(), position.size()) != null) {
        throw layer.fault(file, "id " + layer.id() + " is defined twice");
      }
      incoming.add(new LinkedHashMap<>());
      ports.put(
          layer.id(), layer.inputs().stream().map(IrGraph.Port::id).collect(Collectors.toSet()));
    }
    for (IrGraph.Edge edge : graph.edges()) {
      layer(edge.fromLayer(), edge.line());
      IrGraph.Layer reader = layer(edge.toLayer(), edge.line());
      boolean known = ports.get(reader.id()).contains(edge.toPort());
      if (!known || incoming.get(position.get(reader.id())).put(edge.toPort(), edge) != null) {
        String what =
            "input port %s of layer \"%s\" " + (known ? "has two edges" : "does not exist");
        throw InputException.atLine(file, edge.line(), what, edge.toPort(), reader.name());
      }
    }
  }

  private IrGraph.Layer layer(int id, int line) {
    IrGraph.Layer found = find(id);
    if (found == null) {
      throw InputException.atLine(file, line, "the edge names layer %s, which does not exist", id);
    }
    return found;
  }

  /** The layer of an id; null when there is none. */
  IrGraph.Layer find(int id) {
    Integer at = position.get(id);
    return at == null ? null : graph.layers().get(at);
  }

  /** The layers in an order in which they can run; what a variable gets comes after its reading. */
  List<IrGraph.Layer> order() {
    Map<String, Integer> readings = new HashMap<>();
    for (int k = 0; k < graph.layers().size(); k++) {
      IrGraph.Layer layer = graph.layers().get(k);
      if (layer.isReading()) {
        readings.putIfAbsent(layer.variable(), k);
      }
    }
    List<Set<Integer>> needed = new ArrayList<>();
    for (int k = 0; k < graph.layers().size(); k++) {
      Set<Integer> before = new HashSet<>();
      incoming.get(k).values().forEach(edge -> before.add(position.get(edge.fromLayer())));
      IrGraph.Layer layer = graph.layers().get(k);
      Integer reading = layer.isWriting() ? readings.get(layer.variable()) : null;
      if (reading != null && reading != k) {
        before.add(reading);
      }
      needed.add(before);
    }
    return IntStream.of(TopologicalOrder.ofAll(needed)).mapToObj(graph.layers()::get).toList();
  }

  /** Gives an input port without an edge what comes from around the graph. */
  void feed(int layer, int port, IrValue value) {
    fed.put(new Place(layer, port), value);
  }

  boolean hasEdge(int layer, int port) {
    return incoming.get(position.get(layer)).containsKey(port);
  }

  /** Notes what a layer's outputs give. */
  void define(IrGraph.Layer layer, Map<Integer, IrValue> made) {
    values.put(layer.id(), made);
  }

  /** What an output port gives; null when there is no such. */
  IrValue value(int layer, int port) {
    Map<Integer, IrValue> made = values.getOrDefault(layer, Map.of());
    return port < 0 && made.size() == 1 ? made.values().iterator().next() : made.get(port);
  }

  /** What a layer reads, by input port. */
  List<IrValue> reads(IrGraph.Layer layer) {
    List<IrValue> reads = new ArrayList<>();
    Map<Integer, IrGraph.Edge> edges = incoming.get(position.get(layer.id()));
    for (IrGraph.Port port : layer.inputs()) {
      IrGraph.Edge edge = edges.get(port.id());
      IrValue value = fed.get(new Place(layer.id(), port.id()));
      if (edge != null) {
        value = source(layer, edge);
      } else if (value == null) {
        throw layer.fault(file, "input port " + port.id() + " has no edge");
      }
      checkExtents(layer, port, value);
      reads.add(value);
    }
    return reads;
  }

  private IrValue source(IrGraph.Layer layer, IrGraph.Edge edge) {
    if (!values.containsKey(edge.fromLayer())) {
      throw layer.fault(file, "the layers before it form a cycle");
    }
    IrValue value = values.get(edge.fromLayer()).get(edge.fromPort());
    if (value == null) {
      String what = "output port %s of layer %s does not exist";
      throw InputException.atLine(file, edge.line(), what, edge.fromPort(), edge.fromLayer());
    }
    return value;
  }

  private void checkExtents(IrGraph.Layer layer, IrGraph.Port port, IrValue value) {
    List<Long> shape = value.tensor().shape();
    boolean same = port.dims().size() == shape.size();
    for (int axis = 0; same && axis < shape.size(); axis++) {
      long extent = port.dims().get(axis);
      same = extent < 0 || extent == shape.get(axis) || !value.known();
    }
    if (!same) {
      String what = "input port %s has shape %s, but what the edge brings has %s";
      throw layer.fault(file, what, port.id(), port.dims(), shape);
    }
  }
}
