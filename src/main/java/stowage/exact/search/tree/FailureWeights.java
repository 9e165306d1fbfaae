package stowage.exact.search.tree;

import java.util.Arrays;

/**
 * Learns which buffers a search keeps failing on: every failure of a section's bound adds to the
 * weight of each unplaced buffer of that section. A restart then places heavy buffers first.
 */
public final class FailureWeights {
  private final double[] weight;
  private double step = 1;

  public FailureWeights(int count) {
    this.weight = new double[count];
  }

  /** Counts one failure of a buffer. */
  void count(int buffer) {
    weight[buffer] += step;
  }

  /**
   * Makes older failures count less against new ones.
   *
   * @param factor in (0, 1]: what is left of every weight
   */
  public void decay(double factor) {
    step /= factor;
    if (step > 1e100) {
      for (int buffer = 0; buffer < weight.length; buffer++) {
        weight[buffer] /= step;
      }
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
