package stowage.onchip.search;

import java.util.ArrayList;
import java.util.List;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.slice.GroupModel;

/**
 * What a group's planning depends on, without names: two groups of equal structure have the same
 * answers, so that repeated blocks of a network cost once.
 */
final class GroupStructure {
  private final List<Object> parts;
  private final int hash;

  private GroupStructure(List<Object> parts) {
    this.parts = parts;
    this.hash = parts.hashCode();
  }

  /** The structure of a group. O(members * operands). */
  static GroupStructure of(GroupModel group) {
    LayerGraph graph = group.graph();
    List<Object> parts = new ArrayList<>();
    for (int m = 0; m < group.size(); m++) {
      Layer layer = group.layer(m);
      parts.add(layer.work());
      parts.add(layer.inPlace());
      for (Layer.Operand operand : layer.operands()) {
        parts.add(group.numberOf(operand.tensor()));
        parts.add(operand.rules());
      }
      for (int result : layer.sharedResults()) {
        parts.add(-1 - group.numberOf(result));
      }
    }
    for (int t = 0; t < group.tensorCount(); t++) {
      parts.add(graph.extents(group.tensor(t)));
      parts.add(graph.bits(group.tensor(t)));
      parts.add(group.isStored(t));
    }
    for (int w = 0; w < group.weightCount(); w++) {
      Layer.WeightUse use = group.weight(w);
      parts.add(use.extents());
      parts.add(use.bits());
      parts.add(use.aligned());
      parts.add(LaneSize.weightBytes(use, graph.tensor(use.tensor())));
      for (int reader : group.weightReaders(w)) {
        parts.add(reader);
      }
    }
    return new GroupStructure(parts);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupStructure that && hash == that.hash && parts.equals(that.parts);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
