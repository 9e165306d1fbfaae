package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The load of buffers of which some may share bytes: the heaviest set in which no two may. */
class LoadBoundTest {
  @Test
  void isTheHeaviestSetInEveryOrderOfTheRows() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      PackingProblem problem = problem(random, 2 + random.nextInt(8));
      Bound bound = LoadBound.of(problem, 0);
      assertEquals(heaviest(problem), bound.value(), "seed " + seed);
      assertTrue(BoundVerifier.fault(problem, bound).isEmpty(), "seed " + seed);
      List<Integer> rows = new ArrayList<>(IntStream.range(0, problem.size()).boxed().toList());
      Collections.shuffle(rows, random);
      int[] order = rows.stream().mapToInt(Integer::intValue).toArray();
      Bound other = LoadBound.of(problem.select(order), 0);
      assertEquals(bound.value(), other.value(), "seed " + seed);
      assertEquals(
          ((Certificate.MaxLoad) bound.certificate()).step(),
          ((Certificate.MaxLoad) other.certificate()).step(),
          "seed " + seed);
    }
  }

  private static PackingProblem problem(Random random, int n) {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int start = random.nextInt(4);
      Buffer buffer = new Buffer("b" + i, random.nextInt(6), start, start + random.nextInt(5));
      boolean holed = buffer.live().length() > 2 && random.nextBoolean();
      LiveRange hole = new LiveRange(start + 1, start + 2);
      buffers.add(
          holed
              ? buffer.withGaps(
                  List.of(new Gap(hole, 0, Math.min(buffer.size(), random.nextInt(3)))))
              : buffer);
    }
    List<int[]> pairs = Buffers.pairs(n, () -> random.nextInt(3) == 0);
    Relations relations = Relations.none().withExclusive(ConflictPairs.of(n, pairs));
    return PackingProblem.of("load", buffers).withRelations(relations);
  }

  private static long heaviest(PackingProblem problem) {
    long best = 0;
    for (int set = 0; set < 1 << problem.size(); set++) {
      for (int step = 0; step < 8; step++) {
        long sum = 0;
        for (int i = 0; i < problem.size(); i++) {
          for (int j = 0; j < i && sum >= 0; j++) {
            boolean both = (set >> i & 1) != 0 && (set >> j & 1) != 0;
            sum = both && problem.relations().mayShare(i, j) ? Long.MIN_VALUE / 2 : sum;
          }
          sum += (set >> i & 1) != 0 ? problem.buffer(i).bytesAt(step) : 0;
        }
        best = Math.max(best, sum);
      }
    }
    return best;
  }
}
