package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.SearchEngine;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.InvalidProblemException;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** Sizes and alignments near the limit: refused when the problem is made, or planned soundly. */
class HugeNumbersTest {
  private static final long[] PRIMES = {
    2, 3, 1_000_000_007L, 10_000_000_019L, 100_000_000_003L, (1L << 61) - 1, 1L << 40, 1L << 59
  };

  @Test
  void whatIsAcceptedIsPlannedWithoutOverflow() {
    long seed = 20261122;
    Random random = new Random(seed);
    int planned = 0;
    for (int round = 0; round < 400; round++) {
      PackingProblem problem;
      try {
        problem = problem(random);
      } catch (InvalidProblemException refused) {
        continue;
      }
      Incumbent incumbent = new Incumbent(problem);
      try {
        EngineChecks.portfolio(
            incumbent, RunControl.ofWork(20_000, 1, 1), Openings.of(problem), new SearchEngine());
      } catch (RuntimeException broken) {
        fail("seed " + seed + ", round " + round, broken);
      }
      assertTrue(incumbent.rejection().isEmpty(), () -> "" + incumbent.rejection());
      Bound bound = incumbent.bound(0);
      assertTrue(bound.value() <= incumbent.bestFigure(), "round " + round);
      if (bound.certificate().checkable()) {
        assertTrue(BoundVerifier.fault(problem, bound).isEmpty(), "round " + round);
      }
      planned++;
    }
    assertTrue(planned > 40, planned + " were planned");
  }

  private static PackingProblem problem(Random random) {
    List<Buffer> buffers = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      int start = random.nextInt(4);
      buffers.add(
          new Buffer("b" + i, number(random), start, start + 1 + random.nextInt(3))
              .withAlignment(random.nextBoolean() ? 1 : PRIMES[random.nextInt(PRIMES.length)]));
    }
    long alignment = random.nextBoolean() ? 1 : PRIMES[random.nextInt(PRIMES.length)];
    Memory memory = new Memory("m", Memory.UNBOUNDED, alignment, 0, 0);
    return new PackingProblem("huge", buffers, List.of(memory), ConflictPairs.none());
  }

  private static long number(Random random) {
    return random.nextInt(3) == 0
        ? 1 + random.nextInt(9)
        : 1 + (random.nextLong() >>> 3 + random.nextInt(8));
  }
}
