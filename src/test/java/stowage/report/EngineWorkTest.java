package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineReport;
import stowage.packing.Bound;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.SolverClaim;

class EngineWorkTest {
  private static EngineReport report(String name, double seconds, long nodes) {
    return new EngineReport(name, seconds, "1", new TreeMap<>(Map.of("nodes", nodes)), 0, "");
  }

  @Test
  void whatAnEngineFoundAndProvedIsTakenFromTheTrace() {
    PackingProblem problem = PackingProblem.of("two", Buffers.of("a:4[0,1) b:3[1,2)"));
    Incumbent incumbent = new Incumbent(problem);
    incumbent.offer(Placement.of(new long[] {0, 4}), "search");
    incumbent.offer(Placement.of(new long[] {1, 0}), "cpsat");
    incumbent.offer(new Bound(0, 3, SolverClaim.of("x", "x 1", Map.of())), "search");
    incumbent.offer(new Bound(0, 4, SolverClaim.of("x", "x 1", Map.of())), "choco");
    List<EngineWork> work =
        EngineWork.of(
            List.of(report("cpsat", 1, 5), report("search", 2, 7), report("cpsat", 0.5, 6)),
            incumbent.trace());
    assertEquals(2, work.size());
    assertEquals("cpsat", work.get(0).name());
    assertEquals(5, work.get(0).found());
    assertNull(work.get(0).proved());
    assertEquals(1.5, work.get(0).seconds());
    assertEquals(11, work.get(0).branches());
    assertEquals(7, work.get(1).found());
    assertEquals(3, work.get(1).proved());
  }
}
