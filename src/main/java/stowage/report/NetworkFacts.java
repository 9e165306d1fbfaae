package stowage.report;

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
 */
public record NetworkFacts(
    String format, String name, int ops, int tensors, long weightBytes, int activations) {

  /** The facts of a network. */
  public static NetworkFacts of(Network network) {
    int activations = 0;
    for (Tensor tensor : network.tensors().values()) {
      activations += tensor.kind() == Tensor.Kind.ACTIVATION ? 1 : 0;
    }
    return new NetworkFacts(
        network.format(),
        network.name(),
        network.ops().size(),
        network.tensors().size(),
        network.weightBytes(),
        activations);
  }
}
