package stowage.compiler;

import java.util.Map;
import java.util.TreeMap;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * ggml's graph allocator, which llama.cpp, ollama and whisper.cpp run on.
 *
 * <p>Order: as the program makes and releases buffers; a result is allocated before the operands
 * that end with it are released. Rule: of the free blocks below the open end the smallest that
 * holds the buffer, the <em>highest</em> of equal ones, from its low end; the open end only where
 * no block below holds it. A released block merges with its free neighbours.
 *
 * <p>Example: blocks of 4 at 0 and at 8 are free, the open end begins at 20. A buffer of 4 bytes
 * goes to 8, one of 6 bytes to 20.
 *
 * <p>On a network sizes are rounded up to 32, the alignment of the CPU's buffers. One chunk without
 * end stands for the whole pool, as on the CPU; backends whose buffers have a greatest size open
 * further ones. More than {@value #MOST_FREE} free blocks end the original, so this refuses them.
 * What is in place is what the case has in place. O(n f) for f free blocks.
 *
 * @see <a href="https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-alloc.c">ggml-org/ggml at
 *     d99724f2, src/ggml-alloc.c</a>
 */
public final class Ggml extends ListRule {
  private static final int MOST_FREE = 256;
  private static final long PADDING = 32;

  /** The planner. */
  public Ggml() {
    super(
        "ggml",
        Planner.Kind.ARENA,
        "as of August 2026",
        "ggml (llama.cpp, ollama): as the program runs, tightest free block, highest of equal"
            + " ones");
  }

  @Override
  protected long granule(boolean network) {
    return network ? PADDING : 1;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    TreeMap<Long, Long> free = new TreeMap<>(Map.of(0L, Long.MAX_VALUE));
    long[] offsets = new long[all.count()];
    int[] events = all.events((a, b) -> 0);
    for (int k = 0; k < events.length; k++) {
      NotPlannableException.throwIfStopped(control, k / 2, all.count());
      int r = events[k];
      if (r >= 0) {
        offsets[r] = allocate(free, all.size[r]);
      } else {
        release(free, offsets[~r], all.size[~r]);
      }
    }
    return CasePlan.arena(all.placement(offsets));
  }

  private static long allocate(TreeMap<Long, Long> free, long size) {
    long offset = free.lastKey();
    long tightest = Long.MAX_VALUE;
    for (Map.Entry<Long, Long> block : free.headMap(free.lastKey()).entrySet()) {
      if (block.getValue() >= size && block.getValue() <= tightest) {
        offset = block.getKey();
        tightest = block.getValue();
      }
    }
    long left = free.remove(offset) - size;
    if (left > 0) {
      free.put(offset + size, left);
    }
    return offset;
  }

  private void release(TreeMap<Long, Long> free, long offset, long size) {
    Map.Entry<Long, Long> below = free.lowerEntry(offset);
    boolean joined = below != null && below.getKey() + below.getValue() == offset;
    long start = joined ? below.getKey() : offset;
    long end = offset + size;
    Long above = free.remove(end);
    if (!joined && above == null && free.size() >= MOST_FREE) {
      throw new NotPlannableException(
          name() + " ends with an error here: it has room for " + MOST_FREE + " free blocks");
    }
    free.put(start, end - start + (above == null ? 0 : above));
  }
}
