package stowage.exact.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.Thorough;
import stowage.cli.Stowage;
import stowage.exact.BruteForce;
import stowage.importer.own.PackingJson;
import stowage.packing.PackingProblem;

/**
 * What the commands say of problems with every kind of relation, against trying everything: plans
 * and their verification, the sets and figures of {@code explain} and {@code check}, and fronts.
 */
class RelationClaimsTest extends FolderTest {
  /** More than any of the small problems needs. */
  private static final long PLENTY = 40;

  private Path write(PackingProblem problem) throws IOException {
    Path file = folder.resolve("problem.json");
    try (OutputStream out = Files.newOutputStream(file)) {
      PackingJson.write(out, problem);
    }
    return file;
  }

  private static Long least(PackingProblem problem) {
    long[] peak = BruteForce.peaks(problem);
    return peak == null ? null : peak[0];
  }

  /** Problems of some seeds and so many buffers, of one more where the tests are thorough. */
  private static List<PackingProblem> problems(long first, int count, int most) {
    return LongStream.range(first, first + count)
        .mapToObj(seed -> RelatedProblems.withIdle(seed, most + Thorough.of(0, 1)))
        .toList();
  }

  @Test
  void plansAreBestAndVerify() throws IOException {
    for (PackingProblem problem : problems(Thorough.of(1, 10) * 1_000, Thorough.of(40, 2_000), 5)) {
      Long right = least(problem);
      Path file = write(problem);
      Stowage run = plan(file, "--out", folder, "--objective", "peak");
      JsonNode answer = run.json();
      String which = problem.name() + run.out();
      if (right == null) {
        assertEquals("INFEASIBLE", answer.get("status").asText(), which);
        continue;
      }
      JsonChecks.holds(answer, "status=OPTIMAL peak=%d lowerBound=%1$d".formatted(right));
      assertEquals(0, Stowage.run("verify", file, folder.resolve("plan.json")).code(), which);
    }
  }

  private static Stowage plan(Path file, Object... more) {
    return Stowage.run("plan", file, "--threads", 1, "--json", "--time-limit", "30s", more);
  }

  @Test
  void explanationsHold() throws IOException {
    int count = Thorough.of(40, 2_000);
    int explained = 0;
    for (PackingProblem problem : problems(Thorough.of(2, 20) * 1_000, count, 5)) {
      Long right = least(problem);
      if (right != null && right < 2) {
        continue;
      }
      long capacity = right == null ? problem.memories().get(0).capacity() : right - 1;
      Path file = write(problem);
      Stowage run = Stowage.run("explain", file, "--capacity", capacity, "--threads", 1, "--json");
      hold(problem, capacity, run.json(), problem.name() + run.out());
      Stowage check = Stowage.run("check", file, "--max-peak", capacity, "--threads", 1, "--json");
      hold(problem, capacity, check.json().at("/models/0/blocking"), problem.name() + check.out());
      explained++;
    }
    assertTrue(explained > count / 3, explained + " explained");
  }

  /** One checker of all that is said of a set of buffers that a capacity does not hold. */
  private static void hold(PackingProblem problem, long capacity, JsonNode said, String which) {
    List<Integer> set = new ArrayList<>();
    said.get("buffers").forEach(buffer -> set.add(problem.indexOf(buffer.get("id").asText())));
    PackingProblem alone = select(problem, set, -1);
    assertNull(least(alone.withCapacity(0, capacity)), "fits: " + which);
    Long peak = least(alone.withCapacity(0, PLENTY));
    JsonNode needed = said.get("needed");
    assertTrue(peak == null || !needed.isNull() && needed.asLong() <= peak, peak + " do: " + which);
    assertTrue(peak == null || said.get("maxLoad").asLong() <= peak, peak + " do: " + which);
    for (int k = 0; k < set.size() && said.get("irreducible").asBoolean(); k++) {
      PackingProblem fewer = select(problem, set, k);
      long within = needed.isNull() ? PLENTY : capacity;
      assertNotNull(least(fewer.withCapacity(0, within)), "spare " + set.get(k) + ": " + which);
    }
  }

  private static PackingProblem select(PackingProblem problem, List<Integer> set, int without) {
    List<Integer> kept = new ArrayList<>(set);
    if (without >= 0) {
      kept.remove(without);
    }
    return problem.select(kept.stream().mapToInt(Integer::intValue).toArray());
  }

  @Test
  void frontsAreThoseOfTryingEverything() throws IOException {
    int several = 0;
    for (PackingProblem problem : problems(Thorough.of(3, 30) * 1_000, Thorough.of(25, 1_000), 4)) {
      Map<Long, Long> right = BruteForce.front(problem, Long.MAX_VALUE);
      Stowage run = plan(write(problem), "--pareto", "peak,reuse");
      Map<Long, Long> said = new TreeMap<>();
      JsonNode points = run.json().get("points");
      for (JsonNode point : points == null ? List.<JsonNode>of() : points) {
        said.put(point.get("peak").asLong(), point.get("reuseCost").asLong());
      }
      assertEquals(right, said, problem.name() + run.out() + run.err());
      several += right.size() > 1 ? 1 : 0;
    }
    assertTrue(several > 0, "no front of several points");
  }
}
