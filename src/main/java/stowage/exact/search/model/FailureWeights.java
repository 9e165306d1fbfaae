package stowage.exact.search.model;

import java.util.Arrays;

/**
 * How often each buffer took part in a search's failures, late ones counting more than early ones.
 * What a search keeps failing on can then be placed first.
 */
public final class FailureWeights {
  private final double[] weight;
  private double step = 1;

  public FailureWeights(int count) {
    this.weight = new double[count];
  }

  public void count(int buffer) {
    weight[buffer] += step;
  }

  /** Leaves a share in (0, 1] of every weight: older failures count less against new ones. */
  public void decay(double factor) {
    step /= factor;
    if (step > 1e100) {
      Arrays.setAll(weight, buffer -> weight[buffer] / step);
      step = 1;
    }
  }

  /** Forgets everything. */
  public void clear() {
    Arrays.fill(weight, 0);
    step = 1;
  }

  /** The weights themselves; they change with further counting. */
  public double[] weights() {
    return weight;
  }
}
