package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import stowage.exact.BruteForce;
import stowage.exact.engine.EngineOptions;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCost;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class ParetoRunTest {
  private static final int PROBLEMS = 15;

  private static PackingProblem problem(Random random, long capacity) {
    int count = 2 + random.nextInt(3);
    List<Buffer> buffers = Buffers.drawn(random, count, 4, 3, 3);
    List<Relations.Reuse> pairs =
        Buffers.pairs(count, () -> random.nextInt(3) > 0).stream()
            .map(pair -> new Relations.Reuse(pair[1], pair[0], 1 + random.nextInt(3)))
            .toList();
    Memory memory = Memory.main().withCapacity(capacity);
    return new PackingProblem(
        "p", buffers, List.of(memory), ConflictPairs.none(), Relations.none().withReuse(pairs));
  }

  @Test
  void findsTheFrontByDefinition() {
    Random random = new Random(11);
    for (int k = 0; k < PROBLEMS; k++) {
      long capacity = random.nextBoolean() ? Memory.UNBOUNDED : 4 + random.nextInt(5);
      PackingProblem problem = problem(random, capacity);
      RunControl control = RunControl.ofSeconds(60, 1, 1);
      ParetoRun run = new ParetoRun(problem, 0, control, EngineOptions.defaults(), said -> {});
      TreeMap<Long, Long> found = new TreeMap<>();
      for (ParetoRun.Point point : run.run()) {
        assertTrue(point.isProven(), "problem " + k + ": " + point);
        assertEquals(point.peak(), point.placement().peak(problem, 0));
        assertEquals(point.cost(), ReuseCost.of(problem, point.placement()));
        found.put(point.peak(), point.cost());
      }
      assertEquals(BruteForce.front(problem, 12), found, "problem " + k);
      assertEquals(found.isEmpty(), run.isInfeasible());
      assertTrue(run.isWhole(), "problem " + k);
    }
  }

  /** Each of the points that are known may be proven before the others are found. */
  @Test
  void aFrontThatIsCutShortIsNotWhole() {
    Random random = new Random(11);
    for (int k = 0; k < PROBLEMS; k++) {
      PackingProblem problem = problem(random, Memory.UNBOUNDED);
      RunControl control = RunControl.ofSeconds(60, 1, 1);
      ParetoFront front =
          ParetoFront.of(problem, control, EngineOptions.defaults(), said -> control.stop());
      TreeMap<Long, Long> found = new TreeMap<>();
      front.points().forEach(point -> found.put(point.peak(), point.cost()));
      assertTrue(!front.whole() || found.equals(BruteForce.front(problem, 12)), "problem " + k);
    }
  }

  private static Buffer buffer(String id, int from, String memory) {
    return new Buffer(id, 4, from, from + 1).withMemories(List.of(memory));
  }

  /** Two memories, in each two buffers of 4 bytes that share for 1 and for 3. */
  @Test
  void memoriesAddUp() {
    List<Buffer> buffers =
        List.of(buffer("a", 0, "m"), buffer("b", 1, "m"), buffer("c", 0, "n"), buffer("d", 1, "n"));
    Memory m = new Memory("m", 100, 1, 0, 0);
    Memory n = new Memory("n", 100, 1, 0, 0);
    List<Relations.Reuse> pairs =
        List.of(new Relations.Reuse(0, 1, 1), new Relations.Reuse(2, 3, 3));
    PackingProblem problem =
        new PackingProblem(
            "p", buffers, List.of(m, n), ConflictPairs.none(), Relations.none().withReuse(pairs));
    RunControl control = RunControl.ofSeconds(60, 1, 1);
    ParetoFront front = ParetoFront.of(problem, control, EngineOptions.defaults(), said -> {});
    TreeMap<Long, Long> found = new TreeMap<>();
    for (ParetoRun.Point point : front.points()) {
      assertTrue(point.isProven(), point.toString());
      assertTrue(Verifier.violations(problem, point.placement()).isEmpty());
      assertEquals(point.cost(), ReuseCost.of(problem, point.placement()));
      found.put(point.peak(), point.cost());
    }
    assertEquals(new TreeMap<>(Map.of(8L, 4L, 12L, 1L, 16L, 0L)), found);
    assertEquals(List.of("m", "n"), front.memories());
  }
}
