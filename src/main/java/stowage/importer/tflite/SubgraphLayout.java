package stowage.importer.tflite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.InputException;
import stowage.importer.io.UniqueNames;
import stowage.network.ElementType;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Turns a model's subgraphs into ops and tensors.
 *
 * <p>A tensor with data is a weight, one that is marked variable, or is read though nothing makes
 * it, keeps its content between runs; all others are activations.
 *
 * <p>The subgraphs that an op runs (IF, WHILE, CALL_ONCE and the like) are laid out before the op,
 * as TFLite Micro plans them inside it: an op {@code <type>.enter} that makes the subgraph's
 * inputs, its ops, and at the end the op itself, which reads what the subgraphs give, and for those
 * that may run repeatedly also their inputs. A subgraph that is run from several places is laid out
 * for each; the copies' tensors get names of their own. Subgraphs that nothing runs are entry
 * points of their own ("signatures"); they are laid out after the main one between {@code
 * SUBGRAPH.enter} and {@code SUBGRAPH.exit}, for only one of them runs at a time.
 */
final class SubgraphLayout {
  private static final int MOST_OPS = 1 << 17;
  private static final Set<String> ONCE = Set.of("IF", "CALL_ONCE", "CALL", "STABLEHLO_COMPOSITE");

  private final TfliteModel model;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final UniqueNames opNames = new UniqueNames();
  private final UniqueNames tensorNames = new UniqueNames();
  private final Deque<Integer> running = new ArrayDeque<>();
  private final String[][] firstNames;
  private List<String> inputs = List.of();
  private List<String> outputs = List.of();
  private int dynamic;
  private int opaque;

  SubgraphLayout(TfliteModel model) {
    this.model = model;
    this.firstNames = new String[model.subgraphs().size()][];
  }

  Collection<Tensor> tensors() {
    return tensors.values();
  }

  List<Op> ops() {
    return ops;
  }

  List<String> inputs() {
    return inputs;
  }

  List<String> outputs() {
    return outputs;
  }

  /** The name of a tensor where its subgraph was first laid out. */
  String name(int subgraph, int tensor) {
    return firstNames[subgraph][tensor];
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (dynamic > 0) {
      notes.add(dynamic + " tensors have extents that may change; their recorded values are used");
    }
    if (opaque > 0) {
      notes.add(opaque + " tensors are strings, resources or variants and count 0 bytes");
    }
    return notes;
  }

  /** Lays everything out. */
  void run() {
    Set<Integer> called = new HashSet<>();
    for (TfliteModel.Subgraph subgraph : model.subgraphs()) {
      for (TfliteModel.Operator operator : subgraph.operators()) {
        for (int target : targets(operator)) {
          called.add(target);
        }
      }
    }
    String[] names = declare(0);
    TfliteModel.Subgraph main = model.subgraphs().get(0);
    inputs = given(names, main.inputs());
    outputs = at(names, main.outputs()).stream().distinct().toList();
    body(0, names);
    for (int s = 1; s < model.subgraphs().size(); s++) {
      if (!called.contains(s)) {
        entryPoint(s);
      }
    }
    // Subgraphs that run only each other are reached from nowhere; their tensors are declared.
    for (int s = 1; s < firstNames.length; s++) {
      if (firstNames[s] == null) {
        entryPoint(s);
      }
    }
  }

  private void entryPoint(int s) {
    TfliteModel.Subgraph subgraph = model.subgraphs().get(s);
    String[] names = declare(s);
    String name = subgraph.name().isEmpty() ? "subgraph " + s : subgraph.name();
    List<String> made = given(names, subgraph.inputs());
    if (!made.isEmpty()) {
      add(name + ".enter", "SUBGRAPH.enter", Map.of(), List.of(), made);
    }
    body(s, names);
    add(name + ".exit", "SUBGRAPH.exit", Map.of(), at(names, subgraph.outputs()), List.of());
  }

  /** Names the tensors of a subgraph and adds them. */
  private String[] declare(int s) {
    TfliteModel.Subgraph subgraph = model.subgraphs().get(s);
    boolean[] made = new boolean[subgraph.tensors().size()];
    boolean[] read = new boolean[made.length];
    for (int input : subgraph.inputs()) {
      made[input] = true;
    }
    for (TfliteModel.Operator operator : subgraph.operators()) {
      mark(operator.outputs(), made);
      mark(operator.inputs(), read);
    }
    mark(subgraph.outputs(), read);
    String[] names = new String[made.length];
    for (int t = 0; t < names.length; t++) {
      TfliteModel.Value value = subgraph.tensors().get(t);
      names[t] = tensorNames.of(value.name().isEmpty() ? "tensor " + t : value.name());
      Tensor.Kind kind =
          isConstant(value)
              ? Tensor.Kind.WEIGHT
              : value.variable() || (read[t] && !made[t])
                  ? Tensor.Kind.VARIABLE
                  : Tensor.Kind.ACTIVATION;
      tensors.put(names[t], tensor(names[t], value, kind, "subgraph " + s + ", tensor " + t));
    }
    if (firstNames[s] == null) {
      firstNames[s] = names;
    }
    return names;
  }

  private static void mark(int[] indices, boolean[] marks) {
    for (int index : indices) {
      if (index >= 0) {
        marks[index] = true;
      }
    }
  }

  private boolean isConstant(TfliteModel.Value value) {
    return value.buffer() < model.buffers().size()
        && model.buffers().get(value.buffer()).length() > 0;
  }

