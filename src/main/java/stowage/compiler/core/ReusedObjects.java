package stowage.compiler.core;

import java.util.Arrays;
import stowage.packing.Placement;

/**
 * Objects that buffers were put into, laid end to end in the order of their making, so that
 * planners that reuse whole objects compare with those that give offsets.
 */
public final class ReusedObjects {
  private final int[] objectOf;
  private final long[] within;
  private long[] sizes = new long[16];
  private int count;

  /** No objects yet, for a number of rectangles. */
  public ReusedObjects(int rectangles) {
    objectOf = new int[rectangles];
    Arrays.fill(objectOf, -1);
    within = new long[rectangles];
  }

  /** Makes an object of a size and gives its number. */
  public int add(long size) {
    if (count == sizes.length) {
      sizes = Arrays.copyOf(sizes, 2 * count);
    }
    sizes[count] = size;
    return count++;
  }

  /** Puts a rectangle into an object, at an offset from its start; the object grows if need be. */
  public void assign(int rectangle, int object, long offset, long size) {
    objectOf[rectangle] = object;
    within[rectangle] = offset;
    sizes[object] = Math.max(sizes[object], offset + size);
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
    return count;
  }

  public long size(int object) {
    return sizes[object];
  }

  /** The plan with all objects end to end. */
  public CasePlan endToEnd(HullList rectangles) {
    long[] starts = new long[count];
    for (int k = 1; k < count; k++) {
      starts[k] = starts[k - 1] + sizes[k - 1];
    }
    long[] offsets = new long[objectOf.length];
    Arrays.setAll(offsets, r -> starts[objectOf[r]] + within[r]);
    Placement placement = rectangles.placement(offsets);
    return new CasePlan(placement, count);
  }
}
