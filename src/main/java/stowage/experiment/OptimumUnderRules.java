package stowage.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import stowage.compiler.core.PlannerRules;
import stowage.exact.Portfolio;
import stowage.exact.bound.LowerBounds;
import stowage.exact.cpsat.CpSatObjects;
import stowage.exact.engine.EngineOptions;
import stowage.exact.object.ObjectIncumbent;
import stowage.exact.object.ObjectOptimum;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.ObjectProblem;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * What is proven of a problem under the rules of planners, each set of rules worked on once.
 *
 * <p>Rules only add to the problem, so its own bound holds under all of them; and where the best
 * plan of the problem satisfies the rules they cost nothing. Otherwise the portfolio, or for whole
 * objects {@link ObjectOptimum}, has its turn at the problem that the rules make.
 */
record OptimumUnderRules(
    PackingProblem problem,
    Incumbent exact,
    RunControl control,
    List<Planned> plans,
    List<Arena> arenas,
    List<Objects> objects) {
  private static final double OBJECT_SECONDS = 8;
  private static final double RULES_SECONDS = 3;

  /** A valid placement by a planner whose rules are known. */
  record Planned(PlannerRules rules, Placement placement) {}

  private record Arena(PlannerRules rules, Long bound) {}

  private record Objects(PlannerRules rules, ObjectIncumbent incumbent) {}

  /**
   * A search for the optima under planners' rules. It looks for a lower total of objects from those
   * of the {@code plans} on that reuse objects whole.
   */
  OptimumUnderRules(
      PackingProblem problem, Incumbent exact, List<Planned> plans, RunControl control) {
    this(problem, exact, control, plans, new ArrayList<>(), new ArrayList<>());
  }

  /** The lowest peak that the rules admit, as far as proven, in bytes; null when nothing is. */
  Long bound(PlannerRules rules) {
    Long arena = arena(rules);
    if (!rules.wholeObjects()) {
      return arena;
    }
    List<Planned> like = plans.stream().filter(planned -> planned.rules.isLike(rules)).toList();
    long ofObjects = objects(rules, like, RULES_SECONDS).peakBound();
    return arena == null ? ofObjects : Math.max(arena, ofObjects);
  }

  /** The least total of objects of the problem itself, whatever keeps a planner from it. */
  ObjectIncumbent leastObjects() {
    List<Planned> whole = plans.stream().filter(planned -> planned.rules.wholeObjects()).toList();
    return objects(PlannerRules.of(problem).inWholeObjects(), whole, OBJECT_SECONDS);
  }

  private Long arena(PlannerRules rules) {
    for (Arena known : arenas) {
      if (known.rules.sameProblem(rules.problem())) {
        return known.bound;
      }
    }
    Arena found = new Arena(rules, newArena(rules));
    arenas.add(found);
    return found.bound;
  }

  private Long newArena(PlannerRules rules) {
    Long own = exact.bound(0) == null ? null : exact.bound(0).value();
    boolean costsNothing =
        rules.sameProblem(problem)
            || (exact.placement() != null && Verifier.isValid(rules.problem(), exact.placement()));
    if (costsNothing) {
      return own;
    }
    Bound underRules;
    if (rules.wholeObjects()) {
      underRules = LowerBounds.best(rules.problem())[0];
    } else {
      Incumbent incumbent = new Incumbent(rules.problem());
      Portfolio.run(incumbent, share(RULES_SECONDS), EngineOptions.defaults());
      underRules = incumbent.bound(0);
    }
    if (own == null || underRules == null) {
      return underRules == null ? own : Long.valueOf(underRules.value());
    }
    return Math.max(own, underRules.value());
  }

  private ObjectIncumbent objects(PlannerRules rules, List<Planned> like, double seconds) {
    for (Objects known : objects) {
      if (known.rules.isLike(rules)) {
        return known.incumbent;
      }
    }
    ObjectProblem given = ObjectProblem.of(rules.problem(), rules.kinds());
    List<int[]> starts = like.stream().map(planned -> start(given, planned.placement)).toList();
    ObjectIncumbent found = ObjectOptimum.of(given, starts, CpSatObjects::run, share(seconds));
    objects.add(new Objects(rules, found));
    return found;
  }

  /** Objects are end to end and hold one buffer at a time: those of one offset share one. */
  private static int[] start(ObjectProblem given, Placement placement) {
    Map<Long, Integer> objects = new HashMap<>();
    return IntStream.range(0, given.count())
        .mapToLong(item -> placement.offset(given.buffer(item)))
        .mapToInt(offset -> objects.computeIfAbsent(offset, absent -> objects.size()))
        .toArray();
  }

  /** A part of the time left; limits that count work need no clock. */
  private RunControl share(double seconds) {
    return control.isDeterministic()
        ? control
        : control.within(Math.min(seconds, control.secondsLeft() / 3));
  }
}
