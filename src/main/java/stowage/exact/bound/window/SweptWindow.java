package stowage.exact.bound.window;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.exact.bound.sweep.ArrangementSweep;
import stowage.exact.bound.sweep.SweepRectangles;

/**
 * Some pieces during a stretch of sections, to be decided by a sweep. If every piece may be at any
 * offset, those alive throughout are settled at the bottom beforehand, and so are those alive
 * throughout what is left.
 */
final class SweptWindow {
  private final SpanRectangles part;
  private final int[] chosen;
  private final int from;
  private final int to;
  private final int[] swept;
  private final long settled;
  private long spent;
  private long nextCeiling;
  private int lastSection;
  private long[] positions;

  /** The pieces alive at some of the sections {@code [from, to)}. */
  static SweptWindow of(SpanRectangles part, int from, int to) {
    SweepRectangles pieces = part.pieces();
    int[] chosen =
        IntStream.range(0, pieces.count())
            .filter(i -> pieces.start()[i] < to && pieces.end()[i] > from)
            .toArray();
    return new SweptWindow(part, chosen, from, to);
  }

  private SweptWindow(SpanRectangles part, int[] chosen, int from, int to) {
    this.part = part;
    this.chosen = chosen;
    this.from = from;
    this.to = to;
    this.swept = part.plain() ? changing() : chosen;
    this.settled = height(chosen) - height(swept);
  }

  private long height(int[] some) {
    return Arrays.stream(some).mapToLong(i -> part.pieces().height()[i]).sum();
  }

  private int[] changing() {
    int[] left = chosen;
    int before;
    do {
      before = left.length;
      int firstEnd = to;
      int lastStart = from;
      for (int i : left) {
        firstEnd = Math.min(firstEnd, part.pieces().end()[i]);
        lastStart = Math.max(lastStart, part.pieces().start()[i]);
      }
      int end = firstEnd;
      int start = lastStart;
      left =
          Arrays.stream(left)
              .filter(i -> part.pieces().start()[i] >= end || part.pieces().end()[i] <= start)
              .toArray();
    } while (left.length < before);
    return left;
  }

  /** Whether all fits below a ceiling; within a limit of work. */
  ArrangementSweep.Answer decide(long ceiling, long work, BooleanSupplier stop) {
    return decide(part.pieces().select(swept, from, to), ceiling, work, stop);
  }

  private ArrangementSweep.Answer decide(
      SweepRectangles pieces, long ceiling, long work, BooleanSupplier stop) {
    ArrangementSweep sweep = new ArrangementSweep(pieces, ceiling - settled, work, stop);
    ArrangementSweep.Answer answer = sweep.run();
    spent = work - sweep.workLeft();
    lastSection = sweep.lastSection();
    nextCeiling =
        sweep.nextCeiling() == Long.MAX_VALUE ? ceiling + 1 : settled + sweep.nextCeiling();
    positions = answer == ArrangementSweep.Answer.FITS ? sweep.positions() : null;
    return answer;
  }

  /** The work of the last decision. */
  long spent() {
    return spent;
  }

  /** After an exclusion: a ceiling above the one asked for, below which nothing fits either. */
  long nextCeiling() {
    return nextCeiling;
  }

  /** After a success: the position of every piece of the part; null for a window of the part. */
  long[] positions() {
    if (chosen.length < part.pieces().count() || from > 0 || to < part.loads().length) {
      return null;
    }
    long[] all = new long[chosen.length];
    long floor = 0;
    boolean[] moved = new boolean[chosen.length];
    for (int k = 0; k < swept.length; k++) {
      all[swept[k]] = settled + positions[k];
      moved[swept[k]] = true;
    }
    for (int i = 0; i < all.length; i++) {
      if (!moved[i]) {
        all[i] = floor;
        floor += part.pieces().height()[i];
      }
    }
    return all;
  }

  int from() {
    return from;
  }

  /** The first section after it. */
  int to() {
    return to;
  }

  /** The part's buffers that the pieces belong to, ascending, each once. */
  int[] buffers() {
    return Arrays.stream(chosen).map(i -> part.owner()[i]).sorted().distinct().toArray();
  }

  /**
   * A smaller window that still does not fit below a ceiling under which this one does not: first
   * without the sections at both ends that are not needed, then without pieces, block by block.
   */
  SweptWindow shrunk(long ceiling, long work, BooleanSupplier stop) {
    SweptWindow best = cut(ceiling, work, stop);
    long left = work;
    long each = 4 * best.spent + 100_000;
    for (int block = Math.max(1, best.swept.length / 2); ; block /= 2) {
      for (int at = best.swept.length; at > 0 && left > 0; at -= block) {
        SweptWindow fewer = best.without(Math.max(0, at - block), Math.min(at, best.swept.length));
        boolean excluded =
            fewer.decide(ceiling, Math.min(each, left), stop) == ArrangementSweep.Answer.EXCLUDED;
        left -= fewer.spent + 1_000;
        if (excluded) {
          best = fewer;
          at = Math.min(at, best.swept.length + block);
        }
      }
      if (block == 1 || left <= 0) {
        return best;
      }
    }
  }

  /** Without the sections after the one that nothing came through, seen from either end. */
  private SweptWindow cut(long ceiling, long work, BooleanSupplier stop) {
    if (decide(ceiling, work, stop) != ArrangementSweep.Answer.EXCLUDED) {
      return this;
    }
    SweptWindow best = stretch(from, from + lastSection + 1);
    SweepRectangles pieces =
        part.pieces().select(best.swept, best.from, best.to).backwards(best.to - from);
    boolean excluded =
        best.decide(pieces, ceiling, 4 * spent + 100_000, stop) == ArrangementSweep.Answer.EXCLUDED;
    if (excluded) {
      SweptWindow shorter = best.stretch(best.to - best.lastSection - 1, best.to);
      if (shorter.decide(ceiling, 4 * spent + 100_000, stop) == ArrangementSweep.Answer.EXCLUDED) {
        return shorter;
      }
    }
    best.spent = spent;
    return best;
  }

  private SweptWindow stretch(int first, int last) {
    int[] still =
        Arrays.stream(chosen)
            .filter(i -> part.pieces().start()[i] < last && part.pieces().end()[i] > first)
            .toArray();
    return new SweptWindow(part, still, first, last);
  }

  private SweptWindow without(int begin, int end) {
    int[] gone = Arrays.copyOfRange(swept, begin, end);
    int[] still = Arrays.stream(chosen).filter(i -> Arrays.binarySearch(gone, i) < 0).toArray();
    return new SweptWindow(part, still, from, to);
  }
}
