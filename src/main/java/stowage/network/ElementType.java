package stowage.network;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The type of a tensor's elements, with its width in bits. */
public enum ElementType {
  F64(64),
  F32(32),
  F16(16),
  BF16(16),
  F8(8),
  F4(4),
  I64(64),
  U64(64),
  I32(32),
  U32(32),
  I16(16),
  U16(16),
  I8(8),
  U8(8),
  I4(4),
  U4(4),
  I2(2),
  U2(2),
  BOOL(8),
  C64(64),
  C128(128),
  /** Packed bits, as binary networks have them. */
  BIT(1),
  /** Strings, sequences, maps and the like: of no size that can be planned; they count 0 bytes. */
  OPAQUE(0);

  private final int bits;

  ElementType(int bits) {
    this.bits = bits;
  }

  /** Bits of one element; 0 for {@link #OPAQUE}. */
  public int bits() {
    return bits;
  }

  /** The name in files: lower case, such as {@code f32}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of a label such as {@code f32}; a fault names the value and all labels. */
  public static ElementType ofLabel(String label) {
    List<String> labels = Arrays.stream(values()).map(ElementType::label).toList();
    if (!labels.contains(label)) {
      throw new InvalidNetworkException(
          "element type \"%s\" should be one of %s", label, String.join(", ", labels));
    }
    return values()[labels.indexOf(label)];
  }

  /** The types whose names a text lists, which blanks and line ends separate. */
  public static List<ElementType> list(String names) {
    return Stream.of(names.strip().split("\\s+")).map(ElementType::valueOf).toList();
  }

  /** A format's own words for types, in pairs such as {@code float=F32 half=F16}, by blanks. */
  public static Map<String, ElementType> words(String pairs) {
    return Stream.of(pairs.strip().split("\\s+"))
        .map(pair -> pair.split("="))
        .collect(Collectors.toUnmodifiableMap(pair -> pair[0], pair -> valueOf(pair[1])));
  }
}
