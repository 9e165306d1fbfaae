package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.tflite.TflmGreedy;
import stowage.compiler.vela.VelaHillClimb;
import stowage.importer.own.PackingCsv;
import stowage.liveness.PlanningCase;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * What the original programs gave on public instances, met to the byte. The figures come from runs
 * of the originals: torch 2.14.1's memory_planning.py, tflite-micro 90b983c2's greedy planner,
 * ExecuTorch's pick_shared_obj, and Vela a6f65663 with seed 1 and times ranked.
 */
class GoldenFiguresTest {

  private static PlanningCase instance(String name) throws IOException {
    Path file = Path.of(System.getProperty("stowage.data", "../shared/data"), "packing", name);
    Assumptions.assumeTrue(Files.exists(file), "no public data at " + file);
    return PlanningCase.ofBuffers(PackingCsv.read(file));
  }

  private static void check(String planner, String name, long peak, int objects)
      throws IOException {
    PlanningCase given = instance(name);
    PackingProblem problem = given.problem();
    CasePlan plan = CompilerPlanners.named(planner).plan(given, RunControl.unlimited());
    assertEquals(java.util.Optional.empty(), plan.fault(problem));
    assertEquals(peak, plan.placement().peak(problem, 0), planner + " on " + name);
    if (objects > 0) {
      assertEquals(objects, plan.objects(), planner + " on " + name);
    }
  }

  /** Sums of allocations by the rule as written down apart, and what is alive at once. */
  @ParameterizedTest(name = "inductor-reuse-plain on {0} allocates {1}")
  @CsvSource({
    "minimalloc/A.1048576.csv, 8680448",
    "minimalloc/C.1048576.csv, 12208128",
    "minimalloc/J.1048576.csv, 7089152"
  })
  void inductorReusePlain(String name, long sum) throws IOException {
    check("inductor-reuse-plain", name, sum, 0);
  }

  @ParameterizedTest(name = "inductor-tree on {0} gives {1}")
  @CsvSource({
    "minimalloc/A.1048576.csv, 1818624",
    "minimalloc/C.1048576.csv, 2087936",
    "minimalloc/D.1048576.csv, 1699840",
    "minimalloc/F.1048576.csv, 1848320",
    "minimalloc/G.1048576.csv, 1662976",
    "minimalloc/H.1048576.csv, 1768448",
    "minimalloc/J.1048576.csv, 2146304",
    "minimalloc/input.12.csv, 132",
    "somas/somas_resnet50.csv, 1525436100",
    "iopddl/G_1.csv, 3043969867"
  })
  void inductorTree(String name, long peak) throws IOException {
    check("inductor-tree", name, peak, 1);
  }

  @ParameterizedTest(name = "inductor-tree-none on {0} gives {1} in {2} pools")
  @CsvSource({
    "minimalloc/A.1048576.csv, 1675264, 43",
    "minimalloc/C.1048576.csv, 1801216, 42",
    "minimalloc/D.1048576.csv, 1417216, 80",
    "minimalloc/F.1048576.csv, 1473536, 20",
    "minimalloc/G.1048576.csv, 1512448, 22",
    "minimalloc/H.1048576.csv, 1572864, 24",
    "minimalloc/J.1048576.csv, 1570816, 65",
    "minimalloc/input.12.csv, 12, 3",
    "somas/somas_resnet50.csv, 1525436076, 293",
    "iopddl/G_1.csv, 3043960348, 154"
  })
  void inductorTreeNone(String name, long peak, int pools) throws IOException {
    check("inductor-tree-none", name, peak, pools);
  }

