package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RelationsTest {
  private static PackingProblem problem(Relations relations) {
    return Buffers.problem("a:8[0,4) b:4[2,9) c:8[5,9)").withRelations(relations);
  }

  private static List<Violation.Kind> faults(PackingProblem problem, long... offsets) {
    return Verifier.violations(problem, Placement.of(offsets)).stream()
        .map(Violation::kind)
        .toList();
  }

  @Test
  void groupsHaveTheShiftsOfTheirDistances() {
    Relations.Together first = new Relations.Together(0, 1, 16);
    Relations.Together second = new Relations.Together(2, 1, 0);
    Relations together = Relations.none().withTogether(List.of(first, second));
    Relations.Groups groups = together.groups(3);
    assertArrayEquals(new int[] {0, 0, 0}, groups.leader());
    assertArrayEquals(new long[] {0, 16, 16}, groups.shift());
    Relations.Together third = new Relations.Together(2, 0, 16);
    Relations torn = together.withTogether(List.of(first, second, third));
    assertThrows(InvalidProblemException.class, () -> torn.groups(3));
  }

  @Test
  void weightsOfOnePairAddUp() {
    Relations.Reuse one = new Relations.Reuse(2, 0, 3, "x");
    Relations twice = Relations.none().withReuse(List.of(one, new Relations.Reuse(0, 2, 4, "y")));
    assertEquals(List.of(new Relations.Reuse(0, 2, 7, "x; y")), twice.reuse());
  }

  @Test
  void reuseIsPaidWhereAddressesAreSharedAndLivesAreNot() {
    Relations prices =
        Relations.none()
            .withReuse(
                List.of(
                    new Relations.Reuse(0, 2, 5),
                    new Relations.Reuse(0, 1, 7),
                    new Relations.Reuse(1, 2, 1)));
    PackingProblem problem = problem(prices);
    assertEquals(5, ReuseCost.of(problem, Placement.of(new long[] {0, 8, 0})));
    assertEquals(5, ReuseCost.of(problem, Placement.of(new long[] {0, 15, 7})));
    assertEquals(0, ReuseCost.of(problem, Placement.of(new long[] {0, 16, 8})));
    assertEquals(0, ReuseCost.of(problem, Placement.of(new long[] {0, 0, 8})), "a and b meet");
  }

  @Test
  void exclusivePairsMayShareAndThenPay() {
    Relations exclusive =
        Relations.none()
            .withReuse(List.of(new Relations.Reuse(0, 1, 7)))
            .withExclusive(ConflictPairs.of(3, List.of(new int[] {0, 1})));
    PackingProblem problem = problem(exclusive);
    assertEquals(List.of(), faults(problem, 0, 0, 8));
    assertEquals(7, ReuseCost.of(problem, Placement.of(new long[] {0, 0, 8})));
    assertEquals(List.of(Violation.Kind.OVERLAP), faults(problem, 0, 0, 0), "b and c meet");
  }

  @Test
  void togetherIsCheckedAndExcusesSharing() {
    Relations together = Relations.none().withTogether(List.of(new Relations.Together(0, 1, 4)));
    assertEquals(List.of(), faults(problem(together), 0, 4, 8));
    assertEquals(List.of(Violation.Kind.TOGETHER), faults(problem(together), 0, 8, 0));
  }

  @Test
  void reservedRangesOtherBanksAndHeldPlacesAreChecked() {
    PackingProblem plain = problem(Relations.none());
    PackingProblem reserved =
        plain.withMemories(List.of(Memory.main().withReserved(List.of(new ReservedRange(8, 10)))));
    assertEquals(List.of(Violation.Kind.RESERVED), faults(reserved, 0, 9, 16));
    assertEquals(List.of(), faults(reserved, 0, 10, 16));
    PackingProblem banks =
        problem(Relations.none().withOtherBank(ConflictPairs.of(3, List.of(new int[] {0, 2}))))
            .withMemories(List.of(Memory.main().withBankSize(16)));
    assertEquals(List.of(Violation.Kind.OTHER_BANK), faults(banks, 0, 16, 8));
    assertEquals(List.of(), faults(banks, 0, 8, 16));
    PackingProblem held =
        plain.withBuffers(
            List.of(plain.buffer(0).holdsPlace(true), plain.buffer(1), plain.buffer(2)));
    assertEquals(List.of(Violation.Kind.OVERLAP), faults(held, 0, 8, 0));
    assertEquals(List.of(), faults(held, 0, 8, 12));
  }

  @Test
  void thePlainFormOfAGroupIsOneBufferWithAWindow() {
    Relations together = Relations.none().withTogether(List.of(new Relations.Together(0, 1, 4)));
    PlainForm plain = PlainForm.of(problem(together));
    assertTrue(plain.isExact());
    assertEquals(
        new Buffer("a", 8, 0, 9)
            .withGaps(List.of(new Gap(new LiveRange(4, 9), 4, 8)))
            .withMemories(List.of("main")),
        plain.problem().buffer(0));
    Placement expanded = plain.expand(Placement.of(new long[] {2, 10}));
    assertArrayEquals(new long[] {2, 6, 10}, expanded.offsets());
    ConflictPairs pair = ConflictPairs.of(3, List.of(new int[] {0, 1}));
    Relations exclusive = Relations.none().withExclusive(pair);
    assertFalse(PlainForm.of(problem(exclusive)).isExact());
    assertNull(PlainForm.of(problem(Relations.none())).refusal());
  }
}
