package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.ProblemBuilder;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Verifier;

class StowageTest {

  private static PackingProblem small() {
    ProblemBuilder builder = PackingProblem.builder("f");
    builder.buffer(4096, 0, 3);
    builder.buffer(8192, 1, 5);
    builder.buffer(2048, 0, 6);
    return builder.build();
  }

  /** Too hard to close in the time of a test. */
  private static PackingProblem hard() {
    Random random = new Random(7);
    ProblemBuilder builder = PackingProblem.builder("hard");
    for (int i = 0; i < 400; i++) {
      int start = random.nextInt(300);
      builder.buffer(1 + random.nextInt(100_000), start, start + 1 + random.nextInt(60));
    }
    return builder.build();
  }

  @Test
  void itPlansAndProves() {
    Plan plan = Stowage.plan(small());
    assertEquals(Status.OPTIMAL, plan.status());
    assertEquals(14336, plan.peak());
    assertEquals(14336, plan.lowerBound());
    assertEquals(0, plan.gap());
    assertTrue(Verifier.isValid(plan.problem(), plan.placement()));
  }

  @Test
  void aCapacityThatIsTooSmallIsProvenToBe() {
    Plan plan = Stowage.plan(small(), PlanOptions.defaults().capacity(14335));
    assertEquals(Status.INFEASIBLE, plan.status());
    assertFalse(plan.hasPlacement());
    Plan fits = Stowage.plan(small(), PlanOptions.defaults().capacity(20000).firstFit());
    assertTrue(fits.hasPlacement());
  }

  @Test
  void deterministicRunsAgreeWhateverTheThreads() {
    PlanOptions options = PlanOptions.defaults().deterministic(200_000).engines("search").seed(5);
    Plan one = Stowage.plan(hard(), options.threads(1));
    Plan two = Stowage.plan(hard(), options.threads(2));
    assertEquals(one.placement(), two.placement());
  }

  @Test
  @Timeout(60)
  void aCancelledRunKeepsItsBestPlanAndLeavesNoThread() throws InterruptedException {
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    PlanOptions options = PlanOptions.within(Duration.ofSeconds(50)).threads(2).engines("search");
    PlanTask task = Stowage.submit(hard(), options);
    List<Long> peaks = new ArrayList<>();
    CountDownLatch told = new CountDownLatch(1);
    task.onImprovement(
        plan -> {
          if (plan.hasPlacement()) {
            peaks.add(plan.peak());
            told.countDown();
          }
        });
    assertTrue(told.await(40, TimeUnit.SECONDS));
    assertTrue(task.best().isPresent());
    Plan early = task.await(Duration.ofMillis(1));
    assertFalse(task.isDone());
    assertTrue(early.hasPlacement());
    task.cancel();
    Plan plan = task.await();
    assertTrue(task.isDone());
    assertTrue(task.failure().isEmpty());
    assertTrue(Verifier.isValid(plan.problem(), plan.placement()));
    assertTrue(plan.lowerBound() > 0 && plan.lowerBound() == task.lowerBound());
    assertEquals(plan.peak(), peaks.get(peaks.size() - 1));
    assertEquals(plan.peak(), task.best().orElseThrow().peak());
    for (int k = 1; k < peaks.size(); k++) {
      assertTrue(peaks.get(k) <= peaks.get(k - 1), peaks::toString);
    }
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    left.removeIf(thread -> thread.getName().startsWith("ForkJoinPool.commonPool"));
    for (Thread thread : left) {
      thread.join(2_000); // on a busy machine a thread may be between its last step and its end
    }
    left.removeIf(thread -> !thread.isAlive());
    assertEquals(Set.of(), left);
  }

  @Test
  @Timeout(60)
  void interruptingTheWaitStopsTheRun() throws InterruptedException {
    AtomicReference<Plan> answer = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              PlanOptions options = PlanOptions.within(Duration.ofSeconds(50)).engines("search");
              answer.set(Stowage.plan(hard(), options));
              flag.set(Thread.currentThread().isInterrupted());
            });
    waiting.start();
    waiting.interrupt();
    waiting.join();
    assertTrue(flag.get());
    assertTrue(answer.get().status() != null);
  }

  @Test
  void aPlanToStartFromIsKept() {
    Plan first = Stowage.plan(hard(), PlanOptions.within(Duration.ofMillis(200)).engines());
    Plan second =
        Stowage.plan(hard(), PlanOptions.within(Duration.ZERO).startFrom(first).engines());
    assertTrue(second.peak() <= first.peak());
    PlanOptions wrong = PlanOptions.defaults().startFrom(first);
    assertThrows(IllegalArgumentException.class, () -> Stowage.submit(small(), wrong));
    Plan none = Stowage.plan(small(), PlanOptions.defaults().capacity(1));
    assertThrows(IllegalArgumentException.class, () -> PlanOptions.defaults().startFrom(none));
  }

  @Test
  void aBadOptionIsRefusedAtOnce() {
    PlanOptions options = PlanOptions.defaults();
    assertThrows(IllegalArgumentException.class, () -> options.threads(0));
    assertThrows(IllegalArgumentException.class, () -> options.capacity(-1));
    assertThrows(IllegalArgumentException.class, () -> options.deterministic(0));
    assertThrows(IllegalArgumentException.class, () -> PlanOptions.within(Duration.ofSeconds(-1)));
    Refusals.says(
        IllegalArgumentException.class,
        () -> Stowage.submit(small(), options.engines("searhc")),
        "searhc",
        "search,");
  }

  @Test
  void whatBreaksAMethodIsThrownWhereNothingWasFound() {
    PackingProblem problem = small();
    IllegalStateException fault = new IllegalStateException("broken");
    PlanTask nothing =
        PlanTask.start(
            new Incumbent(problem),
            RunControl.unlimited(),
            () -> {
              throw fault;
            });
    assertSame(fault, assertThrows(IllegalStateException.class, nothing::await));

    Incumbent incumbent = new Incumbent(problem);
    PlanTask something =
        PlanTask.start(
            incumbent,
            RunControl.unlimited(),
            () -> {
              incumbent.offer(Placement.of(new long[] {0, 4096, 12288}), "test");
              throw fault;
            });
    assertEquals(14336, something.await().peak());
    assertSame(fault, something.failure().orElseThrow());
  }

  @Test
  @Timeout(60)
  void aListenerThatThrowsEndsTheRun() {
    IllegalStateException fault = new IllegalStateException("listener");
    PlanOptions options = PlanOptions.within(Duration.ofSeconds(50)).engines("search");
    PlanTask task = Stowage.submit(hard(), options);
    task.onImprovement(
        plan -> {
          throw fault;
        });
    try {
      assertTrue(task.await().hasPlacement());
    } catch (IllegalStateException thrown) {
      assertSame(fault, thrown); // the listener was called before there was a plan
    }
    assertSame(fault, task.failure().orElseThrow());
  }

  @Test
  void nothingIsPrinted() {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    PrintStream ear = new PrintStream(heard, true);
    try {
      System.setOut(ear);
      System.setErr(ear);
      Stowage.plan(hard(), PlanOptions.within(Duration.ofMillis(300)));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertEquals("", heard.toString());
  }
}
