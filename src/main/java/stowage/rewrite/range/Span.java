package stowage.rewrite.range;

/**
 * Indices along one axis.
 *
 * @param begin the first; below 0 where padding is counted in
 * @param end the first after them, above {@code begin}
 */
public record Span(long begin, long end) {

  /** Checks that there is an index. */
  public Span {
    if (end <= begin) {
      throw new IllegalArgumentException("[" + begin + ", " + end + ") is empty");
    }
  }

  public static Span whole(long extent) {
    return new Span(0, extent);
  }

  /** How many indices there are. */
  public long size() {
    return end - begin;
  }

  /** The least span that holds both; the other may be null. */
  public Span hull(Span other) {
    return other == null ? this : new Span(Math.min(begin, other.begin), Math.max(end, other.end));
  }

  @Override
  public String toString() {
    return "[" + begin + ", " + end + ")";
  }
}
