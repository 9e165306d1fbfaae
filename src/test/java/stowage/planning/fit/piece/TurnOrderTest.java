package stowage.planning.fit.piece;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.schedule.model.OrderProblem;
import stowage.schedule.model.RandomOrderProblems;

class TurnOrderTest {
  @Test
  void theLoadsThatChooseAreThoseOfTheOrderThatIsMade() {
    int found = 0;
    StretchLoads others = new StretchLoads(); // of problems whose ops have the same numbers
    for (int seed = 0; seed < 2_000; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 14);
      int ops = problem.ops();
      int size = 1 + seed % 3;
      int[] placeOf = IntStream.range(0, ops).map(op -> op / size).toArray();
      double[] parts =
          IntStream.range(0, ops).mapToDouble(op -> (op % size + 1.0) / size).toArray();
      long given = problem.peak(IntStream.range(0, ops).toArray());
      int[] order = order(problem, placeOf, parts, new StretchLoads(), given);
      assertArrayEquals(order, order(problem, placeOf, parts, others, given), "seed " + seed);
      if (order == null) {
        continue;
      }
      found++;
      int[] sorted = Arrays.stream(order).sorted().toArray();
      assertArrayEquals(IntStream.range(0, ops).toArray(), sorted, "seed " + seed);
      assertTrue(problem.peak(order) < given, "seed " + seed);
      StretchLoads known = new StretchLoads();
      assertNull(order(problem, placeOf, parts, known, problem.peak(order)), "seed " + seed);
      assertArrayEquals(order, order(problem, placeOf, parts, known, given), "seed " + seed);
    }
    assertTrue(found > 50, found + " orders of less load");
  }

  private static int[] order(
      OrderProblem problem, int[] placeOf, double[] parts, StretchLoads known, long limit) {
    long[] ids = IntStream.range(0, problem.ops()).mapToLong(op -> op).toArray();
    return new TurnOrder(problem, placeOf, parts, ids, known).below(limit);
  }
}
