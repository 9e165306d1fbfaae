package stowage.importer.onnx;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.StringStringEntryProto;
import stowage.importer.onnx.proto.TypeProto;
import stowage.importer.onnx.proto.ValueInfoProto;
import stowage.network.Baseline;
import stowage.network.Network;
import stowage.network.Tensor;

/**
 * The plan that an ONNX file carries: the entries {@code onnxsim.mem_offset} and {@code
 * onnxsim.mem_size} in {@code metadata_props} of its values, and {@code
 * onnxsim.memory_plan_arena_bytes} in those of the model, all in bytes. ONNX Simplifier writes
 * these keys, so code generators that take its plans take ours.
 *
 * <p>Values of branches and loop bodies are found by name as well. A name that several graphs of
 * the file define identifies none of them, and neither do values that only an op's definition as a
 * function has; such tensors have no place in a file.
 *
 * @see <a
 *     href="https://github.com/take-cheeze/onnx-simplifier/blob/6a0b405781efb60309c8ff6a5be10f038fb78838/onnxsim/memory_planning.py">take-cheeze/onnx-simplifier@6a0b4057:memory_planning.py</a>
 */
public final class OnnxPlan {
  /** Fields of ONNX's messages, see onnx/onnx.in.proto: of a value, and of the model. */
  private static final int VALUE_METADATA = 4;

  private static final int MODEL_METADATA = 14;

  private static final String OFFSET = "onnxsim.mem_offset";
  private static final String SIZE = "onnxsim.mem_size";
  private static final String ARENA = "onnxsim.memory_plan_arena_bytes";
  private static final String UNPLANNED = "onnxsim.memory_plan_unplanned_count";

  private final Path file;
  private final Map<String, Integer> definitions = new HashMap<>();

  private OnnxPlan(Path file, ModelProto model) {
    this.file = file;
    graphs(
        model.getGraph(),
        graph -> names(graph).forEach(n -> definitions.merge(n, 1, Integer::sum)));
  }

  private static void graphs(GraphProto graph, Consumer<GraphProto> each) {
    each.accept(graph);
    for (NodeProto node : graph.getNodeList()) {
      OnnxModel.bodies(node).forEach(body -> graphs(body, each));
    }
  }

  /** The values that a graph defines: its inputs and what its nodes make. */
  private static Set<String> names(GraphProto graph) {
    Set<String> names = new HashSet<>();
    graph.getInputList().forEach(input -> names.add(input.getName()));
    graph.getNodeList().forEach(node -> names.addAll(node.getOutputList()));
    names.remove("");
    return names;
  }

  /** The plan of a network's tensors in a model, empty where it has none. */
  static Optional<Baseline> read(Path file, ModelProto model, Iterable<Tensor> tensors) {
    OnnxPlan plan = new OnnxPlan(file, model);
    Map<String, Long> found = new LinkedHashMap<>();
    graphs(
        model.getGraph(),
        graph -> {
          for (ValueInfoProto value : OnnxModel.described(graph)) {
            String offset = plan.metadata(value.getUnknownFields(), VALUE_METADATA).get(OFFSET);
            if (offset != null && plan.definitions.getOrDefault(value.getName(), 0) == 1) {
              found.put(value.getName(), plan.bytes(value.getName(), offset));
            }
          }
        });
    Map<String, Long> offsets = new LinkedHashMap<>();
    for (Tensor tensor : tensors) {
      Long offset = found.get(tensor.name());
      if (offset != null && tensor.kind() == Tensor.Kind.ACTIVATION) {
        offsets.put(tensor.name(), offset);
      }
    }
    String arena = plan.metadata(model.getUnknownFields(), MODEL_METADATA).get(ARENA);
    long bytes = arena == null ? -1 : plan.bytes(ARENA, arena);
    return offsets.isEmpty()
        ? Optional.empty()
        : Optional.of(new Baseline("metadata_props", offsets, bytes, 1, true));
  }

  private long bytes(String what, String text) {
    if (!text.matches("\\d{1,18}")) {
      throw new InputException(
          file, "metadata_props of \"" + what + "\"", "\"%s\" should be a number of bytes", text);
    }
    return Long.parseLong(text);
  }

