package stowage.schedule.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.packing.IndexOrder;
import stowage.packing.Rounding;

/**
 * Ops that wait for each other, and the buffers they touch: what the load of an order depends on.
 *
 * <p>Ops are numbered along a given order that respects all precedences, so the order 0, 1, 2, ...
 * is always possible. A set of ops that holds with each op all that it waits for is a
 * <em>downset</em>; the ops run so far form one at any time. With T(b) the ops that touch buffer b:
 *
 * <ul>
 *   <li>b has <em>begun</em> in a downset D if b is given or D meets T(b); it is <em>finished</em>
 *       if T(b) is in D and b is not kept.
 *   <li>live(D) is the bytes of all buffers begun and not finished.
 *   <li>Running op v from D takes load(D, v): the bytes of all buffers that have begun in D with v
 *       and are not finished in D; less the bytes of a result that v writes over an operand, if v
 *       is the operand's last op and the result's first.
 * </ul>
 *
 * The peak load of an order is the largest load(D, v) along it. As a buffer may be touched by
 * several producers (the parts of a concat made in place), "touched" is all that counts. Scratch
 * memory is a buffer touched by one op.
 *
 * <p>A given buffer that no op touches is there at the first step alone, and a given buffer that is
 * kept always; neither is listed among the buffers: see {@link #idle()} and {@link #constant()}.
 *
 * <p>Arrays handed out are not to be changed. Immutable.
 */
public final class OrderProblem {
  private final int[][] before;
  private final int[][] after;
  private final long[] bytes;
  private final int[][] touches;
  private final int[][] uses;
  private final boolean[] given;
  private final boolean[] kept;
  private final int[][] overwrites;
  private final int[] itemOf;
  private final long constant;
  private final long idle;
  private long[][] ancestors;
  private long[][] descendants;

  /**
   * The buffer of an operand and that of a result that may be written over it, of the same bytes.
   */
  public record Overwrite(int op, int from, int to) {}

  /**
   * A buffer.
   *
   * @param bytes its size, rounded up as addresses will be
   * @param touches the ops that make, read or write it
   * @param given whether it is there from the start
   * @param kept whether it must be there at the end
   */
  public record Item(long bytes, int[] touches, boolean given, boolean kept) {}

  private OrderProblem(
      int[][] before,
      List<Item> items,
      List<Overwrite> overwrites,
      long alwaysThere,
      long thereAtFirst) {
    int ops = before.length;
    this.before = new int[ops][];
    List<List<Integer>> successors = new ArrayList<>();
    List<List<Integer>> used = new ArrayList<>();
    for (int v = 0; v < ops; v++) {
      successors.add(new ArrayList<>());
      used.add(new ArrayList<>());
      this.before[v] = Arrays.stream(before[v]).sorted().distinct().toArray();
      for (int u : this.before[v]) {
        if (u >= v) {
          throw new IllegalArgumentException("op " + v + " waits for " + u + ", a later one");
        }
        successors.get(u).add(v);
      }
    }
    this.after = arrays(successors);
    int[] number = new int[items.size()];
    int count = 0;
    long always = alwaysThere;
    long first = thereAtFirst;
    for (int b = 0; b < number.length; b++) {
      Item item = items.get(b);
      number[b] = -1;
      if (item.bytes() == 0) {
        continue;
      }
      if (item.given() && item.kept()) {
        always = Math.addExact(always, item.bytes());
      } else if (item.touches().length == 0) {
        first = Math.addExact(first, item.given() ? item.bytes() : 0);
      } else {
        number[b] = count++;
      }
    }
    this.constant = always;
    this.idle = first;
    this.bytes = new long[count];
    this.touches = new int[count][];
    this.given = new boolean[count];
    this.kept = new boolean[count];
    this.itemOf = new int[count];
    for (int b = 0; b < number.length; b++) {
      if (number[b] >= 0) {
        Item item = items.get(b);
        bytes[number[b]] = item.bytes();
        touches[number[b]] = Arrays.stream(item.touches()).sorted().distinct().toArray();
        given[number[b]] = item.given();
        kept[number[b]] = item.kept();
        itemOf[number[b]] = b;
        for (int v : touches[number[b]]) {
          used.get(v).add(number[b]);
        }
      }
    }
    this.uses = arrays(used);
    List<List<Integer>> pairs = Stream.<List<Integer>>generate(ArrayList::new).limit(ops).toList();
    for (Overwrite pair : overwrites) {
      int from = number[pair.from()];
      int to = number[pair.to()];
      if (from >= 0 && to >= 0 && !kept[from] && !given[to] && bytes[from] == bytes[to]) {
        pairs.get(pair.op()).add(from);
        pairs.get(pair.op()).add(to);
      }
    }
    this.overwrites = arrays(pairs);
  }

