package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stowage.heuristic.NotPlannableException;
import stowage.importer.PackingCsv;
import stowage.liveness.PlanningCase;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** Every planner on public instances, each plan verified. */
class PublicInstancesTest {

  private static void check(String folder) throws IOException {
    Path path = Path.of(System.getProperty("stowage.data", "../shared/data"), "packing", folder);
    Assumptions.assumeTrue(Files.isDirectory(path), "no public data at " + path);
    List<Path> files;
    try (Stream<Path> all = Files.list(path)) {
      files = all.filter(file -> file.toString().endsWith(".csv")).sorted().toList();
    }
    for (Path file : files) {
      PackingProblem problem = PackingCsv.read(file);
      PlanningCase given = PlanningCase.ofBuffers(problem);
      long load = LoadProfile.of(problem).maxLoad();
      for (CasePlanner planner : CompilerPlanners.all()) {
        String where = planner.name() + " on " + file.getFileName();
        try {
          CasePlan plan = planner.plan(given, RunControl.ofSeconds(5, 1, 1));
          assertEquals(Optional.empty(), plan.fault(problem), where);
          assertTrue(plan.placement().peak(problem, 0) >= load, where);
        } catch (NotPlannableException refused) {
          assertTrue(refused.getMessage().startsWith(planner.name()), refused.getMessage());
        }
      }
    }
  }

  @Test
  void kernelPools() throws IOException {
    check("pypto");
  }

  @Test
  void smallOnes() throws IOException {
    check("small");
  }

  @Test
  @Tag("thorough")
  void miniMalloc() throws IOException {
    check("minimalloc");
  }

  @Test
  @Tag("thorough")
  void largeTraces() throws IOException {
    check("somas");
    check("iopddl");
  }
}
