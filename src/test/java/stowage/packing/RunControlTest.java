package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunControlTest {
  @Test
  void anInnerControlHasTheThreadsAndTheSeedOfItsOuterOneAndTheShorterTime() {
    RunControl outer = RunControl.ofSeconds(100, 2, 7);
    RunControl inner = outer.within(50).within(1000).withWork(10);
    assertTrue(inner.secondsLeft() <= 50 && inner.secondsLeft() > 0);
    assertEquals(2, inner.threads());
    assertEquals(7, inner.seed());
  }

  @Test
  void aDeadlineThatHasPassedIsAStop() {
    RunControl over = RunControl.ofSeconds(0, 1, 1);
    assertTrue(over.isStopped());
    assertTrue(over.within(100).isStopped());
    assertTrue(RunControl.ofSeconds(100, 1, 1).within(0).isStopped());
    assertFalse(over.withOwnDeadline(100).isStopped(), "its own deadline counts");
  }

  @Test
  void aDeadlineOfItsOwnIsEndedByAStopAlone() {
    RunControl run = RunControl.ofSeconds(0, 1, 1);
    RunControl own = run.withOwnDeadline(100);
    RunControl within = own.within(50);
    assertTrue(own.secondsLeft() > 50);
    run.stop();
    assertTrue(own.isStopped());
    assertTrue(within.isStopped());
  }

  @Test
  void workIsTheLeastOfAllLimits() {
    RunControl work = RunControl.ofWork(1_000, 1, 1);
    assertTrue(work.isDeterministic() && work.within(3).isDeterministic());
    assertEquals(Double.POSITIVE_INFINITY, work.secondsLeft());
    assertEquals(1_000, work.withWork(5_000).workLimit());
    assertEquals(10, work.withWork(10).workLimit());
    RunControl question = RunControl.ofSeconds(100, 1, 1).withWork(10);
    assertTrue(question.isDeterministic() && question.secondsLeft() <= 100);
    assertFalse(RunControl.unlimited().isDeterministic());
    assertEquals(Long.MAX_VALUE, RunControl.unlimited().workLimit());
  }

  @Test
  void onlyARunThatMayEndsWhereItIsFlat() {
    RunControl patient = RunControl.ofSeconds(100, 1, 1);
    patient.within(50).flattened(3);
    assertFalse(patient.isStopped());
    assertEquals(0, patient.flatTries());
    patient.endWhenFlat();
    patient.within(50).withWork(10).flattened(4);
    assertTrue(patient.isStopped());
    assertEquals(4, patient.flatTries());
    RunControl counted = RunControl.ofWork(100, 1, 1);
    counted.endWhenFlat();
    counted.flattened(5);
    assertFalse(counted.isStopped());
  }

  @Test
  void workThatIsCountedIsTheTimeOfARun() {
    RunControl run = RunControl.ofWork(3_000_000, 2, 1).counting();
    RunControl first = run.within(1);
    first.did(400_000);
    assertEquals(0.6, first.secondsLeft(), 1e-9);
    assertEquals(2.6, run.within(1e12).withThreads(1).secondsLeft(), 1e-9);
    first.did(700_000);
    assertTrue(first.isStopped() && first.within(1).isStopped() && !run.isStopped());
    RunControl share = run.share(0.5);
    assertEquals(500_000, share.workLimit());
    share.did(9_000_000);
    assertEquals(1_400_000, run.workLimit(), "a share counts as done, not what is done in it");
    assertEquals(1_400_000, run.share(1e12).workLimit());
    assertTrue(run.isStopped() && run.secondsLeft() == 0);
    RunControl timed = RunControl.ofSeconds(100, 1, 1).counting();
    timed.did(Long.MAX_VALUE);
    assertTrue(!timed.isStopped() && timed.share(50).secondsLeft() <= 50);
  }

  @Test
  void anActionRunsOnceUnlessItIsWithdrawn() {
    RunControl outer = RunControl.ofSeconds(100, 1, 1);
    RunControl inner = outer.within(50).withOwnDeadline(90).within(40);
    List<String> ran = new ArrayList<>();
    inner.onStop(() -> ran.add("kept"));
    RunControl.Registration withdrawn = inner.onStop(() -> ran.add("withdrawn"));
    withdrawn.close();
    outer.within(50).onStop(() -> ran.add("beside"));
    outer.stop();
    outer.stop();
    inner.stop();
    assertEquals(List.of("beside", "kept"), ran.stream().sorted().toList());
    outer.onStop(() -> ran.add("late"));
    assertTrue(ran.contains("late"), "it is stopped already");
  }

  /** The answer of a thread that waits for a stop. */
  static CompletableFuture<Boolean> awaited(RunControl control) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return control.awaitStop(Double.POSITIVE_INFINITY);
          } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
          }
        });
  }

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
            outer.within(50).within(1_000).withWork(10),
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
  void waitingEndsWithTheStopTheTimeOrAnInterrupt() throws Exception {
    RunControl control = unlimited();
    assertFalse(control.awaitStop(0.01), "the time is over, the run is not");
    CompletableFuture<Boolean> waiting = awaited(control.within(FOREVER));
    control.stop();
    assertTrue(waiting.get(60, TimeUnit.SECONDS));
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> unlimited().awaitStop(FOREVER));
  }
}
