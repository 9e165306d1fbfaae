package stowage.compiler.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;

class OpWalkTest {
  @Test
  void everyPieceOfScratchIsMadeBeforeItsOp() {
    PlanningCase given = Graphs.of("x:4; a:4 = Conv x +8 +16; -> a").planningCase();
    OpWalk walk = OpWalk.of(given);
    assertEquals(
        List.of(
            "x:[]>[x]",
            "a#scratch:[]>[a#scratch]",
            "a#scratch#2:[]>[a#scratch#2]",
            "a:[x, a#scratch, a#scratch#2]>[a]",
            "return:[a]>[]"),
        walk.visits().stream()
            .map(v -> v.name() + ":" + names(walk, v.operands()) + ">" + names(walk, v.results()))
            .toList());
  }

  private static List<String> names(OpWalk walk, List<Integer> values) {
    return values.stream().map(walk::name).toList();
  }
}
