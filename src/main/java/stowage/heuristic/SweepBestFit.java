package stowage.heuristic;

import java.util.Arrays;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.StepOrder;

/**
 * Placer of millions of buffers in about a second: goes through the steps as a runtime allocator
 * would, but knows when every buffer ends.
 *
 * <p><b>Method.</b> At each step what ends gives its addresses back, and what starts, the largest
 * first, takes one of the tightest gaps. Among some of them that gap is taken which wastes least of
 * the buffer's size and is between long-lived neighbours: one whose neighbour soon ends will grow
 * by itself. Within it the buffer is against the neighbour that ends later, so that the rest joins
 * what the other one leaves. Where no gap is large enough the buffer is placed on top.
 *
 * <p>Example: [0, 8) is free until 50 below and above, [20, 30) is below a buffer that ends at 4. A
 * buffer of 7 bytes during [3, 40) takes [0, 7): the other gap is to grow. On a million buffers of
 * sizes from 512 bytes to 16 MB, some 10,000 of them alive at a time, the peak is 2.6 % above the
 * max load.
 *
 * <p><b>Constraints.</b> A buffer is taken as alive in full from its first to its last step. A
 * fixed offset keeps its bytes from all others until it ends, from the first step on. A buffer
 * takes the memory it prefers most among those whose capacity admits it there, and where none does,
 * the one it exceeds least.
 *
 * <p>Source: dynamic storage allocation by best fit, as surveyed by Wilson, Johnstone, Neely and
 * Boles (1995, doi 10.1007/3-540-60368-9_19); the choice by ends is our own. O(n log n) for the
 * order of steps and O(1) for each buffer, memory linear in n; pairs of extra conflicts once each.
 */
public final class SweepBestFit implements Planner {
  private static final int CANDIDATES = 16;

  /** How many gaps are looked at, those too small by a little or by alignment among them. */
  private static final int LOOKS = 64;

  /** What a gap that lasts e times longer is worth, as a share of the buffer's size. */
  private static final double WORTH_OF_LASTING = 0.05;

  private static final double LOG_OF_TWO = 0.6931471805599453;

  @Override
  public String name() {
    return "sweep-best-fit";
  }

  @Override
  public String summary() {
    return "In the order of time, each into a tight gap between buffers that live on; for millions";
  }

  /**
   * {@inheritDoc}
   *
   * <p>Never looks at the control: it takes about a microsecond a buffer, and a caller without a
   * plan better when a run ends needs this.
   *
   * @throws NotPlannableException when two fixed buffers clash
   */
  @Override
  public Placement plan(PackingProblem problem, RunControl control) {
    return new Run(problem).placement();
  }

  private static final class Run {
    private final PackingProblem problem;
    private final int[] allMemories;
    private final boolean hasConflicts;
    private final long[] offsets;
    private final int[] memories;
    private final boolean[] placed;

    private final int[] blockOf;

    private final AddressBlocks[] blocks;
    private final FixedBlocks fixed;

    // What the last search in one memory found.
    private int foundBlock;
    private long foundOffset;

    Run(PackingProblem problem) {
      int count = problem.size();
      this.problem = problem;
      this.hasConflicts = !problem.conflicts().isEmpty();
      this.allMemories = new int[problem.memories().size()];
      this.blocks = new AddressBlocks[allMemories.length];
      for (int m = 0; m < allMemories.length; m++) {
        allMemories[m] = m;
        blocks[m] = new AddressBlocks();
      }
      this.offsets = new long[count];
      this.memories = new int[count];
      this.placed = new boolean[count];
      this.blockOf = new int[count];
      Arrays.fill(blockOf, AddressBlocks.NONE);
      this.fixed = new FixedBlocks(problem, blocks);
      fixed.write(offsets, memories, placed);
    }

    Placement placement() {
      int count = problem.size();
      int[] starts = problem.buffers().stream().mapToInt(it -> it.live().start()).toArray();
      int[] ends = problem.buffers().stream().mapToInt(it -> it.live().end()).toArray();
      int[] byStart = StepOrder.of(starts, count);
      int[] byEnd = StepOrder.of(ends, count);
      int ended = 0;
      int from = 0;
      while (from < count) {
        int step = starts[byStart[from]];
        int to = from + 1;
        while (to < count && starts[byStart[to]] == step) {
          to++;
        }
        for (; ended < count && ends[byEnd[ended]] <= step; ended++) {
          release(byEnd[ended]);
        }
        fixed.releaseUntil(step);
        largestFirst(byStart, from, to);
        for (int k = from; k < to; k++) {
          place(byStart[k], step, ends[byStart[k]]);
        }
        from = to;
      }
      return Placement.of(offsets, memories);
    }

    private void release(int buffer) {
      if (blockOf[buffer] != AddressBlocks.NONE) {
        blocks[memories[buffer]].release(blockOf[buffer]);
        blockOf[buffer] = AddressBlocks.NONE;
      }
    }

    private void largestFirst(int[] order, int from, int to) {
      if (to - from > 1) {
        int[] sorted = IndexOrder.of(Arrays.stream(order, from, to), OrderKeys.bySize(problem));
        System.arraycopy(sorted, 0, order, from, sorted.length);
      }
    }

