package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/** The bound that a proof by phases stands for, from plain loops over all numbers of items. */
final class PhaseCheck {
  private final KernelOps graph;
  private final PhaseBound.Proof proof;
  private final double[][] least;

  /** By class, the most milestones that need the same items of the other classes. */
  private final long[] without;

  private final long last;

  /** By class as the hub, what it serves by the product of the two others. */
  private final List<List<int[]>> served = new ArrayList<>();

  private final long[] common = new long[3];

  private PhaseCheck(KernelOps graph, PhaseBound.Proof proof) {
    this.graph = graph;
    this.proof = proof;
    least = new double[proof.items().length][];
    for (int c = 0; c < least.length; c++) {
      double[] costs = new double[proof.items()[c].length];
      for (int i = 0; i < costs.length; i++) {
        for (int b : proof.items()[c][i]) {
          costs[i] += Math.min(rate(b) * graph.size[b], graph.price[b]);
        }
      }
      Arrays.sort(costs);
      least[c] = new double[costs.length + 1];
      for (int i = 0; i < costs.length; i++) {
        least[c][i + 1] = least[c][i] + costs[i];
      }
    }
    int[][] needs = proof.needs();
    last = of(needs[needs.length - 1]);
    without = new long[3];
    if (needs.length == 2) {
      without[2] = together(needs[0], needs[1]);
      return;
    }
    for (int c = 0; c < 3; c++) {
      without[c] = together(needs[(c + 1) % 3], needs[(c + 2) % 3]);
    }
    for (int hub = 0; hub < 3; hub++) {
      common[hub] = hubs(needs[hub], needs[(hub + 1) % 3], needs[(hub + 2) % 3]);
      served.add(corners(served(needs[hub], needs[(hub + 1) % 3], needs[(hub + 2) % 3])));
    }
  }

  private double rate(int b) {
    return proof.rates()[graph.cache[b]] / 8.0;
  }

  static long bound(KernelOps graph, PhaseBound.Proof proof) {
    return new PhaseCheck(graph, proof).bound();
  }

  private long bound() {
    int n = proof.milestones().length;
    double bound = 0;
    for (double[] costs : least) {
      bound -= costs[costs.length - 1];
    }
    int phases = 0;
    for (int begun = 0; begun < n; begun += proof.phase()) {
      bound += phase(Math.min(proof.phase(), n - begun));
      phases++;
    }
    for (int c = 0; c < graph.caches; c++) {
      bound -= (phases - 1) * proof.rates()[c] / 8.0 * left(c);
    }
    return (long) Math.ceil(bound - 1e-6);
  }

  /** What the links that some milestone uses itself leave of a cache, at most. */
  private long left(int c) {
    long least = Long.MAX_VALUE;
    for (int k = 0; k < proof.milestones().length; k++) {
      Map<Integer, Long> own = new HashMap<>();
      for (PhaseNeeds.Link link : proof.links().get(k)) {
        if (link.to() == proof.milestones()[k] && graph.cache[link.buffer()] == c) {
          own.put(link.buffer(), graph.size[link.buffer()]);
        }
      }
      least = Math.min(least, own.values().stream().mapToLong(size -> size).sum());
    }
    return graph.capacity[c] * graph.unit[c] - least;
  }

  private double phase(int milestones) {
    double link = Double.MAX_VALUE;
    Map<Integer, Long> smallest = new HashMap<>();
    for (var own : proof.links()) {
      for (PhaseNeeds.Link next : own) {
        int b = next.buffer();
        double held = rate(b) > 0 ? rate(b) * graph.size[b] : Double.MAX_VALUE;
        link = Math.min(link, Math.min(held, graph.price[b]));
        smallest.merge(graph.cache[b], graph.size[b], Math::min);
      }
    }
    long free = 0;
    for (var entry : smallest.entrySet()) {
      int c = entry.getKey();
      if (proof.rates()[c] == 0) {
        free += left(c) / entry.getValue();
      }
    }
    double best = Double.MAX_VALUE;
    for (int z = 0; z <= milestones; z++) {
      double paid = z <= free ? 0 : (z - free) * link;
      if (z == 0 || link < Double.MAX_VALUE) {
        best = Math.min(best, paid + items(milestones - z));
      }
    }
    return best;
  }

