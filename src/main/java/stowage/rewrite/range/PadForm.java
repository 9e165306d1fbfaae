package stowage.rewrite.range;

/**
 * How a piece of an op of TFLite with padding SAME gets its padding. Formats with explicit pads
 * need no choice.
 */
public enum PadForm {
  /**
   * The op keeps SAME, reads a few more rows than it needs, and the wrong rows that it computes at
   * the inner borders are cropped.
   */
  CROP,
  /** A PAD op writes the padding at the true borders, and the op has padding VALID. */
  PAD
}
