package stowage.importer.tflite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.importer.io.UniqueNames;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Layout of a model's subgraphs as ops and tensors, with the live ranges for which TFLite Micro
 * plans (tensorflow/tflite-micro, tensorflow/lite/micro/micro_allocation_info.cc).
 *
 * <p>A tensor with data is a weight, one that is marked variable keeps its content between runs;
 * all others are activations. They are in the order of their indices, subgraph by subgraph, which
 * is the order in which TFLite Micro hands them to its planner.
 *
 * <p><b>Scopes.</b> TFLite Micro counts scopes: 0 for the main subgraph's inputs, one more for each
 * op, and one more for each entry into a subgraph that an op runs (IF, WHILE, CALL_ONCE). A tensor
 * is live from the scope that first makes it to the last one that touches it. Here every scope is
 * an op, so that steps are scopes:
 *
 * <ul>
 *   <li>An op that runs subgraphs becomes {@code <type>.enter}, which makes the op's results, for
 *       WHILE keeps the loop's state in them; then for each subgraph {@code <type>.call}, which
 *       makes the subgraph's inputs, the subgraph's ops, and {@code <type>.return}, which reads the
 *       subgraph's outputs. In place of the last {@code .return} the op itself follows. These
 *       returns are steps alongside the scopes; all that is alive in one is alive in the scope
 *       before it, so they bring no two tensors together.
 *   <li>A tensor has one place, however often a subgraph runs. An op that writes what was written
 *       before (in a second run, or in place) reads it here.
 *   <li>Where the main subgraph has inputs that no op reads, {@code MODEL.enter} is scope 0; else
 *       the first op's step serves, for the inputs are there in both.
 *   <li>Tensors that nothing makes, among them all of subgraphs that nothing runs, have memory
 *       reserved in a scope before all others: {@code MODEL.reserve}.
 * </ul>
 *
 * <p>Example: {@code IF} at scope 2 with branches of one op each: enter is scope 2, call 3, the op
 * 4, return, call 5, the op 6, IF. The results of IF live from 2; what a branch made may give way
 * to what the other makes.
 */
final class SubgraphLayout {
  private static final int MOST_OPS = 1 << 17;
  private static final String MODEL = "MODEL";

  private final TfliteModel model;
  final Map<String, Tensor> tensors = new LinkedHashMap<>();
  final List<Op> ops = new ArrayList<>();
  private final UniqueNames opNames = new UniqueNames();
  private final Deque<Integer> running = new ArrayDeque<>();
  private final String[][] names;
  private final Set<String> made = new HashSet<>();

  /** By scope the index of its op; -1 for scope 0 where it has none. */
  final List<Integer> scopes = new ArrayList<>();

  /** By the name of an op the operator of the main subgraph that it is, or that it begins. */
  final Map<String, Integer> operators = new LinkedHashMap<>();

  /** Values that ops with subgraphs read, always by the first name: copies are never read. */
  private final Set<String> captured = new HashSet<>();

  final List<String> inputs;
  final List<String> outputs;
  private int dynamic;
  private int opaque;

  SubgraphLayout(TfliteModel model) {
    this.model = model;
    this.names = new String[model.subgraphs().size()][];
    UniqueNames unique = new UniqueNames();
    Arrays.setAll(names, s -> declare(s, unique));
    TfliteModel.Subgraph main = model.subgraphs().get(0);
    this.inputs = plannable(at(names[0], main.inputs()));
    this.outputs = at(names[0], main.outputs()).stream().distinct().toList();
    made.addAll(inputs);
    scopes.add(-1);
    body(0);
    ops.replaceAll(op -> Collections.disjoint(op.presentOutputs(), captured) ? op : op.once());
    List<String> reserved = reserved();
    if (!reserved.isEmpty() || !allRead(main)) {
      prepend(MODEL + ".enter", reserved.isEmpty() ? inputs : List.of(), inputs);
    }
    if (!reserved.isEmpty()) {
      prepend(MODEL + ".reserve", List.of(), reserved);
    }
  }

  String name(int subgraph, int tensor) {
    return names[subgraph][tensor];
  }

  /** The names of all tensors, subgraph by subgraph. */
  List<String> names() {
    return Stream.of(names).flatMap(Stream::of).toList();
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (dynamic > 0) {
      notes.add(
          Network.TOO_LOW + dynamic + " tensors have dynamic shapes; the recorded shapes are used");
    }
    if (opaque > 0) {
      notes.add(
          Network.TOO_LOW
              + opaque
              + " tensors are strings, resources or variants and count 0 bytes");
    }
    return notes;
  }

