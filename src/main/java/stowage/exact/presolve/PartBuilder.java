package stowage.exact.presolve;

import java.util.Arrays;
import stowage.packing.PackingProblem;
import stowage.packing.StepOrder;

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
      long fixed = reduced.fixedOffset(b);
      fixedOffset[i] = fixed < 0 ? -1 : fixed / unit;
      withinBank[i] = reduced.withinBank(b);
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
        long wanted = reduced.alignment(buffers[i], memory);
        alignment[m][i] = wanted == 1 || unit % wanted == 0 ? 1 : wanted / unit;
        if (withinBank[i]) {
          bankSize[m] = problem.memories().get(memory).bankSize() / unit;
        }
      }
    }
  }

  private int[][] localConflicts(ReducedBuffers reduced) {
    int[][] lists = new int[buffers.length][];
    if (problem.conflicts().isEmpty()) {
      Arrays.fill(lists, new int[0]);
      return lists;
    }
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
    int[] start = new int[spans];
    int[] end = new int[spans];
    for (int i = 0; i < buffers.length; i++) {
      int first = reduced.firstSpan(buffers[i]);
      for (int k = 0; k < reduced.spanCount(buffers[i]); k++) {
        int s = firstSpan[i] + k;
        spanLow[s] = reduced.spanLow[first + k] / unit;
        spanHigh[s] = reduced.spanHigh[first + k] / unit;
        start[s] = reduced.spanStart[first + k];
        end[s] = reduced.spanEnd[first + k];
      }
    }
    int[] byStart = StepOrder.of(start, spans);
    int[] byEnd = StepOrder.of(end, spans);
    boolean grown = false;
    int ended = 0;
    for (int s : byStart) {
      // What ends at a step ends before what starts there: ranges are half-open.
      while (end[byEnd[ended]] <= start[s]) {
        sections += grown ? 1 : 0;
        grown = false;
        spanEnd[byEnd[ended++]] = sections;
      }
      spanStart[s] = sections;
      grown = true;
    }
    sections += grown ? 1 : 0;
    for (; ended < spans; ended++) {
      spanEnd[byEnd[ended]] = sections;
    }
  }

  /** For each buffer the last earlier one that is its equal in every way, or -1. */
  private int[] twins() {
    int[] twins = new int[buffers.length];
    // A hash table with open addressing: the signature and the last buffer that has it.
    int slots = Integer.highestOneBit(Math.max(1, buffers.length)) << 2;
    long[] signatures = new long[slots];
    int[] last = new int[slots];
    Arrays.fill(last, -1);
    for (int i = 0; i < buffers.length; i++) {
      twins[i] = -1;
      if (fixedOffset[i] >= 0) {
        continue;
      }
      long signature = signature(i);
      int slot = (int) signature & (slots - 1);
      while (last[slot] >= 0 && signatures[slot] != signature) {
        slot = slot + 1 & (slots - 1);
      }
      if (last[slot] >= 0 && identical(last[slot], i)) {
        twins[i] = last[slot];
      }
      signatures[slot] = signature;
      last[slot] = i;
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
