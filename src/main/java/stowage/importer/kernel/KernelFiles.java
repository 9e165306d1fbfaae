package stowage.importer.kernel;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonDocument;
import stowage.network.kernel.KernelGraph;

/**
 * Kernel graphs from files: JSON with {@code Nodes} and {@code Edges}, or a pair of CSV files whose
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
          nodes, "", "should have \"Nodes\" in its name, and a file with \"Edges\" beside it");
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
}
