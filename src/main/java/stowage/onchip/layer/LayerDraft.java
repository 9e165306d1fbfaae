package stowage.onchip.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import stowage.network.Chip;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/** The layer of one op while the rules for its type work it out. */
final class LayerDraft {
  final Op op;

  /** The op's type without dialect, case and underscores. */
  final String key;

  final int[] results;
  final Chip chip;
  final TensorLayout layout;
  Layer.Work work = new Layer.Work(Layer.Kind.ELEMENTWISE, 1, 0);
  boolean inPlace;

  /** Why the op cannot be part of a group; null while nothing is against it. */
  String obstacle;

  private final LayerRules of;
  private final List<Layer.Operand> operands = new ArrayList<>();
  private final List<Layer.WeightUse> weights = new ArrayList<>();

  LayerDraft(Op op, LayerRules of) {
    this.op = op;
    this.key = OpTypes.key(op);
    this.of = of;
    this.layout = of.layout;
    this.chip = of.chip;
    this.results = op.presentOutputs().stream().mapToInt(of.index::get).toArray();
  }

  /** The layer; whole and uncut where something is against grouping it. */
  Layer layer() {
    if (obstacle != null) {
      operands.clear();
      weights.clear();
      plain();
    }
    return new Layer(op, operands, weights, results, work, inPlace && obstacle == null, obstacle);
  }

  Tensor tensor(int index) {
    return of.tensors.get(index);
  }

  Extents extents(int tensor) {
    return of.extents[tensor];
  }

  boolean hasNoOperands() {
    return operands.isEmpty();
  }

  int firstOperand() {
    return operands.get(0).tensor();
  }

  Axis axisOf(int dimension, int rank) {
    return layout.axis(dimension, rank);
  }

  /** The tensor of an input, or -1 where it is absent. */
  int input(int position) {
    return position < op.inputs().size() && !op.inputs().get(position).isEmpty()
        ? of.index.get(op.inputs().get(position))
        : -1;
  }

  boolean constant(int tensor) {
    return of.tensors.get(tensor).isWeight();
  }

  Extents result() {
    return of.extents[results[0]];
  }

  int bits(int tensor) {
    return of.tensors.get(tensor).type().bits();
  }

  /** Adds an activation that is read, with a rule for each axis. */
  void operand(int tensor, AxisRule[] rules) {
    for (Layer.Operand known : operands) {
      if (known.tensor() == tensor) {
        if (!known.rules().equals(Arrays.asList(rules))) {
          obstacle = "it reads tensor \"" + of.tensors.get(tensor).name() + "\" in two ways";
        }
        return;
      }
    }
    operands.add(new Layer.Operand(tensor, List.of(rules)));
  }

  /** Adds a constant that is read, as it is in LMEM. */
  void weight(int tensor, Extents layout, boolean aligned) {
    if (weights.stream().noneMatch(known -> known.tensor() == tensor)) {
      weights.add(new Layer.WeightUse(tensor, layout, bits(tensor), aligned));
    }
  }

  /** Adds what is read from a position on, as constants; others have an obstacle, unless null. */
  void constants(int from, IntFunction<Extents> layouts, String otherwise) {
    for (int k = from; k < op.inputs().size(); k++) {
      int tensor = input(k);
      if (tensor >= 0 && constant(tensor)) {
        weight(tensor, layouts.apply(tensor), false);
      } else if (tensor >= 0 && otherwise != null) {
        obstacle = otherwise;
      }
    }
  }

  /** Whether there is an activation to read first; else that is the obstacle. */
  boolean hasActivation() {
    return hasActivation(0);
  }

  private boolean hasActivation(int position) {
    boolean there = input(position) >= 0 && !constant(input(position));
    obstacle = there ? obstacle : "its first operand is not an activation";
    return there;
  }

  /** Whether there are several results, which is then the obstacle. */
  boolean hasSeveralResults() {
    boolean several = results.length > 1;
    obstacle = several ? "it has " + results.length + " results" : obstacle;
    return several;
  }

  long elements(int tensor) {
    return of.tensors.get(tensor).elements();
  }

  /** Makes the first input the only activation that is read. */
  void unary(AxisRule[] rules) {
    unary(0, rules);
  }

  /** The same for an op whose data is another operand. */
  void unary(int position, AxisRule[] rules) {
    if (!hasActivation(position)) {
      return;
    }
    int from = input(position);
    for (Axis axis : Axis.values()) {
      boolean free = rules[axis.ordinal()] == AxisRule.SAME;
      if (free && of.extents[from].along(axis) != result().along(axis)) {
        obstacle =
            "its operand has %s and its result %s along %s"
                .formatted(of.extents[from].along(axis), result().along(axis), axis.label());
      }
    }
    operand(from, rules);
  }

  AxisRule[] uniform(AxisRule rule) {
    AxisRule[] rules = new AxisRule[Axis.COUNT];
    Arrays.fill(rules, rule);
    return rules;
  }

  /** The same slices along every axis but the given ones. */
  AxisRule[] uniformBut(AxisRule rule, Axis... axes) {
    AxisRule[] rules = uniform(AxisRule.SAME);
    for (Axis axis : axes) {
      rules[axis.ordinal()] = rule;
    }
    return rules;
  }

  /** The same slices along every axis but that of a dimension of the result. */
  AxisRule[] along(int dimension, AxisRule rule) {
    return uniformBut(rule, axisOf(dimension, of.tensors.get(results[0]).rank()));
  }

  /** A dimension from an attribute, counted from the front. */
  int axis(String attribute, long otherwise) {
    long value = op.integer(attribute, otherwise);
    int first = input(0) < 0 ? results[0] : input(0);
    int rank = of.tensors.get(first).rank();
    return (int) (value < 0 ? value + rank : value);
  }

  /** Operands of a layer that is never cut: all of them, whole. */
  void plain() {
    for (String input : op.presentInputs()) {
      int tensor = of.index.get(input);
      if (of.tensors.get(tensor).isWeight()) {
        weight(tensor, of.extents[tensor], true);
      } else {
        operand(tensor, uniform(AxisRule.UNCUT));
      }
    }
  }
}
