package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;
import stowage.generator.networks.NetworkGenerators;
import stowage.importer.own.NetworkJson;
import stowage.network.Graphs;

public class ScheduleCommandTest extends FolderTest {
  /** Two branches from x: big to small, small to big. Running b first needs 22, a first 31. */
  public static Path twoBranches(Path folder) throws IOException {
    String ops =
        "x:1; a:20 = Custom x name=makeA; b:10 = Custom x name=makeB; c:1 = Custom a name=endA;"
            + " d:1 = Custom b name=endB; y:1 = Custom c d name=join; -> y";
    Path file = Graphs.of(ops).write(folder.resolve("two.json"));
    return Files.writeString(file, Files.readString(file).replace("makeB", "makeB, too"));
  }

  @Test
  void theLeastOrderIsFoundProvenAndWritten() throws IOException {
    Path out = folder.resolve("out");
    JsonNode answer =
        Stowage.line("schedule %s --alignment 1 --out %s --json", twoBranches(folder), out)
            .answer();
    JsonChecks.holds(answer, "status=OPTIMAL load=22 loadBound=22 peak=22 boundKind=op-cut");
    JsonChecks.holds(answer, "certificate/checked=true");
    assertEquals(
        List.of("position,op", "0,\"makeB, too\"", "1,endB", "2,makeA", "3,endA", "4,join"),
        Files.readAllLines(out.resolve("order.csv")));
    for (String file :
        List.of("plan.csv", "plan.json", "plan.svg", "plan.html", "orders.svg", "schedule.html")) {
      assertTrue(Files.size(out.resolve(file)) > 0, file);
    }
    String cut = Files.readString(out.resolve("cut.svg"));
    assertTrue(cut.contains("when endA runs, 22 B are live"), cut);
    assertTrue(cut.contains("so no order has a lower peak"), cut);
    assertTrue(Files.readString(out.resolve("schedule.html")).contains(cut));
    String fused = "block/one/batch_norm/FusedBatchNormV3;block/one/conv/ReadVariableOp/endA";
    Path renamed = folder.resolve("renamed.json");
    Files.writeString(renamed, Files.readString(twoBranches(folder)).replace("endA", fused));
    Stowage.line("schedule %s --alignment 1 --out %s", renamed, out).ends(0);
    String last = Files.readString(out.resolve("cut.svg"));
    assertTrue(last.contains("when ReadVariableOp/endA runs, 22 B are live"), last);
    List<String> names = new ArrayList<>();
    answer.get("orders").forEach(order -> names.add(order.get("name").asText()));
    assertTrue(names.containsAll(List.of("given", "xla-list", "onnxruntime", "tpu-mlir")));
    for (String name : names) {
      assertEquals(6, Files.readAllLines(out.resolve("orders").resolve(name + ".csv")).size());
    }
    JsonChecks.holds(answer, "orders/" + names.indexOf("given") + "/load=31");
  }

  @Test
  void plansKeepTheOrderOfUsesOfAVariableThatScheduleKeeps() throws IOException {
    String ops =
        "x:19; z:17; variable s:10; a:1x17 = Reshape z; b:21 = Custom x a s name=first;"
            + " c:4 = Custom z s name=second; -> b c";
    Path file = Graphs.of(ops).write(folder.resolve("state.json"));
    String options = " --alignment 4 --in-place none --json";
    JsonNode answer = Stowage.line("schedule %s" + options, file).answer();
    JsonChecks.holds(answer, "status=OPTIMAL load=96 peak=96");
    for (JsonNode order : answer.get("orders")) {
      String name = order.get("name").asText();
      Stowage.line("plan %s --schedule %s" + options, file, name)
          .holds("lowerBound=" + order.get("load"));
    }
    Path own = file("order.txt", "second\na\nfirst\n");
    Stowage.line("plan %s --schedule %s --alignment 4", file, own)
        .ends(ExitCode.BAD_INPUT)
        .says("runs op \"second\" before \"first\"");
  }

  @Test
  void whatIsGivenAndKeptMayExceedTheCapacityByItself() throws IOException {
    Path kept = Graphs.of("x:40; y:1 = Custom x; -> x y").write(folder.resolve("kept.json"));
    Stowage.line("schedule %s --alignment 1 --capacity 30 --inputs keep", kept)
        .ends(ExitCode.INFEASIBLE)
        .prints("What is given at the start, or kept at the end, takes");
  }

