package stowage.rewrite;

import java.util.List;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/**
 * Multiply-accumulates of convolutions and matrix products, at full kernels: taps that fall on
 * padding count as well. All other ops count 0.
 */
public final class MacCount {

  /**
   * How an op's count follows from shapes: the elements of one of its tensors, each of which takes
   * part in equally many products.
   *
   * @param operand position of the operand whose elements are counted, -1 for the first result
   * @param each products for each element
   */
  public record Basis(int operand, long each) {}

  private static final Set<String> CONVOLUTIONS =
      OpTypes.words(
          """
          CONV CONVINTEGER QLINEARCONV CONVOLUTION GROUPCONVOLUTION CONV2D CONV3D DEPTHWISECONV2D
          CONVTRANSPOSE TRANSPOSECONV
          """);
  private static final Set<String> PRODUCTS =
      OpTypes.words("GEMM QGEMM MATMUL MATMULINTEGER QLINEARMATMUL BATCHMATMUL");

  private MacCount() {}

  /** Whether an op is a convolution or a matrix product by its type. O(1). */
  static boolean isProduct(Op op) {
    String key = OpTypes.key(op);
    return CONVOLUTIONS.contains(key) || PRODUCTS.contains(key) || key.equals("FULLYCONNECTED");
  }

  /** How an op's count follows from shapes; null where it counts nothing. O(rank). */
  public static Basis basis(Network network, Op op) {
    String key = OpTypes.key(op);
    int filter = PRODUCTS.contains(key) ? 0 : key.equals("QLINEARCONV") ? 3 : 1;
    int counted = key.equals("TRANSPOSECONV") ? 2 : 0;
    if (!isProduct(op)
        || !reads(op, filter)
        || !reads(op, counted)
        || op.presentOutputs().isEmpty()) {
      return null;
    }
    List<Long> shape = network.tensor(op.inputs().get(filter)).shape();
    int rank = shape.size();
    if (rank < (CONVOLUTIONS.contains(key) ? 3 : 1)) {
      return null;
    }
    if (PRODUCTS.contains(key)) {
      boolean turned = op.flag("transA") || op.flag("transpose_a") || op.flag("adj_x");
      return new Basis(-1, shape.get(turned && rank > 1 ? rank - 2 : rank - 1));
    }
    return switch (key) {
      case "CONV3D" -> new Basis(-1, product(shape, 0, rank - 1));
      case "DEPTHWISECONV2D" -> new Basis(-1, product(shape, 1, 3));
      case "GROUPCONVOLUTION" -> new Basis(-1, product(shape, 2, rank));
      case "FULLYCONNECTED" -> new Basis(-1, shape.get(rank - 1));
      case "CONVTRANSPOSE" -> new Basis(counted, product(shape, 1, rank));
      case "TRANSPOSECONV" -> new Basis(counted, product(shape, 0, rank - 1));
      default -> new Basis(-1, taps(network, op, product(shape, 1, rank)));
    };
  }

  private static boolean reads(Op op, int operand) {
    return operand < op.inputs().size() && !op.inputs().get(operand).isEmpty();
  }

  /** Taps of a convolution of TPU-MLIR, whose filter may lie in another form for its chip. */
  private static long taps(Network network, Op op, long filter) {
    List<Long> kernel = op.integers("kernel_shape");
    List<Long> image = network.tensor(op.inputs().get(0)).shape();
    return OpTypes.isTpuMlir(op) && !kernel.isEmpty() && image.size() > 1
        ? product(kernel, 0, kernel.size()) * image.get(1) / Math.max(1, op.integer("group", 1))
        : filter;
  }

  private static long product(List<Long> shape, int from, int to) {
    long product = 1;
    for (int k = from; k < to; k++) {
      product = Math.multiplyExact(product, shape.get(k));
    }
    return product;
  }

  /** The count of one op; throws ArithmeticException where it does not fit into a long. */
  public static long of(Network network, Op op) {
    Basis basis = basis(network, op);
    if (basis == null) {
      return 0;
    }
    String counted =
        basis.operand < 0 ? op.presentOutputs().get(0) : op.inputs().get(basis.operand);
    Tensor tensor = network.tensor(counted);
    return Math.multiplyExact(tensor.elements(), basis.each);
  }

  /** The count of all ops; throws ArithmeticException where it does not fit into a long. O(ops). */
  public static long of(Network network) {
    return network.ops().stream().mapToLong(op -> of(network, op)).reduce(0, Math::addExact);
  }
}
