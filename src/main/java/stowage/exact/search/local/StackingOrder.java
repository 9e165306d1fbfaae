package stowage.exact.search.local;

import java.util.Arrays;
import stowage.exact.search.model.PrimitiveSort;
import stowage.exact.search.model.SearchModel;

/**
 * An order of buffers, read as a placement by stacking: each buffer is on top of all conflicting
 * ones before it. Its offset (head) is then the longest path up to it, and what must be above it
 * (tail) the longest path from it, so that head + size + tail is the exact height of the tallest
 * chain through it.
 *
 * <p>Alignments and banks are honoured by the heads; tails leave them out and are lower bounds
 * then. One pass costs O(pieces) steps of a {@link StepProfile} plus the extra conflicts.
 */
public final class StackingOrder {
  private final SearchModel model;
  private final StepProfile profile;

  /** The buffers in their order; only the first {@link #length} entries count. */
  final int[] order;

  /** Offset of each buffer. */
  public final long[] head;

  /** Height of the tallest chain strictly above each buffer. */
  final long[] tail;

  int length;

  /** Sections of buffers with one piece and no extra conflicts; the first is -1 for others. */
  private final int[] start;

  private final int[] end;

  /** The last pass over the order that has come to each buffer with extra conflicts. */
  private final int[] passed;

  private int pass;

  public StackingOrder(SearchModel model) {
    this.model = model;
    this.profile = new StepProfile(model.sections);
    this.order = new int[model.count];
    this.head = new long[model.count];
    this.tail = new long[model.count];
    this.start = new int[model.count];
    this.end = model.hullEnd;
    this.passed = new int[model.count];
    for (int b = 0; b < model.count; b++) {
      boolean plain = model.firstPiece[b + 1] - model.firstPiece[b] == 1;
      start[b] = plain && model.problem.extraConflicts(b).length == 0 ? model.hullStart[b] : -1;
    }
  }

  /** Takes the order of a placement, in units: by offset, ties by index. */
  public void read(long[] offsets) {
    length = model.count;
    Arrays.setAll(order, k -> k);
    PrimitiveSort.byKey(order, length, offsets);
  }

  /** Copies another order of the same model. */
  void copy(StackingOrder other) {
    length = other.length;
    System.arraycopy(other.order, 0, order, 0, length);
    System.arraycopy(other.head, 0, head, 0, head.length);
    System.arraycopy(other.tail, 0, tail, 0, tail.length);
  }

  /** Computes heads; gives the peak, {@link Long#MAX_VALUE} if a buffer has no allowed offset. */
  public long stack() {
    profile.clear();
    pass++;
    long peak = 0;
    for (int k = 0; k < length; k++) {
      int buffer = order[k];
      if (start[buffer] >= 0 && model.unconstrained) {
        head[buffer] = profile.pile(start[buffer], end[buffer], model.size[buffer]);
        peak = Math.max(peak, head[buffer] + model.size[buffer]);
        continue;
      }
      long bottom = 0;
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        bottom = Math.max(bottom, profile.highest(model.spanStart[p], model.spanEnd[p]));
      }
      bottom = Math.max(bottom, highestExtra(buffer, head));
      bottom = model.roundUp(buffer, bottom);
      if (bottom < 0) {
        return Long.MAX_VALUE;
      }
      head[buffer] = bottom;
      passed[buffer] = pass;
      long end = bottom + model.size[buffer];
      peak = Math.max(peak, end);
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        profile.set(model.spanStart[p], model.spanEnd[p], end);
      }
    }
    return peak;
  }

  void hang() {
    profile.clear();
    pass++;
    for (int k = length - 1; k >= 0; k--) {
      int buffer = order[k];
      if (start[buffer] >= 0) {
        tail[buffer] = profile.pile(start[buffer], end[buffer], model.size[buffer]);
        continue;
      }
      long above = 0;
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        above = Math.max(above, profile.highest(model.spanStart[p], model.spanEnd[p]));
      }
      above = Math.max(above, highestExtra(buffer, tail));
      tail[buffer] = above;
      passed[buffer] = pass;
      long end = above + model.size[buffer];
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        profile.set(model.spanStart[p], model.spanEnd[p], end);
      }
    }
  }

  /** Height of the tallest chain through a buffer. */
  long path(int buffer) {
    return head[buffer] + model.size[buffer] + tail[buffer];
  }

  /** Takes a buffer out of the order. O(n). */
  void remove(int buffer) {
    int k = 0;
    while (order[k] != buffer) {
      k++;
    }
    System.arraycopy(order, k + 1, order, k, length - k - 1);
    length--;
  }

  /** Puts a buffer before the one at a place. O(n). */
  void insert(int buffer, int place) {
    System.arraycopy(order, place, order, place + 1, length - place);
    order[place] = buffer;
    length++;
  }

  /** What the extra conflicts of a buffer reach that this pass has come to. */
  private long highestExtra(int buffer, long[] from) {
    long highest = 0;
    for (int other : model.problem.extraConflicts(buffer)) {
      if (passed[other] == pass) {
        highest = Math.max(highest, from[other] + model.size[other]);
      }
    }
    return highest;
  }
}
