package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Planners of real systems that end after one pass, each written down from its rule alone, with
 * lists and without any saving of work, for comparison with the ones in use. Alignment 1.
 */
class PlainRules {
  final int count;
  final long[] size;
  final int[] start;
  final int[] end;
  final String[] name;
  final long[] offset;
  final List<Integer> placed = new ArrayList<>();

  PlainRules(PackingProblem problem) {
    this(problem, 1);
  }

  /** The same with sizes rounded up to a multiple. */
  PlainRules(PackingProblem problem, long granule) {
    count = problem.size();
    size = new long[count];
    start = new int[count];
    end = new int[count];
    name = new String[count];
    offset = new long[count];
    for (int r = 0; r < count; r++) {
      Buffer buffer = problem.buffer(r);
      size[r] = (buffer.size() + granule - 1) / granule * granule;
      start[r] = buffer.live().start();
      end[r] = buffer.live().end();
      name[r] = buffer.id();
    }
  }

  /** All buffers in file order. */
  List<Integer> order() {
    return new ArrayList<>(IntStream.range(0, count).boxed().toList());
  }

  /** All buffers in an order; ties are in file order. */
  List<Integer> order(Comparator<Integer> by) {
    List<Integer> order = order();
    order.sort(by);
    return order;
  }

  /** The highest byte of some offsets. */
  long total(long[] offsets) {
    return order().stream().mapToLong(r -> offsets[r] + size[r]).max().orElse(0);
  }

  boolean together(int a, int b) {
    return start[a] < end[b] && start[b] < end[a];
  }

  private int conflicts(int r) {
    int found = 0;
    for (int o = 0; o < count; o++) {
      found += o != r && together(r, o) ? 1 : 0;
    }
    return found;
  }

  /** Those placed that meet a predicate, by offset. */
  private List<Integer> below(Predicate<Integer> wanted) {
    return placed.stream()
        .filter(wanted)
        .sorted(Comparator.comparingLong((Integer o) -> offset[o]))
        .toList();
  }

  private long inFirstGap(int r) {
    long at = 0;
    for (int o : below(o -> together(o, r))) {
      if (offset[o] - at >= size[r]) {
        break;
      }
      at = Math.max(at, offset[o] + size[o]);
    }
    return at;
  }

  /** Bytes below the lowest of those in the way are a gap too, or not. */
  private long inSmallestGap(long wanted, Predicate<Integer> inTheWay, boolean leading) {
    List<Integer> others = below(inTheWay);
    long at = leading || others.isEmpty() ? 0 : offset[others.get(0)];
    long best = -1;
    long smallest = Long.MAX_VALUE;
    for (int o : others) {
      long gap = offset[o] - at;
      if (gap >= wanted && gap < smallest) {
        smallest = gap;
        best = at;
      }
      at = Math.max(at, offset[o] + size[o]);
    }
    return best < 0 ? at : best;
  }

  /** Offsets of buffers that are placed in an order, each in the smallest gap that holds it. */
  final long[] eachInSmallestGap(List<Integer> order) {
    return eachInSmallestGap(order, true);
  }

  private long[] eachInSmallestGap(List<Integer> order, boolean leading) {
    for (int r : order) {
      offset[r] = inSmallestGap(size[r], o -> together(o, r), leading);
      placed.add(r);
    }
    return offset;
  }

  /** Size descending, the later added first; the lowest gap. */
  long[] tflm() {
    List<Integer> order = order();
    java.util.Collections.reverse(order);
    order.sort(Comparator.comparingLong(r -> -size[r]));
    return eachInFirstGap(order);
  }

  /** By first step, the shorter first; the lowest gap. */
  long[] nntrainerV3() {
    return eachInFirstGap(order(Comparator.comparingInt((Integer r) -> 1000 * start[r] + end[r])));
  }

  private long[] eachInFirstGap(List<Integer> order) {
    for (int r : order) {
      offset[r] = inFirstGap(r);
      placed.add(r);
    }
    return offset;
  }

