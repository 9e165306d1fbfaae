package stowage.exact.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;

/** Problems with relations, banks and prices whose answer is known by reasoning. */
class RelationCasesTest extends FolderTest {
  private JsonNode plan(String problem, Object... more) throws IOException {
    Path file = file("problem.json", problem);
    return Stowage.run("plan", file, "--json", "--threads", 1, "--time-limit", "20s", more).json();
  }

  private static void assertPeak(long peak, JsonNode answer) {
    JsonChecks.holds(answer, "status=OPTIMAL peak=%d lowerBound=%1$d".formatted(peak));
  }

  private static String buffer(String id, int upper, long size, String more) {
    return "{\"id\": \"%s\", \"lower\": 0, \"upper\": %d, \"size\": %d%s}"
        .formatted(id, upper, size, more);
  }

  /** A problem of some buffers, with further fields in single quotes. */
  private static String problem(String more, String... buffers) {
    String fields = more.replace('\'', '"');
    return "{\"buffers\": [%s], %s}".formatted(String.join(", ", buffers), fields);
  }

  /** z has no bytes, or is never alive; a begins 4 before it, or 4 after it. */
  @ParameterizedTest
  @CsvSource({"2, 0, 4, 1, 1", "0, 5, 4, 1, 1", "2, 0, -4, 5, 1", "0, 5, -4, 5, 1"})
  void aMemberThatNeedsNothingBoundsNothing(
      int upper, long size, long distance, long peak, long capacityBelow) throws IOException {
    String together = "'together': [{'a': 'a', 'b': 'z', 'distance': %d}]".formatted(distance);
    String problem = problem(together, buffer("a", 2, 1, ""), buffer("z", upper, size, ""));
    assertPeak(peak, plan(problem));
    assertPeak(peak, plan(problem, "--capacity", peak));
    assertPeak(peak, plan(problem, "--planner", "pairs"));
    if (peak > capacityBelow) {
      JsonNode below = plan(problem, "--capacity", peak - 1);
      assertEquals("INFEASIBLE", below.get("status").asText());
    }
  }

  @Test
  void offsetsReachTheLeastCommonMultiple() throws IOException {
    String three =
        problem(
            "'together': [{'a': 'a', 'b': 'b', 'distance': 1}, {'a': 'a', 'b': 'c', 'distance':"
                + " 2}]",
            buffer("a", 2, 1, ", \"alignment\": 7"),
            buffer("b", 2, 1, ", \"alignment\": 11"),
            buffer("c", 2, 1, ", \"alignment\": 13"));
    assertPeak(794, plan(three)); // 791 = 7 * 113, 792 = 11 * 72, 793 = 13 * 61
    String two =
        problem(
            "'together': [{'a': 'a', 'b': 'b', 'distance': 4}]",
            buffer("a", 2, 2, ", \"alignment\": 5"),
            buffer("b", 2, 1, ", \"alignment\": 8"));
    assertPeak(25, plan(two)); // a at 20, b at 24
  }

  @Test
  void banksThatAreNoMultipleOfAnAlignmentReachTheirCommonMultiple() throws IOException {
    String full = ", \"withinBank\": true, \"alignment\": 10";
    String memory = "'memories': [{'name': 'm', 'bankSize': 11}]";
    String problem = problem(memory, buffer("a", 2, 11, full), buffer("b", 2, 11, full));
    assertPeak(121, plan(problem)); // at 0 and 110
    assertPeak(121, plan(problem, "--planner", "pairs"));
  }

  @Test
  void whatTiesBuffersTogetherIsNamedWhereItContradictsItself() throws IOException {
    String together = "'together': [{'a': 'x', 'b': 'y'}, {'a': 'y', 'b': 'z'}]";
    String chain =
        problem(together, buffer("x", 9, 2, ""), buffer("y", 9, 3, ""), buffer("z", 9, 1, ""));
    JsonNode answer = plan(chain);
    assertEquals("INFEASIBLE", answer.get("status").asText());
    assertEquals(
        "Buffers \"x\" and \"z\" share bytes at the distances that buffers are kept together at,"
            + " and may not.",
        answer.at("/infeasibility/reason").asText());
    assertEquals("relations", answer.at("/infeasibility/kind").asText());
    Path file = folder.resolve("problem.json");
    String plain = Stowage.run("plan", file, "--threads", 1).out();
    assertTrue(plain.contains("no placement keeps all that the problem asks"), plain);
    String check = Stowage.run("check", file, "--max-peak", 6, "--threads", 1).out();
    assertTrue(check.contains("nor within any: Buffers \"x\" and \"z\" share"), check);
  }

