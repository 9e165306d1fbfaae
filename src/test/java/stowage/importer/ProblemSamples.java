package stowage.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/** Small random problems that use everything a problem can hold, for tests of files. */
final class ProblemSamples {
  private static final String[] NAMES = {"a", "b,c", "d\"e", " f ", "g\r\nh", "\u00e9\u4e2d", "7"};

  private ProblemSamples() {}

  static PackingProblem everything(Random draw) {
    List<Memory> memories = new ArrayList<>();
    int memoryCount = 1 + draw.nextInt(3);
    for (int m = 0; m < memoryCount; m++) {
      memories.add(
          new Memory(
              "m" + m,
              draw.nextBoolean() ? Memory.UNBOUNDED : draw.nextInt(1 << 20),
              1 << draw.nextInt(4),
              draw.nextInt(3) * 1024L,
              draw.nextBoolean() ? 0 : 256));
    }
    List<Buffer> buffers = new ArrayList<>();
    int count = draw.nextInt(9);
    for (int i = 0; i < count; i++) {
      buffers.add(buffer(draw, i, memories));
    }
    List<int[]> pairs = new ArrayList<>();
    for (int k = draw.nextInt(3); k > 0 && count > 1; k--) {
      int first = draw.nextInt(count);
      pairs.add(new int[] {first, (first + 1 + draw.nextInt(count - 1)) % count});
    }
    return new PackingProblem(
        "problem \"" + count + "\"", buffers, memories, ConflictPairs.of(count, pairs));
  }

  private static Buffer buffer(Random draw, int index, List<Memory> memories) {
    int start = draw.nextInt(20) - 3;
    int end = start + draw.nextInt(12);
    long size = draw.nextInt(200);
    long alignment = 1 << draw.nextInt(5);
    List<String> allowed = new ArrayList<>();
    for (Memory memory : memories) {
      if (draw.nextInt(3) == 0) {
        allowed.add(draw.nextInt(allowed.size() + 1), memory.name());
      }
    }
    List<Gap> gaps = new ArrayList<>();
    for (int at = start; at < end; ) {
      int from = at + draw.nextInt(6);
      int to = from + 1 + draw.nextInt(3);
      if (to <= end && draw.nextInt(3) == 0) {
        long low = draw.nextInt((int) size + 1);
        long high = low + draw.nextInt((int) (size - low) + 1);
        gaps.add(high == low ? Gap.empty(from, to) : new Gap(new LiveRange(from, to), low, high));
      }
      at = to;
    }
    return new Buffer(
        NAMES[draw.nextInt(NAMES.length)] + index,
        size,
        new LiveRange(start, end),
        alignment,
        draw.nextInt(4) == 0 ? alignment * draw.nextInt(50) : Buffer.NONE,
        draw.nextInt(4) == 0 ? draw.nextInt(500) : Buffer.NONE,
        gaps,
        allowed,
        draw.nextInt(4) == 0);
  }
}
