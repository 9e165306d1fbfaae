package stowage.onchip.partition;

import java.util.Locale;

/** Groupings that a bound is over: none of them costs less. */
public enum BoundScope {
  /** All groupings, whatever their groups, slices, steps and addresses. */
  NETWORK("of all groupings"),

  /** Those into runs of ops in the order of the file. */
  CONTIGUOUS("of all contiguous groupings"),

  /** Those into single ops and runs of at most 64 ops of three topological orders. */
  CONVEX("of all groupings into runs of three orders of the ops"),

  /** The addresses of the groups, slices and steps that were chosen. */
  GROUPS("for these groups, slices and steps");

  private final String range;

  BoundScope(String range) {
    this.range = range;
  }

  /** The name in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What comes after "lowest" in a sentence. */
  public String range() {
    return range;
  }
}