  /** Whether ops of the main subgraph itself read all of its inputs. */
  private boolean allRead(TfliteModel.Subgraph main) {
    Set<String> read = new HashSet<>();
    main.operators().forEach(operator -> read.addAll(at(names[0], operator.inputs())));
    return read.containsAll(inputs);
  }

  /** Activations that nothing makes. */
  private List<String> reserved() {
    return tensors.values().stream()
        .filter(tensor -> tensor.kind() == Tensor.Kind.ACTIVATION && tensor.bytes() > 0)
        .map(Tensor::name)
        .filter(name -> !made.contains(name))
        .toList();
  }

  /** Puts an op before all others: one that makes tensors, or that reads what is given. */
  private void prepend(String type, List<String> reads, List<String> makes) {
    List<String> results = reads.isEmpty() ? makes : List.of();
    ops.add(0, new Op(opNames.of(type), type, Map.of(), reads, results, 0));
    scopes.replaceAll(op -> op + 1);
  }

  /** Names the tensors of a subgraph and adds them. */
  private String[] declare(int s, UniqueNames unique) {
    TfliteModel.Subgraph subgraph = model.subgraphs().get(s);
    String[] declared = new String[subgraph.tensors().size()];
    for (int t = 0; t < declared.length; t++) {
      TfliteModel.Value value = subgraph.tensors().get(t);
      declared[t] = unique.of(value.name().isEmpty() ? "tensor " + t : value.name());
      Tensor.Kind kind =
          isConstant(value)
              ? Tensor.Kind.WEIGHT
              : value.variable() ? Tensor.Kind.VARIABLE : Tensor.Kind.ACTIVATION;
      String where = "subgraph " + s + ", tensor " + t;
      tensors.put(declared[t], tensor(declared[t], value, kind, where));
    }
    return declared;
  }

  private boolean isConstant(TfliteModel.Value value) {
    return value.buffer() < model.buffers().size()
        && model.buffers().get(value.buffer()).length() > 0;
  }

  private Tensor tensor(String name, TfliteModel.Value value, Tensor.Kind kind, String where) {
    ElementType type = TfliteOps.type(value.type());
    if (type == null) {
      throw model.fault(where, "element type %s should be between 0 and 20", value.type());
    }
    List<Long> shape = new ArrayList<>();
    for (int extent : value.shape()) {
      if (extent < 0) {
        throw model.fault(where, "extent %s should be 0 or more", extent);
      }
      shape.add((long) extent);
    }
    dynamic += value.dynamic() ? 1 : 0;
    opaque += type == ElementType.OPAQUE ? 1 : 0;
    Tensor tensor = new Tensor(name, shape, type, kind);
    if (kind == Tensor.Kind.WEIGHT && !value.sparse() && type != ElementType.OPAQUE) {
      long held = model.buffers().get(value.buffer()).length();
      if (held != tensor.bytes()) {
        String what = "\"%s\" holds %s bytes; shape %s of %s should have %s";
        throw model.fault(where, what, name, held, shape, type.label(), tensor.bytes());
      }
    }
    return tensor;
  }

  private List<String> at(String[] names, int[] indices) {
    return IntStream.of(indices).mapToObj(index -> index < 0 ? "" : names[index]).toList();
  }

  /** The activations among some tensors, each once. */
  private List<String> plannable(List<String> chosen) {
    return chosen.stream()
        .filter(name -> !name.isEmpty() && tensors.get(name).kind() == Tensor.Kind.ACTIVATION)
        .distinct()
        .toList();
  }

  private void body(int s) {
    if (running.contains(s)) {
      throw model.fault("subgraph " + s, "runs itself; that is not understood");
    }
    running.push(s);
    List<TfliteModel.Operator> all = model.subgraphs().get(s).operators();
    for (int k = 0; k < all.size(); k++) {
      int first = ops.size();
      operator(all.get(k), names[s]);
      if (running.size() == 1) {
        operators.put(ops.get(first).name(), k);
      }
    }
    running.pop();
    makeUnmade(plannable(at(names[s], model.subgraphs().get(s).outputs())));
  }

