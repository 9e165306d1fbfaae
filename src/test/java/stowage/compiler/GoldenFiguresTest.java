package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.compiler.RulesChecks.plan;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.PublicData;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.vela.VelaHillClimb;
import stowage.importer.own.PackingCsv;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * What the original programs gave on public instances, met to the byte. The figures come from runs
 * of the originals: torch 2.14.1's memory_planning.py, tflite-micro 90b983c2's greedy planner,
 * ExecuTorch's pick_shared_obj, and Vela a6f65663 with seed 1 and times ranked.
 */
class GoldenFiguresTest {
  private static PackingProblem instance(String name) throws IOException {
    return PackingCsv.read(PublicData.at("packing/" + name));
  }

  private static void check(String planner, String name, long peak, int objects)
      throws IOException {
    PackingProblem problem = instance(name);
    CasePlan plan = plan(planner, problem);
    assertEquals(peak, plan.placement().peak(problem, 0), planner + " on " + name);
    if (objects > 0) {
      assertEquals(objects, plan.objects(), planner + " on " + name);
    }
  }

  private static String file(String instance) {
    return switch (instance) {
      case "resnet50" -> "somas/somas_resnet50.csv";
      case "G_1" -> "iopddl/G_1.csv";
      case "input.12" -> "minimalloc/input.12.csv";
      default -> "minimalloc/" + instance + ".1048576.csv";
    };
  }

  /**
   * Peaks, and behind a slash the objects or pools. Those of inductor-reuse-plain are sums of
   * allocations by the rule as written down apart.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      textBlock =
          """
          inductor-reuse-plain, A=8680448 C=12208128 J=7089152
          inductor-tree, A=1818624/1 C=2087936/1 D=1699840/1 F=1848320/1 G=1662976/1 H=1768448/1 J=2146304/1 input.12=132/1 resnet50=1525436100/1 G_1=3043969867/1
          inductor-tree-none, A=1675264/43 C=1801216/42 D=1417216/80 F=1473536/20 G=1512448/22 H=1572864/24 J=1570816/65 input.12=12/3 resnet50=1525436076/293 G_1=3043960348/154
          tflm, A=1352704 C=1417216 D=1301504 F=1348608 G=1433600 H=1444864 J=1298432 input.12=12 resnet50=1533134508
          executorch, A=1511424/41 C=1547264/32 D=1336320/79 F=1433600/19 G=1478656/21 H=1445888/21 J=1464320/79 input.12=12/3 resnet50=1564528300/294 G_1=3032305484/146
          executorch-shared, A=2088960/48 C=2271232/46 D=1559552/92 F=1433600/19 G=1509376/22 H=1481728/22 J=2003968/118 input.12=12/3 resnet50=1600497324/334 G_1=3064329330/170
          vela-greedy, A=1647616 C=1868800 D=1341440 F=1188864 G=1290240 H=1288192 J=1748992 input.12=12
          """)
  void figuresOfTheOriginals(String planner, String figures) throws IOException {
    for (String figure : figures.split(" ")) {
      String[] parts = figure.split("[=/]");
      int objects = parts.length > 2 ? Integer.parseInt(parts[2]) : 0;
      check(planner, file(parts[0]), Long.parseLong(parts[1]), objects);
    }
  }

  @ParameterizedTest(name = "tflm, sizes aligned to 64, on {0} gives {1}")
  @CsvSource({"minimalloc/input.12.csv, 192", "somas/somas_resnet50.csv, 1533134592"})
  void tflmAligned(String name, long peak) throws IOException {
    PackingProblem plain = instance(name);
    List<Buffer> rounded =
        plain.buffers().stream()
            .map(buffer -> buffer.withSize(HullList.roundUp(buffer.size(), 64)))
            .toList();
    PackingProblem problem = plain.withBuffers(rounded);
    assertEquals(peak, plan("tflm", problem).placement().peak(problem, 0));
  }

  @ParameterizedTest(name = "vela on {0} starts at {1} and gives {2}")
  @CsvSource({
    "minimalloc/A.1048576.csv, 1375232, 1158144",
    "minimalloc/C.1048576.csv, 1498112, 1294336",
    "minimalloc/D.1048576.csv, 1300480, 1180672",
    "minimalloc/F.1048576.csv, 1405952, 1262592",
    "minimalloc/G.1048576.csv, 1397760, 1232896",
    "minimalloc/H.1048576.csv, 1284096, 1156096",
    "minimalloc/J.1048576.csv, 1349632, 1225728",
    "minimalloc/input.12.csv, 12, 12"
  })
  void vela(String name, long start, long peak) throws IOException {
    VelaHillClimb.Climb climb = new VelaHillClimb.Climb(HullList.of("vela", instance(name)));
    climb.run(RunControl.unlimited());
    assertEquals(start, climb.startSize, "the first order of " + name);
    check("vela", name, peak, 0);
  }
}
