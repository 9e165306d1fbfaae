package stowage.importer.onnx;

import java.util.List;
import stowage.network.ElementType;

/** ONNX's numbers of element types (enum TensorProto.DataType of the specification). */
final class OnnxTypes {
  /** The types from number 1 on. */
  private static final List<ElementType> TYPES =
      ElementType.list(
          """
          F32 U8 I8 U16 I16 I32 I64 OPAQUE BOOL F16 F64 U32 U64 C64 C128 BF16 F8 F8 F8 F8 U4 I4 F4
          F8 U2 I2
          """);

  private OnnxTypes() {}

  /** The number of a type, the first where several have it; 0, undefined, where there is none. */
  static int number(ElementType type) {
    return TYPES.indexOf(type) + 1;
  }

  /** The type of a number, or null when there is none. */
  static ElementType of(int number) {
    return number > 0 && number <= TYPES.size() ? TYPES.get(number - 1) : null;
  }
}
