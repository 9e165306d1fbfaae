package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import stowage.Refusals;

class PlanTest {
  private final ProblemBuilder builder = PackingProblem.builder("p");
  private final int a = builder.buffer(10, 0, 2);
  private final int b = builder.buffer("named", 6, 1, 3);

  @Test
  void itAnswersByHandleAndById() {
    builder.memory("fast", 100);
    builder.memory("slow", 100);
    Incumbent incumbent = new Incumbent(builder.build());
    incumbent.offer(Placement.of(new long[] {0, 4}, new int[] {1, 0}), "test");
    Plan plan = Plan.of(incumbent);
    assertTrue(plan.hasPlacement());
    assertEquals(4, plan.offset(b));
    assertEquals(4, plan.offset("named"));
    assertEquals(1, plan.memory(a));
    assertEquals(0, plan.memory(b));
    assertEquals(Status.FEASIBLE, plan.status());
    assertThrows(IllegalArgumentException.class, () -> plan.offset(2));
    assertThrows(IllegalArgumentException.class, () -> plan.memory(-1));
    assertThrows(IllegalArgumentException.class, () -> plan.offset("other"));
  }

  @Test
  void aPlanWithoutPlacementSaysSo() {
    Plan plan = Plan.of(new Incumbent(builder.build()));
    assertFalse(plan.hasPlacement());
    Refusals.says(IllegalStateException.class, () -> plan.offset(a), "UNKNOWN");
  }

  @Test
  void itsProofIsInWords() {
    Incumbent incumbent = new Incumbent(builder.build());
    incumbent.offer(Placement.of(new long[] {0, 10}), "test");
    incumbent.offer(LoadBound.of(incumbent.problem(), 0), "max-load");
    Plan plan = Plan.of(incumbent);
    assertEquals(Status.OPTIMAL, plan.status());
    assertTrue(plan.proof().contains("step 1") && plan.proof().contains("16 bytes"), plan::proof);
    PackingProblem narrow = builder.build().withCapacity(0, 15);
    Incumbent none = new Incumbent(narrow);
    none.provenInfeasible(LoadBound.of(narrow, 0).certificate(), "max-load");
    assertTrue(Plan.of(none).proof().startsWith("The capacity of 15 bytes is too small."));
  }
}
