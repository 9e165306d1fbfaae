package stowage.generator.networks;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;

/**
 * One step of training of a network: its ops, a loss, the gradients of its parameters by the chain
 * rule, op by op from the last to the first (reverse-mode differentiation), and the updates of the
 * parameters.
 *
 * <p>Parameters are the network's constants of floating point. What a gradient reads is what its
 * formula needs: results and operands of forward ops stay in memory until then ({@link
 * GradientRules}). Where several ops read a tensor, its gradient is the sum of what each gives.
 * With an optimizer, parameters and its own state are variables: an update reads a gradient and
 * writes both in place, after all ops that read the parameter. The loss is the one output; without
 * an optimizer the gradients are outputs, too. Each op has a cost: 2 for a multiply-accumulate of a
 * product or of a factor's gradient, and 1 for a byte that any other op reads or writes.
 *
 * <p>Example: {@code y = Relu(Gemm(x, w))} with a loss of y gives, in this order, the forward ops,
 * the loss, its gradient of y, ReluGrad of that and y, the gradient of w from that and x, and the
 * update of w.
 */
public final class TrainingGraph {
  /** What follows the gradients. */
  public enum Optimizer {
    /** Nothing is trained. */
    NONE(""),
    /** Gradients are outputs. */
    GRADIENTS(""),
    /** Each parameter is lowered by its gradient. */
    SGD("SgdUpdate"),
    /** The same with a running mean of gradients. */
    MOMENTUM("MomentumUpdate", "momentum"),
    /** Adam, with running means of gradients and of their squares. */
    ADAM("AdamUpdate", "mean", "square");

    private final String update;
    private final List<String> states;

    /** The type of the ops that update, and what such an op keeps of each parameter. */
    Optimizer(String update, String... states) {
      this.update = update;
      this.states = List.of(states);
    }
  }

  /** Where the updates are in the order that is written. */
  public enum Updates {
    /** After all gradients. */
    END,
    /** Each as soon as its gradient is there. */
    AT_ONCE
  }

  private static final Set<ElementType> REAL =
      EnumSet.of(ElementType.F64, ElementType.F32, ElementType.F16, ElementType.BF16);

  private final Network forward;
  private final Optimizer optimizer;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final List<String> inputs;
  private final List<String> outputs = new ArrayList<>();
  private final Set<String> reached = new HashSet<>();

  /** For each tensor the gradient as far as it has been added up. */
  private final Map<String, String> gradients = new HashMap<>();

  /** For gradients of factors the op whose factors they are. */
  private final Map<String, Op> productOf = new HashMap<>();

  private final Map<String, Integer> added = new HashMap<>();

  private TrainingGraph(Network forward, Optimizer optimizer) {
    this.forward = forward;
    this.optimizer = optimizer;
    this.inputs = new ArrayList<>(forward.inputs());
  }

  /**
   * Differentiates a network. O(ops + operands).
   *
   * @param forward a network in the words of {@code docs/network-format.md}; op types that are not
   *     known have gradients that read all operands and results
   * @param optimizer what follows the gradients; not {@link Optimizer#NONE}
   */
  public static Network of(Network forward, Optimizer optimizer, Updates updates) {
    if (optimizer == Optimizer.NONE) {
      throw new IllegalArgumentException("nothing is trained without gradients");
    }
    return new TrainingGraph(forward, optimizer).build(updates);
  }

  private Network build(Updates updates) {
    boolean updating = optimizer != Optimizer.GRADIENTS;
    for (Tensor tensor : forward.tensors().values()) {
      Tensor.Kind kind = updating && isParameter(tensor) ? Tensor.Kind.VARIABLE : tensor.kind();
      tensors.put(tensor.name(), new Tensor(tensor.name(), tensor.shape(), tensor.type(), kind));
    }
    List<Op> order = new ArrayList<>();
    Map<String, Integer> firstUse = new LinkedHashMap<>();
    for (int index : forward.executionOrder()) {
      Op op = forward.ops().get(index);
      for (String input : op.presentInputs()) {
        if (isParameter(forward.tensor(input))) {
          firstUse.putIfAbsent(input, order.size());
        }
      }
      if (op.presentInputs().stream().anyMatch(this::wantsGradient)) {
        reached.addAll(op.presentOutputs());
      }
      order.add(op);
      ops.add(op);
    }
    loss();
    GradientRules rules = new GradientRules(this);
    for (int step = order.size() - 1; step >= 0; step--) {
      rules.apply(order.get(step));
      if (updates == Updates.AT_ONCE && updating) {
        for (Map.Entry<String, Integer> parameter : firstUse.entrySet()) {
          if (parameter.getValue() == step) {
            update(parameter.getKey());
          }
        }
      }
    }
    for (String parameter : firstUse.keySet()) {
      if (!updating && gradients.containsKey(parameter)) {
        outputs.add(gradients.get(parameter));
      } else if (updates == Updates.END) {
        update(parameter);
      }
    }
    Network plain = network();
    ops.replaceAll(op -> op.withCost(cost(plain, op)));
    return network();
  }

