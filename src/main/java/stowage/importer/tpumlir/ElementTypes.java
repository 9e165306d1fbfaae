package stowage.importer.tpumlir;

import stowage.network.ElementType;

/** MLIR's words for element types. */
final class ElementTypes {
  private ElementTypes() {}

  /**
   * The type that values are stored as: of {@code !quant.uniform<i8:f32, ..>} the integers, of
   * {@code !quant.calibrated<f32<..>>} the floats, for it only remarks on their range.
   *
   * @return null when the word is not known
   */
  static ElementType of(String text) {
    int bracket = text.indexOf('<');
    if (text.startsWith("!quant.") && bracket > 0) {
      int end = bracket + 1;
      while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
        end++;
      }
      return scalar(text.substring(bracket + 1, end));
    }
    return switch (text) {
      case "complex<f32>" -> ElementType.C64;
      case "complex<f64>" -> ElementType.C128;
      default -> scalar(text);
    };
  }

  private static ElementType scalar(String text) {
    if (text.startsWith("f8E")) {
      return ElementType.F8;
    }
    if (text.startsWith("f4E")) {
      return ElementType.F4;
    }
    return switch (text) {
      case "f64" -> ElementType.F64;
      case "f32", "tf32" -> ElementType.F32;
      case "f16" -> ElementType.F16;
      case "bf16" -> ElementType.BF16;
      case "i64", "si64", "index" -> ElementType.I64;
      case "ui64", "u64" -> ElementType.U64;
      case "i32", "si32" -> ElementType.I32;
      case "ui32", "u32" -> ElementType.U32;
      case "i16", "si16" -> ElementType.I16;
      case "ui16", "u16" -> ElementType.U16;
      case "i8", "si8" -> ElementType.I8;
      case "ui8", "u8" -> ElementType.U8;
      case "i4", "si4" -> ElementType.I4;
      case "ui4", "u4" -> ElementType.U4;
      case "i2", "si2" -> ElementType.I2;
      case "ui2", "u2" -> ElementType.U2;
      case "i1", "si1", "ui1" -> ElementType.BOOL;
      default -> null;
    };
  }
}