  /** y and z share their bytes: to let one down moves the other, to take one out gains nothing. */
  @Test
  void noGainIsClaimedOfWhatRelationsTie() throws IOException {
    String together = "'together': [{'a': 'y', 'b': 'z'}]";
    String tied =
        problem(together, buffer("y", 4, 4, ""), buffer("z", 4, 4, ""), buffer("w", 4, 3, ""));
    plan(tied, "--out", folder);
    Path file = folder.resolve("problem.json");
    JsonNode said =
        Stowage.run("explain", file, "--plan", folder.resolve("plan.csv"), "--json").json();
    assertEquals(said.get("peak"), said.get("settledPeak"));
    for (JsonNode link : said.get("chain")) {
      assertTrue(
          link.get("gainEvicted").isNull() && link.get("gainMoved").isNull(), said.toString());
    }
  }

  @Test
  void aBankTooSmallIsNoFaultWhereAnotherMemoryWillDo() throws IOException {
    String memories = "'memories': [{'name': 'sram', 'bankSize': 4}, {'name': 'dram'}]";
    assertPeak(9, plan(problem(memories, buffer("a", 2, 9, ", \"withinBank\": true"))));
  }

  /** Both need 4 bytes of a window of 2 that is a's, at once: that pays nothing. */
  @Test
  void pairsThatAreAliveAtOnceAreNotKeptApartInFronts() throws IOException {
    JsonNode answer =
        plan(
            """
            {"buffers": [{"id": "a", "lower": 0, "upper": 2, "size": 4,
                          "gaps": [{"lower": 1, "upper": 2, "window": [0, 2]}]},
                         {"id": "b", "lower": 1, "upper": 2, "size": 2},
                         {"id": "c", "lower": 4, "upper": 5, "size": 1},
                         {"id": "d", "lower": 3, "upper": 4, "size": 4}],
             "reuse": [{"a": "a", "b": "b", "weight": 2}, {"a": "c", "b": "d"}]}
            """,
            "--pareto",
            "peak,reuse");
    JsonChecks.holds(
        answer, "points/0/peak=4 points/0/reuseCost=1 points/1/peak=5 points/1/reuseCost=0");
  }

  @Test
  void aFrontWithoutPlansIsAnAnswerToo() throws IOException {
    String memory = "'memories': [{'name': 'm', 'capacity': 3}]";
    String one = problem(memory, buffer("a", 2, 4, ""));
    JsonNode answer = plan(one, "--pareto", "peak,reuse");
    JsonChecks.holds(answer, "status=INFEASIBLE");
    assertTrue(answer.get("points").isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"3000000000", "2000000000", "20000000"})
  void banksAreCountedByRangesAndNotOneByOne(long size) throws IOException {
    String banks = "'memories': [{'name': 'm', 'bankSize': 1}], 'objective': ['banks', 'peak']";
    JsonNode answer = plan(problem(banks, buffer("a", 2, size, ""), buffer("b", 2, 3, "")));
    assertPeak(size + 3, answer);
    String both = "objective/0/value=%d objective/0/bound=%1$d";
    JsonChecks.holds(answer, both.formatted(size + 3));
  }

  /** Of 600 bytes, 250 fit into sram. */
  @Test
  void aProofSaysWhatIsLeftAndNotWhatIsTooLittle() throws IOException {
    String memories = "'memories': [{'name': 'sram', 'capacity': 250}, {'name': 'dram'}]";
    String[] buffers = {buffer("a", 2, 100, ""), buffer("b", 2, 200, ""), buffer("c", 2, 300, "")};
    JsonNode answer = plan(problem(memories, buffers), "--capacity", 240);
    String reason = answer.at("/infeasibility/reason").asText();
    assertTrue(reason.contains("leaves 350 bytes for \"dram\""), reason);
  }
}
