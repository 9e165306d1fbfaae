package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.help.JsonSchema;
import stowage.network.Graphs;

/** What a plan says of itself is held against the plan, and a network is run in its bytes. */
class VerifyCommandTest extends FolderTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Path input;
  private ObjectNode plan;

  @BeforeEach
  void planTwoBuffersOfTwelveBytes() throws IOException {
    input = file("in.csv", "id,lower,upper,size\na,0,3,4\nb,1,5,8\n");
    plan(0);
    JsonChecks.holds(plan, "status=OPTIMAL peak=12");
  }

  private void plan(int code, Object... options) throws IOException {
    Stowage.run("plan", input, "--out", folder, "--threads", 1, options).ends(code);
    plan = JsonChecks.read(folder.resolve("plan.json"));
  }

  private Stowage verified(Consumer<ObjectNode> change, Object... options) throws IOException {
    ObjectNode changed = plan.deepCopy();
    change.accept(changed);
    Path file = folder.resolve("changed.json");
    MAPPER.writeValue(file.toFile(), changed);
    return Stowage.run("verify", input, file, options);
  }

  /** Sets the value at a JSON pointer. */
  private static ObjectNode set(ObjectNode claim, String pointer, Object value) {
    int cut = pointer.lastIndexOf('/');
    ObjectNode parent = (ObjectNode) claim.at(pointer.substring(0, cut));
    parent.set(pointer.substring(cut + 1), MAPPER.valueToTree(value));
    return claim;
  }

  /** Holds that the plan with another value at a JSON pointer is refuted with some words. */
  private void refuted(String pointer, Object value, String... words) throws IOException {
    verified(claim -> set(claim, pointer, value)).ends(6).prints(words);
  }

  private static void claimByWord(ObjectNode plan, long bound) {
    plan.put("lowerBound", bound).put("boundKind", "search").remove("gap");
    set(plan, "/memories/0/lowerBound", bound);
    plan.putObject("certificate").put("kind", "search").put("engine", "search 1.0");
  }

  @Test
  void aTruePlanIsValid() throws IOException {
    Stowage run = verified(unchanged -> {}, "--json").holds("valid=true bound/proven=true");
    assertEquals(0, run.json().get("contradictions").size());
  }

  @ParameterizedTest
  @CsvSource({"12, 0", "13, 6", "17, 6", "99, 6"})
  void aBoundAboveThePlansOwnPeakIsRefutedWhoeverGivesItsWord(long bound, int code)
      throws IOException {
    Stowage run = verified(claim -> claimByWord(claim, bound)).ends(code);
    assertEquals(code == 6, run.out().contains("its own peak is 12"), run.out());
  }

  @ParameterizedTest
  @CsvSource({"1", "11", "13", "0"})
  void aPeakThatIsNotThePlansIsRefuted(long peak) throws IOException {
    Stowage run = verified(claim -> claim.put("peak", peak), "--json").ends(6).holds("valid=false");
    assertEquals(
        "the plan says that its peak is " + peak + " bytes; it is 12",
        run.json().at("/contradictions/0").asText());
    refuted("/memories/0/peak", peak, "the peak of memory \"main\" is " + peak);
  }

  @Test
  void optimalWithABoundBelowThePeakIsRefuted() throws IOException {
    verified(claim -> claimByWord(claim, 8))
        .ends(6)
        .prints("OPTIMAL; its bound of 8 bytes is below");
    Consumer<ObjectNode> feasible = claim -> claimByWord(claim.put("status", "FEASIBLE"), 8);
    verified(feasible).ends(0);
  }

  @Test
  void theProofThatNothingFitsIsCheckedAgain() throws IOException {
    plan(4, "--capacity", 11);
    verified(same -> {})
        .ends(0)
        .prints("INFEASIBLE, max-load: re-checked; no plan fits within 11 bytes");
    verified(same -> {}, "--json").holds("valid=true infeasibility/proven=true");
    verified(same -> {}, "--capacity", 12).ends(6).prints("the certificate proves 12, not 13");
    verified(
            claim ->
                ((ObjectNode) claim.get("infeasibility"))
                    .put("kind", "search")
                    .put("engine", "x")
                    .put("checked", false))
        .ends(0)
        .prints("search: solver claim, not checked");
    verified(claim -> claim.put("status", "UNKNOWN")).ends(3).says("holds no plan: its status is");
    Path answer = folder.resolve("plan.json");
    Stowage.run("diff", answer, answer).ends(3).says("holds no plan: its status is INFEASIBLE");
  }

  /** A plan.json alone is compared with another only where it says what its buffers are. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'lower': 0, 'upper': 2|buffer \"a\": has no size or no live range",
        "'size': 4, 'upper': 2|buffer \"a\": has no size or no live range",
        "'size': -4, 'lower': 0, 'upper': 2|buffer \"a\": size -4 should be 0 or more",
      },
      quoteCharacter = '`')
  void aPlanWithoutSizesOrStepsIsNotCompared(String fields, String right) throws IOException {
    String text = "{'placements': [{'id': 'a', 'offset': 0, " + fields + "}]}";
    Path odd = file("odd.json", text.replace('\'', '"'));
    Stowage.run("diff", odd, odd).ends(3).says("odd.json: " + right);
  }

  @Test
  void aContradictionOfRelationsIsReadBack() throws IOException {
    Path odd =
        file(
            "odd.json",
            """
            {"memories": [{"name": "m", "alignment": 2}],
             "buffers": [{"id": "a", "lower": 0, "upper": 2, "size": 1},
                         {"id": "b", "lower": 0, "upper": 2, "size": 1}],
             "together": [{"a": "a", "b": "b", "distance": 1}]}
            """);
    Stowage.run("plan", odd, "--out", folder).ends(4);
    Stowage.run("verify", odd, folder.resolve("plan.json"))
        .ends(0)
        .prints("INFEASIBLE, relations: solver claim, not checked");
  }

  @Test
  void aDumpAloneIsCheckedModuleByModuleInJsonToo() {
    Path dump = Path.of("models/examples/snapshot.pickle");
    Stowage run = Stowage.run("verify", dump, "--json").ends(0);
    run.holds("holds=true plans/0/module=device0 plans/0/maxLoad=36864");
    assertEquals(List.of(), JsonSchema.named("verify").faults(run.json()));
  }

  @Test
  void aValidPlanRefutesThatThereIsNone() throws IOException {
    refuted("/status", "INFEASIBLE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lowerBound|null|should be a whole number",
        "lowerBound|\"12\"|should be a whole number",
        "lowerBound|-1|should be a whole number",
        "lowerBound|5.5|should be a whole number",
        "lowerBound|1e30|should be a whole number",
        "certificate|null|should be an object",
        "certificate|[]|should be an object",
        "certificate|{\"kind\": \"magic\", \"memory\": \"main\"}|is not known",
        "certificate|{\"kind\": \"banks\", \"memory\": \"main\", \"buffers\": {\"a\": 1}}|is not"
            + " part",
        "certificate|{\"kind\": \"reuse-cuts\", \"cuts\": {\"a\": 1}}|should be a number",
        "certificate|{\"kind\": \"reuse-cuts\", \"scale\": 1}|says nothing about this figure",
        "certificate|{\"kind\": \"max-load\", \"engine\": \"x\"}|is not part of the problem",
        "certificate|{\"kind\": \"relations\"}|says nothing about this figure",
        "infeasibility|{\"kind\": \"reuse-cuts\", \"scale\": 1}|says nothing about this figure",
        "reuseCertificate|{\"kind\": \"banks\", \"memory\": \"main\"}|says nothing about this",
        "peak|\"12\"|should be a whole number",
        "peak|-12|should be a whole number",
        "status|\"OPTIMUM\"|should be one of",
        "status|null|should be a text",
        "memories|{}|should be an array",
        "memories|[1]|should be an object",
        "memories|[{\"name\": \"m\"}, {\"name\": \"m\"}]|is defined twice",
      })
  void aMalformedClaimIsAFaultOfTheFile(String field, String value, String right)
      throws IOException {
    Stowage run = verified(claim -> set(claim, "/" + field, JsonChecks.read(value))).ends(3);
    assertEquals(1, run.err().lines().count(), run.err());
    run.says("changed.json", right, field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "status|\"UNKNOWN\"|it is UNKNOWN",
        "boundKind|\"energy\"|its bound is of kind energy",
        "gap|0.5|its gap is 50 %",
        "buffers|3|it has 3 buffers; it has 2",
        "memories|[{\"name\": \"main\", \"lowerBound\": 4611686018427387904}]|at least 46116860",
        "memories|[{\"name\": \"main\", \"capacity\": 11}]|its peak there is 12",
        "objective|[{\"figure\": \"peak\", \"value\": 13}]|its peak is 13; it is 12",
        "objective|[{\"figure\": \"peak\", \"bound\": 13}]|no plan has less peak than 13",
        "objective|[{\"figure\": \"peak\", \"bound\": 9}]|its bound of the peak, 9, is below 12",
        "objective|[{\"figure\": \"speed\", \"bound\": 9}]|\"speed\", which is no figure",
      })
  void everyClaimIsHeldAgainstThePlan(String field, String value, String right) throws IOException {
    refuted("/" + field, JsonChecks.read(value), right);
  }

  private static final Set<String> OF_THE_RUN =
      Set.of(
          "schemaVersion seconds seed threads peakRssBytes engines improvements certificate infeasibility"
              .split(" "));

  /** Every number of an answer, except for those of the run and in proofs, one higher. */
  private int raiseEveryFigure() throws IOException {
    List<String> pointers = new ArrayList<>();
    numbers(plan, "", pointers);
    for (String pointer : pointers) {
      JsonNode right = plan.at(pointer);
      JsonNode more =
          right.isIntegralNumber()
              ? LongNode.valueOf(right.asLong() + 1)
              : DoubleNode.valueOf(right.asDouble() + 1);
      Stowage run = verified(claim -> set(claim, pointer, more));
      assertTrue(run.code() == 6 || run.code() == 3, pointer + ": " + run.out());
    }
    return pointers.size();
  }

  private static void numbers(JsonNode node, String at, List<String> pointers) {
    node.properties().stream()
        .filter(field -> !OF_THE_RUN.contains(field.getKey()))
        .forEach(field -> numbers(field.getValue(), at + "/" + field.getKey(), pointers));
    for (int k = 0; node.isArray() && k < node.size(); k++) {
      numbers(node.get(k), at + "/" + k, pointers);
    }
    if (node.isNumber()) {
      pointers.add(at);
    }
  }

  @Test
  void noFigureOfAnAnswerIsRaisedUnnoticed() throws IOException {
    plan(0, "--capacity", 13);
    assertTrue(raiseEveryFigure() > 15);
    plan(4, "--capacity", 11);
    assertTrue(raiseEveryFigure() > 8);
    Graphs network = Graphs.of("x:64; weight w:32 v:64; a:64 = Add x w; b:64 = Add a v; -> b");
    input = network.write(folder.resolve("net.json"));
    plan(0);
    assertTrue(raiseEveryFigure() > 25);
    refuted("/weights/0/tensor", "v", "its weights[0].tensor is \"v\"; it is \"w\"");
    refuted("/placements/0/tensors", List.of("v"), "its tensors of \"x\"");
    long aligned = plan.at("/weights/1/offset").asLong();
    verified(claim -> swapWeights(claim, aligned)).ends(0);
    verified(claim -> swapWeights(claim, aligned + 1)).ends(6).prints("its weights[1].offset is");
  }

  /** Lists the second of two weights first, as the file of another model may have them. */
  private static void swapWeights(ObjectNode claim, long second) {
    ArrayNode weights = (ArrayNode) claim.get("weights");
    weights.add(weights.remove(0));
    ((ObjectNode) weights.get(0)).put("offset", 0);
    ((ObjectNode) weights.get(1)).put("offset", second);
  }

  @Test
  void aBoundWithoutAProofIsHeldAgainstAQuickOne() throws IOException {
    verified(claim -> claim.remove("certificate")).ends(0);
    verified(claim -> claim.remove("lowerBound")).ends(0);
    input = file("in.csv", "id,lower,upper,size\na,0,3,4\nb,1,5,8\nc,6,7,30\n");
    plan(0, "--planner", "greedy-size");
    ObjectNode high = plan.deepCopy();
    high.remove(List.of("certificate", "boundKind", "gap", "memories", "totalBytes"));
    set(high, "/placements/2/offset", 7);
    verified(claim -> claim.removeAll().setAll(high.put("peak", 37).put("lowerBound", 31)))
        .ends(6)
        .prints("no peak is below 31 bytes; it names no proof, and proven is 30");
    high.remove("lowerBound");
    verified(claim -> claim.removeAll().setAll(high.put("status", "OPTIMAL")))
        .ends(6)
        .prints("no peak is below 37 bytes; it names no proof, and proven is 30");
    verified(claim -> claim.removeAll().setAll(high.put("status", "FEASIBLE"))).ends(0);
  }

  @Test
  void whatIsWrongWithTheInputsOwnPlanIsAMatterOfOptions() throws IOException {
    input = Path.of("models/examples/forward.pte");
    plan(0, "--alignment", 4096);
    long peak = plan.at("/baseline/peak").asLong();
    assertTrue(plan.at("/baseline/status").asText().contains("multiple"), plan.toString());
    verified(unchanged -> {}).ends(0);
    refuted("/baseline/peak", 11, "its baseline.peak is 11; it is " + peak);
    input = Path.of("models/examples/small.mlir");
    plan(0, "--effort", "fast");
    Path converted = folder.resolve("converted.json");
    Stowage.run("convert", input, "--to", "json", "--out", converted).ends(0);
    Stowage.run("verify", converted, folder.resolve("plan.json")).ends(0);
  }

  @Test
  void whatIsSaidTwiceAgrees() throws IOException {
    verified(claim -> claim.put("capacity", 13)).ends(0);
    refuted("/memories/0/name", "dram", "its memories are [dram]; the problem's are [main]");
    verified(claim -> set(claim, "/memories/0/capacity", 14)).ends(0);
    verified(claim -> set(claim.put("capacity", 13), "/memories/0/capacity", 14))
        .ends(6)
        .prints("its capacity is 13 bytes, and that of \"main\" 14");
    Consumer<ObjectNode> low = claim -> claimByWord(claim.put("status", "FEASIBLE"), 8);
    verified(low.andThen(claim -> set(claim, "/memories/0/lowerBound", 9)))
        .ends(6)
        .prints("the bound of \"main\" is 9 bytes; proven is 8");
    verified(low.andThen(claim -> set(claim, "/certificate/checked", true)))
        .ends(6)
        .prints("its proof, search, is checked; such a proof cannot be");
  }

  @Test
  void aCapacityThatIsNotTheProblemsIsRefuted() throws IOException {
    verified(unchanged -> {}, "--capacity", 12).ends(0);
    verified(claim -> set(claim, "/memories/0/capacity", 14), "--capacity", 12)
        .ends(6)
        .prints("the capacity of memory \"main\" is 14 bytes; it is 12");
  }

  @Test
  void aCertificateAboutAnotherMemoryProvesNothingOfTheLast() throws IOException {
    input =
        file(
            "two.json",
            """
            {"memories": [{"name": "m0"}, {"name": "m1"}],
             "buffers": [{"id": "a", "lower": 0, "upper": 4, "size": 100, "memories": ["m0"]},
                         {"id": "x", "lower": 0, "upper": 4, "size": 100}]}
            """);
    plan =
        JsonChecks.read(
            """
            {"status": "OPTIMAL", "peak": 100, "lowerBound": 100, "boundKind": "max-load",
             "certificate": {"kind": "max-load", "memory": "m0", "step": 0, "buffers": ["a"]},
             "placements": [{"id": "a", "offset": 0, "memory": "m0"},
                            {"id": "x", "offset": 0, "memory": "m1"}]}
            """);
    verified(unchanged -> {}).ends(6).prints("about memory \"m0\"; the bound is about \"m1\"");
    verified(claim -> claim.withObject("/certificate").put("step", 0.5))
        .ends(3)
        .says("step 0.5 should be a step");
  }

  @Test
  void aPlanThatCountsTheBytesBeyondACapacityMayHaveSome() throws IOException {
    input =
        file(
            "over.json",
            """
            {"memories": [{"name": "m", "capacity": 10}], "objective": ["overflow"],
             "buffers": [{"id": "a", "lower": 0, "upper": 2, "size": 8},
                         {"id": "b", "lower": 0, "upper": 2, "size": 8}]}
            """);
    plan(0);
    assertEquals(6, plan.at("/objective/0/value").asLong());
    verified(unchanged -> {}).ends(0);
    verified(claim -> claim.remove("objective")).ends(6);
    refuted("/objective/0/value", 5, "its overflow is 5; it is 6");
    verified(claim -> ((ObjectNode) claim.at("/objective/0")).put("value", 6.5))
        .ends(3)
        .says("6.5 should be a whole number");
    Stowage.run("plan", input, "--threads", 1).prints("overflow  6 bytes beyond the capacity");
  }

  @Test
  void aPriceWithinCapacitiesIsNotThatOfPlansBeyondThem() throws IOException {
    input =
        file(
            "over.json",
            """
            {"memories": [{"name": "m", "capacity": 5}], "objective": ["overflow", "reuse"],
             "buffers": [{"id": "a", "lower": 4, "upper": 6, "size": 4},
                         {"id": "b", "lower": 2, "upper": 4, "size": 5},
                         {"id": "c", "lower": 0, "upper": 3, "size": 5}],
             "reuse": [{"a": "a", "b": "c", "weight": 2}]}
            """);
    plan =
        JsonChecks.read(
            """
            {"reuseCost": 2, "reuseBound": 2,
             "reuseCertificate": {"kind": "reuse-cuts", "scale": 1, "cuts": [
               {"multiplier": 2, "group": 0, "memory": "m", "buffers": ["a", "c"],
                "given": [], "divisor": 4}]},
             "objective": [{"figure": "overflow", "value": 5, "bound": 5},
                           {"figure": "reuse", "value": 2, "bound": 2}],
             "placements": [{"id": "a", "offset": 5}, {"id": "b", "offset": 0},
                            {"id": "c", "offset": 5}]}
            """);
    verified(unchanged -> {}).ends(6).prints("the certificate proves 0, not 2");
  }

  @Test
  void aPlanWithoutABoundIsHeldAgainstAQuickOne() throws IOException {
    Path csv = file("high.csv", "id,lower,upper,size,offset\na,0,2,4,0\nb,0,2,4,6\n");
    Stowage.run("verify", csv, csv, "--ignore-offsets")
        .ends(0)
        .prints("bound 8 bytes, max-load: re-checked; the peak is at most 25 % above the optimum");
  }

  @Test
  void aPlanThatSaysNothingOfItselfIsTakenAsItIs() throws IOException {
    verified(claim -> claim.retain("placements").set("x", JsonNodeFactory.instance.nullNode()))
        .ends(0);
    Stowage.run("verify", input, folder.resolve("plan.csv")).ends(0);
  }

  /** Three buffers of 4 bytes one after the other, of which every two cost something, in 8. */
  private void planThatPays() throws IOException {
    input =
        file(
            "paid.json",
            """
            {"buffers": [{"id": "a", "lower": 0, "upper": 1, "size": 4},
                         {"id": "b", "lower": 1, "upper": 2, "size": 4},
                         {"id": "c", "lower": 2, "upper": 3, "size": 4}],
             "memories": [{"name": "m", "capacity": 8}],
             "reuse": [{"a": "a", "b": "b", "weight": 3}, {"a": "b", "b": "c", "weight": 5},
                       {"a": "a", "b": "c", "weight": 4}]}
            """);
    plan(4, "--capacity", 3);
    Stowage.run("verify", input, folder.resolve("plan.json"), "--capacity", 3).ends(0);
    plan(0, "--objective", "reuse");
    JsonChecks.holds(plan, "reuseCost=3 status=OPTIMAL");
  }

  @Test
  void thePriceOfReuseIsAddedUpAgain() throws IOException {
    planThatPays();
    verified(unchanged -> {}, "--json").holds("valid=true reuseCost=3 reuseBound/proven=true");
    refuted("/reuseCost", 2);
    refuted("/reuseBound", 4);
    verified(claim -> claim.remove("reuseCertificate")).ends(6).prints("it names no proof");
    verified(claim -> claim.remove("reuseBound")).ends(6).prints("it is OPTIMAL");
    refuted("/reuseBound", 2);
    refuted("/paid", List.of());
    refuted("/paid/0/weight", 2);
    String multiplier = "/reuseCertificate/cuts/0/multiplier";
    verified(claim -> set(claim.put("status", "FEASIBLE"), multiplier, 0))
        .ends(6)
        .prints("the certificate proves 0, not 3");
  }
}
