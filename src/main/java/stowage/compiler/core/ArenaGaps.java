package stowage.compiler.core;

import java.util.Arrays;

/**
 * TensorFlow Lite's simple memory arena: best fit among the allocations alive at the same time,
 * sorted by offset, with the original's comparison.
 *
 * <p>Source: tensorflow/lite/simple_memory_arena.cc; iree-org/iree's LayoutSlices.cpp has the same
 * loop. A gap counts as better if what is from its <em>aligned</em> start to its end is less than
 * the best so far, but what is remembered is the gap from its <em>unaligned</em> start: with
 * alignment, a later gap of the same real size can win. The first of equal gaps is kept. Without a
 * gap the buffer goes after the last overlapping allocation. Of allocations at one offset the
 * earlier placed is first.
 *
 * <p>O(n) a buffer for n placed ones.
 */
public final class ArenaGaps {
  private final HullList all;
  private final long[] sizes;
  private final int[] byOffset;
  private final long[] offsets;
  private int placed;

  /** An empty arena; sizes are rounded up, or offsets alone. */
  public ArenaGaps(HullList all, boolean roundedUp) {
    this.all = all;
    this.sizes = new long[all.count()];
    Arrays.setAll(sizes, r -> roundedUp ? all.size[r] : all.buffer(r).size());
    this.byOffset = new int[all.count()];
    this.offsets = new long[all.count()];
  }

  /** Places a rectangle, its start aligned. */
  public void place(int rectangle, long alignment) {
    long size = sizes[rectangle];
    long best = -1;
    long bestFit = Long.MAX_VALUE;
    long current = 0;
    for (int k = 0; k < placed && bestFit != 0; k++) {
      int other = byOffset[k];
      if (!all.overlap(rectangle, other)) {
        continue;
      }
      long aligned = HullList.roundUp(current, alignment);
      if (aligned + size <= offsets[other] && offsets[other] - aligned < bestFit) {
        best = aligned;
        bestFit = offsets[other] - current;
      }
      current = Math.max(current, offsets[other] + sizes[other]);
    }
    offsets[rectangle] = best >= 0 ? best : HullList.roundUp(current, alignment);
    insert(rectangle);
  }

  private void insert(int rectangle) {
    int low = 0;
    int high = placed;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (offsets[byOffset[middle]] <= offsets[rectangle]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(byOffset, low, byOffset, low + 1, placed - low);
    byOffset[low] = rectangle;
    placed++;
  }

  public long[] offsets() {
    return Arrays.copyOf(offsets, offsets.length);
  }
}