  /** Builds a problem of ops that wait for ones of lower number. O(precedences + touches). */
  public static OrderProblem of(int[][] before, List<Item> items, List<Overwrite> overwrites) {
    return new OrderProblem(before, items, overwrites, 0, 0);
  }

  public static int[][] arrays(List<List<Integer>> lists) {
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  public int ops() {
    return before.length;
  }

  /** The number of buffers whose live range depends on the order. */
  public int buffers() {
    return bytes.length;
  }

  /** The ops that an op waits for directly, ascending. */
  public int[] before(int op) {
    return before[op];
  }

  /** The ops that wait for an op directly, ascending. */
  public int[] after(int op) {
    return after[op];
  }

  /** A buffer's place in the list that the problem was made from. */
  public int item(int buffer) {
    return itemOf[buffer];
  }

  public long bytes(int buffer) {
    return bytes[buffer];
  }

  /** The ops that touch a buffer, ascending; one at least. */
  public int[] touches(int buffer) {
    return touches[buffer];
  }

  /** The buffers that an op touches, ascending. */
  public int[] uses(int op) {
    return uses[op];
  }

  /** Whether a buffer is there from the start. */
  public boolean given(int buffer) {
    return given[buffer];
  }

  /** Whether a buffer is there at the end. */
  public boolean kept(int buffer) {
    return kept[buffer];
  }

  /** Pairs (from, to) of buffers, one after the other: the op may write {@code to} over it. */
  public int[] overwrites(int op) {
    return overwrites[op];
  }

  /** Bytes that are there all the time, in any order. */
  public long constant() {
    return constant;
  }

  /** Bytes that are there at the first step alone, whichever op runs then. */
  public long idle() {
    return idle;
  }

  /** The largest number of bytes of which every load is a multiple; 1 if there is nothing. */
  public long unit() {
    long unit = Rounding.gcd(constant, idle);
    for (long each : bytes) {
      unit = Rounding.gcd(unit, each);
    }
    return Math.max(1, unit);
  }

  /** Bytes live before the first op, without {@link #idle()}. */
  public long liveAtStart() {
    return constant + sum(given);
  }

  /** Bytes live after the last op. */
  public long liveAtEnd() {
    return constant + sum(kept);
  }

  private long sum(boolean[] chosen) {
    return IntStream.range(0, bytes.length).filter(b -> chosen[b]).mapToLong(b -> bytes[b]).sum();
  }

  /** Words of a bit set over the ops. */
  public int words() {
    return (before.length + 63) >>> 6;
  }

  /** All ops that come before an op in every order, as a bit set. O(1) after the first call. */
  public synchronized long[] ancestors(int op) {
    if (ancestors == null) {
      ancestors = new long[ops()][];
      for (int v = 0; v < ops(); v++) {
        ancestors[v] = closure(before[v], ancestors);
      }
    }
    return ancestors[op];
  }

  /** All ops that come after an op in every order, as a bit set. O(1) after the first call. */
  public synchronized long[] descendants(int op) {
    if (descendants == null) {
      descendants = new long[ops()][];
      for (int v = ops() - 1; v >= 0; v--) {
        descendants[v] = closure(after[v], descendants);
      }
    }
    return descendants[op];
  }

  private long[] closure(int[] direct, long[][] known) {
    long[] all = new long[words()];
    for (int u : direct) {
      all[u >> 6] |= 1L << u;
      for (int w = 0; w < all.length; w++) {
        all[w] |= known[u][w];
      }
    }
    return all;
  }

  /** Whether an op comes before another in every order. */
  public boolean precedes(int earlier, int later) {
    return (ancestors(later)[earlier >> 6] >>> earlier & 1) != 0;
  }

  /**
   * The same problem backwards: op v becomes op n - 1 - v, what was given is kept and the other way
   * round. The loads of an order read backwards are the same, step by step: load(D, v) counts the
   * buffers that some op of D with v touches and some op outside D does, which is symmetric.
   *
   * @throws IllegalStateException where {@link #idle()} is not 0, which is about the first step
   */
  public OrderProblem reversed() {
    if (idle != 0) {
      throw new IllegalStateException("buffers at the first step alone have no mirror image");
    }
    int last = ops() - 1;
    int[] place = IntStream.rangeClosed(0, last).map(v -> last - v).toArray();
    int[][] waits = new int[ops()][];
    Arrays.setAll(waits, v -> renumbered(after[last - v], place));
    return new OrderProblem(waits, items(place, true), pairs(place, true), constant, 0);
  }

  private static int[] renumbered(int[] ops, int[] place) {
    return Arrays.stream(ops).map(v -> place[v]).filter(v -> v >= 0).toArray();
  }

  private List<Item> items(int[] place, boolean backwards) {
    List<Item> items = new ArrayList<>();
    for (int b = 0; b < bytes.length; b++) {
      boolean first = backwards ? kept[b] : given[b];
      boolean last = backwards ? given[b] : kept[b];
      items.add(new Item(bytes[b], renumbered(touches[b], place), first, last));
    }
    return items;
  }

  /** The overwrites of the ops that have a place. */
  private List<Overwrite> pairs(int[] place, boolean backwards) {
    List<Overwrite> pairs = new ArrayList<>();
    for (int v = 0; v < ops(); v++) {
      for (int k = 0; k < overwrites[v].length && place[v] >= 0; k += 2) {
        int from = overwrites[v][backwards ? k + 1 : k];
        pairs.add(new Overwrite(place[v], from, overwrites[v][backwards ? k : k + 1]));
      }
    }
    return pairs;
  }

  /**
   * The same problem with more precedences, pairs one after the other, renumbered along an order in
   * which they hold: op k of the new problem is op {@code order[k]} of this one.
   */
  public OrderProblem withArcs(int[] arcs, int[] order) {
    int[] place = IndexOrder.places(order, ops());
    List<List<Integer>> waits = new ArrayList<>();
    for (int v : order) {
      waits.add(new ArrayList<>(Arrays.stream(before[v]).map(u -> place[u]).boxed().toList()));
    }
    for (int k = 0; k < arcs.length; k += 2) {
      waits.get(place[arcs[k + 1]]).add(place[arcs[k]]);
    }
    return new OrderProblem(
        arrays(waits), items(place, false), pairs(place, false), constant, idle);
  }

  /**
   * The problem of ordering some ops after those that have run: op k of it is {@code ops[k]}, in an
   * order in which they may run; all others come later.
   */
  public OrderProblem part(int[] before, int[] ops) {
    int[] place = IndexOrder.places(ops, ops());
    boolean[] earlier = new boolean[ops()];
    Arrays.stream(before).forEach(v -> earlier[v] = true);
    int[][] waits = new int[ops.length][];
    Arrays.setAll(waits, k -> renumbered(this.before[ops[k]], place));
    List<Item> items = new ArrayList<>();
    for (int b = 0; b < bytes.length; b++) {
      boolean begun = given[b];
      boolean later = kept[b];
      for (int v : touches[b]) {
        begun |= earlier[v];
        later |= !earlier[v] && place[v] < 0;
      }
      int[] inside = renumbered(touches[b], place);
      boolean over = inside.length == 0 && !(begun && later);
      items.add(new Item(over ? 0 : bytes[b], inside, begun, later));
    }
    return new OrderProblem(
        waits, items, pairs(place, false), constant, before.length == 0 ? idle : 0);
  }

  /** The load of each step of an order of all ops that waits are kept in, in bytes. O(touches). */
  public long[] loads(int[] order) {
    Downset downset = new Downset(this);
    long[] loads = new long[order.length];
    for (int step = 0; step < order.length; step++) {
      if (!downset.isReady(order[step])) {
        throw new IllegalArgumentException(
            "step " + step + " runs op " + order[step] + " too soon");
      }
      loads[step] = downset.load(order[step]);
      downset.run(order[step]);
    }
    if (order.length != ops()) {
      throw new IllegalArgumentException(order.length + " steps for " + ops() + " ops");
    }
    return loads;
  }

  /** The largest load of an order; of a problem without ops what is there all the time. */
  public long peak(int[] order) {
    return Arrays.stream(loads(order)).max().orElse(liveAtStart() + idle);
  }
}