  private Network network() {
    return new Network(
        forward.name(), "json", tensors.values(), ops, inputs, outputs, forward.notes());
  }

  /** Floating-point operations of a product or its gradient, of other ops the bytes they touch. */
  private long cost(Network network, Op op) {
    long products = MacCount.of(network, productOf.getOrDefault(op.name(), op));
    return products > 0
        ? Math.multiplyExact(2, products)
        : Stream.concat(op.presentInputs().stream(), op.presentOutputs().stream())
            .mapToLong(tensor -> tensors.get(tensor).bytes())
            .reduce(0, Math::addExact);
  }

  /** Says that an op takes as many products as another. */
  void asMany(String op, Op other) {
    productOf.put(op, other);
  }

  private static boolean isParameter(Tensor tensor) {
    return tensor.isWeight() && REAL.contains(tensor.type());
  }

  /** The loss of all outputs against what is wanted, and its gradient of each. */
  private void loss() {
    List<String> wanted =
        forward.outputs().stream().filter(this::wantsGradient).distinct().toList();
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "network \"" + forward.name() + "\" has no output that depends on a parameter");
    }
    ElementType type = forward.tensor(wanted.get(0)).type();
    String target = activation("target", type, List.of(1L));
    inputs.add(target);
    String loss = activation("loss", type, List.of());
    List<String> operands = new ArrayList<>(wanted);
    operands.add(target);
    ops.add(new Op("loss", "Loss", Map.of(), operands, List.of(loss), 0));
    outputs.add(loss);
    for (String output : wanted) {
      contribute(output, emit(output + ".loss", "LossGrad", List.of(output, target), output));
    }
  }

  private void update(String parameter) {
    String gradient = gradients.get(parameter);
    if (gradient == null) {
      return;
    }
    Tensor tensor = tensors.get(parameter);
    List<String> operands = new ArrayList<>(List.of(parameter, gradient));
    for (String state : optimizer.states) {
      String name = parameter + "." + state;
      tensors.put(name, new Tensor(name, tensor.shape(), tensor.type(), Tensor.Kind.VARIABLE));
      operands.add(name);
    }
    ops.add(new Op(parameter + ".update", optimizer.update, Map.of(), operands, List.of(), 0));
  }

  /** Whether a tensor is a parameter or depends on one. */
  boolean wantsGradient(String tensor) {
    return reached.contains(tensor) || isParameter(forward.tensor(tensor));
  }

  Tensor tensor(String name) {
    return tensors.get(name);
  }

  /** The gradient of a result, or null where no output depends on it. */
  String gradient(String tensor) {
    return gradients.get(tensor);
  }

  /** Adds a part of a tensor's gradient. */
  void contribute(String tensor, String part) {
    String before = gradients.get(tensor);
    if (before == null) {
      gradients.put(tensor, part);
      return;
    }
    String at = tensor + ".gradient.sum" + added.merge(tensor, 1, Integer::sum);
    gradients.put(tensor, emit(at, "Add", List.of(before, part), tensor));
  }

  /** Adds an op whose result has the shape of another tensor; gives the result. */
  String emit(String op, String type, List<String> operands, String like) {
    return emit(op, type, Map.of(), operands, like);
  }

  String emit(
      String op, String type, Map<String, Object> attributes, List<String> operands, String like) {
    Tensor tensor = tensors.get(like);
    String result = activation(op, tensor.type(), tensor.shape());
    ops.add(new Op(op, type, attributes, operands, List.of(result), 0));
    return result;
  }

  /** Adds an op with a result for each of some tensors, each of its tensor's shape. */
  List<String> emitAll(String op, String type, List<String> operands, List<String> likes) {
    List<String> results = new ArrayList<>();
    for (String like : likes) {
      Tensor tensor = tensors.get(like);
      results.add(activation(op + "." + results.size(), tensor.type(), tensor.shape()));
    }
    ops.add(new Op(op, type, Map.of(), operands, results, 0));
    return results;
  }

  private String activation(String name, ElementType type, List<Long> shape) {
    Tensor tensor = new Tensor(name, shape, type, Tensor.Kind.ACTIVATION);
    if (tensors.putIfAbsent(name, tensor) != null) {
      throw new IllegalArgumentException(
          "tensor \"" + name + "\" is in the network and would be a gradient's name");
    }
    return name;
  }
}
