package stowage.report.svg;

import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Place of a part of a picture, and the steps and bytes that it shows: steps grow to the right,
 * bytes upwards.
 *
 * @param bytes the address at the top edge; the bottom is 0
 */
public record Frame(
    double left,
    double top,
    double width,
    double height,
    long firstStep,
    long lastStep,
    double bytes) {

  /** Pixels from the left of a step's begin; steps that are not shown are at the nearer edge. */
  public double x(long step) {
    return left + width * (shown(step) - firstStep) / (lastStep - firstStep);
  }

  /** The nearest step that is shown: a buffer that holds its place is there at all steps. */
  long shown(long step) {
    return Math.max(firstStep, Math.min(lastStep, step));
  }

  /** Pixels from the top of an address. */
  public double y(double address) {
    return top + height * (1 - address / bytes);
  }

  /** Draws a rectangle over some steps, from an address to another. */
  public void box(SvgWriter svg, long start, long end, long low, long high, Style style) {
    svg.rect(x(start), y(high), x(end) - x(start), y(low) - y(high), style);
  }

  public double right() {
    return left + width;
  }

  public double bottom() {
    return top + height;
  }

  /** First and last step at which some buffer of the problem needs memory; 0 and 1 if none. */
  public static long[] steps(PackingProblem problem) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Buffer buffer : problem.buffers()) {
      if (buffer.needsMemory()) {
        first = Math.min(first, buffer.live().start());
        last = Math.max(last, buffer.live().end());
      }
    }
    return first > last ? new long[] {0, 1} : new long[] {first, last};
  }
}
