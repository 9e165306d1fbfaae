package stowage.liveness;

import java.util.List;
import java.util.Set;
import stowage.network.Op;
import stowage.network.OpTypes;

/**
 * What planning has to know of an op's type: whether its result can be where an operand is.
 *
 * <p>Types are known by the names that ONNX, TFLite, OpenVINO IR and TPU-MLIR give them; since
 * these differ only in case, underscores and TPU-MLIR's dialect prefix ({@code Reshape}, {@code
 * RESHAPE}, {@code tpu.Reshape}), one table serves all. An unknown type has no trait, which is
 * always safe: its result gets a buffer of its own.
 */
public enum OpTraits {
  /** The result holds operand 0's bytes unchanged, under another shape. */
  RESHAPE_LIKE,
  /** The result is a part of operand 0, cut along axes. */
  SLICE_LIKE,
  /** The results are parts of operand 0, one after the other along an axis. */
  SPLIT_LIKE,
  /** The result is the operands, one after the other along an axis. */
  CONCAT_LIKE,
  /** Each element of the result depends only on the same element of each operand of its size. */
  ELEMENTWISE,
  /** Nothing is known. */
  OTHER;

  /**
   * Ops whose kernels for processors are registered in ONNX Runtime with {@code MayInplace(0, 0)}:
   * activations of one operand, Clip and Cast. Arithmetic of several operands is not, nor are Exp,
   * Sqrt and Erf.
   */
  private static final Set<String> ONNX_RUNTIME_IN_PLACE =
      OpTypes.words(
          """
          CAST CELU CLIP ELU HARDSIGMOID LEAKYRELU RELU SELU SIGMOID SOFTPLUS SOFTSIGN TANH
          THRESHOLDEDRELU
          """);

  /** Whether ONNX Runtime's CPU kernels (core/providers/cpu) may put the result on operand 0. */
  public static boolean onnxRuntimeInPlace(Op op) {
    return op.outputs().size() == 1 && ONNX_RUNTIME_IN_PLACE.contains(OpTypes.key(op));
  }

  /** The trait of an op, by its type and by flags that change what it does. O(1). */
  public static OpTraits of(Op op) {
    return switch (OpTypes.key(op)) {
      case "RESHAPE", "SQUEEZE", "UNSQUEEZE", "FLATTEN", "EXPANDDIMS", "IDENTITY", "DROPOUT" ->
          RESHAPE_LIKE;
      case "SLICE", "STRIDEDSLICE", "CROP" -> SLICE_LIKE;
      case "SPLIT", "SPLITV", "VARIADICSPLIT" -> SPLIT_LIKE;
      case "CONCAT", "CONCATENATION" -> CONCAT_LIKE;
      default -> OpTypes.isElementwise(op) ? ELEMENTWISE : OTHER;
    };
  }

  /** Whether an op computes on its way, by a fused activation, and so is no mere copy. */
  public static boolean hasFusedActivation(Op op) {
    String fused = op.text("fused_activation_function", "NONE");
    return op.flag("relu")
        || op.flag("do_relu")
        || op.flag("fused_activation_function")
        || !(fused.isEmpty() || fused.equalsIgnoreCase("NONE"));
  }

  /**
   * Where a slice starts along an axis, if its attributes say.
   *
   * <p>Read are {@code starts} (ONNX), {@code offset} (TPU-MLIR, OpenVINO's Crop) or {@code begin}
   * (TFLite), one a listed axis of {@code axes} (or {@code axis}), or one a dimension where no axes
   * are listed. Readers of formats that keep these in constants copy them into attributes.
   *
   * @return the start, counted from 0, or -1 when it is unknown or a step other than 1 is taken
   */
  static long sliceStart(Op op, int axis, int rank, long extent) {
    for (long step : first(op, "steps", "strides")) {
      if (step != 1) {
        return -1;
      }
    }
    List<Long> starts = first(op, "starts", "offset", "begin");
    List<Long> axes = first(op, "axes", "axis");
    int at = axis;
    if (!axes.isEmpty()) {
      at = Math.max(axes.indexOf((long) axis), axes.indexOf((long) axis - rank));
    }
    if (at < 0 || at >= starts.size()) {
      return -1;
    }
    long start = starts.get(at) < 0 ? starts.get(at) + extent : starts.get(at);
    return start < 0 || start > extent ? -1 : start;
  }

  /** What an op of views shows parts of, by name: operand 0; TFLite's SPLIT has the axis first. */
  public static String source(Op op) {
    return op.inputs().get(op.type().equals("SPLIT") && op.inputs().size() == 2 ? 1 : 0);
  }

  /** The first of the named attributes that holds integers. */
  private static List<Long> first(Op op, String... names) {
    for (String name : names) {
      List<Long> found = op.integers(name);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }
}
