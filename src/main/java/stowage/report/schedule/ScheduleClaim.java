package stowage.report.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import stowage.liveness.BufferUses;
import stowage.liveness.Liveness;
import stowage.liveness.PlanningCase;
import stowage.packing.ByteText;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;
import stowage.schedule.NetworkOrders;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OpCutCheck;
import stowage.schedule.model.OrderProblem;

/**
 * An answer of {@code schedule} checked against its network and the orders and the plan that were
 * written with it: loads and the peak are worked out again, and the cut of an op is checked as
 * {@link OpCutCheck} does. A bound of another kind is only compared with the figures.
 */
public final class ScheduleClaim {
  private static final Set<String> FREE =
      Set.of("problem finder remarks precedences seconds orderSeconds tfliteMicro".split(" "));

  private static final String CUT = "op-cut";

  private final JsonNode said;
  private final PlanningCase planned;
  private final List<String> found = new ArrayList<>();

  /** Whether the certificate is one that can be checked. */
  private boolean checked;

  private ScheduleClaim(JsonNode said, PlanningCase planned) {
    this.said = said;
    this.planned = planned;
  }

  /** Whether an answer is one of {@code schedule}. */
  public static boolean isSchedule(JsonNode answer) {
    return answer.has("orders") && answer.has("loadBound");
  }

  /**
   * Checks an answer.
   *
   * @param planned the network at the order found
   * @param placement of its buffers; null where there is none
   * @param orders those that the answer names, as indices of ops
   */
  public static AnswerFindings check(
      JsonNode answer, PlanningCase planned, Placement placement, Map<String, int[]> orders) {
    return new ScheduleClaim(answer, planned).check(placement, orders);
  }

  private long load(int[] order) {
    PlanningCase other = Liveness.of(planned.network(), order, planned.options());
    return LoadProfile.of(other.problem()).maxLoad();
  }

  private AnswerFindings check(Placement placement, Map<String, int[]> orders) {
    PackingProblem problem = planned.problem();
    List<Violation> wrong = placement == null ? List.of() : Verifier.violations(problem, placement);
    if (!wrong.isEmpty()) {
      found.add("the plan does not hold: " + wrong.get(0).text());
    }
    ObjectNode is = new ObjectMapper().createObjectNode();
    long load = load(planned.order());
    long bound = Math.min(load, said.path("loadBound").asLong());
    Long peak = placement == null ? null : placement.peak(problem, 0);
    is.put("schemaVersion", 1).put("peak", peak).put("load", load);
    is.put("loadBound", bound).put("lowerBound", bound);
    is.put("ops", planned.network().ops().size());
    is.put("buffers", placement == null ? 0 : problem.size());
    is.set("capacity", said.path("capacity").isIntegralNumber() ? said.get("capacity") : null);
    boolean infeasible = said.has("capacity") && bound > said.path("capacity").asLong();
    Status solved = peak != null && peak == bound ? Status.OPTIMAL : Status.FEASIBLE;
    Status open = peak == null ? Status.UNKNOWN : solved;
    is.put("status", (infeasible ? Status.INFEASIBLE : open).name());
    ArrayNode rows = is.putArray("orders");
    for (JsonNode row : said.path("orders")) {
      int[] order = orders.get(row.path("name").asText());
      if (order == null) {
        found.add("the answer's order " + row.path("name") + " is in no file of its folder");
      }
      ObjectNode right = rows.addObject();
      right.set("name", row.get("name"));
      right.put("load", order == null ? -1 : load(order));
      right.set("adapted", row.get("adapted"));
    }
    JsonNode proof = said.path("certificate");
    is.set("boundKind", proof.path("kind"));
    ObjectNode certificate = is.putObject("certificate");
    proof.properties().forEach(field -> certificate.set(field.getKey(), field.getValue()));
    Optional<String> fault = fault(proof, bound, certificate);
    new AnswerContradictions("the answer", FREE::contains, found).compare(said, is.toString());
    String claim = "load at least " + ByteText.both(bound) + " in every order";
    return new AnswerFindings(
        Map.of("load", load),
        "load " + ByteText.both(load) + (peak == null ? "" : ", peak " + ByteText.both(peak)),
        new AnswerFindings.Claim(
            "bound",
            bound,
            said.path("boundKind").asText(),
            claim,
            fault,
            checked && fault.isPresent()),
        found);
  }

