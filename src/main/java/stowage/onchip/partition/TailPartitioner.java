package stowage.onchip.partition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.search.GroupSearch;

/**
 * Partition from the tail to the head: the last op not yet in a group takes as many ops before it
 * as make a valid group; no cost is looked at. Runs of ops that can be grouped are taken one by
 * one.
 *
 * <p>A group is valid when one of the quick slicings fits; exact slicing then makes the groups so
 * found cheaper. Exact addresses make longer groups valid than rules do, and a longer group may
 * cost more where it must be cut more finely; so of this division and those known before, which by
 * the document's and today's rules are among, the cheapest is taken.
 *
 * <p>Source: the developer manual of TPU-MLIR, and {@code simple_layer_group}
 * (lib/Dialect/Tpu/Transforms/LayerGroup/GroupMethod.cpp). At worst O(ops^2) groups in runs of up
 * to 500 ops; in longer ones groups begin with at most twice the ops of the longest valid one met
 * by doubling, O(ops) groups.
 */
public final class TailPartitioner implements Partitioner {
  /** In runs of more ops a group begins short and doubles, in others with the whole run. */
  private static final int LONG_RUN = 500;

  private final int longRun;

  /** The partitioner with the usual length of runs that are long. */
  public TailPartitioner() {
    this(LONG_RUN);
  }

  /** With runs of more ops than this as long ones. */
  TailPartitioner(int longRun) {
    this.longRun = longRun;
  }

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

  private List<int[]> divided(LayerGraph graph, GroupSearch quick) {
    boolean many = graph.size() > IntervalPartitioner.MANY_OPS;
    List<int[]> groups = new ArrayList<>();
    int end = graph.size() - 1;
    int first = graph.size();
    while (end >= 0) {
      int start = end;
      if (graph.layer(end).groupable() && !(many && quick.limits().isStopped())) {
        first = Math.min(first, end);
        while (first > 0 && graph.layer(first - 1).groupable()) {
          first--;
        }
        start = end - first > longRun ? doubled(quick, first, end) : first;
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

  /** The first op of the first group up to {@code end}, each twice as long, that is not valid. */
  private static int doubled(GroupSearch quick, int first, int end) {
    int start = end - 1;
    while (start > first && quick.search(Partitioner.interval(start, end)).fits()) {
      start = Math.max(first, 2 * start - end - 1);
    }
    return start;
  }
}