  /** Those alive throughout in file order, then size descending, first step; the smallest gap. */
  long[] tflite() {
    int first = order().stream().mapToInt(r -> start[r]).min().orElse(0);
    int last = order().stream().mapToInt(r -> end[r]).max().orElse(0);
    List<Integer> order = order();
    List<Integer> whole = order.stream().filter(r -> start[r] == first && end[r] == last).toList();
    order.removeAll(whole);
    order.sort(Comparator.comparingLong((Integer r) -> -size[r]).thenComparingInt(r -> start[r]));
    List<Integer> all = new ArrayList<>(whole);
    all.addAll(order);
    return eachInSmallestGap(all);
  }

  /** File order; the smallest gap. */
  long[] iree() {
    return eachInSmallestGap(order());
  }

  /**
   * Size descending, file order or by name; the smallest gap, of which one below all counts or not.
   */
  long[] greedyBySize(boolean names, boolean leading) {
    Comparator<Integer> largest = Comparator.comparingLong(r -> -size[r]);
    return eachInSmallestGap(order(names ? largest.thenComparing(r -> name[r]) : largest), leading);
  }

  /** Above all that conflict, in the order of a comparator with names descending last. */
  long[] tvm(boolean byConflicts) {
    Comparator<Integer> bySize = Comparator.comparingLong(r -> -size[r]);
    Comparator<Integer> byNumber = Comparator.comparingInt(r -> -conflicts(r));
    Comparator<Integer> by =
        byConflicts ? byNumber.thenComparing(bySize) : bySize.thenComparing(byNumber);
    for (int r : order(by.thenComparing(r -> name[r], Comparator.reverseOrder()))) {
      for (int o : placed) {
        if (together(o, r)) {
          offset[r] = Math.max(offset[r], offset[o] + size[o]);
        }
      }
      placed.add(r);
    }
    return offset;
  }

  /** Objects, the largest first and of equal ones the last of the file. */
  long[] executorch(boolean overlap) {
    List<Integer> order = order();
    java.util.Collections.reverse(order);
    order.sort(Comparator.comparingLong(r -> -size[r]));
    List<List<Integer>> objects = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    int[] object = new int[count];
    for (int r : order) {
      int chosen = -1;
      for (int k = 0; k < objects.size() && chosen < 0; k++) {
        if (objects.get(k).stream().noneMatch(o -> together(o, r))) {
          chosen = k;
        }
      }
      for (int k = 0; k < objects.size() && chosen < 0 && overlap; k++) {
        long top =
            objects.get(k).stream()
                .filter(o -> together(o, r))
                .mapToLong(o -> offset[o] + size[o])
                .max()
                .orElse(0);
        if (top + size[r] <= sizes.get(k)) {
          chosen = k;
          offset[r] = top;
        }
      }
      if (chosen < 0) {
        chosen = objects.size();
        objects.add(new ArrayList<>());
        sizes.add(size[r]);
      }
      objects.get(chosen).add(r);
      object[r] = chosen;
    }
    for (int r = 0; r < count; r++) {
      for (int k = 0; k < object[r]; k++) {
        offset[r] += sizes.get(k);
      }
    }
    return offset;
  }

  /** Step by step, what happens to those that start there and then to those that end after it. */
  final void walk(IntConsumer starts, IntConsumer ends) {
    int last = Arrays.stream(end).max().orElse(0);
    for (int step = 0; step < last; step++) {
      int now = step;
      IntStream.range(0, count).filter(r -> start[r] == now).forEach(starts);
      IntStream.range(0, count).filter(r -> end[r] - 1 == now).forEach(ends);
    }
  }

  /** XLA's heap; time advances at every allocation and every free. */
  long[] xla(boolean temporal) {
    int[] made = new int[count];
    int[] freed = new int[count];
    int[] time = {0};
    walk(r -> made[r] = time[0]++, r -> freed[r] = time[0]++);
    Comparator<Integer> bySize = Comparator.comparingLong(r -> -size[r]);
    Comparator<Integer> byLife = Comparator.comparingInt(r -> made[r] - freed[r]);
    return eachInSmallestGap(
        order(temporal ? byLife.thenComparing(bySize) : bySize.thenComparing(byLife)));
  }

  /** Vela's online allocator: by first step, the longer first; what is over is freed before. */
  long[] velaGreedy() {
    for (int r :
        order(Comparator.comparingInt((Integer r) -> start[r]).thenComparingInt(r -> -end[r]))) {
      placed.removeIf(o -> end[o] <= start[r]);
      offset[r] = inSmallestGap(size[r], o -> true, true);
      placed.add(r);
    }
    return offset;
  }
}
