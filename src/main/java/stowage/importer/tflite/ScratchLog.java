package stowage.importer.tflite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonDocument;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * The scratch memory that TFLite Micro's kernels asked for, as a log says it; a model's file does
 * not.
 *
 * <p>A log is a JSON object with an array {@code buffers}: everything that the allocator handed to
 * its planner, in that order. {@code what} is a tensor's place {@code "subgraph:tensor"}, or {@code
 * "scratch"}; {@code bytes} its size, {@code first} and {@code last} the scopes of its live range.
 * Tensors are only compared with the model, so that a log of another model is not taken. A
 * plan.json of ours that was made with a log serves as well: its buffers {@code <op>#scratch} are
 * read.
 */
final class ScratchLog {
  private static final String SCRATCH = "scratch";
  private static final String SUFFIX = "#scratch";

  private final Path file;
  private final TfliteModel model;
  private final SubgraphLayout layout;
  private final List<List<Long>> pieces = new ArrayList<>();

  private ScratchLog(Path file, TfliteModel model, SubgraphLayout layout) {
    this.file = file;
    this.model = model;
    this.layout = layout;
    layout.ops.forEach(op -> pieces.add(new ArrayList<>()));
  }

  static List<Op> ops(Path file, TfliteModel model, SubgraphLayout layout) {
    ScratchLog log = new ScratchLog(file, model, layout);
    JsonDocument.Value root = JsonDocument.read(file);
    Map<String, JsonDocument.Value> fields = root.fields();
    if (fields.containsKey("placements")) {
      log.readPlan(fields.get("placements"));
    } else if (fields.containsKey("buffers") && fields.get("buffers").isList()) {
      log.readLog(fields.get("buffers"));
    } else {
      throw root.fault(
          "is no log of scratch memory; it should have an array \"buffers\", or \"placements\" if"
              + " it is a plan");
    }
    return IntStream.range(0, layout.ops.size())
        .mapToObj(o -> layout.ops.get(o).withScratch(log.pieces.get(o)))
        .toList();
  }

  private void readLog(JsonDocument.Value buffers) {
    for (JsonDocument.Value buffer : buffers.elements()) {
      String what = buffer.required("what").text();
      long bytes = buffer.required("bytes").integer(0, Integer.MAX_VALUE);
      if (what.equals(SCRATCH)) {
        JsonDocument.Value first = buffer.required("first");
        long scope = first.integer(0, layout.scopes.size() - 1L);
        long last = buffer.required("last").integer(scope, layout.scopes.size() - 1L);
        if (layout.scopes.get((int) scope) < 0) {
          throw first.fault("0 is the scope of the inputs; scratch memory is an op's");
        }
        if (last != scope) {
          throw first.fault(
              ("scratch memory from scope %s to %s is held across subgraphs, which is not"
                      + " understood")
                  .formatted(scope, last));
        }
        pieces.get(layout.scopes.get((int) scope)).add(bytes);
      } else {
        checkTensor(buffer.required("what"), what, bytes);
      }
    }
  }

  private void checkTensor(JsonDocument.Value at, String what, long bytes) {
    String[] place = (what.matches("\\d{1,9}:\\d{1,9}") ? what : "-1:-1").split(":");
    int subgraph = Integer.parseInt(place[0]);
    int tensor = Integer.parseInt(place[1]);
    boolean known =
        subgraph >= 0
            && subgraph < model.subgraphs().size()
            && tensor < model.subgraphs().get(subgraph).tensors().size();
    if (!known) {
      throw at.fault("\"" + what + "\" is not a tensor of " + model.file() + "; is it its log?");
    }
    String name = layout.name(subgraph, tensor);
    Tensor found = layout.tensors.get(name);
    if (found.bytes() != bytes) {
      throw at.fault(
          "tensor %s (\"%s\") has %s bytes here and %s in %s; is it its log?"
              .formatted(what, name, bytes, found.bytes(), model.file()));
    }
  }

  private void readPlan(JsonDocument.Value placements) {
    Map<String, Integer> known = new HashMap<>();
    IntStream.range(0, layout.ops.size()).forEach(o -> known.put(layout.ops.get(o).name(), o));
    for (JsonDocument.Value placement : placements.elements()) {
      String id = placement.required("id").text();
      int at = id.lastIndexOf(SUFFIX);
      boolean carries =
          placement.fields().containsKey("tensors")
              && !placement.required("tensors").elements().isEmpty();
      if (at < 0 || carries) {
        continue;
      }
      Integer op = known.get(id.substring(0, at));
      if (op == null) {
        String what = "is scratch memory of no op of %s; is it the plan of another model?";
        throw new InputException(file, "buffer \"" + id + "\"", what, model.file());
      }
      pieces.get(op).add(placement.required("size").integer(0, Long.MAX_VALUE));
    }
  }
}
