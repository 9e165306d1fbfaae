package stowage.kernel.bound;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import stowage.kernel.model.KernelOps;

/** All phases that a proof by stays has to price, one by one. */
final class StayCheck {
  private final KernelOps graph;
  private final StayBound.Proof proof;
  private final int stays;
  private final int stateCache;
  private long room;
  private boolean another;
  private double worst;

  StayCheck(KernelOps graph, StayBound.Proof proof) {
    this.graph = graph;
    this.proof = proof;
    stays = proof.stays().length;
    stateCache = graph.cache[proof.states()[0]];
    Set<Integer> caches = new HashSet<>();
    for (int[] item : proof.items()) {
      for (int b : item) {
        if (caches.add(graph.cache[b])) {
          room += graph.capacity[graph.cache[b]] * graph.unit[graph.cache[b]];
        }
      }
    }
    long smallest = Arrays.stream(proof.states()).mapToLong(b -> graph.size[b]).min().orElseThrow();
    long left = (capacity(stateCache) - leastTaken(stateCache)) / smallest;
    if (left > 1 || caches.contains(stateCache)) {
      throw new AssertionError(left + " others may be under way");
    }
    another = left == 1;
  }

  private long capacity(int c) {
    return graph.capacity[c] * graph.unit[c];
  }

  private long leastTaken(int c) {
    return Arrays.stream(proof.stays())
        .flatMapToInt(Arrays::stream)
        .mapToLong(v -> graph.taken(v, c))
        .min()
        .orElseThrow();
  }

  /** The most that prices exceed what a phase of so many ends needs beyond the room. */
  double most(int ends) {
    return worst(ends, false);
  }

  /** The same for a first phase. */
  double first(int ends) {
    return worst(ends, true);
  }

  private double worst(int ends, boolean first) {
    worst = -Double.MAX_VALUE;
    choose(0, new int[stays], new int[stays], ends, first);
    return worst;
  }

  /** Chooses a part, none or all, of each stay. */
  private void choose(int r, int[] from, int[] to, int ends, boolean first) {
    if (r == stays) {
      rate(from, to, ends, first);
      return;
    }
    int length = proof.stays()[r].length;
    for (from[r] = 0; from[r] < length; from[r]++) {
      for (to[r] = from[r]; to[r] <= length; to[r]++) {
        if (to[r] > from[r] || from[r] == 0) {
          choose(r + 1, from, to, ends, first);
        }
      }
    }
  }

  private void rate(int[] from, int[] to, int ends, boolean first) {
    int ended = 0;
    int before = 0;
    int after = 0;
    double price = 0;
    int[] uses = new int[proof.items().length];
    for (int r = 0; r < stays; r++) {
      if (to[r] > from[r]) {
        int length = proof.stays()[r].length;
        ended += to[r] == length ? 1 : 0;
        before += from[r] > 0 ? 1 : 0;
        after += to[r] < length ? 1 : 0;
        price += proof.prices()[r] * (to[r] - from[r]) / length;
        for (int p = from[r]; p < to[r]; p++) {
          for (int i : proof.needs()[r][p]) {
            uses[i]++;
          }
        }
      }
    }
    if (ended != ends || before > (another && !first ? 1 : 0) || after > (another ? 1 : 0)) {
      return;
    }
    long units = 0;
    for (int i = 0; i < uses.length; i++) {
      units += uses[i] > 0 ? units(i) : 0;
    }
    long saved = first ? 0 : saved(0, uses, new long[graph.caches]);
    double excess = price + room - (units - saved);
    worst = Math.max(worst, excess);
  }

  /** The most units of items whose milestones may all have begun before. */
  private long saved(int i, int[] uses, long[] begun) {
    if (i == uses.length) {
      return 0;
    }
    long best = saved(i + 1, uses, begun);
    int c = uses[i] > 0 ? via(i) : -1;
    if (c >= 0) {
      begun[c] += uses[i];
      if (begun[c] * smallest(c) + leastTaken(c) <= capacity(c)) {
        best = Math.max(best, units(i) + saved(i + 1, uses, begun));
      }
      begun[c] -= uses[i];
    }
    return best;
  }

  private long units(int i) {
    return Arrays.stream(proof.items()[i]).mapToLong(b -> graph.size[b]).sum();
  }

  /** The cache of the links by which an item is needed; -1 where a milestone uses it. */
  private int via(int i) {
    int b = proof.items()[i][0];
    int found = -1;
    for (int r = 0; r < stays; r++) {
      for (int p = 0; p < proof.stays()[r].length; p++) {
        int item = i;
        if (Arrays.stream(proof.needs()[r][p]).anyMatch(n -> n == item)) {
          if (graph.uses(proof.stays()[r][p], b)) {
            return -1;
          }
          for (PhaseNeeds.Link link : proof.links().get(r).get(p)) {
            found = graph.uses(link.from(), b) ? graph.cache[link.buffer()] : found;
          }
        }
      }
    }
    return found;
  }

  private long smallest(int c) {
    long least = Long.MAX_VALUE;
    for (var stay : proof.links()) {
      for (var links : stay) {
        for (PhaseNeeds.Link link : links) {
          if (graph.cache[link.buffer()] == c) {
            least = Math.min(least, graph.size[link.buffer()]);
          }
        }
      }
    }
    return least;
  }

  /** The units of all items that some stay needs beyond the room. */
  long beyond() {
    boolean[] used = new boolean[proof.items().length];
    Arrays.stream(proof.needs())
        .flatMap(Arrays::stream)
        .flatMapToInt(Arrays::stream)
        .forEach(i -> used[i] = true);
    long sum = -room;
    for (int i = 0; i < used.length; i++) {
      sum += used[i] ? units(i) : 0;
    }
    return Math.max(0, sum);
  }

  /** The most that a unit of items may count: 1, or what a link costs. */
  double mostRate() {
    double most = 1;
    for (int r = 0; r < stays; r++) {
      for (int p = 0; p < proof.stays()[r].length; p++) {
        for (int i : proof.needs()[r][p]) {
          for (PhaseNeeds.Link link : proof.links().get(r).get(p)) {
            if (graph.uses(link.from(), proof.items()[i][0])) {
              most = Math.min(most, (double) graph.price[link.buffer()] / units(i));
            }
          }
        }
      }
    }
    return most;
  }
}
