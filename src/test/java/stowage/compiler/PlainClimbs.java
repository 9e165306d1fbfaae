package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import stowage.compiler.tvm.TvmHillClimb;
import stowage.compiler.vela.PythonRandom;
import stowage.packing.PackingProblem;

/**
 * The hill climbs of Vela and TVM written down step by step, with lists and without any saving of
 * work, for comparison with the ones in use.
 */
final class PlainClimbs extends PlainRules {
  private final int[] first;
  private final int[] last;
  private final List<List<Integer>> alive = new ArrayList<>();
  private long pressure;

  PlainClimbs(PackingProblem problem) {
    super(problem);
    first = start.clone();
    last = Arrays.stream(end).map(step -> step - 1).toArray();
    for (int r = 0; r < count; r++) {
      int self = r;
      alive.add(order().stream().filter(o -> o != self && together(o, self)).toList());
      pressure = Math.max(pressure, loadAt(first[r]));
    }
  }

  private long loadAt(int time) {
    long load = 0;
    for (int r = 0; r < count; r++) {
      load += first[r] <= time && time <= last[r] ? size[r] : 0;
    }
    return load;
  }

  // Vela.

  private final long[] top = new long[count];
  private final int[] predecessor = new int[count];
  private final int[] turn = new int[count];
  private final List<List<Integer>> neighbours = new ArrayList<>();

