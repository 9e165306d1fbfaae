package stowage.report.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import stowage.liveness.BufferUses;
import stowage.liveness.Liveness;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.ByteText;
import stowage.packing.IndexOrder;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.planning.schedule.ScheduleRun;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;
import stowage.schedule.NetworkOrders;
import stowage.schedule.bound.OpCut;
import stowage.schedule.bound.OpCutCheck;
import stowage.schedule.bound.OrderProof;
import stowage.schedule.bound.OrderProofCheck;
import stowage.schedule.model.OrderProblem;
import stowage.schedule.order.SystemOrders;

/**
 * An answer of {@code schedule} checked against its network and the orders and the plan that were
 * written with it: loads and the peak are worked out again, and the bound's proof is checked by
 * {@link OpCutCheck} or {@link OrderProofCheck}. A bound without a proof is only compared with the
 * figures.
 */
public final class ScheduleClaim {
  private static final Set<String> FREE =
      Set.of("problem finder remarks seconds orderSeconds tfliteMicro".split(" "));

  private static final String CUT = "op-cut";

  private final JsonNode said;
  private final PlanningCase planned;
  private final List<int[]> precedences;
  private final List<String> found = new ArrayList<>();

  /** Whether the certificate is one that can be checked. */
  private boolean checked;

  /** Whether the answer's precedences, if it has any, are those that were given. */
  private final boolean known;

