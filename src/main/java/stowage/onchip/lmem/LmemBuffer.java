package stowage.onchip.lmem;

/**
 * A run of bytes in every lane, needed during some of a group's steps.
 *
 * @param id unique in its problem, without blanks
 * @param start first step of its live range
 * @param end first step after it; where {@code start >= end} the live range continues around the
 *     end of the table: {@code [start, steps)} and {@code [0, end)}
 * @param size bytes a lane
 * @param resident whether it stays during all slices, and so is alive in every step
 */
public record LmemBuffer(String id, Kind kind, int start, int end, long size, boolean resident) {
  /** What a buffer holds. */
  public enum Kind {
    /** A tensor that is computed or loaded. */
    ACTIVATION,
    WEIGHT,
    /** What an op needs while it runs. */
    SCRATCH
  }

  public boolean isLive(int step) {
    return start < end ? start <= step && step < end : step >= start || step < end;
  }

  /** In how many of {@code steps} steps it is alive. */
  public int length(int steps) {
    return start < end ? end - start : steps - start + end;
  }
}
