package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class StepOrderTest {

  @Test
  void ordersByStepAndThenByIndex() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      int count = seed % 3 == 0 ? random.nextInt(50) : random.nextInt(20_000);
      int range = 1 + random.nextInt(1 << random.nextInt(31));
      int[] steps = new int[count + random.nextInt(3)];
      for (int k = 0; k < steps.length; k++) {
        steps[k] = seed % 5 == 0 ? random.nextInt() : random.nextInt(range) - range / 2;
      }
      int[] order = StepOrder.of(steps, count);
      assertEquals(count, order.length, "seed " + seed);
      for (int k = 1; k < count; k++) {
        boolean rising =
            steps[order[k - 1]] < steps[order[k]]
                || (steps[order[k - 1]] == steps[order[k]] && order[k - 1] < order[k]);
        assertTrue(rising, "seed " + seed + " at " + k);
      }
    }
  }
}