  @Test
  void filesOfAnEarlierAnswerAreSetAside() throws IOException {
    Path out = folder.resolve("out");
    String line = "schedule %s --alignment 1 --out %s --capacity ";
    Stowage.line(line + 22, twoBranches(folder), out).ends(0);
    Files.writeString(out.resolve("certificate.json"), "{}");
    Stowage.line(line + 21, twoBranches(folder), out)
        .ends(4)
        .says(out.resolve("plan.csv") + ".old")
        .says(out.resolve("certificate.json") + ".old");
    assertTrue(
        Files.notExists(out.resolve("plan.json")), "a plan that is not the answer's is left");
    assertTrue(Files.exists(out.resolve("order.csv")));
  }

  @Test
  void aNetworkWithoutOpsNeedsWhatItIsGiven() throws IOException {
    Path file = Graphs.of("x:5; -> x").write(folder.resolve("none.json"));
    Stowage.line("schedule %s --alignment 1 --json", file)
        .ends(0)
        .holds("status=OPTIMAL load=5 loadBound=5 peak=5");
  }

  @Test
  void aCapacityThatNoOrderFitsIsRefusedWithTheCut() throws IOException {
    Stowage.line("schedule %s --alignment 1 --capacity 21 --json", twoBranches(folder))
        .ends(ExitCode.INFEASIBLE)
        .holds("status=INFEASIBLE certificate/op=endA");
    Stowage fits =
        Stowage.line("schedule %s --alignment 1 --capacity 22 --json", twoBranches(folder)).ends(0);
    assertTrue(fits.number("peak") <= 22);
  }

  @Test
  void filesOfSpreadsheetsAreRead() throws IOException {
    Path network = twoBranches(folder);
    Path pairs = folder.resolve("pairs.csv");
    String quoted = "\"makeB, too\"";
    Files.writeString(pairs, "\uFEFFbefore,after\r\nmakeA,%s\r\n%1$s,endA\r\n".formatted(quoted));
    Stowage.line("schedule %s --alignment 1 --precedences %s --json", network, pairs)
        .ends(0)
        .holds("load=31");
    Files.writeString(pairs, "before,after\nmakeA,endA\n\nmakeA,\"makeB, too\"\n");
    Stowage.line("schedule %s --precedences %s", network, pairs).ends(3).says("line 3: is empty");
    String rows = "\uFEFFposition,op\n0,\"makeB, too\"\n1,endB\n2,makeA\n3,endA\n4,join\n";
    Path order = file("order.csv", rows);
    Stowage.line("plan %s --alignment 1 --schedule %s --json", network, order).holds("peak=22");
    file("order.csv", rows.replace("3,endA", "4,endA"));
    Stowage.line("plan %s --schedule %s", network, order)
        .ends(3)
        .says("line 5: position 4 should be 3");
  }

  private Path randomGraph(int seed, int nodes) throws IOException {
    Map<String, Object> values = Map.of("seed", seed, "nodes", nodes, "training", "sgd");
    Path file = folder.resolve("graph" + seed + ".json");
    NetworkJson.write(NetworkGenerators.generate("random-graph", values), file);
    return file;
  }

  @Test
  void boundsOfPrecedencesAndSearchesAreCheckedAndTheirProofsWritten() throws IOException {
    int walks = 0;
    for (int seed = 1; seed <= 3; seed++) {
      Path file = randomGraph(seed, 10);
      Path out = folder.resolve("proof" + seed);
      JsonNode answer = Stowage.run("schedule", file, "--out", out, "--json").json();
      assertEquals("OPTIMAL", answer.get("status").asText());
      JsonNode certificate = answer.get("certificate");
      assertTrue(certificate.get("checked").asBoolean(), certificate.toString());
      boolean cut = answer.get("boundKind").asText().equals("op-cut");
      assertEquals(!cut, Files.exists(out.resolve("certificate.json")));
      if (!cut) {
        JsonNode whole = JsonChecks.read(out.resolve("certificate.json"));
        assertEquals(answer.get("lowerBound").asLong() - 1, whole.get("target").asLong());
        assertEquals(certificate.get("precedences").asInt(), whole.get("precedences").size());
        walks++;
      }
    }
    assertTrue(walks > 0, "some bound is of another kind than an op's cut");
  }

