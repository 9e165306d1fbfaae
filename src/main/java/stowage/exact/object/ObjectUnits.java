package stowage.exact.object;

import stowage.packing.ObjectProblem;
import stowage.packing.Rounding;

/** Item sizes in the largest unit that divides them all: small figures for solvers. */
public final class ObjectUnits {
  private final long unit;
  private final long[] sizes;

  /** The units of a problem. */
  public ObjectUnits(ObjectProblem problem) {
    long divisor = 0;
    for (int item = 0; item < problem.count(); item++) {
      divisor = Rounding.gcd(divisor, problem.size(item));
    }
    unit = Math.max(1, divisor);
    sizes = new long[problem.count()];
    for (int item = 0; item < sizes.length; item++) {
      sizes[item] = problem.size(item) / unit;
    }
  }

  /** The size of an item in units. */
  public long size(int item) {
    return sizes[item];
  }

  /** The sizes of all items in units; not to be changed. */
  public long[] sizes() {
    return sizes;
  }

  /** Units of so many bytes, rounded down. */
  public long down(long bytes) {
    return bytes / unit;
  }

  /** Units that hold so many bytes. */
  public long up(long bytes) {
    return -Math.floorDiv(-bytes, unit);
  }

  /** The bytes of so many units. */
  public long bytes(long units) {
    return units * unit;
  }
}