  private double items(int milestones) {
    if (milestones == 0) {
      return 0;
    }
    int end = least.length - 1;
    double best = Double.MAX_VALUE;
    for (int q = 1; q < (end == 2 ? least[0].length : 2); q++) {
      for (int r = 1; r < least[end - 1].length; r++) {
        for (int s = 1; s < least[end].length; s++) {
          boolean enough =
              end == 2
                  ? suffices(milestones, q, r, s)
                  : milestones <= without[2] * r * s && milestones <= last * s;
          if (enough) {
            double cost = least[end - 1][r] + least[end][s] + (end == 2 ? least[0][q] : 0);
            best = Math.min(best, cost);
          }
        }
      }
    }
    return best;
  }

  private boolean suffices(int milestones, long q, long r, long s) {
    long[] items = {q, r, s};
    for (int hub = 0; hub < 3; hub++) {
      double product = (double) common[hub] * q * r * s / items[hub] / items[hub];
      if (milestones > items[hub] * concave(served.get(hub), product) + 1e-6) {
        return false;
      }
    }
    return milestones <= without[2] * q * r
        && milestones <= without[0] * r * s
        && milestones <= without[1] * q * s
        && milestones <= last * s;
  }

  /** For each product of two numbers of items the most milestones of one item of the hub. */
  private static Map<Integer, Integer> served(int[] hub, int[] r, int[] s) {
    Map<Integer, Integer> most = new TreeMap<>(Map.of(0, 0));
    for (int i : new HashSet<>(Arrays.stream(hub).boxed().toList())) {
      List<Integer> ofR = with(hub, i, r);
      List<Integer> ofS = with(hub, i, s);
      List<Integer> withR = List.copyOf(new TreeSet<>(ofR));
      List<Integer> withS = List.copyOf(new TreeSet<>(ofS));
      int[] left = ofR.stream().mapToInt(withR::indexOf).toArray();
      int[] right = ofS.stream().mapToInt(withS::indexOf).toArray();
      for (int one = 0; one < 1 << withR.size(); one++) {
        for (int other = 0; other < 1 << withS.size(); other++) {
          int count = 0;
          for (int k = 0; k < left.length; k++) {
            count += one >> left[k] & other >> right[k] & 1;
          }
          most.merge(Integer.bitCount(one) * Integer.bitCount(other), count, Math::max);
        }
      }
    }
    return most;
  }

  private static List<Integer> with(int[] hub, int i, int[] other) {
    return IntStream.range(0, hub.length).filter(k -> hub[k] == i).mapToObj(k -> other[k]).toList();
  }

  /** The corners of the least concave function above points: always the steepest way on. */
  private static List<int[]> corners(Map<Integer, Integer> points) {
    List<int[]> corners = new ArrayList<>(List.of(new int[] {0, 0}));
    while (true) {
      int[] from = corners.get(corners.size() - 1);
      int[] best = null;
      double steepest = 0;
      for (var point : points.entrySet()) {
        double slope = (double) (point.getValue() - from[1]) / (point.getKey() - from[0]);
        if (point.getKey() > from[0] && slope > steepest) {
          steepest = slope;
          best = new int[] {point.getKey(), point.getValue()};
        }
      }
      if (best == null) {
        return corners;
      }
      corners.add(best);
    }
  }

  private static double concave(List<int[]> corners, double at) {
    for (int k = 1; k < corners.size(); k++) {
      int[] from = corners.get(k - 1);
      int[] to = corners.get(k);
      if (at < to[0]) {
        return from[1] + (at - from[0]) * (to[1] - from[1]) / (to[0] - from[0]);
      }
    }
    return corners.get(corners.size() - 1)[1];
  }

  private static long of(int[] need) {
    long most = 0;
    for (int item : need) {
      most = Math.max(most, Arrays.stream(need).filter(other -> other == item).count());
    }
    return most;
  }

  /** The most milestones that need the same two. */
  private static long together(int[] one, int[] other) {
    Map<String, Long> count = new HashMap<>();
    for (int k = 0; k < one.length; k++) {
      count.merge(one[k] + "," + other[k], 1L, Long::sum);
    }
    return count.values().stream().mapToLong(n -> n).max().orElse(0);
  }

  /** The most items of the hub that are needed with both of a pair. */
  private static long hubs(int[] hub, int[] a, int[] b) {
    long most = 0;
    for (int x : new HashSet<>(Arrays.stream(a).boxed().toList())) {
      for (int y : new HashSet<>(Arrays.stream(b).boxed().toList())) {
        Set<Integer> withX = new HashSet<>();
        Set<Integer> withY = new HashSet<>();
        for (int k = 0; k < hub.length; k++) {
          if (a[k] == x) {
            withX.add(hub[k]);
          }
          if (b[k] == y) {
            withY.add(hub[k]);
          }
        }
        withX.retainAll(withY);
        most = Math.max(most, withX.size());
      }
    }
    return most;
  }
}
