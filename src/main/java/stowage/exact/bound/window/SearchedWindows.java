package stowage.exact.bound.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.SearchResult;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Certificate;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Bounds by windows of few buffers with all their constraints: alignments, banks, gaps, extra
 * conflicts. Each is decided by the exact search under the best bound so far as capacity. If
 * nothing fits, the bound rises to the next capacity that could make a difference; then every
 * buffer without which still nothing fits is left out.
 *
 * <p>All windows that cannot be extended are tried, those with the highest loads first, within a
 * number of nodes. Parts in which buffers need mere windows of their bytes at times are left out,
 * since the search places whole buffers alone.
 */
final class SearchedWindows {
  /** The most buffers of a window; the verifier's method is made for a dozen. */
  private static final int MOST_BUFFERS = 18;

  private static final int MOST_WINDOWS = 40;
  private static final int FEWEST_NODES = 60_000;

  /** A node is about two microseconds: so many times the work of a sweep's figure. */
  private static final int WORK_PER_NODE = 200;

  private static final int WINDOWS_PER_RUN = 20;
  private static final double GUARD_SECONDS = 5;

  private final PackingProblem problem;
  private final int memory;
  private final BooleanSupplier stop;
  private final long nodesPerWindow;
  private long nodesLeft;

  private SearchedWindows(PackingProblem problem, int memory, long work, BooleanSupplier stop) {
    this.problem = problem;
    this.memory = memory;
    this.stop = stop;
    this.nodesLeft = Math.max(FEWEST_NODES, work / WORK_PER_NODE);
    this.nodesPerWindow = nodesLeft / WINDOWS_PER_RUN;
  }

  /** A bound of a part's peak above the known one that the verifier accepts, or null. */
  static Bound above(
      PackingProblem problem,
      int memory,
      Component part,
      long known,
      long work,
      BooleanSupplier stop) {
    return new SearchedWindows(problem, memory, work, stop).ofPart(part, known);
  }

  /** A stretch of sections: its buffers, and the largest load within. */
  private record Window(int[] buffers, long load) {}

  private Bound ofPart(Component part, long known) {
    if (part.hasWindows()) {
      return null; // the search places whole buffers alone
    }
    long[] loads = part.loads();
    long ceiling = Math.max(part.unitsBelow(known), Arrays.stream(loads).max().orElse(0));
    List<Window> windows = windows(part, loads);
    windows.sort(Comparator.comparingLong(Window::load).reversed());
    Bound best = null;
    for (Window window : windows.subList(0, Math.min(MOST_WINDOWS, windows.size()))) {
      // A window whose load leaves a tenth of the height free is not worth its nodes.
      while (window.load >= ceiling - ceiling / 10 && excluded(part, window.buffers, ceiling)) {
        Bound bound = bound(part, smallest(part, window.buffers, ceiling), ceiling);
        if (BoundVerifier.fault(problem, bound).isPresent()) {
          break;
        }
        best = bound;
        ceiling++;
      }
    }
    return best;
  }

  /** The stretches of sections with few buffers that cannot be extended. */
  private static List<Window> windows(Component part, long[] loads) {
    int sections = part.sections();
    int[][] alive = alive(part);
    int[] times = new int[part.count()];
    List<Window> windows = new ArrayList<>();
    int distinct = 0;
    int end = 0;
    int reported = 0;
    for (int start = 0; start < sections; start++) {
      while (end < sections && distinct + fresh(alive[end], times) <= MOST_BUFFERS) {
        for (int b : alive[end]) {
          distinct += times[b]++ == 0 ? 1 : 0;
        }
        end++;
      }
      if (end > reported && end > start) {
        reported = end;
        long load = Arrays.stream(loads, start, end).max().orElse(0);
        int[] buffers = IntStream.range(0, times.length).filter(b -> times[b] > 0).toArray();
        windows.add(new Window(buffers, load));
      }
      if (end == start) {
        end++; // a section too full for any window
      } else {
        for (int b : alive[start]) {
          distinct -= --times[b] == 0 ? 1 : 0;
        }
      }
    }
    return windows;
  }

  private static int fresh(int[] buffers, int[] times) {
    return (int) Arrays.stream(buffers).filter(b -> times[b] == 0).count();
  }

  /** The buffers of each section; no more than one too many for a window. */
  private static int[][] alive(Component part) {
    int[][] alive = new int[part.sections()][];
    int[] counts = new int[part.sections()];
    for (int pass = 0; pass < 2; pass++) {
      for (int b = 0; b < part.count(); b++) {
        for (int s = part.firstSpans()[b]; s < part.firstSpans()[b + 1]; s++) {
          for (int t = part.spanStarts()[s]; t < part.spanEnds()[s]; t++) {
            if (counts[t] <= MOST_BUFFERS) {
              if (pass == 1) {
                alive[t][counts[t]] = b;
              }
              counts[t]++;
            }
          }
        }
      }
      for (int t = 0; t < counts.length && pass == 0; t++) {
        alive[t] = new int[counts[t]];
        counts[t] = 0;
      }
    }
    return alive;
  }

  private boolean excluded(Component part, int[] buffers, long ceiling) {
    if (nodesLeft <= 0 || stop.getAsBoolean()) {
      return false;
    }
    // The nodes decide; the clock only is guard, far above what they ever take.
    RunControl control =
        RunControl.ofSeconds(GUARD_SECONDS, 1, 1).withWork(Math.min(nodesPerWindow, nodesLeft));
    Component window = part.restrict(0, buffers);
    SearchResult result =
        new SearchTeam(1, 1, true).search(window, window.unitsBelow(ceiling), control);
    nodesLeft -= Math.max(50, result.statistics().nodes());
    return result.status() == SearchResult.Status.INFEASIBLE;
  }

  /** Leaves out every buffer without which still nothing fits. */
  private int[] smallest(Component part, int[] buffers, long ceiling) {
    int[] kept = buffers;
    for (int at = kept.length - 1; at >= 0 && kept.length > 2; at--) {
      int[] fewer = new int[kept.length - 1];
      System.arraycopy(kept, 0, fewer, 0, at);
      System.arraycopy(kept, at + 1, fewer, at, fewer.length - at);
      kept = excluded(part, fewer, ceiling) ? fewer : kept;
    }
    return kept;
  }

  private Bound bound(Component part, int[] buffers, long ceiling) {
    int[] named = SpanRectangles.named(part, buffers);
    long value = part.bytes(ceiling + 1);
    return Bound.of(value, new Certificate.Window(memory, life(named), named));
  }

  /** The steps from the first start to the last end. */
  private LiveRange life(int[] buffers) {
    var starts = Arrays.stream(buffers).map(i -> problem.buffer(i).live().start());
    var ends = Arrays.stream(buffers).map(i -> problem.buffer(i).live().end());
    return new LiveRange(starts.min().orElseThrow(), ends.max().orElseThrow());
  }
}
