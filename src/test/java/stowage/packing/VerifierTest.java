package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VerifierTest {

  private static PackingProblem problem(Buffer... buffers) {
    return PackingProblem.of("test", List.of(buffers));
  }

  private static PackingProblem problem(String buffers) {
    return Buffers.problem(buffers);
  }

  private static void assertKind(Violation.Kind kind, PackingProblem problem, long... offsets) {
    assertEquals(kind, check(problem, offsets).get(0).kind());
  }

  private static List<Violation> check(PackingProblem problem, long... offsets) {
    return Verifier.violations(problem, Placement.of(offsets));
  }

  @Test
  void namesTheClashingBuffersTheStepAndTheBytes() {
    PackingProblem problem = problem("A:8[0,5) B:8[3,9)");
    List<Violation> found = check(problem, 0, 4);
    assertEquals(1, found.size());
    Violation clash = found.get(0);
    assertEquals(Violation.Kind.OVERLAP, clash.kind());
    assertEquals(List.of(0, 1), clash.buffers());
    assertEquals(3, clash.step());
    assertEquals(4, clash.low());
    assertEquals(8, clash.high());
    assertTrue(clash.text().contains("\"A\"") && clash.text().contains("\"B\""), clash.text());
  }

  @Test
  void touchingInTimeOrSpaceIsNoOverlap() {
    PackingProblem inTime = problem("A:8[0,5) B:8[5,9)");
    assertEquals(List.of(), check(inTime, 0, 0));
    PackingProblem inSpace = problem("A:8[0,5) B:8[3,9)");
    assertEquals(List.of(), check(inSpace, 0, 8));
  }

  @Test
  void aWindowLeavesTheRestOfTheBufferFree() {
    Buffer windowed =
        new Buffer("A", 10, 0, 9).withGaps(List.of(new Gap(new LiveRange(3, 6), 8, 10)));
    Buffer guest = new Buffer("B", 8, 3, 6);
    assertEquals(List.of(), check(problem(windowed, guest), 0, 0));
    assertEquals(Violation.Kind.OVERLAP, check(problem(windowed, guest), 0, 1).get(0).kind());
    Buffer tooLong = new Buffer("B", 8, 3, 7);
    assertEquals(6, check(problem(windowed, tooLong), 0, 0).get(0).step());
  }

  @Test
  void eachRuleHasItsViolation() {
    assertKind(Violation.Kind.ALIGNMENT, problem("A:4[0,1)%8"), 4);
    assertKind(Violation.Kind.FIXED, problem("A:4[0,1)@16"), 0);
    PackingProblem plain = problem("A:4[0,1)");
    assertKind(Violation.Kind.OFFSET, plain, -1);
    assertKind(Violation.Kind.SHAPE, plain, 0, 0);
    assertKind(Violation.Kind.CAPACITY, plain.withCapacity(0, 7), 4);
    PackingProblem banked =
        problem("A:4[0,1)|").withMemories(List.of(Memory.main().withBankSize(8)));
    assertKind(Violation.Kind.BANK, banked, 6);
    assertEquals(List.of(), check(banked, 4));
    PackingProblem pair =
        problem("A:4[0,1) B:4[5,6)").withConflicts(ConflictPairs.of(2, List.of(new int[] {0, 1})));
    assertKind(Violation.Kind.CONFLICT, pair, 0, 3);
    assertEquals(List.of(), check(pair, 0, 4));
  }

  @Test
  void buffersOfDifferentMemoriesNeverClash() {
    PackingProblem problem =
        problem("A:4[0,2) B:4[0,2)")
            .withMemories(List.of(new Memory("near", 8, 1, 0, 0), new Memory("far", 8, 1, 0, 0)));
    assertEquals(List.of(), kinds(problem, 0, 1));
    assertEquals(Violation.Kind.OVERLAP, kinds(problem, 1, 1).get(0));
    assertEquals(Violation.Kind.MEMORY, kinds(problem, 2, 1).get(0));
  }

  private static List<Violation.Kind> kinds(PackingProblem problem, int... memories) {
    Placement placement = Placement.of(new long[memories.length], memories);
    return Verifier.violations(problem, placement).stream().map(Violation::kind).toList();
  }

  /** Byte by byte and step by step, the way one would check a drawing. */
  private static boolean validByPainting(PackingProblem problem, long[] offsets) {
    int[][] owner = new int[12][64];
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      for (int step = 0; step < 12; step++) {
        if (!buffer.live().contains(step)) {
          continue;
        }
        long low = 0;
        long high = buffer.size();
        for (Gap gap : buffer.gaps()) {
          if (gap.range().contains(step)) {
            low = gap.windowStart();
            high = gap.windowEnd();
          }
        }
        for (long at = offsets[i] + low; at < offsets[i] + high; at++) {
          if (owner[step][(int) at]++ > 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  @Test
  void agreesWithPaintingOnRandomPlacements() {
    long seed = 20261121;
    Random random = new Random(seed);
    int valid = 0;
    for (int round = 0; round < 4000; round++) {
      List<Buffer> buffers = new ArrayList<>();
      int count = 1 + random.nextInt(5);
      long[] offsets = new long[count];
      for (int i = 0; i < count; i++) {
        int start = random.nextInt(9);
        int end = start + 1 + random.nextInt(11 - start);
        long size = random.nextInt(9);
        Buffer buffer = new Buffer("b" + i, size, start, end);
        if (end - start > 2 && random.nextBoolean()) {
          int from = start + random.nextInt(end - start - 1);
          int to = from + 1 + random.nextInt(end - from - 1);
          long low = size == 0 ? 0 : random.nextInt((int) size);
          long high = low + random.nextInt((int) (size - low) + 1);
          buffer = buffer.withGaps(List.of(new Gap(new LiveRange(from, to), low, high)));
        }
        buffers.add(buffer);
        offsets[i] = random.nextInt(24);
      }
      PackingProblem problem = PackingProblem.of("random", buffers);
      boolean expected = validByPainting(problem, offsets);
      valid += expected ? 1 : 0;
      assertEquals(
          expected,
          Verifier.isValid(problem, Placement.of(offsets)),
          "seed " + seed + ", round " + round + ": " + buffers);
    }
    assertTrue(valid > 400 && valid < 3600, "the cases should be mixed, " + valid + " were valid");
  }
}
