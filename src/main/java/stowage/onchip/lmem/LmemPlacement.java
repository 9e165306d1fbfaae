package stowage.onchip.lmem;

import java.util.Arrays;

/** An offset for every buffer of an {@link LmemProblem}, and whose place each takes. */
public final class LmemPlacement {
  /** Marks a buffer that takes no other's place. */
  public static final int OWN = -1;

  private final long[] offsets;
  private final int[] shares;

  /** Every buffer in a place of its own. */
  public LmemPlacement(long[] offsets) {
    this(offsets, own(offsets.length));
  }

  /**
   * @param offsets by buffer, bytes from the start of a lane
   * @param shares by buffer, the operand whose place it takes, or {@link #OWN}
   */
  public LmemPlacement(long[] offsets, int[] shares) {
    this.offsets = offsets.clone();
    this.shares = shares.clone();
  }

  private static int[] own(int count) {
    int[] shares = new int[count];
    Arrays.fill(shares, OWN);
    return shares;
  }

  /** The offset of a buffer, bytes from the start of a lane. */
  public long offset(int buffer) {
    return offsets[buffer];
  }

  /** The operand whose place a buffer takes, or {@link #OWN}. */
  public int shares(int buffer) {
    return shares[buffer];
  }

  /** The highest byte in use, plus one. */
  public long peak(LmemProblem problem) {
    long peak = 0;
    for (int b = 0; b < offsets.length; b++) {
      peak = Math.max(peak, offsets[b] + problem.buffer(b).size());
    }
    return peak;
  }

  /** How many buffers it places. */
  public int size() {
    return offsets.length;
  }
}
