package stowage.packing;

/**
 * A part of a buffer's live range in which it needs less than its whole size: nothing at all, or
 * only a window of its own bytes.
 *
 * <p>A gap without a window is written as the window {@code [0, 0)}. MiniMalloc's text form is
 * {@code 7-9} and {@code 9-11@1:17}.
 *
 * @param range the steps of the gap, half-open, inside the buffer's live range and not empty
 * @param windowStart first byte still needed during the gap, relative to the buffer's offset
 * @param windowEnd first byte after it; equal to {@code windowStart} when nothing is needed
 */
public record Gap(LiveRange range, long windowStart, long windowEnd) {
  /** Checks that the range is not empty and the window is not reversed or negative. */
  public Gap {
    if (range.isEmpty()) {
      throw new InvalidProblemException(
          "gap " + range + " is empty; a gap needs at least one step");
    }
    if (windowStart < 0 || windowEnd < windowStart) {
      throw new InvalidProblemException(
          "window %s:%s of gap %s must satisfy 0 <= start <= end"
              .formatted(windowStart, windowEnd, range));
    }
  }

  /** {@return a gap of the steps {@code [start, end)} in which the buffer needs nothing} */
  public static Gap empty(int start, int end) {
    return new Gap(new LiveRange(start, end), 0, 0);
  }

  /** {@return whether some bytes are still needed during the gap} */
  public boolean hasWindow() {
    return windowEnd > windowStart;
  }
}
