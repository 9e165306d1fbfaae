package stowage.experiment.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * How a figure is spread over the buffers of an instance.
 *
 * @param least the smallest value
 * @param median the middle one
 * @param mean the average
 * @param most the largest
 * @param variation standard deviation over mean
 * @param name the nearest of {@code constant}, {@code uniform}, {@code exponential} and {@code
 *     log-uniform}
 * @param distance of the values from that law: the largest difference between the two distribution
 *     functions (Kolmogorov and Smirnov's), 0 to 1; a large one says that none fits
 */
public record SpreadLaw(
    double least,
    double median,
    double mean,
    double most,
    double variation,
    String name,
    double distance) {

  /** The law of some values; the array is sorted. O(n log n). */
  static SpreadLaw of(double[] values) {
    if (values.length == 0) {
      return new SpreadLaw(0, 0, 0, 0, 0, "constant", 0);
    }
    Arrays.sort(values);
    double least = values[0];
    double most = values[values.length - 1];
    double mean = Arrays.stream(values).average().orElse(0);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    double variation = mean == 0 ? 0 : Math.sqrt(squares) / mean;
    String best = "constant";
    double distance = least == most ? 0 : 1;
    for (String law : new String[] {"uniform", "exponential", "log-uniform"}) {
      if (least == most || (law.equals("log-uniform") && least <= 0)) {
        continue;
      }
      double far = distance(values, distribution(law, least, most, mean));
      if (far < distance) {
        best = law.toLowerCase(Locale.ROOT);
        distance = far;
      }
    }
    return new SpreadLaw(least, values[values.length / 2], mean, most, variation, best, distance);
  }

  private static DoubleUnaryOperator distribution(
      String law, double least, double most, double mean) {
    return switch (law) {
      case "uniform" -> v -> (v - least) / (most - least);
      case "exponential" -> v -> 1 - Math.exp(-(v - least) / (mean - least));
      default -> v -> Math.log(v / least) / Math.log(most / least);
    };
  }

  private static double distance(double[] sorted, DoubleUnaryOperator distribution) {
    double far = 0;
    for (int k = 0; k < sorted.length; k++) {
      double expected = distribution.applyAsDouble(sorted[k]);
      boolean last = k + 1 == sorted.length || sorted[k + 1] != sorted[k];
      boolean first = k == 0 || sorted[k - 1] != sorted[k];
      // Equal values are one step of the distribution function, from its foot to its head.
      far = first ? Math.max(far, expected - (double) k / sorted.length) : far;
      far = last ? Math.max(far, (k + 1.0) / sorted.length - expected) : far;
    }
    return far;
  }
}
