package stowage.rewrite.recompute.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.rewrite.recompute.model.RecomputeProblem;

class CheckpointsTest {
  /** As many ops forward, one after another, and as many backward, each with a result of those. */
  private static RecomputeProblem training(int forward) {
    int ops = 2 * forward;
    int[] own = IntStream.range(0, ops).toArray();
    int[][] reads = new int[ops][];
    int[][] writes = new int[ops][];
    for (int v = 0; v < ops; v++) {
      int other = ops - 1 - v;
      reads[v] = v == 0 ? new int[] {} : new int[] {v - 1};
      reads[v] = v > forward ? new int[] {other, v - 1} : reads[v];
      writes[v] = new int[] {v};
    }
    long[] ones = new long[ops];
    Arrays.fill(ones, 1);
    int[] until = new int[ops];
    Arrays.fill(until, ops);
    return new RecomputeProblem(
        own, ones, new boolean[ops], reads, writes, ones, new long[ops], until);
  }

  @Test
  void aSegmentIsComputedAgainInTheOrderOfItsOps() {
    List<int[]> found = Checkpoints.greedy(training(3));
    assertEquals("[0, 1, 2, 3, 0, 1, 4, 5]", Arrays.toString(found.get(found.size() - 1)));
  }

  @Test
  void segmentsOfTensOfThousandsOfOpsAreComputedAgain() {
    int forward = 20_000;
    int[] longest =
        Checkpoints.greedy(training(forward)).stream().reduce((a, b) -> b).orElseThrow();
    assertEquals(3 * forward - 1, longest.length);
  }
}
