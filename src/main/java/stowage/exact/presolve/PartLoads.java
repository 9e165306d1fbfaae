package stowage.exact.presolve;

/** The loads of a part's sections: what its buffers need there, whatever memory they lie in. */
public final class PartLoads {
  private PartLoads() {}

  /** Load of each section, in units. O(spans + sections). */
  public static long[] of(NormalPart part) {
    long[] loads = new long[part.sections() + 1];
    for (int s = 0; s < part.spanStarts().length; s++) {
      long height = part.spanHighs()[s] - part.spanLows()[s];
      loads[part.spanStarts()[s]] += height;
      loads[part.spanEnds()[s]] -= height;
    }
    for (int section = 1; section < loads.length; section++) {
      loads[section] += loads[section - 1];
    }
    return java.util.Arrays.copyOf(loads, part.sections());
  }
}
