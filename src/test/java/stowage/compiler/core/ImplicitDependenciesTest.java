package stowage.compiler.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

class ImplicitDependenciesTest {

  /** Ops 0: a from x, 1: p from a, 2: b from x, 3: q from b; p and q are outputs. */
  private static final PlanningCase BRANCHES =
      Graphs.of("x:4; a:4 = Conv x; p:4 = Conv a; b:4 = Conv x; q:4 = Conv b; -> p q")
          .planningCase();

  /** What a placement makes of a case, with the buffers where {@code id@offset} says. */
  private static ImplicitDependencies found(PlanningCase given, String... idsAtOffsets) {
    long[] offsets = new long[given.problem().size()];
    for (String one : idsAtOffsets) {
      String[] parts = one.split("@");
      for (int b = 0; b < offsets.length; b++) {
        if (given.problem().buffer(b).id().equals(parts[0])) {
          offsets[b] = Long.parseLong(parts[1]);
        }
      }
    }
    return ImplicitDependencies.of(given, Placement.of(offsets));
  }

  private static List<String> pairs(ImplicitDependencies found) {
    return found.pairs().stream().map(pair -> pair.earlier() + ">" + pair.later()).toList();
  }

  @Test
  void memoryOfItsOwnAddsNothing() {
    ImplicitDependencies found = found(BRANCHES, "x@0", "a@4", "p@8", "b@12", "q@16");
    assertEquals(List.of(), found.pairs());
    assertEquals(2, found.criticalPathBefore());
    assertEquals(2, found.criticalPathAfter());
    assertEquals(2, found.widthBefore());
    assertEquals(2, found.widthAfter());
  }

  @Test
  void sharingAcrossBranchesMakesOneWaitForTheOther() {
    ImplicitDependencies found = found(BRANCHES, "x@0", "a@4", "p@8", "b@4", "q@12");
    // b is where a were: ops 0 (writes a) and 1 (reads a) before op 2 (writes b).
    assertEquals(List.of("0>2", "1>2"), pairs(found));
    assertEquals(2, found.criticalPathBefore());
    assertEquals(4, found.criticalPathAfter());
    assertEquals(2, found.widthBefore());
    assertEquals(1, found.widthAfter());
  }

  @Test
  void whatTheGraphOrdersIsNotImplicit() {
    PlanningCase chain =
        Graphs.of("x:4; a:4 = Conv x; b:4 = Conv a; c:4 = Conv b; -> c").planningCase();
    ImplicitDependencies found = found(chain, "x@0", "a@4", "b@0", "c@4");
    assertEquals(List.of(), found.pairs());
    assertEquals(3, found.criticalPathAfter());
  }

  @Test
  void anInputThatIsOverMakesItsReadersWaited() {
    // q is where x were: op 3 waits for op 0, which reads x; op 2 leads to it anyway.
    ImplicitDependencies found = found(BRANCHES, "x@0", "a@4", "p@8", "b@12", "q@0");
    assertEquals(List.of("0>3"), pairs(found));
    assertEquals(2, found.criticalPathAfter());
  }

  @Test
  void aBufferUponTwoWaitsForTheOpsOfBoth() {
    // Ops 0: a, 1: p from a, 2: b, 3: q from b, 4: c of 8 bytes, 5: r from c. c at 4 is on a
    // (4 to 8) and b (8 to 12), not on p, q or r: op 4 waits for ops 0 to 3.
    PlanningCase three =
        Graphs.of(
                "x:4; a:4 = Conv x; p:4 = Conv a; b:4 = Conv x; q:4 = Conv b; "
                    + "c:8 = Conv x; r:4 = Conv c; -> p q r")
            .planningCase();
    ImplicitDependencies found = found(three, "x@0", "a@4", "b@8", "p@12", "q@16", "c@4", "r@20");
    assertEquals(List.of("0>4", "1>4", "2>4", "3>4"), pairs(found));
    assertEquals(2, found.criticalPathBefore());
    assertEquals(4, found.criticalPathAfter());
    assertEquals(3, found.widthBefore());
    assertEquals(2, found.widthAfter());
  }

  @Test
  void whoeverComesFirstInMemoryTheLaterInTimeWaits() {
    // b begins below a and reaches into it: 2 to 6 and 4 to 8. Ops 0 and 1 touch a, op 2 writes b.
    ImplicitDependencies found = found(BRANCHES, "x@20", "a@4", "p@8", "b@2", "q@12");
    assertEquals(List.of("0>2", "1>2"), pairs(found));
  }

  @Test
  void aListOfBuffersHasNoOps() {
    PackingProblem list = PackingProblem.of("list", List.of(new Buffer("a", 1, 0, 1)));
    assertThrows(
        NotPlannableException.class,
        () -> ImplicitDependencies.of(PlanningCase.ofBuffers(list), Placement.of(new long[] {0})));
  }
}
