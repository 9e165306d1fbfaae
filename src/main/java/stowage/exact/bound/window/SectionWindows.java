package stowage.exact.bound.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.exact.bound.sweep.SweepRectangles;
import stowage.exact.presolve.Component;

/**
 * The stretches of sections in which few pieces change.
 *
 * <p>Pieces that are alive throughout a stretch are at its bottom and need no search, as long as no
 * piece minds where it is; so what counts is how many others are alive at once, the stretch's
 * width. Longer stretches are no narrower, so those of a width that cannot be extended are found by
 * two pointers, in O(sections * live pieces).
 *
 * <p>Stretches whose loads are high in several sections come first. Three sections and fewer can
 * always be placed at their highest load: with what the first and the second share at the bottom of
 * the second, and what the third shares with it at the top.
 */
final class SectionWindows {
  private static final int FEWEST_SECTIONS = 4;
  private static final long MOST_CELLS = 20_000_000;

  /** Sections {@code [from, to)} and the loads of the fullest and the fourth fullest of them. */
  record Window(int from, int to, long load, long fourthLoad) {}

  private final SpanRectangles part;
  private final int sections;
  private final int[] live;
  private final int[][] ends;
  private final boolean small;
  private final Map<Integer, List<Window>> byWidth = new HashMap<>();
  private final long cells;

  /** The windows of a part; none if its pieces span more than {@code work} sections in all. */
  SectionWindows(SpanRectangles part, long work) {
    this.part = part;
    this.sections = part.loads().length;
    this.live = new int[sections];
    SweepRectangles pieces = part.pieces();
    this.cells =
        IntStream.range(0, pieces.count())
            .mapToLong(i -> pieces.end()[i] - pieces.start()[i])
            .sum();
    this.small = cells <= Math.min(work, MOST_CELLS);
    this.ends = small ? Component.bySection(pieces.start(), pieces.end(), sections) : new int[0][];
    for (int s = 0; s < ends.length; s++) {
      live[s] = ends[s].length;
      ends[s] = Arrays.stream(ends[s]).map(i -> pieces.end()[i]).sorted().toArray();
    }
  }

  /** Windows of a width and a least load that cannot be extended, most promising first. */
  List<Window> ofWidth(int width, long leastLoad) {
    return byWidth.computeIfAbsent(width, this::ofWidth).stream()
        .filter(window -> window.load >= leastLoad)
        .toList();
  }

  /** Figures that making the lists of one width looks at. */
  long cells() {
    return small ? cells : 0;
  }

  private List<Window> ofWidth(int width) {
    List<Window> windows = new ArrayList<>();
    if (!small) {
      return windows;
    }
    int end = 0;
    int reported = 0;
    int[] falling = new int[sections]; // sections whose live pieces are the most from there on
    int first = 0;
    int last = 0;
    for (int start = 0; start < sections; start++) {
      while (first < last && falling[first] < start) {
        first++;
      }
      end = Math.max(end, start);
      int most = first < last ? live[falling[first]] : 0;
      while (end < sections && Math.max(most, live[end]) - throughout(start, end + 1) <= width) {
        while (first < last && live[falling[last - 1]] <= live[end]) {
          last--;
        }
        falling[last++] = end;
        most = live[falling[first]];
        end++;
      }
      if (end > reported && end > start) {
        reported = end;
        Window window = window(start, end);
        boolean tooShort = part.plain() && end - start < FEWEST_SECTIONS;
        if (!tooShort) {
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

  private Window window(int from, int to) {
    long[] loads = Arrays.copyOfRange(part.loads(), from, to);
    Arrays.sort(loads);
    long fourth = loads.length < FEWEST_SECTIONS ? 0 : loads[loads.length - FEWEST_SECTIONS];
    return new Window(from, to, loads[loads.length - 1], fourth);
  }
}
