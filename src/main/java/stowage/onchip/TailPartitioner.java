package stowage.onchip;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * From the tail to the head: the last op not yet in a group takes as many ops before it as make a
 * group that fits; no cost is looked at. Runs of ops that can be grouped are taken one by one.
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
  public Partition partition(LayerGraph graph, GroupSearch search) {
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
        while (start < end && !fits(graph, search, start, end)) {
          start++;
        }
      }
      groups.add(Partitioner.interval(start, end));
      end = start - 1;
    }
    Collections.reverse(groups);
    return new Partition(groups, IntervalPartitioner.lowerBound(graph, search));
  }

  private static boolean fits(LayerGraph graph, GroupSearch search, int start, int end) {
    return search.search(new GroupModel(graph, Partitioner.interval(start, end))).fits();
  }
}