  private ScheduleClaim(JsonNode said, PlanningCase planned, List<int[]> precedences) {
    this.said = said;
    this.planned = planned;
    this.precedences = precedences;
    this.known = said.has("precedences") == !precedences.isEmpty();
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
   * @param written the proof of a bound that is no op's cut; null where there is none
   * @param precedences pairs of ops that the answer was to keep, by index; none where unknown
   */
  public static AnswerFindings check(
      JsonNode answer,
      PlanningCase planned,
      Placement placement,
      Map<String, int[]> orders,
      JsonNode written,
      List<int[]> precedences) {
    return new ScheduleClaim(answer, planned, precedences).check(placement, orders, written);
  }

  private long load(int[] order) {
    PlanningCase other = Liveness.of(planned.network(), order, planned.options());
    return LoadProfile.of(other.problem()).maxLoad();
  }

  private AnswerFindings check(Placement placement, Map<String, int[]> orders, JsonNode written) {
    PackingProblem problem = planned.problem();
    List<Violation> wrong = placement == null ? List.of() : Verifier.violations(problem, placement);
    if (!wrong.isEmpty()) {
      found.add("the plan does not hold: " + wrong.get(0).text());
    }
    ObjectNode is = new ObjectMapper().createObjectNode();
    long load = load(planned.order());
    long bound = AnswerFindings.bound(said.path("loadBound"), load);
    Long peak = placement == null ? null : placement.peak(problem, 0);
    is.put("schemaVersion", 1).put("peak", peak).put("load", load);
    is.put("loadBound", bound).put("lowerBound", bound);
    is.put("ops", planned.network().ops().size());
    JsonNode capacity = said.path("capacity");
    boolean limited = capacity.isIntegralNumber() && capacity.canConvertToLong();
    is.set("capacity", limited && capacity.asLong() >= 0 ? capacity : null);
    boolean infeasible = is.hasNonNull("capacity") && bound > capacity.asLong();
    is.put("buffers", infeasible ? 0 : problem.size());
    Status solved = peak != null && peak == bound ? Status.OPTIMAL : Status.FEASIBLE;
    Status open = peak == null ? Status.UNKNOWN : solved;
    is.put("status", (infeasible ? Status.INFEASIBLE : open).name());
    if (known && !precedences.isEmpty()) {
      is.put("precedences", precedences.size());
    } else {
      is.set("precedences", said.get("precedences"));
    }
    checkPrecedences();
    putOrders(is.putArray("orders"), orders);
    JsonNode proof = said.path("certificate");
    is.set("boundKind", proof.path("kind"));
    ObjectNode certificate = is.putObject("certificate");
    proof.properties().forEach(field -> certificate.set(field.getKey(), field.getValue()));
    Optional<String> fault = fault(proof, written, bound, certificate);
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

  /** Adds what is wrong where the order runs two ops otherwise than it was to. */
  private void checkPrecedences() {
    int[] place = IndexOrder.places(planned.order(), planned.order().length);
    for (int[] pair : precedences) {
      if (place[pair[0]] >= place[pair[1]]) {
        List<Op> ops = planned.network().ops();
        String late = ops.get(pair[0]).name();
        found.add("op \"%s\" runs before \"%s\"".formatted(ops.get(pair[1]).name(), late));
      }
    }
  }

  /** Puts the loads of systems' orders, and whether these had to be changed. */
  private void putOrders(ArrayNode rows, Map<String, int[]> orders) {
    Network network = planned.network();
    NetworkOrders kept = NetworkOrders.of(BufferUses.of(network, planned.options()), precedences);
    Map<String, int[]> systems = known && !orders.isEmpty() ? SystemOrders.of(network) : Map.of();
    for (JsonNode row : said.path("orders")) {
      int[] order = orders.get(row.path("name").asText());
      if (order == null) {
        found.add("the answer's order " + row.path("name") + " is in no file of its folder");
      }
      ObjectNode right = rows.addObject();
      right.set("name", row.get("name"));
      right.put("load", order == null ? -1 : load(order));
      right.set("adapted", row.get("adapted"));
      int[] own = systems.get(row.path("name").asText());
      if (own != null && order != null) {
        int[] allowed = kept.allowedOps(own);
        right.put("adapted", !Arrays.equals(own, allowed));
        if (!Arrays.equals(order, allowed)) {
          found.add("the answer's order " + row.path("name") + " is not that system's");
        }
      }
    }
  }

  /** Why the certificate does not prove a bound; puts what it names as it is. */
  private Optional<String> fault(JsonNode proof, JsonNode written, long bound, ObjectNode right) {
    if (bound == 0) { // no load is negative
      return Optional.empty();
    }
    boolean isCut = proof.path("kind").asText().equals(CUT);
    if (!known) {
      return Optional.of("it is checked with the precedences: add --precedences FILE");
    }
    if (!isCut && written == null && !proof.path("checked").asBoolean()) {
      return Optional.of("a proof of this kind is not checked");
    }
    if (!isCut && written == null) {
      found.add("the answer's proof, certificate.json, is not in its folder");
      return Optional.of("it is not checked");
    }
    if (!isCut) {
      return faultOfWalk(written, bound, right);
    }
    long proven = -1;
    boolean whole = true;
    for (BufferUses uses : uses()) {
      NetworkOrders orders = NetworkOrders.of(uses, precedences);
      OrderProblem problem = orders.problem();
      ProofReader reader = new ProofReader(orders);
      boolean same = String.valueOf(right.get("buffers")).equals(proof.path("buffers").toString());
      OpCut cut = proven < bound || !same ? reader.cut(proof, bound) : null;
      if (cut != null) {
        proven = Math.max(proven, OpCutCheck.proven(problem, cut));
        new NamedCut(orders, cut).put(right);
        whole &= cut.op() < 0 || problem.overwrites(cut.op()).length == 0;
      }
      whole &= reader.isExact();
    }
    if (proven < bound && !whole) {
      return Optional.of("the answer names only a part of its proof; it is not checked");
    }
    checked = true;
    right.put("checked", proven >= bound);
    return proven >= bound ? Optional.empty() : Optional.of("the cut does not prove it");
  }

  /** The same of a proof by precedences or a walk, of which the answer has the figures alone. */
  private Optional<String> faultOfWalk(JsonNode written, long bound, ObjectNode right) {
    boolean exact = true;
    boolean proven = false;
    int walked = right.path("walked").asInt();
    for (BufferUses uses : uses()) {
      NetworkOrders orders = NetworkOrders.of(uses, precedences);
      ProofReader reader = new ProofReader(orders);
      exact &= reader.isExact();
      // Where both uses prove the bound, the answer has the figure of one of them.
      boolean same = proven && right.path("walked").asInt() == walked;
      OrderProof proof = same ? null : reader.proof(written);
      if (proof != null && proof.target() >= bound - 1) {
        OrderProofCheck check = new OrderProofCheck(orders.problem(), proof);
        boolean holds = check.holds(ScheduleRun.MOST_WALKED, () -> false);
        right.put("target", proof.target()).put("precedences", proof.precedences().size());
        right.put("stretches", proof.stretches().size()).put("reversed", proof.reversed());
        if (holds || !proven) {
          right.put("walked", check.walked());
        }
        proven |= holds;
      }
    }
    if (!proven && !exact) {
      return Optional.of("buffers of the same name are in its proof; it is not checked");
    }
    checked = true;
    right.put("checked", proven).set("kind", written.get("kind"));
    return proven ? Optional.empty() : Optional.of("certificate.json does not prove it");
  }

  /** What ops do with buffers under the plan's sharing, and under any. */
  private List<BufferUses> uses() {
    return List.of(
        BufferUses.of(planned.network(), planned.options()),
        BufferUses.leastOf(planned.network(), planned.options()));
  }
}
