package stowage.liveness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReuseCost;

/**
 * Whether a plan holds in every run of a network: over the turns of its loops, on each side of its
 * branches, and in every order in which its ops may run.
 *
 * <p>Two tensors in different buffers may share bytes only if in no run one of them is written
 * between the making of the other and a later read of it. That is asked of the ops' accesses alone
 * ({@link PlacedValues}); live ranges play no part. For a value made by w and read by r and a
 * writer q of other values over its bytes, such a run exists exactly where q need not come before
 * w, r need not come before q, and no branch runs only one of them, with three rules for loops:
 *
 * <ul>
 *   <li>A value that a loop's code reads and does not make is read to the end of the last turn.
 *   <li>What the op {@code T.enter} of a loop makes is written before the first turn, and again
 *       where one turn leads to the next: while the loop's op still reads what the turn made, and
 *       after which all values of the turn are made again.
 *   <li>The results of the loop's op are written after the last turn.
 * </ul>
 *
 * <p>An op may write before it has read all, so a result and an operand never share bytes but in
 * one buffer, where what is in place and what views show is the buffer's own business. Graph inputs
 * are written before all ops, graph outputs and kept inputs are read after all.
 *
 * <p>O(n²) pairs of tensors, in order only those near each other in time.
 */
public final class RunCheck {
  private static final int BEFORE_ALL = PlacedValues.BEFORE_ALL;
  private static final int MOST_NAMES = 6;

  private final PlanningCase given;
  private final Precedence precedence;
  private final ControlFlow code;
  private final int end;
  private final List<PlacedValues.Value> values;

  /**
   * Two buffers that a run does not admit on the same bytes.
   *
   * @param buffers the buffer whose value is lost, and the one written over it
   * @param low first byte that they share
   * @param high first byte after those
   * @param step of the op that writes over it
   * @param paths the ops from the making of the value to the write over it, and from there to the
   *     read
   */
  public record Clash(
      List<Integer> buffers,
      long low,
      long high,
      int step,
      List<List<String>> paths,
      String text) {}

  /** A read, a write over the value before it, and how they come about. */
  private record Event(int made, int write, boolean back, int read, int loop) {}

  private RunCheck(PlanningCase given, Placement placement) {
    this.given = given;
    this.code = new ControlFlow(given.network(), given.order());
    this.end = given.order().length;
    this.values = PlacedValues.of(given, placement);
    Precedence own = Precedence.of(given.network(), given.order(), given.options());
    this.precedence = own.with(waits(placement));
  }

  /**
   * The pairs of buffers that do not hold in some run, one entry a pair. Where sharing has a price,
   * the runs are those in which it is paid: all that touches the earlier of two buffers waits for
   * nothing, and what writes the later one waits for that.
   *
   * @param given a network's case; a list of buffers has no ops and so no clashes
   */
  public static List<Clash> of(PlanningCase given, Placement placement) {
    return given.hasNetwork() ? new RunCheck(given, placement).clashes() : List.of();
  }

  /** For each step those that it waits for because a price is paid. */
  private List<List<Integer>> waits(Placement placement) {
    List<List<Integer>> waits = Stream.<List<Integer>>generate(ArrayList::new).limit(end).toList();
    for (Relations.Reuse pair : ReuseCost.paid(given.problem(), placement)) {
      int first = given.problem().buffer(pair.first()).live().start();
      int second = given.problem().buffer(pair.second()).live().start();
      int earlier = first <= second ? pair.first() : pair.second();
      int later = first <= second ? pair.second() : pair.first();
      for (int to : steps(later, false)) {
        steps(earlier, true).stream().filter(from -> from < to).forEach(waits.get(to)::add);
      }
    }
    return waits;
  }

  /** The steps that write a buffer, or touch it. */
  private Set<Integer> steps(int buffer, boolean reads) {
    Set<Integer> steps = new HashSet<>();
    for (PlacedValues.Value value : values) {
      if (value.buffer() == buffer) {
        steps.addAll(value.writes());
        if (reads) {
          value.reads().forEach(read -> steps.add(read.step()));
        }
      }
    }
    steps.removeIf(step -> step < 0 || step >= end);
    return steps;
  }

  /** The last step at which a value plays a part. */
  private int last(PlacedValues.Value value) {
    int carrier = code.carrier(value.made());
    int last = carrier < 0 ? value.made() : code.regions().get(carrier).exit();
    for (PlacedValues.Read read : value.reads()) {
      int step = read.step();
      last = Math.max(last, step == end ? end : code.lastRead(value.made(), step));
    }
    for (int write : value.writes()) {
      last = Math.max(last, write);
    }
    return last;
  }

  /** Whether what is read is a view that no turn makes in which it is written over. */
  private boolean isOtherPart(PlacedValues.Read read, Event event) {
    return event.loop() < 0
        && read.shown() >= 0
        && event.write() >= 0
        && code.exclusive(read.shown(), event.write());
  }

  private List<Clash> clashes() {
    List<Clash> found = new ArrayList<>();
    Set<List<Integer>> pairs = new HashSet<>();
    values.sort(Comparator.comparingInt(PlacedValues.Value::made));
    long longest = values.stream().mapToLong(value -> value.high() - value.low()).max().orElse(0);
    NavigableMap<Long, List<Integer>> open = new TreeMap<>(); // by first byte
    int[] last = values.stream().mapToInt(this::last).toArray();
    PriorityQueue<Integer> ending = new PriorityQueue<>(Comparator.comparingInt(v -> last[v]));
    for (int v = 0; v < last.length; v++) {
      PlacedValues.Value value = values.get(v);
      while (precedence.isInOrder() && !ending.isEmpty() && last[ending.peek()] < value.made()) {
        Integer over = ending.remove();
        open.get(values.get(over).low()).remove(over);
      }
      open.subMap(value.low() - longest, true, value.high(), true).values().stream()
          .flatMap(List::stream)
          .sorted()
          .map(values::get)
          .filter(other -> share(value, other))
          .forEach(
              other -> {
                add(value, other, pairs, found);
                add(other, value, pairs, found);
              });
      open.computeIfAbsent(value.low(), absent -> new ArrayList<>()).add(v);
      ending.add(v);
    }
    return found;
  }

