package stowage.residency.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearArgument;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.network.memory.MemoryMap;
import stowage.packing.RunControl;
import stowage.residency.memory.Access;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyProblem;

/**
 * CP-SAT on a {@link ResidencyProblem} by volume: each buffer takes one way to be used at each of
 * its events, and the ways form a path: as many ways lead to a place of the value as leave it. At
 * each step the sizes of what has a place in a memory fit into its capacity; in homes, only buffers
 * that are ever there count. Addresses are left out, so the optimum bounds every plan whose
 * transfers run right before or after uses.
 *
 * <p>Traffic is the sum of the bytes of the ways. Time without a DMA channel is the sum of all
 * transfers and of the steps, each as long as its op computes or its accesses take. With a channel
 * a transfer overlaps the step before its own, or the step after, only where the op does not write
 * the buffer and the places that the transfer reads and writes are held during that step as well,
 * independently of the buffer's other transfers; else it runs between two steps, and these wait.
 * The model has a start time for each step: after the previous step and what runs between the two,
 * and after all transfers that precede this step or an earlier one. After the end of each step, all
 * transfers that follow it or a later one still have to run. The model ignores that an overlapping
 * transfer may take longer than the step, and the places that it needs in steps further away. So
 * its optimum bounds the time of every plan.
 */
public final class ResidencyModel {
  /**
   * What was found.
   *
   * @param choice null where nothing was found
   * @param bound a proven lower bound of the price
   * @param infeasible whether it is proven that there is no plan
   */
  public record Answer(ResidencyChoice choice, long bound, boolean infeasible) {}

  /** The paths' linear relaxation is strong, and these two searches branch by it. */
  private static final List<String> SEARCHES = List.of("reduced_costs", "lb_tree_search");

  private final ResidencyProblem problem;
  private final AccessTable table;
  private final CpModel model = new CpModel();
  private final Literal[][][] ways;
  private final LinearExprBuilder[][] loads;
  private final long[][] most;
  private final LinearExprBuilder[] accesses;
  private final LinearExprBuilder[] before;
  private final LinearExprBuilder[] after;
  private final LinearExprBuilder[] between;
  private final LinearExprBuilder[] beside;
  private final BoolVar[][][][] early;
  private final BoolVar[][][][] late;
  private final LinearExprBuilder bytes = LinearExpr.newBuilder();
  private final boolean nearby;
  private boolean capped;

  private ResidencyModel(AccessTable table, long capacity, boolean nearby) {
    NativeLibraries.load();
    this.table = table;
    this.nearby = nearby;
    problem = table.problem();
    int steps = problem.steps();
    int memories = problem.map().count();
    ways = new Literal[problem.items().size()][][];
    loads = new LinearExprBuilder[memories][steps];
    most = new long[memories][steps];
    accesses = builders(steps);
    before = builders(steps);
    after = builders(steps);
    between = builders(steps + 1); // what runs before each step while none runs
    beside = builders(steps + 2); // outward transfers by the step that must not begin before
    early = new BoolVar[ways.length][][][];
    late = new BoolVar[ways.length][][][];
    for (int m = 0; m < problem.map().fastCount(); m++) {
      long[] pinned = problem.pinned(m);
      for (int t = 0; t < steps; t++) {
        occupy(m, t, model.trueLiteral(), pinned[t]);
      }
    }
    for (int i = 0; i < ways.length; i++) {
      add(i);
    }
    for (int m = 0; m < memories; m++) {
      long room = m == 0 ? capacity : problem.map().space(m).capacity();
      for (int t = 0; t < steps; t++) {
        if (most[m][t] > room) {
          model.addLessOrEqual(loads[m][t].build(), room);
        }
      }
    }
    model.minimize(problem.byTime() ? time() : bytes.build());
  }

  private static LinearExprBuilder[] builders(int count) {
    LinearExprBuilder[] builders = new LinearExprBuilder[count];
    Arrays.setAll(builders, k -> LinearExpr.newBuilder());
    return builders;
  }

