package stowage.onchip.cpsat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.search.GroupSearch;
import stowage.onchip.slice.GroupModel;
import stowage.packing.IndexOrder;

/**
 * Convex groups that a partition may be made of: every op by itself, and the stretches of three
 * topological orders: the network's own, one that follows each branch to its end, and one that goes
 * by the distance from the inputs. A stretch of a topological order is convex.
 */
final class ConvexGroups {
  /** The most ops of a group that is looked at. */
  static final int LONGEST = 64;

  private ConvexGroups() {}

  /**
   * The groups of a network, each once; those that cannot cost less than their ops by themselves
   * are left out, since no cheapest partition needs them. O(ops * LONGEST) groups, fewer where time
   * is over.
   */
  static List<ConvexGroup> of(GroupSearch search) {
    LayerGraph graph = search.graph();
    Map<List<Integer>, ConvexGroup> pool = new LinkedHashMap<>();
    int n = graph.size();
    double[] alone = new double[n];
    for (int p = 0; p < n; p++) {
      alone[p] = search.alone(p);
      pool.put(List.of(p), new ConvexGroup(new int[] {p}, alone[p]));
    }
    for (int[] order : List.of(Partitioner.interval(0, n - 1), deep(graph), wide(graph))) {
      for (int i = 0; i < n && !search.limits().isStopped(); i++) {
        double sum = 0;
        int last = Math.min(n, i + LONGEST);
        for (int j = i; j < last && graph.layer(order[j]).groupable(); j++) {
          sum += alone[order[j]];
          if (j > i) {
            int[] members = Arrays.copyOfRange(order, i, j + 1);
            Arrays.sort(members);
            List<Integer> key = Arrays.stream(members).boxed().toList();
            if (!pool.containsKey(key)) {
              double least = search.leastCost(new GroupModel(graph, members));
              if (least < sum) {
                pool.put(key, new ConvexGroup(members, least));
              }
            }
          }
        }
      }
    }
    return new ArrayList<>(pool.values());
  }

  /** A topological order that follows each branch to its end. */
  private static int[] deep(LayerGraph graph) {
    int n = graph.size();
    int[] waiting = new int[n];
    for (int p = 0; p < n; p++) {
      for (int next : successors(graph, p)) {
        waiting[next]++;
      }
    }
    Deque<Integer> ready = new ArrayDeque<>();
    for (int p = n - 1; p >= 0; p--) {
      if (waiting[p] == 0) {
        ready.push(p);
      }
    }
    int[] order = new int[n];
    for (int k = 0; k < n; k++) {
      int p = ready.pop();
      order[k] = p;
      List<Integer> next = successors(graph, p);
      for (int s = next.size() - 1; s >= 0; s--) {
        if (--waiting[next.get(s)] == 0) {
          ready.push(next.get(s));
        }
      }
    }
    return order;
  }

  /** A topological order by the number of ops on the longest way from an input. */
  private static int[] wide(LayerGraph graph) {
    int n = graph.size();
    int[] level = new int[n];
    for (int p = 0; p < n; p++) {
      for (int next : successors(graph, p)) {
        level[next] = Math.max(level[next], level[p] + 1);
      }
    }
    return IndexOrder.of(IntStream.range(0, n), Comparator.comparingInt(p -> level[p]));
  }

  /** The ops that read what an op makes, each once. */
  static List<Integer> successors(LayerGraph graph, int position) {
    Layer layer = graph.layer(position);
    return Arrays.stream(layer.results())
        .flatMap(result -> Arrays.stream(graph.consumers(result)))
        .distinct()
        .boxed()
        .toList();
  }
}
