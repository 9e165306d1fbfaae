package stowage.onchip.layer;

/** A part of a tensor along one axis: {@code [begin, begin + size)}. */
public record Slice(long begin, long size) {
  public static Slice whole(long extent) {
    return new Slice(0, extent);
  }

  /** First index after the slice. */
  public long end() {
    return begin + size;
  }

  /** Whether the two slices share an index. */
  public boolean overlaps(Slice other) {
    return Math.max(begin, other.begin) < Math.min(end(), other.end());
  }

  /** The smallest slice that holds both. */
  public Slice union(Slice other) {
    long first = Math.min(begin, other.begin);
    return new Slice(first, Math.max(end(), other.end()) - first);
  }

  @Override
  public String toString() {
    return "[" + begin + ", " + end() + ")";
  }
}
