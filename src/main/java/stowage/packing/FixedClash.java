package stowage.packing;

import java.util.List;

/** Two buffers that their given offsets put on each other: the plainest reason for no plan. */
final class FixedClash {
  /** Every pair is looked at; beyond so many buffers of given offset that would take too long. */
  private static final int MOST = 4_000;

  private FixedClash() {}

  /**
   * The first such pair in a sentence; null where there is none, where there are several memories,
   * or where there are too many buffers of given offset. O(n^2) spans.
   */
  static String text(PackingProblem problem) {
    List<Buffer> fixed = problem.buffers().stream().filter(Buffer::isFixed).toList();
    if (problem.memories().size() > 1 || fixed.size() > MOST) {
      return null;
    }
    List<List<Buffer.Span>> spans = fixed.stream().map(Buffer::spans).toList();
    for (int i = 0; i < fixed.size(); i++) {
      for (int j = i + 1; j < fixed.size(); j++) {
        long apart = fixed.get(j).fixedOffset() - fixed.get(i).fixedOffset();
        int step = commonStep(spans.get(i), spans.get(j), apart);
        if (step != Integer.MIN_VALUE) {
          return ("%s and %s, by their given offsets, and both need bytes there at " + "step %s.")
              .formatted(place(fixed.get(i)), place(fixed.get(j)), step);
        }
      }
    }
    return null;
  }

  /**
   * A step at which both need one byte, the second so many bytes above the first; the lowest number
   * there is for none.
   */
  private static int commonStep(List<Buffer.Span> first, List<Buffer.Span> second, long apart) {
    for (Buffer.Span a : first) {
      for (Buffer.Span b : second) {
        boolean together = a.start() < b.end() && b.start() < a.end();
        if (together && a.low() < apart + b.high() && apart + b.low() < a.high()) {
          return Math.max(a.start(), b.start());
        }
      }
    }
    return Integer.MIN_VALUE;
  }

  private static String place(Buffer buffer) {
    return "\"%s\" lies in [%s, %s)"
        .formatted(
            buffer.id(),
            ByteText.exact(buffer.fixedOffset()),
            ByteText.exact(buffer.fixedOffset() + buffer.size()));
  }
}
