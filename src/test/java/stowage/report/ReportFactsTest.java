package stowage.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.exact.engine.EngineReport;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.SolverClaim;

/** What reports are made of: ops by step, the work of engines, independent parts, memory held. */
class ReportFactsTest extends FolderTest {
  @Test
  void producersAndReadersFollowTheOrderThatRuns() {
    Network network =
        Graphs.of(ElementType.F32, "x:2x3; a:2x3 = Relu x; b:2x3 = Conv x; y:2x3 = Add a b; -> y")
            .network();
    OpFacts facts =
        OpFacts.of(
            network,
            new int[] {1, 0, 2},
            List.of(List.of("x"), List.of("a", "y"), List.of("b"), List.of()));
    assertEquals(List.of("b", "a", "y"), facts.names());
    assertEquals(List.of("Conv", "Relu", "Add"), facts.types());
    assertArrayEquals(new int[] {-1, 1, 0, -1}, facts.producers());
    assertArrayEquals(new int[] {0, 1}, facts.readers().get(0));
    assertArrayEquals(new int[] {2}, facts.readers().get(1));
    assertEquals("2x3 f32", facts.shapes().get(0));
    assertEquals("", facts.shapes().get(3));
  }

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

  @Test
  void partsAreTheComponentsOfWhatIsLiveAtOnce() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<Buffer> buffers = new ArrayList<>();
      int count = random.nextInt(9);
      for (int i = 0; i < count; i++) {
        int start = random.nextInt(30);
        buffers.add(new Buffer("b" + i, random.nextInt(4), start, start + random.nextInt(6)));
      }
      PackingProblem problem = PackingProblem.of("p", buffers);
      assertEquals(components(buffers), IndependentParts.of(problem), "seed " + seed);
    }
  }

  private static int components(List<Buffer> buffers) {
    List<List<Buffer>> parts = new ArrayList<>();
    for (Buffer buffer : buffers) {
      if (!buffer.needsMemory()) {
        continue;
      }
      List<Buffer> joined = new ArrayList<>(List.of(buffer));
      for (List<Buffer> part : List.copyOf(parts)) {
        if (part.stream().anyMatch(other -> other.live().overlaps(buffer.live()))) {
          parts.remove(part);
          joined.addAll(part);
        }
      }
      parts.add(joined);
    }
    return parts.size();
  }

  @Test
  void readsTheHighWaterMarkInBytes() throws IOException {
    String status = "Name:\tjava\nVmPeak:\t  9000 kB\nVmHWM:\t  5124 kB\nVmRSS:\t 1 kB\n";
    assertEquals(5124L * 1024, PeakMemory.residentBytes(file("status", status)));
  }

  @Test
  void knowsWhenTheSystemDoesNotTell() throws IOException {
    assertEquals(-1, PeakMemory.residentBytes(folder.resolve("status")));
    assertEquals(-1, PeakMemory.residentBytes(file("status", "Name:\tjava\n")));
  }

  @Test
  void thisProcessHoldsSomething() {
    assertTrue(PeakMemory.bytes() > 1 << 20, "a JVM holds more than a MiB");
  }
}
