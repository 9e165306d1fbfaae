package stowage.onchip.slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.packing.IndexOrder;

/**
 * A lower bound of the LMEM that a sliced group needs, whatever its time table and addresses.
 *
 * <p>While an op runs, its operands, results, constants and scratch are in LMEM, and so does every
 * activation made or already used before and used after. Loads come as late and stores as early as
 * can be, constants do not stay; a result that may take its operand's place counts nothing. O(ops +
 * activations).
 */
public final class LoadBound {
  private final SlicedGroup sliced;
  private final long[] loads;

  /** The loads of a sliced group's ops. */
  public LoadBound(SlicedGroup sliced) {
    this.sliced = sliced;
    GroupModel group = sliced.group();
    LayerGraph graph = group.graph();
    int n = group.size();
    int unit = graph.chip().vectorBytes();
    long[] change = new long[n + 1];
    for (int t = 0; t < group.tensorCount(); t++) {
      long size = LaneSize.alignUp(sliced.laneBytes(t), unit);
      change[group.first(t)] += size;
      change[group.last(t) + 1] -= size;
    }
    this.loads = new long[n];
    long load = 0;
    for (int m = 0; m < n; m++) {
      load += change[m];
      loads[m] = load + own(m, unit);
    }
  }

  /** Constants and scratch of an op, less what its result may share. */
  private long own(int m, int unit) {
    GroupModel group = sliced.group();
    Layer layer = group.layer(m);
    long own = LaneSize.alignUp(sliced.scratch(layer), unit);
    for (Layer.WeightUse use : layer.weights()) {
      own += LaneSize.alignUp(use.laneBytes(group.graph().chip()), unit);
    }
    int result = group.numberOf(layer.results()[0]);
    return layer.inPlace() ? own - LaneSize.alignUp(sliced.laneBytes(result), unit) : own;
  }

  /**
   * Bytes of constants loaded again at least, when those that stay take room alongside each op's
   * load: alongside an op, the constants it does not read are a knapsack for the room left, filled
   * in the order of bytes saved for each byte taken, the last one in part. The op that leaves least
   * says. O(ops * constants).
   */
  public long leastReloaded() {
    GroupModel group = sliced.group();
    int unit = group.graph().chip().vectorBytes();
    long[] reloads = sliced.reloads();
    long[] sizes = new long[reloads.length];
    Arrays.setAll(sizes, w -> LaneSize.alignUp(group.weightLaneBytes(w), unit));
    int[] order =
        IndexOrder.of(
            IntStream.range(0, reloads.length),
            Comparator.comparingDouble(w -> -(double) reloads[w] / Math.max(1, sizes[w])));
    boolean[][] reads = new boolean[loads.length][reloads.length];
    for (int w = 0; w < reloads.length; w++) {
      for (int reader : group.weightReaders(w)) {
        reads[reader][w] = true;
      }
    }
    long least = 0;
    for (int m = 0; m < loads.length; m++) {
      double room = group.graph().chip().laneBytes() - loads[m];
      double lost = 0;
      for (int w : order) {
        if (reads[m][w] || reloads[w] == 0) {
          continue;
        }
        double taken = sizes[w] == 0 ? 1 : Math.min(1, Math.max(0, room) / sizes[w]);
        lost += reloads[w] * (1 - taken);
        room -= sizes[w];
      }
      least = Math.max(least, (long) Math.ceil(lost - 1e-6));
    }
    return least;
  }

  /** The op, by number within the group, whose load is largest. */
  public int fullest() {
    return IntStream.range(0, loads.length).reduce(0, (m, k) -> loads[k] > loads[m] ? k : m);
  }

  /** The largest load, in bytes a lane. */
  public long bytes() {
    return loads[fullest()];
  }

  /** Whether the group cannot fit into its chip's lanes. */
  public boolean exceedsLane() {
    return bytes() > sliced.group().graph().chip().laneBytes();
  }

  /** One line that proves the load: the op and what is in LMEM while it runs. */
  public String reason() {
    GroupModel group = sliced.group();
    LayerGraph graph = group.graph();
    int m = fullest();
    List<String> parts = new ArrayList<>();
    for (int t = 0; t < group.tensorCount(); t++) {
      if (group.first(t) <= m && m <= group.last(t)) {
        parts.add(graph.tensor(group.tensor(t)).name() + " " + sliced.laneBytes(t));
      }
    }
    for (Layer.WeightUse use : group.layer(m).weights()) {
      parts.add(graph.tensor(use.tensor()).name() + " " + use.laneBytes(graph.chip()));
    }
    long scratch = sliced.scratch(group.layer(m));
    if (scratch > 0) {
      parts.add("scratch " + scratch);
    }
    return "op \"%s\" needs %s bytes a lane of %s (%s)"
        .formatted(
            group.layer(m).op().name(),
            bytes(),
            graph.chip().laneBytes(),
            String.join(", ", parts));
  }
}
