package stowage.exact.bound;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;

/**
 * Bound of a memory by conflicting buffers whose offsets are multiples of an alignment: the sum of
 * their sizes, rounded up; see {@link Certificate.Alignment}. Some may also be in other memories,
 * which are bounded.
 */
final class AlignmentBound {
  private static final int MOST_ALIGNMENTS = 8;

  private final PackingProblem problem;
  private final int memory;
  private final long others;
  private final long reach;

  private AlignmentBound(PackingProblem problem, int memory, long others) {
    this.problem = problem;
    this.memory = memory;
    this.others = others;
    this.reach = others | 1L << memory;
  }

  /** The highest bound worth a look where buffers may also be in others, a bit set; else null. */
  static Bound best(PackingProblem problem, int memory, long others) {
    AlignmentBound search = new AlignmentBound(problem, memory, others);
    Bound best = null;
    for (long alignment : search.alignments()) {
      Bound found = search.of(alignment);
      best = best == null || found != null && found.value() > best.value() ? found : best;
    }
    return best;
  }

  private boolean within(int buffer) {
    return (problem.allowedMask(buffer) & ~reach) == 0 && problem.buffer(buffer).needsMemory();
  }

  /** Alignments worth a look: those that some buffer of the memories is not a multiple of. */
  private Set<Long> alignments() {
    long common = problem.memories().get(memory).alignment();
    Set<Long> distinct = new LinkedHashSet<>();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      for (long alignment : new long[] {common, buffer.alignment()}) {
        if (distinct.size() < MOST_ALIGNMENTS && within(i) && buffer.size() % alignment != 0) {
          distinct.add(alignment);
        }
      }
    }
    return distinct;
  }

  private Bound of(long alignment) {
    boolean common = true;
    for (int m = 0; m < problem.memories().size(); m++) {
      common &= (reach >> m & 1) == 0 || problem.memories().get(m).alignment() % alignment == 0;
    }
    boolean all = common;
    CliqueFinder finder =
        new CliqueFinder(
            problem, i -> within(i) && (all || problem.buffer(i).alignment() % alignment == 0));
    ToLongFunction<int[]> worth = buffers -> worth(buffers, alignment);
    IntToLongFunction rounded = i -> Rounding.up(problem.buffer(i).size(), 0, alignment, 0);
    int[] members = finder.bestStep(rounded, worth);
    if (!problem.conflicts().isEmpty()) {
      int[] wider = finder.withConflicts(members, rounded);
      members = worth.applyAsLong(wider) > worth.applyAsLong(members) ? wider : members;
    }
    long value = worth.applyAsLong(members);
    Certificate why = new Certificate.Alignment(memory, alignment, others, members);
    return value <= 0 ? null : LowerBounds.bound(problem, memory, value, why);
  }

  /**
   * What is left of the rounded sizes for a memory: less what the others hold at most, and less the
   * rounding of a highest buffer. What a memory of c bytes holds is c rounded down to the
   * alignment, and as much again as the alignment where its highest buffer's rounding reaches the
   * next multiple. Memories that ask for a larger rounding choose first, each the least that will
   * do: that serves the most of them, and each is worth more than any rounding left over.
   */
  private long worth(int[] buffers, long alignment) {
    long sum = 0;
    long[] rounding = new long[buffers.length];
    for (int k = 0; k < buffers.length; k++) {
      long size = problem.buffer(buffers[k]).size();
      long rounded = Rounding.up(size, 0, alignment, 0);
      sum += rounded;
      rounding[k] = rounded - size;
    }
    Arrays.sort(rounding);
    long[] asked = new long[Long.bitCount(others)];
    int memories = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((others >> m & 1) != 0) {
        long rest = problem.memories().get(m).capacity() % alignment;
        sum -= Math.min(sum, problem.memories().get(m).capacity() - rest);
        asked[memories++] = rest == 0 ? Long.MAX_VALUE : alignment - rest;
      }
    }
    Arrays.sort(asked);
    for (int m = memories - 1; m >= 0; m--) {
      int at = 0;
      while (at < rounding.length && rounding[at] < asked[m]) {
        at++;
      }
      if (at < rounding.length) {
        sum -= Math.min(sum, alignment);
        rounding[at] = 0;
        Arrays.sort(rounding);
      }
    }
    return rounding.length == 0 ? 0 : sum - rounding[rounding.length - 1];
  }
}
