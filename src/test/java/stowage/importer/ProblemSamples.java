package stowage.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;

/** Small random problems that use everything a problem can hold, for tests of files. */
public final class ProblemSamples {
  private static final String[] NAMES = {"a", "b,c", "d\"e", " f ", "g\r\nh", "\u00e9\u4e2d", "7"};

  private ProblemSamples() {}

  public static PackingProblem everything(Random draw) {
    List<Memory> memories = new ArrayList<>();
    int memoryCount = 1 + draw.nextInt(3);
    for (int m = 0; m < memoryCount; m++) {
      memories.add(
          new Memory(
              "m" + m,
              draw.nextBoolean() ? Memory.UNBOUNDED : draw.nextInt(1 << 20),
              1 << draw.nextInt(4),
              draw.nextInt(3) * 1024L,
              draw.nextBoolean() ? 0 : 256,
              draw.nextInt(3) > 0
                  ? List.of()
                  : List.of(new ReservedRange(0, 5), new ReservedRange(7, 9))));
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
    PackingProblem problem =
        new PackingProblem(
            "problem \"" + count + "\"", buffers, memories, ConflictPairs.of(count, pairs));
    return count < 3
        ? problem
        : problem.withRelations(relations(draw, problem)).withGoals(List.of(Goal.REUSE, Goal.PEAK));
  }

  private static Relations relations(Random draw, PackingProblem problem) {
    int count = problem.size();
    List<Relations.Reuse> reuse = new ArrayList<>();
    for (int k = draw.nextInt(4); k > 0; k--) {
      int first = draw.nextInt(count);
      int second = (first + 1 + draw.nextInt(count - 1)) % count;
      reuse.add(
          new Relations.Reuse(first, second, 1 + draw.nextInt(9), k == 1 ? "why \"so\"" : ""));
    }
    boolean common = (problem.allowedMask(1) & problem.allowedMask(2)) != 0;
    return Relations.none()
        .withReuse(reuse)
        .withTogether(common ? List.of(new Relations.Together(2, 1, 16)) : List.of())
        .withExclusive(ConflictPairs.of(count, List.of(new int[] {0, 2})))
        .withOtherBank(ConflictPairs.of(count, List.of(new int[] {0, 1})));
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
        draw.nextInt(4) == 0,
        draw.nextInt(6) == 0);
  }
}
