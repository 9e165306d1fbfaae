package stowage;

import java.util.List;
import stowage.exact.Openings;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.Engines;
import stowage.heuristic.Planner;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/**
 * Planner of memory: the lowest peak it can find for a {@link PackingProblem}, verified, with a
 * proven lower bound.
 *
 * <pre>{@code
 * var builder = PackingProblem.builder("function");
 * int a = builder.buffer(4096, 0, 3); // bytes, first step, first step after
 * int b = builder.buffer(8192, 1, 5);
 * Plan plan = Stowage.plan(builder.build());
 * if (plan.hasPlacement()) {
 *   address(plan.offset(a), plan.offset(b));
 * }
 * }</pre>
 *
 * <p>Nothing here prints, ends the process or leaves a thread behind. All methods may be called
 * from any number of threads; each run has threads of its own.
 */
public final class Stowage {
  private Stowage() {}

  /** {@return the answer with {@link PlanOptions#defaults()}: in at most about ten seconds} */
  public static Plan plan(PackingProblem problem) {
    return plan(problem, PlanOptions.defaults());
  }

  /**
   * Plans, and waits for the answer. Interrupting the waiting thread ends the run with the best
   * plan so far; the thread's interrupted status is then set.
   *
   * @return the answer: OPTIMAL, FEASIBLE, INFEASIBLE within the capacities, or UNKNOWN where
   *     neither a plan nor a proof was found in time
   * @throws IllegalArgumentException when an option does not suit the problem
   */
  public static Plan plan(PackingProblem problem, PlanOptions options) {
    return submit(problem, options).await();
  }

  /**
   * Starts to plan in the background.
   *
   * @return the run, which has begun
   * @throws IllegalArgumentException when an option does not suit the problem: a plan to start from
   *     that is none of it, or an engine that is not known
   */
  public static PlanTask submit(PackingProblem problem, PlanOptions options) {
    PackingProblem asked = options.applyTo(problem);
    Incumbent incumbent = Incumbent.ofGoals(asked, asked.goals());
    PackingProblem limited = incumbent.problem();
    var engines =
        options.engineNames() == null ? Engines.all() : Engines.named(options.engineNames());
    Placement start = options.start() == null ? null : start(limited, options.start());
    RunControl control = options.control();
    EngineOptions settings =
        EngineOptions.defaults()
            .withFirstFit(options.isFirstFit() && incumbent.objective().isPeaks());
    return PlanTask.start(
        incumbent,
        control,
        () -> {
          if (start != null) {
            incumbent.offer(start, "start");
          }
          List<Planner> heuristics =
              options.isQuick() ? Openings.quick(limited) : Openings.of(limited);
          var setup = new Portfolio.Setup(heuristics, engines, settings);
          Portfolio.run(incumbent, control, setup);
        });
  }

  private static Placement start(PackingProblem problem, Plan plan) {
    if (plan.problem().size() != problem.size()) {
      throw new IllegalArgumentException(
          "the plan to start from places %s buffers, and \"%s\" has %s"
              .formatted(plan.problem().size(), problem.name(), problem.size()));
    }
    List<Violation> violations = Verifier.violations(problem, plan.placement());
    for (Violation fault : violations) {
      if (fault.kind() != Violation.Kind.CAPACITY) {
        throw new IllegalArgumentException(
            "the plan to start from is none of \"" + problem.name() + "\": " + fault.text());
      }
    }
    return plan.placement();
  }
}