  /** Has the last scope make those outputs of a subgraph that its ops do not. */
  private void makeUnmade(List<String> results) {
    int last = scopes.get(scopes.size() - 1);
    for (String result : results) {
      if (last >= 0 && made.add(result)) {
        Op op = ops.get(last);
        List<String> more = new ArrayList<>(op.outputs());
        more.add(result);
        List<String> reads =
            op.inputs().stream().map(read -> read.equals(result) ? "" : read).toList();
        ops.set(last, op.renamed(op.name(), reads, more));
      }
    }
  }

  private void operator(TfliteModel.Operator operator, String[] local) {
    String type = model.codes().get(operator.code());
    List<String> reads = at(local, operator.inputs());
    List<String> makes = at(local, operator.outputs());
    String name =
        makes.stream()
            .filter(result -> !result.isEmpty())
            .findFirst()
            .orElse(type + " " + ops.size());
    int[] targets = TfliteOps.subgraphs(type, operator.options(), operator.moreOptions());
    if (targets.length == 0) {
      scope(name, type, attributes(operator, type), reads, makes);
      return;
    }
    scope(name + ".enter", type + ".enter", Map.of(), reads, makes);
    captured.addAll(reads);
    List<String> held = new ArrayList<>(reads);
    held.addAll(plannable(makes));
    for (int k = 0; k < targets.length; k++) {
      if (targets[k] < 0 || targets[k] >= names.length) {
        String what = "runs subgraph %s; there are %s";
        String where = type + " that makes \"" + name + "\"";
        throw model.fault(where, what, targets[k], names.length);
      }
      TfliteModel.Subgraph inner = model.subgraphs().get(targets[k]);
      String[] within = names[targets[k]];
      scope(name + ".call", type + ".call", Map.of(), held, plannable(at(within, inner.inputs())));
      body(targets[k]);
      boolean last = k == targets.length - 1;
      Set<String> returned = new LinkedHashSet<>(held);
      returned.addAll(at(within, inner.outputs()));
      add(
          last ? name : name + ".return",
          last ? type : type + ".return",
          last ? attributes(operator, type) : Map.of(),
          List.copyOf(returned),
          List.of());
    }
  }

  /** Adds an op that is a scope of its own. */
  private void scope(
      String name,
      String type,
      Map<String, Object> attributes,
      List<String> reads,
      List<String> makes) {
    scopes.add(ops.size());
    add(name, type, attributes, reads, makes);
  }

  /**
   * Adds an op. What it writes and what was written before is among what it reads; what it reads
   * and is the first to write holds nothing yet, and so is not.
   */
  private void add(
      String name,
      String type,
      Map<String, Object> attributes,
      List<String> reads,
      List<String> makes) {
    if (ops.size() > MOST_OPS) {
      throw model.fault("", "its subgraphs run each other too often");
    }
    List<String> all = new ArrayList<>(reads);
    List<String> results = new ArrayList<>();
    for (String result : makes) {
      if (result.isEmpty() || made.add(result)) {
        results.add(result);
        all.replaceAll(read -> read.equals(result) && !read.isEmpty() ? "" : read);
      } else if (!all.contains(result)) {
        all.add(result);
      }
    }
    String unique = opNames.of(name);
    boolean again = running.size() <= 1 && TfliteOps.isBuiltIn(type);
    String said = type.isEmpty() ? "CUSTOM" : type;
    ops.add(new Op(unique, said, attributes, all, results, List.of(), -1, again));
  }

  /** Attributes; where a slice begins, margins and the like are in tensors, and copied here. */
  private Map<String, Object> attributes(TfliteModel.Operator operator, String type) {
    Map<String, Object> attributes = TfliteOps.attributes(type, operator.options());
    TfliteModel.Subgraph subgraph = model.subgraphs().get(running.peek());
    int[] dropped =
        type.equals("SQUEEZE") && operator.options() != null
            ? operator.options().ints(0)
            : new int[0];
    if (dropped.length > 0) {
      attributes.put("axes", IntStream.of(dropped).asLongStream().boxed().toList());
    }
    boolean strided = type.equals("STRIDED_SLICE");
    boolean pads = type.equals("PAD") || type.equals("PADV2");
    if ((pads || type.equals("TRANSPOSE")) && operator.inputs().length > 1) {
      List<Long> values = integers(subgraph, operator.inputs()[1]);
      if (values != null) {
        attributes.put(pads ? "pads" : "perm", pads ? TfliteOps.turned(values, 2) : values);
      }
    }
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
