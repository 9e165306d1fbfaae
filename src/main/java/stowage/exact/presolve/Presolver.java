package stowage.exact.presolve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.DisjointSets;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;
import stowage.packing.StepOrder;

/**
 * Presolve that takes a packing problem apart into what the engines solve, without changing its
 * optimum.
 *
 * <ol>
 *   <li><b>Aside.</b> Buffers that never need memory take any allowed place. A memory in which a
 *       buffer cannot be even alone (a fixed offset against the alignment, the banks or the
 *       capacity) is struck off; a buffer with none left makes the problem infeasible.
 *   <li><b>Parts.</b> Buffers that never conflict, directly or through others, are solved apart: by
 *       time, extra conflicts and memories.
 *   <li><b>Units.</b> Each component counts in the largest unit that its figures allow ({@link
 *       ComponentBuilder}).
 *   <li><b>Bottom.</b> A buffer alive throughout a part, in the way of everything in it, cuts every
 *       placement into what is below and above it. Moving the buffer to the bottom and what was
 *       below it up by its size changes no peak, provided its size is a multiple of the others'
 *       alignments and banks and nothing is fixed. It is then settled, and the rest, on a raised
 *       floor, may fall apart again.
 * </ol>
 *
 * <p>Example: w of 6 bytes alive during [0, 9), a of 4 during [0, 3), b of 4 during [1, 5), c of 8
 * during [5, 9). w is settled at 0; above it {a, b} is a part in units of 4 bytes with base 6, and
 * c, alone in its part, is settled at 6. The optimum is max(6 + 2 * 4, 6 + 8) = 14.
 *
 * <p>O(n log n) for n spans, times the depth to which buffers alive throughout are nested; the
 * nesting is followed only as far as the work stays linear in n.
 */
public final class Presolver {
  private static final int WORK_PER_BUFFER = 40;

  private final PackingProblem problem;
  private final ReducedBuffers reduced;
  private final long[] offsets;
  private final int[] memories;
  private final long[] peaks;
  private final List<Component> parts = new ArrayList<>();
  private long work;

  private Presolver(PackingProblem problem) {
    this.problem = problem;
    this.reduced = new ReducedBuffers(problem);
    this.offsets = new long[problem.size()];
    this.memories = new int[problem.size()];
    this.peaks = new long[problem.memories().size()];
    this.work = (long) WORK_PER_BUFFER * problem.size() + 10_000;
  }

  /** Takes a problem apart. */
  public static PresolvedProblem presolve(PackingProblem problem) {
    return new Presolver(problem).run();
  }

  /** Buffers that are to be cut into parts, above those stacked so far. */
  private record Group(int[] buffers, int[] stacked, long base) {}

  private PresolvedProblem run() {
    Deque<Group> groups = new ArrayDeque<>();
    int[] active = new int[problem.size()];
    int count = 0;
    for (int i = 0; i < problem.size(); i++) {
      if (reduced.allowed(i) == 0) {
        return new PresolvedProblem(problem, List.of(), offsets, memories, peaks, i, reason(i));
      }
      if (reduced.spanCount(i) > 0 || problem.buffer(i).needsMemory()) {
        active[count++] = i;
      } else {
        offsets[i] = Math.max(0, reduced.fixedOffset(i));
        memories[i] = Long.numberOfTrailingZeros(reduced.allowed(i));
      }
    }
    for (int[] ofMemories : byMemories(Arrays.copyOf(active, count))) {
      groups.add(new Group(ofMemories, new int[0], 0));
    }
    while (!groups.isEmpty()) {
      Group group = groups.poll();
      work -= group.buffers.length;
      for (int[] component : components(group.buffers)) {
        Group rest = settle(component, group);
        if (rest != null) {
          groups.add(rest);
        }
      }
    }
    parts.sort((one, other) -> Integer.compare(one.buffer(0), other.buffer(0)));
    return new PresolvedProblem(problem, parts, offsets, memories, peaks, -1, null);
  }

  private String reason(int i) {
    Buffer buffer = problem.buffer(i);
    return "buffer \"%s\" of %s bytes%s fits into none of its memories by itself"
        .formatted(
            buffer.id(),
            buffer.size(),
            buffer.isFixed() ? ", fixed at " + buffer.fixedOffset() + "," : "");
  }

  /** Splits buffers by groups of memories between which none has a choice. */
  private List<int[]> byMemories(int[] active) {
    int count = problem.memories().size();
    if (count == 1) {
      return List.of(active);
    }
    DisjointSets joined = new DisjointSets(count);
    for (int i : active) {
      int first = Long.numberOfTrailingZeros(reduced.allowed(i));
      for (int m = first + 1; m < count; m++) {
        if ((reduced.allowed(i) >> m & 1) != 0) {
          joined.join(m, first);
        }
      }
    }
    List<int[]> split = new ArrayList<>();
    for (int[] group : joined.sets()) {
      long own =
          Arrays.stream(group).mapToLong(m -> 1L << m).reduce(0, (one, other) -> one | other);
      int[] members = Arrays.stream(active).filter(i -> (reduced.allowed(i) & own) != 0).toArray();
      if (members.length > 0) {
        split.add(members);
      }
    }
    return split;
  }

