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
    for (int seed = 0; seed < 2_000; seed++) {
      OrderProblem problem = RandomOrderProblems.problem(new Random(seed), 14);
      int ops = problem.ops();
      int size = 1 + seed % 3;
      int[] placeOf = IntStream.range(0, ops).map(op -> op / size).toArray();
      double[] parts =
          IntStream.range(0, ops).mapToDouble(op -> (op % size + 1.0) / size).toArray();
      long given = problem.peak(IntStream.range(0, ops).toArray());
      int[] order = new TurnOrder(problem, placeOf, parts).below(given);
      if (order == null) {
        continue;
      }
      found++;
      int[] sorted = Arrays.stream(order).sorted().toArray();
      assertArrayEquals(IntStream.range(0, ops).toArray(), sorted, "seed " + seed);
      assertTrue(problem.peak(order) < given, "seed " + seed);
      assertNull(new TurnOrder(problem, placeOf, parts).below(problem.peak(order)), "seed " + seed);
    }
    assertTrue(found > 50, found + " orders of less load");
  }
}