  private static boolean share(PlacedValues.Value a, PlacedValues.Value b) {
    return a.buffer() != b.buffer()
        && a.memory() == b.memory()
        && a.low() < b.high()
        && b.low() < a.high();
  }

  private void add(
      PlacedValues.Value lost,
      PlacedValues.Value over,
      Set<List<Integer>> pairs,
      List<Clash> found) {
    List<Integer> pair =
        List.of(Math.min(lost.buffer(), over.buffer()), Math.max(lost.buffer(), over.buffer()));
    Event event = pairs.contains(pair) ? null : event(lost, over);
    if (event != null) {
      pairs.add(pair);
      found.add(clash(lost, over, event));
    }
  }

  /** A run in which a value is lost to the writes of another; null where there is none. */
  private Event event(PlacedValues.Value lost, PlacedValues.Value over) {
    int carrier = code.carrier(over.made());
    for (PlacedValues.Read read : lost.reads()) {
      if (read.low() >= over.high() || over.low() >= read.high()) {
        continue;
      }
      for (int write : over.writes()) {
        Event event = event(lost, write, false, carrier, read.step());
        if (event != null && !isOtherPart(read, event)) {
          return event;
        }
      }
      if (carrier >= 0) {
        int back = code.regions().get(carrier).exit();
        Event event = event(lost, back, true, carrier, read.step());
        if (event != null && !isOtherPart(read, event)) {
          return event;
        }
      }
    }
    return null;
  }

  private Event event(PlacedValues.Value lost, int write, boolean back, int carrier, int read) {
    int carried = code.carrier(lost.made());
    int made = lost.made();
    int loop = read == end ? -1 : code.outermostLoop(made, carried, read);
    if (lost.writes().size() > 1 || made == BEFORE_ALL && read == end) {
      // A variable, or an input that is kept: there throughout.
      return new Event(made, write, back, read, loop);
    }
    if (write == BEFORE_ALL) {
      return made == BEFORE_ALL ? new Event(made, write, back, read, loop) : null;
    }
    boolean given = made == BEFORE_ALL;
    int last = loop < 0 ? read : code.regions().get(loop).exit();
    boolean renewed =
        back
            && (!given && code.contains(carrier, made) || carried == carrier || made == write)
            && (read == end || !code.contains(carrier, read))
            && read != write;
    if (renewed
        || !given && (precedence.precedes(write, made) || code.exclusive(made, write))
        || over(read, loop, write, back)
        || read < end && code.exclusive(last, write)) {
      return null;
    }
    return new Event(made, write, back, read, loop);
  }

  /** Whether a read is always over before a write starts. */
  private boolean over(int read, int loop, int write, boolean back) {
    if (read == end) {
      return false;
    }
    if (loop < 0) {
      return precedence.precedes(read, write);
    }
    int exit = code.regions().get(loop).exit();
    return write > exit || write == exit && !back;
  }

  private Clash clash(PlacedValues.Value lost, PlacedValues.Value over, Event event) {
    List<String> until = names(event.made(), event.write());
    List<String> after = names(event.write(), event.read());
    boolean turn = event.back() || event.loop() >= 0 && event.write() >= event.read();
    boolean inParallel =
        !turn
            && event.read() < end
            && event.write() >= 0
            && !precedence.precedes(event.write(), event.read());
    boolean same = event.write() == event.read();
    String text =
        "buffers \"%s\" and \"%s\" share bytes, but %s makes \"%s\", %s writes \"%s\" over it%s%s%s: %s; %s"
            .formatted(
                given.problem().buffer(lost.buffer()).id(),
                given.problem().buffer(over.buffer()).id(),
                label(event.made()),
                lost.name(),
                label(event.write()),
                over.name(),
                same ? " while it reads it" : ", and " + label(event.read()) + " reads it",
                turn ? " in the next turn of its loop" : "",
                inParallel && !same ? ", which nothing makes come first" : "",
                String.join(" -> ", until),
                String.join(" -> ", after));
    return new Clash(
        List.of(lost.buffer(), over.buffer()),
        Math.max(lost.low(), over.low()),
        Math.min(lost.high(), over.high()),
        event.write(),
        List.of(until, after),
        text);
  }

  private String label(int step) {
    return step == BEFORE_ALL || step == end ? name(step) : "op \"" + name(step) + "\"";
  }

  private String name(int step) {
    return step == BEFORE_ALL
        ? "the start"
        : step == end ? "the end" : given.network().ops().get(given.order()[step]).name();
  }

  /** The ops of a run from one step to another that wait for each other, at most a few by name. */
  private List<String> names(int from, int to) {
    List<String> names = new ArrayList<>();
    names.add(name(from));
    for (int step = from + 1; step < to; step++) {
      boolean on = from < 0 || precedence.precedes(from, step);
      if (on && (to == end || precedence.precedes(step, to))) {
        names.add(name(step));
      }
    }
    if (to != from) {
      names.add(name(to));
    }
    if (names.size() > MOST_NAMES) {
      List<String> few = new ArrayList<>(names.subList(0, MOST_NAMES / 2));
      few.add("... (" + (names.size() - MOST_NAMES) + " ops)");
      few.addAll(names.subList(names.size() - MOST_NAMES / 2, names.size()));
      return few;
    }
    return names;
  }
}
