package stowage.compiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Planners that reuse objects or footprints, each written down from its rule alone, with lists and
 * without any saving of work, for comparison with the ones in use. A task is a step at which a
 * buffer starts. Alignment 1.
 */
final class PlainObjects {
  private record Item(int index, long size, int start, int end) {
    boolean meets(Item other) {
      return start < other.end && other.start < end;
    }

    boolean aliveAt(int step) {
      return start <= step && step < end;
    }
  }

  private static final class Shared {
    private final List<Item> members = new ArrayList<>();
    private long size;

    boolean takes(Item item) {
      return members.stream().noneMatch(item::meets);
    }

    void put(Item item) {
      members.add(item);
      size = Math.max(size, item.size);
    }
  }

  private final List<Item> items = new ArrayList<>();
  private final List<Integer> tasks;
  private final List<Shared> objects = new ArrayList<>();

  PlainObjects(PackingProblem problem) {
    for (int b = 0; b < problem.size(); b++) {
      Buffer buffer = problem.buffer(b);
      items.add(new Item(b, buffer.size(), buffer.live().start(), buffer.live().end()));
    }
    tasks = items.stream().map(Item::start).distinct().sorted().toList();
  }

  private long[] endToEnd() {
    long[] offsets = new long[items.size()];
    long at = 0;
    for (Shared object : objects) {
      for (Item item : object.members) {
        offsets[item.index] = at;
      }
      at += object.size;
    }
    return offsets;
  }

  private void make(Item item) {
    Shared object = new Shared();
    object.put(item);
    objects.add(object);
  }

  private long breadth(int task) {
    return items.stream().filter(item -> item.aliveAt(task)).mapToLong(Item::size).sum();
  }

  /** Broadest task first, its largest buffers into the smallest object that holds them. */
  long[] greedyByBreadth() {
    List<Integer> broadest = new ArrayList<>(tasks);
    broadest.sort(Comparator.comparingLong(task -> -breadth(task)));
    List<Item> left = new ArrayList<>(items);
    for (int task : broadest) {
      List<Item> here = new ArrayList<>(left.stream().filter(i -> i.aliveAt(task)).toList());
      here.sort(Comparator.comparingLong(item -> -item.size));
      for (Item item : here) {
        List<Shared> free = objects.stream().filter(object -> object.takes(item)).toList();
        free.stream()
            .filter(object -> object.size >= item.size)
            .min(Comparator.comparingLong(object -> object.size))
            .or(() -> free.stream().min(Comparator.comparingLong(object -> -object.size)))
            .ifPresentOrElse(object -> object.put(item), () -> make(item));
      }
      left.removeAll(here);
    }
    return endToEnd();
  }

  /** The last place among the buffers of a task, the largest first, where one so large stood. */
  private int position(Item item) {
    int position = 0;
    for (int task : tasks) {
      List<Long> sizes =
          items.stream().filter(i -> i.aliveAt(task)).map(Item::size).sorted().toList();
      for (int p = 0; p < sizes.size(); p++) {
        if (sizes.get(sizes.size() - 1 - p) >= item.size) {
          position = Math.max(position, p);
        }
      }
    }
    return position;
  }

  private long distance(Item a, Item b) {
    Item earlier = a.start < b.start ? a : b;
    Item later = earlier == a ? b : a;
    long tasksBetween = tasks.stream().filter(t -> t >= earlier.end && t < later.start).count();
    return tasksBetween + 1;
  }

  private long distance(Item item, Shared object) {
    return object.members.stream().mapToLong(member -> distance(item, member)).min().orElse(0);
  }

  private long nearest(Item item) {
    return objects.stream()
        .filter(object -> object.takes(item))
        .mapToLong(object -> distance(item, object))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The least position, of these what is nearest to an object, of these the largest. */
  long[] sizeDistance() {
    List<Item> left = new ArrayList<>(items);
    while (!left.isEmpty()) {
      Item next =
          left.stream()
              .min(
                  Comparator.comparingInt(this::position)
                      .thenComparingLong(this::nearest)
                      .thenComparingLong(item -> -item.size))
              .orElseThrow();
      left.remove(next);
      objects.stream()
          .filter(object -> object.takes(next))
          .min(Comparator.comparingLong(object -> distance(next, object)))
          .ifPresentOrElse(object -> object.put(next), () -> make(next));
    }
    return endToEnd();
  }

  /** MindSpore's footprints: the smaller of what both fits give, chains before one stretch. */
  long[] somas() {
    int first = items.stream().mapToInt(Item::start).min().orElse(0);
    int last = items.stream().mapToInt(Item::end).max().orElse(0);
    List<Item> order = new ArrayList<>(items);
    List<Item> lifelong = order.stream().filter(i -> i.start == first && i.end == last).toList();
    order.removeAll(lifelong);
    order.sort(Comparator.comparingLong(item -> -item.size));
    Footprints shared = smaller(order, true);
    Footprints single = smaller(order, false);
    Footprints chosen = shared.top > single.top + 104_857_600 ? single : shared;
    for (Item item : lifelong) {
      chosen.offsets[item.index] = chosen.top;
      chosen.top += item.size;
    }
    return chosen.offsets;
  }

  private Footprints smaller(List<Item> order, boolean chained) {
    Footprints tightest = new Footprints(items.size());
    Footprints lowest = new Footprints(items.size());
    for (Item item : order) {
      tightest.put(item, chained, true);
      lowest.put(item, chained, false);
    }
    return lowest.top < tightest.top ? lowest : tightest;
  }

  private static final class Footprints {
    private final List<List<Item>> members = new ArrayList<>();
    private final long[] offsets;
    private long top;

    Footprints(int count) {
      offsets = new long[count];
    }

    void put(Item item, boolean chained, boolean tightest) {
      for (List<Item> print : members) {
        Item opener = print.get(0);
        if (chained && opener.meets(item)) {
          continue;
        }
        long low = chained ? offsets[opener.index] : 0;
        long high = chained ? low + opener.size : Long.MAX_VALUE;
        long at = gap(item, print, low, high, tightest);
        if (at >= 0) {
          lay(item, print, at);
          return;
        }
      }
      List<Item> print = new ArrayList<>();
      members.add(print);
      lay(item, print, top);
    }

    private void lay(Item item, List<Item> print, long at) {
      print.add(item);
      offsets[item.index] = at;
      top = Math.max(top, at + item.size);
    }

    private long gap(Item item, List<Item> print, long low, long high, boolean tightest) {
      List<Item> inTheWay = print.stream().filter(item::meets).toList();
      List<Long> starts = new ArrayList<>(List.of(low));
      inTheWay.forEach(other -> starts.add(offsets[other.index] + other.size));
      long chosen = -1;
      long least = Long.MAX_VALUE;
      for (long start : starts.stream().sorted().toList()) {
        boolean taken =
            inTheWay.stream()
                .anyMatch(o -> offsets[o.index] <= start && start < offsets[o.index] + o.size);
        long end =
            inTheWay.stream()
                .mapToLong(o -> offsets[o.index])
                .filter(at -> at >= start)
                .min()
                .orElse(high);
        long left = end - start - item.size;
        if (!taken && left >= 0 && (chosen < 0 || (tightest && left < least))) {
          chosen = start;
          least = left;
        }
      }
      return chosen;
    }
  }
}
