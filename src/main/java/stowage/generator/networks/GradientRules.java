package stowage.generator.networks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * What the gradient of each op's operands is made of: which tensors an op of the backward pass
 * reads, which decides how long they stay in memory.
 *
 * <ul>
 *   <li>Products ({@code Conv}, {@code ConvTranspose}, {@code Gemm}, {@code MatMul}, {@code Mul},
 *       {@code Mix}): the gradient of a factor reads the result's gradient and the other factors;
 *       that of a bias the result's gradient alone.
 *   <li>Sums pass the gradient on as it is, or summed up where an operand was broadcast.
 *   <li>{@code Relu}, {@code Sigmoid}, {@code Tanh}, {@code Softmax} read their result, other
 *       activations their operand, {@code MaxPool} both, {@code AveragePool} and {@code Resize}
 *       neither. A fused ReLU is undone first.
 *   <li>Normalisations give the gradients of operand, factor and summand in one op, which reads the
 *       operand, and saved statistics where the op has them.
 *   <li>{@code Concat} and {@code Split} undo each other, as {@code Slice} and {@code Pad}, {@code
 *       Reshape} and {@code Transpose} their own kind.
 *   <li>Any other op's gradient reads all its operands and results.
 * </ul>
 */
record GradientRules(TrainingGraph graph) {
  /** Adds the gradients of an op's operands, if a gradient of a result is there. */
  void apply(Op op) {
    List<String> known =
        op.presentOutputs().stream().filter(out -> graph.gradient(out) != null).toList();
    if (known.isEmpty()) {
      return;
    }
    String y = known.get(0);
    String g = graph.gradient(y);
    if (op.flag("relu")) {
      g = graph.emit(op.name() + ".relu.gradient", "ReluGrad", List.of(g, y), y);
    }
    switch (op.type()) {
      case "Conv", "ConvTranspose", "Gemm", "MatMul" -> product(op, g, 2);
      case "Mul", "Mix" -> product(op, g, op.inputs().size());
      case "Add", "Sum" -> sum(op, g, y);
      case "Relu", "Sigmoid", "Tanh", "Softmax" -> one(op, List.of(g, y));
      case "Silu", "Gelu" -> one(op, List.of(g, op.inputs().get(0)));
      case "MaxPool" -> one(op, List.of(g, op.inputs().get(0), y));
      case "AveragePool", "GlobalAveragePool", "Resize" -> one(op, List.of(g));
      case "Scale", "LayerNormalization", "BatchNormTraining" -> normalisation(op, g);
      case "Concat" -> concat(op, g);
      case "Split" -> split(op, g);
      case "Slice" -> sameBytes(op, "Pad", Map.of(), g);
      case "Pad" -> sameBytes(op, "Slice", starts(op), g);
      case "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity" ->
          sameBytes(op, "Reshape", Map.of("shape", graph.tensor(op.inputs().get(0)).shape()), g);
      case "Transpose" -> sameBytes(op, "Transpose", inverse(op), g);
      case "Gather" -> one(op, List.of(g, op.inputs().get(1)));
      default -> other(op, g);
    }
  }

  private boolean wanted(Op op, int operand) {
    String name = operand < op.inputs().size() ? op.inputs().get(operand) : "";
    return !name.isEmpty() && graph.wantsGradient(name);
  }

  private void part(Op op, int operand, String type, Map<String, Object> with, List<String> reads) {
    String of = op.inputs().get(operand);
    String at = op.name() + ".gradient" + operand;
    graph.contribute(of, graph.emit(at, type, with, reads, of));
  }

  /** Of operand 0 alone. */
  private void one(Op op, List<String> reads) {
    if (wanted(op, 0)) {
      part(op, 0, op.type() + "Grad", Map.of(), reads);
    }
  }

  /** Factors first, then summands. */
  private void product(Op op, String g, int factors) {
    for (int k = op.inputs().size() - 1; k >= 0; k--) {
      if (!wanted(op, k)) {
        continue;
      }
      List<String> reads = new ArrayList<>(List.of(g));
      boolean parameter = k == op.inputs().size() - 1;
      for (int other = 0; other < factors && k < factors; other++) {
        // A mix is linear in its operands: only the weight multiplies them.
        boolean apart = op.type().equals("Mix") && !parameter && other < op.inputs().size() - 1;
        if (other != k && !apart) {
          reads.add(op.inputs().get(other));
        }
      }
      part(op, k, k < factors ? op.type() + "Grad" : "ReduceSum", Map.of(), reads);
      if (k < factors) {
        graph.asMany(op.name() + ".gradient" + k, op);
      }
    }
  }

