package stowage.exact.reuse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.BruteForce;
import stowage.exact.EngineChecks;
import stowage.exact.choco.ChocoEngine;
import stowage.exact.cpsat.CpSatEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.exact.reuse.cpsat.PairEngine;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.PlainForm;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/** Problems with every kind of relation: all engines against trying everything. */
class RelationsAgreeTest {
  private static final List<List<Goal>> OBJECTIVES =
      List.of(
          List.of(Goal.PEAK),
          List.of(Goal.REUSE),
          List.of(Goal.REUSE, Goal.PEAK),
          List.of(Goal.PEAK, Goal.REUSE),
          List.of(Goal.BANKS, Goal.PEAK),
          List.of(Goal.OVERFLOW, Goal.REUSE));

  @Test
  void everyObjectiveOfSmallProblems() {
    objectives(Thorough.of(1_000, 5_000), Thorough.of(60, 1_500), Thorough.of(5, 6));
    objectives(15_000, Thorough.of(0, 100), 8);
  }

  private static void objectives(long firstSeed, int problems, int most) {
    for (long seed = firstSeed; seed < firstSeed + problems; seed++) {
      PackingProblem problem = RelatedProblems.of(seed, most);
      List<Goal> goals = OBJECTIVES.get((int) (seed % OBJECTIVES.size()));
      RunControl control = RunControl.ofSeconds(60, 1, 1);
      EngineOptions options = EngineOptions.defaults();
      Incumbent found =
          agreed(problem, goals, known -> new PairEngine().run(known, control, options));
      assertEquals(List.of(), found.rejection(), problem.name() + " " + goals);
    }
  }

  /** What a run makes of a problem under some goals: what trying everything came to. */
  static Incumbent agreed(PackingProblem problem, List<Goal> goals, Consumer<Incumbent> run) {
    Incumbent incumbent = unsolved(problem, goals);
    run.accept(incumbent);
    boolean overflow = goals.contains(Goal.OVERFLOW);
    long[] least = BruteForce.least(problem, goals, overflow ? 6 : 0);
    if (!overflow || least != null) { // else it is more than the room that was tried
      EngineChecks.holds(least, incumbent, problem.name() + " " + goals);
    }
    return incumbent;
  }

  /** Nothing known of a problem, of unbounded memories where what is beyond a capacity counts. */
  static Incumbent unsolved(PackingProblem problem, List<Goal> goals) {
    List<Memory> unbounded =
        problem.memories().stream().map(m -> m.withCapacity(Memory.UNBOUNDED)).toList();
    boolean overflow = goals.contains(Goal.OVERFLOW);
    PackingProblem asked = overflow ? problem.withMemories(unbounded) : problem;
    return new Incumbent(asked, Objective.of(problem, goals));
  }

  @Test
  void peaksByEveryEngine() {
    peaks(Thorough.of(200_000, 210_000), Thorough.of(40, 1_000), Thorough.of(5, 6), false);
    if (Thorough.on()) {
      peaks(220_000, 50, 8, false);
    }
  }

  /** Some buffers have no bytes or no step, and alignments of 2 and 3 meet. */
  @Test
  void buffersThatNeedNothingByEveryEngine() {
    peaks(230_000, 40, 5, true);
  }

  private static void peaks(long firstSeed, int problems, int most, boolean idle) {
    int proven = 0;
    for (long seed = firstSeed; seed < firstSeed + problems; seed++) {
      PackingProblem problem =
          idle ? RelatedProblems.withIdle(seed, most) : RelatedProblems.of(seed, most);
      long[] least = BruteForce.peaks(problem);
      PlainForm plain = PlainForm.of(problem);
      boolean several = problem.memories().size() > 1;
      boolean exact = plain.problem() != null && plain.isExact() && !several;
      for (Engine engine : List.of(new SearchEngine(), new CpSatEngine(), new ChocoEngine())) {
        Incumbent incumbent = run(problem, engine);
        String which = problem.name() + " " + engine.name();
        check(problem, incumbent, least, which);
        if (incumbent != null && exact) {
          Status right = least == null ? Status.INFEASIBLE : Status.OPTIMAL;
          assertEquals(right, incumbent.status(), which);
          proven++;
        }
      }
      Incumbent all = run(problem, new SearchEngine(), new PairEngine());
      check(problem, all, least, problem.name());
      assertEquals(
          least == null ? Status.INFEASIBLE : Status.OPTIMAL, all.status(), problem.name());
      for (Planner planner : HeuristicPlanners.simple()) {
        checkPlanner(problem, planner);
      }
    }
    assertTrue(proven > problems / 4, proven + " proven by plain engines");
  }

  private static Incumbent run(PackingProblem problem, Engine... engines) {
    RunControl control = RunControl.ofSeconds(60, 1, 1);
    try {
      return EngineChecks.portfolio(new Incumbent(problem), control, List.of(), engines);
    } catch (NotPlannableException refused) {
      assertTrue(refused.getMessage().contains("pairs"), refused.getMessage());
      return null;
    }
  }

  private static void check(
      PackingProblem problem, Incumbent incumbent, long[] least, String which) {
    if (incumbent == null) {
      return;
    }
    assertEquals(List.of(), incumbent.rejection(), which);
    if (incumbent.status() == Status.INFEASIBLE) {
      assertEquals(null, least, which + ": infeasible " + incumbent.infeasibility());
      return;
    }
    if (incumbent.score() != null) {
      assertTrue(Arrays.compare(EngineChecks.figures(incumbent.score()), least) >= 0, which);
    }
    if (incumbent.status() == Status.OPTIMAL) {
      assertArrayEquals(least, EngineChecks.figures(incumbent.score()), which);
    }
    Bound bound = incumbent.bound(0);
    if (bound != null && least != null) {
      assertTrue(bound.value() <= least[0], which + ": bound " + bound + " above " + least[0]);
      if (bound.certificate().checkable()) {
        assertEquals(Optional.empty(), BoundVerifier.fault(problem, bound), which);
      }
    }
  }

  private static void checkPlanner(PackingProblem problem, Planner planner) {
    try {
      List<Violation> faults =
          Verifier.violations(problem, planner.planAny(problem, RunControl.unlimited()));
      boolean tooHigh = faults.stream().anyMatch(f -> f.kind() == Violation.Kind.CAPACITY);
      assertTrue(faults.isEmpty() || tooHigh, problem.name() + planner.name() + faults);
    } catch (NotPlannableException refused) {
      assertTrue(!refused.getMessage().isEmpty());
    }
  }
}
