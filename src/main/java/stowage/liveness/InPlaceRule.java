package stowage.liveness;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/**
 * Rule of what shares a buffer under a choice of {@link LivenessOptions.InPlace}: which results are
 * views of an operand, and which ops may write over which of their operands.
 *
 * <ul>
 *   <li>Stowage's own choices: all views; any elementwise op over any operand of its bytes.
 *   <li>ONNX Runtime: reshapes alone are views; see {@link OpTraits#onnxRuntimeInPlace}.
 *   <li>ggml: reshapes alone are views, and no view is written over. The ops of its list write over
 *       an operand of the same type and shape, which may be a graph input.
 *   <li>XNNPACK: nothing is a view. Unary and binary ops, copies, softmax and reshapes write over
 *       an operand of the same bytes that is read once where their result is read once too; graph
 *       inputs and outputs are the caller's.
 *   <li>ONNX Simplifier: nothing is a view. Unary ops and reshapes write over their first operand,
 *       binary ops over one of two, if it has the same bytes, is read once and is no graph input or
 *       output.
 * </ul>
 *
 * <p>That nothing needs the operand later is for the caller to know; of several operands the first
 * is taken.
 *
 * @see <a
 *     href="https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-alloc.c">ggml-org/ggml@d99724f2:ggml-alloc.c
 *     (ggml_op_can_inplace, ggml_gallocr_allocate_node)</a>
 * @see <a
 *     href="https://github.com/google/XNNPACK/blob/0046a804420dc0db1ed22c20ff6222accaaae9ff/src/runtime.c">google/XNNPACK@0046a804:runtime.c
 *     (optimize_tensor_allocation_for_in_place_operations)</a>
 * @see <a
 *     href="https://github.com/take-cheeze/onnx-simplifier/blob/6a0b405781efb60309c8ff6a5be10f038fb78838/onnxsim/memory_planning.cpp">take-cheeze/onnx-simplifier@6a0b4057:memory_planning.cpp
 *     (ComputeActivationMemoryPlan)</a>
 */
final class InPlaceRule {
  private static final Set<String> GGML =
      OpTypes.words(
          """
          FILL SCALE DIAGMASKZERO DIAGMASKINF ADD ADDID ADD1 SUB MUL DIV SQR SQUARE SQRT LOG ROPE
          ROPEBACK SILUBACK RMSNORM RMSNORMALIZATION RMSNORMBACK SOFTMAX SOFTMAXBACK ABS SGN SIGN
          NEG STEP TANH ELU RELU SIGMOID GELU GELUQUICK QUICKGELU GELUERF SILU SWISH HARDSWISH
          HARDSIGMOID EXP EXPM1 SOFTPLUS FLOOR CEIL ROUND TRUNC XIELU
          """);

  private static final Set<String> XNNPACK =
      OpTypes.words(
          """
          ABS CEIL FLOOR ROUND CLAMP CLIP RELU RELU6 RELUN1TO1 ELU EXP GELU HARDSWISH LEAKYRELU
          LOG NEG RSQRT SIGMOID LOGISTIC SIN COS SQUARE SQRT TANH SIGN CUBEROOT ADD SUB MUL DIV
          MAXIMUM MAX MINIMUM MIN SQUAREDDIFFERENCE PRELU COPYSIGN MODULUS ATAN2 POW COPY SOFTMAX
          RESHAPE
          """);

  private static final Set<String> ONNXSIM_UNARY =
      OpTypes.words(
          """
          Relu Sigmoid Tanh LeakyRelu Elu Selu Softplus Softsign HardSigmoid Clip Neg Abs Sqrt Exp
          Log Reciprocal Identity Erf Celu Round Ceil Floor Sign Reshape Flatten Squeeze Unsqueeze
          """);

  private static final Set<String> ONNXSIM_BINARY =
      Set.of("Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "Xor", "Mod");

  private final LivenessOptions.InPlace choice;
  private final Set<String> given;
  private final Set<String> returned;
  private final Map<String, Integer> readers = new HashMap<>();

  InPlaceRule(Network network, LivenessOptions.InPlace choice) {
    this.choice = choice;
    this.given = Set.copyOf(network.inputs());
    this.returned = Set.copyOf(network.outputs());
    for (Op op : network.ops()) {
      op.presentInputs().forEach(name -> readers.merge(name, 1, Integer::sum));
    }
  }

  /** Whether an op's results are views of what it reads where its shapes allow it. */
  boolean isView(Op op) {
    return switch (choice) {
      case NONE, XNNPACK, ONNXSIM -> false;
      case ONNXRUNTIME, GGML -> OpTraits.of(op) == OpTraits.RESHAPE_LIKE;
      default -> true;
    };
  }

  /** Whether a view of what is kept elsewhere is there too, and needs no bytes of its own. */
  boolean viewsWhatIsElsewhere() {
    return choice == LivenessOptions.InPlace.ONNXRUNTIME || choice == LivenessOptions.InPlace.GGML;
  }

  /** The operands that an op may write its first result over, in the order of its preference. */
  List<String> overwritable(Op op) {
    boolean one = op.outputs().size() == 1;
    boolean may =
        switch (choice) {
          case NONE, VIEWS -> false;
          case ELEMENTWISE, OPTIMAL, BANDS -> one && OpTraits.of(op) == OpTraits.ELEMENTWISE;
          case ONNXRUNTIME -> OpTraits.onnxRuntimeInPlace(op);
          case GGML -> one && GGML.contains(OpTypes.key(op));
          case XNNPACK -> one && XNNPACK.contains(OpTypes.key(op));
          case ONNXSIM -> one && (isUnary(op) || isBinary(op));
        };
    return !may
        ? List.of()
        : choice == LivenessOptions.InPlace.ONNXSIM && isUnary(op)
            ? op.inputs().subList(0, 1)
            : op.presentInputs();
  }

  private static boolean isUnary(Op op) {
    return ONNXSIM_UNARY.contains(op.type()) && !op.inputs().isEmpty();
  }

  private static boolean isBinary(Op op) {
    return ONNXSIM_BINARY.contains(op.type()) && op.inputs().size() == 2;
  }

  /** Whether an op may write a result over an operand of the same bytes, which may be a view. */
  boolean admits(Op op, Tensor from, Tensor to, boolean isView) {
    return switch (choice) {
      case GGML ->
          !isView
              && from.type() == to.type()
              && from.shape().equals(to.shape())
              && Collections.frequency(op.inputs(), from.name()) == 1;
      case XNNPACK ->
          isInternal(from)
              && isInternal(to)
              && readers.get(from.name()) == 1
              && readers.getOrDefault(to.name(), 0) == 1;
      case ONNXSIM -> isInternal(from) && readers.get(from.name()) == 1;
      default -> true;
    };
  }

  private boolean isInternal(Tensor tensor) {
    return !given.contains(tensor.name()) && !returned.contains(tensor.name());
  }
}
