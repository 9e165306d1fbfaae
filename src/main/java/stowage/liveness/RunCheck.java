package stowage.liveness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Placement;

/**
 * Whether a plan holds in every run of a network: over the turns of its loops, on each side of its
 * branches, and in every order in which its ops may run.
 *
 * <p>Two tensors in different buffers may share bytes only if in no run one of them is written
 * between the making of the other and a later read of it. That is asked of the ops' accesses alone;
 * live ranges play no part. For a value made by w and read by r and a writer q of other values over
 * its bytes, such a run exists exactly where q need not come before w, r need not come before q,
 * and no branch runs only one of them, with three rules for loops:
 *
 * <ul>
 *   <li>A value that a loop's code reads and does not make is read to the end of the last turn.
 *   <li>What the op {@code T.enter} of a loop makes is written before the first turn, and again
 *       where one turn leads to the next: while the loop's op still reads what the turn made, and
 *       after which all values of the turn are made anew.
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
  private static final int BEFORE_ALL = -1;
  private static final int MOST_NAMES = 6;

  private final PlanningCase given;
  private final Precedence precedence;
  private final ControlFlow code;
  private final int end;
  private final List<Value> values = new ArrayList<>();

  /**
   * Two buffers that a run does not admit on the same bytes.
   *
   * @param buffers the buffer whose value is lost, and the one written over it
   * @param low first byte that they share
   * @param high first byte after those
   * @param memory where
   * @param step of the op that writes over it
   * @param paths the ops from the making of the value to the write over it, and from there to the
   *     read
   * @param text one sentence
   */
  public record Clash(
      List<Integer> buffers,
      int memory,
      long low,
      long high,
      int step,
      List<List<String>> paths,
      String text) {}

  /**
   * A tensor, or an op's scratch memory.
   *
   * @param made the step that makes it, or {@link #BEFORE_ALL}
   * @param writes steps that write it
   * @param carrier the loop that makes it for each turn, -1 for none
   */
  private record Value(
      String name,
      int buffer,
      int memory,
      long low,
      long high,
      int made,
      int[] writes,
      int carrier,
      int[] reads,
      int last) {}

  /** A read, a write over the value before it, and how they come about. */
  private record Event(int made, int write, boolean back, int read, int loop) {}

  private RunCheck(PlanningCase given, Placement placement) {
    this.given = given;
    this.precedence = Precedence.of(given.network(), given.order(), given.options());
    this.code = new ControlFlow(given.network(), given.order());
    this.end = given.order().length;
    collect(placement);
  }

  /**
   * The pairs of buffers that do not hold in some run, one entry a pair. Cases whose buffers need
   * fewer bytes than their tensors at some steps are not looked into: which of a view's bytes are
   * needed is not in the ops.
   *
   * @param given a network's case; a list of buffers has no ops and so no clashes
   */
  public static List<Clash> of(PlanningCase given, Placement placement) {
    boolean windows =
        given.problem().buffers().stream().anyMatch(buffer -> !buffer.gaps().isEmpty());
    if (!given.hasNetwork()
        || windows
        || given.options().inPlace() == LivenessOptions.InPlace.OPTIMAL
        || given.options().sharing() == LivenessOptions.Sharing.PRICED) {
      return List.of();
    }
    return new RunCheck(given, placement).clashes();
  }

  private void collect(Placement placement) {
    Network network = given.network();
    Map<String, List<Integer>> reads = new HashMap<>();
    Map<String, List<Integer>> writes = new HashMap<>();
    for (int step = 0; step < end; step++) {
      int now = step;
      Op op = network.ops().get(given.order()[step]);
      Set<String> read = new LinkedHashSet<>(op.presentInputs());
      read.forEach(name -> reads.computeIfAbsent(name, n -> new ArrayList<>()).add(now));
      Set<String> written = new LinkedHashSet<>(op.presentOutputs());
      written.forEach(name -> writes.computeIfAbsent(name, n -> new ArrayList<>()).add(now));
    }
    for (int b = 0; b < given.contents().size(); b++) {
      List<PlanningCase.Part> parts = given.contents().get(b).parts();
      long start = placement.offset(b);
      for (PlanningCase.Part part : parts) {
        Tensor tensor = network.tensor(part.tensor());
        // A view of a weight has bytes, but those are the weight's: its buffer has none.
        if (tensor.bytes() > 0 && given.problem().buffer(b).needsMemory()) {
          long low = start + part.offset();
          Value value =
              value(
                  tensor,
                  b,
                  placement.memory(b),
                  low,
                  reads.getOrDefault(tensor.name(), new ArrayList<>()),
                  writes.getOrDefault(tensor.name(), new ArrayList<>()));
          if (value.writes().length > 0) {
            values.add(value);
          }
        }
      }
      String id = given.problem().buffer(b).id();
      int step = given.problem().buffer(b).live().start();
      if (parts.isEmpty() && step < end) {
        long high = start + given.problem().buffer(b).size();
        int[] own = {step};
        values.add(new Value(id, b, placement.memory(b), start, high, step, own, -1, own, step));
      }
    }
  }

  private Value value(
      Tensor tensor, int buffer, int memory, long low, List<Integer> reads, List<Integer> writes) {
    Network network = given.network();
    boolean variable = tensor.kind() == Tensor.Kind.VARIABLE;
    boolean input = network.inputs().contains(tensor.name());
    if (variable || writes.isEmpty() && input) {
      writes.add(0, BEFORE_ALL);
    }
    if (variable
        || network.outputs().contains(tensor.name())
        || input && given.options().inputs() == LivenessOptions.Inputs.KEEP) {
      reads.add(end);
    }
    int made = writes.isEmpty() ? end : writes.get(0);
    int carrier = code.carrier(made);
    int last = made;
    for (int read : reads) {
      last = Math.max(last, read == end ? end : code.lastRead(made, read));
    }
    for (int write : writes) {
      last = Math.max(last, write);
    }
    last = carrier < 0 ? last : Math.max(last, code.regions().get(carrier).exit());
    return new Value(
        tensor.name(),
        buffer,
        memory,
        low,
        low + tensor.bytes(),
        made,
        writes.stream().mapToInt(Integer::intValue).toArray(),
        carrier,
        reads.stream().mapToInt(Integer::intValue).toArray(),
        last);
  }

  private List<Clash> clashes() {
    List<Clash> found = new ArrayList<>();
    Set<List<Integer>> pairs = new HashSet<>();
    values.sort(Comparator.comparingInt(Value::made));
    List<Value> open = new ArrayList<>();
    for (Value value : values) {
      if (precedence.isInOrder()) {
        open.removeIf(other -> other.last() < value.made());
      }
      for (Value other : open) {
        if (share(value, other)) {
          add(value, other, pairs, found);
          add(other, value, pairs, found);
        }
      }
      open.add(value);
    }
    return found;
  }

  private static boolean share(Value a, Value b) {
    return a.buffer() != b.buffer()
        && a.memory() == b.memory()
        && a.low() < b.high()
        && b.low() < a.high();
  }

  private void add(Value lost, Value over, Set<List<Integer>> pairs, List<Clash> found) {
    List<Integer> pair =
        List.of(Math.min(lost.buffer(), over.buffer()), Math.max(lost.buffer(), over.buffer()));
    Event event = pairs.contains(pair) ? null : event(lost, over);
    if (event != null) {
      pairs.add(pair);
      found.add(clash(lost, over, event));
    }
  }

  /** A run in which a value is lost to the writes of another; null where there is none. */
  private Event event(Value lost, Value over) {
    for (int read : lost.reads()) {
      for (int write : over.writes()) {
        Event event = event(lost, write, false, over.carrier(), read);
        if (event != null) {
          return event;
        }
      }
      if (over.carrier() >= 0) {
        int back = code.regions().get(over.carrier()).exit();
        Event event = event(lost, back, true, over.carrier(), read);
        if (event != null) {
          return event;
        }
      }
    }
    return null;
  }

  private Event event(Value lost, int write, boolean back, int carrier, int read) {
    int made = lost.made();
    int loop = read == end ? -1 : code.outermostLoop(made, lost.carrier(), read);
    if (lost.writes().length > 1 || made == BEFORE_ALL && read == end) {
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
            && (!given && code.contains(carrier, made)
                || lost.carrier() == carrier
                || made == write)
            && (read == end || !code.contains(carrier, read))
            && read != write;
    if (renewed
        || !given && (before(write, made) || code.exclusive(made, write))
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
      return before(read, write);
    }
    int exit = code.regions().get(loop).exit();
    return write > exit || write == exit && !back;
  }

  /** Whether one step is always over before another starts, within one turn of what holds both. */
  private boolean before(int earlier, int later) {
    return code.together(earlier, later) ? precedence.precedes(earlier, later) : earlier < later;
  }

  private Clash clash(Value lost, Value over, Event event) {
    List<String> until = names(event.made(), event.write());
    List<String> after = names(event.write(), event.read());
    boolean turn = event.back() || event.loop() >= 0 && event.write() >= event.read();
    boolean beside =
        !turn && event.read() < end && event.write() >= 0 && !before(event.write(), event.read());
    String text =
        "buffers \""
            + given.problem().buffer(lost.buffer()).id()
            + "\" and \""
            + given.problem().buffer(over.buffer()).id()
            + "\" share bytes, but "
            + label(event.made())
            + " makes \""
            + lost.name()
            + "\", "
            + label(event.write())
            + " writes \""
            + over.name()
            + "\" over it"
            + (event.write() == event.read() ? " while it reads it" : "")
            + (event.write() == event.read() ? "" : ", and " + label(event.read()) + " reads it")
            + (turn ? " in the next turn of its loop" : "")
            + (beside && event.write() != event.read() ? ", which nothing makes come first" : "")
            + ": "
            + String.join(" -> ", until)
            + "; "
            + String.join(" -> ", after);
    return new Clash(
        List.of(lost.buffer(), over.buffer()),
        lost.memory(),
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
      boolean on = from < 0 || before(from, step);
      if (on && (to == end || before(step, to))) {
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
