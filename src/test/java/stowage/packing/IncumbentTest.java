package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Refusals;

class IncumbentTest {

  private static final PackingProblem PROBLEM = Buffers.problem("A:5[0,4) B:6[2,6)");

  private static Bound maxLoad() {
    return Bound.of(11, new Certificate.MaxLoad(0, 2, 0, new int[] {0, 1}));
  }

  @Test
  void takesOnlyValidAndBetterPlacements() {
    Incumbent incumbent = new Incumbent(PROBLEM);
    assertEquals(Status.UNKNOWN, incumbent.status());
    assertFalse(incumbent.offer(Placement.of(new long[] {0, 3}), "overlapping"));
    assertNull(incumbent.placement());
    assertEquals(Violation.Kind.OVERLAP, incumbent.rejection().get(0).kind());
    assertTrue(incumbent.offer(Placement.of(new long[] {0, 9}), "loose"));
    assertEquals(15, incumbent.bestFigure());
    assertFalse(incumbent.offer(Placement.of(new long[] {0, 9}), "no better"));
    assertTrue(incumbent.offer(Placement.of(new long[] {6, 0}), "tight"));
    assertEquals("tight", incumbent.finder());
    assertEquals(Status.FEASIBLE, incumbent.status());
    assertTrue(incumbent.offer(maxLoad(), "load"));
    assertFalse(incumbent.offer(maxLoad(), "load again"));
    assertEquals(Status.OPTIMAL, incumbent.status());
    assertEquals(0, Plan.of(incumbent).gap());
  }

  @Test
  void aBoundAboveAVerifiedPeakEndsTheRun() {
    Incumbent incumbent = new Incumbent(PROBLEM);
    incumbent.offer(Placement.of(new long[] {6, 0}), "tight");
    incumbent.offer(Bound.of(12, SolverClaim.of("search", "wrong", Map.of())), "wrong");
    assertTrue(incumbent.isClosed(), "there is nothing left to look for");
    Refusals.says(
        IllegalStateException.class,
        incumbent::status,
        "said to be at least 12 by search, and a plan with 11 was");
    Incumbent none = new Incumbent(PROBLEM);
    none.provenInfeasible(SolverClaim.of("search", "wrong", Map.of()), "wrong");
    none.offer(Placement.of(new long[] {6, 0}), "tight");
    assertThrows(IllegalStateException.class, none::status);
  }

  @Test
  void respectsCapacities() {
    Incumbent incumbent = new Incumbent(PROBLEM.withCapacity(0, 11));
    assertFalse(incumbent.offer(Placement.of(new long[] {0, 6}), "too high"));
    assertTrue(incumbent.offer(Placement.of(new long[] {0, 5}), "fits"));
  }

  @Test
  void severalMemoriesAreComparedFromTheLast() {
    PackingProblem problem =
        PackingProblem.of("two", PROBLEM.buffers())
            .withMemories(
                List.of(new Memory("near", 100, 1, 0, 0), new Memory("far", 100, 1, 0, 0)));
    Incumbent incumbent = new Incumbent(problem);
    assertTrue(incumbent.offer(Placement.of(new long[] {0, 0}, new int[] {0, 1}), "split"));
    assertEquals(Score.of(6, 5), incumbent.score());
    assertTrue(incumbent.offer(Placement.of(new long[] {0, 5}, new int[] {0, 0}), "near"));
    assertEquals(Score.of(0, 11), incumbent.score());
    assertFalse(incumbent.offer(Placement.of(new long[] {0, 0}, new int[] {0, 1}), "split"));
  }

  private static void offerMany(Incumbent incumbent, Random random) {
    for (int k = 0; k < 500; k++) {
      long[] offsets = {random.nextInt(40), random.nextInt(40)};
      incumbent.offer(Placement.of(offsets), "random");
    }
  }

  @Test
  void neverGetsWorseUnderManyThreads() {
    Incumbent incumbent = new Incumbent(PROBLEM);
    List<Long> seen = new ArrayList<>();
    incumbent.addListener(event -> seen.add(event.score().figure(0)));
    IntStream.range(0, 4)
        .mapToObj(Random::new)
        .map(random -> CompletableFuture.runAsync(() -> offerMany(incumbent, random)))
        .toList()
        .forEach(CompletableFuture::join);
    for (int k = 1; k < seen.size(); k++) {
      assertTrue(seen.get(k) < seen.get(k - 1), "peaks rose: " + seen);
    }
    assertEquals(11, incumbent.bestFigure());
  }

  @Test
  void aSecondEngineWithTheSameBoundIsNamed() {
    Incumbent incumbent = new Incumbent(Buffers.problem("a:4[0,1)"));
    incumbent.offer(Bound.of(9, word("search")), "search");
    assertFalse(incumbent.offer(Bound.of(9, word("search")), "search"));
    assertEquals(null, ((SolverClaim) incumbent.bound(0).certificate()).agreed());
    assertFalse(incumbent.offer(Bound.of(9, word("choco")), "choco"));
    assertEquals("search", incumbent.bound(0).kind());
    assertEquals("choco", ((SolverClaim) incumbent.bound(0).certificate()).agreed());
    assertTrue(incumbent.offer(Bound.of(10, word("cp-sat")), "cpsat"));
    assertEquals(null, ((SolverClaim) incumbent.bound(0).certificate()).agreed());
  }

  private static Certificate word(String kind) {
    return SolverClaim.of(kind, kind + " 1", Map.of());
  }
}
