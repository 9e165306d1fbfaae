package stowage.exact.bound.window;

import java.util.stream.IntStream;
import stowage.exact.bound.sweep.SweepRectangles;
import stowage.exact.presolve.Component;
import stowage.packing.Buffer;
import stowage.packing.LiveRange;
import stowage.packing.Rounding;

/**
 * A part with one memory as pieces for a sweep, in the part's units and sections.
 *
 * <p>Where the part has nothing but whole buffers, alignments they share and fixed offsets, the
 * pieces say all; elsewhere they are a relaxation: gaps cut a buffer into pieces that need not be
 * at one offset, extra conflicts and banks are left out, and of the alignments only the greatest
 * common divisor is kept.
 *
 * @param pieces one for each span
 * @param owner the part's buffer of each piece
 * @param loads the load of each section
 * @param plain whether every piece may be anywhere
 * @param exact whether a placement of the pieces is a placement of the part
 */
record SpanRectangles(
    SweepRectangles pieces, int[] owner, long[] loads, boolean plain, boolean exact) {

  /** Takes a part apart. O(spans). */
  static SpanRectangles of(Component part) {
    int spans = part.spanStarts().length;
    int[] owner = new int[spans];
    long[] height = new long[spans];
    long[] step = new long[spans];
    long[] lowest = new long[spans];
    long[] highest = new long[spans];
    long[] tail = new long[spans];
    long common = 0;
    boolean windows = part.hasWindows();
    boolean exact = !windows;
    for (int i = 0; i < part.count(); i++) {
      common = Rounding.gcd(part.alignment(i, 0), common);
      exact &= part.firstSpans()[i + 1] - part.firstSpans()[i] == 1;
      exact &= part.extraConflicts(i).length == 0;
      exact &= !part.withinBanks()[i] || part.bankSize(0) == 0;
    }
    boolean plain = true;
    for (int i = 0; i < part.count(); i++) {
      exact &= part.alignment(i, 0) == common;
      for (int s = part.firstSpans()[i]; s < part.firstSpans()[i + 1]; s++) {
        long fixed = part.fixedOffsets()[i];
        owner[s] = i;
        height[s] = part.spanHighs()[s] - part.spanLows()[s];
        long rest = windows ? 0 : height[s] % common;
        step[s] = rest == 0 ? height[s] : height[s] - rest + common;
        lowest[s] = Math.max(0, fixed) + part.spanLows()[s];
        highest[s] = fixed < 0 ? Long.MAX_VALUE : fixed + part.spanLows()[s];
        tail[s] = part.sizes()[i] - part.spanHighs()[s];
        plain &= fixed < 0 && lowest[s] == 0 && tail[s] == 0 && step[s] == height[s];
      }
    }
    SweepRectangles pieces =
        new SweepRectangles(
            part.spanStarts(), part.spanEnds(), height, step, lowest, highest, tail);
    return new SpanRectangles(pieces, owner, part.loads(), plain, exact);
  }

  /** Some of the part's buffers and those at its bottom, as the problem's, ascending. */
  static int[] named(Component part, int[] buffers) {
    return IntStream.concat(
            IntStream.of(part.stackedBuffers()), IntStream.of(buffers).map(part::buffer))
        .sorted()
        .toArray();
  }

  /**
   * The steps of the problem that the sections {@code [from, to)} represent: from one at which
   * exactly the pieces of the first are alive to one at which exactly those of the last are.
   */
  static LiveRange steps(Component part, int from, int to) {
    return new LiveRange(step(part, from), step(part, to - 1) + 1);
  }

  /** The last start, in steps of the problem, of the spans that are alive in a section. */
  private static int step(Component part, int section) {
    int step = Integer.MIN_VALUE;
    for (int i = 0; i < part.count(); i++) {
      int s = part.firstSpans()[i] - 1;
      Buffer.Span before = null;
      for (Buffer.Span span : part.original(i).spans()) {
        boolean goesOn =
            before != null
                && before.end() == span.start()
                && before.low() == span.low()
                && before.high() == span.high();
        s += goesOn ? 0 : 1;
        if (!goesOn && part.spanStarts()[s] <= section && section < part.spanEnds()[s]) {
          step = Math.max(step, span.start());
        }
        before = span;
      }
    }
    return step;
  }

  /** The placement of the part that the positions of exact pieces make. */
  long[] offsets(long[] positions, int count) {
    long[] offsets = new long[count];
    for (int piece = 0; piece < owner.length; piece++) {
      offsets[owner[piece]] = positions[piece];
    }
    return offsets;
  }
}
