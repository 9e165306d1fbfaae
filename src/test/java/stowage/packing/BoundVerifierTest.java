package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundVerifierTest {

  /** Three buffers of 4 bytes one after the other, of which every two cost 5, in 8 bytes. */
  @Test
  void aDivisorBeyondAllSizesMakesNoCutStronger() {
    List<Relations.Reuse> pairs =
        List.of(
            new Relations.Reuse(0, 1, 5),
            new Relations.Reuse(0, 2, 5),
            new Relations.Reuse(1, 2, 5));
    PackingProblem problem =
        Buffers.problem("a:4[0,1) b:4[1,2) c:4[2,3)")
            .withCapacity(0, 8)
            .withRelations(Relations.none().withReuse(pairs));
    for (long divisor : new long[] {1, 4, 5, 1L << 40, Long.MAX_VALUE}) {
      ReuseCut cut = new ReuseCut.Hide(0, new int[] {0, 1, 2}, new int[0], divisor);
      assertEquals(divisor < 4 ? 4 : 1, cut.right(problem), "divisor " + divisor);
      cut.left(problem).values().forEach(factor -> assertTrue(factor > 0, "divisor " + divisor));
      Certificate all = new ReuseProof(List.of(cut), new long[] {1_000}, 1);
      assertTrue(all.proves(problem, 0) <= 5, "divisor " + divisor);
    }
  }

  private static boolean proves(PackingProblem problem, long value, Certificate certificate) {
    return BoundVerifier.fault(problem, Bound.of(value, certificate)).isEmpty();
  }

  private static int[] all(int count) {
    return IntStream.range(0, count).toArray();
  }

  @Test
  void maxLoadAddsWhatIsAliveAtTheStep() {
    PackingProblem problem = Buffers.problem("A:5[0,4) B:6[2,6)");
    assertTrue(proves(problem, 11, new Certificate.MaxLoad(0, 3, 0, all(2))));
    assertFalse(proves(problem, 12, new Certificate.MaxLoad(0, 3, 0, all(2))));
    assertFalse(proves(problem, 11, new Certificate.MaxLoad(0, 1, 0, all(2))), "B is not alive");
    assertFalse(proves(problem, 10, new Certificate.MaxLoad(0, 3, 0, new int[] {0, 0})), "A twice");
  }

  @Test
  void maxLoadTakesOffTheCapacityOfOtherMemories() {
    PackingProblem problem =
        Buffers.problem("A:50[0,4) B:60[2,6)")
            .withMemories(
                List.of(new Memory("near", 30, 1, 0, 0), new Memory("far", 1000, 1, 0, 0)));
    assertTrue(proves(problem, 80, new Certificate.MaxLoad(1, 3, 1, all(2))));
    assertFalse(proves(problem, 81, new Certificate.MaxLoad(1, 3, 1, all(2))));
    assertFalse(proves(problem, 80, new Certificate.MaxLoad(1, 3, 0, all(2))));
  }

  @Test
  void conflictsNeedEveryPair() {
    List<Buffer> buffers = Buffers.of("A:5[0,2) B:6[1,4) C:7[3,5)");
    PackingProblem apart = PackingProblem.of("test", buffers);
    assertFalse(proves(apart, 18, new Certificate.Conflicts(0, all(3))));
    PackingProblem joined = apart.withConflicts(ConflictPairs.of(3, List.of(new int[] {0, 2})));
    assertTrue(proves(joined, 18, new Certificate.Conflicts(0, all(3))));
    assertFalse(proves(joined, 19, new Certificate.Conflicts(0, all(3))));
  }

  @Test
  void alignmentRoundsAllButTheHighest() {
    PackingProblem problem = Buffers.problem("A:5[0,4)%4 B:6[0,4)%8");
    assertTrue(proves(problem, 13, new Certificate.Alignment(0, 4, 0, all(2))));
    assertFalse(proves(problem, 14, new Certificate.Alignment(0, 4, 0, all(2))));
    assertFalse(proves(problem, 13, new Certificate.Alignment(0, 8, 0, all(2))), "A has only 4");
    List<Memory> vast = new ArrayList<>(Collections.nCopies(4, Memory.main()));
    for (int m = 0; m < 3; m++) {
      vast.set(m, new Memory("vast" + m, 1L << 62, 1, 0, 0));
    }
    Certificate beyond = new Certificate.Alignment(3, 4, 7, all(2));
    assertFalse(proves(problem.withMemories(vast), 13, beyond), "the others hold all");
  }

  @Test
  void banksCountBuffersOfWhichNoTwoFitTogether() {
    PackingProblem problem =
        Buffers.problem("A:6[0,4)| B:5[0,4)| C:7[0,4)|")
            .withMemories(List.of(Memory.main().withBankSize(8)));
    assertTrue(proves(problem, 21, new Certificate.Banks(0, all(3))));
    assertFalse(proves(problem, 22, new Certificate.Banks(0, all(3))));
  }

  @Test
  void holesBetweenGivenOffsetsTakeSumsOfSizes() {
    PackingProblem problem = Buffers.problem("F:2[0,4)@7 A:3[0,4) B:3[0,4) C:3[0,4) D:3[2,4)");
    assertTrue(proves(problem, 15, new Certificate.SubsetSum(0, 2, all(5))));
    assertFalse(proves(problem, 16, new Certificate.SubsetSum(0, 2, all(5))));
    assertFalse(proves(problem, 15, new Certificate.SubsetSum(0, 2, all(4))), "D is left out");
    assertFalse(proves(problem, 12, new Certificate.SubsetSum(0, 1, all(5))), "D is not alive");
  }

  @Test
  void headsFromOtherStepsPushBuffersUp() {
    PackingProblem problem = Buffers.problem("F:4[0,2)@4 X:5[0,4) Y:5[1,4)");
    Certificate both = new Certificate.Energy(0, 3, new int[] {1, 2});
    assertTrue(proves(problem, 18, both));
    assertFalse(proves(problem, 19, both));
    assertFalse(proves(problem, 18, new Certificate.Energy(0, 3, new int[] {1})), "Y is left out");
    assertFalse(proves(problem, 18, new Certificate.Energy(0, 0, new int[] {1, 2})), "not alive");
  }

  @Test
  void anEnginesWordCannotBeChecked() {
    PackingProblem problem = Buffers.problem("A:5[0,4)");
    assertFalse(proves(problem, 5, SolverClaim.of("search", "search", Map.of("nodes", 1L))));
    PackingProblem fixed = Buffers.problem("A:5[0,4)@7");
    assertTrue(proves(fixed, 12, new Certificate.FixedOffset(0, 0)));
  }

  @Test
  void everyKindThatCanBeCheckedHasAName() {
    Set<Class<?>> kinds = new HashSet<>(List.of(Certificate.class.getPermittedSubclasses()));
    kinds.remove(SolverClaim.class);
    assertEquals(kinds, Certificate.KINDS.keySet());
  }
}