    private void place(int buffer, int step, int end) {
      if (placed[buffer]) {
        return;
      }
      int[] wanted = GapPlacer.preferences(problem, buffer, allMemories);
      memories[buffer] = wanted[0];
      placed[buffer] = true;
      if (!problem.buffer(buffer).needsMemory()) {
        return;
      }
      long size = problem.buffer(buffer).size();
      long leastExcess = Long.MAX_VALUE;
      int block = AddressBlocks.NONE;
      for (int k = 0; k < wanted.length && leastExcess > 0; k++) {
        find(buffer, wanted[k], step, end);
        if (foundOffset < 0) {
          continue;
        }
        long excess =
            Math.max(0, foundOffset + size - problem.memories().get(wanted[k]).capacity());
        if (excess < leastExcess) {
          leastExcess = excess;
          block = foundBlock;
          offsets[buffer] = foundOffset;
          memories[buffer] = wanted[k];
        }
      }
      if (leastExcess == Long.MAX_VALUE) {
        throw GapPlacer.noOffset(problem, buffer);
      }
      blockOf[buffer] =
          blocks[memories[buffer]].take(block, offsets[buffer], offsets[buffer] + size, end);
    }

    private void find(int buffer, int memory, int step, int end) {
      AddressBlocks home = blocks[memory];
      long size = problem.buffer(buffer).size();
      double least = Double.POSITIVE_INFINITY;
      int weighed = 0;
      int looks = 0;
      int block = home.candidate(size);
      while (block != AddressBlocks.NONE && weighed < CANDIDATES && looks < LOOKS) {
        looks++;
        int below = home.untilBelow(block);
        int above = home.untilAbove(block);
        long offset = offset(buffer, memory, home.start(block), home.end(block), above > below);
        if (offset >= 0 && isFree(buffer, memory, offset)) {
          weighed++;
          long waste = home.end(block) - home.start(block) - size;
          double cost =
              waste == 0
                  ? -1
                  : cost(waste, size, (long) end - step, (long) Math.min(below, above) - step);
          if (cost < least) {
            least = cost;
            foundBlock = block;
            foundOffset = offset;
          }
        }
        block = least < 0 ? AddressBlocks.NONE : home.next(block);
      }
      if (weighed == 0) {
        foundBlock = home.top();
        foundOffset = onTop(buffer, memory);
      }
    }

    /** What a gap costs: the share that is wasted, and more the sooner it would grow by itself. */
    private static double cost(long waste, long size, long life, long lasts) {
      return (double) waste / size
          + WORTH_OF_LASTING * logarithm((life + 1.0) / (Math.min(life, lasts) + 1.0));
    }

    /**
     * The natural logarithm of a number of 1 or more, to about nine digits, by 2 atanh((m - 1) / (m
     * + 1)) of the mantissa m. Additions, products and one quotient are the same on every machine,
     * which {@link Math#log} need not be, and {@link StrictMath#log} takes several times as long.
     */
    private static double logarithm(double value) {
      int exponent = Math.getExponent(value);
      double mantissa = Math.scalb(value, -exponent); // [1, 2)
      double t = (mantissa - 1) / (mantissa + 1);
      double square = t * t;
      double sum = 1.0 / 17;
      for (int odd = 15; odd > 0; odd -= 2) {
        sum = sum * square + 1.0 / odd;
      }
      return exponent * LOG_OF_TWO + 2 * t * sum;
    }

    /** The offset at one end of a gap, or -1 where alignment and banks leave none. */
    private long offset(int buffer, int memory, long start, long end, boolean atItsTop) {
      long size = problem.buffer(buffer).size();
      if (end - start < size) {
        return -1;
      }
      if (atItsTop && !problem.staysInBank(buffer, memory)) {
        long offset = end - size;
        offset -= offset % problem.alignment(buffer, memory);
        return offset >= start ? offset : -1;
      }
      long offset = problem.roundUp(buffer, memory, start);
      return offset + size <= end ? offset : -1;
    }

    /** The least offset above all that is taken and above all extra conflicts. */
    private long onTop(int buffer, int memory) {
      long from = blocks[memory].start(blocks[memory].top());
      if (hasConflicts) {
        for (int other : problem.conflicts().of(buffer)) {
          if (isInTheWay(other, memory)) {
            from = Math.max(from, offsets[other] + problem.buffer(other).size());
          }
        }
      }
      return problem.roundUp(buffer, memory, from);
    }

    private boolean isInTheWay(int other, int memory) {
      return placed[other] && memories[other] == memory && problem.buffer(other).needsMemory();
    }

    private boolean isFree(int buffer, int memory, long offset) {
      if (!hasConflicts) {
        return true;
      }
      long end = offset + problem.buffer(buffer).size();
      for (int other : problem.conflicts().of(buffer)) {
        if (isInTheWay(other, memory)
            && offset < offsets[other] + problem.buffer(other).size()
            && offsets[other] < end) {
          return false;
        }
      }
      return true;
    }
  }
}
