package stowage.exact.search.tree;

/**
 * How a {@link CanonicalSearch} writes an unplaced buffer as one number, so that states are plain
 * arrays which are copied and compared fast. From the top bits down: the lowest offset, the rank,
 * the buffer, and one bit that says whether the buffer was lifted and still lacks a support.
 */
final class StateKeys {
  private final int bits;
  private final int offsetShift;
  private final int rankShift;
  private final int bufferMask;
  private final long lowMask;

  StateKeys(int buffers) {
    this.bits = Math.max(1, 32 - Integer.numberOfLeadingZeros(Math.max(1, buffers - 1)));
    this.offsetShift = 2 * bits + 1;
    this.rankShift = bits + 1;
    this.bufferMask = (1 << bits) - 1;
    this.lowMask = (1L << offsetShift) - 1;
  }

  /** Whether offsets up to a capacity leave room for rank and buffer. */
  boolean hold(long capacity) {
    return capacity < 1L << 62 - offsetShift;
  }

  /** The key of a buffer at an offset, of rank 0, supported. */
  long of(long offset, int buffer) {
    return offset << offsetShift | (long) buffer << 1;
  }

  long offset(long key) {
    return key >>> offsetShift;
  }

  int buffer(long key) {
    return (int) key >> 1 & bufferMask;
  }

  /** 1 where the buffer was lifted onto a neighbour that is not placed yet, else 0. */
  long unsupported(long key) {
    return key & 1;
  }

  /** The same buffer and rank at another offset, supported. */
  long at(long key, long offset) {
    return offset << offsetShift | key & lowMask - 1;
  }

  /** The same buffer and offset with another rank. */
  long ranked(long key, int rank) {
    return key & ~((1L << bits) - 1 << rankShift) | (long) rank << rankShift;
  }
}
