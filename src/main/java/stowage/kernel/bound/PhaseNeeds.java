package stowage.kernel.bound;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import stowage.kernel.model.KernelOps;

/**
 * Buffers that milestones, ops of one name, need at hand: shared items by class, and private links.
 *
 * <p>A <em>link</em> of a milestone is a buffer whose last user is the milestone or an op that
 * leads to it by links, and whose other users have an edge to the last: the moves into the caches
 * of a matrix unit. No two milestones have a link in common. If some op of a milestone's links ran
 * before a moment and the milestone runs after it, then one of its links is used on both sides of
 * the moment.
 *
 * <p>All other operands of the milestone and of the ops of its links are needed at hand. Those of
 * the same milestones are one <em>item</em>; items reached by the same names of ops and caches are
 * a class. Items of one milestone alone are left out, and buffers that are a link of another
 * milestone.
 */
final class PhaseNeeds {
  private static final int MOST_CLASSES = 5;

  /**
   * A link: both ops use the buffer, and the first has to run before the second.
   *
   * @param to the op after it, the milestone or the first op of another of its links
   */
  record Link(int from, int to, int buffer) {}

  final List<List<Link>> links = new ArrayList<>();

  /** By class, the buffers of each item. */
  final List<int[][]> classes = new ArrayList<>();

  /** By class, the item that each milestone needs; -1 for none. */
  final List<int[]> needs = new ArrayList<>();

  private final KernelOps graph;
  private final int[] owner;

  /** Finds links and items. O(uses log uses), without the names. */
  PhaseNeeds(KernelOps graph, int[] milestones) {
    this.graph = graph;
    owner = new int[graph.buffers];
    Arrays.fill(owner, -1);
    Map<Integer, TreeSet<String>> roles = new TreeMap<>();
    Map<Integer, BitSet> users = new HashMap<>();
    for (int k = 0; k < milestones.length; k++) {
      links.add(explore(k, milestones[k], roles, users));
    }
    Map<BitSet, List<Integer>> items = new HashMap<>();
    for (int b : roles.keySet()) {
      if (users.get(b).cardinality() > 1 && owner[b] < 0) {
        items.computeIfAbsent(users.get(b), key -> new ArrayList<>()).add(b);
      }
    }
    Map<String, List<List<Integer>>> byRole = new TreeMap<>();
    items.values().stream()
        .sorted((x, y) -> x.get(0) - y.get(0))
        .forEach(
            item -> {
              String role = item.stream().map(b -> roles.get(b).first()).sorted().toList() + "";
              byRole.computeIfAbsent(role, key -> new ArrayList<>()).add(item);
            });
    byRole.values().stream()
        .filter(members -> members.size() > 1)
        .sorted((x, y) -> y.size() - x.size())
        .limit(MOST_CLASSES)
        .forEach(members -> addClass(members, users, milestones.length));
  }

  private List<Link> explore(
      int k, int milestone, Map<Integer, TreeSet<String>> roles, Map<Integer, BitSet> users) {
    List<Link> found = new ArrayList<>();
    Map<Integer, String> path = new HashMap<>(Map.of(milestone, ""));
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(milestone));
    while (!open.isEmpty()) {
      int u = open.remove();
      for (int b : graph.uses[u]) {
        if (owner[b] == k) {
          continue; // the buffer by which this op was reached
        }
        String way = path.get(u) + graph.cacheName(graph.cache[b]) + " ";
        if (owner[b] < 0 && isLastUser(u, b)) {
          owner[b] = k;
          for (int from : graph.users[b]) {
            if (from != u) {
              found.add(new Link(from, u, b));
              String name = way + graph.graph().nodes().get(graph.node[from]).op() + " ";
              if (path.putIfAbsent(from, name) == null) {
                open.add(from);
              }
            }
          }
        } else if (graph.size[b] > 0) {
          roles.computeIfAbsent(b, key -> new TreeSet<>()).add(way);
          users.computeIfAbsent(b, key -> new BitSet()).set(k);
        }
      }
    }
    return found;
  }

  /** Whether a buffer has other users than an op, each right before it. */
  private boolean isLastUser(int u, int b) {
    int[] others = Arrays.stream(graph.users[b]).filter(from -> from != u).toArray();
    return others.length > 0
        && graph.size[b] > 0
        && Arrays.stream(others).allMatch(from -> graph.leads(from, u));
  }

  private void addClass(List<List<Integer>> members, Map<Integer, BitSet> users, int count) {
    int[] need = new int[count];
    Arrays.fill(need, -1);
    for (int i = 0; i < members.size(); i++) {
      int item = i; // a milestone with several items of a class is counted by the first
      users.get(members.get(i).get(0)).stream()
          .filter(k -> need[k] < 0)
          .forEach(k -> need[k] = item);
    }
    classes.add(
        members.stream()
            .map(item -> item.stream().mapToInt(b -> b).toArray())
            .toArray(int[][]::new));
    needs.add(need);
  }
}
