package stowage.onchip;

import java.util.Arrays;
import stowage.network.Chip;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;

/** Whole networks as groups, cut by the rules of today. */
public final class Groups {
  /** Two branches, of which no stretch of the file holds one alone. */
  public static final String BRANCHES =
      """
      x:1x4x16x16 y:1x4x16x16; a1:1x4x16x16 = Relu x; b1:1x4x16x16 = Relu y;
      a2:1x4x16x16 = Conv a1 window=3,1,1; b2:1x4x16x16 = Transpose b1;
      a3:1x4x16x16 = Relu a2; b3:1x4x16x16 = Relu b2; -> a3 b3
      """;

  private Groups() {}

  /** Layers of a network of two-byte numbers, see {@link Graphs}. */
  public static LayerGraph layers(Chip chip, String statements) {
    return LayerGraph.of(Graphs.of(ElementType.F16, statements).network(), chip);
  }

  public static GroupModel whole(LayerGraph graph) {
    return new GroupModel(graph, Partitioner.interval(0, graph.size() - 1));
  }

  public static SlicedGroup sliced(GroupModel group, Slicing slicing) throws SlicingException {
    return new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(group, slicing);
  }

  /** A group cut into so many slices of rows; null where it cannot be. */
  public static SlicedGroup rows(GroupModel group, int slices) {
    try {
      return sliced(group, Slicing.WHOLE.with(Axis.H, slices));
    } catch (SlicingException tooFine) {
      return null;
    }
  }

  /** As many flags, all set. */
  public static boolean[] all(int count) {
    boolean[] flags = new boolean[count];
    Arrays.fill(flags, true);
    return flags;
  }

  public static LmemBuffer buffer(LmemProblem problem, String id) {
    return problem.buffers().stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
  }
}