  private void sum(Op op, String g, String y) {
    for (int k = 0; k < op.inputs().size(); k++) {
      if (!wanted(op, k)) {
        continue;
      }
      String operand = op.inputs().get(k);
      if (graph.tensor(operand).shape().equals(graph.tensor(y).shape())) {
        graph.contribute(operand, g);
      } else {
        part(op, k, "ReduceSum", Map.of(), List.of(g));
      }
    }
  }

  private void normalisation(Op op, String g) {
    List<String> reads = new ArrayList<>(List.of(g, op.inputs().get(0), op.inputs().get(1)));
    reads.addAll(op.presentOutputs().subList(1, op.presentOutputs().size()));
    List<String> of =
        IntStream.range(0, op.inputs().size())
            .filter(k -> wanted(op, k))
            .mapToObj(k -> op.inputs().get(k))
            .toList();
    List<String> parts = graph.emitAll(op.name() + ".gradient", op.type() + "Grad", reads, of);
    for (int k = 0; k < of.size(); k++) {
      graph.contribute(of.get(k), parts.get(k));
    }
  }

  private void concat(Op op, String g) {
    int axis = axis(op, graph.tensor(op.inputs().get(0)));
    long start = 0;
    for (int k = 0; k < op.inputs().size(); k++) {
      long end = start + graph.tensor(op.inputs().get(k)).extent(axis);
      if (wanted(op, k)) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("axes", List.of((long) axis));
        attributes.put("starts", List.of(start));
        attributes.put("ends", List.of(end));
        part(op, k, "Slice", attributes, List.of(g));
      }
      start = end;
    }
  }

  /** A concat of the gradients of all parts; zeros for those that nothing depends on. */
  private void split(Op op, String g) {
    if (!wanted(op, 0)) {
      return;
    }
    List<String> parts = new ArrayList<>();
    for (String output : op.presentOutputs()) {
      String known = graph.gradient(output);
      parts.add(
          known != null ? known : graph.emit(output + ".zeros", "ZerosLike", List.of(g), output));
    }
    int axis = axis(op, graph.tensor(op.inputs().get(0)));
    part(op, 0, "Concat", Map.of("axis", (long) axis), parts);
  }

  private void sameBytes(Op op, String type, Map<String, Object> attributes, String g) {
    if (wanted(op, 0)) {
      part(op, 0, type, attributes, List.of(g));
    }
  }

  private static Map<String, Object> inverse(Op op) {
    List<Long> perm = op.integers("perm");
    Long[] inverse = new Long[perm.size()];
    for (int k = 0; k < inverse.length; k++) {
      inverse[perm.get(k).intValue()] = (long) k;
    }
    return Map.of("perm", List.of(inverse));
  }

  /** The stretch of a padded tensor that its operand was. */
  private Map<String, Object> starts(Op op) {
    List<Long> pads = op.integers("pads");
    Tensor x = graph.tensor(op.inputs().get(0));
    List<Long> ends =
        IntStream.range(0, x.rank()).mapToObj(k -> pads.get(k) + x.extent(k)).toList();
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("starts", pads.subList(0, x.rank()));
    attributes.put("ends", ends);
    return attributes;
  }

  private static int axis(Op op, Tensor tensor) {
    long axis = op.integer("axis", 0);
    return (int) (axis < 0 ? axis + tensor.rank() : axis);
  }

  private void other(Op op, String g) {
    List<String> reads = new ArrayList<>(List.of(g));
    op.presentOutputs().stream()
        .map(graph::gradient)
        .filter(Objects::nonNull)
        .skip(1) // the first is g
        .forEach(reads::add);
    op.presentInputs().stream().distinct().forEach(reads::add);
    reads.addAll(op.presentOutputs());
    for (int k = 0; k < op.inputs().size(); k++) {
      if (wanted(op, k) && op.inputs().indexOf(op.inputs().get(k)) == k) {
        part(op, k, op.type() + "Grad", Map.of(), reads);
      }
    }
  }
}
