package stowage.liveness;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import stowage.network.Op;
import stowage.packing.Placement;

/**
 * Every run of a small program: each side of its branches, one to three turns of its loops, and, if
 * ops may run side by side, each order of those between two borders of code that keeps some waits.
 * A run writes the bytes of a placement and watches what a read finds there; an op that would only
 * copy bytes onto themselves does nothing.
 */
final class EveryRun {
  private static final int MOST_RUNS = 20_000;

  /** What an op does in a run: write some tensors, then read some; its index, -1 for a border. */
  private record Deed(int op, List<String> writes, List<String> reads) {}

  /** Where a tensor is. */
  private record Spot(int buffer, long low, long high) {
    boolean within(Spot other) {
      return buffer == other.buffer && low >= other.low && high <= other.high;
    }
  }

  /** A write of one byte: when, and of which tensor in which buffer. */
  private record Write(int time, String tensor, int buffer) {}

  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final RandomProgram program;
  private final boolean apart;
  private final Set<List<Integer>> waits;
  private List<List<Deed>> runs;

  private EveryRun(RandomProgram program, boolean apart, Set<List<Integer>> waits) {
    this.program = program;
    this.apart = apart;
    this.waits = waits;
  }

  /**
   * All runs, or null where there are too many.
   *
   * @param waits pairs of ops of which the second waits for the first
   */
  static EveryRun of(RandomProgram program, boolean sideBySide, Set<List<Integer>> waits) {
    EveryRun every = new EveryRun(program, sideBySide, waits);
    try {
      every.runs = every.runs(program.items());
      return every;
    } catch (TooMany e) {
      return null;
    }
  }

  private List<List<Deed>> runs(List<RandomProgram.Item> items) {
    List<List<Deed>> runs = List.of(List.of());
    List<Integer> stretch = new ArrayList<>();
    for (RandomProgram.Item item : items) {
      boolean border =
          item instanceof RandomProgram.Nested
              || item instanceof RandomProgram.Single single && isCall(single.op());
      if (border) {
        runs = joined(runs, orders(stretch));
        stretch.clear();
      }
      if (item instanceof RandomProgram.Single single) {
        stretch.add(single.op());
        if (border) {
          runs = joined(runs, orders(stretch));
          stretch.clear();
        }
      } else if (item instanceof RandomProgram.Nested nested) {
        runs = joined(runs, nested.loop() ? turns(nested) : sides(nested));
      }
    }
    return joined(runs, orders(stretch));
  }

  private boolean isCall(int op) {
    return op(op).type().endsWith(".call");
  }

  private Op op(int index) {
    return program.network().ops().get(index);
  }

  private static List<List<Deed>> joined(List<List<Deed>> first, List<List<Deed>> second) {
    if ((long) first.size() * second.size() > MOST_RUNS) {
      throw new TooMany();
    }
    List<List<Deed>> all = new ArrayList<>();
    for (List<Deed> a : first) {
      for (List<Deed> b : second) {
        List<Deed> run = new ArrayList<>(a);
        run.addAll(b);
        all.add(run);
      }
    }
    return all;
  }

  /** The orders of ops that data flow leaves; the given one alone where ops run one by one. */
  private List<List<Deed>> orders(List<Integer> ops) {
    List<List<Deed>> found = new ArrayList<>();
    order(new ArrayList<>(ops), new ArrayList<>(), found);
    return found;
  }

  private void order(List<Integer> left, List<Deed> run, List<List<Deed>> found) {
    if (found.size() > MOST_RUNS) {
      throw new TooMany();
    }
    if (left.isEmpty()) {
      found.add(List.copyOf(run));
      return;
    }
    for (int k = 0; k < (apart ? left.size() : 1); k++) {
      Op op = op(left.get(k));
      boolean ready = true;
      for (int other : left) {
        ready &=
            op(other).outputs().stream().noneMatch(op.inputs()::contains)
                && !waits.contains(List.of(other, left.get(k)));
      }
      if (ready) {
        List<Integer> rest = new ArrayList<>(left);
        rest.remove(k);
        run.add(new Deed(left.get(k), op.outputs(), op.inputs()));
        order(rest, run, found);
        run.remove(run.size() - 1);
      }
    }
  }

