package stowage.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.network.memory.MemoryMap;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.verify.ResidencyVerifier;

/** Bounds of time and the verifier where transfers run beside steps, worked by hand. */
class TransfersBesideStepsTest {
  private static final RunControl CONTROL = RunControl.ofSeconds(20, 1, 1);
  private static final ResidencyProblem.Step ANY = new ResidencyProblem.Step("any", 0, false, 1000);
  private static final ResidencyProblem.Step ONLY = new ResidencyProblem.Step("op", 0, true, 1000);

  private static MemoryMap map(List<MemoryMap.Space> fast, List<MemoryMap.Link> links) {
    List<MemoryMap.Space> homes = List.of(space("dram", 100, 10));
    return new MemoryMap("map", fast, homes, true, List.of(), List.of(), links, List.of());
  }

  private static MemoryMap.Space space(String name, long capacity, double speed) {
    return new MemoryMap.Space(name, capacity, 1, 0, speed, 0, 1, true);
  }

  private static HeldBuffer buffer(
      String id, long bytes, int home, boolean given, boolean wanted, int... steps) {
    List<HeldBuffer.Event> events =
        Arrays.stream(steps)
            .mapToObj(
                t ->
                    given || t != steps[0]
                        ? new HeldBuffer.Event(t, bytes, 0)
                        : new HeldBuffer.Event(t, 0, bytes))
            .toList();
    return new HeldBuffer(id, bytes, MemoryMap.Kind.ACTIVATIONS, home, given, wanted, events);
  }

  private static long bound(ResidencyProblem problem) {
    long capacity = problem.map().fast().capacity();
    return ResidencyModel.solve(new AccessTable(problem), capacity, null, CONTROL, 20).bound();
  }

  private static void assertHolds(long nanos, ResidencyProblem problem, ResidencyPlan plan) {
    ResidencyVerifier.Result result = ResidencyVerifier.verify(problem, plan);
    assertTrue(result.holds(), result.violation());
    assertEquals(nanos, result.nanoseconds());
    assertEquals(nanos, bound(problem));
  }

  private static void assertBroken(String why, ResidencyProblem problem, ResidencyPlan plan) {
    String found = ResidencyVerifier.verify(problem, plan).violation();
    assertTrue(found != null && found.contains(why), found);
  }

  /** A chain of transfers, the second of which has no place beside a step. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransferOnTheWayInRunsBesideAStepWithItsOwnPlaceAlone(boolean links) {
    List<MemoryMap.Link> chain =
        List.of(new MemoryMap.Link(0, 1, 1000, 0, 1), new MemoryMap.Link(1, 2, 10, 0, 1));
    MemoryMap map =
        map(List.of(space("l1", 8, 1000), space("l2", 4, 1000)), links ? chain : List.of());
    List<HeldBuffer> items =
        List.of(buffer("x", 8, 0, false, false, 0, 1), buffer("w", 4, 2, true, false, 2));
    ResidencyProblem problem = new ResidencyProblem(map, List.of(ONLY, ONLY, ONLY), items, true);
    assertHolds(3004, problem, throughL2(1));
    assertBroken("alongside step 1, at which it has not both its places", problem, throughL2(2));
  }

  private static ResidencyPlan throughL2(int from) {
    return new ResidencyPlan(
        List.of(
            new ResidencyPlan.Segment(0, 0, 0, 0, 2),
            new ResidencyPlan.Segment(1, 1, 0, from, 3),
            new ResidencyPlan.Segment(1, 0, 0, 2, 3)),
        List.of(
            new ResidencyPlan.Move(1, 2, 1, 2, 1000, 1400),
            new ResidencyPlan.Move(1, 1, 0, 2, 2000, 2004)),
        new long[] {-1, 0},
        new int[][] {{0, 0}, {0}},
        new long[] {0, 1000, 2004},
        new long[] {1000, 2000, 3004});
  }

  @Test
  void aFetchRunsBesideAStepThatReadsItsBufferElsewhere() {
    List<HeldBuffer> items = List.of(buffer("w", 4, 1, true, false, 0, 1));
    MemoryMap map = map(List.of(space("sram", 4, 1000)), List.of());
    ResidencyProblem problem = new ResidencyProblem(map, List.of(ANY, ONLY), items, true);
    assertHolds(2000, problem, fetched(1, 0));
    assertHolds(2000, problem, fetched(1, 600));
    assertBroken("stale or absent", problem, fetched(0, 0));
  }

  private static ResidencyPlan fetched(int access, long start) {
    return new ResidencyPlan(
        List.of(new ResidencyPlan.Segment(0, 0, 0, 0, 2)),
        List.of(new ResidencyPlan.Move(0, 1, 0, 1, start, start + 400)),
        new long[] {0},
        new int[][] {{access, 0}},
        new long[] {0, 1000},
        new long[] {1000, 2000});
  }

  @Test
  void aResultIsWrittenOutBesideTheStepThatReadsIt() {
    List<HeldBuffer> items = List.of(buffer("r", 4, 1, false, true, 0, 1));
    MemoryMap map = map(List.of(space("sram", 4, 1000)), List.of());
    ResidencyProblem problem = new ResidencyProblem(map, List.of(ONLY, ONLY), items, true);
    ResidencySolver.Answer answer = ResidencySolver.solve(problem, CONTROL);
    assertEquals(2000, answer.price());
    assertHolds(2000, problem, answer.plan());
    List<ResidencyPlan.Move> early = List.of(new ResidencyPlan.Move(0, 0, 1, 0, 600, 1000));
    ResidencyPlan plan = answer.plan();
    assertBroken(
        "wrong side",
        problem,
        new ResidencyPlan(
            plan.segments(), early, plan.homeOffsets(), plan.access(), plan.starts(), plan.ends()));
  }
}
