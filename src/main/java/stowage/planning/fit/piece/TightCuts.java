package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.RunTiles;
import stowage.rewrite.SplitAxis;

/**
 * Cuts of a run at any rows, and evenly along columns: of those whose load is below some bytes the
 * one of least compute. Ranges say which that is about ({@link RunTiles}); its steps are laid out,
 * and where they take more it is asked for so much less.
 */
public final class TightCuts {
  private static final int MOST_PIECES = 200;

  /** Most places at which rows may be cut. */
  private static final int MOST_BOUNDS = 40;

  /** After so many larger pieces in turn that take too much none is tried. */
  private static final int MISSES = 3;

  /** Most cuts that are laid out for one answer. */
  private static final int MOST_TRIES = 6;

  /**
   * A cut.
   *
   * @param down whether pieces run from the first to the last
   * @param extra compute added
   * @param load about its largest sum of live bytes
   */
  public record Cut(List<AxisSplit> split, boolean down, long extra, long load) {}

  /** Layout of a cut's steps. */
  public interface Layout {
    /** The largest sum of live bytes. */
    long load(Cut cut) throws BarrierException;
  }

  private final RunTiles tiles;
  private final long compute;
  private final long across;
  private final boolean bothWays;

  /**
   * Cuts of a run.
   *
   * @param compute of the run as it is
   * @param across bytes that live across it
   * @param bothWays whether it matters from which end pieces run
   */
  public TightCuts(RunTiles tiles, long compute, long across, boolean bothWays) {
    this.tiles = tiles;
    this.compute = compute;
    this.across = across;
    this.bothWays = bothWays;
  }

  /** What ranges say of a cut; null where a piece would have nothing to read. */
  public Cut about(List<AxisSplit> split, boolean down) {
    try {
      return new Cut(split, down, tiles.compute(split) - compute, across + tiles.load(split));
    } catch (BarrierException barrier) {
      return null;
    }
  }

  /**
   * Lays out the cheapest cuts until one is below a load; says whether there may be one.
   *
   * @param columns how columns are cut, in all ways to try; null of one that leaves them whole
   * @param most extra compute above which a cut is of no use
   */
  public boolean below(long load, List<AxisSplit> columns, long most, Layout layout)
      throws BarrierException {
    PriorityQueue<Open> open = new PriorityQueue<>(Comparator.comparingLong(Open::extra));
    for (AxisSplit right : columns) {
      long least = right == null ? 0 : tiles.columns(right) - compute;
      for (int way = 0; way < (bothWays ? 2 : 1) && least <= most; way++) {
        open.add(new Open(right, way == 0, load - 1 - across, least, null));
      }
    }
    for (int tries = 0; tries < MOST_TRIES && !open.isEmpty(); ) {
      Open one = open.remove();
      Cut cut = one.cut == null ? cut(one) : one.cut;
      if (one.cut == null) {
        if (cut != null && cut.extra <= most) {
          open.add(new Open(one.right, one.down, one.within, cut.extra, cut));
        }
        continue;
      }
      tries++;
      long found = layout.load(cut);
      if (found < load) {
        return true; // others are dearer
      }
      long within = cut.load - across - (found - load + 1);
      open.add(new Open(one.right, one.down, within, one.extra, null));
    }
    return !open.isEmpty();
  }

  /**
   * A way to cut columns.
   *
   * @param within what rows of pieces may take
   * @param extra the compute added at least; by the cut itself where that is known
   * @param cut the rows that go with it; null for not yet known
   */
  private record Open(AxisSplit right, boolean down, long within, long extra, Cut cut) {}

  private Cut cut(Open one) throws BarrierException {
    AxisSplit rows = cheapest(one.right, one.down, one.within);
    if (rows == null
        || rows.pieces() * (one.right == null ? 1 : one.right.pieces()) > MOST_PIECES) {
      return null;
    }
    return about(one.right == null ? List.of(rows) : List.of(rows, one.right), one.down);
  }

  /**
   * Where to cut rows so that the load is about within some bytes at the least compute: a shortest
   * path over the bounds. O(bounds squared * ops * columns).
   *
   * @param across how columns are cut; null where they are whole
   * @return null where there is no such cut
   */
  private AxisSplit cheapest(AxisSplit across, boolean topDown, long within)
      throws BarrierException {
    int extent = tiles.extent();
    int step = (extent + MOST_BOUNDS - 1) / MOST_BOUNDS;
    long[] least = new long[extent + 1];
    int[] before = new int[extent + 1];
    Arrays.fill(least, Long.MAX_VALUE);
    least[0] = 0;
    for (int from = 0; from < extent; from += step) {
      int misses = least[from] == Long.MAX_VALUE ? MISSES : 0;
      for (int at = from + step; misses < MISSES && at < extent + step; at += step) {
        int to = Math.min(at, extent);
        RunTiles.Row row = tiles.row(across, from, to, topDown);
        boolean fits = row != null && row.load() <= within;
        misses = fits ? 0 : misses + 1;
        if (fits && least[from] + row.compute() < least[to]) {
          least[to] = least[from] + row.compute();
          before[to] = from;
        }
      }
    }
    if (least[extent] == Long.MAX_VALUE) {
      return null;
    }
    IntStream cuts = IntStream.iterate(before[extent], at -> at > 0, at -> before[at]);
    return new AxisSplit(SplitAxis.ROWS, cuts.sorted().toArray());
  }
}
