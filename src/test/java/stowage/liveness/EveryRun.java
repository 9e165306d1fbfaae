package stowage.liveness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Op;
import stowage.packing.Placement;

/**
 * Every run of a small program: each side of its branches, one to three turns of its loops, and, if
 * ops may run side by side, each order of those between two borders of code. A run writes the bytes
 * of a placement and watches what a read finds there.
 */
final class EveryRun {
  private static final int MOST_RUNS = 20_000;

  /** What an op does in a run: write some tensors, then read some. */
  private record Deed(List<String> writes, List<String> reads) {}

  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final RandomProgram program;
  private final boolean apart;
  private List<List<Deed>> runs;

  private EveryRun(RandomProgram program, boolean apart) {
    this.program = program;
    this.apart = apart;
  }

  /** All runs, or null where there are too many. */
  static EveryRun of(RandomProgram program, boolean sideBySide) {
    EveryRun every = new EveryRun(program, sideBySide);
    try {
      every.runs = every.runs(program.items());
    } catch (TooMany e) {
      return null;
    }
    return every;
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
        ready &= op(other).outputs().stream().noneMatch(op.inputs()::contains);
      }
      if (ready) {
        List<Integer> rest = new ArrayList<>(left);
        rest.remove(k);
        run.add(new Deed(op.outputs(), op.inputs()));
        order(rest, run, found);
        run.remove(run.size() - 1);
      }
    }
  }

  private List<List<Deed>> turns(RandomProgram.Nested loop) {
    Op enter = op(loop.enter());
    Op exit = op(loop.exit());
    List<List<Deed>> body = runs(loop.parts().get(0));
    List<Deed> begin = List.of(new Deed(enter.outputs(), enter.inputs()));
    List<Deed> back = List.of(new Deed(enter.outputs(), exit.inputs()));
    List<Deed> end = List.of(new Deed(exit.outputs(), exit.inputs()));
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
      List<Deed> begin = List.of(new Deed(enter.outputs(), enter.inputs()));
      List<Deed> end = List.of(new Deed(exit.outputs(), reads));
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

  /** The pairs of tensors of which one was written over the other before a read of it. */
  Set<Set<String>> clobbered(PlanningCase given, Placement placement) {
    Map<String, long[]> extents = new HashMap<>();
    for (int b = 0; b < given.problem().size(); b++) {
      for (PlanningCase.Part part : given.contents().get(b).parts()) {
        long bytes = given.network().tensor(part.tensor()).bytes();
        extents.put(part.tensor(), new long[] {placement.offset(b), placement.offset(b) + bytes});
      }
    }
    Set<Set<String>> found = new HashSet<>();
    for (List<Deed> run : runs) {
      Map<String, Set<String>> lost = new HashMap<>();
      follow(new Deed(program.network().inputs(), List.of()), extents, lost, found);
      run.forEach(deed -> follow(deed, extents, lost, found));
      follow(new Deed(List.of(), program.network().outputs()), extents, lost, found);
    }
    return found;
  }

  private static void follow(
      Deed deed,
      Map<String, long[]> extents,
      Map<String, Set<String>> lost,
      Set<Set<String>> found) {
    deed.writes().forEach(name -> lost.put(name, new HashSet<>()));
    for (String written : deed.writes()) {
      long[] at = extents.get(written);
      lost.forEach(
          (name, over) -> {
            long[] there = extents.get(name);
            if (!name.equals(written) && there[0] < at[1] && at[0] < there[1]) {
              over.add(written);
            }
          });
    }
    for (String read : deed.reads()) {
      lost.getOrDefault(read, Set.of()).forEach(over -> found.add(Set.of(read, over)));
    }
  }
}
