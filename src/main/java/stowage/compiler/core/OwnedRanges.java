package stowage.compiler.core;

import java.util.Arrays;

/**
 * Which of several owners has each step: sorted half-open ranges that do not overlap, each with the
 * number of its owner. Ranges of one owner that touch are merged as they are added.
 */
public final class OwnedRanges {
  /** The answer of {@link #ownerWithin} where no step has an owner. */
  public static final int NONE = -1;

  /** The answer of {@link #ownerWithin} where the steps have different owners. */
  public static final int SEVERAL = -2;

  private int[] starts = new int[1];
  private int[] ends = new int[1];
  private int[] owners = new int[1];
  private int count;

  /** Gives an owner the steps of a range, none of them another's. O(ranges), a move of memory. */
  public void add(int start, int end, int owner) {
    int from = firstEndingFrom(start);
    if (from < count && ends[from] == start && owners[from] != owner) {
      from++;
    }
    int to = from;
    int low = start;
    int high = end;
    while (to < count && starts[to] <= end && owners[to] == owner) {
      low = Math.min(low, starts[to]);
      high = Math.max(high, ends[to]);
      to++;
    }
    if (to == from) {
      insertAt(from);
    } else if (to - from > 1) {
      move(to, from + 1);
    }
    starts[from] = low;
    ends[from] = high;
    owners[from] = owner;
  }

  private void insertAt(int at) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      owners = Arrays.copyOf(owners, 2 * count);
    }
    move(at, at + 1);
  }

  private void move(int from, int to) {
    System.arraycopy(starts, from, starts, to, count - from);
    System.arraycopy(ends, from, ends, to, count - from);
    System.arraycopy(owners, from, owners, to, count - from);
    count += to - from;
  }

  /** Gives an owner every step that has any owner in another set. O(ranges of both). */
  public void addAll(OwnedRanges other, int owner) {
    for (int k = 0; k < other.count; k++) {
      add(other.starts[k], other.ends[k], owner);
    }
  }

  /** Whether no step of a range has an owner. O(log ranges). */
  public boolean isFree(int start, int end) {
    int at = firstEndingFrom(start + 1);
    return at == count || starts[at] >= end;
  }

  /** The owner of the steps of a range that have one. O(log ranges, and those of the owner). */
  public int ownerWithin(int start, int end) {
    int at = count == 1 ? (ends[0] > start ? 0 : 1) : firstEndingFrom(start + 1);
    if (at == count || starts[at] >= end) {
      return NONE;
    }
    int owner = owners[at];
    for (int k = at + 1; k < count && starts[k] < end; k++) {
      if (owners[k] != owner) {
        return SEVERAL;
      }
    }
    return owner;
  }

  private int firstEndingFrom(int step) {
    int at = Arrays.binarySearch(ends, 0, count, step);
    return at >= 0 ? at : -at - 1;
  }
}
