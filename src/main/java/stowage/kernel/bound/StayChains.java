package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Chains of milestones that use the same buffer, their state, with the items that they need, for
 * {@link StayBound}.
 *
 * @param milestones of each chain, in the order in which they have to run
 * @param states the buffer of each chain
 * @param items buffers of each item
 * @param via by item, the cache of the links by which milestones need it; -1 where they use it
 * @param needs the items of each milestone
 * @param links of each milestone, all to the milestone itself
 * @param free by cache, how many links have room alongside those of a milestone that runs
 * @param another whether one other state has room alongside what a milestone takes
 * @param room units of the caches of items
 * @param mostRate the most that a unit of items may count: 1, or what a link costs in its place
 */
record StayChains(
    List<int[]> milestones,
    int[] states,
    int[][] items,
    int[] via,
    Map<Integer, int[]> needs,
    Map<Integer, List<PhaseNeeds.Link>> links,
    int[] free,
    boolean another,
    long room,
    double mostRate) {

  /** The chains of milestones with the items of a class as states; null where they are none. */
  static StayChains of(KernelOps graph, PhaseNeeds found, int[] milestones, int states) {
    int[][] members = found.classes.get(states);
    int cache = graph.cache[members[0][0]];
    List<List<Integer>> chain = new ArrayList<>();
    Arrays.stream(members).forEach(state -> chain.add(new ArrayList<>()));
    List<int[]> items = new ArrayList<>();
    Map<Integer, List<Integer>> needs = new HashMap<>();
    Map<Integer, List<PhaseNeeds.Link>> links = new HashMap<>();
    long least = Long.MAX_VALUE; // units of the states' cache that a milestone takes
    for (int k = 0; k < milestones.length; k++) {
      int v = milestones[k];
      if (found.links.get(k).stream().anyMatch(link -> link.to() != v)) {
        return null; // an op may have run before that leads to the milestone in two steps
      }
      int state = found.needs.get(states)[k];
      if (state >= 0) {
        if (members[state].length > 1 || !graph.uses(v, members[state][0])) {
          return null;
        }
        List<Integer> own = chain.get(state);
        if (!own.isEmpty() && !graph.leads(own.get(own.size() - 1), v)) {
          return null;
        }
        own.add(v);
        needs.put(v, new ArrayList<>());
        links.put(v, found.links.get(k));
        least = Math.min(least, graph.taken(v, cache));
      }
    }
    long room = 0;
    boolean[] counted = new boolean[graph.caches];
    List<Integer> via = new ArrayList<>();
    double mostRate = 1;
    for (int c = 0; c < found.classes.size(); c++) {
      int[][] of = found.classes.get(c);
      if (Arrays.stream(of).flatMapToInt(Arrays::stream).anyMatch(b -> graph.cache[b] == cache)) {
        continue;
      }
      int[] by = new int[of.length];
      Arrays.fill(by, -2);
      for (int k = 0; k < milestones.length; k++) {
        int item = found.needs.get(c)[k];
        if (item >= 0 && needs.containsKey(milestones[k])) {
          PhaseNeeds.Link link = link(graph, found.links.get(k), milestones[k], of[item][0]);
          int next = link == null ? -1 : graph.cache[link.buffer()];
          if (by[item] != -2 && by[item] != next || next == cache) {
            return null;
          }
          by[item] = next;
          needs.get(milestones[k]).add(items.size() + item);
          if (link != null) {
            mostRate =
                Math.min(mostRate, (double) graph.price[link.buffer()] / units(graph, of[item]));
          }
        }
      }
      for (int i = 0; i < of.length; i++) {
        items.add(of[i]);
        via.add(Math.max(-1, by[i]));
        for (int b : of[i]) {
          room +=
              counted[graph.cache[b]]
                  ? 0
                  : graph.capacity[graph.cache[b]] * graph.unit[graph.cache[b]];
          counted[graph.cache[b]] = true;
        }
      }
    }
    int[] free = new int[graph.caches];
    for (int c = 0; c < graph.caches; c++) {
      int in = c;
      long smallest = Long.MAX_VALUE;
      long own = Long.MAX_VALUE;
      for (var entry : links.entrySet()) {
        own = Math.min(own, graph.taken(entry.getKey(), c));
        smallest =
            Math.min(
                smallest,
                entry.getValue().stream()
                    .filter(link -> graph.cache[link.buffer()] == in)
                    .mapToLong(link -> graph.size[link.buffer()])
                    .min()
                    .orElse(Long.MAX_VALUE));
      }
      if (smallest < Long.MAX_VALUE) {
        if (counted[c]) {
          return null; // links would take the place of items
        }
        free[c] = (int) ((graph.capacity[c] * graph.unit[c] - own) / smallest);
      }
    }
    long smallest = Arrays.stream(members).mapToLong(b -> graph.size[b[0]]).min().orElse(1);
    long others = (graph.capacity[cache] * graph.unit[cache] - least) / smallest;
    if (needs.isEmpty() || items.isEmpty() || others > 1) {
      return null;
    }
    Map<Integer, int[]> fixed = new HashMap<>();
    needs.forEach((v, list) -> fixed.put(v, list.stream().mapToInt(i -> i).toArray()));
    int[] used = IntStream.range(0, members.length).filter(r -> !chain.get(r).isEmpty()).toArray();
    return new StayChains(
        Arrays.stream(used)
            .mapToObj(r -> chain.get(r).stream().mapToInt(v -> v).toArray())
            .toList(),
        Arrays.stream(used).map(r -> members[r][0]).toArray(),
        items.toArray(int[][]::new),
        via.stream().mapToInt(c -> c).toArray(),
        fixed,
        links,
        free,
        others == 1,
        room,
        mostRate);
  }

  static long units(KernelOps graph, int[] item) {
    return Arrays.stream(item).mapToLong(b -> graph.size[b]).sum();
  }

  /** The link by whose first op a milestone needs a buffer; null where the milestone uses it. */
  private static PhaseNeeds.Link link(
      KernelOps graph, List<PhaseNeeds.Link> links, int milestone, int b) {
    return graph.uses(milestone, b)
        ? null
        : links.stream().filter(link -> graph.uses(link.from(), b)).findFirst().orElseThrow();
  }
}
