package stowage.onchip.layer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.network.Tensor;

/** A network as a chip sees it: ops in execution order as {@link Layer}s, tensors by index. */
public final class LayerGraph {
  private final Network network;
  private final Chip chip;
  private final List<Layer> layers;
  private final List<Tensor> tensors;
  private final Extents[] extents;
  private final int[] producer;
  private final int[][] consumers;
  private final boolean[] kept;
  private final boolean[] skipped;

  private LayerGraph(Network network, Chip chip) {
    this.network = network;
    this.chip = chip;
    this.tensors = new ArrayList<>(network.tensors().values());
    this.extents = new Extents[tensors.size()];
    this.producer = new int[tensors.size()];
    this.kept = new boolean[tensors.size()];
    this.skipped = new boolean[tensors.size()];
    TensorLayout layout = TensorLayout.of(network.format());
    Map<String, Integer> index = new HashMap<>();
    for (int t = 0; t < tensors.size(); t++) {
      index.put(tensors.get(t).name(), t);
      extents[t] = layout.extents(tensors.get(t).shape());
      producer[t] = -1;
    }
    for (String output : network.outputs()) {
      kept[index.get(output)] = true;
    }
    int[] order = network.executionOrder();
    LayerRules rules = new LayerRules(tensors, extents, index, layout, chip, network.ops());
    this.layers = new ArrayList<>(order.length);
    List<List<Integer>> readers = new ArrayList<>();
    tensors.forEach(tensor -> readers.add(new ArrayList<>()));
    for (int p = 0; p < order.length; p++) {
      Layer layer = rules.layer(network.ops().get(order[p]));
      layers.add(layer);
      for (int result : layer.results()) {
        producer[result] = p;
      }
      for (Layer.Operand operand : layer.operands()) {
        readers.get(operand.tensor()).add(p);
      }
      for (Layer.WeightUse weight : layer.weights()) {
        readers.get(weight.tensor()).add(p);
      }
    }
    this.consumers = new int[tensors.size()][];
    Arrays.setAll(consumers, t -> readers.get(t).stream().mapToInt(Integer::intValue).toArray());
    for (int p = order.length - 1; p >= 0; p--) {
      if (layers.get(p).skips() || isCutShort(p)) {
        layers.get(p).operands().forEach(operand -> skipped[operand.tensor()] = true);
      }
    }
  }

  /** The network as the chip sees it. O(ops + tensors). */
  public static LayerGraph of(Network network, Chip chip) {
    return new LayerGraph(network, chip);
  }

  public Network network() {
    return network;
  }

  public Chip chip() {
    return chip;
  }

  /** The ops in execution order. */
  public List<Layer> layers() {
    return layers;
  }

  /** The op at a position of the execution order. */
  public Layer layer(int position) {
    return layers.get(position);
  }

  public int size() {
    return layers.size();
  }

  public int tensorCount() {
    return tensors.size();
  }

  public Tensor tensor(int index) {
    return tensors.get(index);
  }

  /** A tensor's extents in LMEM. */
  public Extents extents(int tensor) {
    return extents[tensor];
  }

  /** Bits of a tensor's elements. */
  public int bits(int tensor) {
    return tensors.get(tensor).type().bits();
  }

  /** The position of the op that writes a tensor, -1 for inputs and constants. */
  public int producer(int tensor) {
    return producer[tensor];
  }

  /** The positions of the ops that read a tensor, in order. */
  public int[] consumers(int tensor) {
    return consumers[tensor];
  }

  /** Whether a tensor must be in GMEM after the run. */
  public boolean isOutput(int tensor) {
    return kept[tensor];
  }

  /**
   * Whether the slices of a tensor in a group may leave some of it out, because an op after it
   * skips that: where windows lie further apart than they are long.
   */
  public boolean isSkipped(int tensor) {
    return skipped[tensor];
  }

  /** Whether a group may compute less than the whole of an op, for the same reason. */
  public boolean isCutShort(int position) {
    return Arrays.stream(layers.get(position).results()).anyMatch(result -> skipped[result]);
  }

  /** Bytes of a whole tensor in LMEM, each lane. */
  public long laneBytes(int tensor) {
    return LaneSize.bytes(chip, bits(tensor), extents[tensor], true);
  }
}
