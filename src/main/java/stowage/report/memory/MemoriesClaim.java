package stowage.report.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import stowage.packing.ByteText;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;
import stowage.residency.ResidencySolver;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.verify.ResidencyVerifier;

/**
 * A {@code memories.json} checked against its network and memory map: its plan is read, replayed by
 * the verifier, and every figure is worked out again. The bound is a solver's, which has no
 * certificate.
 */
public final class MemoriesClaim {
  private static final Set<String> FREE = Set.of("seconds");

  /** Of times and offsets, so that sums of them are numbers too. */
  private static final long MOST = Long.MAX_VALUE / 8;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

  private MemoriesClaim() {}

  /** Whether an answer is a network's plan over the memories of a map. */
  public static boolean isMemories(JsonNode answer) {
    return answer.has("map") && (answer.has("trafficBytes") || isMisfit(answer));
  }

  /** Whether an answer is that there is no plan. */
  public static boolean isMisfit(JsonNode answer) {
    return answer.has("irreducible") || answer.has("together");
  }

  /**
   * Checks an answer that has its plan, as {@link ResidencyVerifier} does, or that there is none.
   */
  public static AnswerFindings check(
      JsonNode said, ResidencyProblem problem, Map<String, Object> rules) {
    return isMisfit(said) ? misfit(said, problem) : plan(said, problem, rules);
  }

  /** What has to be in one memory is added up again; a solver's proof has no certificate. */
  private static AnswerFindings misfit(JsonNode said, ResidencyProblem problem) {
    List<String> found = new ArrayList<>();
    ResidencyProblem.Misfit right = problem.misfit();
    boolean solved = !said.has("memory");
    if (solved) {
      List<String> all = problem.items().stream().map(HeldBuffer::label).toList();
      List<String> named = new ArrayList<>();
      boolean irreducible = said.has("irreducible");
      said.path(irreducible ? "irreducible" : "together").forEach(name -> named.add(name.asText()));
      right = new ResidencyProblem.Misfit(null, null, named, irreducible);
      named.stream()
          .filter(name -> !all.contains(name))
          .forEach(name -> found.add("no buffer of the network is " + name));
    }
    if (right == null) {
      found.add("each memory can hold what has to be there at once");
    } else {
      String is = MemoriesReport.misfitJson(problem.map().name(), right).toString();
      new AnswerContradictions("the answer", Set.of()::contains, found).compare(said, is);
    }
    Map<String, Object> proof = new LinkedHashMap<>();
    proof.put("kind", solved ? "cp-sat" : "least-load");
    proof.put("proven", !solved && found.isEmpty());
    proof.put("fault", solved ? AnswerFindings.UNCHECKED : null);
    return new AnswerFindings(
        Map.of("status", "INFEASIBLE", "infeasibility", proof, "buffers", problem.items().size()),
        found.isEmpty()
            ? MemoriesReport.misfit(right)
                + ": "
                + (solved ? AnswerFindings.UNCHECKED : "re-checked")
            : "",
        null,
        found);
  }

  private static AnswerFindings plan(
      JsonNode said, ResidencyProblem problem, Map<String, Object> rules) {
    ResidencyPlan plan;
    ResidencyVerifier.Result result;
    try {
      plan = MAPPER.treeToValue(said.path("plan"), ResidencyPlan.class);
      if (!isWhole(said.path("plan"))) {
        return AnswerFindings.invalid("the plan is not made of whole numbers");
      }
      result = ResidencyVerifier.verify(problem, plan);
    } catch (JsonProcessingException wrong) {
      return AnswerFindings.invalid("the plan cannot be read: " + wrong.getOriginalMessage());
    } catch (IndexOutOfBoundsException missing) {
      return AnswerFindings.invalid("the plan names what is not there: " + missing.getMessage());
    }
    if (!result.holds()) {
      return AnswerFindings.invalid("the plan does not hold: " + result.violation());
    }
    long moved = result.movedBytes();
    long price = problem.byTime() ? result.nanoseconds() : moved;
    long bound = AnswerFindings.bound(said.path("lowerBound"), price);
    ResidencySolver.Answer answer =
        new ResidencySolver.Answer(plan, null, price, bound, moved, result.nanoseconds(), false);
    List<String> found = new ArrayList<>();
    new AnswerContradictions("the answer", FREE::contains, found)
        .compare(said, new MemoriesReport("", problem).whole(answer, 0, rules).toString());
    String time = MemoriesReport.milliseconds(result.nanoseconds());
    String least = problem.byTime() ? MemoriesReport.milliseconds(bound) : ByteText.both(bound);
    return AnswerFindings.unproven(
        Map.of("trafficBytes", moved, "nanoseconds", result.nanoseconds()),
        ByteText.both(moved) + " moved, " + time,
        bound,
        said.path("boundKind").asText(),
        said.path("objective").asText() + " at least " + least,
        found);
  }

  /** Whether all values are whole numbers whose sums are numbers too. */
  private static boolean isWhole(JsonNode value) {
    if (value.isContainerNode()) {
      return StreamSupport.stream(value.spliterator(), false).allMatch(MemoriesClaim::isWhole);
    }
    return value.canConvertToLong() && value.isIntegralNumber() && value.asLong() <= MOST;
  }
}
