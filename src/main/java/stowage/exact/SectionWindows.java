package stowage.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.exact.sweep.Pieces;

/**
 * The stretches of sections in which few pieces change.
 *
 * <p>Pieces that are alive throughout a stretch lie at its bottom and need no search, as long as no
 * piece minds where it lies; so what counts is how many others are alive at once, the stretch's
 * width. Longer stretches are no narrower, so those of a width that cannot be extended are found by
 * two pointers, in O(sections * live pieces).
 *
 * <p>Stretches whose loads are high in several sections come first. Three sections and fewer can
 * always be placed at their highest load: with what the first and the second share at the bottom of
 * the second, and what the third shares with it at the top.
 */
final class SectionWindows {
  private static final int FEWEST_SECTIONS = 4;
  private static final long MOST_WORK = 20_000_000;

  /**
   * Sections {@code [from, to)} and the loads of the fullest and the fourth fullest of them.
   *
   * @param width the most pieces alive at once, but for those alive throughout
   */
  record Window(int from, int to, int width, long load, long fourthLoad) {}

  private final PartPieces part;
  private final int sections;
  private final int[] live;
  private final int[][] ends;
  private final boolean small;

  SectionWindows(PartPieces part) {
    this.part = part;
    this.sections = part.loads().length;
    this.live = new int[sections];
    Pieces pieces = part.pieces();
    long total = 0;
    for (int i = 0; i < pieces.count(); i++) {
      total += pieces.end()[i] - pieces.start()[i];
    }
    this.small = total <= MOST_WORK;
    this.ends = new int[sections][];
    if (small) {
      fill();
    }
  }

  /** For each section the ends of the pieces alive in it, ascending. */
  private void fill() {
    Pieces pieces = part.pieces();
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < pieces.count(); i++) {
        for (int s = pieces.start()[i]; s < pieces.end()[i]; s++) {
          if (pass == 1) {
            ends[s][live[s]] = pieces.end()[i];
          }
          live[s]++;
        }
      }
      for (int s = 0; s < sections && pass == 0; s++) {
        ends[s] = new int[live[s]];
        live[s] = 0;
      }
    }
    for (int[] ofSection : ends) {
      Arrays.sort(ofSection);
    }
  }

  /**
   * The windows of a width that cannot be extended, most promising first; none where the part is
   * too large to look for them.
   *
   * @param width the largest width
   * @param leastLoad of the fullest section
   */
  List<Window> ofWidth(int width, long leastLoad) {
    List<Window> windows = new ArrayList<>();
    if (!small) {
      return windows;
    }
    int end = 0;
    int reported = 0;
    int[] highest = new int[sections + 1];
    for (int start = 0; start < sections; start++) {
      end = Math.max(end, start);
      int most = 0;
      for (int s = start; s < end; s++) {
        most = Math.max(most, live[s]);
      }
      while (end < sections && Math.max(most, live[end]) - throughout(start, end + 1) <= width) {
        most = Math.max(most, live[end]);
        end++;
      }
      if (end > reported) {
        reported = end;
        Window window = window(start, end, most - throughout(start, end));
        boolean tooShort = part.plain() && end - start < FEWEST_SECTIONS;
        if (window.load >= leastLoad && !tooShort) {
          windows.add(window);
        }
      }
    }
    windows.sort(
        Comparator.comparingLong(Window::fourthLoad)
            .thenComparingLong(Window::load)
            .reversed()
            .thenComparingInt(Window::from));
    return windows;
  }

  /** Pieces alive in all sections {@code [start, end)}. */
  private int throughout(int start, int end) {
    if (!part.plain() || start >= end) {
      return 0;
    }
    int[] ofStart = ends[start];
    int count = 0;
    for (int k = ofStart.length - 1; k >= 0 && ofStart[k] >= end; k--) {
      count++;
    }
    return count;
  }

  private Window window(int from, int to, int width) {
    long[] loads = Arrays.copyOfRange(part.loads(), from, to);
    Arrays.sort(loads);
    long fourth = loads.length < FEWEST_SECTIONS ? 0 : loads[loads.length - FEWEST_SECTIONS];
    return new Window(from, to, width, loads[loads.length - 1], fourth);
  }
}
