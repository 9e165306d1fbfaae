package stowage.exact.choco;

import java.util.Arrays;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ForbiddenDifferences;
import stowage.heuristic.NotPlannableException;

/**
 * A part with its memories laid end to end on one axis of addresses, in the 32 bits that Choco has.
 *
 * <p>A buffer's offset and its choice of memory are then one figure, its position. What alignment,
 * banks, fixed offsets, capacities and memories demand becomes the set of positions that it may
 * have, and of two conflicting buffers only the difference of their positions matters. Buffers in
 * different memories are apart by themselves, since each is wholly in its own stretch.
 *
 * <p>Example: L2 of 8 units and DRAM of 20 make an axis of 28; position 9 is offset 1 in DRAM.
 */
final class Axis {
  /** What {@link #next} and {@link #previous} answer when there is no position left. */
  static final int NONE = -1;

  /** Choco's own limit of the values of a variable. */
  private static final long LONGEST = 21_000_000;

  final Component part;
  final int count;
  final int[] size;

  final int[][] neighbours;

  /**
   * For the k-th neighbour j of buffer i, the differences position(j) - position(i) that are
   * forbidden: pairs (a, b) of which all strictly between are, ascending and disjoint.
   */
  final int[][][] forbidden;

  /** Whether a buffer may have every position: one memory, nothing that minds offsets. */
  private final boolean[] free;

  private final int[] start;
  private final int[] ceiling;

  /**
   * @param ceiling the height of each memory that nothing may pass, in units
   * @param earlier an axis of the same part, whose pairs are taken over, or null
   * @throws NotPlannableException when the axis is longer than Choco's variables reach
   */
  Axis(Component part, long[] ceiling, Axis earlier) {
    this.part = part;
    this.count = part.count();
    this.start = new int[ceiling.length];
    this.ceiling = new int[ceiling.length];
    long length = 0;
    for (int m = 0; m < ceiling.length; m++) {
      start[m] = (int) length;
      length += ceiling[m];
      if (length > LONGEST) {
        throw new NotPlannableException(
            "Choco counts to %s, and the part reaches %s units of %s bytes"
                .formatted(LONGEST, length, part.unit()));
      }
      this.ceiling[m] = (int) ceiling[m];
    }
    size = new int[count];
    Arrays.setAll(size, i -> (int) Math.min(LONGEST, part.sizes()[i]));
    free = new boolean[count];
    for (int i = 0; i < count; i++) {
      free[i] =
          ceiling.length == 1
              && part.alignment(i, 0) == 1
              && part.fixedOffsets()[i] < 0
              && (!part.withinBanks()[i] || part.bankSize(0) == 0);
    }
    if (earlier != null) {
      neighbours = earlier.neighbours;
      forbidden = earlier.forbidden;
    } else {
      neighbours = new int[count][];
      forbidden = new int[count][][];
      findNeighbours();
    }
  }

  private void findNeighbours() {
    int[] found = new int[count];
    for (int i = 0; i < count; i++) {
      int kept = 0;
      for (int j = 0; j < count; j++) {
        if (i != j && (part.allowed(i) & part.allowed(j)) != 0 && part.conflict(i, j)) {
          found[kept++] = j;
        }
      }
      neighbours[i] = Arrays.copyOf(found, kept);
      forbidden[i] = new int[kept][];
      for (int k = 0; k < kept; k++) {
        forbidden[i][k] =
            Arrays.stream(ForbiddenDifferences.of(part, i, neighbours[i][k]))
                .mapToInt(units -> (int) units)
                .toArray();
      }
    }
  }

  /** The smallest position not below the given one that a buffer may have, or {@link #NONE}. */
  int next(int i, int position) {
    if (free[i]) {
      return position <= ceiling[0] - size[i] ? Math.max(0, position) : NONE;
    }
    for (int m = 0; m < start.length; m++) {
      int last = start[m] + ceiling[m] - size[i];
      if (!part.allows(i, m) || last < position || last < start[m]) {
        continue;
      }
      long offset = part.roundUp(i, m, Math.max(0, position - start[m]));
      if (offset >= 0 && offset <= last - start[m]) {
        return (int) (start[m] + offset);
      }
    }
    return NONE;
  }

  /** The largest position not above the given one that a buffer may have, or {@link #NONE}. */
  int previous(int i, int position) {
    if (free[i]) {
      return Math.max(NONE, Math.min(position, ceiling[0] - size[i]));
    }
    for (int m = start.length - 1; m >= 0; m--) {
      int last = start[m] + ceiling[m] - size[i];
      if (!part.allows(i, m) || position < start[m] || last < start[m]) {
        continue;
      }
      long offset = part.roundDown(i, m, Math.min(last, position) - start[m]);
      if (offset >= 0) {
        return (int) (start[m] + offset);
      }
    }
    return NONE;
  }

  int memory(int position) {
    int m = start.length - 1;
    while (start[m] > position || (ceiling[m] == 0 && m > 0)) {
      m--;
    }
    return m;
  }

  int offset(int position) {
    return position - start[memory(position)];
  }

  int start(int memory) {
    return start[memory];
  }

  int end(int memory) {
    return start[memory] + ceiling[memory];
  }
}
