package stowage.onchip.schedule;

import java.util.function.LongToDoubleFunction;
import stowage.liveness.OpTraits;
import stowage.network.Chip;
import stowage.onchip.layer.Extents;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;

/**
 * What running ops costs on a chip, in bytes moved and in cycles of its compute clock. An analytic
 * model, set down in {@code docs/layer-groups.md}; it is meant to rank choices, not to predict
 * milliseconds.
 *
 * <p>A transfer takes a setup and then its bytes, rounded up to the transfer unit, at the off-chip
 * rate. Products take their multiply-accumulates, with channels rounded up to the lanes, at the
 * chip's rate for the element width; all else takes passes over the elements, one vector a lane and
 * cycle. In a step computing and moving go on side by side, so that it lasts as long as the longer.
 * One core is counted.
 */
public final class CostModel {
  private final Chip chip;

  private final double bytesPerCycle;

  public CostModel(Chip chip) {
    this.chip = chip;
    this.bytesPerCycle =
        chip.speed().dramGigabytesPerSecond() * 1000 / chip.speed().computeMegahertz();
  }

  /** Cycles of one transfer between GMEM and LMEM. */
  public double transferCycles(long bytes) {
    if (bytes == 0) {
      return 0;
    }
    long moved = LaneSize.alignUp(bytes, chip.dmaAlignment());
    return chip.speed().dmaSetupCycles() + moved / bytesPerCycle;
  }

  /** Cycles of computing a slice of an op's result, by the bits of its first operand's elements. */
  public double computeCycles(Layer layer, Extents result, int bits) {
    double lanes = LaneSize.alignUp(result.c(), chip.lanes());
    double elements = result.n() * lanes * result.d() * result.h() * result.w();
    double work = elements * layer.work().perElement();
    if (layer.work().kind() == Layer.Kind.PRODUCT) {
      return work / productsPerCycle(bits);
    }
    double perLane = Math.max(1, 8.0 * chip.vectorBytes() / Math.max(1, bits));
    return work / (chip.lanes() * perLane);
  }

  private double productsPerCycle(int bits) {
    if (bits <= 8) {
      return chip.speed().macsPerCycleInt8();
    }
    return bits <= 16 ? chip.speed().macsPerCycleFloat16() : chip.speed().macsPerCycleFloat32();
  }

  /** Bytes that an op alone moves: all it reads and writes, once; none where it moves nothing. */
  public long layerTraffic(LayerGraph graph, Layer layer) {
    return movesNothing(layer) ? 0 : (long) moved(graph, layer, bytes -> bytes);
  }

  /** Cycles of an op alone, its tiles loaded and stored alongside the computing. */
  public double layerCycles(LayerGraph graph, Layer layer) {
    return movesNothing(layer)
        ? 0
        : Math.max(moved(graph, layer, this::transferCycles), wholeCycles(graph, layer));
  }

  private static double moved(LayerGraph graph, Layer layer, LongToDoubleFunction price) {
    double sum = 0;
    for (Layer.Operand operand : layer.operands()) {
      sum += price.applyAsDouble(graph.tensor(operand.tensor()).bytes());
    }
    for (Layer.WeightUse use : layer.weights()) {
      sum += price.applyAsDouble(LaneSize.weightBytes(use, graph.tensor(use.tensor())));
    }
    for (int result : layer.results()) {
      sum += price.applyAsDouble(graph.tensor(result).bytes());
    }
    return sum;
  }

  /** Bytes that all ops of a network move, each by itself. */
  public long layersTraffic(LayerGraph graph) {
    return graph.layers().stream().mapToLong(layer -> layerTraffic(graph, layer)).sum();
  }

  /** Cycles of all ops of a network, each by itself. */
  public double layersCycles(LayerGraph graph) {
    return graph.layers().stream().mapToDouble(layer -> layerCycles(graph, layer)).sum();
  }

  /** Cycles of computing the whole of an op. */
  public double wholeCycles(LayerGraph graph, Layer layer) {
    int bits = layer.widestBits(graph);
    double cycles = 0;
    for (int result : layer.results()) {
      cycles = Math.max(cycles, computeCycles(layer, graph.extents(result), bits));
    }
    return cycles;
  }

