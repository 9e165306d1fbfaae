package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Sets of ops to take as milestones: ops of the same name and operands; of these, ops whose
 * neighbours have the same names, such as the first or the last of each chain; and ops that no
 * symmetry distinguishes.
 *
 * @param sets of two ops at least, the largest first
 * @param of for each op the sets that contain it, and its own where it is alone of its kind
 */
record MilestoneSets(List<List<Integer>> sets, Map<Integer, List<List<Integer>>> of) {
  /** The most ops of a set. */
  static final int MOST_MILESTONES = 2_000;

  private static final int MOST_CELL_OPS = 1_000_000;

  /**
   * The sets of a kernel.
   *
   * @param cells whether to add what symmetry distinguishes; there may be many such sets
   */
  static MilestoneSets of(KernelOps graph, KernelSymmetry symmetry, boolean cells) {
    Map<String, List<Integer>> kinds = new LinkedHashMap<>();
    int[] cell = symmetry.cellsOfOps();
    for (int v = 0; v < graph.ops; v++) {
      int[] operands =
          IntStream.range(graph.useAt[v], graph.useAt[v + 1]).map(k -> graph.use[k]).toArray();
      String fields =
          Arrays.stream(operands)
              .mapToObj(b -> graph.cacheName(graph.cache[b]) + graph.size[b])
              .sorted()
              .toList()
              .toString();
      String name = graph.graph().nodes().get(graph.node[v]).op() + fields;
      kinds.computeIfAbsent(name, key -> new ArrayList<>()).add(v);
      String role =
          name
              + names(graph, graph.pred, graph.predAt[v], graph.predAt[v + 1])
              + names(graph, graph.succ, graph.succAt[v], graph.succAt[v + 1]);
      kinds.computeIfAbsent(role, key -> new ArrayList<>()).add(v);
    }
    if (cells && Arrays.stream(cell).distinct().count() * graph.ops <= MOST_CELL_OPS) {
      for (int v = 0; v < graph.ops; v++) {
        kinds.computeIfAbsent("cell " + cell[v], key -> new ArrayList<>()).add(v);
      }
    }
    List<List<Integer>> sets =
        kinds.values().stream()
            .filter(kind -> kind.size() <= MOST_MILESTONES)
            .distinct()
            .sorted(Comparator.comparingInt((List<Integer> kind) -> -kind.size()))
            .toList();
    Map<Integer, List<List<Integer>>> of = new HashMap<>();
    for (List<Integer> kind : sets) {
      kind.forEach(v -> of.computeIfAbsent(v, key -> new ArrayList<>()).add(kind));
    }
    return new MilestoneSets(sets.stream().filter(kind -> kind.size() > 1).toList(), of);
  }

  private static List<String> names(KernelOps graph, int[] ops, int from, int to) {
    return Arrays.stream(ops, from, to)
        .mapToObj(v -> graph.graph().nodes().get(graph.node[v]).op())
        .sorted()
        .toList();
  }
}
