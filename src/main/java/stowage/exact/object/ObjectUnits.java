package stowage.exact.object;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.packing.ObjectProblem;
import stowage.packing.Rounding;

/** Item sizes in the largest unit that divides them all: small figures for solvers. */
public final class ObjectUnits {
  private final long unit;
  private final long[] sizes;

  /** The units of a problem. */
  public ObjectUnits(ObjectProblem problem) {
    sizes = IntStream.range(0, problem.count()).mapToLong(problem::size).toArray();
    unit = Math.max(1, Arrays.stream(sizes).reduce(0, Rounding::gcd));
    Arrays.setAll(sizes, item -> sizes[item] / unit);
  }

  /** The sizes of all items in units; not to be changed. */
  public long[] sizes() {
    return sizes;
  }

  /** The bytes of so many units. */
  public long bytes(long units) {
    return units * unit;
  }
}
