package stowage.experiment.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToLongFunction;
import stowage.packing.Buffer;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * What an instance is like, in figures that may explain how hard it is.
 *
 * @param buffers their number, those that need no memory left out
 * @param steps from the first start to the last end
 * @param conflicts extra pairs
 * @param maxLoad the largest sum of live bytes at one step
 * @param meanLoad the same on average over the steps
 * @param slack the share of max load times steps that no buffer covers; 0 for a perfect packing
 * @param largestLiveSet most buffers alive at one step
 * @param meanLiveSet buffers alive on average over the steps
 * @param sizes of the buffers, in bytes
 * @param lives of the buffers, in steps
 * @param alignment the largest alignment, in bytes
 */
public record Features(
    long buffers,
    long steps,
    long conflicts,
    int memories,
    long maxLoad,
    double meanLoad,
    double slack,
    long largestLiveSet,
    double meanLiveSet,
    SpreadLaw sizes,
    SpreadLaw lives,
    long alignment) {

  /** The features of a problem. O(n log n). */
  public static Features of(PackingProblem problem) {
    Buffer[] buffers =
        problem.buffers().stream().filter(Buffer::needsMemory).toArray(Buffer[]::new);
    long first = Arrays.stream(buffers).mapToLong(b -> b.live().start()).min().orElse(0);
    long last = Arrays.stream(buffers).mapToLong(b -> b.live().end()).max().orElse(0);
    long steps = last - first;
    long maxLoad = LoadProfile.of(problem).maxLoad();
    double area = 0;
    double life = 0;
    long alignment = 1;
    for (Buffer buffer : buffers) {
      for (Buffer.Span span : buffer.spans()) {
        area += (double) (span.high() - span.low()) * ((long) span.end() - span.start());
      }
      life += length(buffer);
      alignment = Math.max(alignment, buffer.alignment());
    }
    for (Memory memory : problem.memories()) {
      alignment = Math.max(alignment, memory.alignment());
    }
    return new Features(
        buffers.length,
        steps,
        problem.conflicts().count(),
        problem.memories().size(),
        maxLoad,
        steps == 0 ? 0 : area / steps,
        steps == 0 || maxLoad == 0 ? 0 : 1 - area / ((double) maxLoad * steps),
        largestLiveSet(buffers),
        steps == 0 ? 0 : life / steps,
        SpreadLaw.of(values(buffers, Buffer::size)),
        SpreadLaw.of(values(buffers, Features::length)),
        alignment);
  }

  private static long length(Buffer buffer) {
    return (long) buffer.live().end() - buffer.live().start();
  }

  private static double[] values(Buffer[] buffers, ToLongFunction<Buffer> figure) {
    return Arrays.stream(buffers).mapToDouble(figure::applyAsLong).toArray();
  }

  private static long largestLiveSet(Buffer[] buffers) {
    int[] starts = Arrays.stream(buffers).mapToInt(b -> b.live().start()).sorted().toArray();
    int[] ends = Arrays.stream(buffers).mapToInt(b -> b.live().end()).sorted().toArray();
    long most = 0;
    int ended = 0;
    for (int started = 0; started < starts.length; started++) {
      while (ends[ended] <= starts[started]) {
        ended++;
      }
      most = Math.max(most, started + 1L - ended);
    }
    return most;
  }

  /**
   * How a figure is spread over the buffers of an instance.
   *
   * @param variation standard deviation over mean
   * @param name the nearest of {@code constant}, {@code uniform}, {@code exponential} and {@code
   *     log-uniform}
   * @param distance of the values from that law: the largest difference between the two
   *     distribution functions (Kolmogorov and Smirnov's), 0 to 1; a large one says that none fits
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
}
