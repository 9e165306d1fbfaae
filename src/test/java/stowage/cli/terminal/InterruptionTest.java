package stowage.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who writes after a signal, who waits for whom, and the code the process ends with. */
@Timeout(60)
class InterruptionTest {
  private final List<String> events = new CopyOnWriteArrayList<>();

  private Interruption interruption(BooleanSupplier writeNow) {
    return new Interruption(() -> events.add("stop"), writeNow, code -> events.add("exit " + code));
  }

  private static void staysOpen(CompletableFuture<?> task) throws Exception {
    try {
      task.get(200, TimeUnit.MILLISECONDS);
      throw new AssertionError("it has ended");
    } catch (TimeoutException stillRunning) {
      assertFalse(task.isDone());
    }
  }

  @Test
  void theMainThreadWaitsForTheHandlerThatWrites() throws Exception {
    CountDownLatch slowDisk = new CountDownLatch(1);
    CountDownLatch writing = new CountDownLatch(1);
    Interruption interruption =
        interruption(
            () -> {
              writing.countDown();
              await(slowDisk);
              return events.add("written");
            });
    CompletableFuture<Void> handler = CompletableFuture.runAsync(() -> interruption.end(130));
    await(writing);
    assertTrue(interruption.happened());
    CompletableFuture<Integer> main = CompletableFuture.supplyAsync(() -> interruption.finished(0));
    staysOpen(main);
    slowDisk.countDown();
    assertEquals(130, main.get());
    handler.get();
    assertEquals(List.of("stop", "written", "exit 130"), events);
  }

  @Test
  void theHandlerWaitsForTheMainThreadThatWrites() throws Exception {
    Interruption interruption = interruption(() -> false);
    CompletableFuture<Void> handler = CompletableFuture.runAsync(() -> interruption.end(143));
    staysOpen(handler);
    assertEquals(List.of("stop"), events);
    assertEquals(143, interruption.finished(0));
    handler.get();
    assertEquals(List.of("stop", "exit 143"), events);
  }

  @Test
  void aMainThreadThatWritesAtOnceIsNotDisturbed() throws Exception {
    Interruption interruption = interruption(() -> events.add("written twice"));
    assertEquals(5, interruption.finished(5), "without a signal its own code stays");
    interruption.end(130);
    assertEquals(List.of("stop", "exit 130"), events);
  }

  @Test
  void anAnswerThatCannotBeWrittenIsNoOrderlyStop() {
    Interruption interruption =
        interruption(
            () -> {
              throw new IllegalStateException("disk full, as this test has it");
            });
    interruption.end(130);
    assertEquals(List.of("stop", "exit 3"), events);
  }

  @Test
  void aSecondSignalChangesNothing() {
    Interruption interruption = interruption(() -> events.add("written"));
    interruption.end(143);
    interruption.end(130);
    assertEquals(List.of("stop", "written", "exit 143"), events);
    assertEquals(143, interruption.finished(0));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }
}
