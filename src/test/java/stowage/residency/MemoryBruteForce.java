package stowage.residency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.network.memory.MemoryMap;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyProblem;

/**
 * The least price of a residency problem by trying everything: for each buffer, event after event,
 * all places, copies inward, accesses, copies outward and drops; then all combinations of buffers
 * whose places fit. It shares nothing with what solves but the problem. Time is that without a DMA
 * channel.
 */
final class MemoryBruteForce {
  /** What one buffer does: bytes in use by memory and step, accesses by step, and its price. */
  private record Way(int valid, long[] loads, long[] access, boolean home, long price) {
    String key() {
      return valid + Arrays.toString(loads) + Arrays.toString(access) + home;
    }
  }

  private final ResidencyProblem problem;
  private final int steps;
  private final int count;
  private final List<List<Way>> ways = new ArrayList<>();
  private final long[] rest;
  private final long[] room;
  private long best = -1;

  private MemoryBruteForce(ResidencyProblem problem) {
    this.problem = problem;
    steps = problem.steps();
    count = problem.map().count();
    room = new long[count * steps];
    Arrays.setAll(room, k -> problem.map().space(k / steps).capacity());
    for (int i = 0; i < problem.items().size(); i++) {
      ways.add(ways(problem.items().get(i)));
    }
    rest = new long[ways.size() + 1];
    for (int i = ways.size() - 1; i >= 0; i--) {
      rest[i] = rest[i + 1] + (ways.get(i).isEmpty() ? 0 : ways.get(i).get(0).price());
    }
  }

  /** The least price of all plans that keep the capacities; -1 where there is none. */
  static long least(ResidencyProblem problem) {
    MemoryBruteForce all = new MemoryBruteForce(problem);
    all.combine(0, new long[all.count * all.steps], new long[all.steps], 0);
    return all.best;
  }

  private void combine(int i, long[] loads, long[] access, long price) {
    long least = price + spent(access);
    if (i == ways.size()) {
      best = best < 0 ? least : Math.min(best, least);
      return;
    }
    for (Way way : ways.get(i)) { // the cheapest first; uses of memories by later ones only add
      if (best >= 0 && least + way.price() + rest[i + 1] >= best) {
        return;
      }
      long[] sum = loads.clone();
      boolean fits = true;
      for (int k = 0; fits && k < sum.length; k++) {
        sum[k] += way.loads()[k];
        fits = sum[k] <= room[k];
      }
      if (fits) {
        long[] uses = access.clone();
        for (int t = 0; t < steps; t++) {
          uses[t] += way.access()[t];
        }
        combine(i + 1, sum, uses, price + way.price());
      }
    }
  }

  /** The time of all steps, each as long as its op computes and at least as its accesses take. */
  private long spent(long[] access) {
    long nanos = 0;
    for (int t = 0; problem.byTime() && t < steps; t++) {
      nanos += Math.max(access[t], problem.ops().get(t).computeNanos());
    }
    return nanos;
  }

  private List<Way> ways(HeldBuffer item) {
    Map<String, Way> found = new HashMap<>();
    int home = 1 << item.home();
    Way begin =
        new Way(
            item.given() ? home : 0,
            new long[count * steps],
            new long[steps],
            item.given() || item.wanted() || item.home() < problem.map().fastCount(),
            0);
    found.put("", begin);
    for (int e = 0; e < item.events().size(); e++) {
      Map<String, Way> next = new HashMap<>();
      for (Way way : found.values()) {
        for (int held = 0; held < 1 << problem.levels(item); held++) {
          Way taken = way;
          for (int m = 0; m < problem.levels(item); m++) {
            int step = item.events().get(e).step();
            taken = (held >> m & 1) != 0 ? occupied(taken, m, step, step + 1, item) : taken;
          }
          inward(item, e, held, count - 1, taken, next);
        }
      }
      found = next;
    }
    List<Way> ended = new ArrayList<>();
    for (Way way : found.values()) {
      Way last = way;
      if (way.home()) {
        last = occupied(way, item.home(), item.homeFrom(), item.homeTo(steps), item);
      }
      if (!item.wanted() || (way.valid() & home) != 0) {
        ended.add(last);
      }
    }
    ended.sort(Comparator.comparingLong(Way::price));
    return ended;
  }

