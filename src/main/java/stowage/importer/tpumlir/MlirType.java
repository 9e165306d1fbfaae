package stowage.importer.tpumlir;

import java.util.List;
import java.util.OptionalLong;

/**
 * A type as it is at one place of an MLIR text.
 *
 * @param tensor whether it is a ranked tensor; if not, all but the text says nothing
 * @param shape extents, -1 for a dynamic one
 * @param element the element type's text, such as {@code f16} or {@code !quant.uniform<i8:f32,
 *     0.02>}
 * @param address where the tensor is in GMEM, if the type says
 * @param text the whole type, such as {@code none}
 * @param start index of the type's first character in the file's text, -1 if it has no place
 * @param end index after its last character
 */
record MlirType(
    boolean tensor,
    List<Long> shape,
    String element,
    OptionalLong address,
    String text,
    int start,
    int end) {

  /** Copies the shape. */
  public MlirType {
    shape = List.copyOf(shape);
  }

  /** Whether it is the type of {@code top.None}'s result: no value at all. */
  boolean none() {
    return text.equals("none");
  }

  /** The same type without a place in the file's text. */
  MlirType withoutPlace() {
    return new MlirType(tensor, shape, element, address, text, -1, -1);
  }
}