  private Tensor tensor(String name, TfliteModel.Value value, Tensor.Kind kind, String where) {
    ElementType type = TfliteOps.type(value.type());
    if (type == null) {
      throw new InputException(
          model.file(), where, "element type " + value.type() + " should be between 0 and 20");
    }
    List<Long> shape = new ArrayList<>();
    for (int extent : value.shape()) {
      if (extent < 0) {
        throw new InputException(model.file(), where, "extent " + extent + " should be 0 or more");
      }
      shape.add((long) extent);
    }
    dynamic += value.dynamic() ? 1 : 0;
    opaque += type == ElementType.OPAQUE ? 1 : 0;
    Tensor tensor = new Tensor(name, shape, type, kind);
    if (kind == Tensor.Kind.WEIGHT && !value.sparse() && type != ElementType.OPAQUE) {
      long held = model.buffers().get(value.buffer()).length();
      if (held != tensor.bytes()) {
        throw new InputException(
            model.file(),
            where,
            "\""
                + name
                + "\" holds "
                + held
                + " bytes; shape "
                + shape
                + " of "
                + type.label()
                + " should have "
                + tensor.bytes());
      }
    }
    return tensor;
  }

  private List<String> at(String[] names, int[] indices) {
    List<String> chosen = new ArrayList<>();
    for (int index : indices) {
      chosen.add(index < 0 ? "" : names[index]);
    }
    return chosen;
  }

  /** Those of a subgraph's inputs that hold nothing yet. */
  private List<String> given(String[] names, int[] indices) {
    return at(names, indices).stream()
        .filter(name -> tensors.get(name).kind() == Tensor.Kind.ACTIVATION)
        .distinct()
        .toList();
  }

  private void body(int s, String[] names) {
    if (running.contains(s)) {
      throw new InputException(
          model.file(), "subgraph " + s, "runs itself; that is not understood");
    }
    running.push(s);
    for (TfliteModel.Operator operator : model.subgraphs().get(s).operators()) {
      operator(operator, names);
    }
    running.pop();
  }

  private int[] targets(TfliteModel.Operator operator) {
    return TfliteOps.subgraphs(
        model.codes().get(operator.code()), operator.options(), operator.moreOptions());
  }

  private void operator(TfliteModel.Operator operator, String[] names) {
    String type = model.codes().get(operator.code());
    List<String> reads = at(names, operator.inputs());
    List<String> makes = at(names, operator.outputs());
    String name =
        makes.stream().filter(made -> !made.isEmpty()).findFirst().orElse(type + " " + ops.size());
    Set<String> alsoRead = new LinkedHashSet<>();
    for (int target : targets(operator)) {
      if (target < 0 || target >= model.subgraphs().size()) {
        throw new InputException(
            model.file(),
            type + " that makes \"" + name + "\"",
            "runs subgraph " + target + "; there are " + model.subgraphs().size());
      }
      TfliteModel.Subgraph inner = model.subgraphs().get(target);
      String[] innerNames = declare(target);
      List<String> made = given(innerNames, inner.inputs());
      if (!made.isEmpty()) {
        add(name + ".enter", type + ".enter", Map.of(), reads, made);
      }
      body(target, innerNames);
      if (!ONCE.contains(type)) {
        alsoRead.addAll(made);
      }
      alsoRead.addAll(at(innerNames, inner.outputs()));
    }
    alsoRead.removeAll(reads);
    List<String> all = new ArrayList<>(reads);
    all.addAll(alsoRead);
    add(name, type, attributes(operator, type, names), all, makes);
  }

  private void add(
      String name,
      String type,
      Map<String, Object> attributes,
      List<String> reads,
      List<String> makes) {
    if (ops.size() > MOST_OPS) {
      throw new InputException(model.file(), "", "its subgraphs run each other too often");
    }
    String unique = opNames.of(name);
    ops.add(new Op(unique, type.isEmpty() ? "CUSTOM" : type, attributes, reads, makes, 0));
  }

  /** Attributes; where a slice begins stands in tensors, and is copied here. */
  private Map<String, Object> attributes(
      TfliteModel.Operator operator, String type, String[] names) {
    Map<String, Object> attributes = TfliteOps.attributes(type, operator.options());
    TfliteModel.Subgraph subgraph = model.subgraphs().get(running.peek());
    boolean strided = type.equals("STRIDED_SLICE");
    if ((strided || type.equals("SLICE")) && operator.inputs().length > 1) {
      List<Long> begin = integers(subgraph, operator.inputs()[1]);
      List<Long> strides =
          strided && operator.inputs().length > 3
              ? integers(subgraph, operator.inputs()[3])
              : List.of(1L);
      boolean plain =
          !strided
              || ((long) attributes.getOrDefault("ellipsis_mask", 0L) == 0
                  && (long) attributes.getOrDefault("new_axis_mask", 0L) == 0);
      if (begin == null || strides == null || !plain) {
        attributes.put("strides", List.of(0L)); // not known, so no view
        return attributes;
      }
      long mask = (long) attributes.getOrDefault("begin_mask", 0L);
      List<Long> starts = new ArrayList<>();
      for (int axis = 0; axis < begin.size(); axis++) {
        starts.add((mask >> axis & 1) != 0 ? 0 : begin.get(axis));
      }
      attributes.put("begin", starts);
      attributes.put("strides", strides);
    }
    return attributes;
  }

  private List<Long> integers(TfliteModel.Subgraph subgraph, int tensor) {
    return tensor < 0 ? null : model.integers(subgraph.tensors().get(tensor));
  }
}