  private void add(int i) {
    HeldBuffer item = problem.items().get(i);
    int events = item.events().size();
    ways[i] = new Literal[events][];
    early[i] = new BoolVar[events][][];
    late[i] = new BoolVar[events][][];
    Map<Integer, List<Literal>> last = new HashMap<>();
    List<Literal> atHome = new ArrayList<>();
    for (int e = 0; e < events; e++) {
      List<Access> uses = table.of(i, e);
      int step = item.events().get(e).step();
      Map<Integer, List<Literal>> enters = new HashMap<>();
      Map<Integer, List<Literal>> leaves = new HashMap<>();
      Literal[] taken = new Literal[uses.size()];
      ways[i][e] = taken;
      for (int k = 0; k < taken.length; k++) {
        Access use = uses.get(k);
        taken[k] = taken.length == 1 ? model.trueLiteral() : model.newBoolVar("");
        enters.computeIfAbsent(use.before(), key -> new ArrayList<>()).add(taken[k]);
        leaves.computeIfAbsent(use.after(), key -> new ArrayList<>()).add(taken[k]);
        bytes.addTerm(taken[k], use.bytes());
        accesses[step].addTerm(taken[k], use.accessNanos());
        before[step].addTerm(taken[k], use.inNanos());
        after[step].addTerm(taken[k], use.outNanos());
        if (use.touches(item.home())) {
          atHome.add(taken[k]);
        }
      }
      model.addExactlyOne(taken);
      if (e > 0) {
        link(last, enters);
      }
      last = leaves;
      for (int m = 0; m < problem.levels(item); m++) {
        int bit = m;
        occupy(m, step, one(uses, taken, use -> (use.held() >> bit & 1) != 0), item.bytes());
        if (e + 1 < events) {
          Literal stays = one(uses, taken, use -> (use.after() >> bit & 1) != 0);
          for (int t = step + 1; t < item.events().get(e + 1).step(); t++) {
            occupy(m, t, stays, item.bytes());
          }
        }
      }
    }
    for (int e = 0; problem.byTime() && problem.map().overlap() && e < events; e++) {
      beside(i, e);
    }
    if (item.home() >= problem.map().fastCount()) {
      Literal there = model.trueLiteral();
      if (!item.given() && !item.wanted()) {
        BoolVar touched = model.newBoolVar("");
        atHome.forEach(way -> model.addImplication(way, touched));
        there = touched;
      }
      for (int t = item.homeFrom(); t < item.homeTo(problem.steps()); t++) {
        occupy(item.home(), t, there, item.bytes());
      }
    }
  }

  /** Transfers run alongside a step next to theirs, except a write, if their places are held. */
  private void beside(int i, int e) {
    List<Access> uses = table.of(i, e);
    Literal[] taken = ways[i][e];
    HeldBuffer item = problem.items().get(i);
    int step = item.events().get(e).step();
    int last = e == 0 ? -1 : item.events().get(e - 1).step();
    int next = item.nextStep(e, problem.steps());
    early[i][e] = new BoolVar[taken.length][];
    late[i][e] = new BoolVar[taken.length][];
    for (int k = 0; k < taken.length; k++) {
      Access use = uses.get(k);
      between[step].addTerm(taken[k], use.inNanos());
      between[step + 1].addTerm(taken[k], use.outNanos());
      beside[step + 1].addTerm(taken[k], use.outNanos());
      if (use.inNanos() > 0 && (step - 1 > last || !nearby && reads(i, e - 1))) {
        int begun = use.held() & ~use.before();
        int during = step - 1 > last ? -1 : e - 1;
        early[i][e][k] = held(i, use.inward(), begun, step - 1, during, taken[k]);
        precede(early[i][e][k], use.inward(), true);
        add(between[step], item, use.inward(), early[i][e][k], -1);
      }
      if (use.outNanos() > 0 && (step + 1 < next || reads(i, e + 1))) {
        int ended = use.held() & ~use.after();
        int during = step + 1 < next ? -1 : e + 1;
        late[i][e][k] = held(i, use.outward(), ended, step + 1, during, taken[k]);
        if (nearby && during >= 0) {
          remain(late[i][e][k], i, e, use);
        }
        precede(late[i][e][k], use.outward(), false);
        add(between[step + 1], item, use.outward(), late[i][e][k], -1);
        add(beside[step + 1], item, use.outward(), late[i][e][k], -1);
        add(beside[step + 2], item, use.outward(), late[i][e][k], 1);
      }
    }
  }

  /** Whether there is an event, alongside which transfers may run since it only reads. */
  private boolean reads(int i, int event) {
    HeldBuffer item = problem.items().get(i);
    return event >= 0 && event < item.events().size() && !item.writes(event);
  }

  /** In a plan near the model transfers run alongside the next event where all remains in place. */
  private void remain(BoolVar[] longer, int i, int e, Access use) {
    HeldBuffer item = problem.items().get(i);
    Predicate<Access> remains = next -> ResidencyChoice.isBesideNext(item, e, use, next);
    Literal any = one(table.of(i, e + 1), ways[i][e + 1], remains);
    for (BoolVar transfer : longer) {
      model.addImplication(transfer, any == null ? model.falseLiteral() : any);
    }
  }

