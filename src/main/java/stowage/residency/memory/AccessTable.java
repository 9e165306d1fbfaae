package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.network.memory.MemoryMap;

/**
 * All ways to use the buffers of a {@link ResidencyProblem}, but those that another way makes
 * pointless: one with the same values before and after, no more places (the home, where the other
 * leaves it alone, is one of them) and no higher price, or one whose value is in its home in
 * addition.
 *
 * <p>A plan of a buffer is a path: the way taken at each event begins where the value is after the
 * event before. Buffers meet in the capacities alone.
 */
public final class AccessTable {
  private final ResidencyProblem problem;
  private final List<List<List<Access>>> uses = new ArrayList<>();

  /** Builds the table. O(events + kinds of events * 64^levels), where levels are fast memories. */
  public AccessTable(ResidencyProblem problem) {
    this.problem = problem;
    Map<List<Object>, List<Access>> known = new HashMap<>(); // buffers alike have the same ways
    for (HeldBuffer item : problem.items()) {
      List<List<Access>> byEvent = new ArrayList<>();
      Set<Integer> befores = Set.of(item.given() ? 1 << problem.levels(item) : 0);
      for (int e = 0; e < item.events().size(); e++) {
        Ways ways = new Ways(item, e);
        Set<Integer> from = befores;
        List<Access> found = known.computeIfAbsent(ways.key(from), key -> ways.all(from));
        byEvent.add(found);
        befores = found.stream().map(Access::after).collect(Collectors.toSet());
      }
      uses.add(byEvent);
    }
  }

  public ResidencyProblem problem() {
    return problem;
  }

  /** The ways to use a buffer at an event. */
  public List<Access> of(int item, int event) {
    return uses.get(item).get(event);
  }

  /** Nanoseconds that no plan made of the ways takes longer than, one thing after another. */
  public long longest() {
    long sum = 1 + problem.ops().stream().mapToLong(ResidencyProblem.Step::computeNanos).sum();
    for (List<Access> ways : uses.stream().flatMap(List::stream).toList()) {
      sum += ways.stream().mapToLong(use -> use.price(true)).max().orElse(0);
    }
    return sum;
  }

  /** The price of a way that a path is chosen by. */
  @FunctionalInterface
  public interface Price {
    /** The price; {@link Long#MAX_VALUE} where the way is not possible. */
    long of(int event, Access use);
  }

  /** The path of least price through the events of a buffer; null where there is none. */
  public Access[] cheapest(int item, Price price) {
    List<List<Access>> events = uses.get(item);
    Map<Integer, Integer> at = new HashMap<>(); // value after an event -> the way that is best
    List<long[]> costs = new ArrayList<>();
    List<int[]> froms = new ArrayList<>();
    for (int e = 0; e < events.size(); e++) {
      List<Access> ways = events.get(e);
      long[] cost = new long[ways.size()];
      int[] from = new int[ways.size()];
      Map<Integer, Integer> next = new HashMap<>();
      for (int k = 0; k < cost.length; k++) {
        Access use = ways.get(k);
        Integer last = e == 0 ? Integer.valueOf(-1) : at.get(use.before());
        long own = last == null ? Long.MAX_VALUE : price.of(e, use);
        from[k] = last == null ? -1 : last;
        long sofar = e == 0 || last == null ? 0 : costs.get(e - 1)[last];
        cost[k] = own == Long.MAX_VALUE ? own : sofar + own;
        Integer best = next.get(use.after());
        if (cost[k] < Long.MAX_VALUE && (best == null || cost[k] < cost[best])) {
          next.put(use.after(), k);
        }
      }
      at = next;
      costs.add(cost);
      froms.add(from);
    }
    int best = -1;
    for (int k : at.values()) {
      long cost = costs.get(events.size() - 1)[k];
      best = best < 0 || cost < costs.get(events.size() - 1)[best] ? k : best;
    }
    if (best < 0) {
      return null;
    }
    Access[] path = new Access[events.size()];
    for (int e = path.length - 1; e >= 0; e--) {
      path[e] = events.get(e).get(best);
      best = froms.get(e)[best];
    }
    return path;
  }

  private final class Ways {
    private final HeldBuffer item;
    private final HeldBuffer.Event event;
    private final int levels;
    private final int home;
    private final boolean begins;
    private final boolean last;
    private final int access;
    private final int room;
    private final boolean beside = problem.byTime() && problem.map().overlap();
    private final List<Access> found = new ArrayList<>();

    Ways(HeldBuffer item, int e) {
      this.item = item;
      event = item.events().get(e);
      levels = problem.levels(item);
      home = 1 << levels;
      begins = e == 0 && !item.given();
      last = e + 1 == item.events().size();
      access = problem.onlyAccess(item, event);
      int fits = 0;
      for (int m = 0; m < levels; m++) {
        fits |= item.bytes() <= problem.map().space(m).capacity() ? 1 << m : 0;
      }
      room = fits;
    }

    /** All that the ways depend on. */
    List<Object> key(Set<Integer> befores) {
      int computes = problem.ops().get(event.step()).memory();
      List<Object> buffer = List.of(item.bytes(), item.home(), item.given(), item.wanted());
      return List.of(
          buffer, event.readBytes(), event.writtenBytes(), begins, last, access, computes, befores);
    }

    private int memory(int bit) {
      return bit < levels ? bit : item.home();
    }

    List<Access> all(Set<Integer> befores) {
      for (int before : befores) {
        for (int held = room; ; held = held - 1 & room) {
          inward(before, held);
          if (held == 0) {
            break;
          }
        }
      }
      IntStream all = IntStream.range(0, found.size());
      return all.filter(k -> !isBeaten(k)).mapToObj(found::get).toList();
    }

