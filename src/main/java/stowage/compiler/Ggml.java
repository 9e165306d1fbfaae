package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.NotPlannableException;
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
 * <p><b>Chunks.</b> A backend whose buffers have a greatest size gets a pool in up to {@value
 * #MOST_CHUNKS} chunks of that size, or of the buffer's where that is more; the last has no end. A
 * later chunk with any fitting block goes before an earlier one. Where no chunk has one, of the
 * open ends that hold the buffer the one is taken whose chunk grows least, or else has the least
 * left below its high-water mark. Of a chunk filled to its end the last free block counts as the
 * open one. Here chunks are laid end to end, each as long as it was used. Without a greatest size,
 * as on the CPU, there is one chunk.
 *
 * <p>On a network sizes are rounded up to 32, the alignment of the CPU's buffers. More than {@value
 * #MOST_FREE} free blocks in a chunk end the original, so this refuses them. What is in place is
 * what the case has in place ({@code --in-place ggml}). O(n f) for f free blocks.
 *
 * @see <a
 *     href="https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-alloc.c">ggml-org/ggml@d99724f2:ggml-alloc.c</a>
 */
public final class Ggml extends ListRule {
  private static final int MOST_FREE = 256;
  private static final int MOST_CHUNKS = 16;
  private static final long PADDING = 32;
  private static final long ENDLESS = Long.MAX_VALUE / 2;

  private final long largest;

  /** A chunk: its free blocks by offset, and how far it was ever used. */
  private static final class Chunk {
    final TreeMap<Long, Long> free = new TreeMap<>();
    long used;
  }

  /** A place in a chunk. */
  private record Spot(int chunk, long offset) {}

  /** The planner with one chunk, as on the CPU. */
  public Ggml() {
    this(ENDLESS);
  }

  /** The planner for a backend whose greatest buffer cuts the pool into chunks of so many bytes. */
  public Ggml(long largest) {
    super(
        "ggml",
        "as of August 2026",
        "ggml (llama.cpp, ollama): as the program runs, tightest free block, highest of equal"
            + " ones");
    this.largest = Math.min(largest, ENDLESS);
  }

  @Override
  protected long granule(boolean network) {
    return network ? PADDING : 1;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    List<Chunk> chunks = new ArrayList<>();
    Spot[] spots = new Spot[all.count()];
    int[] events = all.events((a, b) -> 0);
    for (int k = 0; k < events.length; k++) {
      NotPlannableException.throwIfStopped(control, k / 2, all.count());
      int r = events[k];
      if (r >= 0) {
        spots[r] = allocate(chunks, all.size[r]);
      } else {
        release(chunks.get(spots[~r].chunk()).free, spots[~r].offset(), all.size[~r]);
      }
    }
    long[] bases = new long[chunks.size()];
    for (int c = 1; c < bases.length; c++) {
      bases[c] = bases[c - 1] + chunks.get(c - 1).used;
    }
    return CasePlan.arena(
        all.placement(
            Arrays.stream(spots).mapToLong(s -> bases[s.chunk()] + s.offset()).toArray()));
  }

  private Spot allocate(List<Chunk> chunks, long size) {
    Spot spot = tightest(chunks, size);
    if (spot == null) {
      spot = openEnd(chunks, size);
    }
    if (spot == null) {
      Chunk chunk = new Chunk();
      chunk.free.put(0L, chunks.size() == MOST_CHUNKS - 1 ? ENDLESS : Math.max(size, largest));
      chunks.add(chunk);
      spot = new Spot(chunks.size() - 1, 0);
    }
    Chunk chunk = chunks.get(spot.chunk());
    long left = chunk.free.remove(spot.offset()) - size;
    if (left > 0) {
      chunk.free.put(spot.offset() + size, left);
    }
    chunk.used = Math.max(chunk.used, spot.offset() + size);
    return spot;
  }

  /** The tightest block but the last of the last chunk that has one that fits. */
  private static Spot tightest(List<Chunk> chunks, long size) {
    Spot best = null;
    for (int c = 0; c < chunks.size(); c++) {
      TreeMap<Long, Long> free = chunks.get(c).free;
      long tightest = Long.MAX_VALUE;
      for (Map.Entry<Long, Long> block :
          free.isEmpty() ? free.entrySet() : free.headMap(free.lastKey()).entrySet()) {
        if (block.getValue() >= size && block.getValue() <= tightest) {
          best = new Spot(c, block.getKey());
          tightest = block.getValue();
        }
      }
    }
    return best;
  }

  /** The last block of the chunk that grows least by it, or has the least unused above it. */
  private static Spot openEnd(List<Chunk> chunks, long size) {
    Spot best = null;
    long spare = Long.MIN_VALUE;
    for (int c = 0; c < chunks.size(); c++) {
      Map.Entry<Long, Long> last = chunks.get(c).free.lastEntry();
      if (last != null && last.getValue() >= size) {
        long left = chunks.get(c).used - last.getKey() - size;
        if (spare < 0 ? left > spare : left >= 0 && left < spare) {
          best = new Spot(c, last.getKey());
          spare = left;
        }
      }
    }
    return best;
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
