package stowage.onchip.partition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.search.GroupSearch;

/**
 * From the tail to the head: the last op not yet in a group takes as many ops before it as make a
 * valid group; no cost is looked at. Runs of ops that can be grouped are taken one by one.
 *
 * <p>A group is valid when one of the quick slicings fits; exact slicing then makes the groups so
 * found cheaper. Exact addresses make longer groups valid than rules do, and a longer group may
 * cost more where it must be cut more finely; so of this division and those known before, which by
 * the document's and today's rules are among, the cheapest is taken.
 *
 * <p>Source: the developer manual of TPU-MLIR, and {@code simple_layer_group}
 * (lib/Dialect/Tpu/Transforms/LayerGroup/GroupMethod.cpp). O(ops^2) groups at worst.
 */
public final class TailPartitioner implements Partitioner {
  @Override
  public String name() {
    return "tail";
  }

  @Override
  public Partition partition(GroupSearch search, List<List<int[]>> starts) {
    List<int[]> best =
        Partitioner.cheapest(
            divided(search.graph(), search.quickly(search.options().lmem())),
            starts,
            groups -> Partitioner.cost(search, groups));
    return Partition.unproven(best, search);
  }

  private static List<int[]> divided(LayerGraph graph, GroupSearch quick) {
    List<int[]> groups = new ArrayList<>();
    int end = graph.size() - 1;
    while (end >= 0) {
      int start = end;
      if (graph.layer(end).groupable()) {
        int first = end;
        while (first > 0 && graph.layer(first - 1).groupable()) {
          first--;
        }
        start = first;
        while (start < end && !quick.search(Partitioner.interval(start, end)).fits()) {
          start++;
        }
      }
      groups.add(Partitioner.interval(start, end));
      end = start - 1;
    }
    Collections.reverse(groups);
    return groups;
  }
}
