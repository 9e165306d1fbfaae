package stowage.experiment.run;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import stowage.packing.Buffer;
import stowage.packing.LiveRange;
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
    Spread sizes,
    Spread lives,
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
        Spread.of(values(buffers, Buffer::size)),
        Spread.of(values(buffers, Features::length)),
        alignment);
  }

  private static long length(Buffer buffer) {
    return (long) buffer.live().end() - buffer.live().start();
  }

  private static double[] values(Buffer[] buffers, ToLongFunction<Buffer> figure) {
    return Arrays.stream(buffers).mapToDouble(figure::applyAsLong).toArray();
  }

  private static long largestLiveSet(Buffer[] buffers) {
    List<LiveRange> live =
        Arrays.stream(buffers).map(Buffer::live).filter(range -> !range.isEmpty()).toList();
    int[] starts = live.stream().mapToInt(LiveRange::start).sorted().toArray();
    int[] ends = live.stream().mapToInt(LiveRange::end).sorted().toArray();
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
   */
  public record Spread(double least, double median, double mean, double most, double variation) {
    /** The spread of some values; the array is sorted. O(n log n). */
    static Spread of(double[] values) {
      if (values.length == 0) {
        return new Spread(0, 0, 0, 0, 0);
      }
      Arrays.sort(values);
      double mean = Arrays.stream(values).average().orElse(0);
      double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
      double variation = mean == 0 ? 0 : Math.sqrt(squares) / mean;
      int count = values.length;
      return new Spread(values[0], values[count / 2], mean, values[count - 1], variation);
    }
  }
}
