package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.exact.bound.LowerBounds;
import stowage.exact.object.ObjectLevels;
import stowage.liveness.PlanningCase;
import stowage.packing.Bound;
import stowage.packing.ObjectProblem;
import stowage.packing.ObjectVerifier;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/** What every planner's plan must show: it holds, under the planner's own rules too. */
public final class RulesChecks {
  /** Bounds by problem: the rules of many planners are the case itself. */
  private static final Map<PackingProblem, Bound> BOUNDS = new WeakHashMap<>();

  private RulesChecks() {}

  /** What a planner makes of a list of buffers, given all the time it wants; the plan holds. */
  public static CasePlan plan(String planner, PackingProblem problem) {
    return plan(CompilerPlanners.named(planner), problem);
  }

  static CasePlan plan(SystemPlanner planner, PackingProblem problem) {
    CasePlan plan = planner.plan(PlanningCase.ofBuffers(problem), RunControl.unlimited());
    assertEquals(
        List.of(),
        Verifier.violations(problem, plan.placement()),
        planner.name() + " on " + problem.name());
    return plan;
  }

  /**
   * Plans a case and checks the plan: valid for the case and for what the planner says its rules
   * are, and not below what is proven of either.
   *
   * @return the plan
   */
  public static CasePlan check(
      SystemPlanner planner, PlanningCase given, RunControl control, String what) {
    String where = planner.name() + " on " + what;
    CasePlan plan = planner.plan(given, control);
    assertEquals(List.of(), Verifier.violations(given.problem(), plan.placement()), where);
    PlannerRules rules = planner.rules(given);
    PackingProblem problem = rules.problem();
    assertEquals(List.of(), Verifier.violations(problem, plan.placement()), where + ", its rules");
    long peak = Objective.peaks(problem).score(problem, plan.placement()).figure(0);
    Bound bound = BOUNDS.computeIfAbsent(problem, any -> LowerBounds.best(any)[0]);
    assertTrue(bound == null || peak >= bound.value(), where + ": " + peak + " < " + bound);
    if (rules.wholeObjects()) {
      checkObjects(rules, plan, peak, where);
    }
    return plan;
  }

  private static void checkObjects(PlannerRules rules, CasePlan plan, long peak, String where) {
    ObjectProblem objects = ObjectProblem.of(rules.problem(), rules.kinds());
    Map<Long, Integer> numbers = new HashMap<>();
    Map<Long, Long> sizes = new HashMap<>();
    int[] objectOf = new int[objects.count()];
    for (int item = 0; item < objectOf.length; item++) {
      long offset = plan.placement().offset(objects.buffer(item));
      objectOf[item] = numbers.computeIfAbsent(offset, at -> numbers.size());
      sizes.merge(offset, objects.size(item), Math::max);
    }
    long total = sizes.values().stream().mapToLong(Long::longValue).sum();
    assertEquals(Optional.empty(), ObjectVerifier.fault(objects, objectOf, total), where);
    long least = ObjectLevels.of(objects).value();
    assertTrue(total >= least, where + ": objects of " + total + " < " + least);
    assertTrue(peak >= least - objects.largestRounding(), where + ": " + peak + " < " + least);
  }
}
