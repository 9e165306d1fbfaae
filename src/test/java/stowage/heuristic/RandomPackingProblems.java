package stowage.heuristic;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/** Seeded packing problems with constraints of every kind, and plain ones. */
public final class RandomPackingProblems {
  private RandomPackingProblems() {}

  /** A problem without any constraint besides the live ranges. */
  public static PackingProblem plain(long seed, int count, int horizon, int largest) {
    Random random = new Random(seed);
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int start = random.nextInt(horizon);
      int end = start + 1 + random.nextInt(Math.max(1, horizon - start));
      buffers.add(new Buffer("b" + k, 1 + random.nextInt(largest), start, end));
    }
    return PackingProblem.of("plain " + seed, buffers);
  }

  /** A problem of up to {@code most} buffers that uses any of the constraints there are. */
  public static PackingProblem any(long seed, int most) {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L + 7);
    int count = 1 + random.nextInt(most);
    int horizon = 2 + random.nextInt(20);
    int largest = 1 + random.nextInt(12);
    boolean banks = random.nextInt(3) == 0;
    boolean several = random.nextInt(3) == 0;
    List<Memory> memories = new ArrayList<>();
    if (several) {
      memories.add(new Memory("near", largest + random.nextInt(20), 1, 0, 0));
    }
    memories.add(
        new Memory(
            Memory.MAIN,
            Memory.UNBOUNDED,
            1 + random.nextInt(2),
            0,
            banks ? largest + random.nextInt(5) : 0));
    List<Buffer> buffers = new ArrayList<>();
    List<int[]> pairs = new ArrayList<>();
    long fixedAt = 0;
    for (int k = 0; k < count; k++) {
      Buffer buffer = buffer(random, "b" + k, horizon, largest);
      if (random.nextInt(10) == 0) {
        // Fixed ones are one above the other, so that the problem has a placement.
        fixedAt += (4 - fixedAt % 4) % 4;
        buffer = buffer.withAlignment(1 + random.nextInt(2)).withFixedOffset(fixedAt);
        buffer = buffer.withMemories(List.of(Memory.MAIN));
        fixedAt += buffer.size();
      } else {
        buffer = buffer.withinBank(banks && random.nextBoolean());
        if (several && random.nextInt(3) == 0) {
          buffer = buffer.withMemories(List.of(Memory.MAIN, "near"));
        }
      }
      buffers.add(buffer);
      if (k > 0 && random.nextInt(6) == 0) {
        pairs.add(new int[] {k, random.nextInt(k)});
      }
    }
    return new PackingProblem(
        "any " + seed, buffers, memories, ConflictPairs.of(buffers.size(), pairs));
  }

  private static Buffer buffer(Random random, String id, int horizon, int largest) {
    int start = random.nextInt(horizon);
    int end = start + (random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(horizon));
    long size = random.nextInt(25) == 0 ? 0 : 1 + random.nextInt(largest);
    Buffer buffer = new Buffer(id, size, start, end);
    if (random.nextInt(4) == 0) {
      buffer = buffer.withAlignment(1 + random.nextInt(5));
    }
    if (end - start > 3 && random.nextInt(3) == 0) {
      int from = start + 1 + random.nextInt(end - start - 2);
      int to = from + 1 + random.nextInt(end - from - 1);
      long low = size == 0 ? 0 : random.nextInt((int) size);
      long high = low + (size == 0 ? 0 : random.nextInt((int) (size - low) + 1));
      buffer = buffer.withGaps(List.of(new Gap(new LiveRange(from, to), low, high)));
    }
    return buffer;
  }
}
