package stowage.exact.search.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FailureWeightsTest {
  @Test
  void lateFailuresCountMoreUntilAllIsForgotten() {
    FailureWeights weights = new FailureWeights(3);
    weights.count(0);
    weights.decay(0.5);
    weights.count(1);
    assertArrayEquals(new double[] {1, 2, 0}, weights.weights());
    for (int k = 0; k < 10_000; k++) {
      weights.decay(0.5);
    }
    weights.count(2);
    weights.count(2);
    weights.decay(0.5);
    weights.count(1);
    assertEquals(weights.weights()[1], weights.weights()[2], "finite, and twice half as much");
    weights.clear();
    assertArrayEquals(new double[3], weights.weights());
    weights.count(2);
    assertArrayEquals(new double[] {0, 0, 1}, weights.weights());
  }
}
