package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.exact.choco.ChocoEngine;
import stowage.exact.cpsat.CpSatEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Engines in the middle of problems that they cannot close, and how soon they come back when told
 * to. No time is asserted: an engine that misses its end does not come back at all.
 */
class EngineStopTest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int BEGINNING_MILLIS = 60;

  /** How a run is ended from outside. */
  private enum End {
    STOP,
    STOP_OF_AN_OUTER_CONTROL,
    DEADLINE,
    PROOF_BY_ANOTHER,
    INTERRUPT
  }

  private static Stream<Engine> engines() {
    return Stream.of(new SearchEngine(), new CpSatEngine(), new ChocoEngine());
  }

  private static Stream<Arguments> ends() {
    return engines()
        .map(Engine::name)
        .flatMap(name -> Stream.of(End.values()).map(end -> Arguments.of(name, end)));
  }

  private static Engine named(String name) {
    return engines().filter(engine -> engine.name().equals(name)).findFirst().orElseThrow();
  }

  /** One memory; one memory with windows; two memories with a choice. */
  private static List<PackingProblem> problems() {
    PackingProblem rows = HardProblems.exchanges(30, 40, 100_000, 3);
    List<Buffer> windowed = new ArrayList<>();
    List<Buffer> free = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Buffer buffer = rows.buffer(i);
      LiveRange live = buffer.live();
      List<Gap> gaps = new ArrayList<>();
      if (live.end() - live.start() > 2 && buffer.size() > 2) {
        LiveRange middle = new LiveRange(live.start() + 1, live.end() - 1);
        gaps.add(new Gap(middle, buffer.size() / 3, buffer.size()));
      }
      windowed.add(buffer.withGaps(gaps));
      free.add(buffer);
    }
    List<Memory> memories =
        List.of(new Memory("near", 30_000, 1, 0, 0), new Memory("far", Memory.UNBOUNDED, 1, 0, 0));
    return List.of(
        rows,
        PackingProblem.of("windows", windowed),
        new PackingProblem("two memories", free, memories, ConflictPairs.none()));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void comesBackWhenToldTo(String name, End end) throws InterruptedException {
    for (PackingProblem problem : problems()) {
      comesBack(named(name), problem, end, 1, BEGINNING_MILLIS);
    }
  }

  /** Solvers that are well on their way. */
  @ParameterizedTest
  @CsvSource({"choco, STOP, 1, 1000", "cpsat, STOP, 2, 500", "cpsat, INTERRUPT, 2, 500"})
  void comesBackFromTheMiddle(String name, End end, int threads, int millis)
      throws InterruptedException {
    comesBack(named(name), HardProblems.cut(200, 1), end, threads, millis);
  }

  private static void comesBack(
      Engine engine, PackingProblem problem, End end, int threads, int millis)
      throws InterruptedException {
    String which = engine.name() + ", " + problem.name() + ", " + end;
    Incumbent incumbent = new Incumbent(problem);
    RunControl outer = RunControl.ofSeconds(Double.POSITIVE_INFINITY, threads, 1);
    RunControl control =
        outer.within(end == End.DEADLINE ? millis / 1e3 : Double.POSITIVE_INFINITY);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread runner =
        new Thread(
            () -> {
              begun.countDown();
              engine.run(incumbent, control, EngineOptions.defaults());
            });
    runner.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
    runner.start();
    begun.await();
    runner.join(millis);
    assertTrue(end == End.DEADLINE || runner.isAlive(), which + ": too easy for this test");
    switch (end) {
      case STOP -> control.stop();
      case STOP_OF_AN_OUTER_CONTROL -> outer.stop();
      case PROOF_BY_ANOTHER ->
          incumbent.provenInfeasible(new Certificate.MaxLoad(0, 0, 0, new int[0]), "another");
      case INTERRUPT -> runner.interrupt();
      default -> {}
    }
    runner.join(PATIENCE_MILLIS);
    assertFalse(runner.isAlive(), which + " has not stopped");
    assertEquals(null, failure.get(), which);
  }

  /** Nothing that an engine has started outlives its run. */
  @Test
  void leavesNoThreadBehind() throws InterruptedException {
    List<Thread> before = List.copyOf(Thread.getAllStackTraces().keySet());
    for (Engine engine : engines().toList()) {
      RunControl control = RunControl.ofSeconds(0.3, 2, 1);
      PackingProblem problem = problems().get(0);
      engine.run(new Incumbent(problem), control, EngineOptions.defaults());
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        ThreadGroup group = thread.getThreadGroup();
        if (!before.contains(thread) && group != null && !group.getName().equals("system")) {
          thread.join(PATIENCE_MILLIS);
          assertFalse(thread.isAlive(), engine.name() + " leaves " + thread.getName());
        }
      }
    }
  }
}