  /** The connected components of conflicting buffers; each ascending. O(n log n). */
  private List<int[]> components(int[] buffers) {
    int spans = Arrays.stream(buffers).map(reduced::spanCount).sum();
    int[] start = new int[spans];
    int[] end = new int[spans];
    int[] owner = new int[spans];
    int at = 0;
    for (int k = 0; k < buffers.length; k++) {
      int first = reduced.firstSpan(buffers[k]);
      for (int s = first; s < first + reduced.spanCount(buffers[k]); s++) {
        owner[at] = k;
        start[at] = reduced.spanStart[s];
        end[at++] = reduced.spanEnd[s];
      }
    }
    DisjointSets sets = new DisjointSets(buffers.length);
    int current = -1;
    int last = Integer.MIN_VALUE;
    for (int k : StepOrder.of(start, spans)) {
      if (current >= 0 && start[k] < last) {
        sets.join(owner[k], current);
        last = Math.max(last, end[k]);
      } else {
        current = owner[k];
        last = end[k];
      }
    }
    if (!problem.conflicts().isEmpty()) {
      for (int k = 0; k < buffers.length; k++) {
        for (int other : problem.conflicts().of(buffers[k])) {
          int member = Arrays.binarySearch(buffers, other);
          if (member >= 0) {
            sets.join(k, member);
          }
        }
      }
    }
    List<int[]> components = sets.sets();
    components.forEach(members -> Arrays.setAll(members, k -> buffers[members[k]]));
    return components;
  }

  /** Settles what can be settled of a component; answers with the rest to be cut again, or null. */
  private Group settle(int[] component, Group group) {
    long reach = 0;
    for (int b : component) {
      reach |= reduced.allowed(b);
    }
    int[] reached = BitSet.valueOf(new long[] {reach}).stream().toArray();
    if (reached.length == 1 && component.length == 1) {
      long fixed = reduced.fixedOffset(component[0]);
      place(component[0], reached[0], fixed >= 0 ? fixed : group.base);
      return null;
    }
    ComponentBuilder builder =
        ComponentBuilder.of(reduced, component, reached, group.stacked, group.base);
    if (reached.length == 1 && work > 0) {
      Group rest = stack(component, reached[0], builder.unit(), group);
      if (rest != null) {
        return rest.buffers.length == 0 ? null : rest;
      }
    }
    parts.add(builder.build());
    return null;
  }

  private void place(int buffer, int memory, long offset) {
    offsets[buffer] = offset;
    memories[buffer] = memory;
    peaks[memory] = Math.max(peaks[memory], offset + reduced.size(buffer));
  }

  /** Settles the buffers alive throughout at the bottom; null when there are none. */
  private Group stack(int[] component, int memory, long unit, Group group) {
    int firstEnd = Integer.MAX_VALUE;
    int lastStart = Integer.MIN_VALUE;
    long step = 1; // what the size of a settled buffer must be a multiple of
    for (int b : component) {
      if (reduced.fixedOffset(b) >= 0 || !reduced.everWhole(b)) {
        return null;
      }
      long wanted = reduced.alignment(b, memory);
      step = wanted == 1 || unit % wanted == 0 ? step : Rounding.lcm(step, wanted);
      if (reduced.withinBank(b) && problem.staysInBank(b, memory)) {
        step = Rounding.lcm(step, problem.memories().get(memory).bankSize());
      }
      for (int k = 0; k < reduced.spanCount(b); k++) {
        int s = reduced.firstSpan(b) + k;
        firstEnd = Math.min(firstEnd, reduced.spanEnd[s]);
        lastStart = Math.max(lastStart, reduced.spanStart[s]);
      }
    }
    int[] rest = new int[component.length];
    int[] stacked = Arrays.copyOf(group.stacked, group.stacked.length + component.length);
    int left = 0;
    int settled = group.stacked.length;
    long base = group.base;
    for (int b : component) {
      int s = reduced.firstSpan(b);
      boolean throughout =
          reduced.spanCount(b) == 1
              && reduced.spanStart[s] < firstEnd
              && reduced.spanEnd[s] > lastStart
              && reduced.size(b) % step == 0;
      if (throughout) {
        place(b, memory, base);
        base += reduced.size(b);
        stacked[settled++] = b;
      } else {
        rest[left++] = b;
      }
    }
    return settled == group.stacked.length
        ? null
        : new Group(Arrays.copyOf(rest, left), Arrays.copyOf(stacked, settled), base);
  }
}
