package stowage.compiler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Small networks for tests, tensors of bytes. A tensor is written {@code name:bytes} where it is
 * made and {@code name} where it is read.
 */
public final class Graphs {
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();

  /** A graph input. */
  public Graphs input(String... made) {
    for (String one : made) {
      inputs.add(add(one, Tensor.Kind.ACTIVATION));
    }
    return this;
  }

  /** A weight. */
  public Graphs weight(String made) {
    add(made, Tensor.Kind.WEIGHT);
    return this;
  }

  /** An op of a type, named after its first result. */
  public Graphs op(String type, String read, String made) {
    return op(type, read, made, 0);
  }

  /** An op that needs scratch memory. */
  public Graphs op(String type, String read, String made, long scratch) {
    List<String> results = new ArrayList<>();
    for (String one : made.split(" ")) {
      results.add(add(one, Tensor.Kind.ACTIVATION));
    }
    List<String> operands = read.isEmpty() ? List.of() : List.of(read.split(" "));
    Map<String, Object> attributes = type.equals("Concat") ? Map.of("axis", 0L) : Map.of();
    ops.add(new Op(results.get(0), type, attributes, operands, results, scratch));
    return this;
  }

  /** Graph outputs. */
  public Graphs output(String... names) {
    outputs.addAll(List.of(names));
    return this;
  }

  private String add(String made, Tensor.Kind kind) {
    String[] parts = made.split(":");
    List<Long> shape = List.of(Long.parseLong(parts[1]));
    tensors.put(parts[0], new Tensor(parts[0], shape, ElementType.U8, kind));
    return parts[0];
  }

  public Network network() {
    return new Network("test", "json", tensors.values(), ops, inputs, outputs, List.of());
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
