package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.RunControl;

class SplitClockTest {

  /** A stage that used its share up leaves the rest of the work to further turns. */
  @Test
  void aStageThatIsOverIsNotTheLastTurn() {
    Network network = Graphs.of(ElementType.I8, "x:1x4; y:1x4 = Relu x; -> y").network();
    FitRequest asked = FitRunTest.request(network, 8, false);
    SplitClock clock = new SplitClock(asked, RunControl.ofWork(1_000, 1, 1));
    clock.begin(0.5);
    clock.did(500);
    assertTrue(clock.isOver());
    assertFalse(clock.isLast());
    clock.begin(1);
    assertFalse(clock.isOver());
    clock.did(500);
    assertTrue(clock.isOver() && clock.isLast());
    assertEquals(0, clock.idle());
  }

  /** Twice as long as the last gain took to come, which is more than the least patience. */
  @Test
  void aSearchIsFlatWhereNothingBetterCameForLong() {
    Network network = Graphs.of(ElementType.I8, "x:1x4; y:1x4 = Relu x; -> y").network();
    FitRequest asked = FitRunTest.request(network, 8, false);
    FitPlan plan = FitRun.of(asked, RunControl.ofWork(1_000, 1, 1), line -> {}).plan();
    SplitClock clock = new SplitClock(asked, RunControl.ofWork(1_000_000_000, 1, 1));
    clock.begin(1);
    clock.did(10_000_000);
    assertFalse(clock.isFlat(), "no plan answers yet");
    clock.found(plan, 8);
    clock.did(100_000_000); // ways that are no walks end on their own
    assertFalse(clock.isFlat());
    clock.beginWalk();
    clock.did(15_000_000);
    clock.endWalk();
    clock.did(100_000_000);
    clock.found(plan, 8); // no better
    clock.beginWalk();
    clock.did(5_000_000);
    assertFalse(clock.isFlat());
    clock.did(1);
    assertTrue(clock.isFlat());
    assertEquals(220, clock.idle(), 0.001);
  }
}
