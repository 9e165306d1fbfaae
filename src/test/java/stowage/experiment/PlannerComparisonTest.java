package stowage.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.report.compare.CompareReport;

class PlannerComparisonTest {
  /** The rows of two planners that begin when time is over, on so many buffers. */
  private static List<CompareReport.Row> late(int buffers) {
    PackingProblem problem =
        PackingProblem.of(
            "many",
            IntStream.range(0, buffers).mapToObj(b -> new Buffer("b" + b, 4, b, b + 2)).toList());
    RunControl control = RunControl.unlimited();
    control.stop();
    PlannerComparison comparison =
        new PlannerComparison(PlanningCase.ofBuffers(problem), new Incumbent(problem), control);
    comparison.run(
        List.of(PlannerCatalogue.named("tflite"), PlannerCatalogue.named("greedy-size")),
        k -> true);
    return comparison.report().rows();
  }

  @Test
  void whenTimeIsOverNoPlannerOfManyBuffersBegins() {
    for (CompareReport.Row row : late(1001)) {
      assertEquals("no time was left", row.reason(), row.planner());
    }
    assertTrue(late(10).stream().allMatch(row -> row.peak() == 8));
  }
}
