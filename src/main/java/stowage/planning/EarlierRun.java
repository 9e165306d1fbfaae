package stowage.planning;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.EarlierPlaces;
import stowage.heuristic.EjectionSearch;
import stowage.importer.own.PlanFile;
import stowage.liveness.PlanningCase;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/**
 * Run of planners that takes over places of an earlier plan, perhaps of an earlier version of the
 * problem.
 */
public final class EarlierRun {
  /** The share of a run's time after which the fewest moves are looked for. */
  private static final double SHARE_OF_PEAK = 0.6;

  private static final double MANY = 0.05;

  /** What the peak may give to avoid many moves where nothing is said. */
  private static final double USUAL_SLACK = 0.005;

  private final Path path;
  private final PlanFile file;
  private final PackingProblem problem;
  private final boolean pinned;
  private final Double slack;
  private final PlanFile.Earlier found;
  private final EarlierPlaces places;
  private boolean stable;
  private long movedAtLeast = -1;
  private long pinnedBound = -1;

  /**
   * A run that begins with an earlier plan.
   *
   * @param path the earlier plan.json or plan.csv
   * @param pinned whether every buffer that can is to keep its place
   * @param stable whether of the plans with the peak found one that moves fewest bytes is wanted
   * @param slack the share by which the peak may be higher then; null for the usual one
   * @throws stowage.importer.io.InputException when the plan cannot be read
   */
  public EarlierRun(
      Path path, PackingProblem problem, boolean pinned, boolean stable, Double slack) {
    this.path = path;
    this.file = PlanFile.readAnswer(path);
    this.problem = problem;
    this.pinned = pinned;
    this.stable = stable;
    this.slack = slack;
    this.found = file.earlier(problem);
    this.places = new EarlierPlaces(found.offsets(), found.memories(), found.changed());
  }

  /** Runs planners, with what is to be taken over. */
  public PlannerRun run(
      PlanningCase planningCase,
      Incumbent incumbent,
      RunControl control,
      List<PlannerCatalogue.Choice> choices,
      EngineOptions options) {
    StableRun near = new StableRun(problem, places);
    if (pinned) {
      StableRun.Pinned kept = near.pinned(planningCase, incumbent, control, choices, options);
      pinnedBound = kept.bound();
      if (!kept.excluded()) {
        return kept.planners();
      }
      incumbent.remark(
          "no plan within the capacity keeps every place that could stay; what moves is as little"
              + " as was found");
      stable = true;
    } else if (!offerUnchanged(incumbent)) {
      near.begin(incumbent, control);
    }
    boolean timed = stable && !control.isDeterministic();
    RunControl peak = timed ? control.within(SHARE_OF_PEAK * control.secondsLeft()) : control;
    return PlannerRun.of(planningCase, incumbent, peak, choices, options);
  }

  /** Offers the plan as it is; false where it is no plan of the problem. */
  private boolean offerUnchanged(Incumbent incumbent) {
    boolean all =
        IntStream.range(0, problem.size())
            .allMatch(i -> found.offsets()[i] >= 0 && !found.changed()[i]);
    if (!all || found.byId() < problem.size()) {
      incumbent.remark(
          String.format(
              "%s is a plan of another version: of %s buffers %s are there by id and %s more by"
                  + " size and live range.",
              path,
              ByteText.exact(problem.size()),
              ByteText.exact(found.byId()),
              ByteText.exact(found.byShape())));
      return false;
    }
    Placement start = Placement.of(found.offsets(), found.memories());
    for (Violation fault : Verifier.violations(problem, start)) {
      if (fault.kind() != Violation.Kind.CAPACITY) {
        incumbent.remark(path + " does not hold as it is: " + fault.text());
        return false;
      }
    }
    incumbent.offer(start, "warm start");
    return true;
  }

  /**
   * The plan that moves the fewest bytes, where that was asked for, else {@code best} itself; every
   * peak within the capacity may be as good.
   */
  public Incumbent settled(Incumbent best, boolean withinCapacity, RunControl control) {
    if (!stable || best.placement() == null || !best.objective().isPeaks()) {
      return best;
    }
    StableRun near = new StableRun(problem, places);
    Placement found = best.placement();
    boolean within = withinCapacity || pinned;
    boolean alone = control.isDeterministic() || within || slack != null;
    RunControl first = alone ? control : control.within(control.secondsLeft() / 2);
    StableRun.Found least =
        near.fewestMoves(
            found, within ? capacities(found) : near.tops(found, slack == null ? 0 : slack), first);
    if (least == null) {
      best.remark("--stable: the problem has relations or too many pairs for fewer moves");
      return best;
    }
    if (!within && slack == null && !least.movesAtMost(MANY)) {
      least = moderate(near, found, least, best, control);
    }
    movedAtLeast = least.atLeast();
    if (least.placement().equals(found)) {
      return best;
    }
    Incumbent settled = best.withoutPlacement();
    settled.offer(least.placement(), "stable");
    return settled.placement() == null ? best : settled;
  }

  private long[] capacities(Placement found) {
    long[] tops = EjectionSearch.capacities(problem);
    Arrays.setAll(tops, m -> tops[m] == Memory.UNBOUNDED ? found.peak(problem, m) : tops[m]);
    return tops;
  }

  /**
   * A plan that moves little where the lowest peak moves much: within half a percent of it, or at
   * the earlier plan's peak.
   */
  private StableRun.Found moderate(
      StableRun near, Placement found, StableRun.Found least, Incumbent best, RunControl control) {
    List<long[]> levels = new ArrayList<>(List.of(near.tops(found, USUAL_SLACK)));
    long before = file.peak();
    if (problem.memories().size() == 1 && before > levels.get(0)[0] && before < Long.MAX_VALUE) {
      levels.add(new long[] {Math.min(before, problem.memories().get(0).capacity())});
    }
    for (long[] tops : levels) {
      StableRun.Found higher = near.fewestMoves(found, tops, control);
      if (higher.movesAtMost(MANY)) {
        long peak = found.peak(problem, problem.memories().size() - 1);
        double share = (double) least.moves().movedBytes() / least.moves().knownBytes();
        best.remark(
            "A peak of %s would move %s of the bytes; --slack 0%% takes it."
                .formatted(ByteText.both(peak), ByteText.percent(share)));
        return higher;
      }
    }
    return least;
  }

  /** How far a plan is from the earlier one; null without a placement. O(n). */
  public Stability stability(Plan plan) {
    if (!plan.hasPlacement()) {
      return null;
    }
    EarlierPlaces.Moves moves = places.moves(problem, plan.placement());
    return new Stability(
        path.toString(), found.byId(), found.byShape(), moves, movedAtLeast, pinned, pinnedBound);
  }
}
