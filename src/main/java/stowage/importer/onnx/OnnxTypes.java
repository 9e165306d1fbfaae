package stowage.importer.onnx;

import java.util.Arrays;
import stowage.network.ElementType;

/** ONNX's numbers of element types (enum TensorProto.DataType of the specification). */
final class OnnxTypes {
  /** ONNX's number of strings. */
  static final int STRING = 8;

  private static final ElementType[] TYPES = {
    null,
    ElementType.F32,
    ElementType.U8,
    ElementType.I8,
    ElementType.U16,
    ElementType.I16,
    ElementType.I32,
    ElementType.I64,
    ElementType.OPAQUE,
    ElementType.BOOL,
    ElementType.F16,
    ElementType.F64,
    ElementType.U32,
    ElementType.U64,
    ElementType.C64,
    ElementType.C128,
    ElementType.BF16,
    ElementType.F8,
    ElementType.F8,
    ElementType.F8,
    ElementType.F8,
    ElementType.U4,
    ElementType.I4,
    ElementType.F4,
    ElementType.F8,
    ElementType.U2,
    ElementType.I2
  };

  private OnnxTypes() {}

  /** The number of a type, the first where several have it; 0, undefined, where there is none. */
  static int number(ElementType type) {
    return Math.max(0, Arrays.asList(TYPES).indexOf(type));
  }

  /** The type of a number, or null when there is none. */
  static ElementType of(int number) {
    return number > 0 && number < TYPES.length ? TYPES[number] : null;
  }
}
