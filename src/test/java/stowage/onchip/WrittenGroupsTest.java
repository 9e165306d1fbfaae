package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Refusals;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.network.Chip;
import stowage.network.CompiledNetwork;
import stowage.network.Network;
import stowage.network.Op;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.lmem.PackedLane;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.partition.PartitionLadder;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.search.GroupSearch;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;
import stowage.packing.RunControl;

/** Groups written into TPU-MLIR's files and read back by the rules that judge any file. */
class WrittenGroupsTest extends FolderTest {
  private static final GroupOptions TODAY =
      RandomNets.traffic(GroupOptions.Lmem.TODAY, GroupOptions.SlicingSearch.QUICK);

  /** Two functions for the TPU around one for the CPU; none has a group yet. */
  private static final String SEVERAL =
      """
      #loc = loc(unknown)
      #loc1 = loc("x")
      module @net attributes {module.chip = "bm1688", module.state = "TPU_ADDRESSED"} {
        module @net attributes {module.neuron_addr = 687194767360 : i64, module.neuron_size = 65536 : i64} {
          func.func @main(%arg0: tensor<1x8x16x16xf16> loc(unknown)) -> (tensor<1x8x16x16xf16, 687194767360 : i64>) {
            %0 = "top.Input"(%arg0) : (tensor<1x8x16x16xf16>) -> tensor<1x8x16x16xf16, 687194771456 : i64> loc(#loc1)
            %1 = call @first(%0) : (tensor<1x8x16x16xf16, 687194771456 : i64>) -> tensor<1x8x16x16xf16, 687194775552 : i64> loc(#loc)
            %2 = call @second(%1) : (tensor<1x8x16x16xf16, 687194775552 : i64>) -> tensor<1x8x16x16xf16, 687194779648 : i64> loc(#loc)
            return %2 : tensor<1x8x16x16xf16, 687194779648 : i64> loc(#loc)
          } loc(#loc)
          func.func @first(%arg0: tensor<1x8x16x16xf16, 687194771456 : i64> loc("x")) -> tensor<1x8x16x16xf16, 687194775552 : i64> attributes {id = 0 : i64, mode = #tpu<run_mode TPU_STATIC>} {
            %0 = "top.None"() : () -> none loc(#loc)
            %1 = "tpu.Active"(%arg0) {mode = #tpu<active_mode RELU>} : (tensor<1x8x16x16xf16, 687194771456 : i64>) -> tensor<1x8x16x16xf16, 687194767360 : i64> loc(#loc2)
            %2 = "tpu.Add"(%1, %arg0) {do_relu = false} : (tensor<1x8x16x16xf16, 687194767360 : i64>, tensor<1x8x16x16xf16, 687194771456 : i64>) -> tensor<1x8x16x16xf16, 687194775552 : i64> loc(#loc3)
            return %2 : tensor<1x8x16x16xf16, 687194775552 : i64> loc(#loc)
          } loc(#loc)
          func.func @second(%arg0: tensor<1x8x16x16xf16, 687194775552 : i64> loc("y")) -> tensor<1x8x16x16xf16, 687194779648 : i64> attributes {id = 1 : i64, mode = #tpu<run_mode MODE>} {
            %0 = "top.None"() : () -> none loc(#loc)
            %1 = "tpu.Active"(%arg0) {mode = #tpu<active_mode RELU>} : (tensor<1x8x16x16xf16, 687194775552 : i64>) -> tensor<1x8x16x16xf16, 687194767360 : i64> loc(#loc4)
            %2 = "tpu.Add"(%1, %arg0) {do_relu = false} : (tensor<1x8x16x16xf16, 687194767360 : i64>, tensor<1x8x16x16xf16, 687194775552 : i64>) -> tensor<1x8x16x16xf16, 687194779648 : i64> loc(#loc5)
            return %2 : tensor<1x8x16x16xf16, 687194779648 : i64> loc(#loc)
          } loc(#loc)
        } loc(#loc)
      } loc(#loc)
      #loc2 = loc("a")
      #loc3 = loc("y")
      #loc4 = loc("b")
      #loc5 = loc("z")
      """;