  /** For each transfer of a way, whether its own of some places are held at one more step. */
  private BoolVar[] held(int i, List<Access.Hop> hops, int own, int step, int e, Literal way) {
    HeldBuffer item = problem.items().get(i);
    BoolVar[] longer = new BoolVar[hops.size()];
    BoolVar[] there = new BoolVar[problem.levels(item)];
    for (int h = 0; h < longer.length; h++) {
      longer[h] = model.newBoolVar("");
      model.addImplication(longer[h], way);
      for (int m : new int[] {hops.get(h).from(), hops.get(h).to()}) {
        if (m < there.length && (own >> m & 1) != 0) {
          if (there[m] == null) {
            there[m] = longer.length == 1 ? longer[h] : model.newBoolVar("");
            model.addImplication(there[m], way);
            occupy(m, step, e < 0 ? there[m] : unlessHeld(there[m], i, e, m), item.bytes());
          }
          model.addImplication(longer[h], there[m]);
        }
      }
    }
    return longer;
  }

  /** Whether a place that is to be held during an event is none that the event itself holds. */
  private Literal unlessHeld(Literal there, int i, int event, int m) {
    Literal held = one(table.of(i, event), ways[i][event], use -> (use.held() >> m & 1) != 0);
    if (held == null) {
      return there;
    }
    BoolVar more = model.newBoolVar("");
    model.addBoolOr(new Literal[] {more, there.not(), held});
    return more;
  }

  /**
   * Of two transfers through a place the later one is not alongside an earlier step than the other.
   * A plan near the model holds all places of a way or none.
   */
  private void precede(BoolVar[] longer, List<Access.Hop> hops, boolean early) {
    for (int h = 1; h < longer.length; h++) {
      for (int g = 0; g < h; g++) {
        if (nearby || hops.get(g).to() == hops.get(h).from()) {
          model.addImplication(early ? longer[h] : longer[g], early ? longer[g] : longer[h]);
        }
        if (nearby) {
          model.addImplication(early ? longer[g] : longer[h], early ? longer[h] : longer[g]);
        }
      }
    }
  }

  /** Adds the nanoseconds of each transfer that is alongside a step, with a sign. */
  private void add(
      LinearExprBuilder sum, HeldBuffer item, List<Access.Hop> hops, BoolVar[] longer, int sign) {
    for (int h = 0; h < longer.length; h++) {
      MemoryMap.Link link = problem.map().link(hops.get(h).from(), hops.get(h).to());
      sum.addTerm(longer[h], sign * link.nanoseconds(item.bytes()));
    }
  }

  /** As many ways lead to each state as leave it. */
  private void link(Map<Integer, List<Literal>> last, Map<Integer, List<Literal>> enters) {
    for (Map.Entry<Integer, List<Literal>> state : last.entrySet()) {
      Literal[] from = state.getValue().toArray(new Literal[0]);
      Literal[] to = enters.getOrDefault(state.getKey(), List.of()).toArray(new Literal[0]);
      model.addEquality(LinearExpr.sum(from), LinearExpr.sum(to));
    }
  }

  /** Whether one of the ways with a property is taken; null where none has it. */
  private Literal one(List<Access> uses, Literal[] taken, Predicate<Access> property) {
    List<Literal> having =
        IntStream.range(0, taken.length)
            .filter(k -> property.test(uses.get(k)))
            .mapToObj(k -> taken[k])
            .toList();
    if (having.size() == taken.length) {
      return model.trueLiteral();
    } else if (having.size() < 2) {
      return having.isEmpty() ? null : having.get(0);
    }
    BoolVar any = model.newBoolVar("");
    model.addEquality(LinearExpr.sum(having.toArray(new Literal[0])), any);
    return any;
  }

  private void occupy(int m, int step, Literal there, long size) {
    if (there != null && size > 0) {
      loads[m][step] = loads[m][step] == null ? LinearExpr.newBuilder() : loads[m][step];
      loads[m][step].addTerm(there, size);
      most[m][step] += size;
    }
  }

