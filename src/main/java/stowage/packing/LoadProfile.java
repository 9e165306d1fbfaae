package stowage.packing;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The sum of live bytes at every step, as a step function: constant on each of its segments.
 *
 * <p>Its maximum, the <em>max load</em>, is a lower bound of the peak: buffers that are alive at
 * one step are side by side.
 */
public final class LoadProfile {
  private final int[] starts;
  private final long[] loads;

  private LoadProfile(int[] starts, long[] loads) {
    this.starts = starts;
    this.loads = loads;
  }

  /** {@return the profile of all buffers of a problem} O(n log n) time, O(n) memory. */
  public static LoadProfile of(PackingProblem problem) {
    return of(problem, buffer -> true);
  }

  /** {@return the profile of chosen buffers alone; each index is asked once} O(n log n). */
  public static LoadProfile of(PackingProblem problem, IntPredicate chosen) {
    int most = problem.buffers().stream().mapToInt(buffer -> 4 * buffer.gaps().size() + 2).sum();
    int[] steps = new int[most];
    long[] changes = new long[most];
    int count = 0;
    for (int i = 0; i < problem.size(); i++) {
      List<Buffer.Span> spans = chosen.test(i) ? problem.buffer(i).spans() : List.of();
      for (Buffer.Span span : spans) {
        steps[count] = span.start();
        changes[count++] = span.high() - span.low();
        steps[count] = span.end();
        changes[count++] = span.low() - span.high();
      }
    }
    return ofEvents(steps, changes, count);
  }

  private static LoadProfile ofEvents(int[] steps, long[] changes, int count) {
    int[] order = StepOrder.of(steps, count);
    int[] starts = new int[count];
    long[] loads = new long[count];
    int segments = 0;
    long load = 0;
    for (int k = 0; k < count; k++) {
      int event = order[k];
      load += changes[event];
      if (k + 1 == count || steps[order[k + 1]] != steps[event]) {
        if (segments > 0 && loads[segments - 1] == load) {
          continue;
        }
        starts[segments] = steps[event];
        loads[segments++] = load;
      }
    }
    return new LoadProfile(Arrays.copyOf(starts, segments), Arrays.copyOf(loads, segments));
  }

  /** {@return the number of segments; the last has load 0 and never ends} */
  public int segments() {
    return starts.length;
  }

  /** {@return the first step of a segment; it lasts up to the start of the next} */
  public int start(int segment) {
    return starts[segment];
  }

  /** {@return the load throughout a segment, in bytes} */
  public long load(int segment) {
    return loads[segment];
  }

  /** {@return the load at a step, in bytes} O(log segments). */
  public long loadAt(int step) {
    int at = Arrays.binarySearch(starts, step);
    int segment = at >= 0 ? at : -at - 2;
    return segment < 0 ? 0 : loads[segment];
  }

  /** {@return the largest load, in bytes; 0 when nothing is ever alive} */
  public long maxLoad() {
    return Arrays.stream(loads).max().orElse(0);
  }

  /** {@return the first step at which the load is largest; 0 when nothing is ever alive} */
  public int maxLoadStep() {
    int best = -1;
    for (int k = 0; k < loads.length; k++) {
      if (best < 0 || loads[k] > loads[best]) {
        best = k;
      }
    }
    return best < 0 ? 0 : starts[best];
  }
}