  /** A file, its network and what finds groups on its chip. */
  private record Given(Path file, CompiledNetwork compiled, LayerGraph graph, GroupSearch search) {

    static Given of(Path file, Chip chip) {
      CompiledNetwork compiled = TpuMlirFile.open(file).compiled();
      LayerGraph graph = LayerGraph.of(compiled.network(), chip);
      RunControl control = RunControl.unlimited();
      GroupSearch search =
          new PartitionLadder(graph, GroupOptions.GroupObjective.TRAFFIC, new CpSatLmem(), control)
              .search(TODAY);
      return new Given(file, compiled, graph, search);
    }

    private static PlannedGroup alone(int position) {
      return new PlannedGroup(new int[] {position}, null, null, 0, 0, "by itself", null, List.of());
    }

    /** Groups where the rules find one, ops by themselves elsewhere. */
    Grouping grouping(List<int[]> wanted) {
      List<PlannedGroup> groups = new ArrayList<>();
      for (int[] members : wanted) {
        GroupOutcome found = members.length > 1 ? search.search(members) : null;
        if (found != null && found.fits()) {
          var plan = search.plan(members, found);
          groups.add(
              new PlannedGroup(
                  members,
                  plan,
                  LmemAnswer.of(plan.problem(), plan.placement()),
                  plan.trafficBytes(),
                  plan.cycles(),
                  null,
                  null,
                  List.of()));
        } else {
          IntStream.of(members).forEach(member -> groups.add(alone(member)));
        }
      }
      return compilable(groups);
    }

    Grouping compilable(List<PlannedGroup> groups) {
      Grouping grouping = new Grouping(graph, "test", TODAY, groups, 0, BoundScope.NETWORK);
      int[] functions = TpuMlirFile.open(file).functionNumbers();
      return new CompilableGroups(graph, new CpSatLmem(), RunControl.ofSeconds(20, 1, 1), functions)
          .of(grouping);
    }
  }

  private Given blazeface(String chip) {
    return Given.of(
        PublicData.network("tpu-mlir/blazeface_" + chip + "_final.mlir"),
        chip.equals("bm1688") ? Chips.bm1688() : Chips.cv184x());
  }

  private Path write(Given given, Grouping grouping) throws IOException {
    List<TpuMlirFile.Unit> units = new ArrayList<>();
    for (PlannedGroup group : grouping.groups()) {
      units.add(
          group.isGrouped()
              ? new TpuMlirFile.Unit(-1, CompilableGroups.compiled(group.plan()))
              : new TpuMlirFile.Unit(group.first(), null));
    }
    return put(given.file, units, Set.of());
  }

  private Path put(Path file, List<TpuMlirFile.Unit> units, Set<Integer> kept) throws IOException {
    String text = TpuMlirFile.open(file).withGroups(units, kept);
    return file("written.mlir", text);
  }

  /** Every op by itself. */
  private static List<TpuMlirFile.Unit> singles(int count) {
    return IntStream.range(0, count).mapToObj(p -> new TpuMlirFile.Unit(p, null)).toList();
  }

  /** Reads the file back: the same network, the same groups, and all of them hold. */
  private void check(Given given, Grouping grouping, Path written, String what) throws IOException {
    CompiledNetwork read = TpuMlirFile.open(written).compiled();
    assertSame(given.compiled.network(), read.network(), what);
    LayerGraph graph = LayerGraph.of(read.network(), given.graph.chip());
    List<FileGroup> groups = FileGroup.all(graph, read);
    List<PlannedGroup> planned =
        grouping.groups().stream().filter(PlannedGroup::isGrouped).toList();
    assertEquals(planned.size(), groups.size(), what);
    for (int k = 0; k < groups.size(); k++) {
      FileGroup group = groups.get(k);
      assertEquals(List.of(), group.violations(), what);
      assertEquals(List.of(), group.differences(), what);
      LmemScore ours = planned.get(k).answer().score();
      LmemScore theirs = LmemScore.of(group.problem(), group.placement());
      assertEquals(ours.clashes(), theirs.clashes(), what);
      assertEquals(ours.peak(), theirs.peak(), what);
    }
    values(Files.readString(written), what);
  }

