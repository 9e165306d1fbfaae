package stowage.compiler.dsa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.ReuseCost;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class DsaPlannersTest {
  private static final List<SystemPlanner> PLANNERS =
      List.of(new CanonicalGreedy(), new PromoteRepair(), new CypressRelaxation());

  private static Placement plan(SystemPlanner planner, PackingProblem problem) {
    RunControl control = RunControl.ofSeconds(60, 1, 1);
    return planner.planKnown(PlanningCase.ofBuffers(problem), control).placement();
  }

  private static PackingProblem problem(Random random) {
    int count = 2 + random.nextInt(9);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(6);
      long alignment = random.nextBoolean() ? 1 : 4;
      int to = from + 1 + random.nextInt(3);
      buffers.add(new Buffer("b" + i, 1 + random.nextInt(9), from, to).withAlignment(alignment));
    }
    List<Relations.Reuse> reuse = new ArrayList<>();
    List<int[]> apart = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < i; j++) {
        switch (random.nextInt(6)) {
          case 0 -> apart.add(new int[] {j, i});
          case 1, 2 -> reuse.add(new Relations.Reuse(j, i, 1 + random.nextInt(4)));
          default -> {}
        }
      }
    }
    List<Relations.Together> together =
        random.nextInt(4) == 0 ? List.of(new Relations.Together(0, 1, 0)) : List.of();
    apart.removeIf(pair -> !together.isEmpty() && pair[0] == 0 && pair[1] == 1);
    List<ReservedRange> reserved =
        random.nextInt(3) == 0 ? List.of(new ReservedRange(3, 7)) : List.of();
    long capacity = random.nextInt(3) == 0 ? Memory.UNBOUNDED : 20 + random.nextInt(30);
    Memory memory = new Memory("m", capacity, 1, 0, 0, reserved);
    return new PackingProblem(
        "p",
        buffers,
        List.of(memory),
        ConflictPairs.of(count, apart),
        Relations.none().withReuse(reuse).withTogether(together));
  }

  @Test
  void whatTheyPlaceIsValid() {
    Random random = new Random(5);
    int[] placed = new int[PLANNERS.size()];
    for (int k = 0; k < 600; k++) {
      PackingProblem problem = problem(random);
      for (int p = 0; p < placed.length; p++) {
        try {
          Placement placement = plan(PLANNERS.get(p), problem);
          String which = PLANNERS.get(p).name() + " on problem " + k;
          assertEquals(List.of(), Verifier.violations(problem, placement), which);
          boolean open =
              !problem.memories().get(0).isBounded() && problem.relations().together().isEmpty();
          assertTrue(p == 0 || !open || ReuseCost.of(problem, placement) == 0, which);
          placed[p]++;
        } catch (NotPlannableException beyond) {
          assertTrue(problem.memories().get(0).isBounded(), beyond.getMessage());
        }
      }
    }
    for (int count : placed) {
      assertTrue(count > 300, "few were placed: " + count);
    }
  }

  /** a and b are alive at once and c after them; c may share with a for 5 or with b for 2. */
  @Test
  void theCheaperPairIsPaid() {
    List<Relations.Reuse> reuse =
        List.of(new Relations.Reuse(0, 2, 5), new Relations.Reuse(1, 2, 2));
    PackingProblem problem =
        Buffers.problem("a:4[0,1) b:4[0,1) c:4[1,2)")
            .withCapacity(0, 8)
            .withRelations(Relations.none().withReuse(reuse));
    assertEquals(2, ReuseCost.of(problem, plan(new CanonicalGreedy(), problem)));
    assertEquals(2, ReuseCost.of(problem, plan(new PromoteRepair(), problem)));
    // The first pair in the order of ids is given up first, whatever it costs.
    assertEquals(5, ReuseCost.of(problem, plan(new CypressRelaxation(), problem)));
  }

  @Test
  void fixedOffsetsAreRefused() {
    PackingProblem problem = Buffers.problem("a:4[0,1)@0");
    for (SystemPlanner planner : PLANNERS) {
      assertThrows(NotPlannableException.class, () -> plan(planner, problem));
    }
  }

  @Test
  void moreBuffersThanATableOfPairsHoldsAreRefused() {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i <= 10_000; i++) {
      buffers.add(new Buffer("b" + i, 1, 0, 1));
    }
    PackingProblem problem = PackingProblem.of("p", buffers);
    for (SystemPlanner planner : PLANNERS) {
      String why =
          assertThrows(NotPlannableException.class, () -> plan(planner, problem)).getMessage();
      assertTrue(why.contains("at most 10000 buffers, here are 10001"), why);
    }
  }
}
