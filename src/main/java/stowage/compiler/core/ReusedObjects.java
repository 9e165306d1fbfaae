package stowage.compiler.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Objects that rectangles were put into, with the steps at which each is in use, laid end to end in
 * the order of their making, so that planners that reuse whole objects compare with those that give
 * offsets.
 */
public final class ReusedObjects {
  private final HullList all;
  private final int[] objectOf;
  private final long[] within;
  private final List<OwnedRanges> taken = new ArrayList<>();
  private long[] sizes = new long[16];

  /** No objects yet. */
  public ReusedObjects(HullList all) {
    this.all = all;
    objectOf = new int[all.count()];
    Arrays.fill(objectOf, -1);
    within = new long[all.count()];
  }

  /** Makes an object of a size and gives its number. */
  public int add(long size) {
    if (count() == sizes.length) {
      sizes = Arrays.copyOf(sizes, 2 * count());
    }
    sizes[count()] = size;
    taken.add(new OwnedRanges());
    return count() - 1;
  }

  /** Whether nothing in an object is alive with a rectangle. O(log members). */
  public boolean isFree(int object, int rectangle) {
    return taken.get(object).isFree(all.start[rectangle], all.end[rectangle]);
  }

  /** Puts a rectangle at the start of an object, which grows if need be. */
  public void assign(int rectangle, int object) {
    assign(rectangle, object, 0);
  }

  /** Puts a rectangle into an object, at an offset from its start; the object grows if need be. */
  public void assign(int rectangle, int object, long offset) {
    objectOf[rectangle] = object;
    within[rectangle] = offset;
    sizes[object] = Math.max(sizes[object], offset + all.size[rectangle]);
    taken.get(object).add(all.start[rectangle], all.end[rectangle], object);
  }

  /** The object of a rectangle, -1 before it is assigned. */
  public int of(int rectangle) {
    return objectOf[rectangle];
  }

  /** The offset of a rectangle within its object. */
  public long offset(int rectangle) {
    return within[rectangle];
  }

  public int count() {
    return taken.size();
  }

  public long size(int object) {
    return sizes[object];
  }

  /** The plan with all objects end to end. */
  public CasePlan endToEnd() {
    long[] starts = new long[count()];
    for (int k = 1; k < starts.length; k++) {
      starts[k] = starts[k - 1] + sizes[k - 1];
    }
    long[] offsets = new long[objectOf.length];
    Arrays.setAll(offsets, r -> starts[objectOf[r]] + within[r]);
    return new CasePlan(all.placement(offsets), count());
  }
}
