package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.BruteForce;
import stowage.exact.RandomProblems;

class OrderDpProofTest {
  private static final int CASES = Thorough.of(1_000, 20_000);
  private static final long AMPLE = 100_000_000;
  private static final LiveRange ALWAYS = new LiveRange(-1, 1000);

  private static boolean excludes(PackingProblem problem, LiveRange steps, long ceiling) {
    int last = problem.memories().size() - 1;
    int[] here =
        IntStream.range(0, problem.size())
            .filter(i -> problem.allowedMask(i) == 1L << last && problem.buffer(i).needsMemory())
            .toArray();
    return OrderDpProof.excludes(problem, last, here, steps, ceiling, AMPLE)
        == DisjunctiveProof.Answer.EXCLUDED;
  }

  @Test
  void freeBuffersAreDecided() {
    for (long seed = 0; seed < CASES; seed++) {
      PackingProblem problem = free(seed);
      long optimum = BruteForce.peaks(problem)[0];
      assertEquals(true, excludes(problem, ALWAYS, optimum - 1), "seed " + seed);
      assertEquals(false, excludes(problem, ALWAYS, optimum), "seed " + seed);
    }
  }

  @Test
  void nothingThatFitsIsEverExcluded() {
    int tight = 0;
    for (long seed = 0; seed < CASES; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 6);
      int last = problem.memories().size() - 1;
      long[] optimum = BruteForce.peaks(problem.withCapacity(last, Long.MAX_VALUE));
      if (optimum != null) {
        assertEquals(false, excludes(problem, ALWAYS, optimum[0]), "seed " + seed);
        tight += optimum[0] > 0 && excludes(problem, ALWAYS, optimum[0] - 1) ? 1 : 0;
      }
    }
    assertEquals(true, tight > CASES / 4, "tight only " + tight + " times");
  }

  @Test
  void stepsOutsideTheRangeDoNotCount() {
    PackingProblem problem = Buffers.problem("a:5[0,3) b:4[2,6) c:6[5,9)");
    assertEquals(true, excludes(problem, new LiveRange(2, 3), 8));
    assertEquals(false, excludes(problem, new LiveRange(2, 3), 9));
    assertEquals(true, excludes(problem, new LiveRange(5, 9), 9));
    assertEquals(false, excludes(problem, new LiveRange(6, 9), 6));
  }

  private static PackingProblem free(long seed) {
    Random random = new Random(seed * 101 + 9);
    List<Buffer> buffers = new ArrayList<>();
    int n = 2 + random.nextInt(5);
    for (int i = 0; i < n; i++) {
      int start = random.nextInt(5);
      long size = 1 + random.nextInt(3) + (random.nextInt(4) == 0 ? 2 : 0);
      buffers.add(new Buffer("b" + i, size, start, start + 1 + random.nextInt(4)));
    }
    return PackingProblem.of("free " + seed, buffers);
  }
}
