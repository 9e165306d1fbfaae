package stowage.exact;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import stowage.packing.PackingProblem;

/** Gathers the arrays of one {@link NormalPart}. */
final class PartBuilder {
  final PackingProblem problem;
  final int[] buffers;
  final int[] stacked;
  final long unit;
  final long base;
  final long[] size;
  final long[] fixedOffset;
  final boolean[] withinBank;
  final int[] memories;
  final long[] capacity;
  final long[] bankSize;
  final long[][] alignment;
  final long[] allowed;
  final int[][] extraConflicts;
  final int[] twin;
  int sections;
  final int[] firstSpan;
  int[] spanStart;
  int[] spanEnd;
  long[] spanLow;
  long[] spanHigh;

  /**
   * @param reduced what the normaliser has learnt of every buffer
   * @param buffers the part's buffers, problem indices, ascending
   * @param memories the part's memories, problem indices, ascending
   * @param stacked buffers at the bottom of the part, lowest first
   */
  PartBuilder(
      ReducedBuffers reduced, int[] buffers, int[] memories, long unit, int[] stacked, long base) {
    this.problem = reduced.problem;
    this.buffers = buffers;
    this.stacked = stacked;
    this.unit = unit;
    this.base = base;
    this.memories = memories;
    int n = buffers.length;
    size = new long[n];
    fixedOffset = new long[n];
    withinBank = new boolean[n];
    allowed = new long[n];
    alignment = new long[memories.length][n];
    capacity = new long[memories.length];
    bankSize = new long[memories.length];
    firstSpan = new int[n + 1];
    for (int i = 0; i < n; i++) {
      int b = buffers[i];
      size[i] = reduced.size(b) / unit;
      long fixed = problem.buffer(b).fixedOffset();
      fixedOffset[i] = fixed < 0 ? -1 : fixed / unit;
      withinBank[i] = problem.buffer(b).withinBank();
      firstSpan[i + 1] = firstSpan[i] + reduced.spanCount(b);
    }
    for (int m = 0; m < memories.length; m++) {
      addMemory(reduced, m);
    }
    extraConflicts = localConflicts(reduced);
    compressTime(reduced);
    twin = twins();
  }

  private void addMemory(ReducedBuffers reduced, int m) {
    int memory = memories[m];
    long bytes = problem.memories().get(memory).capacity();
    capacity[m] =
        bytes == Long.MAX_VALUE ? NormalPart.UNBOUNDED : Math.floorDiv(bytes - base, unit);
    for (int i = 0; i < buffers.length; i++) {
      alignment[m][i] = 1;
      if ((reduced.allowed(buffers[i]) >> memory & 1) != 0) {
        allowed[i] |= 1L << m;
        long wanted = problem.alignment(buffers[i], memory);
        alignment[m][i] = unit % wanted == 0 ? 1 : wanted / unit;
        if (withinBank[i]) {
          bankSize[m] = problem.memories().get(memory).bankSize() / unit;
        }
      }
    }
  }

  private int[][] localConflicts(ReducedBuffers reduced) {
    int[][] lists = new int[buffers.length][];
    for (int i = 0; i < buffers.length; i++) {
      int[] all = problem.conflicts().of(buffers[i]);
      if (all.length == 0) {
        lists[i] = all;
        continue;
      }
      int[] own = new int[all.length];
      int kept = 0;
      for (int other : all) {
        int at = Arrays.binarySearch(buffers, other);
        if (at >= 0 && (reduced.allowed(other) & reduced.allowed(buffers[i])) != 0) {
          own[kept++] = at;
        }
      }
      lists[i] = Arrays.copyOf(own, kept);
    }
    return lists;
  }

  /** Numbers the maximal live sets: a start followed by an end before the next start makes one. */
  private void compressTime(ReducedBuffers reduced) {
    int spans = firstSpan[buffers.length];
    spanStart = new int[spans];
    spanEnd = new int[spans];
    spanLow = new long[spans];
    spanHigh = new long[spans];
    long[] events = new long[2 * spans];
    for (int i = 0; i < buffers.length; i++) {
      for (int k = 0; k < reduced.spanCount(buffers[i]); k++) {
        int s = firstSpan[i] + k;
        int from = reduced.firstSpan(buffers[i]) + k;
        spanLow[s] = reduced.spanLow[from] / unit;
        spanHigh[s] = reduced.spanHigh[from] / unit;
        // Ends sort before starts at one step: ranges are half-open.
        events[2 * s] = (long) reduced.spanStart[from] << 32 | 1L << 31 | s;
        events[2 * s + 1] = (long) reduced.spanEnd[from] << 32 | s;
      }
    }
    Arrays.sort(events);
    boolean grown = false;
    for (long event : events) {
      int s = (int) (event & 0x7fffffffL);
      if ((event & 1L << 31) != 0) {
        spanStart[s] = sections;
        grown = true;
      } else {
        if (grown) {
          sections++;
          grown = false;
        }
        spanEnd[s] = sections;
      }
    }
  }

  private int[] twins() {
    int[] twins = new int[buffers.length];
    Map<Long, Integer> last = new HashMap<>();
    for (int i = 0; i < buffers.length; i++) {
      Integer earlier = fixedOffset[i] >= 0 ? null : last.put(signature(i), i);
      twins[i] = earlier != null && identical(earlier, i) ? earlier : -1;
    }
    return twins;
  }

  private long signature(int i) {
    long hash = size[i] * 31 + allowed[i] * 7 + (withinBank[i] ? 3 : 0);
    for (long[] ofMemory : alignment) {
      hash = mix(hash + ofMemory[i]);
    }
    for (int s = firstSpan[i]; s < firstSpan[i + 1]; s++) {
      hash = mix(mix(hash + spanStart[s]) + spanEnd[s]) + spanLow[s] * 13 + spanHigh[s];
    }
    return mix(hash + Arrays.hashCode(extraConflicts[i]));
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 31) * 0x9e3779b97f4a7c15L;
    return mixed ^ mixed >>> 29;
  }

  private boolean identical(int i, int j) {
    int spans = firstSpan[i + 1] - firstSpan[i];
    if (size[i] != size[j]
        || allowed[i] != allowed[j]
        || withinBank[i] != withinBank[j]
        || firstSpan[j + 1] - firstSpan[j] != spans
        || !Arrays.equals(extraConflicts[i], extraConflicts[j])) {
      return false;
    }
    for (long[] ofMemory : alignment) {
      if (ofMemory[i] != ofMemory[j]) {
        return false;
      }
    }
    for (int k = 0; k < spans; k++) {
      int s = firstSpan[i] + k;
      int t = firstSpan[j] + k;
      if (spanStart[s] != spanStart[t]
          || spanEnd[s] != spanEnd[t]
          || spanLow[s] != spanLow[t]
          || spanHigh[s] != spanHigh[t]) {
        return false;
      }
    }
    return true;
  }
}
