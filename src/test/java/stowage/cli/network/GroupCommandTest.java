package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.JsonChecks;
import stowage.PublicData;
import stowage.Thorough;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

class GroupCommandTest {
  private static final Path TINY = Path.of("models/networks/tiny.json");

  /** Two ops as TPU-MLIR has them before it lowers them to a chip. */
  private static final String TOP =
      """
      module attributes {module.chip = "ALL", module.name = "two", module.state = "TOP_F32"} {
        func @main(%arg0: tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> {
          %0 = "top.Input"(%arg0) {name = "in"} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
          %1 = "top.Relu"(%0) {name = "one"} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
          %2 = "top.Relu"(%1) {name = "two"} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
          return %2 : tensor<1x8x16x16xf32>
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void groupsCoverEveryOpAndAreWritten() throws IOException {
    for (String partition : List.of("tail", "dp", "cp")) {
      Path out = folder.resolve(partition);
      Stowage run =
          Stowage.line(
                  "group %s --chip bm1688 --partition %s --out %s --json", TINY, partition, out)
              .ends(0);
      JsonNode answer = run.json();
      int next = 0;
      boolean contiguous = true;
      for (int k = 0; k < answer.get("groups").size(); k++) {
        JsonNode group = answer.get("groups").get(k);
        contiguous &= !group.has("members");
        if (contiguous) {
          assertEquals(next, group.get("first").asInt());
        }
        next += group.get("ops").asInt();
        if (group.get("grouped").asBoolean()) {
          Path home = out.resolve("group-" + k);
          for (String file : List.of("lmem.csv", "steps.csv", "slices.csv", "lmem.svg")) {
            assertTrue(Files.size(home.resolve(file)) > 20, file);
          }
          assertTrue(group.get("clashBound").asLong() <= group.get("clashes").asLong());
        }
      }
      assertEquals(answer.get("network").get("ops").asInt(), next);
      assertTrue(answer.get("trafficBytes").asLong() < answer.get("ungroupedBytes").asLong());
      assertTrue(answer.get("lowerBound").asLong() <= answer.get("trafficBytes").asLong());
      JsonChecks.holds(answer, "gmem/status=OPTIMAL baseline=null");
      assertTrue(Files.readString(out.resolve("groups.html")).contains("\"lane\""));
    }
  }

  @Test
  void theWaysOfLmemAndTheObjectivesCanBeChosen() {
    for (String lmem : List.of("document", "today", "exact")) {
      for (String objective : List.of("traffic", "cycles", "lmem-peak")) {
        Stowage run =
            Stowage.line(
                    "group %s --chip cv184x --lmem %s --objective %s --precision bf16 --slicing "
                        + "exact --json",
                    TINY, lmem, objective)
                .ends(0);
        assertEquals(lmem, run.json().get("lmem").asText());
        assertEquals(objective, run.json().get("objective").asText());
      }
    }
  }

  @Test
  void aCompiledFileIsAuditedAndBeaten() {
    Path file = PublicData.network("tpu-mlir/blazeface_bm1688_final.mlir");
    Stowage run =
        Stowage.run("group", file, "--partition", "file", "--lmem", "today", "--json").ends(0);
    JsonNode answer = run.json();
    JsonChecks.holds(answer, "chip=bm1688 baseline/status=VALID");
    JsonNode baseline = answer.get("baseline");
    assertEquals(answer.get("groups").size(), baseline.get("groups").size());
    answer
        .fieldNames()
        .forEachRemaining(
            field ->
                assertTrue(
                    baseline.has(field) || List.of("schemaVersion", "baseline").contains(field),
                    field));
    JsonNode gmem = baseline.get("gmem");
    JsonChecks.holds(gmem, "status=VALID peak=909312 lowerBound=909312");
    assertTrue(answer.get("lowerBound").isIntegralNumber());
    assertTrue(baseline.get("lowerBound").asLong() <= baseline.get("trafficBytes").asLong());
  }

  /** The document's rule finds no addresses for two groups of the file, whose lane is full. */
  @Test
  void addressesThatAreNotTheRulesAreSaidToBeTheFiles() {
    Path file = PublicData.network("tpu-mlir/blazeface_cv184x_final.mlir");
    List<String> ways = List.of("document", "today", "exact");
    for (String lmem : ways.subList(0, Thorough.of(2, 3))) {
      Stowage run =
          Stowage.run("group", file, "--partition", "file", "--lmem", lmem, "--json").ends(0);
      List<Integer> remarked = new ArrayList<>();
      for (JsonNode group : run.json().get("groups")) {
        if (group.has("remark")) {
          String remark = group.get("remark").asText();
          assertTrue(remark.contains(lmem) && remark.contains("file's own"), remark);
          remarked.add(group.get("first").asInt());
        }
      }
      assertEquals(lmem.equals("document") ? List.of(6, 19) : List.of(), remarked, lmem);
    }
    Stowage table = Stowage.run("group", file, "--partition", "file", "--lmem", "document");
    assertEquals(2, table.out().lines().filter(line -> line.contains("file's own")).count());
  }

  @Test
  void aPrecisionIsRefusedWhereItWouldChangeNothing() throws IOException {
    Path compiled = Files.writeString(folder.resolve("c.mlir"), TOP.replace("ALL", "bm1688"));
    Stowage.run("group", compiled, "--precision", "int8")
        .ends(ExitCode.USAGE)
        .says("--precision int8: c.mlir is compiled for bm1688");
    String whole = Files.readString(TINY).replace("\"f32\"", "\"i8\"");
    Path integers = Files.writeString(folder.resolve("integers.json"), whole);
    Stowage.run("group", integers, "--chip", "bm1688", "--precision", "f16")
        .ends(ExitCode.USAGE)
        .says("integers.json has no float tensor");
  }

  @Test
  void aPrecisionChangesWhatIsNotYetLowered() throws IOException {
    Path file = Files.writeString(folder.resolve("top.mlir"), TOP);
    Stowage wide = Stowage.run("group", file, "--chip", "bm1688", "--json").ends(0);
    Stowage narrow = Stowage.line("group %s --chip bm1688 --json --precision int8", file).ends(0);
    assertEquals(
        wide.json().get("ungroupedBytes").asLong(),
        4 * narrow.json().get("ungroupedBytes").asLong());
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    Stowage.run("group", TINY).ends(ExitCode.USAGE).says("--chip");
    Stowage.run("group", TINY, "--chip", "bm1688", "--partition", "file")
        .ends(ExitCode.USAGE)
        .says("tiny.json");
    Path buffers = Files.writeString(folder.resolve("b.csv"), "id,lower,upper,size\na,0,1,4\n");
    Stowage noNetwork = Stowage.run("group", buffers, "--chip", "bm1688").ends(ExitCode.BAD_INPUT);
    assertFalse(noNetwork.err().contains("Exception"), noNetwork.err());
  }
}
