package stowage.compiler.openvino;

import java.util.List;
import java.util.stream.LongStream;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * The intermediate memory of ops that the plugin runs as several kernels; no model file has it.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/kernel_selector/kernels,
 * detection_output/detection_output_kernel_ref.cpp and
 * non_max_suppression/non_max_suppression_kernel_ref.cpp, {@code GetKernelsData}:
 *
 * <ul>
 *   <li>{@code DetectionOutput}: one buffer of images · classes · priors entries of 10 bytes, a
 *       second where {@code decrease_label_id} is set, and one of images · (classes + 2) integers
 *       of 4 bytes.
 *   <li>{@code NonMaxSuppression}: two buffers of batch · classes · boxes entries of 12 bytes, and
 *       one of batch · classes integers of 4 bytes.
 * </ul>
 *
 * <p>Example: 1 image, 10,112 priors, 2 classes: 202,240 and 16 bytes. Ops with scratch memory of
 * their own, and ops whose shapes do not fit, are left as they are.
 */
public final class KernelScratch {
  private static final long SCORE_BYTES = 10;
  private static final long BOX_BYTES = 12;
  private static final long INTEGER_BYTES = 4;
  private static final long COORDINATES = 4;

  private KernelScratch() {}

  /** The network with the intermediate memory of its ops; a fault where a size exceeds a long. */
  public static Network added(Network network) {
    List<Op> ops = network.ops().stream().map(op -> added(network, op)).toList();
    return network.with(network.tensors().values(), ops);
  }

  private static Op added(Network network, Op op) {
    List<Long> pieces = op.scratchBytes() > 0 ? List.of() : pieces(network, op);
    return pieces.isEmpty() ? op : op.withScratch(pieces);
  }

  private static List<Long> pieces(Network network, Op op) {
    List<Tensor> inputs = op.presentInputs().stream().map(network::tensor).toList();
    try {
      return switch (op.type()) {
        case "DetectionOutput" -> detection(op, inputs);
        case "NonMaxSuppression" -> suppression(inputs);
        default -> List.of();
      };
    } catch (ArithmeticException overflow) {
      throw new InvalidNetworkException(
          "op \"" + op.name() + "\": its intermediate memory has more bytes than a long holds");
    }
  }

  private static List<Long> detection(Op op, List<Tensor> inputs) {
    if (inputs.size() < 3 || inputs.stream().limit(2).anyMatch(tensor -> tensor.rank() < 2)) {
      return List.of();
    }
    long images = inputs.get(0).extent(0);
    long locations = inputs.get(0).extent(1);
    boolean shared = flag(op, "share_location", true);
    long classes = op.integer("num_classes", 0);
    if (classes == 0 && shared && locations >= COORDINATES) {
      classes = inputs.get(1).extent(1) / (locations / COORDINATES);
    }
    if (classes < 1) {
      return List.of();
    }
    long priors = locations / ((shared ? 1 : classes) * COORDINATES);
    long scores = product(images, classes, priors, SCORE_BYTES);
    long counts = product(images, Math.addExact(classes, 2), INTEGER_BYTES);
    return flag(op, "decrease_label_id", false)
        ? List.of(scores, scores, counts)
        : List.of(scores, counts);
  }

  private static boolean flag(Op op, String key, boolean otherwise) {
    return op.attributes().containsKey(key) ? op.flag(key) : otherwise;
  }

  private static List<Long> suppression(List<Tensor> inputs) {
    if (inputs.size() < 2 || inputs.get(0).rank() < 2 || inputs.get(1).rank() < 2) {
      return List.of();
    }
    long lists = product(inputs.get(1).extent(0), inputs.get(1).extent(1));
    long boxes = product(lists, inputs.get(0).extent(1), BOX_BYTES);
    return List.of(boxes, boxes, product(lists, INTEGER_BYTES));
  }

  private static long product(long... factors) {
    return LongStream.of(factors).reduce(1, Math::multiplyExact);
  }
}
