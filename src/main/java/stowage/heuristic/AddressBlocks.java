package stowage.heuristic;

import java.util.Arrays;

/**
 * The addresses of one memory as a run of blocks, each taken or free, the last one free without
 * end; free blocks are in bins of similar size.
 *
 * <p>This is the bookkeeping of runtime allocators: neighbours are known, so that what becomes free
 * joins what is free next to it, and a bitmap of the bins that hold something leads to a block of
 * about the size wanted (two-level segregated fit: Masmano, Ripoll, Crespo and Real 2004, doi
 * 10.1109/EMRTS.2004.1311009). Within a bin blocks are by their address, so that low ones are taken
 * first and what is free gathers on top. A change takes O(1) and a look at the bin's blocks.
 *
 * <p>Example: [0, 8) taken, [8, 20) free, [20, 24) taken, from 24 on free. Taking [8, 12) leaves
 * [12, 20) free, in the bin of 8; once [20, 24) is given back, all from 12 on is one block.
 */
final class AddressBlocks {
  static final int NONE = -1;

  /** The step until which there is nothing below the lowest block. */
  static final int FOR_EVER = Integer.MAX_VALUE;

  /** Bins of a power of two, as a power of two: sizes in one differ by a 64th at most. */
  private static final int BIN_BITS = 6;

  private static final int BINS = (64 - BIN_BITS + 1) << BIN_BITS;

  private long[] start = new long[64];
  private int[] below = new int[64];
  private int[] above = new int[64];

  /** The step at which a taken block is given back; of a free one, {@link #FREE}. */
  private int[] until = new int[64];

  private static final int FREE = Integer.MIN_VALUE; // no buffer with bytes ends there

  private int[] nextInBin = new int[64];
  private int[] previousInBin = new int[64];
  private final int[] firstInBin = new int[BINS];
  private final long[] filledBins = new long[(BINS + 63) >> 6];
  private int made;
  private int spare = NONE;

  private int top;

  AddressBlocks() {
    Arrays.fill(firstInBin, NONE);
    top = make(0, NONE, NONE);
    until[top] = FREE;
  }

  /** The free block on top of all, without end and in no bin. */
  int top() {
    return top;
  }

  long start(int block) {
    return start[block];
  }

  /** The end (exclusive) of a block that is not the top one. */
  long end(int block) {
    return start[above[block]];
  }

  /** The step until which the block below is taken; at the bottom, for ever. */
  int untilBelow(int block) {
    return below[block] == NONE ? FOR_EVER : until[below[block]];
  }

  /** The step until which the block above is taken; the top one never is. */
  int untilAbove(int block) {
    return until[above[block]];
  }

  /** About the tightest free block for a size, or {@link #NONE}; some may be too small. */
  int candidate(long size) {
    return firstFrom(bin(size));
  }

  /** The next candidate after one, from the same bin or the next one filled. */
  int next(int block) {
    int next = nextInBin[block];
    return next != NONE ? next : firstFrom(bin(end(block) - start[block]) + 1);
  }

  private int firstFrom(int bin) {
    int word = bin >> 6;
    if (word >= filledBins.length) {
      return NONE;
    }
    long filled = filledBins[word] & -1L << bin;
    while (filled == 0) {
      if (++word == filledBins.length) {
        return NONE;
      }
      filled = filledBins[word];
    }
    return firstInBin[(word << 6) + Long.numberOfTrailingZeros(filled)];
  }

  /** Takes addresses within a free block until a step; answers with the block then taken. */
  int take(int block, long from, long to, int step) {
    boolean onTop = block == top;
    if (!onTop) {
      unlink(block);
    }
    long end = onTop ? Long.MAX_VALUE : end(block);
    int taken = block;
    if (from > start[block]) {
      taken = make(from, block, above[block]);
      until[block] = FREE;
      link(block, from - start[block]);
    }
    until[taken] = step;
    if (to < end) {
      int rest = make(to, taken, above[taken]);
      until[rest] = FREE;
      if (onTop) {
        top = rest;
      } else {
        link(rest, end - to);
      }
    }
    return taken;
  }

  /** Gives a taken block back. */
  void release(int block) {
    int joined = block;
    int under = below[block];
    int over = above[block];
    if (under != NONE && until[under] == FREE) {
      unlink(under);
      remove(block);
      joined = under;
    }
    until[joined] = FREE;
    if (over == top) {
      remove(over);
      top = joined;
      return;
    }
    if (until[over] == FREE) {
      unlink(over);
      remove(over);
    }
    link(joined, end(joined) - start[joined]);
  }

  private int make(long from, int under, int over) {
    int block = spare;
    if (block != NONE) {
      spare = above[block];
    } else {
      block = made++;
      if (block == start.length) {
        grow(2 * block);
      }
    }
    start[block] = from;
    below[block] = under;
    above[block] = over;
    if (under != NONE) {
      above[under] = block;
    }
    if (over != NONE) {
      below[over] = block;
    }
    return block;
  }

  private void grow(int length) {
    start = Arrays.copyOf(start, length);
    below = Arrays.copyOf(below, length);
    above = Arrays.copyOf(above, length);
    until = Arrays.copyOf(until, length);
    nextInBin = Arrays.copyOf(nextInBin, length);
    previousInBin = Arrays.copyOf(previousInBin, length);
  }

  /** Takes a block out of the run; the one below it reaches to the one above from now on. */
  private void remove(int block) {
    above[below[block]] = above[block];
    if (above[block] != NONE) {
      below[above[block]] = below[block];
    }
    above[block] = spare;
    spare = block;
  }

  /** The bin of a size: its highest bit and those that follow it. */
  private static int bin(long size) {
    int high = 63 - Long.numberOfLeadingZeros(size);
    return high < BIN_BITS
        ? (int) size
        : (high - BIN_BITS + 1 << BIN_BITS)
            + (int) (size >>> high - BIN_BITS & (1 << BIN_BITS) - 1);
  }

  private void link(int block, long size) {
    int bin = bin(size);
    int previous = NONE;
    int next = firstInBin[bin];
    while (next != NONE && start[next] < start[block]) {
      previous = next;
      next = nextInBin[next];
    }
    nextInBin[block] = next;
    previousInBin[block] = previous;
    if (next != NONE) {
      previousInBin[next] = block;
    }
    if (previous != NONE) {
      nextInBin[previous] = block;
    } else {
      firstInBin[bin] = block;
      filledBins[bin >> 6] |= 1L << bin;
    }
  }

  private void unlink(int block) {
    int next = nextInBin[block];
    int previous = previousInBin[block];
    if (next != NONE) {
      previousInBin[next] = previous;
    }
    if (previous != NONE) {
      nextInBin[previous] = next;
      return;
    }
    int bin = bin(end(block) - start[block]);
    firstInBin[bin] = next;
    if (next == NONE) {
      filledBins[bin >> 6] &= ~(1L << bin);
    }
  }
}
