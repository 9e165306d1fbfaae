package stowage.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.importer.io.CsvRows;
import stowage.importer.io.InputException;
import stowage.importer.own.AnswerFile;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.planning.LoadedProblem;
import stowage.planning.RulesOfPlan;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitClaim;
import stowage.planning.fit.FitOrigins;
import stowage.planning.fit.FitRequest;
import stowage.planning.fit.price.FitCompute;
import stowage.report.fit.FitText;
import stowage.report.format.AnswerContradictions;
import stowage.report.format.AnswerFindings;
import stowage.report.plan.VerificationText;
import stowage.rewrite.Rewriting;

/** An answer of {@code fit} checked against its network and the files that were written with it. */
final class FitCheck {
  private FitCheck() {}

  /** Checks what an answer says of prices, and of the plan in the folder that it is in. */
  static AnswerFindings of(InputOptions input, Path plan, ObjectNode answer, FitClaim claim) {
    Path network = plan.resolveSibling("network.json");
    Path written = plan.resolveSibling("plan.json");
    RulesOfPlan rules = RulesOfPlan.read(plan);
    Long alignment =
        rules.alignment() == null && Files.exists(written)
            ? RulesOfPlan.read(written).alignment()
            : null;
    if (alignment != null) {
      input.alignUnlessGiven(alignment);
    }
    input.planned = plan;
    PlanningCase given = new ProblemLoader(input).load().planningCase();
    if (!given.hasNetwork()) {
      throw new InputException(
          input.input, "", "is no network; " + plan + " is an answer of fit to one");
    }
    boolean shared = input.inPlace != null || rules.inPlace() != null;
    FitClaim.Findings prices =
        claim.check(given.network(), FitRequest.shared(given.options(), shared));
    List<String> found = new ArrayList<>(prices.contradictions());
    long multiple = given.options().alignment();
    if (!given.network().format().equals("tflite")
        && answer.path("load").asLong() % multiple != 0) {
      found.add(
          "its load of %s bytes is no multiple of %d, to which sizes are rounded up: see --alignment"
              .formatted(answer.get("load"), multiple));
    }
    boolean placed = answer.path("peak").isNumber();
    if (!placed) {
      ObjectNode none = answer.objectNode().put("ops", given.network().ops().size());
      none.put("buffers", 0).putNull("extraBytes").putNull("persistentExtra");
      compare(answer, none, found);
    }
    Long peak =
        placed && Files.exists(network) && Files.exists(written)
            ? peak(given, network, written, answer, found)
            : null;
    return FitText.verified(prices, peak, found);
  }

  /** The peak of the plan written for the rewritten network; adds what does not agree with it. */
  private static long peak(
      PlanningCase given, Path network, Path written, ObjectNode answer, List<String> found) {
    InputOptions input = new InputOptions();
    input.input = network;
    input.planned = written;
    LoadedProblem planned = new ProblemLoader(input).load();
    VerificationText.Findings findings = PlanCheck.of(written, planned);
    if (!findings.isValid()) {
      found.add("the plan does not hold: see stowage verify " + network + " " + written);
    }
    long alignment = planned.planningCase().options().alignment();
    if (alignment != given.options().alignment()) {
      found.add(
          "its prices are of sizes in multiples of %d bytes; its plan is of multiples of %d"
              .formatted(given.options().alignment(), alignment));
    }
    ObjectNode is = AnswerFile.read(written).retain("lowerBound", "boundKind", "certificate");
    is.put("peak", findings.peak()).put("load", LoadProfile.of(planned.problem()).maxLoad());
    is.put("buffers", planned.problem().size());
    Network rewritten = planned.planningCase().network();
    is.put("ops", rewritten.ops().size());
    is.put("extra", FitCompute.of(rewritten) - FitCompute.of(given.network()));
    Path order = network.resolveSibling("order.csv");
    if (Files.exists(order)) {
      if (!Arrays.equals(ProblemLoader.order(rewritten, order), planned.planningCase().order())) {
        found.add(order + " has another order of ops than the plan");
      }
      try {
        Rewriting rewriting = FitOrigins.of(given.network(), rewritten, origins(order));
        addPrices(is, rewriting, planned.planningCase(), answer);
        found.addAll(FitOrigins.contradictions(rewriting, answer.path("runs")));
      } catch (IllegalArgumentException other) {
        found.add(other.getMessage());
      }
    }
    compare(answer, is, found);
    return findings.peak();
  }

  /** Compares the fields of an answer that are known. */
  private static void compare(ObjectNode answer, ObjectNode is, List<String> found) {
    List<String> names = new ArrayList<>();
    is.fieldNames().forEachRemaining(names::add);
    JsonNode said = answer.deepCopy().retain(names);
    new AnswerContradictions("the answer", "certificate.reason"::equals, found)
        .compare(said, is.toString());
  }

  /** What is moved, kept and computed again; of copies of pieces the names do not tell. */
  private static void addPrices(
      ObjectNode is, Rewriting rewriting, PlanningCase planned, ObjectNode answer) {
    is.put("extraBytes", FitCompute.moved(rewriting, planned));
    if (!answer.has("recomputed") || answer.path("runs").isEmpty()) {
      boolean keeps = rewriting.given().format().equals("tflite");
      is.put("persistentExtra", keeps ? FitCompute.kept(rewriting) : 0);
      ArrayNode again = is.putArray("recomputed");
      FitAnswer.RecomputeFacts.again(rewriting)
          .forEach((op, times) -> again.addObject().put("op", op).put("times", times));
    }
  }

  /** The op of the given network for each op of the written one, as an order.csv says. */
  private static Map<String, String> origins(Path order) {
    Map<String, String> origins = new HashMap<>();
    try (CsvRows rows = new CsvRows(order)) {
      rows.next(); // position,op,name
      while (rows.next() && rows.fields() == 3) {
        origins.put(rows.text(2, "name"), rows.text(1, "op"));
      }
    }
    return origins;
  }
}
