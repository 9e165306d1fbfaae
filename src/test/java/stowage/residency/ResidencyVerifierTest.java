package stowage.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.residency.ResidencySolverTest.control;
import static stowage.residency.ResidencySolverTest.held;
import static stowage.residency.ResidencySolverTest.map;
import static stowage.residency.ResidencySolverTest.problem;
import static stowage.residency.ResidencySolverTest.space;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import stowage.network.memory.MemoryMap;
import stowage.packing.RunControl;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.verify.ResidencyVerifier;

/** What the verifier finds in plans for several memories that were changed. */
class ResidencyVerifierTest {
  /** The first is an output, whose bytes the second would take after its only step. */
  @Test
  void aFastHomeIsHeldToTheEnd() {
    List<MemoryMap.Space> outer = List.of(space("dram", 100, 10, 0, true));
    MemoryMap map = map("home", List.of(space("sram", 8, 100, 0, true)), outer, false);
    List<HeldBuffer.Event> made = List.of(new HeldBuffer.Event(0, 0, 4));
    MemoryMap.Kind kind = MemoryMap.Kind.ACTIVATIONS;
    HeldBuffer kept = new HeldBuffer("kept", 4, kind, 0, false, true, made);
    HeldBuffer other = held("other", 4, 0, new HeldBuffer.Event(1, 0, 4));
    ResidencyProblem.Step op = new ResidencyProblem.Step("op", 0, false, 0);
    ResidencyProblem problem =
        new ResidencyProblem(map, List.of(op, op), List.of(kept, other), false);
    ResidencyPlan plan = ResidencySolver.solve(problem, control()).plan();
    assertNull(ResidencyVerifier.verify(problem, plan).violation());
    List<ResidencyPlan.Segment> early =
        plan.segments().stream()
            .map(s -> new ResidencyPlan.Segment(s.item(), s.memory(), 0, s.from(), s.from() + 1))
            .toList();
    ResidencyPlan lost =
        new ResidencyPlan(
            early, plan.moves(), plan.homeOffsets(), plan.access(), plan.starts(), plan.ends());
    assertEquals(
        "buffer \"kept\" is not in its home from its first step to its last",
        ResidencyVerifier.verify(problem, lost).violation());
  }

  @Test
  void theVerifierFindsWhatIsBroken() {
    SplittableRandom random = new SplittableRandom(13);
    int caught = 0;
    int tried = 0;
    for (int k = 0; k < 300; k++) {
      ResidencyProblem problem = problem(random, 1 + k % 2, 6);
      if (problem.misfit() != null) {
        continue;
      }
      ResidencyChoice choice = ResidencyGreedy.BELADY.choose(new AccessTable(problem));
      ResidencySolver.Answer answer =
          ResidencySolver.planned(problem, choice, 0, RunControl.ofSeconds(5, 1, 1), 1);
      if (answer == null) {
        continue;
      }
      ResidencyPlan plan = answer.plan();
      for (int m = 0; m < plan.moves().size(); m++) { // a transfer is missing
        List<ResidencyPlan.Move> moves = new ArrayList<>(plan.moves());
        moves.remove(m);
        tried++;
        caught += holds(problem, plan, plan.segments(), moves) ? 0 : 1;
      }
      for (int s = 0; s < plan.segments().size(); s++) { // a segment is out of the memory
        List<ResidencyPlan.Segment> segments = new ArrayList<>(plan.segments());
        ResidencyPlan.Segment old = segments.get(s);
        long beyond = problem.map().space(old.memory()).capacity();
        segments.set(
            s, new ResidencyPlan.Segment(old.item(), old.memory(), beyond, old.from(), old.to()));
        assertFalse(holds(problem, plan, segments, plan.moves()), "case " + k);
      }
    }
    assertTrue(tried > 20, tried + " transfers");
    assertTrue(caught > 0.98 * tried, caught + " of " + tried); // a copy may be of no use
  }

  @Test
  void theVerifierFindsAddressesInUseTwice() {
    SplittableRandom random = new SplittableRandom(15);
    int held = 0;
    int tried = 0;
    for (int k = 0; k < 300; k++) {
      ResidencyProblem problem = problem(random, 1 + k % 2, 6);
      ResidencyChoice choice = ResidencyGreedy.BELADY.choose(new AccessTable(problem));
      ResidencySolver.Answer answer =
          problem.misfit() != null
              ? null
              : ResidencySolver.planned(problem, choice, 0, RunControl.ofSeconds(5, 1, 1), 1);
      for (int s = 0; answer != null && s < answer.plan().segments().size(); s++) {
        List<ResidencyPlan.Segment> segments = new ArrayList<>(answer.plan().segments());
        ResidencyPlan.Segment old = segments.get(s);
        long at = segments.get(random.nextInt(segments.size())).offset();
        segments.set(
            s, new ResidencyPlan.Segment(old.item(), old.memory(), at, old.from(), old.to()));
        tried++;
        held += holds(problem, answer.plan(), segments, answer.plan().moves()) ? 1 : 0;
      }
    }
    // as comparing every pair of places found, before they were swept in the order of time
    assertEquals("356 of 526", held + " of " + tried);
  }

  private static boolean holds(
      ResidencyProblem problem,
      ResidencyPlan plan,
      List<ResidencyPlan.Segment> segments,
      List<ResidencyPlan.Move> moves) {
    ResidencyPlan changed =
        new ResidencyPlan(
            segments, moves, plan.homeOffsets(), plan.access(), plan.starts(), plan.ends());
    return ResidencyVerifier.verify(problem, changed).holds();
  }
}