  private LinearArgument time() {
    int steps = problem.steps();
    long most = (1L << 60) / (4L * steps + 4);
    long horizon = Math.min(table.longest(), most);
    capped = table.longest() > most;
    LinearExprBuilder transfers = LinearExpr.newBuilder();
    LinearExprBuilder sum = LinearExpr.newBuilder();
    LinearArgument[] length = new LinearArgument[steps];
    for (int t = 0; t < steps; t++) {
      transfers.add(before[t]).add(after[t]);
      length[t] = accesses[t];
      long computing = problem.ops().get(t).computeNanos();
      if (computing > 0) {
        IntVar longest = model.newIntVar(computing, horizon, "");
        model.addGreaterOrEqual(longest, accesses[t]);
        length[t] = longest;
      }
      sum.add(length[t]);
    }
    if (!problem.map().overlap()) {
      return sum.add(transfers);
    }
    IntVar end = model.newIntVar(0, horizon, "");
    model.addGreaterOrEqual(end, transfers);
    LinearArgument free = between[0];
    IntVar fetched = null;
    IntVar[] begins = new IntVar[steps];
    for (int t = 0; t < steps; t++) {
      IntVar all = model.newIntVar(0, horizon, "");
      LinearExprBuilder sofar = LinearExpr.newBuilder().add(before[t]);
      model.addEquality(all, fetched == null ? sofar : sofar.add(fetched));
      fetched = all;
      begins[t] = model.newIntVar(0, horizon, "");
      model.addGreaterOrEqual(begins[t], all);
      model.addGreaterOrEqual(begins[t], free);
      if (nearby && t > 0) {
        model.addGreaterOrEqual(
            begins[t], LinearExpr.newBuilder().add(begins[t - 1]).add(before[t]).add(beside[t]));
      }
      free = LinearExpr.newBuilder().add(begins[t]).add(length[t]).add(between[t + 1]);
    }
    model.addGreaterOrEqual(end, free);
    IntVar left = null;
    for (int t = steps - 1; t >= 0; t--) {
      IntVar all = model.newIntVar(0, horizon, "");
      LinearExprBuilder still = LinearExpr.newBuilder().add(after[t]);
      model.addEquality(all, left == null ? still : still.add(left));
      left = all;
      model.addGreaterOrEqual(end, LinearExpr.newBuilder().add(begins[t]).add(length[t]).add(all));
    }
    return end;
  }

  /** The choice with the places that the solution holds for transfers. */
  private ResidencyChoice withPlaces(ResidencyChoice choice, CpSatRun.Result result) {
    for (int i = 0; i < ways.length; i++) {
      for (int e = 0; e < ways[i].length && early[i][e] != null; e++) {
        int step = problem.items().get(i).events().get(e).step();
        int free = e == 0 ? 0 : problem.items().get(i).events().get(e - 1).step() + 1;
        free += e == 0 ? 0 : choice.late()[i][e - 1];
        int next = problem.items().get(i).nextStep(e, problem.steps());
        for (int k = 0; k < ways[i][e].length; k++) {
          choice.early()[i][e] += step > free && isBeside(early[i][e][k], result) ? 1 : 0;
          choice.late()[i][e] += step + 1 < next && isBeside(late[i][e][k], result) ? 1 : 0;
        }
      }
    }
    return choice;
  }

  private static boolean isBeside(BoolVar[] transfers, CpSatRun.Result result) {
    return transfers != null && Arrays.stream(transfers).allMatch(result.solver()::booleanValue);
  }

  private void hint(ResidencyChoice known) {
    for (int i = 0; i < ways.length; i++) {
      for (int e = 0; e < ways[i].length; e++) {
        for (int k = 0; k < ways[i][e].length; k++) {
          if (ways[i][e][k] instanceof BoolVar way && ways[i][e].length > 1) {
            model.addHint(way, table.of(i, e).get(k).equals(known.uses()[i][e]) ? 1 : 0);
          }
        }
      }
    }
  }

  /** Solves in a capacity of the innermost memory, at most the map's, from a choice or null. */
  public static Answer solve(
      AccessTable table, long capacity, ResidencyChoice known, RunControl control, double seconds) {
    return solve(new ResidencyModel(table, capacity, false), known, control, seconds);
  }

  /**
   * Solves for time with a DMA channel as if transfers ran alongside the one step before or after
   * their own at most, and as long as that: what it finds, or null, is near a plan, but its bound
   * is none.
   */
  public static ResidencyChoice nearby(
      AccessTable table, long capacity, ResidencyChoice known, RunControl control, double seconds) {
    return solve(new ResidencyModel(table, capacity, true), known, control, seconds).choice();
  }

  private static Answer solve(
      ResidencyModel made, ResidencyChoice known, RunControl control, double seconds) {
    AccessTable table = made.table;
    if (known != null) {
      made.hint(known);
    }
    CpSatRun.Result result = CpSatRun.solve(made.model, control, seconds, SEARCHES);
    if (!result.hasSolution()) {
      return new Answer(null, result.bound(0), result.isInfeasible() && !made.capped);
    }
    Access[][] uses = new Access[made.ways.length][];
    for (int i = 0; i < uses.length; i++) {
      uses[i] = new Access[made.ways[i].length];
      for (int e = 0; e < uses[i].length; e++) {
        for (int k = 0; k < made.ways[i][e].length; k++) {
          if (result.solver().booleanValue(made.ways[i][e][k])) {
            uses[i][e] = table.of(i, e).get(k);
          }
        }
      }
    }
    return new Answer(made.withPlaces(ResidencyChoice.of(uses), result), result.bound(0), false);
  }
}
