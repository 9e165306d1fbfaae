package stowage.importer.kernel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonDocument;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;
import stowage.text.JsonWriter;

/**
 * Kernel graphs in files: JSON with {@code Nodes} and {@code Edges}, or a pair of CSV files whose
 * names differ in {@code Nodes} and {@code Edges}; fields that are not known are passed over. The
 * format is that of the public contest of 2025 on scheduling inside a core of a neural processor.
 */
public final class KernelFiles {
  private static final int MOST_NODES = 10_000_000;
  private static final long MOST_UNITS = 1L << 40;

  private static final String NO_GRAPH =
      "is not a kernel graph, which has \"Nodes\" and \"Edges\"; stowage plan takes networks,"
          + " models and lists of buffers";

  private KernelFiles() {}

  /**
   * Reads a kernel graph of {@code .json}, or the nodes' file of a CSV pair. A fault names the
   * file, the line and field, the value and what would be right.
   */
  public static KernelGraph read(Path file) {
    KernelGraphBuilder draft = isCsv(file) ? KernelCsv.read(file, edges(file)) : json(file);
    return InputException.checked(file, "", draft::graph);
  }

  /** The name of the graph: the file's without its extension, and without the pair's mark. */
  public static String name(Path file) {
    String stem = InputFiles.stem(file);
    return isCsv(file) ? stem.replaceFirst("(?i)[-_.]?nodes$", "") : stem;
  }

  private static boolean isCsv(Path file) {
    return ends(file, ".csv");
  }

  private static boolean ends(Path file, String extension) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(extension);
  }

  private static Path edges(Path nodes) {
    String name = nodes.getFileName().toString();
    String twin =
        name.replace("Nodes", "Edges").replace("nodes", "edges").replace("NODES", "EDGES");
    if (twin.equals(name)) {
      throw new InputException(
          nodes, "", "should have \"Nodes\" in its name, and a file with \"Edges\" next to it");
    }
    Path found = nodes.resolveSibling(twin);
    if (!Files.exists(found)) {
      throw new InputException(nodes, "", "needs the file %s with its edges; it is missing", found);
    }
    return found;
  }

  private static JsonDocument.Value root(Path file) {
    try {
      JsonDocument.Value root = JsonDocument.read(file);
      if (root.fields().containsKey("Nodes")) {
        return root;
      }
    } catch (InputException fault) {
      if (ends(file, ".json") || !Files.isRegularFile(file)) {
        throw fault;
      }
    }
    throw new InputException(file, "", NO_GRAPH);
  }

  private static KernelGraphBuilder json(Path file) {
    JsonDocument.Value root = root(file);
    List<JsonDocument.Value> nodes = root.required("Nodes").elements();
    KernelGraphBuilder draft = new KernelGraphBuilder(nodes.size());
    for (JsonDocument.Value node : nodes) {
      int id = (int) node.required("Id").integer(0, MOST_NODES);
      String op = node.required("Op").name();
      KernelGraphBuilder.FaultAt faults = node::fault;
      if (op.equals("ALLOC") || op.equals("FREE")) {
        draft.cacheNode(
            id,
            op,
            (int) node.required("BufId").integer(0, Integer.MAX_VALUE),
            node.required("Size").integer(0, MOST_UNITS),
            node.required("Type").name(),
            faults);
      } else {
        List<Integer> uses =
            node.optional(
                "Bufs", list -> list.each(u -> (int) u.integer(0, Integer.MAX_VALUE)), List.of());
        long cycles = node.optional("Cycles", value -> value.integer(0, MOST_UNITS), 0L);
        draft.operation(id, op, node.required("Pipe").name(), cycles, uses, faults);
      }
    }
    for (JsonDocument.Value edge : root.required("Edges").elements()) {
      List<JsonDocument.Value> ends = edge.elements();
      if (ends.size() != 2) {
        throw edge.fault("an edge should have two ends, it has " + ends.size());
      }
      draft.edge(
          ends.get(0).integer(0, MOST_NODES), ends.get(1).integer(0, MOST_NODES), edge::fault);
    }
    return draft;
  }

  /** Writes a graph as JSON, one node a line; the stream stays open. */
  public static void write(KernelGraph graph, OutputStream out) throws IOException {
    JsonWriter.writeDense(out, json -> write(graph, json));
  }

  private static void write(KernelGraph graph, JsonWriter json) {
    json.object().array("Nodes");
    for (int v = 0; v < graph.nodes().size(); v++) {
      json.raw("\n");
      json.object().put("Id", v);
      node(graph, graph.nodes().get(v), json);
      json.end();
    }
    json.end().array("Edges");
    for (int e = 0; e < graph.edges(); e++) {
      if (e % 12 == 0) {
        json.raw("\n");
      }
      json.list(new int[] {graph.from(e), graph.to(e)});
    }
    json.end().end();
  }

  private static void node(KernelGraph graph, KernelNode node, JsonWriter json) {
    json.put("Op", node.op());
    if (node.isOperation()) {
      json.put("Pipe", node.pipe()).put("Cycles", node.cycles()).array("Bufs");
      node.uses().forEach(b -> json.add(graph.buffers().get(b).id()));
      json.end();
      return;
    }
    KernelBuffer buffer = graph.buffers().get(node.buffer());
    json.put("BufId", buffer.id()).put("Size", buffer.size()).put("Type", buffer.cache());
  }
}
