package stowage.exact.cpsat;

import com.google.ortools.sat.SatParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;
import stowage.exact.cpsat.SpreadModel.Refusal;
import stowage.exact.presolve.Component;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchResult;
import stowage.heuristic.NotPlannableException;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;

/**
 * The least peak of a part whose buffers have a choice of memories, by logic-based Benders
 * decomposition (Hooker and Ottosson 2003, doi 10.1007/s10107-003-0375-9).
 *
 * <p>CP-SAT spreads the buffers over the memories by loads ({@link SpreadModel}), with a target for
 * the memory whose peak counts. The search places each memory's share. A share that has no
 * placement is shrunk to few buffers that have none, which no later spread puts together. Where no
 * spread is left the target is below every placement's peak. The first target is the bound; where
 * it is refused the next is the best known peak less one, since a refusal there is the whole proof;
 * then targets halve what is open, rise with what fails, and fall with what is found.
 *
 * <p>A share that is neither placed nor refused in time is put aside, and the spreads go on without
 * it. A proof that leaves a share out does not hold, so the search tries that share again with more
 * time.
 */
final class SpreadSearch {
  private static final long MOST_TERMS = 4_000_000;
  private static final long FIRST_EFFORT = 20_000;
  private static final int PATIENCE = 6;
  private static final double LEAST_SECONDS = 0.5;
  private static final double FIRST_DEPTH = 0.1;
  private static final long SHRINKING = 2_000;

  private final ComponentIncumbent incumbent;
  private final Component part;
  private final ObjLongConsumer<String> counter;
  private final Consumer<SatParameters.Builder> settings;
  private final RunControl control;
  private final List<Refusal> refusals = new ArrayList<>();
  private final List<Refusal> doubts = new ArrayList<>();
  private long effort = FIRST_EFFORT;
  private double patience = 2;
  private long left;
  private int rounds;

  SpreadSearch(
      ComponentIncumbent incumbent,
      long work,
      Consumer<SatParameters.Builder> settings,
      ObjLongConsumer<String> counter) {
    this.incumbent = incumbent;
    this.part = incumbent.part();
    this.settings = settings;
    this.counter = counter;
    this.control = incumbent.control();
    this.left = work;
    long terms =
        IntStream.range(0, part.spanStarts().length)
            .mapToLong(s -> part.memories() * (long) (part.spanEnds()[s] - part.spanStarts()[s]))
            .sum();
    if (terms > MOST_TERMS) {
      throw new NotPlannableException(
          "CP-SAT is given at most %s loads over sections and memories, and a part has %s"
              .formatted(MOST_TERMS, terms));
    }
  }

  void run() {
    double depth = 0;
    int failures = 0;
    while (!incumbent.isClosed() && !control.isStopped() && left > 0) {
      long upper = incumbent.memory() < 0 ? 0 : incumbent.upper();
      long low = Math.min(incumbent.target(), upper);
      boolean first = incumbent.placement() == null; // any will do, since a stop may come
      long target = first ? upper : low + (long) (depth * (upper - low));
      CpSatRun.Result[] answer = new CpSatRun.Result[1];
      int[] places = spread(target, answer);
      if (places != null && place(places, target)) {
        failures = 0;
        depth = depth > 0.1 ? depth / 2 : 0;
      } else if (places != null && ++failures < PATIENCE) {
        continue; // with what was refused left out, the next spread is another
      } else if (places == null && answer[0].isInfeasible() && doubts.isEmpty()) {
        failures = 0;
        depth = depth > 0 ? 0.5 : 1; // at the best itself a refusal is the whole proof
        incumbent.refuse(target);
      } else if (target == upper) {
        failures = 0;
        depth = 0;
        effort *= 2;
        doubts.clear();
      } else {
        failures = 0;
        depth = Math.min(1, 2 * depth + FIRST_DEPTH);
      }
    }
  }

  private long ceiling(int m, long target) {
    return m == incumbent.memory() ? target : incumbent.ceiling(m);
  }

  private int[] spread(long target, CpSatRun.Result[] answer) {
    long[] ceilings = new long[part.memories()];
    Arrays.setAll(ceilings, m -> ceiling(m, target));
    List<Refusal> all = new ArrayList<>(refusals);
    all.addAll(doubts);
    SpreadModel spreads = new SpreadModel(part, ceilings, all);
    ComponentIncumbent.Placed known = incumbent.hint();
    if (known != null && known.places() != null) {
      spreads.hint(known.places());
    }
    // Without a deadline the questions take longer from one to the next.
    double seconds = Math.min(control.secondsLeft() / 6, patience *= 1.5);
    RunControl limit =
        left == Long.MAX_VALUE
            ? control.within(Math.max(LEAST_SECONDS, seconds))
            : control.withWork(left / 6);
    long seed = incumbent.control().seed() + rounds++;
    Consumer<SatParameters.Builder> seeded =
        settings.andThen(parameters -> parameters.setRandomSeed((int) (seed & 0x7fffffff)));
    answer[0] = CpSatRun.solve(spreads.model(), limit, Double.MAX_VALUE, List.of(), seeded);
    counter.accept("spreads", 1);
    spend((long) (1e6 * answer[0].solver().response().getDeterministicTime()));
    return answer[0].hasSolution() ? spreads.places(answer[0].solver()) : null;
  }

