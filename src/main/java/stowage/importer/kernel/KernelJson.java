package stowage.importer.kernel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/** Writer of kernel graphs as JSON, one node a line. */
public final class KernelJson {
  private KernelJson() {}

  /** Writes a graph; the stream stays open. */
  public static void write(KernelGraph graph, OutputStream out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.writeStartObject();
    json.writeArrayFieldStart("Nodes");
    for (int v = 0; v < graph.nodes().size(); v++) {
      json.writeRaw('\n');
      json.writeStartObject();
      json.writeNumberField("Id", v);
      node(graph, graph.nodes().get(v), json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("Edges");
    for (int e = 0; e < graph.edges(); e++) {
      if (e % 12 == 0) {
        json.writeRaw('\n');
      }
      json.writeArray(new int[] {graph.from(e), graph.to(e)}, 0, 2);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
    json.close();
  }

  private static void node(KernelGraph graph, KernelNode node, JsonGenerator json)
      throws IOException {
    json.writeStringField("Op", node.op());
    if (node.isOperation()) {
      json.writeStringField("Pipe", node.pipe());
      json.writeNumberField("Cycles", node.cycles());
      json.writeArrayFieldStart("Bufs");
      for (int b : node.uses()) {
        json.writeNumber(graph.buffers().get(b).id());
      }
      json.writeEndArray();
      return;
    }
    KernelBuffer buffer = graph.buffers().get(node.buffer());
    json.writeNumberField("BufId", buffer.id());
    json.writeNumberField("Size", buffer.size());
    json.writeStringField("Type", buffer.cache());
  }
}
