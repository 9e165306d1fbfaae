package stowage.importer.inductor;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.importer.io.JsonDocument;

/**
 * The graph that PyTorch Inductor writes as JSON when {@code reorder_for_peak_memory_debug} is set:
 * the artifact {@code fused_graph_fused}, from the trace's log or as a file.
 *
 * <p>Source: export_graph_for_simulator in torch/_inductor/memory.py of PyTorch 2.14.1.
 *
 * <pre>{@code
 * {"nodes": [{"name": "op0", "buffer_names": ["buf0"]}, ...],
 *  "buffers": [{"name": "primals_3", "size_alloc": 64, "size_free": 64, "size": 64,
 *               "is_input": true, "is_output": false, "deps": [], "unmet_deps": []},
 *              {"name": "buf0", "size_alloc": 256, "size_free": 256, "size": 256,
 *               "is_input": false, "is_output": false,
 *               "deps": ["primals_3"], "unmet_deps": []}, ...]}
 * }</pre>
 *
 * <p>Nodes are the scheduler's, after fusion, in its order; buffers what they make, and those graph
 * inputs that may be freed. What {@link InductorGraph} makes of them is said there. Fields that are
 * not named here are passed over, as are {@code size} and {@code unmet_deps}, which say nothing
 * new; names in {@code buffer_names} without a buffer were fused away, names in {@code deps}
 * without one are inputs that are never freed.
 */
public final class InductorFormat extends InputFormat {
  private static final int PEEKED_BYTES = 1 << 16;
  private static final Pattern OWN_FIELD =
      Pattern.compile("\"(buffer_names|size_alloc|size_free)\"\\s*:");

  public InductorFormat() {
    super("a graph of PyTorch Inductor as JSON", Set.of(), ".json");
  }

  @Override
  public boolean recognises(Path file) {
    String start = new String(InputFiles.start(file, PEEKED_BYTES), StandardCharsets.UTF_8);
    return OWN_FIELD.matcher(start).find();
  }

  @Override
  public Input read(Path file, Options options) {
    JsonDocument.Value root = JsonDocument.read(file);
    Map<String, InductorGraph.Buffer> buffers = new LinkedHashMap<>();
    for (JsonDocument.Value element : root.required("buffers").elements()) {
      InductorGraph.Buffer buffer = buffer(element);
      if (buffers.put(buffer.name(), buffer) != null) {
        throw element.required("name").fault("buffer \"" + buffer.name() + "\" is defined twice");
      }
    }
    List<InductorGraph.Node> nodes = new ArrayList<>();
    Map<String, String> maker = new LinkedHashMap<>();
    for (JsonDocument.Value element : root.required("nodes").elements()) {
      String name = element.required("name").name();
      List<String> made = new ArrayList<>();
      for (JsonDocument.Value one : element.required("buffer_names").elements()) {
        InductorGraph.Buffer buffer = buffers.get(one.name());
        if (buffer != null && !buffer.input()) {
          String other = maker.putIfAbsent(buffer.name(), name);
          if (other != null) {
            throw one.fault("buffer \"%s\" is made by node \"%s\" already", buffer.name(), other);
          }
          made.add(buffer.name());
        }
      }
      nodes.add(new InductorGraph.Node(name, made));
    }
    for (InductorGraph.Buffer buffer : buffers.values()) {
      if (!buffer.input() && !maker.containsKey(buffer.name())) {
        String what = "\"%s\" is not an input and is in no node's buffer_names";
        throw new InputException(file, "field \"buffers\"", what, buffer.name());
      }
    }
    return new Input.Graph(new InductorGraph(nodes, buffers).network(InputFiles.stem(file)));
  }

  private static InductorGraph.Buffer buffer(JsonDocument.Value value) {
    return new InductorGraph.Buffer(
        value.required("name").name(),
        value.required("size_alloc").integer(0, Long.MAX_VALUE),
        value.required("size_free").integer(0, Long.MAX_VALUE),
        value.required("is_input").flag(),
        value.required("is_output").flag(),
        value.required("deps").each(JsonDocument.Value::name));
  }
}