  private void spend(long work) {
    left -= left == Long.MAX_VALUE ? 0 : Math.max(1, work);
  }

  /** Places every share; what has no placement becomes a refusal. */
  private boolean place(int[] places, long target) {
    long[] found = new long[part.count()];
    boolean all = true;
    for (int m = 0; m < part.memories() && !control.isStopped(); m++) {
      int memory = m;
      int[] members = IntStream.range(0, places.length).filter(i -> places[i] == memory).toArray();
      if (members.length == 0) {
        continue;
      }
      Component own = part.restrict(m, members);
      long ceiling = ceiling(m, target);
      ComponentIncumbent share = new ComponentIncumbent(own);
      SearchResult result = fit(share, ceiling, effort);
      if (result.offsets() == null) {
        all = false;
        boolean refused = result.status() == SearchResult.Status.INFEASIBLE;
        int[] core = refused ? shrunk(m, members, ceiling) : members;
        (refused ? refusals : doubts).add(refusal(m, core, ceiling));
        counter.accept(refused ? "refusals" : "doubts", 1);
      } else {
        if (m == incumbent.memory() && all && target > incumbent.target()) {
          long enough = own.unitsBelow(incumbent.target());
          result = team().minimise(share, enough, limit(effort));
          spend(result.statistics().nodes());
        }
        own.expand(result.offsets(), found);
      }
    }
    if (all && !control.isStopped()) {
      incumbent.offer(found, places, "");
      return true;
    }
    return false;
  }

  private SearchTeam team() {
    return new SearchTeam(control.threads(), control.seed(), control.isDeterministic());
  }

  private RunControl limit(long nodes) {
    return control.withWork(Math.max(1, Math.min(left, nodes)));
  }

  private SearchResult fit(ComponentIncumbent share, long ceiling, long nodes) {
    long capacity = share.part().unitsBelow(ceiling);
    SearchResult result = team().search(share, capacity, limit(nodes));
    spend(result.statistics().nodes());
    return result;
  }

  /** As few of a memory's buffers that still have no placement as a little work finds. */
  private int[] shrunk(int m, int[] members, long ceiling) {
    return IndexOrder.shrunk(
        members,
        few ->
            fit(new ComponentIncumbent(part.restrict(m, few)), ceiling, SHRINKING).status()
                == SearchResult.Status.INFEASIBLE,
        control::isStopped);
  }

  private Refusal refusal(int m, int[] core, long ceiling) {
    boolean[] taken = new boolean[part.count()];
    for (int i : core) {
      taken[i] = true;
    }
    List<int[]> exchanges = new ArrayList<>();
    for (int i : core) {
      exchanges.add(
          IntStream.concat(
                  IntStream.of(i),
                  IntStream.range(0, taken.length).filter(j -> !taken[j] && takesNoLess(j, i)))
              .toArray());
      for (int j : exchanges.get(exchanges.size() - 1)) {
        taken[j] = true;
      }
    }
    return new Refusal(m, ceiling, exchanges);
  }

  /** Whether a placement with buffer i in it still holds with j in its place, in each memory. */
  private boolean takesNoLess(int i, int j) {
    boolean plain =
        part.sizes()[i] >= part.sizes()[j]
            && part.fixedOffsets()[j] < 0
            && !part.withinBanks()[j]
            && part.extraConflicts(j).length == 0;
    for (int m = 0; plain && m < part.memories(); m++) {
      plain =
          !part.allows(i, m)
              || part.allows(j, m) && part.alignment(i, m) % part.alignment(j, m) == 0;
      plain &= part.fixedOffsets()[i] < 0 || part.fixedOffsets()[i] % part.alignment(j, m) == 0;
    }
    for (int s = part.firstSpans()[j]; plain && s < part.firstSpans()[j + 1]; s++) {
      boolean within = false;
      for (int t = part.firstSpans()[i]; t < part.firstSpans()[i + 1]; t++) {
        within |=
            part.spanStarts()[t] <= part.spanStarts()[s]
                && part.spanEnds()[t] >= part.spanEnds()[s]
                && part.spanLows()[t] <= part.spanLows()[s]
                && part.spanHighs()[t] >= part.spanHighs()[s];
      }
      plain = within;
    }
    return plain;
  }
}