  @ParameterizedTest(name = "tflm on {0} gives {1}")
  @CsvSource({
    "minimalloc/A.1048576.csv, 1352704",
    "minimalloc/C.1048576.csv, 1417216",
    "minimalloc/D.1048576.csv, 1301504",
    "minimalloc/F.1048576.csv, 1348608",
    "minimalloc/G.1048576.csv, 1433600",
    "minimalloc/H.1048576.csv, 1444864",
    "minimalloc/J.1048576.csv, 1298432",
    "minimalloc/input.12.csv, 12",
    "somas/somas_resnet50.csv, 1533134508"
  })
  void tflm(String name, long peak) throws IOException {
    check("tflm", name, peak, 0);
  }

  @ParameterizedTest(name = "tflm, sizes aligned to 64, on {0} gives {1}")
  @CsvSource({"minimalloc/input.12.csv, 192", "somas/somas_resnet50.csv, 1533134592"})
  void tflmAligned(String name, long peak) throws IOException {
    PackingProblem plain = instance(name).problem();
    List<stowage.packing.Buffer> rounded =
        plain.buffers().stream()
            .map(buffer -> buffer.withSize(HullList.roundUp(buffer.size(), 64)))
            .toList();
    PackingProblem problem = plain.withBuffers(rounded);
    CasePlan plan = new TflmGreedy().plan(PlanningCase.ofBuffers(problem), RunControl.unlimited());
    assertEquals(peak, plan.placement().peak(problem, 0));
  }

  @ParameterizedTest(name = "executorch on {0} gives {1} in {2} objects")
  @CsvSource({
    "minimalloc/A.1048576.csv, 1511424, 41",
    "minimalloc/C.1048576.csv, 1547264, 32",
    "minimalloc/D.1048576.csv, 1336320, 79",
    "minimalloc/F.1048576.csv, 1433600, 19",
    "minimalloc/G.1048576.csv, 1478656, 21",
    "minimalloc/H.1048576.csv, 1445888, 21",
    "minimalloc/J.1048576.csv, 1464320, 79",
    "minimalloc/input.12.csv, 12, 3",
    "somas/somas_resnet50.csv, 1564528300, 294",
    "iopddl/G_1.csv, 3032305484, 146"
  })
  void executorch(String name, long peak, int objects) throws IOException {
    check("executorch", name, peak, objects);
  }

  @ParameterizedTest(name = "executorch-shared on {0} gives {1} in {2} objects")
  @CsvSource({
    "minimalloc/A.1048576.csv, 2088960, 48",
    "minimalloc/C.1048576.csv, 2271232, 46",
    "minimalloc/D.1048576.csv, 1559552, 92",
    "minimalloc/F.1048576.csv, 1433600, 19",
    "minimalloc/G.1048576.csv, 1509376, 22",
    "minimalloc/H.1048576.csv, 1481728, 22",
    "minimalloc/J.1048576.csv, 2003968, 118",
    "minimalloc/input.12.csv, 12, 3",
    "somas/somas_resnet50.csv, 1600497324, 334",
    "iopddl/G_1.csv, 3064329330, 170"
  })
  void executorchShared(String name, long peak, int objects) throws IOException {
    check("executorch-shared", name, peak, objects);
  }

  @ParameterizedTest(name = "vela-greedy on {0} gives {1}")
  @CsvSource({
    "minimalloc/A.1048576.csv, 1647616",
    "minimalloc/C.1048576.csv, 1868800",
    "minimalloc/D.1048576.csv, 1341440",
    "minimalloc/F.1048576.csv, 1188864",
    "minimalloc/G.1048576.csv, 1290240",
    "minimalloc/H.1048576.csv, 1288192",
    "minimalloc/J.1048576.csv, 1748992",
    "minimalloc/input.12.csv, 12"
  })
  void velaGreedy(String name, long peak) throws IOException {
    check("vela-greedy", name, peak, 0);
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
    PlanningCase given = instance(name);
    VelaHillClimb.Climb climb = new VelaHillClimb.Climb(HullList.of("vela", given.problem()));
    climb.run(RunControl.unlimited());
    assertEquals(start, climb.startSize, "the first order of " + name);
    check("vela", name, peak, 0);
  }
}
