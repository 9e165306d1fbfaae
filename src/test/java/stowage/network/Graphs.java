package stowage.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;

/**
 * Small networks for tests, tensors of bytes, written as statements: {@code x:4} a graph input of 4
 * bytes, {@code weight w:9}, {@code a:4 b:2 = TopK x w} an op with its results and operands, named
 * after its first result, {@code +6} behind it for scratch memory, {@code -> a b} outputs.
 */
public final class Graphs {
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();

  /** A network of some statements, with semicolons between them. */
  public static Graphs of(String statements) {
    return new Graphs().and(statements);
  }

  /** Adds statements. */
  public Graphs and(String statements) {
    for (String statement : statements.split("; *")) {
      List<String> words = List.of(statement.trim().split(" +"));
      int equals = words.indexOf("=");
      if (equals >= 0) {
        op(
            words.subList(0, equals),
            words.get(equals + 1),
            words.subList(equals + 2, words.size()));
      } else if (words.get(0).equals("->")) {
        outputs.addAll(words.subList(1, words.size()));
      } else if (words.get(0).equals("weight")) {
        add(words.get(1), Tensor.Kind.WEIGHT);
      } else {
        words.forEach(word -> inputs.add(add(word, Tensor.Kind.ACTIVATION)));
      }
    }
    return this;
  }

  private void op(List<String> made, String type, List<String> read) {
    List<String> results = made.stream().map(one -> add(one, Tensor.Kind.ACTIVATION)).toList();
    String last = read.isEmpty() ? "" : read.get(read.size() - 1);
    long scratch = last.startsWith("+") ? Long.parseLong(last.substring(1)) : 0;
    List<String> operands = last.startsWith("+") ? read.subList(0, read.size() - 1) : read;
    Map<String, Object> attributes = type.equals("Concat") ? Map.of("axis", 0L) : Map.of();
    ops.add(new Op(results.get(0), type, attributes, operands, results, scratch));
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
