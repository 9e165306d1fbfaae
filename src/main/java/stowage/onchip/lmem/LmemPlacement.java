package stowage.onchip.lmem;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * An offset for every buffer of an {@link LmemProblem}, and whose place each takes.
 *
 * @param offsets by buffer, bytes from the start of a lane
 * @param shares by buffer, the operand whose place it takes, or {@link #OWN}
 */
public record LmemPlacement(long[] offsets, int[] shares) {
  /** Marks a buffer that takes no other's place. */
  public static final int OWN = -1;

  /** Copies the arrays. */
  public LmemPlacement {
    offsets = offsets.clone();
    shares = shares.clone();
  }

  /** Every buffer in a place of its own. */
  public LmemPlacement(long[] offsets) {
    this(offsets, new int[offsets.length]);
    Arrays.fill(shares, OWN);
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
    return IntStream.range(0, offsets.length)
        .mapToLong(b -> offsets[b] + problem.buffer(b).size())
        .max()
        .orElse(0);
  }

  /** How many buffers it places. */
  public int size() {
    return offsets.length;
  }
}
