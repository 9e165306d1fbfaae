package stowage.importer.tpumlir;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.network.ElementType;

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

  private static final Map<String, ElementType> TYPES =
      ElementType.words(
          """
          complex<f32>=C64 complex<f64>=C128 f64=F64 f32=F32 tf32=F32 f16=F16 bf16=BF16 i64=I64
          si64=I64 index=I64 ui64=U64 u64=U64 i32=I32 si32=I32 ui32=U32 u32=U32 i16=I16 si16=I16
          ui16=U16 u16=U16 i8=I8 si8=I8 ui8=U8 u8=U8 i4=I4 si4=I4 ui4=U4 u4=U4 i2=I2 si2=I2 ui2=U2
          u2=U2 i1=BOOL si1=BOOL ui1=BOOL
          """);
  private static final Pattern ADDRESS = Pattern.compile(",\\s*(-?\\d+)\\s*:\\s*[su]?i64\\s*>$");

  /** Whether it is the type of {@code top.None}'s result: no value at all. */
  boolean none() {
    return text.equals("none");
  }

  /** The same type at another place in the file's text. */
  MlirType at(int first, int last) {
    return new MlirType(tensor, shape, element, address, text, first, last);
  }

  /** The text of a tensor type with its address replaced; with one more where it has none. */
  String withAddress(long other) {
    Matcher old = ADDRESS.matcher(text);
    return old.find()
        ? text.substring(0, old.start(1)) + other + text.substring(old.end(1))
        : text.substring(0, text.length() - 1) + ", " + other + " : i64>";
  }

  String withoutAddress() {
    return ADDRESS.matcher(text).replaceAll(">");
  }

  /**
   * The type that values are stored as: of {@code !quant.uniform<i8:f32, ..>} the integers, of
   * {@code !quant.calibrated<f32<..>>} the floats, for it only remarks on their range.
   *
   * @return null when the word is not known
   */
  ElementType elementType() {
    String word = tensor ? element : text;
    int bracket = word.indexOf('<');
    if (word.startsWith("!quant.") && bracket > 0) {
      int end = bracket + 1;
      while (end < word.length() && Character.isLetterOrDigit(word.charAt(end))) {
        end++;
      }
      word = word.substring(bracket + 1, end);
    }
    if (word.startsWith("f8E") || word.startsWith("f4E")) {
      return word.startsWith("f8E") ? ElementType.F8 : ElementType.F4;
    }
    return TYPES.get(word);
  }
}
