package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunControlStopTest {
  private static final double FOREVER = Double.POSITIVE_INFINITY;

  private static RunControl unlimited() {
    return RunControl.ofSeconds(FOREVER, 1, 1);
  }

  @Test
  void aStopReachesAllThatDerivesFromAControlAndNothingElse() {
    RunControl outer = unlimited();
    List<RunControl> derived =
        List.of(
            outer.within(FOREVER),
            outer.within(100).within(50),
            outer.withWork(7),
            outer.withOwnDeadline(1_000),
            outer.withOwnDeadline(1_000).within(FOREVER));
    RunControl sibling = outer.within(FOREVER);
    derived.get(0).stop();
    assertTrue(derived.get(0).isStopped());
    assertFalse(outer.isStopped());
    assertFalse(sibling.isStopped());
    outer.stop();
    derived.forEach(control -> assertTrue(control.isStopped()));
    derived.forEach(control -> assertEquals(0, control.secondsLeft()));
  }

  @Test
  void actionsRunOnceWhenAnyControlAboveIsStopped() {
    for (int depth = 0; depth < 3; depth++) {
      RunControl outer = unlimited();
      RunControl inner = outer;
      for (int k = 0; k < depth; k++) {
        inner = k % 2 == 0 ? inner.within(FOREVER) : inner.withOwnDeadline(1_000);
      }
      AtomicInteger runs = new AtomicInteger();
      inner.onStop(runs::incrementAndGet);
      assertEquals(0, runs.get());
      outer.stop();
      outer.stop();
      inner.stop();
      assertEquals(1, runs.get(), "depth " + depth);
    }
  }

  @Test
  void anActionOfAStoppedControlRunsAtOnce() {
    RunControl control = unlimited();
    control.stop();
    AtomicInteger runs = new AtomicInteger();
    control.within(FOREVER).onStop(runs::incrementAndGet);
    assertEquals(1, runs.get());
    RunControl.ofSeconds(0, 1, 1).onStop(runs::incrementAndGet);
    assertEquals(2, runs.get(), "a deadline that has passed is an end too");
  }

  @Test
  void aWithdrawnActionDoesNotRun() {
    RunControl control = unlimited();
    AtomicInteger runs = new AtomicInteger();
    try (RunControl.Registration stop = control.within(5).onStop(runs::incrementAndGet)) {
      assertEquals(0, runs.get());
    }
    control.stop();
    assertEquals(0, runs.get());
  }

  @Test
  void anActionWaitsWhileItsOwnControlGoesOn() {
    RunControl outer = unlimited();
    outer.endWhenFlat();
    RunControl own = outer.withOwnDeadline(1_000);
    AtomicInteger runs = new AtomicInteger();
    own.onStop(runs::incrementAndGet);
    outer.flattened(6);
    assertTrue(outer.isStopped());
    assertEquals(6, outer.flatTries());
    assertFalse(own.isStopped(), "a control with a deadline of its own ends by stop alone");
    assertEquals(0, runs.get());
    outer.stop();
    assertTrue(own.isStopped());
    assertEquals(1, runs.get());
  }

  @Test
  void deadlinesOfOuterControlsHold() throws InterruptedException {
    RunControl outer = RunControl.ofSeconds(0.05, 3, 9);
    RunControl inner = outer.within(1_000);
    RunControl own = outer.withOwnDeadline(1_000);
    assertTrue(inner.awaitStop(1_000), "the outer deadline ends the waiting");
    assertTrue(outer.isStopped());
    assertFalse(own.isStopped());
    assertTrue(own.secondsLeft() > 500);
    assertEquals(List.of(3, 9L), List.<Object>of(inner.threads(), inner.seed()));
  }

  @Test
  void workIsNeverMoreThanTheOuterControlAllows() {
    RunControl outer = RunControl.ofWork(100, 2, 1);
    assertEquals(40, outer.withWork(40).workLimit());
    assertEquals(100, outer.withWork(400).workLimit());
    assertTrue(outer.within(3).isDeterministic());
    assertTrue(unlimited().withWork(5).isDeterministic());
    assertEquals(Long.MAX_VALUE, unlimited().workLimit());
  }

  @Test
  void waitingEndsWithTheStopTheTimeOrAnInterrupt() throws Exception {
    RunControl control = unlimited();
    assertFalse(control.awaitStop(0.01), "the time is over, the run is not");
    CompletableFuture<Boolean> waiting = RunControlTest.awaited(control.within(FOREVER));
    control.stop();
    assertTrue(waiting.get(60, TimeUnit.SECONDS));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> unlimited().awaitStop(FOREVER));
  }
}