  @Test
  void deterministicRunsGiveTheSameOrderAndPlan() throws IOException {
    Path file = randomGraph(4, 40);
    List<String> answers = new ArrayList<>();
    for (int threads : new int[] {1, 2, 2}) {
      Path out = folder.resolve("out" + answers.size());
      String line = "schedule %s --det-limit 0.2 --threads %s --out %s --json";
      JsonNode answer = Stowage.line(line, file, threads, out).ends(0).json();
      answers.add(
          List.of(answer.get("load"), answer.get("loadBound"), answer.get("boundKind"))
              + Files.readString(out.resolve("order.csv"))
              + Files.readString(out.resolve("plan.csv")));
    }
    assertEquals(1, Set.copyOf(answers).size());
  }

  @Test
  void filesAreWrittenWhereThereWasNoTimeForOrdersOfSystems() {
    Path out = folder.resolve("brief");
    Stowage.line("schedule models/networks/nasnet.json --time-limit 0 --out %s", out).ends(0);
    assertTrue(Files.exists(out.resolve("schedule.html")));
  }

  @Test
  void listsOfBuffersAndOpenOrdersAreRefused() throws IOException {
    Path buffers = file("b.csv", "id,lower,upper,size\na,0,1,4\n");
    Stowage.run("schedule", buffers).ends(ExitCode.USAGE);
    Stowage.run("schedule", twoBranches(folder), "--order", "branches").ends(ExitCode.USAGE);
    for (String command : List.of("schedule", "fit --max-extra 0")) {
      Stowage.line(command + " %s --schedule lpmf", twoBranches(folder))
          .ends(ExitCode.USAGE)
          .says("--schedule lpmf: schedule and fit begin with the file's order");
    }
  }

  @Test
  void networksOfTheModelsAreProvenUnderEachSharing() {
    for (String network : List.of("unet", "gpt_block", "tiny")) {
      for (String sharing : List.of("views", "none", "elementwise")) {
        Path model = Path.of("models/networks", network + ".json");
        Stowage.line("schedule %s --in-place %s --json", model, sharing).holds("status=OPTIMAL");
      }
    }
  }

  @Test
  void sharingChosenWithTheOrderIsNoWorseThanAnyAndProvenForUnet() {
    Path unet = Path.of("models/networks/unet.json");
    long least = Long.MAX_VALUE;
    for (String sharing : List.of("views", "none")) {
      Stowage one = Stowage.run("schedule", unet, "--in-place", sharing, "--json");
      least = Math.min(least, one.number("peak"));
    }
    Stowage best = Stowage.run("schedule", unet, "--in-place", "optimal", "--json");
    assertTrue(best.holds("status=OPTIMAL").number("peak") <= least);
  }

  @Test
  void plansCanBeMadeAtTheOptimalOrderAndAtThatOfASystem() throws IOException {
    for (String schedule : List.of("optimal", "xla-list", "dfs")) {
      Stowage.line("plan %s --alignment 1 --schedule %s --json", twoBranches(folder), schedule)
          .ends(0)
          .holds("peak=22");
    }
  }

  @Test
  void whatTfliteMicrosOwnPlannerNeedsDoesNotDependOnHowWePlan() {
    Path model = Path.of("models/examples/keywords.tflite");
    for (String options : List.of("--alignment 16", "--alignment 64", "--inputs keep")) {
      String line = "schedule %s --det-limit 0.3 --json --write %s ";
      Stowage.line(line + options, model, folder.resolve("k.tflite"))
          .holds("tfliteMicro/givenHead=28000 tfliteMicro/head=17040");
    }
  }

  @Test
  void ordersOfSystemsAreTabledAgainstTheLeast() throws IOException {
    Stowage.run("waste", "--orders", "models/networks/unet.json", twoBranches(folder))
        .ends(0)
        .prints(
            "| `Stowage` | **0** | **0** | **0** |",
            "| `xla-post-order` | 0.5 % |",
            "2 of 2 orders are proven; 2 of 2 placements");
    Stowage.run("waste", "--orders", "--planner", "tvm", "x").ends(ExitCode.USAGE);
  }
}
