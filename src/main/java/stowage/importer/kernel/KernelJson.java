package stowage.importer.kernel;

import java.io.IOException;
import java.io.OutputStream;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;
import stowage.text.JsonWriter;

/** Writer of kernel graphs as JSON, one node a line. */
public final class KernelJson {
  private KernelJson() {}

  /** Writes a graph; the stream stays open. */
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