  /** Why the certificate does not prove a bound; puts what it names as it is. */
  private Optional<String> fault(JsonNode proof, long bound, ObjectNode right) {
    if (!proof.path("kind").asText().equals(CUT) || said.has("precedences")) {
      return Optional.of("a proof of this kind is not checked");
    }
    long proven = -1;
    boolean whole = true;
    for (BufferUses uses :
        List.of(
            BufferUses.of(planned.network(), planned.options()),
            BufferUses.leastOf(planned.network(), planned.options()))) {
      NetworkOrders orders = NetworkOrders.of(uses, List.of());
      OrderProblem problem = orders.problem();
      Map<String, Integer> buffers =
          numbers(problem.buffers(), b -> NamedCut.bufferName(orders, b));
      boolean same = String.valueOf(right.get("buffers")).equals(proof.path("buffers").toString());
      OpCut cut = proven < bound || !same ? cut(orders, buffers, proof, bound) : null;
      if (cut != null) {
        proven = Math.max(proven, OpCutCheck.proven(problem, cut));
        new NamedCut(orders, cut).put(right);
        whole &= cut.op() < 0 || problem.overwrites(cut.op()).length == 0;
      }
      whole &= buffers.size() == problem.buffers();
    }
    if (proven < bound && !whole) {
      return Optional.of("the answer names only a part of its proof; it is not checked");
    }
    checked = true;
    right.put("checked", proven >= bound);
    return proven >= bound ? Optional.empty() : Optional.of("the cut does not prove it");
  }

  /** The cut by the numbers of a problem; null where it names what is not there. */
  private static OpCut cut(
      NetworkOrders orders, Map<String, Integer> buffers, JsonNode proof, long bound) {
    OrderProblem problem = orders.problem();
    Map<String, Integer> ops = numbers(problem.ops(), op -> NamedCut.opName(orders, op));
    List<OpCut.Chain> chains = new ArrayList<>();
    for (JsonNode chain : proof.path("chains")) {
      int[] links = all(chain.path("buffers"), buffers);
      if (links.length == 0 || IntStream.of(links).anyMatch(b -> b < 0)) {
        return null;
      }
      chains.add(new OpCut.Chain(chain.path("bytes").asLong(-1), links));
    }
    int[] downset = all(proof.path("downset"), ops);
    boolean none = proof.path("op").isNull();
    int op = none ? -1 : ops.getOrDefault(proof.path("op").asText(), -1);
    BitSet run = new BitSet();
    for (int next :
        op < 0 ? downset : IntStream.concat(IntStream.of(downset), IntStream.of(op)).toArray()) {
      if (next < 0
          || run.get(next)
          || IntStream.of(problem.before(next)).anyMatch(o -> !run.get(o))) {
        return null;
      }
      run.set(next);
    }
    return op < 0 && !none
        ? null
        : new OpCut(op, List.of(new OpCut.Case(-1, -1, chains)), bound, downset);
  }

  private static Map<String, Integer> numbers(int count, IntFunction<String> name) {
    Map<String, Integer> numbers = new HashMap<>();
    for (int k = 0; k < count; k++) {
      numbers.put(name.apply(k), k);
    }
    return numbers;
  }

  private static int[] all(JsonNode names, Map<String, Integer> numbers) {
    return StreamSupport.stream(names.spliterator(), false)
        .mapToInt(name -> numbers.getOrDefault(name.asText(), -1))
        .toArray();
  }
}
