package stowage.experiment.analysis;

import java.util.Arrays;
import java.util.List;
import org.hipparchus.random.Well19937c;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.stat.inference.WilcoxonSignedRankTest;

/** The statistics that reports need, by Hipparchus. */
final class Statistics {
  private static final int RESAMPLES = 1000;
  private static final int SEED = 20260101;
  private static final int EXACT_PAIRS = 25;

  private Statistics() {}

  /** An interval that holds the true value with 95 % confidence. */
  record Interval(double low, double high) {}

  static double mean(List<Double> values) {
    return values.isEmpty() ? Double.NaN : StatUtils.mean(array(values));
  }

  /** The geometric mean of the ratios 1 + gap, minus 1. */
  static double geometricMeanGap(List<Double> gaps) {
    if (gaps.isEmpty()) {
      return Double.NaN;
    }
    return StatUtils.geometricMean(gaps.stream().mapToDouble(gap -> 1 + gap).toArray()) - 1;
  }

  static double median(List<Double> values) {
    return values.isEmpty() ? Double.NaN : StatUtils.percentile(array(values), 50);
  }

  static double worst(List<Double> values) {
    return values.isEmpty() ? Double.NaN : StatUtils.max(array(values));
  }

  static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /**
   * The 95 % bootstrap interval of a mean, by percentiles of 1000 resamples (B. Efron, Bootstrap
   * methods: another look at the jackknife, Annals of Statistics 7, 1979,
   * doi:10.1214/aos/1176344552). The generator's seed is fixed, so a report can be made again.
   */
  static Interval meanInterval(List<Double> values) {
    if (values.size() < 2) {
      return new Interval(Double.NaN, Double.NaN);
    }
    double[] sample = array(values);
    Well19937c random = new Well19937c(SEED);
    double[] means = new double[RESAMPLES];
    for (int r = 0; r < RESAMPLES; r++) {
      double sum = 0;
      for (int k = 0; k < sample.length; k++) {
        sum += sample[random.nextInt(sample.length)];
      }
      means[r] = sum / sample.length;
    }
    Arrays.sort(means);
    return new Interval(StatUtils.percentile(means, 2.5), StatUtils.percentile(means, 97.5));
  }

  /**
   * The two-sided probability of differences as large as these if neither side were better, by
   * Wilcoxon's signed-rank test (F. Wilcoxon, Individual comparisons by ranking methods, Biometrics
   * Bulletin 1, 1945, doi:10.2307/3001968). Zero differences are left out, as he did; up to 25
   * pairs are counted exactly, more by the normal approximation.
   *
   * @return NaN when fewer than two differences are left
   */
  static double wilcoxon(List<Double> differences) {
    double[] left = differences.stream().filter(d -> d != 0).mapToDouble(d -> d).toArray();
    if (left.length < 2) {
      return Double.NaN;
    }
    return new WilcoxonSignedRankTest()
        .wilcoxonSignedRankTest(left, new double[left.length], left.length <= EXACT_PAIRS);
  }

  /**
   * Corrects probabilities of several tests made at once (S. Holm, A simple sequentially rejective
   * multiple test procedure, Scandinavian Journal of Statistics 6, 1979).
   */
  static double[] holm(double[] probabilities) {
    Integer[] order = new Integer[probabilities.length];
    int tests = 0;
    for (int k = 0; k < order.length; k++) {
      order[k] = k;
      tests += Double.isNaN(probabilities[k]) ? 0 : 1;
    }
    Arrays.sort(order, (a, b) -> Double.compare(probabilities[a], probabilities[b])); // NaN last
    double[] corrected = probabilities.clone();
    double highest = 0;
    for (int k = 0; k < tests; k++) {
      highest = Math.max(highest, Math.min(1, (tests - k) * probabilities[order[k]]));
      corrected[order[k]] = highest;
    }
    return corrected;
  }
}
