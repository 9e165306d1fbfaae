package stowage.onchip.slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Scratch;

/**
 * The slicings that the quick search tries, in order.
 *
 * <p>The first is the largest, axis by axis, of what each op by itself would need with all its
 * tensors whole: T = ceil(bytes / lane) slices are sought along n, the rest along c, d, h and at
 * last w. Each next one raises n to the next count that makes slices smaller; then c; then the
 * product of d, h and w by one, where h and w are chosen so that the rows read twice are fewest. At
 * most 20 are tried.
 *
 * <p>Source: init_group_data_secs, update_data_split and assign_dhwsecs of TPU-MLIR
 * (lib/Dialect/Tpu/Transforms/LayerGroup/LayerGroupUtil.cpp).
 */
public final class QuickSlicings {
  private static final int TRIES = 20;

  /** Columns are cut before rows are used up only into parts of at least so many bytes. */
  private static final long LEAST_ROW_BYTES = 256;

  private final GroupModel group;
  private final Slicing most;
  private final boolean channels;

  private QuickSlicings(GroupModel group, boolean channels, BackwardSlicer.Rules rules) {
    this.group = group;
    this.most = BackwardSlicer.most(group, rules);
    this.channels = channels;
  }

  /**
   * The slicings to try, first to last, of axes that the rules allow and of channels where they may
   * be cut; none when the group cannot be cut finely enough.
   */
  public static List<Slicing> of(GroupModel group, boolean channels, BackwardSlicer.Rules rules) {
    return new QuickSlicings(group, channels, rules).tries();
  }

  private List<Slicing> tries() {
    List<Slicing> tries = new ArrayList<>();
    Slicing slicing = first();
    while (slicing != null && tries.size() < TRIES) {
      tries.add(slicing);
      slicing = next(slicing);
    }
    return tries;
  }

  private int mostChannels() {
    return channels ? most.c() : 1;
  }

  private Slicing first() {
    LayerGraph graph = group.graph();
    long lane = graph.chip().laneBytes();
    long n = 1;
    long c = 1;
    long d = 1;
    long h = 1;
    long w = 1;
    for (int m = 0; m < group.size(); m++) {
      long left = LaneSize.ceilDiv(Math.max(1, wholeBytes(group.layer(m))), lane);
      n = Math.max(n, Math.min(left, most.n()));
      left = LaneSize.ceilDiv(left, n);
      if (mostChannels() > 1) {
        c =
            left > mostChannels()
                ? mostChannels()
                : Math.max(c, LaneSize.ceilDiv(mostChannels(), mostChannels() / left));
        left = LaneSize.ceilDiv(left, c);
      }
      d = Math.max(d, Math.min(left, most.d()));
      left = LaneSize.ceilDiv(left, d);
      if (left > most.h()) {
        w = Math.max(w, LaneSize.ceilDiv(left, most.h()));
        h = most.h();
        if (w > most.w()) {
          return null;
        }
      } else {
        h = Math.max(h, left);
      }
    }
    return new Slicing((int) n, (int) c, (int) d, (int) h, (int) w);
  }

  private long wholeBytes(Layer layer) {
    LayerGraph graph = group.graph();
    return layer.operands().stream().mapToLong(from -> graph.laneBytes(from.tensor())).sum()
        + Arrays.stream(layer.results()).mapToLong(graph::laneBytes).sum()
        + layer.weights().stream().mapToLong(use -> use.laneBytes(graph.chip())).sum()
        + Scratch.bytes(graph, layer, graph::extents);
  }

  private Slicing next(Slicing now) {
    if (now.n() < most.n()) {
      return now.with(Axis.N, smaller(now.n(), most.n()));
    }
    if (now.c() < mostChannels()) {
      return now.with(Axis.C, smaller(now.c(), mostChannels()));
    }
    long product = (long) now.d() * now.h() * now.w();
    if (product >= (long) most.d() * most.h() * most.w()) {
      return null;
    }
    return image(now, product + 1);
  }

  /** The next count that makes the largest of {@code extent} units' slices smaller. */
  private static int smaller(int count, int extent) {
    long size = LaneSize.ceilDiv(extent, count);
    int next = count + 1;
    while (next < extent && LaneSize.ceilDiv(extent, next) == size) {
      next++;
    }
    return next;
  }

  /** d, h and w of at least a given product, h as large as its cost allows. */
  private Slicing image(Slicing now, long product) {
    int d = (int) Math.min(most.d(), product);
    long left = LaneSize.ceilDiv(product, d);
    double rows = 0;
    double columns = 0;
    for (int t = 0; t < group.tensorCount(); t++) {
      if (!group.isInput(t)) {
        rows += group.graph().extents(group.tensor(t)).h();
        columns += group.graph().extents(group.tensor(t)).w();
      }
    }
    long bestH = 0;
    long bestW = 0;
    long best = Long.MAX_VALUE;
    for (long h = most.h(); h >= 1; h--) {
      long w = LaneSize.ceilDiv(left, h);
      if (w > most.w()) {
        break;
      }
      if (w > 1 && left < most.h() && !wideEnough(w)) {
        continue;
      }
      long cost = (h - 1) + (long) ((w - 1) * rows / Math.max(1, columns));
      if (cost < best) {
        best = cost;
        bestH = h;
        bestW = w;
      }
    }
    if (best == Long.MAX_VALUE) {
      return null;
    }
    return now.with(Axis.D, d).with(Axis.H, (int) bestH).with(Axis.W, (int) bestW);
  }

  private boolean wideEnough(long count) {
    for (int t = 0; t < group.tensorCount(); t++) {
      if (group.isStored(t)) {
        long columns = group.graph().extents(group.tensor(t)).w();
        long bits = group.graph().bits(group.tensor(t));
        if (LaneSize.ceilDiv(columns, count) * bits / 8 < LEAST_ROW_BYTES) {
          return false;
        }
      }
    }
    return true;
  }
}
