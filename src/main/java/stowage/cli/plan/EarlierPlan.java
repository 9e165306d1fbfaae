package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.UsageException;
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
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.planning.StableRun;
import stowage.report.StabilityFacts;

/** A plan of an earlier version of the problem, and what a run is to take over from it. */
@HelpGroup(HelpGroup.PLANNING)
final class EarlierPlan {
  /** The share of a run's time after which the fewest moves are looked for. */
  private static final double SHARE_OF_PEAK = 0.6;

  /** A share of the bytes above which moves are many. */
  private static final double MANY = 0.05;

  /** What the peak may give to avoid many moves where nothing is said. */
  private static final double USUAL_SLACK = 0.005;

  @Option(
      names = "--warm-start",
      paramLabel = "PLAN",
      description =
          "A plan.json or plan.csv to start from, perhaps of an earlier version of the problem:"
              + " buffers are found by id, then by size and life.")
  Path warmStart;

  @Option(
      names = "--stable",
      description =
          "With --warm-start: of the plans with the peak found, the one that moves the fewest"
              + " bytes; with --capacity, of those within it. Where that is above 5 %% of them, the"
              + " peak may be 0.5 %% higher, or else the earlier plan's; --slack says otherwise.")
  boolean stable;

  @Option(
      names = "--slack",
      paramLabel = "PERCENT",
      converter = Percent.class,
      description = "With --stable: the peak may be so much higher, such as 1%%; 0%% for none.")
  Double slack;

  @Option(
      names = "--pin-from",
      paramLabel = "PLAN",
      description =
          "Keep every buffer at its place in this plan.json or plan.csv, whatever the peak; only"
              + " what cannot stay there is placed.")
  Path pinFrom;

  private PackingProblem problem;
  private PlanFile.Earlier found;
  private EarlierPlaces places;
  private long movedAtLeast = -1;
  private long pinnedBound = -1;

  /** Whether a plan was given that a run has to take over. */
  boolean isGiven() {
    return warmStart != null || pinFrom != null;
  }

  /**
   * Checks that the options go together.
   *
   * @throws UsageException saying which do not
   */
  void check() {
    if (warmStart != null && pinFrom != null) {
      throw new UsageException("--warm-start and --pin-from: give one plan, to one of them");
    }
    if (stable && warmStart == null) {
      throw new UsageException("--stable needs the earlier plan: --warm-start PLAN");
    }
    if (slack != null && !stable) {
      throw new UsageException("--slack says how much higher --stable may go; add --stable");
    }
  }

  /**
   * Reads the plan for a problem.
   *
   * @throws stowage.importer.io.InputException when it cannot be read
   */
  void read(PackingProblem planned) {
    problem = planned;
    found = file().earlier(planned);
    places = new EarlierPlaces(found.offsets(), found.memories(), found.changed());
  }

  private PlanFile file() {
    return PlanFile.read(path());
  }

  /** The plan; null where none was given. */
  Path path() {
    return warmStart == null ? pinFrom : warmStart;
  }

  /** Runs planners, with what is to be taken over. */
  PlannerRun run(
      PlanningCase planningCase,
      Incumbent incumbent,
      RunControl control,
      List<PlannerCatalogue.Choice> choices,
      EngineOptions options) {
    StableRun near = new StableRun(problem, places);
    if (pinFrom != null) {
      StableRun.Pinned pinned = near.pinned(planningCase, incumbent, control, choices, options);
      pinnedBound = pinned.bound();
      if (!pinned.excluded()) {
        return pinned.planners();
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
    boolean all = found.byId() == problem.size();
    for (int i = 0; i < problem.size(); i++) {
      all &= found.offsets()[i] >= 0 && !found.changed()[i];
    }
    if (!all) {
      incumbent.remark(
          String.format(
              "%s is a plan of another version: of %s buffers %s are there by id and %s more by"
                  + " size and life.",
              warmStart,
              ByteText.exact(problem.size()),
              ByteText.exact(found.byId()),
              ByteText.exact(found.byShape())));
      return false;
    }
    Placement start = Placement.of(found.offsets(), found.memories());
    for (Violation fault : Verifier.violations(problem, start)) {
      if (fault.kind() != Violation.Kind.CAPACITY) {
        incumbent.remark(warmStart + " does not hold as it is: " + fault.text());
        return false;
      }
    }
    incumbent.offer(start, "warm start");
    return true;
  }

  /**
   * The plan that moves the fewest bytes, where that was asked for.
   *
   * @param best what planning found
   * @param withinCapacity whether every peak within the capacity is as good
   * @return {@code best} itself where nothing moves fewer
   */
  Incumbent settled(Incumbent best, boolean withinCapacity, RunControl control) {
    if (!stable || best.placement() == null || !best.objective().isPeaks()) {
      return best;
    }
    StableRun near = new StableRun(problem, places);
    Placement found = best.placement();
    boolean within = withinCapacity || pinFrom != null;
    boolean alone = control.isDeterministic() || within || slack != null;
    RunControl first = alone ? control : control.within(control.secondsLeft() / 2);
    StableRun.Found least =
        near.fewestMoves(found, within ? capacities(found) : near.tops(found, share()), first);
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

  private double share() {
    return slack == null ? 0 : slack;
  }

  /** The capacities, and the peaks of a placement where there is none. */
  private long[] capacities(Placement found) {
    long[] tops = EjectionSearch.capacities(problem);
    for (int m = 0; m < tops.length; m++) {
      tops[m] = tops[m] == Memory.UNBOUNDED ? found.peak(problem, m) : tops[m];
    }
    return tops;
  }

  /**
   * A plan that moves little where the lowest peak moves much: within half a percent of it, or at
   * the earlier plan's peak.
   */
  private StableRun.Found moderate(
      StableRun near, Placement found, StableRun.Found least, Incumbent best, RunControl control) {
    List<long[]> levels = new ArrayList<>(List.of(near.tops(found, USUAL_SLACK)));
    long before = file().peak();
    if (problem.memories().size() == 1 && before > levels.get(0)[0] && before < Long.MAX_VALUE) {
      levels.add(new long[] {Math.min(before, problem.memories().get(0).capacity())});
    }
    for (long[] tops : levels) {
      StableRun.Found higher = near.fewestMoves(found, tops, control);
      if (higher.movesAtMost(MANY)) {
        best.remark(
            "A peak of "
                + ByteText.both(found.peak(problem, problem.memories().size() - 1))
                + " would move "
                + ByteText.percent((double) least.moves().movedBytes() / least.moves().knownBytes())
                + " of the bytes; --slack 0% takes it.");
        return higher;
      }
    }
    return least;
  }

  /** How far a plan is from the earlier one; null where none was given. */
  StabilityFacts facts(Plan plan) {
    if (places == null || !plan.hasPlacement()) {
      return null;
    }
    EarlierPlaces.Moves moves = places.moves(problem, plan.placement());
    return new StabilityFacts(
        String.valueOf(path()),
        found.byId(),
        found.byShape(),
        moves.known(),
        moves.knownBytes(),
        moves.moved(),
        moves.movedBytes(),
        movedAtLeast,
        pinFrom != null,
        pinnedBound);
  }

  /** A percentage as a share. */
  static final class Percent implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      String number = text.strip();
      try {
        if (number.endsWith("%")) {
          double share = Double.parseDouble(number.substring(0, number.length() - 1)) / 100;
          if (share >= 0 && share < 1e6) {
            return share;
          }
        }
      } catch (NumberFormatException wrong) {
        // Said below.
      }
      throw new TypeConversionException("'" + text + "' should be a percentage, such as 1%");
    }
  }
}
