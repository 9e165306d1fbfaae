package stowage.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.rewrite.range.AxisRule;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/**
 * What splitting has to know of a network, whatever run is asked for: who reads what, and which ops
 * are never run in pieces.
 *
 * <p>These are ops with effects, ops that touch variables, ops that run code of their own, and all
 * of that code: an op is taken to be part of it when what it makes is read by such an op or other
 * parts of its code alone. That may also hold for an op of the main graph, which then stays whole.
 */
public final class SplitModel {
  /** The most operands of a concatenation in TFLite Micro. */
  static final int TFLITE_OPERANDS = 10;

  private final Network network;
  private final AxisRules rules;
  private final Map<String, List<Integer>> readers = new HashMap<>();
  private final Set<String> outputs;
  private final String[] barriers;
  private final Map<Long, AxisRule> known = new ConcurrentHashMap<>();

  /** Looks a network through. O(edges). */
  public SplitModel(Network network) {
    this.network = network;
    this.rules = new AxisRules(network);
    this.outputs = Set.copyOf(network.outputs());
    for (int k = 0; k < network.ops().size(); k++) {
      for (String input : new HashSet<>(network.ops().get(k).presentInputs())) {
        readers.computeIfAbsent(input, name -> new ArrayList<>()).add(k);
      }
    }
    this.barriers = new String[network.ops().size()];
    int[] order = network.executionOrder();
    boolean[] inside = new boolean[order.length];
    for (int k = order.length - 1; k >= 0; k--) {
      int op = order[k];
      inside[op] = runsCode(network.ops().get(op)) || isInside(op, inside);
      barriers[op] = barrierOf(network.ops().get(op), inside[op]);
    }
  }

  private static boolean runsCode(Op op) {
    int dot = op.type().lastIndexOf('.');
    return OpTypes.isControlFlow(op)
        || dot > 0 && Set.of("enter", "call", "return").contains(op.type().substring(dot + 1));
  }

  private boolean isInside(int op, boolean[] inside) {
    boolean read = false;
    for (String output : network.ops().get(op).presentOutputs()) {
      if (outputs.contains(output)) {
        return false;
      }
      for (int reader : readers(output)) {
        read = true;
        if (!inside[reader]) {
          return false;
        }
      }
    }
    return read;
  }

  private String barrierOf(Op op, boolean inside) {
    if (inside) {
      return "it runs code of its own, or is part of such code";
    }
    boolean marked = network.format().equals("json") && !op.repeatable(); // else it may be captured
    if (OpTypes.hasSideEffects(op) || marked) {
      return "it has effects, or gives something else each time";
    }
    if (op.presentOutputs().isEmpty()) {
      return "it has no result";
    }
    if (op.flag("sampled")) {
      return "shapes are those of a run, and other data or the run-time may give others";
    }
    List<String> touched = new ArrayList<>(op.presentInputs());
    touched.addAll(op.presentOutputs());
    for (String name : touched) {
      Tensor tensor = network.tensor(name);
      if (tensor.kind() == Tensor.Kind.VARIABLE) {
        return "it touches the variable \"" + name + "\"";
      }
      if (!tensor.isWeight() && (tensor.type() == ElementType.OPAQUE || tensor.elements() == 0)) {
        return "\"" + name + "\" has no bytes";
      }
    }
    return null;
  }

  public Network network() {
    return network;
  }

  /** Why an op is never run in pieces; null where that depends on the axis. O(1). */
  public String barrier(int op) {
    return barriers[op];
  }

  /** The ops that read a tensor, rising. */
  public List<Integer> readers(String tensor) {
    return readers.getOrDefault(tensor, List.of());
  }

  AxisRules rules() {
    return rules;
  }

  /** How an op can be cut along a dimension of its results; worked out once. O(1). */
  public AxisRule rule(int op, int dim, PadForm pads) {
    long key = ((long) op * PadForm.values().length + pads.ordinal()) * Byte.MAX_VALUE + dim;
    return known.computeIfAbsent(key, absent -> rules.rule(network.ops().get(op), dim, pads));
  }

  boolean isOutput(String tensor) {
    return outputs.contains(tensor);
  }

  /**
   * A run to be cut along some axes. O(its ops * operands * rank).
   *
   * @param ops indices of the run's ops, in an order in which they can run
   * @throws BarrierException naming an op that cannot be run in pieces this way, and why
   */
  public RunModel run(int[] ops, List<SplitAxis> axes, PadForm pads) throws BarrierException {
    return new RunModel(this, ops.clone(), axes, pads);
  }

  /**
   * The run of a choice.
   *
   * @throws BarrierException naming an op that cannot be run in pieces this way, and why
   */
  public RunModel run(RunSplit run) throws BarrierException {
    return run(run.ops(), run.axes().stream().map(AxisSplit::axis).toList(), run.pads());
  }
}
