package stowage.residency.memory;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Work of an op: the multiply-accumulates of convolutions and products, and the bytes it touches.
 */
final class OpWork {
  private static final Set<String> CONVOLUTIONS =
      Set.of("conv", "conv2d", "conv3d", "qlinearconv", "convinteger");
  private static final Set<String> FULL =
      Set.of("gemm", "matmul", "fullyconnected", "batchmatmul", "qlinearmatmul", "matmulinteger");

  private OpWork() {}

  /** Multiply-accumulates; 0 for ops that are neither convolutions nor products. */
  static long macs(Network network, Op op) {
    List<String> inputs = op.presentInputs();
    if (inputs.size() < 2 || op.presentOutputs().isEmpty()) {
      return 0;
    }
    String type = op.type().toLowerCase(Locale.ROOT).replace("_", "");
    Tensor data = network.tensor(inputs.get(0));
    Tensor out = network.tensor(op.presentOutputs().get(0));
    Tensor other = data;
    for (String name : inputs.subList(1, inputs.size())) {
      // scales and zero points of quantised ops are smaller than the second operand
      other = network.tensor(name).rank() > 1 && other == data ? network.tensor(name) : other;
    }
    if (other.rank() == 0 || out.rank() == 0 || data.rank() == 0) {
      return 0;
    }
    if (CONVOLUTIONS.contains(type)) {
      return out.elements() * (other.elements() / Math.max(1, other.extent(0)));
    }
    if (type.equals("depthwiseconv2d")) {
      return out.elements() * (other.elements() / Math.max(1, other.extent(other.rank() - 1)));
    }
    if (type.equals("convtranspose")) {
      return data.elements() * (other.elements() / Math.max(1, other.extent(0)));
    }
    if (FULL.contains(type)) {
      long rows = Math.max(1, out.elements() / Math.max(1, out.extent(out.rank() - 1)));
      return out.elements() * (data.elements() / rows);
    }
    return 0;
  }

  /** Bytes of all operands and results, each once. */
  static long bytes(Network network, Op op) {
    Set<String> names = new LinkedHashSet<>(op.presentInputs());
    names.addAll(op.presentOutputs());
    return names.stream().mapToLong(name -> network.tensor(name).bytes()).sum();
  }
}