  private Way occupied(Way way, int memory, int from, int to, HeldBuffer item) {
    long[] loads = way.loads().clone();
    for (int t = from; t < to; t++) {
      loads[memory * steps + t] += item.bytes();
    }
    return new Way(way.valid(), loads, way.access(), way.home(), way.price());
  }

  private boolean isPlace(HeldBuffer item, int held, int memory) {
    return memory == item.home() || memory < problem.levels(item) && (held >> memory & 1) != 0;
  }

  private Way copied(HeldBuffer item, Way way, int from, int to) {
    MemoryMap.Link link = problem.map().link(from, to);
    if (link == null || (way.valid() >> from & 1) == 0 || !problem.map().space(to).writable()) {
      return null;
    }
    long price = problem.byTime() ? link.nanoseconds(item.bytes()) : link.moved(item.bytes());
    return new Way(
        way.valid() | 1 << to,
        way.loads(),
        way.access(),
        way.home() || from == item.home() || to == item.home(),
        way.price() + price);
  }

  /** Copies to a memory from one further out, or not, then the next one further in. */
  private void inward(HeldBuffer item, int e, int held, int to, Way way, Map<String, Way> next) {
    if (to < 0) {
      access(item, e, held, way, next);
      return;
    }
    inward(item, e, held, to - 1, way, next);
    for (int from = to + 1; from < count; from++) {
      boolean place = to < problem.levels(item) && isPlace(item, held, to);
      Way more = place && (way.valid() >> to & 1) == 0 ? copied(item, way, from, to) : null;
      if (more != null) {
        inward(item, e, held, to - 1, more, next);
      }
    }
  }

  private void access(HeldBuffer item, int e, int held, Way way, Map<String, Way> next) {
    HeldBuffer.Event event = item.events().get(e);
    ResidencyProblem.Step op = problem.ops().get(event.step());
    boolean begins = e == 0 && !item.given();
    for (int memory = 0; memory < count; memory++) {
      boolean only =
          event.isUse() && (op.only() || problem.map().mustBeFast().contains(item.kind()));
      if (!isPlace(item, held, memory)
          || only && memory != op.memory()
          || !begins && (way.valid() >> memory & 1) == 0) {
        continue;
      }
      MemoryMap.Space space = problem.map().space(memory);
      long[] access = way.access().clone();
      access[event.step()] +=
          space.nanoseconds(event.readBytes()) + space.nanoseconds(event.writtenBytes());
      long bytes = memory == op.memory() ? 0 : event.readBytes() + event.writtenBytes();
      int places = held | 1 << item.home();
      int valid = begins || event.writtenBytes() > 0 ? 1 << memory : way.valid() & places;
      outward(
          item,
          e,
          held,
          0,
          new Way(
              valid,
              way.loads(),
              access,
              way.home() || memory == item.home(),
              way.price() + (problem.byTime() ? 0 : bytes)),
          next);
    }
  }

  private void outward(HeldBuffer item, int e, int held, int to, Way way, Map<String, Way> next) {
    if (to == count) {
      stay(item, e, way, next);
      return;
    }
    outward(item, e, held, to + 1, way, next);
    for (int from = 0; from < to; from++) {
      boolean place = isPlace(item, held, to) && (way.valid() >> to & 1) == 0;
      Way more = place ? copied(item, way, from, to) : null;
      if (more != null) {
        outward(item, e, held, to + 1, more, next);
      }
    }
  }

  /** Keeps any part of the copies until the next event. */
  private void stay(HeldBuffer item, int e, Way way, Map<String, Way> next) {
    boolean last = e + 1 == item.events().size();
    for (int kept = way.valid(); kept > 0; kept = kept - 1 & way.valid()) {
      Way held = new Way(kept, way.loads(), way.access(), way.home(), way.price());
      for (int m = 0; !last && m < problem.levels(item); m++) {
        if ((kept >> m & 1) != 0) {
          int from = item.events().get(e).step() + 1;
          held = occupied(held, m, from, item.events().get(e + 1).step(), item);
        }
      }
      Way known = next.get(held.key());
      if (known == null || held.price() < known.price()) {
        next.put(held.key(), held);
      }
    }
  }
}