  private static void assertSame(Network before, Network after, String what) {
    Map<String, Op> found = new HashMap<>();
    after.ops().forEach(op -> found.put(op.name(), op));
    assertEquals(before.ops().size(), after.ops().size(), what);
    before.ops().forEach(op -> assertEquals(op.inputs(), found.get(op.name()).inputs(), what));
    before.ops().forEach(op -> assertEquals(op.outputs(), found.get(op.name()).outputs(), what));
    assertEquals(before.inputs(), after.inputs(), what);
    assertEquals(before.outputs(), after.outputs(), what);
  }

  /** Each value is made once in its function or group, before it is read; each id is in a step. */
  private static void values(String text, String what) {
    Pattern value = Pattern.compile("%\\w+");
    Set<String> outside = new HashSet<>();
    Set<String> inside = new HashSet<>();
    List<String> ids = new ArrayList<>();
    boolean group = false;
    String header = "";
    for (String line : text.lines().toList()) {
      if (line.contains("func.func")) {
        outside.clear();
      }
      String code = line.replaceAll("\"[^\"]*\"", "");
      int equals = code.strip().startsWith("%") ? code.indexOf('=') : 0;
      Matcher read = value.matcher(code.substring(equals));
      while (read.find() && !code.contains("func.func")) {
        boolean known = outside.contains(read.group()) || inside.contains(read.group());
        assertTrue(known, what + ": " + line);
      }
      if (code.contains("func.func")) {
        outside.add("%arg0");
      }
      Matcher made = value.matcher(code.substring(0, equals));
      while (made.find()) {
        assertTrue(!outside.contains(made.group()), what + ": " + line);
        assertTrue((group ? inside : outside).add(made.group()), what + ": " + line);
      }
      Matcher id = Pattern.compile(" id = (\\d+), stage").matcher(line);
      if (group && id.find()) {
        ids.add(id.group(1));
      }
      if (line.contains("\"tpu.Group\"")) {
        group = true;
        header = line;
      } else if (group && line.strip().startsWith("})")) {
        Matcher flow = Pattern.compile("flow = \\[([^\\]]*)\\]").matcher(header + line);
        assertTrue(flow.find(), line);
        List<String> entries = List.of(flow.group(1).split(", "));
        assertEquals(
            new HashSet<>(ids),
            new HashSet<>(entries.stream().filter(e -> !e.startsWith("-")).toList()),
            what);
        group = false;
        inside.clear();
        ids.clear();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void randomPartitionsOfARealFileAreReadBackAsTheyWere(String chip) throws IOException {
    Given given = blazeface(chip);
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      List<int[]> wanted = new ArrayList<>();
      for (int from = 0; from < given.graph.size(); ) {
        int to = Math.min(given.graph.size(), from + 1 + random.nextInt(5));
        wanted.add(IntStream.range(from, to).toArray());
        from = to;
      }
      Grouping grouping = given.grouping(wanted);
      check(given, grouping, write(given, grouping), chip + ", seed " + seed);
    }
  }

  /** A file implies that constants stay: plans that load them for each slice are made again. */
  @Test
  void plansWhoseConstantsDoNotStayAreMadeAgain() throws IOException {
    Given given = blazeface("cv184x");
    CostModel cost = new CostModel(given.graph.chip());
    int again = 0;
    for (int at = 0; at + 3 <= given.graph.size(); at += 3) {
      int from = at;
      int[] members = {from, from + 1, from + 2};
      GroupOutcome found = given.search.search(members);
      if (!found.fits()) {
        continue;
      }
      SlicedGroup sliced = given.search.plan(members, found).sliced();
      TimeSteps steps = new TimeSteps(sliced, cost);
      GroupRun run = steps.withoutSelfClashes(steps.run(true, Staying.nothing(sliced)));
      LmemEngine.Fit fit = PackedLane.fit(run.problem(), RunControl.ofSeconds(20, 1, 1));
      if (fit.verdict() != LmemEngine.Verdict.FITS) {
        continue;
      }
      LmemAnswer answer = LmemAnswer.of(run.problem(), fit.placement());
      GroupPlan plan = GroupPlan.of(run, run.problem(), fit.placement(), cost);
      List<PlannedGroup> groups = new ArrayList<>();
      IntStream.range(0, from).forEach(p -> groups.add(Given.alone(p)));
      groups.add(PlannedGroup.of(plan, answer, null, List.of()));
      IntStream.range(from + 3, given.graph.size()).forEach(p -> groups.add(Given.alone(p)));
      Grouping grouping = given.compilable(groups);
      check(given, grouping, write(given, grouping), "from " + from);
      boolean made = grouping.groups().get(from).plan() != plan;
      boolean[] implied = Staying.inFile(sliced).weights();
      assertEquals(IntStream.range(0, implied.length).anyMatch(w -> implied[w]), made);
      again += made && grouping.groups().get(from).isGrouped() ? 1 : 0;
    }
    assertTrue(again > 0, again + " made again");
  }

  /** A file without any group, and the file's own groups put into it again. */
  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void groupsAreTakenApartAndPutTogetherAgain(String chip) throws IOException {
    Given given = blazeface(chip);
    List<int[]> single =
        IntStream.range(0, given.graph.size()).mapToObj(p -> new int[] {p}).toList();
    Grouping none = given.grouping(single);
    Path apart = Files.copy(write(given, none), folder.resolve("apart.mlir"));
    check(given, none, apart, "apart");
    assertTrue(!Files.readString(apart).contains("tpu.Load"));
    List<TpuMlirFile.Unit> units = new ArrayList<>();
    Set<Integer> inGroups = new HashSet<>();
    given.compiled.groups().forEach(group -> inGroups.addAll(group.members()));
    for (int p = 0; p < given.graph.size(); p++) {
      for (CompiledNetwork.CompiledGroup group : given.compiled.groups()) {
        if (group.members().get(0) == p) {
          units.add(new TpuMlirFile.Unit(-1, group));
        }
      }
      if (!inGroups.contains(p)) {
        units.add(new TpuMlirFile.Unit(p, null));
      }
    }
    CompiledNetwork read = TpuMlirFile.open(put(apart, units, Set.of())).compiled();
    assertEquals(given.compiled.groups(), read.groups());
  }

  @Test
  void groupsStayInsideOfFunctionsAndOffTheCpu() throws IOException {
    for (boolean cpu : new boolean[] {false, true}) {
      String text = SEVERAL.replace("MODE", cpu ? "CPU" : "TPU_STATIC");
      Path file = file("several.mlir", text);
      Given given = Given.of(file, Chips.bm1688());
      Grouping across = given.grouping(List.of(new int[] {0, 1, 2, 3}));
      assertEquals(4, across.groups().size());
      Grouping grouping = given.grouping(List.of(new int[] {0, 1}, new int[] {2, 3}));
      assertEquals(cpu ? 3 : 2, grouping.groups().size());
      Path written = write(given, grouping);
      check(given, grouping, written, "several");
      String main = text.substring(0, text.indexOf("func.func @first"));
      assertTrue(Files.readString(written).startsWith(main));
    }
  }

  /** What a file gives an op counts where our rules give it no scratch, too. */
  @Test
  void scratchOfTheFileIsHeldAgainstOtherBuffers() throws IOException {
    Given given =
        Given.of(file("several.mlir", SEVERAL.replace("MODE", "TPU_STATIC")), Chips.bm1688());
    Grouping grouping = given.grouping(List.of(new int[] {0, 1}, new int[] {2, 3}));
    String text = Files.readString(write(given, grouping));
    String add =
        "(tpu.Add.*out_addr = )(\\d+)(, out_size = \\d+, buffer_addr = )0(, buffer_size = )0";
    for (String size : List.of("0", "64")) {
      Path changed = file("changed.mlir", text.replaceFirst(add, "$1$2$3$2$4" + size));
      CompiledNetwork read = TpuMlirFile.open(changed).compiled();
      LayerGraph graph = LayerGraph.of(read.network(), given.graph.chip());
      FileGroup group = FileGroup.all(graph, read).get(0);
      assertEquals(size.equals("0"), group.violations().isEmpty(), group.violations().toString());
    }
  }

  @Test
  void whatCannotBeWrittenIsRefusedInOneLine() {
    Path old = PublicData.network("tpu-mlir/resnet18_int8_addr_bm1684.mlir");
    TpuMlirFile opened = TpuMlirFile.open(old);
    Refusals.input(() -> opened.withGroups(List.of(), Set.of()), "keeps names as attributes");
  }

  @Test
  void aFunctionWithoutGroupsStaysAsItIs() throws IOException {
    Path file = file("plain.mlir", SEVERAL.replace("MODE", "CPU"));
    assertEquals(Files.readString(file), Files.readString(put(file, singles(4), Set.of())));
  }

  /** Groups that cannot be judged stay letter by letter, whatever becomes of those around them. */
  @ParameterizedTest
  @ValueSource(strings = {"bm1688", "cv184x"})
  void groupsThatAreKeptStayAsTheyAre(String chip) throws IOException {
    Given given = blazeface(chip);
    Set<Integer> kept = Set.of(1, 4, 12);
    Path written = put(given.file, singles(given.graph.size()), kept);
    CompiledNetwork read = TpuMlirFile.open(written).compiled();
    assertSame(given.compiled.network(), read.network(), chip);
    List<CompiledNetwork.CompiledGroup> expected =
        kept.stream().sorted().map(given.compiled.groups()::get).toList();
    assertEquals(expected, read.groups());
    values(Files.readString(written), chip);
  }

  /** Files of newer versions of MLIR have attributes as properties, and code of several cores. */
  @Test
  void propertiesAndNestedCodeAreUnderstood() throws IOException {
    String text =
        SEVERAL
            .replace("MODE", "TPU_STATIC")
            .replaceAll(" (\\{(?:do_relu|mode = #tpu<active)[^}]*\\}) :", " <$1> :");
    assertTrue(text.contains("<{do_relu = false}> :"), text);
    String nested =
        """
              %2 = "tpu.CoreParallel"(%1, %arg0) ({
                %7 = "tpu.Add"(%1, %arg0) <{do_relu = false}> : (tensor<1x8x16x16xf16, 687194767360 : i64>, tensor<1x8x16x16xf16, 687194771456 : i64>) -> tensor<1x8x16x16xf16> loc(#loc3)
                "tpu.Yield"(%7) : (tensor<1x8x16x16xf16>) -> () loc(#loc3)
              }) {offset = 0 : i64} : (tensor<1x8x16x16xf16, 687194767360 : i64>, tensor<1x8x16x16xf16, 687194771456 : i64>) -> tensor<1x8x16x16xf16, 687194775552 : i64> loc(#loc3)
        """;
    String parallel =
        text.replaceFirst("(?m)^ *%2 = \"tpu.Add\".*\\n", Matcher.quoteReplacement(nested));
    for (String file : List.of(text, parallel)) {
      Given given = Given.of(file("new.mlir", file), Chips.bm1688());
      List<int[]> wanted =
          file.equals(text)
              ? List.of(new int[] {0, 1}, new int[] {2, 3})
              : List.of(new int[] {0}, new int[] {1}, new int[] {2, 3});
      Grouping grouping = given.grouping(wanted);
      Path written = write(given, grouping);
      check(given, grouping, written, file);
      assertTrue(Files.readString(written).contains("\"tpu.Group\"(%arg0) <{"));
      assertEquals(file.equals(parallel), Files.readString(written).contains("CoreParallel"));
    }
  }
}
