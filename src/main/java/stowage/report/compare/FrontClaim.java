package stowage.report.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import stowage.compiler.core.ImplicitDependencies;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ReuseCost;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.planning.LoadedProblem;
import stowage.planning.ParetoFront;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;

/**
 * A {@code front.json} checked against its problem: the plan of each point is verified, and its
 * figures are worked out again. The bounds have no certificates: they are compared with all plans
 * of the answer, those of systems included, whose figures are taken as they are.
 */
public final class FrontClaim {
  private static final Set<String> FREE = Set.of("seconds", "systems");

  private FrontClaim() {}

  public static boolean isFront(JsonNode answer) {
    return answer.has("pareto") && answer.has("points");
  }

  /**
   * Checks an answer. O(points^2 + buffers^2 * points) at worst.
   *
   * @param plans the placement of each point
   */
  public static AnswerFindings check(JsonNode said, LoadedProblem input, List<Placement> plans) {
    PackingProblem problem = input.problem();
    List<String> found = new ArrayList<>();
    List<FrontReport.Other> known = new ArrayList<>();
    for (int k = 0; k < plans.size(); k++) {
      Placement plan = plans.get(k);
      List<Violation> wrong = Verifier.violations(problem, plan);
      if (!wrong.isEmpty()) {
        found.add("the plan of points[%d] does not hold: %s".formatted(k, wrong.get(0).text()));
      }
      long peak =
          IntStream.range(0, problem.memories().size()).mapToLong(m -> plan.peak(problem, m)).sum();
      known.add(new FrontReport.Other("", peak, ReuseCost.of(problem, plan), 0));
    }
    if (!found.isEmpty()) {
      return AnswerFindings.invalid(found.toArray(String[]::new));
    }
    for (JsonNode system : said.path("systems")) {
      long cost = system.path("reuseCost").asLong();
      known.add(new FrontReport.Other("", system.path("peak").asLong(), cost, 0));
    }
    List<FrontReport.Point> points = new ArrayList<>();
    boolean network = input.planningCase().hasNetwork();
    int before = 0;
    for (int k = 0; k < plans.size(); k++) {
      FrontReport.Other own = known.get(k);
      if (k > 0
          && (own.peak() <= known.get(k - 1).peak() || own.cost() >= known.get(k - 1).cost())) {
        found.add("points[%d] has no higher peak and lower price than the one before".formatted(k));
      }
      ImplicitDependencies waits =
          network ? ImplicitDependencies.of(input.planningCase(), plans.get(k)) : null;
      before = network ? waits.criticalPathBefore() : 0;
      JsonNode point = said.path("points").path(k);
      points.add(
          new FrontReport.Point(
              own.peak(),
              least(
                  point.path("lowerBound"),
                  known,
                  f -> f.cost() <= own.cost() ? f.peak() : own.peak()),
              own.cost(),
              least(
                  point.path("reuseBound"),
                  known,
                  f -> f.peak() <= own.peak() ? f.cost() : own.cost()),
              network ? waits.criticalPathAfter() : 0));
    }
    boolean several = problem.memories().size() > 1;
    String memories = several ? String.join(" + ", ParetoFront.memories(problem)) : "";
    Status status = plans.isEmpty() ? Status.INFEASIBLE : Status.OPTIMAL;
    long cheapest = known.stream().mapToLong(FrontReport.Other::cost).min().orElse(0);
    boolean complete =
        plans.isEmpty() || known.get(plans.size() - 1).cost() <= (isOpen(problem) ? 0 : cheapest);
    boolean whole = complete && said.path("status").asText().equals(status.name());
    FrontReport right = new FrontReport("", memories, points, whole, List.of(), before, 0);
    new AnswerContradictions("the answer", FREE::contains, found).compare(said, right.json());
    long bound = said.at("/points/0/lowerBound").asLong();
    return AnswerFindings.unproven(
        Map.of("points", plans.size()),
        ByteText.count(plans.size(), "point"),
        bound,
        "search",
        "peak at least " + ByteText.both(bound) + ", and no other points",
        found);
  }

  /** Whether all buffers can be side by side, where nothing is paid: a whole front ends there. */
  private static boolean isOpen(PackingProblem problem) {
    return problem.relations().together().isEmpty()
        && problem.buffers().stream().noneMatch(Buffer::isFixed)
        && problem.memories().stream().allMatch(one -> one.capacity() == Memory.UNBOUNDED);
  }

  /** A bound as it is said, unless a plan refutes it. */
  private static long least(
      JsonNode said, List<FrontReport.Other> known, ToLongFunction<FrontReport.Other> figure) {
    return AnswerFindings.bound(said, known.stream().mapToLong(figure).min().orElseThrow());
  }
}
