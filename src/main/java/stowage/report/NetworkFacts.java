package stowage.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import stowage.network.Network;
import stowage.network.Tensor;

/**
 * What a network looks like.
 *
 * @param format where it came from, such as {@code onnx}
 * @param name what it is called
 * @param ops number of ops
 * @param tensors number of tensors of all kinds
 * @param weightBytes bytes of all weights, each at its own size
 * @param activations number of tensors that are computed or given to each run
 * @param variableBytes bytes of state that survives between runs
 * @param plannedAs the rules of lives and sizes that it was planned by, by name: texts and numbers;
 *     empty where it was not planned
 */
public record NetworkFacts(
    String format,
    String name,
    int ops,
    int tensors,
    long weightBytes,
    int activations,
    long variableBytes,
    Map<String, Object> plannedAs) {

  /** Copies the rules, keeping their order. */
  public NetworkFacts {
    plannedAs = Collections.unmodifiableMap(new LinkedHashMap<>(plannedAs));
  }

  /** The facts of a network, and the rules that it was planned by. */
  public static NetworkFacts of(Network network, Map<String, Object> plannedAs) {
    int activations = 0;
    long variableBytes = 0;
    for (Tensor tensor : network.tensors().values()) {
      activations += tensor.kind() == Tensor.Kind.ACTIVATION ? 1 : 0;
      variableBytes += tensor.kind() == Tensor.Kind.VARIABLE ? tensor.bytes() : 0;
    }
    return new NetworkFacts(
        network.format(),
        network.name(),
        network.ops().size(),
        network.tensors().size(),
        network.weightBytes(),
        activations,
        variableBytes,
        plannedAs);
  }
}
