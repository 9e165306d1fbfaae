package stowage.network;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the types of ops mean, whatever format names them: ONNX, TFLite, OpenVINO IR and TPU-MLIR
 * differ only in case, underscores and TPU-MLIR's dialect prefix ({@code Reshape}, {@code RESHAPE},
 * {@code tpu.Reshape}), so one table serves all.
 */
public final class OpTypes {
  /** Of one operand, of one and constants for each channel, and of several. */
  private static final Set<String> ELEMENTWISES =
      words(
          """
          ABS ACOS ACOSH ACTIVE ASIN ASINH ATAN ATANH CAST CEIL CEILING CELU CLAMP CLIP CONVERT
          COS COSH ELU ERF EXP FLOOR GELU HARDSIGMOID HARDSWISH HSIGMOID HSWISH LEAKYRELU LOG
          LOGICALNOT LUT MISH NEG NEGATIVE NOT POWER QUICKGELU RECIPROCAL RELU RELU6 RELUN1TO1
          ROUND RSQRT SELU SIGMOID SIGN SILU SIN SINH SOFTPLUS SOFTSIGN SQRT SQUARE SWISH TAN TANH
          THRESHOLDEDRELU BATCHNORM BATCHNORMALIZATION BATCHNORMINFERENCE LOGISTIC PRELU SCALE
          SCALESHIFT FAKEQUANTIZE ADD ADDCONST AND DIV DIVIDE ELTWISE MAX MAXCONST MAXIMUM MEAN
          MIN MINCONST MINIMUM MOD MUL MULCONST MULTIPLY OR POW SELECT SQUAREDDIFFERENCE SUB
          SUBCONST SUBTRACT SUM WHERE XOR
          """);

  /** Names under which different formats mean different things, by their exact spelling. */
  private static final Set<String> REDUCING = Set.of("MEAN", "SUM");

  /** What gives something else each time, or acts on more than its operands. */
  private static final Set<String> EFFECTS =
      words(
          """
          RANDOMNORMAL RANDOMNORMALLIKE RANDOMUNIFORM RANDOMUNIFORMLIKE RANDOMUNIFORMINT
          RANDOMSTANDARDNORMAL MULTINOMIAL BERNOULLI VARHANDLE READVARIABLE ASSIGNVARIABLE
          READVALUE ASSIGN HASHTABLE HASHTABLEFIND HASHTABLEIMPORT HASHTABLESIZE PRINT CUSTOMCALL
          """);

  private static final Set<String> CONTROL =
      words(
          """
          IF LOOP SCAN WHILE CALL CALLONCE STABLEHLOWHILE STABLEHLOCOMPOSITE SEQUENCEMAP
          TENSORITERATOR
          """);

  /** Keys by type, of a limited number of types. */
  private static final Map<String, String> KEYS = new ConcurrentHashMap<>();

  private static final int MOST_KEYS = 10_000;

  private OpTypes() {}

  /** The words of a text, which blanks and line ends separate. */
  public static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  /** The type without dialect, case and underscores: {@code tpu.Conv2D} is {@code CONV2D}. */
  public static String key(Op op) {
    String known = KEYS.get(op.type());
    if (known != null) {
      return known;
    }
    String type = isTpuMlir(op) ? op.type().substring(4) : op.type();
    String key = type.replace("_", "").toUpperCase(Locale.ROOT);
    if (KEYS.size() < MOST_KEYS) {
      KEYS.put(op.type(), key);
    }
    return key;
  }

  /** Whether an op is of one of TPU-MLIR's dialects. O(1). */
  public static boolean isTpuMlir(Op op) {
    return op.type().startsWith("tpu.") || op.type().startsWith("top.");
  }

  /**
   * Whether each element of the result depends only on the same element of each operand, where
   * operands may be broadcast. O(1).
   */
  public static boolean isElementwise(Op op) {
    // TFLite's MEAN and SUM reduce; ONNX's Mean and Sum do not.
    return !REDUCING.contains(op.type()) && ELEMENTWISES.contains(key(op));
  }

  /** Whether an op gives something else each time, or acts on more than its operands. O(1). */
  public static boolean hasSideEffects(Op op) {
    return EFFECTS.contains(key(op));
  }

  /** Whether an op runs code of its own, whose ops are laid out before it. O(1). */
  public static boolean isControlFlow(Op op) {
    return CONTROL.contains(key(op));
  }
}
