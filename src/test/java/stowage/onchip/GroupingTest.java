package stowage.onchip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.search.GroupOptions;
import stowage.packing.Status;

/** What is notified of a grouping's bound. */
class GroupingTest {

  @ParameterizedTest
  @CsvSource({
    // No grouping moves 100.2 bytes, so 101 are the fewest.
    "TRAFFIC, 101, 100.2, 101, OPTIMAL",
    "TRAFFIC, 102, 100.2, 101, FEASIBLE",
    "TRAFFIC, 102, 101, 101, FEASIBLE",
    // Sums of many numbers are not exact.
    "TRAFFIC, 101, 101.00000001, 101, OPTIMAL",
    "TRAFFIC, 102, 101.00000001, 101, FEASIBLE",
    // Cycles are given in whole ones; a bound stays below the figure when both are.
    "CYCLES, 100.4, 100.3, 100, OPTIMAL",
    "CYCLES, 100.6, 100.4, 100, FEASIBLE",
    "CYCLES, 100.5000000001, 100.4999999999, 101, OPTIMAL",
  })
  void theBoundIsAsWholeAsTheFigure(
      GroupOptions.GroupObjective objective,
      double figure,
      double lowerBound,
      long told,
      Status status) {
    GroupOptions options =
        new GroupOptions(
            GroupOptions.Lmem.EXACT, GroupOptions.SlicingSearch.QUICK, objective, false);
    PlannedGroup alone =
        new PlannedGroup(
            new int[] {0}, null, null, (long) figure, figure, "no gain", null, List.of());
    Grouping grouping =
        new Grouping(null, "dp", options, List.of(alone), lowerBound, BoundScope.CONTIGUOUS);
    assertEquals(told, grouping.provenLeast());
    assertEquals(status, grouping.status());
  }
}
