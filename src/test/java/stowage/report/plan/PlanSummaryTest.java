package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.ProofText;
import stowage.report.RunReport;
import stowage.report.SampleRuns;

class PlanSummaryTest {
  @Test
  void showsAProvenPlan() {
    String text = PlanSummary.of(RunReport.of(SampleRuns.threeOptimal()));
    String stable = text.replaceAll("\\d+\\.\\d+ s", "0.000 s");
    assertEquals(
        """
        OPTIMAL: three, no plan has a lower peak
          peak      12 bytes
          bound     12 bytes, max-load, checked
          because   At step 3, 2 buffers are alive at once; side by side they take 12 bytes, so every plan's
                    peak is at least that.
          gap       0 %
          found by  by-hand
          time      0.000 s
          buffers   3

          largest buffers live at step 3  bytes   alive  offset
          a                                 8 B  [0, 5)       0
          b                                 4 B  [3, 9)       8
        """,
        stable);
  }

  @Test
  void saysWhatIsProvenAndWhatIsNot() {
    String infeasible = PlanSummary.of(RunReport.of(SampleRuns.infeasible()));
    assertTrue(infeasible.startsWith("INFEASIBLE: three, proven"), infeasible);
    assertTrue(infeasible.contains("The capacity of 11 bytes is too small."), infeasible);
    Plan none = Plan.of(new Incumbent(SampleRuns.three()));
    assertTrue(PlanSummary.of(RunReport.of(none)).startsWith("UNKNOWN: three, no placement"));
    Plan open = SampleRuns.threeAt(20, Bound.of(13, SampleRuns.word("search")));
    String feasible = PlanSummary.of(RunReport.of(open));
    assertTrue(feasible.startsWith("FEASIBLE: three, a verified plan"), feasible);
    assertTrue(feasible.contains("solver claim"), feasible);
    assertTrue(feasible.contains("84.6 %"), feasible);
  }

  @Test
  void saysWhatAllOffsetsAreMultiplesOf() {
    List<Buffer> buffers =
        List.of(
            new Buffer("x", 8, 0, 2).withAlignment(48), new Buffer("y", 8, 0, 2).withAlignment(32));
    PackingProblem two =
        new PackingProblem("two", buffers, List.of(Memory.main()), ConflictPairs.none());
    Placement placed = Placement.of(new long[] {0, 32});
    Plan plan = SampleRuns.plan(two, placed, Bound.of(40, SampleRuns.word("search")));
    String text = PlanSummary.of(RunReport.of(plan));
    assertTrue(text.contains("2, at multiples of 16 B (--alignment)"), text);
  }

  @Test
  void showsEveryMemory() {
    String text = PlanSummary.of(RunReport.of(SampleRuns.richPlan()));
    assertTrue(text.contains("sram"), text);
    assertTrue(text.contains("dram"), text);
    assertTrue(text.contains("1 extra conflict\n"), text);
  }

  @Test
  void namesTheMemoryWhosePeakIsOpen() {
    Memory sram = new Memory("sram", 64, 1, 0, 0);
    Memory dram = new Memory("dram", Memory.UNBOUNDED, 1, 0, 0);
    List<Buffer> buffers =
        List.of(
            new Buffer("x", 8, 0, 2).withMemories(List.of("sram")),
            new Buffer("y", 16, 0, 2).withMemories(List.of("dram")));
    PackingProblem two =
        new PackingProblem("two", buffers, List.of(sram, dram), ConflictPairs.none());
    Placement high = Placement.of(new long[] {8, 0}, new int[] {0, 1});
    Plan plan = SampleRuns.plan(two, high, Bound.of(16, SampleRuns.word("search")));
    String text = PlanSummary.of(RunReport.of(plan));
    assertTrue(text.contains("FEASIBLE: two, a verified plan; a lower peak of sram is not"), text);
    Placement higher = Placement.of(new long[] {8, 8}, new int[] {0, 1});
    String both = PlanSummary.of(RunReport.of(SampleRuns.plan(two, higher)));
    assertTrue(both.contains("a lower peak is not excluded"), both);
  }

  @Test
  void namesDoNotSteerTheTerminal() {
    List<List<String>> tensors = List.of(List.of("\u001b[31mred"), List.of("t"), List.of("t"));
    String text = PlanSummary.of(SampleRuns.carrying(SampleRuns.nastyPlan(), tensors));
    assertFalse(text.contains("\u001b"), "no escape reaches the terminal");
    assertFalse(text.contains("\u0001"), "no control character reaches the terminal");
  }

  @Test
  void everyKindOfProofHasItsWords() {
    var rich = SampleRuns.rich();
    int[] two = {0, 3};
    assertTrue(
        ProofText.of(rich, new Certificate.Conflicts(1, two), 64).contains("2 buffers conflict"));
    assertTrue(
        ProofText.of(rich, new Certificate.Alignment(1, 16, 0, two), 64)
            .contains("multiple of 16"));
    assertTrue(ProofText.of(rich, new Certificate.Banks(1, two), 64).contains("64 bytes"));
    assertTrue(
        ProofText.of(rich, new Certificate.Window(1, new LiveRange(2, 5), two), 64)
            .contains("from step 2 to 4"));
    assertTrue(
        ProofText.of(rich, SampleRuns.word("choco"), 64).contains("choco 1.0 searched every way"));
    String load = ProofText.of(rich, new Certificate.MaxLoad(1, 6, 1, new int[] {1, 2}), 0);
    assertTrue(load.contains("64 bytes of \"sram\""), load);
  }
}
