package stowage.rewrite.range;

/** How a piece of a TFLite op with padding SAME gets its padding. Explicit pads need no choice. */
public enum PadForm {
  /** The op keeps SAME and reads a few rows more; wrong rows at inner borders are cropped. */
  CROP,
  /** A PAD op writes the padding at the true borders, and the op has padding VALID. */
  PAD
}
