package stowage.exact;

import stowage.exact.search.RectangleProblem;

/** Turns parts into what the canonical search reads. */
public final class Rectangles {
  private Rectangles() {}

  /**
   * A part with one memory as rectangles, in the part's units and under its own numbers. A buffer
   * without spans, which nothing but its extra conflicts keeps apart from others, gets a section of
   * its own.
   *
   * @throws IllegalArgumentException where the part has several memories
   */
  public static RectangleProblem of(NormalPart part) {
    if (part.memories() != 1) {
      throw new IllegalArgumentException(
          "a part of " + part.memories() + " memories should have one to become rectangles");
    }
    RectangleProblem.Builder builder = RectangleProblem.builder().banks(part.bankSize(0));
    int spare = part.sections();
    for (int i = 0; i < part.count(); i++) {
      int first = part.firstSpans()[i];
      int end = part.firstSpans()[i + 1];
      if (first == end) {
        builder.add(part.sizes()[i], spare, ++spare);
      } else {
        builder.add(part.sizes()[i], part.spanStarts()[first], part.spanEnds()[end - 1]);
        addGaps(builder, part, i, first, end);
      }
      builder.align(i, part.alignment(i, 0));
      if (part.fixedOffsets()[i] >= 0) {
        builder.fix(i, part.fixedOffsets()[i]);
      }
      if (part.withinBanks()[i] && part.bankSize(0) > 0) {
        builder.withinBank(i);
      }
    }
    for (int i = 0; i < part.count(); i++) {
      for (int j : part.extraConflicts(i)) {
        if (j < i) {
          builder.conflict(j, i);
        }
      }
    }
    return builder.build();
  }

  private static void addGaps(
      RectangleProblem.Builder builder, NormalPart part, int i, int first, int end) {
    for (int s = first; s < end; s++) {
      if (s > first && part.spanEnds()[s - 1] < part.spanStarts()[s]) {
        builder.gap(part.spanEnds()[s - 1], part.spanStarts()[s]);
      }
      if (part.spanHighs()[s] - part.spanLows()[s] != part.sizes()[i]) {
        builder.window(
            part.spanStarts()[s], part.spanEnds()[s], part.spanLows()[s], part.spanHighs()[s]);
      }
    }
  }
}
