package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.importer.inductor.InductorSamples;
import stowage.network.Graphs;

/** Planners of real systems from the command line: their own options, records and refusals. */
class SystemPlannersCommandTest extends FolderTest {
  private static final String LIST = "id,lower,upper,size\na,0,4,3\nb,2,6,5\n";

  /** A reshape whose source is freed by another reader, upon which tpu-mlir-2022 puts c. */
  private static final String OVERLAPPED =
      "x:4; a:4 = Conv x; v:4 = Reshape a; b:4 = Conv a; c:4 = Conv b; d:4 = Op c v; -> d";

  private static final String WEIGHTED = "x:4; weight w:10; m:6 = Conv x w; y:3 = Op m; -> y";

  private Path network(String name, String statements) throws IOException {
    return Graphs.of(statements).write(folder.resolve(name));
  }

  @Test
  void openVinoSaysThatItNeedsAGraph() throws IOException {
    Path list = file("list.csv", LIST);
    Stowage.run("plan", list, "--planner", "openvino").ends(5).says("openvino needs a graph");
    JsonNode answer = Stowage.run("plan", list, "--planner", "openvino", "--json").json();
    assertTrue(answer.get("remarks").get(0).asText().contains("needs a graph"), answer.toString());
    JsonNode row =
        Stowage.line("compare %s --planner openvino --time-limit 2 --json", list)
            .json()
            .at("/rows/1");
    JsonChecks.holds(row, "planner=openvino peak=null");
    assertTrue(row.get("reason").asText().contains("needs a graph"), row.toString());
  }

  @Test
  void sizesThatAPlannerRoundsBeyondAllSumsEndThatPlannerAlone() throws IOException {
    String sizes = "a,0,2,1152921504606846975\nb,0,2,1152921504606846775\n";
    Path list = file("vast.csv", "id,lower,upper,size\n" + sizes);
    JsonNode rows =
        Stowage.line("compare %s --planner onnxruntime,tflm --json", list).json().get("rows");
    JsonChecks.holds(rows.get(2), "planner=onnxruntime peak=null");
    String reason = rows.get(2).get("reason").asText();
    assertTrue(reason.contains("beyond 2305843009213693951 bytes"), reason);
    JsonChecks.holds(rows.get(1), "planner=tflm peak=2305843009213693750");
  }

  @Test
  void whatTheOriginalOverlapsIsToldWithTheOverlap() throws IOException {
    Path network = network("overlapped.json", OVERLAPPED);
    String options = " --planner tpu-mlir-2022 --alignment 1";
    Stowage.line("plan %s --json" + options, network).ends(6).holds("peak=null status=UNKNOWN");
    Stowage.line("plan %s" + options, network).ends(6).says("overlap at step 3");
    Stowage compared = Stowage.line("compare %s --time-limit 2 --json" + options, network);
    int told = 0;
    for (JsonNode row : compared.json().get("rows")) {
      if (row.get("planner").asText().equals("tpu-mlir-2022")) {
        JsonChecks.holds(row, "peak=null");
        assertTrue(row.get("reason").asText().contains("overlap at step 3"), row.toString());
        told++;
      }
    }
    assertTrue(told > 0, "no row of tpu-mlir-2022");
  }

  @Test
  void openVinosHistoryStreamsAndPoolAreWritten() throws IOException {
    Path network = network("weighted.json", WEIGHTED);
    Path history = folder.resolve("history.txt");
    Path pool = folder.resolve("pool.csv");
    String line =
        "plan %s --planner openvino --alignment 1 --streams 2 --history %s --pool-dump %s --json";
    Stowage plan = Stowage.line(line, network, history, pool).ends(0);
    assertEquals(
        """
        GPU_Debug: Allocate 10 bytes of usm_host allocation type (current=10; max=10)
        GPU_Debug: Allocate 10 bytes of usm_device allocation type (current=10; max=10)
        GPU_Debug: Allocate 6 bytes of usm_device allocation type (current=16; max=16)
        GPU_Debug: Allocate 4 bytes of usm_device allocation type (current=20; max=20)
        GPU_Debug: Allocate 3 bytes of usm_host allocation type (current=3; max=10)
        GPU_Debug: Allocate 6 bytes of usm_device allocation type (current=26; max=26)
        GPU_Debug: Allocate 4 bytes of usm_device allocation type (current=30; max=30)
        GPU_Debug: Allocate 3 bytes of usm_host allocation type (current=6; max=10)
        """,
        Files.readString(history));
    JsonChecks.holds(
        plan.json().get("allocations"),
        "streams=2 objects=3 objectBytes=13 constantBytes=10 types/0/name=usm_host "
            + "types/0/current=6 types/1/max=30");
    Stowage.run("verify", pool, network, "--json").holds("holds=true knownUsers=3");
    Stowage text = Stowage.run("verify", pool).ends(0);
    assertTrue(text.out().startsWith("valid: pool.csv, 3 uses of 3 allocations"), text.out());
  }

  @Test
  void theHistoryGoesToStdoutButNotBesideJson() throws IOException {
    Path network = network("weighted.json", WEIGHTED);
    Stowage plan = Stowage.run("plan", network, "--planner", "openvino", "--history", "-").ends(0);
    assertTrue(plan.out().startsWith("GPU_Debug: Allocate 10 bytes of usm_host"), plan.out());
    Stowage.line("plan %s --planner openvino --history - --json", network).ends(2);
    Stowage.run("plan", network, "--history", "h.txt").ends(2);
    Stowage.run("plan", network, "--planner", "vela", "--streams", 2).ends(2);
    Stowage.run("plan", network, "--planner", "openvino", "--streams", 0).ends(2);
  }