    /** The ways of moving the value to where the op uses it. */
    private void inward(int before, int held) {
      int free = held & ~before;
      for (int made = free; ; made = made - 1 & free) {
        if (!begins || made == 0) {
          for (List<Access.Hop> hops : hops(before, made, true)) {
            used(before, held, (before | made) & (held | home), hops);
          }
        }
        if (made == 0) {
          break;
        }
      }
    }

    private void used(int before, int held, int there, List<Access.Hop> inward) {
      for (int bit = 0; bit <= levels; bit++) {
        int place = 1 << bit;
        if (((held | home) & place) == 0
            || access >= 0 && memory(bit) != access
            || !begins && (there & place) == 0) {
          continue;
        }
        int values = begins || event.writtenBytes() > 0 ? place : there;
        int free = (held | home) & ~values;
        for (int made = free; ; made = made - 1 & free) {
          for (List<Access.Hop> outward : hops(values, made, false)) {
            ends(before, held, bit, values | made, inward, outward);
          }
          if (made == 0) {
            break;
          }
        }
      }
    }

    private void ends(
        int before, int held, int bit, int values, List<Access.Hop> in, List<Access.Hop> out) {
      if (last) {
        if (!item.wanted() || (values & home) != 0) {
          add(before, held, bit, item.wanted() ? home : 0, in, out);
        }
        return;
      }
      for (int after = values; after > 0; after = after - 1 & values) {
        add(before, held, bit, after, in, out);
      }
    }

    /**
     * Transfers that make copies: each from the cheapest memory that has one, or, where they may
     * run alongside steps, from any. None where a copy cannot be made.
     */
    private List<List<Access.Hop>> hops(int has, int made, boolean inward) {
      List<List<Access.Hop>> all = List.of(List.of());
      int there = has;
      for (int k = 0; k <= levels; k++) {
        int bit = inward ? levels - k : k;
        if ((made >> bit & 1) != 0) {
          List<Access.Hop> sources = sources(there, bit, inward);
          all = all.stream().flatMap(some -> sources.stream().map(hop -> with(some, hop))).toList();
          there |= 1 << bit;
        }
      }
      return all;
    }

    private List<Access.Hop> sources(int there, int bit, boolean inward) {
      int to = memory(bit);
      Stream<Access.Hop> hops =
          IntStream.range(inward ? bit + 1 : 0, inward ? levels + 1 : bit)
              .filter(other -> (there >> other & 1) != 0)
              .mapToObj(other -> new Access.Hop(memory(other), to))
              .filter(hop -> problem.map().link(hop.from(), to) != null)
              .filter(hop -> problem.map().space(to).writable());
      return beside
          ? hops.toList()
          : hops.min(Comparator.comparingLong(hop -> cost(hop.from(), to))).stream().toList();
    }

    private static List<Access.Hop> with(List<Access.Hop> some, Access.Hop hop) {
      List<Access.Hop> more = new ArrayList<>(some);
      more.add(hop);
      return List.copyOf(more);
    }

    private long cost(int from, int to) {
      MemoryMap.Link link = problem.map().link(from, to);
      return problem.byTime() ? link.nanoseconds(item.bytes()) : link.moved(item.bytes());
    }

    private void add(
        int before, int held, int bit, int after, List<Access.Hop> in, List<Access.Hop> out) {
      MemoryMap.Space space = problem.map().space(memory(bit));
      boolean outside = memory(bit) != problem.ops().get(event.step()).memory();
      long bytes = outside ? event.readBytes() + event.writtenBytes() : 0;
      long[] nanos = new long[2];
      for (int side = 0; side < 2; side++) {
        for (Access.Hop hop : side == 0 ? in : out) {
          MemoryMap.Link link = problem.map().link(hop.from(), hop.to());
          bytes += link.moved(item.bytes());
          nanos[side] += link.nanoseconds(item.bytes());
        }
      }
      long access = space.nanoseconds(event.readBytes()) + space.nanoseconds(event.writtenBytes());
      found.add(
          new Access(before, held, memory(bit), after, in, out, bytes, access, nanos[0], nanos[1]));
    }

    private boolean isBeaten(int k) {
      return IntStream.range(0, found.size())
          .anyMatch(j -> j != k && beats(found.get(j), found.get(k), j < k));
    }

    private boolean beats(Access one, Access other, boolean earlier) {
      if (one.before() != other.before()
          || (one.after() | home) != (other.after() | home)
          || (other.after() & ~one.after()) != 0
          || (one.held() & ~other.held()) != 0
          || one.touches(item.home()) && !other.touches(item.home()) && !item.given()) {
        return false;
      }
      if (beside
          && (!other.inward().containsAll(one.inward())
              || !other.outward().containsAll(one.outward()))) {
        return false; // what runs alongside a step depends on its places
      }
      if (problem.byTime()
          && (one.accessNanos() > other.accessNanos()
              || one.inNanos() > other.inNanos()
              || one.outNanos() > other.outNanos())) {
        return false; // transfers alongside computing may cost less than their sum
      }
      boolean byTime = problem.byTime();
      int order = Long.compare(one.price(byTime), other.price(byTime));
      order = order == 0 ? Long.compare(one.price(!byTime), other.price(!byTime)) : order;
      boolean same = one.held() == other.held() && one.after() == other.after();
      return order < 0 || order == 0 && (!same || earlier);
    }
  }
}
