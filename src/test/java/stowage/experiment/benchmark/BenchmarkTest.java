package stowage.experiment.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.report.compare.BenchmarkReport;

class BenchmarkTest {
  private static final String THREE = "id,lower,upper,size\na,0,4,3\nb,2,6,5\nc,5,9,4\n";

  @Test
  void aCapacityInTheNameMakesTwoRuns(@TempDir Path folder) throws IOException {
    Files.createDirectories(folder.resolve("set"));
    Files.writeString(folder.resolve("set/three.20.csv"), THREE);
    Files.writeString(folder.resolve("free.csv"), THREE);
    StringBuilder many = new StringBuilder("id,lower,upper,size\n");
    for (int i = 0; i <= BenchmarkSet.LARGEST_EXACT; i++) {
      many.append(i).append(',').append(i).append(',').append(i + 2).append(",7\n");
    }
    Files.writeString(folder.resolve("many.csv"), many);
    List<BenchmarkSet.BenchmarkInstance> exact = BenchmarkSet.EXACT.instances(null, folder);
    List<BenchmarkSet.BenchmarkInstance> added = exact.subList(exact.size() - 3, exact.size());
    assertEquals(
        List.of("free", "set/three.20", "set/three.20"),
        added.stream().map(BenchmarkSet.BenchmarkInstance::name).toList());
    assertEquals(20, added.get(1).capacity());
    assertEquals(20, added.get(1).problem().get().memories().get(0).capacity());
    assertEquals(null, added.get(2).capacity());
    List<BenchmarkSet.BenchmarkInstance> large = BenchmarkSet.LARGE.instances(null, folder);
    assertEquals("many", large.get(large.size() - 1).name());
  }

  @Test
  void everyRowSaysWhatWasProven() {
    PackingProblem problem = PackingProblem.of("three", Buffers.of("a:3[0,4) b:5[2,6) c:4[5,9)"));
    List<BenchmarkReport.Row> heard = new ArrayList<>();
    BenchmarkReport report =
        Benchmark.run(
            BenchmarkSet.EXACT,
            List.of(
                new BenchmarkSet.BenchmarkInstance("free", null, () -> problem),
                new BenchmarkSet.BenchmarkInstance("fits", 10L, () -> problem.withCapacity(0, 10)),
                new BenchmarkSet.BenchmarkInstance("tight", 8L, () -> problem.withCapacity(0, 8))),
            () -> RunControl.ofWork(1_000_000, 1, 1),
            heard::add);
    assertEquals(report.rows(), heard);
    assertEquals(
        List.of(Status.OPTIMAL, Status.OPTIMAL, Status.INFEASIBLE),
        heard.stream().map(BenchmarkReport.Row::status).toList());
    assertEquals(9, heard.get(0).peak());
    assertEquals(9, heard.get(0).bound());
    assertEquals("max-load", heard.get(0).boundKind());
    assertEquals(3, report.settled());
    assertTrue(heard.get(0).firstSeconds() <= heard.get(0).seconds());
  }
}
