package stowage.onchip.layer;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.liveness.OpTraits;
import stowage.network.Chip;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Rules that turn ops into {@link Layer}s: the slicing rule of each operand, the layout of each
 * constant, the computing. Types are read by the names that our own networks, ONNX, TFLite,
 * OpenVINO IR and TPU-MLIR give them; a type without a rule, or an op whose data would have to move
 * between lanes in a way no rule says, is a layer with an obstacle.
 */
final class LayerRules {
  /**
   * Set on a convolution of TPU-MLIR whose operand of three channels is rearranged while it is
   * loaded from GMEM: so what makes the operand cannot be in its group.
   */
  private static final String REARRANGING = "use_3ic_optimize";

  final List<Tensor> tensors;
  final Extents[] extents;
  final Map<String, Integer> index;
  final TensorLayout layout;
  final Chip chip;
  private final Set<String> rearranged;

  /** All ops of a network, with each tensor's extents, as LMEM sees it, and its index by name. */
  LayerRules(
      List<Tensor> tensors,
      Extents[] extents,
      Map<String, Integer> index,
      TensorLayout layout,
      Chip chip,
      List<Op> ops) {
    this.rearranged = new HashSet<>();
    for (Op op : ops) {
      if (op.integer(REARRANGING, 0) != 0 && !op.inputs().isEmpty()) {
        rearranged.add(op.inputs().get(0));
      }
    }
    this.tensors = tensors;
    this.extents = extents;
    this.index = index;
    this.layout = layout;
    this.chip = chip;
  }

  Layer layer(Op op) {
    LayerDraft draft = new LayerDraft(op, this);
    if (draft.results.length == 0) {
      draft.obstacle = "it has no result";
    } else if (op.presentInputs().isEmpty()) {
      draft.obstacle = "it reads nothing";
    } else {
      apply(draft);
    }
    if (draft.obstacle == null && op.outputs().stream().anyMatch(rearranged::contains)) {
      draft.obstacle = "its result is rearranged while it is loaded from GMEM";
    }
    return draft.layer();
  }

  private static void apply(LayerDraft draft) {
    switch (draft.key) {
      case "CONV", "CONV1D", "CONV2D", "CONV3D", "DEPTHWISECONV2D" ->
          WindowRules.convolution(draft);
      case "CONVOLUTION", "GROUPCONVOLUTION" -> WindowRules.convolution(draft);
      case "CONVTRANSPOSE", "DECONV", "DECONV3D" -> WindowRules.transposed(draft);
      case "CONVOLUTIONBACKPROPDATA", "GROUPCONVOLUTIONBACKPROPDATA" ->
          WindowRules.transposed(draft);
      case "MAXPOOL", "AVERAGEPOOL", "AVGPOOL", "MAXPOOLWITHMASK" -> WindowRules.pool(draft);
      case "POOL1D", "POOL2D", "POOL3D", "MAXPOOL2D", "AVERAGEPOOL2D" -> WindowRules.pool(draft);
      case "GLOBALAVERAGEPOOL", "GLOBALMAXPOOL" -> WindowRules.globalPool(draft);
      case "RESIZE", "UPSAMPLE", "INTERP", "INTERPOLATE" -> CopyRules.resize(draft);
      case "RESIZENEARESTNEIGHBOR", "RESIZEBILINEAR" -> CopyRules.resize(draft);
      case "PAD" -> CopyRules.pad(draft);
      case "SLICE", "STRIDEDSLICE" -> CopyRules.slice(draft);
      case "SPLIT", "SPLITV", "VARIADICSPLIT" -> CopyRules.split(draft);
      case "CONCAT", "CONCATENATION" -> CopyRules.concat(draft);
      case "RESHAPE", "FLATTEN", "SQUEEZE", "UNSQUEEZE", "IDENTITY", "DROPOUT" ->
          CopyRules.reshape(draft);
      case "MATMUL", "GEMM", "BATCHMATMUL", "FULLYCONNECTED" -> ArithmeticRules.product(draft);
      case "SOFTMAX", "LOGSOFTMAX" -> ArithmeticRules.softmax(draft);
      case "LAYERNORMALIZATION", "LAYERNORM", "RMSNORM" ->
          ArithmeticRules.normalisation(draft, draft.axis("axis", -1));
      case "INSTANCENORMALIZATION", "INSTANCENORM", "GROUPNORM", "GROUPNORMALIZATION" ->
          ArithmeticRules.normalisation(draft, 1);
      case "REDUCEMEAN", "REDUCESUM", "REDUCEMAX", "REDUCEMIN", "REDUCE" ->
          ArithmeticRules.reduce(draft);
      default -> {
        if (OpTraits.of(draft.op) == OpTraits.ELEMENTWISE) {
          ArithmeticRules.elementwise(draft);
        } else {
          draft.obstacle = "no slicing rule is known for ops of type " + draft.op.type();
        }
      }
    }
  }
}
