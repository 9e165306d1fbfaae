package stowage.onchip.layer;

import java.util.Locale;

/** The axes along which a tensor in LMEM can be cut: batch, channel, depth, row, column. */
public enum Axis {
  /** Batch. */
  N,
  /** Channels, which are spread over the lanes. */
  C,
  /** Depth, of tensors of five dimensions. */
  D,
  /** Rows. */
  H,
  /** Columns. */
  W;

  /** How many axes there are. */
  public static final int COUNT = 5;

  /** The name in files: {@code n}, {@code c}, {@code d}, {@code h}, {@code w}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
