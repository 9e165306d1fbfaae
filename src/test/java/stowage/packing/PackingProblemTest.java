package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackingProblemTest {
  private static PackingProblem problem(long memoryAlignment, long... alignments) {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < alignments.length; i++) {
      buffers.add(new Buffer("b" + i, 1, 0, 1).withAlignment(alignments[i]));
    }
    Memory memory = new Memory("m", Memory.UNBOUNDED, memoryAlignment, 0, 0);
    return new PackingProblem("p", buffers, List.of(memory), ConflictPairs.none());
  }

  private static String refusal(long memoryAlignment, long... alignments) {
    return assertThrows(InvalidProblemException.class, () -> problem(memoryAlignment, alignments))
        .getMessage();
  }

  @Test
  void alignmentsWhoseCommonMultipleIsNoLongAreRefused() {
    String refusal = refusal(1_000_000_007L, 10_000_000_019L);
    assertTrue(refusal.contains("buffer \"b0\": alignment 10000000019"), refusal);
    assertTrue(refusal.contains("memory \"m\" have no common multiple up to"), refusal);
  }

  @Test
  void aMemorysAlignmentCountsForEveryBuffer() {
    long large = (1L << 60) + 1;
    assertEquals(large, problem(large, 1).alignment(0, 0));
    String refusal = refusal(large, 1, 1);
    assertTrue(refusal.contains("buffer \"b1\": size 1 with alignment " + large), refusal);
    assertTrue(refusal(1, large, large).contains("buffer \"b1\""));
  }

  @Test
  void theAlignmentInAMemoryIsTheLeastCommonMultiple() {
    PackingProblem problem = problem(12, 1, 8, 12, 18, 5);
    long[] expected = {12, 24, 12, 36, 60};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], problem.alignment(i, 0), "buffer " + i);
    }
  }
}
