package stowage.importer.inductor;

import java.util.ArrayList;
import java.util.List;

/** Writes small graphs of PyTorch Inductor. */
public final class InductorSamples {
  private InductorSamples() {}

  /** Buffers as name, bytes allocated and freed, whether an input or output, and dependences. */
  public static List<String> buffers(String text) {
    List<String> buffers = new ArrayList<>();
    for (String buffer : text.split("; ")) {
      List<String> f = List.of(buffer.split(" "));
      String role = f.get(3);
      String deps = quoted(f.subList(4, f.size()));
      buffers.add(
          ("{\"name\": \"%s\", \"size_alloc\": %s, \"size_free\": %s, \"size\": %3$s,"
                  + " \"is_input\": %s, \"is_output\": %s, \"deps\": [%s], \"unmet_deps\": []}")
              .formatted(
                  f.get(0), f.get(1), f.get(2), role.equals("in"), role.equals("out"), deps));
    }
    return buffers;
  }

  private static String quoted(List<String> names) {
    return names.isEmpty() ? "" : "\"" + String.join("\", \"", names) + "\"";
  }

  /** Nodes as name and the buffers that they make. */
  public static List<String> nodes(String text) {
    List<String> nodes = new ArrayList<>();
    for (String node : text.split(" ")) {
      String[] sides = node.split("=");
      nodes.add(
          "{\"name\": \"%s\", \"buffer_names\": [%s]}"
              .formatted(sides[0], quoted(List.of(sides[1].split(",")))));
    }
    return nodes;
  }

  /** A file of nodes and buffers. */
  public static String graph(List<String> nodes, List<String> buffers) {
    return "{\n\"nodes\": [%s],\n\"buffers\": [%s]}"
        .formatted(String.join(",\n", nodes), String.join(",\n", buffers));
  }
}
