package stowage.packing;

/**
 * The largest unit of which all offsets of some best placement are multiples.
 *
 * <p>With u the greatest common divisor of sizes, windows, fixed offsets, reserved ranges,
 * distances and, where they matter, banks, every valid placement stays valid, and pays for no
 * further pair, when its offsets are rounded down to multiples of u, since every difference that
 * has to be at least a multiple of u still is. An alignment that does not divide u joins the
 * divisor.
 *
 * <p>Example: sizes 12 and 24 with alignments 6 and 8: 8 does not divide 12 and leaves 4, which 6
 * does not divide and leaves 2.
 */
public final class Units {
  private Units() {}

  /** {@return the unit in bytes, a divisor of a multiple or 0 for none} O(n) for a few rounds. */
  public static long of(PackingProblem problem, long multiple, boolean wholeBanks) {
    Relations.Groups groups = problem.relations().groups(problem.size());
    boolean banks = wholeBanks || !problem.relations().otherBank().isEmpty();
    long unit = multiple;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      unit = Rounding.gcd(Rounding.gcd(unit, buffer.size()), groups.shift()[i]);
      unit = Rounding.gcd(unit, Math.max(0, buffer.fixedOffset()));
      for (Buffer.Span span : buffer.spans()) {
        unit = Rounding.gcd(Rounding.gcd(unit, span.low()), span.high());
      }
      banks |= buffer.withinBank();
    }
    for (Memory memory : problem.memories()) {
      for (ReservedRange range : memory.reserved()) {
        unit = Rounding.gcd(Rounding.gcd(unit, range.from()), range.to());
      }
      unit = banks ? Rounding.gcd(unit, memory.bankSize()) : unit;
    }
    unit = Math.max(1, unit);
    long before;
    do {
      before = unit;
      for (int i = 0; i < problem.size(); i++) {
        for (int m = 0; m < problem.memories().size(); m++) {
          if (problem.allows(i, m) && unit % problem.alignment(i, m) != 0) {
            unit = Rounding.gcd(unit, problem.alignment(i, m));
          }
        }
      }
    } while (unit != before);
    return unit;
  }
}