  private Map<String, String> metadata(UnknownFieldSet fields, int field) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (ByteString entry : fields.getField(field).getLengthDelimitedList()) {
      try {
        StringStringEntryProto read = StringStringEntryProto.parseFrom(entry);
        entries.put(read.getKey(), read.getValue());
      } catch (InvalidProtocolBufferException malformed) {
        throw new InputException(
            file, "metadata_props", "has an entry that is no pair of texts", malformed);
      }
    }
    return entries;
  }

  private UnknownFieldSet with(UnknownFieldSet fields, int field, Map<String, Long> figures) {
    Map<String, String> entries = metadata(fields, field);
    figures.forEach((key, bytes) -> entries.put(key, Long.toString(bytes)));
    UnknownFieldSet.Field.Builder list = UnknownFieldSet.Field.newBuilder();
    entries.forEach(
        (key, text) ->
            list.addLengthDelimited(
                StringStringEntryProto.newBuilder()
                    .setKey(key)
                    .setValue(text)
                    .build()
                    .toByteString()));
    return fields.toBuilder().clearField(field).addField(field, list.build()).build();
  }

  /**
   * Writes a copy of a model with a plan in it. Data in files of its own stays where it is, so the
   * copy belongs into the model's folder.
   *
   * @param offsets bytes from the arena's start, by tensor
   * @param arena the bytes of the arena
   * @return the tensors that have no value in the file, so that their offsets are not in it
   * @throws InputException when the model cannot be read
   */
  public static List<String> write(
      Path source, Network network, Map<String, Long> offsets, long arena, Path target)
      throws IOException {
    List<String> left = new ArrayList<>();
    ModelProto model = OnnxModel.parse(source);
    AtomicFiles.write(target, planned(source, model, network, offsets, arena, left)::writeTo);
    return left;
  }

  /** A model with a plan in it; {@code left} takes the tensors that have no value there. */
  static ModelProto planned(
      Path file,
      ModelProto model,
      Network network,
      Map<String, Long> offsets,
      long arena,
      List<String> left) {
    OnnxPlan plan = new OnnxPlan(file, model);
    ModelProto.Builder copy = model.toBuilder();
    Set<String> written = new HashSet<>();
    copy.setGraph(plan.annotated(model.getGraph(), network, offsets, written));
    offsets.keySet().stream().filter(name -> !written.contains(name)).forEach(left::add);
    Map<String, Long> figures = Map.of(ARENA, arena, UNPLANNED, (long) left.size());
    copy.setUnknownFields(plan.with(model.getUnknownFields(), MODEL_METADATA, figures));
    return copy.build();
  }

  private GraphProto annotated(
      GraphProto graph, Network network, Map<String, Long> offsets, Set<String> written) {
    GraphProto.Builder copy = graph.toBuilder();
    List<ValueInfoProto.Builder> values = new ArrayList<>(copy.getInputBuilderList());
    values.addAll(copy.getOutputBuilderList());
    values.addAll(copy.getValueInfoBuilderList());
    Set<String> described = new HashSet<>();
    values.forEach(value -> described.add(value.getName()));
    for (String name : new TreeSet<>(names(graph))) {
      if (isPlanned(name, offsets) && !described.contains(name)) {
        values.add(copy.addValueInfoBuilder().setName(name).setType(type(network.tensor(name))));
      }
    }
    for (ValueInfoProto.Builder value : values) {
      if (isPlanned(value.getName(), offsets)) {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put(OFFSET, offsets.get(value.getName()));
        figures.put(SIZE, network.tensor(value.getName()).bytes());
        value.setUnknownFields(with(value.getUnknownFields(), VALUE_METADATA, figures));
        written.add(value.getName());
      }
    }
    for (NodeProto.Builder node : copy.getNodeBuilderList()) {
      for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
        OnnxModel.changeBodies(attribute, body -> annotated(body, network, offsets, written));
      }
    }
    return copy.build();
  }

  private boolean isPlanned(String value, Map<String, Long> offsets) {
    return definitions.getOrDefault(value, 0) == 1 && offsets.containsKey(value);
  }

  /** A tensor of the element type; its shape follows from the ops, as it did before. */
  private static TypeProto.Builder type(Tensor tensor) {
    return TypeProto.newBuilder()
        .setTensorType(TypeProto.Tensor.newBuilder().setElemType(OnnxTypes.number(tensor.type())));
  }
}
