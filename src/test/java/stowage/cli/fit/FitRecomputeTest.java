package stowage.cli.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stowage.CsvTable;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;
import stowage.importer.own.NetworkJson;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;

/** {@code fit --levers recompute}, judged from its files. */
class FitRecomputeTest extends RecomputeFolder {
  private Path nine() throws IOException {
    return network(
        new long[] {3, 2, 1, 1, 1, 1, 2, 2, 3},
        new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1},
        new int[][] {{}, {0}, {}, {2}, {1}, {4}, {2, 3, 5}, {3, 6}, {7}},
        "Op");
  }

  @Test
  void aNetworkWithoutOpsHasNothingToCompute() throws IOException {
    Path file = Graphs.of("x:5; -> x").write(folder.resolve("none.json"));
    for (String levers : List.of("recompute", "order,sharing,split", "order,sharing,recompute")) {
      for (String limit : List.of("--capacity", "--load-limit")) {
        String line = "fit %s --alignment 1 --levers %s %s %s --json";
        Stowage.line(line, file, levers, limit, 5).ends(0).holds("status=OPTIMAL extra=0 load=5");
        Stowage.line(line, file, levers, limit, 4)
            .ends(ExitCode.INFEASIBLE)
            .holds("status=INFEASIBLE load=null");
      }
    }
  }

  private Stowage fit(Path network, Path out, Object... options) {
    String[] line = "--levers recompute --alignment 1 --time-limit 30 --json --out".split(" ");
    return Stowage.run("fit", network, line, out, options);
  }

  /** The ranges of all copies of a sequence, by the definition; the load is under the key "". */
  private static Map<String, long[]> ranges(Network network, List<String> sequence) {
    Map<String, Integer> copies = new HashMap<>();
    Map<String, long[]> ranges = new HashMap<>();
    for (int step = 0; step < sequence.size(); step++) {
      int index = Integer.parseInt(sequence.get(step).substring(1));
      for (String operand : network.ops().get(index).inputs()) {
        ranges.get(name(operand, copies.get(operand)))[1] = step + 1;
      }
      String made = network.ops().get(index).outputs().get(0);
      int copy = copies.merge(made, 1, Integer::sum);
      ranges.put(name(made, copy), new long[] {step, step + 1, network.tensor(made).bytes()});
    }
    for (String output : network.outputs()) {
      ranges.get(name(output, copies.get(output)))[1] = sequence.size();
    }
    return ranges;
  }

  private static String name(String tensor, int copy) {
    return copy == 1 ? tensor : tensor + "@" + copy;
  }

  /** The names of the ops as they run. */
  private static List<String> sequence(Path out) throws IOException {
    return CsvTable.rows(out.resolve("order.csv")).stream().map(row -> row.get("op")).toList();
  }

  private void judge(Path given, Path out, JsonNode answer) throws IOException {
    Network network = NetworkJson.read(given);
    List<String> sequence = sequence(out);
    Map<String, long[]> ranges = ranges(network, sequence);
    List<Map<String, String>> plan = CsvTable.rows(out.resolve("plan.csv"));
    assertEquals(ranges.size(), plan.size());
    long peak = 0;
    for (Map<String, String> row : plan) {
      long[] range = ranges.get(row.get("id"));
      assertEquals(range[0], Long.parseLong(row.get("lower")), row.toString());
      assertEquals(range[1], Long.parseLong(row.get("upper")), row.toString());
      assertEquals(range[2], Long.parseLong(row.get("size")), row.toString());
      peak = Math.max(peak, range[2] + Long.parseLong(row.get("offset")));
    }
    assertEquals(peak, answer.get("peak").asLong());
    long cost =
        sequence.stream()
            .mapToLong(op -> network.ops().get(Integer.parseInt(op.substring(1))).cost())
            .sum();
    assertEquals(cost, answer.get("compute").asLong() + answer.get("extra").asLong());
    assertEquals(sequence.size(), NetworkJson.read(out.resolve("network.json")).ops().size());
    long times = 0;
    for (JsonNode op : answer.get("recomputed")) {
      times += op.get("times").asLong();
    }
    assertEquals(sequence.size() - network.ops().size(), times);
  }

  @Test
  void theSumOfBytesMayFitWhereThePlacementNeedsOneOpAgain() throws IOException {
    Path given = nine();
    Path out = folder.resolve("out");
    Stowage load = fit(given, out, "--load-limit", 5).holds("status=OPTIMAL extra=0");
    judge(given, out, load.json());
    Stowage placed =
        fit(given, out, "--capacity", 5)
            .holds("status=OPTIMAL extra=1 extraBound=1 peak=5 extraProof/kind=exhaustion");
    judge(given, out, placed.json());
    Stowage small = fit(given, out, "--capacity", 4).ends(ExitCode.INFEASIBLE);
    assertTrue(small.json().get("reason").asText().contains("o"), small.out());
  }

  @Test
  void whatNoSequencePlacesIsImpossible() throws IOException {
    Path given = nine();
    Files.writeString(given, Files.readString(given).replace("\"Op\"", "\"Dropout\""));
    Stowage placed = fit(given, folder.resolve("out"), "--capacity", 5);
    placed.ends(ExitCode.INFEASIBLE).holds("extraProof/kind=exhaustion");
  }

  /** Extra costs of 2^63 and more were negative, or the largest number. */
  @Test
  void costsThatCannotBeAddedUpAreRefused() throws IOException {
    long[] bytes = {1, 1, 1, 1, 1};
    int[][] reads = {{}, {0}, {1}, {1, 2}, {0, 3}};
    for (int bits : new int[] {52, 60}) {
      long[] cost = bytes.clone();
      Arrays.setAll(cost, v -> 1L << bits);
      Stowage asked = fit(network(bytes, cost, reads, "Op"), folder.resolve("out"), "--curve");
      asked.ends(bits == 52 ? ExitCode.OK : ExitCode.BAD_INPUT);
      assertEquals(bits == 60, asked.err().contains("2^55"), asked.err());
    }
  }

  @Test
  void aProofHoldsWhereNothingIsFound() throws IOException {
    String ops = "a:0 b:1 = Op cost=2; c:19 = Op a cost=1; d:1 e:12 = Op c a cost=1; f:20 = Op d b";
    Path given = Graphs.of(ops + " cost=1; -> e f").write(folder.resolve("network.json"));
    JsonNode answer = levers(given, "order,recompute", "--load-limit", 32, "--alignment", 1);
    JsonChecks.holds(answer, "status=UNKNOWN extra=0 extraBound=3");
  }

  @Test
  void opsThatMustNotRunAgainAreNamed() throws IOException {
    int[][] reads = {{}, {0}, {1}, {0, 2}};
    Path given = network(new long[] {4, 4, 4, 1}, new long[] {1, 2, 3, 4}, reads, "Dropout");
    JsonNode answer = fit(given, folder.resolve("out"), "--load-limit", 9).json();
    JsonChecks.holds(answer, "status=OPTIMAL extra=1 recomputed/0/op=o0 fixedOps/0/op=o3");
    assertTrue(answer.get("fixedOps").get(0).get("why").asText().contains("random"));
  }

  @Test
  void theLeastPeakAtAPriceSpendsNoMore() throws IOException {
    Path given = nine();
    fit(given, folder.resolve("out"), "--max-extra", "0%").holds("extra=0 peak=6");
    JsonNode priced = fit(given, folder.resolve("out"), "--max-extra", "4").json();
    assertTrue(priced.get("extra").asLong() <= 4, priced.toString());
    assertTrue(priced.get("peak").asLong() <= 6, priced.toString());
  }

  @Test
  void readersOfWeightsRunAgainBeforeTheirUpdatesAlone() throws IOException {
    for (String updates : List.of("end", "at-once")) {
      Path given = folder.resolve("mlp.json");
      Stowage.line(
          "generate mlp --layers 6 --width 8 --batch 32 --training sgd --updates %s --out " + "%s",
          updates, given);
      Path out = folder.resolve("out");
      long load = levers(given, "recompute", "--load-limit", 1 << 20).get("load").asLong();
      JsonNode answer =
          levers(given, "recompute", "--load-limit", load * 3 / 4, "--time-limit", 2, "--out", out);
      assertTrue(answer.get("extra").asLong() > 0, answer.toString());
      Network network = NetworkJson.read(given);
      Set<String> updated = new HashSet<>();
      int again = 0;
      for (String name : sequence(out)) {
        Op op = network.ops().stream().filter(o -> o.name().equals(name)).findAny().get();
        again += readsWeight(op) ? 1 : 0;
        assertTrue(op.inputs().stream().noneMatch(updated::contains), updates + ": " + name);
        if (op.type().equals("SgdUpdate")) {
          updated.add(op.inputs().get(0));
        }
      }
      long readers = network.ops().stream().filter(FitRecomputeTest::readsWeight).count();
      assertTrue(again > readers, again + " of " + readers);
    }
  }

  private static boolean readsWeight(Op op) {
    return op.inputs().stream().anyMatch(input -> input.endsWith("weight"));
  }

  private Path mlp() {
    Path given = folder.resolve("mlp.json");
    Stowage.line("generate mlp --layers 2 --width 64 --batch 64 --training sgd --out %s", given);
    return given;
  }

  /** With a curve the lowest plan of those that add a twentieth at most is written. */
  private static void assertUsualPlan(JsonNode answer) {
    long most = answer.get("compute").asLong() / 20;
    long lowest = Long.MAX_VALUE;
    for (JsonNode point : answer.get("curve")) {
      lowest = point.get("extra").asLong() <= most ? point.get("peak").asLong() : lowest;
    }
    assertEquals(lowest, answer.get("peak").asLong(), answer.toString());
  }

  @Test
  void aCurveByAllLeversClaimsNoBoundThatHoldsForOneAlone() {
    JsonNode both = levers(mlp(), "split,recompute", "--curve", "--time-limit", 3);
    assertTrue(both.get("curve").size() > 1, both.toString());
    assertEquals("FEASIBLE", both.get("status").asText(), both.toString());
    assertUsualPlan(both);
    for (JsonNode point : both.get("curve")) {
      assertEquals(0, point.get("extraBound").asLong(), point.toString());
    }
  }

  /** The points listed were all proven, and so was the answer, when time ended after the first. */
  @Test
  void aCurveThatTimeCutsShortIsNotProven() {
    Path given = folder.resolve("mlp.json");
    Stowage.line("generate mlp --layers 1 --width 8 --batch 8 --training sgd --out %s", given);
    JsonNode answer = levers(given, "recompute", "--curve", "--det-limit", "0.0001");
    JsonChecks.holds(answer, "status=FEASIBLE curve/0/status=OPTIMAL");
  }

  /** Without sequences by eviction its limits were lost once: all but the first ones. */
  @Test
  void aCurveOfCountedWorkIsAlwaysTheSameAndGoesDownEvenly() {
    Path given = folder.resolve("mlp.json");
    Stowage.line(
        "generate mlp --layers 6 --width 64 --batch 4 --training sgd --updates end --out %s",
        given);
    List<JsonNode> curves = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      Object[] counted = {"--curve", "--det-limit", 0.2, "--threads", threads};
      curves.add(levers(given, "recompute", counted).get("curve"));
    }
    assertEquals(curves.get(0), curves.get(1));
    JsonNode curve = curves.get(0);
    long top = curve.get(0).get("peak").asLong();
    long range = top - curve.get(curve.size() - 1).get("peak").asLong();
    assertTrue(range > top / 4, curve.toString());
    for (int k = 1; k < curve.size(); k++) {
      long down = curve.get(k - 1).get("peak").asLong() - curve.get(k).get("peak").asLong();
      assertTrue(down <= range / 3, curve.toString());
    }
  }

  @Test
  void whatNoOpCanDoWithoutIsRefusedAtOnceWhateverIsComputedAgain() {
    Path given = mlp();
    for (String together : List.of("recompute", "sharing,recompute", "order,sharing,recompute")) {
      JsonNode lowest = levers(given, together, "--capacity", 1);
      assertEquals("INFEASIBLE", lowest.get("status").asText(), lowest.toString());
      long least = lowest.get("ladder").get(0).get("lowerBound").asLong();
      String bytes = "%,d bytes".formatted(least);
      assertTrue(lowest.get("reason").asText().contains(bytes), lowest.toString());
      JsonNode above = levers(given, together, "--capacity", 1 << 30);
      assertEquals("OPTIMAL", above.get("status").asText(), above.toString());
      assertTrue(above.get("peak").asLong() >= least, above.toString());
      assertTrue(above.has("recomputed") && above.has("fixedOps"), above.toString());
    }
    JsonNode split = levers(given, "order,sharing,split,recompute", "--capacity", 1 << 30);
    assertEquals(
        List.of(0, 1), List.of(split.get("recomputed").size(), split.get("ladder").size()));
    assertTrue(split.get("fixedOps").size() > 0, split.toString());
  }

  @Test
  @Tag("thorough")
  void leversTogetherCostNoMoreThanEachAlone() {
    Path given = mlp();
    long free = levers(given, "recompute", "--max-extra", "0%").get("peak").asLong();
    long capacity = levers(given, "recompute", "--max-extra", "100%").get("peak").asLong();
    assertTrue(capacity < free, capacity + " of " + free);
    for (String together :
        List.of("split,recompute", "sharing,recompute", "order,sharing,split,recompute")) {
      JsonNode all = levers(given, together, "--capacity", capacity);
      assertTrue(all.get("peak").asLong() <= capacity, all.toString());
      for (String alone : List.of("split", "recompute")) {
        JsonNode other = levers(given, alone, "--capacity", capacity);
        boolean fits = List.of("OPTIMAL", "FEASIBLE").contains(other.get("status").asText());
        assertTrue(!fits || all.get("extra").asLong() <= other.get("extra").asLong(), together);
      }
    }
  }

  @Test
  void curvesFallAndTheirBoundsHold() throws IOException {
    Path given = training(3);
    JsonNode answer = fit(given, folder.resolve("out"), "--curve").json();
    JsonNode curve = answer.get("curve");
    assertTrue(curve.size() >= 3, answer.toString());
    assertUsualPlan(answer);
    for (int k = 0; k < curve.size(); k++) {
      JsonNode point = curve.get(k);
      assertTrue(point.get("extraBound").asLong() <= point.get("extra").asLong());
      boolean nothing = point.get("boundKind").asText().equals("nothing is recomputed");
      assertTrue(nothing == (point.get("extraBound").asLong() == 0), point.toString());
      long peak = point.get("peak").asLong();
      JsonNode alone = fit(given, folder.resolve("at"), "--load-limit", peak).json();
      assertTrue(point.get("extraBound").asLong() <= alone.get("extra").asLong());
      if (k > 0) {
        assertTrue(peak < curve.get(k - 1).get("peak").asLong());
        assertTrue(point.get("extra").asLong() > curve.get(k - 1).get("extra").asLong());
      }
    }
  }

  /** Results of two branches are in one place, so no bound counts both. */
  @Test
  void resultsOfBranchesCountOnce() throws IOException {
    String tensor = "{\"name\": \"%s\", \"shape\": [64], \"type\": \"i8\"}";
    String op = "{\"name\": \"%s\", \"type\": \"%s\", \"inputs\": [%s], \"outputs\": [%s]}";
    List<String> tensors = Stream.of("x", "a", "b", "y").map(tensor::formatted).toList();
    List<String> ops =
        List.of(
            op.formatted("y.enter", "If.enter", "", ""),
            op.formatted("a", "Neg", "\"x\"", "\"a\""),
            op.formatted("y.call", "If.call", "", ""),
            op.formatted("b", "Abs", "\"x\"", "\"b\""),
            op.formatted("y", "If", "\"a\", \"b\"", "\"y\""));
    String text =
        "{\"name\": \"n\", \"inputs\": [\"x\"], \"outputs\": [\"y\"], \"tensors\": %s, \"ops\": %s}";
    Path network = file("branches.json", text.formatted(tensors, ops));
    String options =
        " --levers recompute --max-extra 1 --alignment 64 --inputs keep --det-limit 0.1";
    Stowage.line("fit %s --json" + options, network).ends(0).holds("peak=192");
  }
}
