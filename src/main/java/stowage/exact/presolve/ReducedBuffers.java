package stowage.exact.presolve;

import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * The buffers of a problem with what they need in time merged into as few spans as possible, and
 * with the memories taken away in which they can never be validly.
 */
final class ReducedBuffers {
  final PackingProblem problem;
  private final int[] firstSpan;
  final int[] spanStart;
  final int[] spanEnd;
  final long[] spanLow;
  final long[] spanHigh;
  private final long[] allowed;
  private final long[] size;
  private final long[] fixedOffset;
  private final long[] alignment;
  private final boolean[] withinBank;

  ReducedBuffers(PackingProblem problem) {
    this.problem = problem;
    int n = problem.size();
    firstSpan = new int[n + 1];
    allowed = new long[n];
    size = new long[n];
    fixedOffset = new long[n];
    alignment = new long[n];
    withinBank = new boolean[n];
    int most = problem.buffers().stream().mapToInt(buffer -> 2 * buffer.gaps().size() + 1).sum();
    spanStart = new int[most];
    spanEnd = new int[most];
    spanLow = new long[most];
    spanHigh = new long[most];
    int count = 0;
    for (int i = 0; i < n; i++) {
      Buffer buffer = problem.buffer(i);
      size[i] = buffer.size();
      fixedOffset[i] = buffer.fixedOffset();
      alignment[i] = buffer.alignment();
      withinBank[i] = buffer.withinBank();
      allowed[i] = possibleMemories(i);
      for (Buffer.Span span : buffer.spans()) {
        if (count == firstSpan[i]
            || spanEnd[count - 1] != span.start()
            || spanLow[count - 1] != span.low()
            || spanHigh[count - 1] != span.high()) {
          spanStart[count] = span.start();
          spanLow[count] = span.low();
          spanHigh[count++] = span.high();
        }
        spanEnd[count - 1] = span.end();
      }
      firstSpan[i + 1] = count;
    }
  }

  /** The memories in which a buffer, alone, could be as the verifier demands. */
  private long possibleMemories(int i) {
    Buffer buffer = problem.buffer(i);
    long mask = problem.allowedMask(i);
    for (int m = 0; m < problem.memories().size(); m++) {
      if ((mask >> m & 1) != 0 && !possible(buffer, problem.memories().get(m))) {
        mask &= ~(1L << m);
      }
    }
    return mask;
  }

  private static boolean possible(Buffer buffer, Memory memory) {
    long lowest = Math.max(0, buffer.fixedOffset());
    boolean crosses =
        buffer.withinBank()
            && memory.bankSize() > 0
            && lowest % memory.bankSize() + buffer.size() > memory.bankSize();
    boolean fits = !buffer.needsMemory() || lowest + buffer.size() <= memory.capacity();
    return lowest % memory.alignment() == 0 && fits && !crosses;
  }

  long size(int buffer) {
    return size[buffer];
  }

  /** The offset a buffer must have, negative where it is free. */
  long fixedOffset(int buffer) {
    return fixedOffset[buffer];
  }

  /** What a buffer's offset must be a multiple of in a memory, as the problem says it. */
  long alignment(int buffer, int memory) {
    long common = problem.memories().get(memory).alignment();
    return common == 1 ? alignment[buffer] : problem.alignment(buffer, memory);
  }

  /** Whether a buffer must not cross a bank border where its memory has banks. */
  boolean withinBank(int buffer) {
    return withinBank[buffer];
  }

  /** The memories in which a buffer can be, as a bit set; empty when it can be nowhere. */
  long allowed(int buffer) {
    return allowed[buffer];
  }

  int firstSpan(int buffer) {
    return firstSpan[buffer];
  }

  int spanCount(int buffer) {
    return firstSpan[buffer + 1] - firstSpan[buffer];
  }

  /** Whether some span needs the whole buffer. */
  boolean everWhole(int buffer) {
    for (int s = firstSpan[buffer]; s < firstSpan[buffer + 1]; s++) {
      if (spanHigh[s] - spanLow[s] == size[buffer]) {
        return true;
      }
    }
    return false;
  }
}
