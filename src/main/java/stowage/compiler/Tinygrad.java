package stowage.compiler;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * tinygrad's memory planner: a two-level segregated fit over the program's buffers.
 *
 * <p>Order: in time, what ends before what begins; buffers that end together in the order in which
 * they first appeared. Rule: free blocks are in buckets by the bits of their size, {@value
 * #SUBDIVISION_BITS} after the leading one. A buffer looks for its size, rounded up to a whole
 * bucket, from that bucket upwards, and takes the block that was put into the first such bucket
 * longest ago, from its start. What is left of it is put in as a new block, and so is a released
 * one after each merging with the free block above it. Sizes are multiples of 256, on lists too,
 * for the allocator's blocks are.
 *
 * <p>Example: free are a block of 65 · 256 bytes, put in first, and one of 64 · 256 bytes; both are
 * in the bucket that begins at 64 · 256, so a buffer of 64 · 256 bytes takes the first.
 *
 * <p>The original keeps buffers of copies twice as long, and one arena a device; here all are in
 * one. The arena it allocates is twice the sum of all, which nothing counts. O(n b) for b blocks.
 *
 * @see <a
 *     href="https://github.com/tinygrad/tinygrad/blob/a9069c17/tinygrad/schedule/memory.py">tinygrad/tinygrad@a9069c17:tinygrad/schedule/memory.py</a>
 * @see <a
 *     href="https://github.com/tinygrad/tinygrad/blob/a9069c17/tinygrad/runtime/support/memory.py">tinygrad/tinygrad@a9069c17:tinygrad/runtime/support/memory.py</a>
 */
public final class Tinygrad extends ListRule {
  private static final long BLOCK = 256;
  private static final int SUBDIVISION_BITS = 5;

  /** A stretch of the arena from an offset on; {@code since} counts the blocks put in before. */
  private record Block(long size, boolean free, int since) {}

  public Tinygrad() {
    super(
        "tinygrad",
        "as of August 2026",
        "tinygrad: as the program runs, the oldest free block of the nearest bucket of sizes");
  }

  @Override
  protected long granule(boolean network) {
    return BLOCK;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    TreeMap<Long, Block> blocks = new TreeMap<>();
    blocks.put(0L, new Block(Math.max(1, 2 * Arrays.stream(all.size).sum()), true, 0));
    int stamp = 1;
    long[] offsets = new long[all.count()];
    int[] events = all.events(Comparator.comparingInt(r -> all.start[r]));
    for (int k = 0; k < events.length; k++) {
      NotPlannableException.throwIfStopped(control, k / 2, all.count());
      int r = events[k];
      if (r >= 0) {
        offsets[r] = find(blocks, all.size[r]);
        long left = blocks.get(offsets[r]).size - all.size[r];
        blocks.put(offsets[r], new Block(all.size[r], false, 0));
        if (left > 0) {
          blocks.put(offsets[r] + all.size[r], new Block(left, true, stamp++));
        }
      } else {
        stamp = release(blocks, offsets[~r], stamp);
      }
    }
    return CasePlan.arena(all.placement(offsets));
  }

  private static long find(TreeMap<Long, Block> blocks, long size) {
    int bits = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(size) - 1 - SUBDIVISION_BITS);
    long wanted = bucket(HullList.roundUp(size, 1L << bits));
    long found = -1;
    for (Map.Entry<Long, Block> block : blocks.entrySet()) {
      long bucket = bucket(block.getValue().size);
      if (block.getValue().free && bucket >= wanted) {
        Block best = found < 0 ? null : blocks.get(found);
        if (best == null
            || bucket < bucket(best.size)
            || bucket == bucket(best.size) && block.getValue().since < best.since) {
          found = block.getKey();
        }
      }
    }
    if (found < 0) {
      throw new NotPlannableException("tinygrad's arena of twice the sum of all is too full here");
    }
    return found;
  }

  /** The bucket of a size, by its bits: of two sizes in different buckets the larger's is above. */
  private static long bucket(long size) {
    int length = Long.SIZE - Long.numberOfLeadingZeros(size);
    long within = (size - (1L << length - 1)) >> Math.max(0, length - 1 - SUBDIVISION_BITS);
    return ((long) length << SUBDIVISION_BITS) + within;
  }

  /** Frees a block and merges it with the free ones below and above; gives the next stamp. */
  private static int release(TreeMap<Long, Block> blocks, long offset, int stamp) {
    int next = stamp;
    long at = offset;
    blocks.put(at, new Block(blocks.get(at).size, true, next++));
    for (var low = blocks.lowerEntry(at); low != null && low.getValue().free; ) {
      at = low.getKey();
      low = blocks.lowerEntry(at);
    }
    for (var high = blocks.higherEntry(at); high != null && high.getValue().free; ) {
      blocks.remove(high.getKey());
      blocks.put(at, new Block(blocks.get(at).size + high.getValue().size, true, next++));
      high = blocks.higherEntry(at);
    }
    return next;
  }
}
