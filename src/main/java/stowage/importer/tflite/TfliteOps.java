package stowage.importer.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stowage.importer.flat.FlatTable;
import stowage.network.ElementType;

/** TFLite's numbers of ops and types (schema.fbs, enums BuiltinOperator and TensorType). */
final class TfliteOps {
  /** The number of ops that are named by a text. */
  static final int CUSTOM = 32;

  static final int INT32 = 2;

  static final int INT64 = 4;

  private static final List<String> NAMES =
      List.of(
          """
          ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE
          EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D
          LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU
          RELU_N1_TO_1 RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH
          CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD
          UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND TRANSPOSE MEAN
          SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN
          EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM
          ARG_MAX MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN
          TRANSPOSE_CONV SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL NOT_EQUAL LOG SUM SQRT RSQRT SHAPE
          POW ARG_MIN FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND
          LOGICAL_NOT UNPACK REDUCE_MIN FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD
          RANGE RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V
          UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG
          QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF WHILE NON_MAX_SUPPRESSION_V4
          NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL
          PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL
          COMPLEX_ABS HASHTABLE HASHTABLE_FIND HASHTABLE_IMPORT HASHTABLE_SIZE REDUCE_ALL
          CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS
          RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE
          RELU_0_TO_1 UNSORTED_SEGMENT_PROD UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2
          UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR RIGHT_SHIFT STABLEHLO_LOGISTIC
          STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM STABLEHLO_RESHAPE
          STABLEHLO_CLAMP STABLEHLO_CONCATENATE STABLEHLO_BROADCAST_IN_DIM STABLEHLO_CONVOLUTION
          STABLEHLO_SLICE STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS STABLEHLO_AND
          STABLEHLO_COSINE STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM
          STABLEHLO_NEGATE STABLEHLO_OR STABLEHLO_POWER STABLEHLO_REMAINDER STABLEHLO_RSQRT
          STABLEHLO_SELECT STABLEHLO_SUBTRACT STABLEHLO_TANH STABLEHLO_SCATTER STABLEHLO_COMPARE
          STABLEHLO_CONVERT STABLEHLO_DYNAMIC_SLICE STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD
          STABLEHLO_IOTA STABLEHLO_DOT_GENERAL STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT
          STABLEHLO_WHILE STABLEHLO_GATHER STABLEHLO_TRANSPOSE DILATE STABLEHLO_RNG_BIT_GENERATOR
          REDUCE_WINDOW STABLEHLO_COMPOSITE COMPLEX
          """
              .split("\\s+"));

  private static final List<ElementType> TYPES =
      ElementType.list(
          """
          F32 F16 I32 U8 I64 OPAQUE BOOL I16 C64 I8 F64 C128 U64 OPAQUE OPAQUE U32 U16 I4
          BF16 I2 U4
          """);

  private static final List<String> ACTIVATIONS =
      List.of("NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT");

  /** Fields of options, in the order of their tables: bytes with {@code !}, else 32 bits. */
  private static final Map<String, String> OPTIONS =
      """
      CONV_2D=!padding stride_w stride_h !fused_activation_function dilation_w_factor \
      dilation_h_factor
      DEPTHWISE_CONV_2D=!padding stride_w stride_h depth_multiplier !fused_activation_function \
      dilation_w_factor dilation_h_factor
      AVERAGE_POOL_2D,MAX_POOL_2D,L2_POOL_2D=!padding stride_w stride_h filter_width \
      filter_height !fused_activation_function
      TRANSPOSE_CONV=!padding stride_w stride_h !fused_activation_function
      CONCATENATION=axis !fused_activation_function
      ADD,SUB,MUL,DIV,FULLY_CONNECTED=!fused_activation_function
      BATCH_MATMUL=!adj_x !adj_y
      RESIZE_NEAREST_NEIGHBOR=!align_corners !half_pixel_centers
      SPLIT,SPLIT_V=num_splits
      PACK=values_count axis
      UNPACK=num axis
      GATHER=axis batch_dims
      STRIDED_SLICE=begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask !offset
      """
          .lines()
          .map(line -> line.split("="))
          .flatMap(row -> Stream.of(row[0].split(",")).map(type -> Map.entry(type, row[1])))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private TfliteOps() {}

  /** Whether a type is one of TFLite's own, not the name of a custom op. */
  static boolean isBuiltIn(String type) {
    return NAMES.contains(type) && !type.equals("CUSTOM") && !type.equals("DELEGATE");
  }

  static String name(int number) {
    return number >= 0 && number < NAMES.size() ? NAMES.get(number) : "BUILTIN_" + number;
  }

  /** The type of a number, or null when there is none. */
  static ElementType type(int number) {
    return number >= 0 && number < TYPES.size() ? TYPES.get(number) : null;
  }

  /** The attributes in an op's options that planning may care for. */
  static Map<String, Object> attributes(String type, FlatTable options) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    String fields = OPTIONS.get(type);
    if (options == null || fields == null) {
      return attributes;
    }
    int field = 0;
    for (String name : fields.split(" ")) {
      if (name.equals("!padding")) {
        attributes.put("padding", options.int8(field, 0) == 0 ? "SAME" : "VALID");
      } else if (name.equals("!fused_activation_function")) {
        int fused = options.int8(field, 0);
        attributes.put(
            "fused_activation_function",
            fused >= 0 && fused < ACTIVATIONS.size() ? ACTIVATIONS.get(fused) : "OTHER");
      } else if (name.startsWith("!")) {
        attributes.put(name.substring(1), options.flag(field));
      } else {
        attributes.put(name, (long) options.int32(field, name.startsWith("dilation") ? 1 : 0));
      }
      field++;
    }
    return attributes;
  }

  /** Names of an op's options, in their fields' order, bytes with {@code !}; null when unknown. */
  static String options(String type) {
    return OPTIONS.get(type);
  }

  static int number(String name) {
    return NAMES.indexOf(name);
  }

  /**
   * A matrix with rows and columns swapped: margins are pairs for each axis in TFLite, and all that
   * are in front before all that follow in attributes.
   *
   * @param columns of the matrix given row by row
   */
  static List<Long> turned(List<Long> values, int columns) {
    List<Long> turned = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      for (int k = column; k < values.size(); k += columns) {
        turned.add(values.get(k));
      }
    }
    return turned;
  }

  /** The subgraphs that an op runs, in order. */
  static int[] subgraphs(String type, FlatTable options, FlatTable moreOptions) {
    return switch (type) {
      case "IF", "WHILE" -> fields(options, 0, 1);
      case "CALL_ONCE", "CALL" -> fields(options, 0);
      case "STABLEHLO_WHILE" -> fields(moreOptions, 0, 1);
      case "STABLEHLO_REDUCE", "STABLEHLO_COMPOSITE" -> fields(moreOptions, 1);
      case "STABLEHLO_REDUCE_WINDOW" -> fields(moreOptions, 5);
      case "STABLEHLO_SORT" -> fields(moreOptions, 2);
      case "STABLEHLO_SCATTER" -> fields(moreOptions, 6);
      default -> new int[0];
    };
  }

  private static int[] fields(FlatTable options, int... fields) {
    int[] values = new int[fields.length];
    Arrays.setAll(values, k -> options == null ? 0 : options.int32(fields[k], 0));
    return values;
  }
}