  @Test
  void theDevicesLimitsAreHeld() throws IOException {
    Path network = network("weighted.json", WEIGHTED);
    Stowage.line("plan %s --planner openvino --largest-allocation 9", network)
        .ends(5)
        .says("cannot allocate");
    // m reads 4 + 10 bytes and writes 6: 20 exceed 19, the operands alone do not.
    List<Object> command =
        List.of("plan", network, "--planner", "openvino", "--alignment", 1, "--history", "-");
    assertEquals("usm_host", typeOfSix(command, "--device-memory", 19));
    assertEquals("usm_device", typeOfSix(command, "--device-memory", 20));
    assertEquals("usm_device", typeOfSix(command, "--device-memory", 19, "--kernel-sum", "inputs"));
    assertEquals("cl_mem", typeOfSix(command, "--no-usm"));
  }

  private static String typeOfSix(List<Object> command, Object... options) {
    String history = Stowage.run(command, options).out();
    Matcher line = Pattern.compile("Allocate 6 bytes of (\\w+)").matcher(history);
    return line.find() ? line.group(1) : "none";
  }

  @Test
  void aPoolThatDoesNotHoldEndsWithSix() throws IOException {
    Path network = network("weighted.json", WEIGHTED);
    Path pool =
        file(
            "pool.csv",
            "pool_type,layout,mem_ptr,mem_type,mem_pool_size,prim_id,unique_id,mem_size\n"
                + "non_padded_pool,,0x1000,usm_device,6,parameter:x,0,4\n"
                + "non_padded_pool,,0x1000,usm_device,6,convolution:m,1,6\n");
    Stowage.run("audit", pool).ends(0);
    Stowage audit = Stowage.run("audit", pool, network).ends(6);
    assertTrue(audit.out().startsWith("invalid: pool.csv"), audit.out());
    audit.prints("are both alive at step 0");
    Stowage.run("audit", pool, network, "--json").ends(6);
    Stowage.run("audit", network).ends(3);
    Stowage.run("audit", pool, file("list.csv", LIST)).ends(2);
    Stowage.run("audit", folder.resolve("absent.csv")).ends(3);
  }

  @Test
  void everyModeOfTpuMlirCanBeChosen() throws IOException {
    Path network = network("weighted.json", WEIGHTED);
    for (String mode : List.of("tpu-mlir", "tpu-mlir-io-alone", "tpu-mlir-io-tag")) {
      for (String inputs : List.of("free", "keep")) {
        Stowage.run("plan", network, "--planner", mode, "--inputs", inputs).ends(0);
      }
    }
  }

  @Test
  void theSharedMemoryOfAChipIsFilledFirst() throws IOException {
    Path network = network("weighted.json", WEIGHTED);
    for (String planner : List.of("tpu-mlir", "tvm")) {
      Stowage.line("plan %s --planner %s --chip bm1690 --memory l2 --json", network, planner)
          .holds("memories/0/name=l2 memories/0/capacity=134217728");
    }
    String text = Stowage.line("plan %s --chip bm1690 --memory l2", network).out();
    assertTrue(text.matches("(?s).*weights \\+ peak +[^\n]+ of main\n.*"), text);
    Stowage.run("plan", network, "--chip", "bm1688", "--memory", "l2")
        .ends(2)
        .says("has no memory that its lanes share");
    Stowage.run("plan", network, "--memory", "l2").ends(2);
  }

  /** x (4 bytes) is read for a (10) and b (1), a for c (1), b for d (10), c and d for y (2). */
  private static final String INDUCTOR =
      InductorSamples.graph(
          InductorSamples.nodes("op0=a op1=b op2=c op3=d op4=y"),
          InductorSamples.buffers(
              "x 4 4 in; a 10 10 - x; b 1 1 - x; c 1 1 - a; d 10 10 - b; y 2 2 out c d"));

  @Test
  void inductorsGraphIsPlannedInEverySchedule() throws IOException {
    Path graph = file("graph.json", INDUCTOR);
    Path own = file("order.txt", "op1\nop3\nop0\nop2\nop4\n");
    // Given: x 4, a 10 at the first op, b 1 at the second; lpmf takes b first, then a, too: 15. The
    // own order has x 4, b 1, d 10 at its second op, and x, d, a at its third.
    for (String schedule : List.of("given", "lpmf", "bfs", "dfs")) {
      assertEquals(15, loadOf(graph, schedule), schedule);
    }
    assertEquals(24, loadOf(graph, own.toString()));
    Path wrong = file("wrong.txt", "op1\nop9\n");
    Stowage.run("plan", graph, "--schedule", wrong).ends(3).says("line 2");
    Stowage.run("plan", graph, "--schedule", "lpfm").ends(2).says("did you mean \"lpmf\"");
  }

  private static long loadOf(Path graph, String schedule) {
    String line = "plan %s --planner inductor-reuse --schedule %s --alignment 1 --json";
    return Stowage.line(line, graph, schedule)
        .holds("network/format=inductor")
        .number("lowerBound");
  }
}
