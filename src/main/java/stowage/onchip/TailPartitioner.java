package stowage.onchip;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * From the tail to the head: the last op not yet in a group takes as many ops before it as make a
 * valid group; no cost is looked at. Runs of ops that can be grouped are taken one by one.
 *
 * <p>A group is valid when one of the quick slicings fits; exact slicing then makes the groups so
 * found cheaper. Exact addresses make longer groups valid than rules do, and a longer group may
 * cost more where it must be cut more finely; so the network is then divided three times, by the
 * document's, today's and exact addresses, and the cheapest of the three is taken.
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
    GroupOptions.Lmem lmem = search.options().lmem();
    List<int[]> best = divided(graph, search, lmem);
    if (lmem == GroupOptions.Lmem.EXACT) {
      for (GroupOptions.Lmem rules : GroupOptions.Lmem.values()) {
        List<int[]> groups = divided(graph, search, rules);
        best = cost(graph, search, groups) < cost(graph, search, best) ? groups : best;
      }
    }
    return new Partition(best, IntervalPartitioner.lowerBound(graph, search));
  }

  private static double cost(LayerGraph graph, GroupSearch search, List<int[]> groups) {
    double sum = 0;
    for (int[] members : groups) {
      sum += Partitioner.cost(graph, search, members);
    }
    return sum;
  }

  private static List<int[]> divided(
      LayerGraph graph, GroupSearch search, GroupOptions.Lmem validity) {
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
        while (start < end && !isValid(graph, search, start, end, validity)) {
          start++;
        }
      }
      groups.add(Partitioner.interval(start, end));
      end = start - 1;
    }
    Collections.reverse(groups);
    return groups;
  }

  /** Whether a group is valid, and can be run in the way that is asked for. */
  private static boolean isValid(
      LayerGraph graph, GroupSearch search, int start, int end, GroupOptions.Lmem validity) {
    GroupModel group = new GroupModel(graph, Partitioner.interval(start, end));
    return search.admits(group, validity) && search.search(group).fits();
  }
}
