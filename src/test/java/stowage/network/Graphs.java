package stowage.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;

/**
 * Small networks for tests, of bytes unless another type is given, written as statements: {@code
 * x:4 z:1x3x8x8} graph inputs with their shapes, {@code weight w:9}, {@code variable s:2}, {@code
 * tensor t:1} that nothing makes, {@code a:4 b:2 = TopK x w axis=1 starts=[0,2]} an op with its
 * results, operands, {@code _} for one that is absent, and attributes, named after its first result
 * or by {@code name=n}, {@code cost=5}, and {@code +6} behind it for scratch memory, {@code -> a b}
 * outputs, {@code format tflite}. {@code window=3,2,1} stands for a square kernel, its stride and
 * its margin, and a filter {@code a.w}.
 */
public final class Graphs {
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private final ElementType type;
  private String format = "json";

  private Graphs(ElementType type) {
    this.type = type;
  }

  /** A network of some statements, with semicolons between them. */
  public static Graphs of(String statements) {
    return of(ElementType.U8, statements);
  }

  public static Graphs of(ElementType type, String statements) {
    return new Graphs(type).and(statements);
  }

  /** Adds statements. */
  public Graphs and(String statements) {
    for (String statement : statements.split("; *")) {
      List<String> words = List.of(statement.trim().split("\\s+"));
      List<String> rest = words.subList(1, words.size());
      int equals = words.indexOf("=");
      if (equals >= 0) {
        op(
            words.subList(0, equals),
            words.get(equals + 1),
            words.subList(equals + 2, words.size()));
        continue;
      }
      switch (words.get(0)) {
        case "->" -> outputs.addAll(rest);
        case "weight" -> rest.forEach(word -> add(word, Tensor.Kind.WEIGHT));
        case "tensor" -> rest.forEach(word -> add(word, Tensor.Kind.ACTIVATION));
        case "variable" -> rest.forEach(word -> add(word, Tensor.Kind.VARIABLE));
        case "format" -> format = rest.get(0);
        default -> words.forEach(word -> inputs.add(add(word, Tensor.Kind.ACTIVATION)));
      }
    }
    return this;
  }

  private void op(List<String> made, String opType, List<String> words) {
    List<String> operands = new ArrayList<>();
    Map<String, Object> attributes = new LinkedHashMap<>();
    List<Long> scratch = new ArrayList<>();
    for (String word : words) {
      String[] sides = word.split("=");
      if (word.startsWith("+")) {
        scratch.add(Long.valueOf(word.substring(1)));
      } else if (sides[0].equals("window")) {
        operands.add(window(made.get(0), operands.get(0), sides[1].split(","), attributes));
      } else if (sides.length > 1) {
        attributes.put(sides[0], attribute(sides[1]));
      } else {
        operands.add(word.equals("_") ? "" : word);
      }
    }
    List<String> results = made.stream().map(one -> add(one, Tensor.Kind.ACTIVATION)).toList();
    if (opType.equals("Concat") && tensors.get(made.get(0).split(":")[0]).shape().size() == 1) {
      attributes.putIfAbsent("axis", 0L);
    }
    Object name = attributes.remove("name");
    name = name != null ? name : results.isEmpty() ? opType : results.get(0);
    long cost = (long) attributes.getOrDefault("cost", -1L);
    attributes.remove("cost");
    ops.add(new Op((String) name, opType, attributes, operands, results, scratch).withCost(cost));
  }

  private static Object attribute(String text) {
    if (text.startsWith("[")) {
      String inner = text.substring(1, text.length() - 1);
      return Arrays.stream(inner.split(",")).map(Long::valueOf).toList();
    }
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    return text.matches("-?\\d+") ? (Object) Long.valueOf(text) : text;
  }

  /** Adds the filter of a window to the tensors. */
  private String window(
      String made, String from, String[] figures, Map<String, Object> attributes) {
    long kernel = Long.parseLong(figures[0]);
    long stride = Long.parseLong(figures[1]);
    long pad = Long.parseLong(figures[2]);
    attributes.put("kernel_shape", List.of(kernel, kernel));
    attributes.put("strides", List.of(stride, stride));
    attributes.put("pads", List.of(pad, pad, pad, pad));
    String[] parts = made.split(":");
    List<Long> filter =
        List.of(shape(parts[1]).get(1), tensors.get(from).extent(1), kernel, kernel);
    tensors.put(parts[0] + ".w", new Tensor(parts[0] + ".w", filter, type, Tensor.Kind.WEIGHT));
    return parts[0] + ".w";
  }

  private static List<Long> shape(String text) {
    return Arrays.stream(text.split("x")).map(Long::valueOf).toList();
  }

  private String add(String made, Tensor.Kind kind) {
    String[] parts = made.split(":");
    tensors.put(parts[0], new Tensor(parts[0], shape(parts[1]), type, kind));
    return parts[0];
  }

  public Network network() {
    return new Network("test", format, tensors.values(), ops, inputs, outputs, List.of());
  }

  /** A tensor added so far. */
  public Tensor tensor(String name) {
    return tensors.get(name);
  }

  /** Types and shapes of tensors, as {@code F32[2, 3] U8[4]}. */
  public static String values(Network network, String... tensors) {
    return Arrays.stream(tensors)
        .map(network::tensor)
        .map(tensor -> tensor.type() + tensor.shape().toString())
        .collect(Collectors.joining(" "));
  }

  /** Types of the ops in the file's order, with spaces between them. */
  public static String types(Network network) {
    return network.ops().stream().map(Op::type).collect(Collectors.joining(" "));
  }

  public static Op op(Network network, String name) {
    return network.ops().stream().filter(op -> op.name().equals(name)).findFirst().orElseThrow();
  }

  /** Writes the network in JSON. */
  public Path write(Path file) throws IOException {
    NetworkJson.write(network(), file);
    return file;
  }

  /** Every buffer as {@code tensor@offset+tensor@offset [start, end) size}. */
  public List<String> buffers(LivenessOptions options) {
    PlanningCase planning = Liveness.of(network(), options);
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < planning.contents().size(); i++) {
      Buffer buffer = planning.problem().buffer(i);
      String parts =
          planning.contents().get(i).parts().stream()
              .map(part -> part.tensor() + "@" + part.offset())
              .collect(Collectors.joining("+"));
      String name = parts.isEmpty() ? buffer.id() : parts;
      shown.add(name + " " + buffer.live() + " " + buffer.size());
    }
    return shown;
  }

  /** The case with views in place, inputs freed, alignment 1. */
  public PlanningCase planningCase() {
    return Liveness.of(network(), LivenessOptions.defaults().withAlignments(1, 1));
  }

  /** The case with inputs kept to the end. */
  public PlanningCase keepingInputs() {
    return Liveness.of(
        network(),
        LivenessOptions.defaults().withAlignments(1, 1).withInputs(LivenessOptions.Inputs.KEEP));
  }

  /** The case in which every tensor has a buffer of its own. */
  public PlanningCase withoutViews() {
    return Liveness.of(
        network(),
        LivenessOptions.defaults().withAlignments(1, 1).withInPlace(LivenessOptions.InPlace.NONE));
  }
}