  private List<List<Deed>> turns(RandomProgram.Nested loop) {
    Op enter = op(loop.enter());
    Op exit = op(loop.exit());
    List<List<Deed>> body = runs(loop.parts().get(0));
    List<Deed> begin = List.of(new Deed(-1, enter.outputs(), enter.inputs()));
    List<Deed> back = List.of(new Deed(-1, enter.outputs(), exit.inputs()));
    List<Deed> end = List.of(new Deed(-1, exit.outputs(), exit.inputs()));
    List<List<Deed>> all = new ArrayList<>();
    List<List<Deed>> sofar = joined(List.of(begin), body);
    all.addAll(joined(sofar, List.of(end)));
    for (int turn = 0; turn < 2; turn++) {
      sofar = joined(joined(sofar, List.of(back)), body);
      all.addAll(joined(sofar, List.of(end)));
    }
    if (all.size() > MOST_RUNS) {
      throw new TooMany();
    }
    return all;
  }

  private List<List<Deed>> sides(RandomProgram.Nested branch) {
    Op enter = op(branch.enter());
    Op exit = op(branch.exit());
    List<List<Deed>> all = new ArrayList<>();
    for (int p = 0; p < branch.parts().size(); p++) {
      Set<String> elsewhere = new HashSet<>();
      for (int other = 0; other < branch.parts().size(); other++) {
        if (other != p) {
          branch.parts().get(other).forEach(item -> made(item, elsewhere));
        }
      }
      List<String> reads = new ArrayList<>(exit.inputs());
      reads.removeAll(elsewhere);
      List<Deed> begin = List.of(new Deed(-1, enter.outputs(), enter.inputs()));
      List<Deed> end = List.of(new Deed(-1, exit.outputs(), reads));
      all.addAll(joined(joined(List.of(begin), runs(branch.parts().get(p))), List.of(end)));
    }
    return all;
  }

  private void made(RandomProgram.Item item, Set<String> names) {
    if (item instanceof RandomProgram.Single single) {
      names.addAll(op(single.op()).outputs());
    } else if (item instanceof RandomProgram.Nested nested) {
      names.addAll(op(nested.enter()).outputs());
      names.addAll(op(nested.exit()).outputs());
      nested.parts().forEach(part -> part.forEach(inner -> made(inner, names)));
    }
  }

  /** The pairs of buffers of which one was written over the other before a read of it. */
  static Set<Set<String>> clobbered(EveryRun every, Memory memory) {
    Deed begin = new Deed(-1, every.program.network().inputs(), List.of());
    Deed end = new Deed(-1, List.of(), every.program.network().outputs());
    for (List<Deed> run : every.runs) {
      memory.clear();
      memory.follow(begin);
      run.forEach(memory::follow);
      memory.follow(end);
    }
    return memory.found();
  }

  /** The bytes of a placement during a run. */
  static final class Memory {
    private final PlanningCase given;
    private final Map<String, Spot> spots = new HashMap<>();
    private final Map<String, List<Write>> expected = new HashMap<>();
    private final List<List<Write>> writes = new ArrayList<>();
    private final BitSet found = new BitSet();
    private int time;

    Memory(PlanningCase given, Placement placement) {
      this.given = given;
      for (int b = 0; b < given.problem().size(); b++) {
        long start = placement.offset(b);
        List<PlanningCase.Part> parts = given.contents().get(b).parts();
        for (PlanningCase.Part part : parts) {
          long low = start + part.offset();
          long bytes = given.network().tensor(part.tensor()).bytes();
          spots.put(part.tensor(), new Spot(b, low, low + bytes));
        }
        if (parts.isEmpty()) {
          long end = start + given.problem().buffer(b).size();
          spots.put(given.problem().buffer(b).id(), new Spot(b, start, end));
        }
      }
    }

    private void clear() {
      expected.clear();
      writes.forEach(List::clear);
      time = 0;
    }

    private Set<Set<String>> found() {
      int buffers = given.problem().size();
      return found.stream()
          .mapToObj(
              pair -> {
                String one = given.problem().buffer(pair / buffers).id();
                return new HashSet<>(List.of(one, given.problem().buffer(pair % buffers).id()));
              })
          .collect(Collectors.toSet());
    }

    private Op op(int index) {
      return given.network().ops().get(index);
    }

    /** What an op would copy onto itself, with what it would copy it from, by its result. */
    private Spot viewed(int index) {
      boolean shows = index >= 0 && Set.of("Reshape", "Slice").contains(op(index).type());
      Spot source = shows ? spots.get(op(index).inputs().get(0)) : null;
      return shows && spots.get(op(index).outputs().get(0)).within(source) ? source : null;
    }

