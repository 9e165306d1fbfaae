package stowage.compiler.core;

import java.util.Arrays;

/**
 * Rectangles placed in one address space, in order of address, and the lowest free address among
 * those of them that conflict with a new one.
 *
 * <p>Several systems look for that address by raising a candidate, from 0, to the end of whatever
 * conflicting rectangle it would run into, in some order of their own, repeatedly until nothing
 * raises it. Whatever the order, this ends at the lowest free address a: a candidate c not above a
 * that meets a rectangle [s, e) has s below c + size, which is not above a + size; were a below e,
 * the rectangle would be in a's way too. So one walk by address gives the same, and it may stop at
 * the first rectangle that starts after the candidate's end.
 *
 * <p>Example: conflicting [0, 4) and [6, 9), others in between. For 3 bytes the candidate is raised
 * to 4, would end at 7, is raised to 9; for 2 bytes it stays at 4.
 *
 * <p>O(conflicts + rectangles below the answer) a question, O(rectangles) an addition.
 */
public final class PlacedByAddress {
  /** {@link #raisedBy()} where nothing was in the way. */
  public static final int NONE = -1;

  /** {@link #raisedBy()} where several rectangles end at the address found. */
  public static final int SEVERAL = -2;

  private final long[] starts;
  private final long[] ends;
  private final int[] placed;
  private final int[] asked;
  private int question;
  private int count;
  private int raisedBy = NONE;

  /** Nothing is placed yet, of a number of rectangles. */
  public PlacedByAddress(int rectangles) {
    starts = new long[rectangles];
    ends = new long[rectangles];
    placed = new int[rectangles];
    asked = new int[rectangles];
  }

  /** Takes all away. */
  public void clear() {
    count = 0;
  }

  /** Takes away those that were placed at a turn or later. O(placed). */
  public void keepBefore(int turn, int[] turnOf) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
      if (turnOf[placed[k]] < turn) {
        starts[kept] = starts[k];
        ends[kept] = ends[k];
        placed[kept++] = placed[k];
      }
    }
    count = kept;
  }

  public void add(int rectangle, long start, long end) {
    int found = Arrays.binarySearch(starts, 0, count, start);
    int at = found < 0 ? -found - 1 : found;
    System.arraycopy(starts, at, starts, at + 1, count - at);
    System.arraycopy(ends, at, ends, at + 1, count - at);
    System.arraycopy(placed, at, placed, at + 1, count - at);
    starts[at] = start;
    ends[at] = end;
    placed[at] = rectangle;
    count++;
  }

  /** The lowest address from which {@code size} bytes meet no placed rectangle of a list. */
  public long lowestFree(int[] conflicts, long size) {
    question++;
    for (int other : conflicts) {
      asked[other] = question;
    }
    long candidate = 0;
    raisedBy = NONE;
    for (int k = 0; k < count && starts[k] < candidate + size; k++) {
      if (ends[k] >= candidate && asked[placed[k]] == question) {
        if (ends[k] > candidate) {
          candidate = ends[k];
          raisedBy = placed[k];
        } else if (candidate > 0) {
          raisedBy = SEVERAL;
        }
      }
    }
    return candidate;
  }

  /**
   * The rectangle that ends at the address last found: {@link #NONE} at address 0, {@link #SEVERAL}
   * where which of them raised the candidate last depends on the order of looking.
   */
  public int raisedBy() {
    return raisedBy;
  }
}
