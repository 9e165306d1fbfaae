package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PublicData;
import stowage.Thorough;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;
import stowage.cli.terminal.ExitCode;
import stowage.network.ElementType;
import stowage.network.Graphs;

class GroupCommandTest extends FolderTest {
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

  @Test
  void groupsCoverEveryOpAndAreWritten() throws IOException {
    for (String partition : List.of("tail", "dp", "cp")) {
      Path out = folder.resolve(partition);
      String line = "group %s --chip bm1688 --partition %s --out %s --json";
      JsonNode answer = Stowage.line(line, TINY, partition, out).answer();
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
  void theTableFitsInEightyColumns() {
    String line =
        "group models/networks/unet.json --chip bm1688 --partition tail --lmem today"
            + " --precision int8";
    String table = Stowage.line(line).out().split("\n\n")[1].split("\nalone")[0];
    assertTrue(table.lines().allMatch(row -> row.length() <= 80), table);
    assertTrue(table.matches("(?s).* h[0-9]+ .*") && table.contains(" alone "), table);
  }

  @Test
  void theWaysOfLmemAndTheObjectivesCanBeChosen() {
    for (String lmem : List.of("document", "today", "exact")) {
      for (String objective : List.of("traffic", "cycles", "lmem-peak")) {
        String line = "group %s --chip cv184x --precision bf16 --slicing exact --json";
        Stowage.line(line + " --lmem %s --objective %s", TINY, lmem, objective)
            .ends(0)
            .holds("lmem=%s objective=%s".formatted(lmem, objective));
      }
    }
  }

  @Test
  void theExampleIsAuditedAndWritten() {
    Path written = folder.resolve("written.mlir");
    String command = "group models/examples/small.mlir --partition file --write " + written;
    Stowage.line(command).ends(0).prints("As in the file").prints("it changes the lane layout");
    Stowage.line("group %s --partition file", written).ends(0).prints("As in the file");
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
    for (Map.Entry<String, JsonNode> field : answer.properties()) {
      String name = field.getKey();
      assertTrue(baseline.has(name) || List.of("schemaVersion", "baseline").contains(name), name);
    }
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
    Path compiled = file("c.mlir", TOP.replace("ALL", "bm1688"));
    Stowage.run("group", compiled, "--precision", "int8")
        .ends(ExitCode.USAGE)
        .says("--precision int8: c.mlir is compiled for bm1688");
    String whole = Files.readString(TINY).replace("\"f32\"", "\"i8\"");
    Path integers = file("integers.json", whole);
    Stowage.run("group", integers, "--chip", "bm1688", "--precision", "f16")
        .ends(ExitCode.USAGE)
        .says("integers.json has no float tensor");
  }

  @Test
  void aPrecisionChangesWhatIsNotYetLowered() throws IOException {
    Path file = file("top.mlir", TOP);
    Stowage wide = Stowage.run("group", file, "--chip", "bm1688", "--json").ends(0);
    Stowage narrow = Stowage.line("group %s --chip bm1688 --json --precision int8", file).ends(0);
    assertEquals(wide.number("ungroupedBytes"), 4 * narrow.number("ungroupedBytes"));
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    Stowage.run("group", TINY).ends(ExitCode.USAGE).says("--chip");
    Stowage.run("group", TINY, "--chip", "bm1688", "--partition", "file")
        .ends(ExitCode.USAGE)
        .says("tiny.json");
    Path buffers = file("b.csv", "id,lower,upper,size\na,0,1,4\n");
    Stowage noNetwork = Stowage.run("group", buffers, "--chip", "bm1688").ends(ExitCode.BAD_INPUT);
    assertFalse(noNetwork.err().contains("Exception"), noNetwork.err());
  }

  /** Two convolutions of three rows and a sum: cut along the rows, they repeat some. */
  private static final String NETWORK =
      "x:S; a:S = Conv x window=3,1,1; b:S = Conv a window=3,1,1; z:S = Add a b; -> z"
          .replace("S", "1x64x400x300");

  private Path network() throws IOException {
    return Graphs.of(ElementType.F16, NETWORK).write(folder.resolve("tall.json"));
  }

  private JsonNode grouped(Path out, Object... options) throws IOException {
    List<Object> words = List.of("group", network(), "--chip", "bm1684x", "--axes", "nh");
    Stowage.run(words, "--out", out, "--time-limit", 20, options).ends(0);
    return JsonChecks.read(out.resolve("groups.json"));
  }

  @Test
  void groupsJsonHasAddressesSlicesAndStepsAndKeepsItsSchema() throws IOException {
    JsonNode answer = grouped(folder.resolve("out"), "--trace", folder.resolve("trace.txt"));
    JsonSchema schema = JsonSchema.named("groups");
    assertEquals(List.of(), schema.faults(answer));
    JsonNode broken = answer.deepCopy();
    ((ObjectNode) broken.at("/groups/0")).put("ops", "2");
    assertEquals(1, schema.faults(broken).size(), schema.faults(broken).toString());

    assertEquals("f16", answer.get("precision").asText());
    JsonNode group = answer.get("groups").get(0);
    assertEquals(3, group.get("ops").asInt());
    int rows = group.at("/secs/h").asInt();
    assertTrue(rows > 1, group.get("secs").toString());
    long end = 0;
    for (JsonNode slice : group.get("slices")) {
      if (slice.get("tensor").asText().equals("z")) {
        for (JsonNode part : slice.get("h")) {
          assertEquals(end, part.get(0).asLong());
          end = part.get(0).asLong() + part.get(1).asLong();
        }
      }
    }
    assertEquals(400, end);
    assertEquals(group.get("steps").asInt(), group.get("table").size());
    assertTrue(Files.readString(folder.resolve("out/group-0/slices.svg")).contains("along h"));

    // Breadth first: x and a.w are read for a; b's op reads b.w, then the sum.
    Map<Integer, String> byNumber = new TreeMap<>();
    for (JsonNode buffer : group.get("buffers")) {
      if (!buffer.get("kind").asText().equals("scratch")) {
        byNumber.put(buffer.get("number").asInt(), buffer.get("id").asText());
      }
    }
    assertEquals("[x, a.w, a, b.w, b, z]", byNumber.values().toString());
    String trace = Files.readString(folder.resolve("trace.txt"));
    assertTrue(trace.startsWith("group 0: ops 0-2, slices n1 c1 d1 h" + rows), trace);
    assertTrue(trace.contains("weight      a.w") && trace.contains("[T0,inf]"), trace);
  }

  @Test
  void twoGroupingsAreCompared() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    grouped(first, "--partition", "tail", "--lmem", "document");
    grouped(second, "--partition", "dp");
    Path a = first.resolve("groups.json");
    Path b = second.resolve("groups.json");
    JsonNode same = Stowage.run("diff", a, a, "--json").json();
    assertTrue(same.get("same").asBoolean());
    JsonNode diff = Stowage.run("diff", a, b, "--json").json();
    assertEquals(List.of(), JsonSchema.named("diff").faults(diff));
    long before = diff.at("/figures/trafficBytes/0").asLong();
    assertTrue(before >= diff.at("/figures/trafficBytes/1").asLong(), diff.toString());
    Stowage text = Stowage.run("diff", a, b).ends(0);
    assertTrue(text.out().startsWith("test on bm1684x: "), text.out());
    text.prints("trafficBytes");
    ObjectNode moved = JsonChecks.read(b);
    ObjectNode buffer = (ObjectNode) moved.findValue("buffers").get(0);
    buffer.put("offset", buffer.get("offset").asLong() + 64);
    Stowage.run("diff", b, file("moved.json", moved), "--json")
        .holds(
            "same=false sameOps=1 otherSlices/0=missing otherAddresses/1=missing onlyFirst/0=missing");
    Path plan = folder.resolve("plan");
    Stowage.run("plan", network(), "--out", plan).ends(0);
    Stowage.run("diff", a, plan.resolve("plan.json")).ends(2).says("both should be a groups.json");
  }
}