    /** The operands of a concat that are in their places; null where there are none. */
    private List<Boolean> inPlace(int index) {
      if (index < 0 || !op(index).type().equals("Concat")) {
        return null;
      }
      Spot whole = spots.get(op(index).outputs().get(0));
      long at = whole.low();
      List<Boolean> there = new ArrayList<>();
      for (String input : op(index).inputs()) {
        Spot spot = spots.get(input);
        there.add(spot.buffer() == whole.buffer() && spot.low() == at);
        at += spot.high() - spot.low();
      }
      return there.contains(true) ? there : null;
    }

    /** Whether an op reads a tensor's bytes, or writes them. */
    boolean touches(int index, String tensor, boolean reads) {
      List<Boolean> there = inPlace(index);
      if (there != null) {
        int operand = op(index).inputs().indexOf(tensor);
        return operand >= 0
            ? reads && !there.get(operand)
            : there.contains(false) && !reads && op(index).outputs().contains(tensor);
      }
      return viewed(index) == null
          && (reads ? op(index).inputs() : op(index).outputs()).contains(tensor);
    }

    private void follow(Deed deed) {
      time++;
      List<Boolean> there = inPlace(deed.op());
      Spot source = viewed(deed.op());
      if (there != null) {
        assemble(deed.op(), there);
      } else if (source != null) {
        Spot spot = spots.get(deed.writes().get(0));
        List<Write> all = expected.get(op(deed.op()).inputs().get(0));
        int from = (int) (spot.low() - source.low());
        int to = (int) (spot.high() - source.low());
        expected.put(deed.writes().get(0), all == null ? null : List.copyOf(all.subList(from, to)));
      } else {
        deed.reads().forEach(name -> read(deed.op(), name, true));
        deed.writes().forEach(name -> expected.put(name, write(name, spots.get(name))));
        String scratch = deed.op() < 0 ? "" : op(deed.op()).name() + "#scratch";
        if (spots.containsKey(scratch)) {
          expected.put(scratch, write(scratch, spots.get(scratch)));
          read(-1, scratch, false);
        }
        deed.reads().forEach(name -> read(deed.op(), name, false));
      }
    }

    private void assemble(int index, List<Boolean> there) {
      String name = op(index).outputs().get(0);
      long at = spots.get(name).low();
      List<Write> all = new ArrayList<>();
      List<String> copied = new ArrayList<>();
      for (int k = 0; k < there.size(); k++) {
        String input = op(index).inputs().get(k);
        long end = at + spots.get(input).high() - spots.get(input).low();
        if (there.get(k)) {
          all.addAll(expected.get(input));
        } else {
          read(index, input, true);
          copied.add(input);
          all.addAll(write(name, new Spot(spots.get(name).buffer(), at, end)));
        }
        at = end;
      }
      copied.forEach(input -> read(index, input, false));
      expected.put(name, all);
    }

    private List<Write> write(String name, Spot spot) {
      Write own = new Write(time, name, spot.buffer());
      List<Write> all = new ArrayList<>();
      for (long at = spot.low(); at < spot.high(); at++) {
        while (writes.size() <= at) {
          writes.add(new ArrayList<>());
        }
        writes.get((int) at).add(own);
        all.add(own);
      }
      return all;
    }

    /**
     * Finds who wrote over what an op reads: of a slice only its own bytes.
     *
     * @param before whether the op has yet to write: then writes of the own buffer count alone, for
     *     what an op does in place it does element by element
     */
    private void read(int index, String name, boolean before) {
      Spot spot = spots.get(name);
      List<Write> wanted = expected.get(name);
      boolean slice = index >= 0 && op(index).type().equals("Slice");
      int from = slice ? op(index).integers("starts").get(0).intValue() : 0;
      int size = wanted == null ? 0 : wanted.size();
      int to =
          slice ? from + (int) given.network().tensor(op(index).outputs().get(0)).bytes() : size;
      for (int k = from; wanted != null && k < to; k++) {
        Write own = wanted.get(k);
        List<Write> all = writes.get((int) spot.low() + k);
        for (int w = all.size() - 1; w >= 0 && all.get(w).time() >= own.time(); w--) {
          Write other = all.get(w);
          boolean over = other.time() > own.time() || !other.tensor().equals(own.tensor());
          if (over && (other.buffer() == spot.buffer()) == before) {
            found.set(spot.buffer() * given.problem().size() + other.buffer());
          }
        }
      }
    }
  }
}
