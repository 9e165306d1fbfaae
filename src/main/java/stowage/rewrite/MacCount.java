package stowage.rewrite;

import java.util.List;
import java.util.Map;
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

  /** What is known of a type: where its filter is, and which of the filter's extents count. */
  private enum Rule {
    FILTER,
    CHANNELS_LAST,
    DEPTHWISE,
    GROUPED,
    ROWS,
    TRANSPOSED,
    TRANSPOSED_LAST,
    PRODUCT
  }

  private record Known(Rule rule, int filter) {}

  private static final Map<String, Known> TYPES =
      Map.ofEntries(
          Map.entry("CONV", new Known(Rule.FILTER, 1)),
          Map.entry("CONVINTEGER", new Known(Rule.FILTER, 1)),
          Map.entry("QLINEARCONV", new Known(Rule.FILTER, 3)),
          Map.entry("CONVOLUTION", new Known(Rule.FILTER, 1)),
          Map.entry("GROUPCONVOLUTION", new Known(Rule.GROUPED, 1)),
          Map.entry("CONV2D", new Known(Rule.FILTER, 1)),
          Map.entry("CONV3D", new Known(Rule.CHANNELS_LAST, 1)),
          Map.entry("DEPTHWISECONV2D", new Known(Rule.DEPTHWISE, 1)),
          Map.entry("FULLYCONNECTED", new Known(Rule.ROWS, 1)),
          Map.entry("CONVTRANSPOSE", new Known(Rule.TRANSPOSED, 1)),
          Map.entry("TRANSPOSECONV", new Known(Rule.TRANSPOSED_LAST, 1)),
          Map.entry("GEMM", new Known(Rule.PRODUCT, 0)),
          Map.entry("QGEMM", new Known(Rule.PRODUCT, 0)),
          Map.entry("MATMUL", new Known(Rule.PRODUCT, 0)),
          Map.entry("MATMULINTEGER", new Known(Rule.PRODUCT, 0)),
          Map.entry("QLINEARMATMUL", new Known(Rule.PRODUCT, 0)),
          Map.entry("BATCHMATMUL", new Known(Rule.PRODUCT, 0)));

  private MacCount() {}

  /** Whether an op is a convolution or a matrix product by its type. O(1). */
  static boolean isProduct(Op op) {
    return TYPES.containsKey(OpTypes.key(op));
  }

  /** How an op's count follows from shapes; null where it counts nothing. O(rank). */
  public static Basis basis(Network network, Op op) {
    Known known = TYPES.get(OpTypes.key(op));
    if (known == null
        || known.filter >= op.inputs().size()
        || op.inputs().get(known.filter).isEmpty()) {
      return null;
    }
    List<Long> shape = network.tensor(op.inputs().get(known.filter)).shape();
    int rank = shape.size();
    if (rank < (known.rule == Rule.ROWS || known.rule == Rule.PRODUCT ? 1 : 3)) {
      return null;
    }
    return switch (known.rule) {
      case FILTER -> new Basis(-1, taps(network, op, product(shape, 1, rank)));
      case CHANNELS_LAST -> new Basis(-1, product(shape, 0, rank - 1));
      case DEPTHWISE -> new Basis(-1, product(shape, 1, 3));
      case GROUPED -> new Basis(-1, product(shape, 2, rank));
      case ROWS -> new Basis(-1, shape.get(rank - 1));
      case TRANSPOSED -> new Basis(0, product(shape, 1, rank));
      case TRANSPOSED_LAST -> new Basis(2, product(shape, 0, rank - 1));
      case PRODUCT -> {
        boolean turned = op.flag("transA") || op.flag("transpose_a") || op.flag("adj_x");
        yield new Basis(-1, shape.get(turned && rank > 1 ? rank - 2 : rank - 1));
      }
    };
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
