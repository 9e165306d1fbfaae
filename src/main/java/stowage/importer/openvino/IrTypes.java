package stowage.importer.openvino;

import java.util.Locale;
import java.util.Map;
import stowage.network.ElementType;

/** OpenVINO's words for element types: those of ports, and those of attributes. */
final class IrTypes {
  private static final Map<String, ElementType> TYPES =
      ElementType.words(
          """
          FP64=F64 F64=F64 FP32=F32 F32=F32 FP16=F16 F16=F16 BF16=BF16 F8E4M3=F8 F8E5M2=F8 F8E8M0=F8
          NF4=F4 F4E2M1=F4 I64=I64 U64=U64 I32=I32 U32=U32 I16=I16 Q78=I16 U16=U16 I8=I8 U8=U8 I4=I4
          U4=U4 U2=U2 U1=BIT BIN=BIT BOOL=BOOL BOOLEAN=BOOL STRING=OPAQUE
          """);

  private IrTypes() {}

  /** The type of a word such as {@code FP32} or {@code f32}; null when it is not known. */
  static ElementType of(String word) {
    return TYPES.get(word.toUpperCase(Locale.ROOT));
  }
}
