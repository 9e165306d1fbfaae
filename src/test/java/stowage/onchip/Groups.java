package stowage.onchip;

import java.util.Arrays;
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
  private Groups() {}

  public static GroupModel whole(LayerGraph graph) {
    return new GroupModel(graph, Partitioner.interval(0, graph.size() - 1));
  }

  public static SlicedGroup sliced(GroupModel group, Slicing slicing) throws SlicingException {
    return new BackwardSlicer(BackwardSlicer.Rules.TODAY).slice(group, slicing);
  }

  /** As many flags, all set. */
  public static boolean[] all(int count) {
    boolean[] flags = new boolean[count];
    Arrays.fill(flags, true);
    return flags;
  }

  /** The buffer of an id. */
  public static LmemBuffer buffer(LmemProblem problem, String id) {
    return problem.buffers().stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
  }
}