  /** Vela's addresses; times are ranked among all first and last ones. */
  long[] vela() {
    List<Integer> times = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      times.add(first[r]);
      times.add(last[r]);
    }
    List<Integer> ranked = times.stream().sorted().distinct().toList();
    for (int r = 0; r < count; r++) {
      first[r] = ranked.indexOf(first[r]);
      last[r] = ranked.indexOf(last[r]);
    }
    for (int r = 0; r < count; r++) {
      int self = r;
      List<Integer> others = new ArrayList<>(alive.get(r));
      others.sort(Comparator.comparingInt((Integer o) -> Math.max(first[o], first[self])));
      neighbours.add(others);
    }
    List<Integer> order = firstOrder();
    long best = place(order, Long.MAX_VALUE);
    long[] kept = offset.clone();
    List<Integer> bestOrder = new ArrayList<>(order);
    PythonRandom random = new PythonRandom(1);
    int gain = 0;
    for (int i = 0; best > pressure && i - gain < 500; i++) {
      if (!change(order, i - gain, random)) {
        break;
      }
      long reached = place(order, best);
      if (reached <= best) {
        gain = reached < best ? i : gain;
        best = reached;
        bestOrder = new ArrayList<>(order);
        kept = offset.clone();
      } else {
        order = new ArrayList<>(bestOrder);
      }
    }
    return kept;
  }

  private List<Integer> firstOrder() {
    long[] urgency = new long[count];
    for (int r = 0; r < count; r++) {
      for (int t = first[r]; t <= last[r]; t++) {
        urgency[r] = Math.max(urgency[r], loadAt(t));
      }
    }
    return order(
        Comparator.comparingLong((Integer r) -> -urgency[r])
            .thenComparingInt(r -> -(last[r] - first[r]))
            .thenComparingInt(r -> first[r])
            .thenComparingLong(r -> -size[r]));
  }

  private long place(List<Integer> order, long best) {
    long highest = 0;
    List<Integer> placed = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      int r = order.get(t);
      long at = 0;
      predecessor[r] = -1;
      boolean clean = false;
      while (!clean) {
        clean = true;
        for (int o : neighbours.get(r)) {
          if (placed.contains(o) && offset[o] < at + size[r] && at < top[o]) {
            at = top[o];
            predecessor[r] = o;
            clean = false;
          }
        }
      }
      offset[r] = at;
      top[r] = at + size[r];
      turn[r] = t;
      placed.add(r);
      highest = Math.max(highest, top[r]);
      if (highest > best) {
        break;
      }
    }
    return highest;
  }

  private boolean change(List<Integer> order, int stuck, PythonRandom random) {
    int bottleneck = 0;
    for (int r = 0; r < count; r++) {
      bottleneck = top[r] > top[bottleneck] ? r : bottleneck;
    }
    List<Integer> turns = new ArrayList<>();
    addChain(bottleneck, turns);
    for (int o : neighbours.get(bottleneck)) {
      addChain(o, turns);
    }
    if (turns.size() < 2) {
      return false;
    }
    List<Integer> distant = new ArrayList<>();
    for (int t : turns) {
      int r = order.get(t);
      if (r != bottleneck && !alive.get(bottleneck).contains(r)) {
        distant.add(t);
      }
    }
    int one =
        random.between(0, 100) < 30 && !distant.isEmpty()
            ? distant.get(random.between(0, distant.size() - 1))
            : turns.get(random.between(0, turns.size() - 1));
    int two = turns.get(random.between(0, turns.size() - 2));
    two = one == two ? turns.get(turns.size() - 1) : two;
    Collections.swap(order, one, two);
    if (stuck > 50) {
      for (int t : distant) {
        for (int o : neighbours.get(order.get(t))) {
          if (!turns.contains(turn[o])) {
            turns.add(turn[o]);
          }
        }
      }
      one = turns.get(random.between(0, turns.size() - 1));
      two = turns.get(random.between(0, turns.size() - 1));
      Collections.swap(order, one, two);
    }
    return true;
  }

  private void addChain(int from, List<Integer> turns) {
    for (int r = from; r >= 0; r = predecessor[r]) {
      if (!turns.contains(turn[r])) {
        turns.add(turn[r]);
      }
    }
  }

  // TVM, one pool without limit.

  /** TVM's offsets. */
  long[] tvm() {
    List<Integer> order =
        order(
            Comparator.comparingLong((Integer r) -> -size[r])
                .thenComparingInt(r -> -alive.get(r).size())
                .thenComparing(r -> name[r], Comparator.reverseOrder()));
    TvmHillClimb.GlibcRandom random = new TvmHillClimb.GlibcRandom(0);
    long current = 0;
    long[] accepted = null;
    long[] previous = null;
    int[] pair = {0, 0};
    for (int attempt = 0; attempt < 500; attempt++) {
      long[] offsets = fillGaps(order);
      long total = total(offsets);
      boolean take =
          current == 0
              || current > total
              || random.next() % 100 < 50 * (total - current) / total / attempt;
      if (take) {
        accepted = offsets;
        current = total;
        if (total <= pressure) {
          return accepted;
        }
      } else {
        Collections.swap(order, pair[0], pair[1]);
        offsets = previous;
      }
      previous = offsets;
      long top = total(offsets);
      long[] looked = offsets;
      List<Integer> highest = order.stream().filter(r -> looked[r] + size[r] == top).toList();
      int node = highest.get(random.next() % highest.size());
      List<Integer> near = new ArrayList<>();
      List<Integer> far = new ArrayList<>();
      for (int o : alive.get(node)) {
        if (order.indexOf(o) < order.indexOf(node)) {
          near.add(o);
        }
        for (int p : alive.get(o)) {
          if (order.indexOf(p) < order.indexOf(o)) {
            far.add(p);
          }
        }
      }
      if (near.isEmpty()) {
        continue;
      }
      near.sort(Comparator.comparingInt(order::indexOf));
      far.sort(Comparator.comparingInt(order::indexOf));
      int one = near.get(random.next() % near.size());
      int two = one;
      while (one == two) {
        two =
            !far.isEmpty() && random.next() % 100 > 25
                ? far.get(random.next() % far.size())
                : near.get(random.next() % near.size());
        if (near.size() < 2 && far.size() < 2) {
          break;
        }
      }
      if (one != two) {
        pair = new int[] {order.indexOf(one), order.indexOf(two)};
        Collections.swap(order, pair[0], pair[1]);
      }
    }
    return accepted;
  }

  private long[] fillGaps(List<Integer> order) {
    long[] offsets = new long[count];
    List<Integer> placed = new ArrayList<>();
    for (int r : order) {
      List<Integer> inTheWay = new ArrayList<>(alive.get(r));
      inTheWay.retainAll(placed);
      inTheWay.sort(Comparator.comparingLong(o -> offsets[o]));
      for (int o : inTheWay) {
        if (offsets[r] + size[r] > offsets[o] && offsets[o] + size[o] > offsets[r]) {
          offsets[r] = offsets[o] + size[o];
        }
      }
      placed.add(r);
    }
    return offsets;
  }
}
