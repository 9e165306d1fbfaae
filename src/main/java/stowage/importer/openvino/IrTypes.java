package stowage.importer.openvino;

import java.util.Locale;
import stowage.network.ElementType;

/** OpenVINO's words for element types: those of ports, and those of attributes. */
final class IrTypes {
  private IrTypes() {}

  /** The type of a word such as {@code FP32} or {@code f32}; null when it is not known. */
  static ElementType of(String word) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "FP64", "F64" -> ElementType.F64;
      case "FP32", "F32" -> ElementType.F32;
      case "FP16", "F16" -> ElementType.F16;
      case "BF16" -> ElementType.BF16;
      case "F8E4M3", "F8E5M2", "F8E8M0" -> ElementType.F8;
      case "NF4", "F4E2M1" -> ElementType.F4;
      case "I64" -> ElementType.I64;
      case "U64" -> ElementType.U64;
      case "I32" -> ElementType.I32;
      case "U32" -> ElementType.U32;
      case "I16", "Q78" -> ElementType.I16;
      case "U16" -> ElementType.U16;
      case "I8" -> ElementType.I8;
      case "U8" -> ElementType.U8;
      case "I4" -> ElementType.I4;
      case "U4" -> ElementType.U4;
      case "U2" -> ElementType.U2;
      case "U1", "BIN" -> ElementType.BIT;
      case "BOOL", "BOOLEAN" -> ElementType.BOOL;
      case "STRING" -> ElementType.OPAQUE;
      default -> null;
    };
  }
}