  /** Whether the op's result is in GMEM where its operand is. */
  private static boolean movesNothing(Layer layer) {
    return OpTraits.of(layer.op()) == OpTraits.RESHAPE_LIKE;
  }

  /**
   * Bytes a group moves: its inputs and results with all repeats, its constants once where they
   * stay and once a slice where they do not. Inputs that every slice needs whole are moved once if
   * they stay.
   */
  public long groupTraffic(SlicedGroup sliced, Staying staying) {
    GroupModel group = sliced.group();
    LayerGraph graph = group.graph();
    long runs = sliced.slicing().count();
    long sum = 0;
    for (int t = 0; t < group.tensorCount(); t++) {
      int bits = graph.bits(group.tensor(t));
      if (group.isInput(t)) {
        long bytes = LaneSize.bytes(sliced.elementsMoved(t), bits);
        sum += staying.inputs()[t] ? bytes / runs : bytes;
      }
      if (group.isStored(t)) {
        sum += LaneSize.bytes(sliced.elementsMoved(t), bits);
      }
    }
    for (int w = 0; w < group.weightCount(); w++) {
      long bytes = group.weightBytes(w);
      sum += staying.weights()[w] ? bytes : bytes * runs;
    }
    return sum;
  }

  /** Bytes that a slice of an activation moves at most. */
  public static long sliceBytes(SlicedGroup sliced, int activation) {
    int bits = sliced.group().graph().bits(sliced.group().tensor(activation));
    return LaneSize.bytes(sliced.largest(activation).elements(), bits);
  }

  /** Cycles of computing an op on its largest slice. */
  public double memberCycles(SlicedGroup sliced, int member) {
    GroupModel group = sliced.group();
    Layer layer = group.layer(member);
    int bits = layer.widestBits(group.graph());
    double cycles = 0;
    for (int result : layer.results()) {
      Extents slice = sliced.largest(group.numberOf(result));
      cycles = Math.max(cycles, computeCycles(layer, slice, bits));
    }
    return cycles;
  }

  /** Cycles of a move on the largest slice. */
  double moveCycles(SlicedGroup sliced, TimeTable.Move move) {
    return transferCycles(
        move.isWeight()
            ? sliced.group().weightBytes(move.index())
            : sliceBytes(sliced, move.index()));
  }

  /**
   * Cycles of a group: the pipeline fills, runs and drains. In round r, a move or op of stage s
   * works on slice r - s; what stays is loaded for the first slice only. A step lasts as long as
   * the longer of its computing and its moves, all on their largest slices. O(rows * moves).
   */
  public double groupCycles(GroupRun run) {
    long runs = run.sliced().slicing().count();
    int stages = run.table().stages();
    long rounds = runs + stages - 1;
    double total = 0;
    for (long round = 0; round < rounds; round++) {
      long same = round >= stages && round < runs - 1 ? runs - 1 - round : 1;
      total += round(run, round, runs) * same;
      round += same - 1;
    }
    return total;
  }

  private double round(GroupRun run, long round, long runs) {
    SlicedGroup sliced = run.sliced();
    TimeTable table = run.table();
    double[] compute = new double[table.rows()];
    double[] moved = new double[table.rows()];
    if (isActive(round - table.opStage(), runs)) {
      for (int m = 0; m < sliced.group().size(); m++) {
        compute[table.opRow(m)] += memberCycles(sliced, m);
      }
    }
    for (TimeTable.Move move : table.moves()) {
      long slice = round - move.stage();
      boolean held =
          move.isWeight()
              ? run.staying().weights()[move.index()]
              : move.kind() == TimeTable.MoveKind.LOAD && run.staying().inputs()[move.index()];
      if (isActive(slice, runs) && (!held || slice == 0)) {
        moved[move.row()] += moveCycles(sliced, move);
      }
    }
    double total = 0;
    for (int row = 0; row < table.rows(); row++) {
      total += Math.max(compute[row], moved[row]);
    }
    return total;
  }

  private static boolean isActive(long slice, long runs) {
    return slice >= 0 && slice < runs;
  }
}
