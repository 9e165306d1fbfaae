package stowage.importer.openvino;

import java.util.ArrayList;
import java.util.List;

/** Writes small IR files: layers as they come, edges by name of the layers. */
final class IrText {
  private final StringBuilder layers = new StringBuilder();
  private final StringBuilder edges = new StringBuilder();
  private final List<String> names = new ArrayList<>();
  private final String precision;
  private int next;

  /**
   * @param old whether precisions are on layers
   */
  IrText(boolean old) {
    this.precision = old ? "" : " precision=\"FP32\"";
    this.next = 0;
  }

  /**
   * Adds a layer with one output, whose port's number follows the inputs'.
   *
   * @param inner attributes and more, as XML
   * @param shape of the output such as {@code 1,-1,4}; null for no output
   * @param sources names of layers; each takes one input port. A name with a shape behind it, such
   *     as {@code :1,4}, is a port without an edge
   */
  IrText layer(String type, String name, String inner, String shape, String... sources) {
    layers.append("<layer id=\"%d\" name=\"%s\" type=\"%s\"".formatted(next, name, type));
    layers.append(precision.isEmpty() ? " precision=\"FP32\">" : ">").append(inner).append('\n');
    if (sources.length > 0) {
      layers.append("<input>");
      for (int port = 0; port < sources.length; port++) {
        int at = sources[port].indexOf(':');
        String source = at < 0 ? sources[port] : sources[port].substring(0, at);
        layers.append(port(port, at < 0 ? shapeOf(source) : sources[port].substring(at + 1), ""));
        if (!source.isEmpty()) {
          String[] from = names.get(find(source)).split("\\|", -1);
          edges.append(
              "<edge from-layer=\"%d\" from-port=\"%s\" to-layer=\"%d\" to-port=\"%d\"/>\n"
                  .formatted(find(source), from[1], next, port));
        }
      }
      layers.append("</input>\n");
    }
    if (shape != null) {
      layers.append("<output>").append(port(sources.length, shape, precision)).append("</output>");
    }
    layers.append("</layer>\n");
    names.add(name + "|" + sources.length + "|" + shape);
    next++;
    return this;
  }

  private int find(String name) {
    for (int k = 0; k < names.size(); k++) {
      if (names.get(k).startsWith(name + "|")) {
        return k;
      }
    }
    throw new IllegalArgumentException(name);
  }

  private String shapeOf(String name) {
    return names.get(find(name)).split("\\|", -1)[2];
  }

  private static String port(int id, String shape, String precision) {
    StringBuilder text = new StringBuilder("<port id=\"" + id + "\"" + precision + ">");
    for (String extent : shape.isEmpty() ? new String[0] : shape.split(",")) {
      text.append("<dim>").append(extent).append("</dim>");
    }
    return text.append("</port>").toString();
  }

  /** Layers and edges, as the code inside a layer has them. */
  String body() {
    return "<layers>\n" + layers + "</layers>\n<edges>\n" + edges + "</edges>\n";
  }

  /** A whole file. */
  String net(int version) {
    return "<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"%d\">\n".formatted(version)
        + body()
        + "</net>\n";
  }
}
