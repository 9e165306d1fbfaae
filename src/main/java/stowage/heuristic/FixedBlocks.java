package stowage.heuristic;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import stowage.packing.Buffer;
import stowage.packing.DisjointSets;
import stowage.packing.IndexOrder;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.StepOrder;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/**
 * The bytes of buffers whose offset is given, taken from the first step until the last of those
 * that need them ends.
 *
 * <p>The ends of all fixed extents cut a memory into stretches. Painted in the order of their ends,
 * the last one first, each stretch is painted once, by the one that needs it longest. O(k log k)
 * for k of them.
 */
final class FixedBlocks {
  private final PackingProblem problem;
  private final AddressBlocks[] blocks;
  private final int[] fixed;
  private final int[] memories;

  // The blocks taken, in the order of painting, and then by the step at which they end.
  private int[] block = new int[16];
  private int[] home = new int[16];
  private int[] until = new int[16];
  private int count;
  private final int[] byEnd;
  private int released;

  /** Takes the blocks of memories that are free so far; fails where two fixed buffers clash. */
  FixedBlocks(PackingProblem problem, AddressBlocks[] blocks) {
    this.problem = problem;
    this.blocks = blocks;
    this.fixed = GapPlacer.fixed(problem);
    this.memories = memories(problem, fixed);
    for (int m = 0; m < blocks.length; m++) {
      takeIn(m);
    }
    this.byEnd = StepOrder.of(until, count);
  }

  /** The memory of each fixed buffer: the only one, or that which first fit would take. */
  private static int[] memories(PackingProblem problem, int[] fixed) {
    int[] memories = new int[fixed.length];
    if (fixed.length > 0 && problem.memories().size() > 1) {
      GapPlacer placer = new GapPlacer(problem);
      Arrays.setAll(memories, k -> placer.memory(fixed[k]));
    } else if (fixed.length > 0) {
      check(problem, fixed); // one memory leaves no choice, and many buffers no time for first fit
    }
    return memories;
  }

  private static void check(PackingProblem problem, int[] fixed) {
    PackingProblem alone = problem.select(fixed).withCapacity(0, Memory.UNBOUNDED);
    long[] offsets = Arrays.stream(fixed).mapToLong(i -> problem.buffer(i).fixedOffset()).toArray();
    List<Violation> found = Verifier.violations(alone, Placement.of(offsets));
    if (!found.isEmpty()) {
      throw new NotPlannableException(found.get(0).text());
    }
  }

  private void takeIn(int memory) {
    int[] members =
        IndexOrder.of(
            IntStream.range(0, fixed.length)
                .filter(k -> memories[k] == memory && problem.buffer(fixed[k]).needsMemory())
                .map(k -> fixed[k]),
            Comparator.comparingInt(i -> -problem.buffer(i).live().end()));
    long[] borders =
        Arrays.stream(members)
            .mapToObj(problem::buffer)
            .flatMapToLong(b -> LongStream.of(b.fixedOffset(), b.fixedOffset() + b.size()))
            .sorted()
            .distinct()
            .toArray();
    int[] needed = new int[borders.length]; // until when the stretch above each border is needed
    DisjointSets painted =
        new DisjointSets(borders.length + 1); // each with the next one that is not
    for (int i : members) {
      Buffer buffer = problem.buffer(i);
      int last = Arrays.binarySearch(borders, buffer.fixedOffset() + buffer.size());
      int stretch = painted.root(Arrays.binarySearch(borders, buffer.fixedOffset()));
      while (stretch < last) {
        needed[stretch] = buffer.live().end();
        painted.join(stretch, stretch + 1);
        stretch = painted.root(stretch);
      }
    }
    for (int stretch = 0; stretch < borders.length; stretch++) {
      if (painted.root(stretch) != stretch) {
        take(memory, borders[stretch], borders[stretch + 1], needed[stretch]);
      }
    }
  }

  private void take(int memory, long from, long to, int step) {
    if (count == block.length) {
      block = Arrays.copyOf(block, 2 * count);
      home = Arrays.copyOf(home, 2 * count);
      until = Arrays.copyOf(until, 2 * count);
    }
    block[count] = blocks[memory].take(blocks[memory].top(), from, to, step);
    home[count] = memory;
    until[count++] = step;
  }

  /** Writes where the fixed buffers are, and that they are placed. */
  void write(long[] offsets, int[] ofMemories, boolean[] placed) {
    for (int k = 0; k < fixed.length; k++) {
      offsets[fixed[k]] = problem.buffer(fixed[k]).fixedOffset();
      ofMemories[fixed[k]] = memories[k];
      placed[fixed[k]] = true;
    }
  }

  /** Gives back what is no longer needed from a step on; steps must not fall from call to call. */
  void releaseUntil(int step) {
    for (; released < count && until[byEnd[released]] <= step; released++) {
      blocks[home[byEnd[released]]].release(block[byEnd[released]]);
    }
  }
}
