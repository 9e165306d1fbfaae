package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.exact.EngineChecks.portfolio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import stowage.Thorough;
import stowage.exact.choco.ChocoEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.SearchEngine;
import stowage.exact.engine.SolveContext;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ProblemBuilder;
import stowage.packing.ReservedRange;
import stowage.packing.RunControl;
import stowage.packing.Score;
import stowage.packing.Status;
import stowage.packing.Verifier;

class PortfolioTest {
  private static final int PATIENCE_MILLIS = 60_000;

  /** An engine that does nothing but what it is given. */
  private record FakeEngine(String name, Work work) implements Engine {
    interface Work {
      void run(Incumbent incumbent, RunControl control);
    }

    @Override
    public String kind() {
      return name;
    }

    @Override
    public String version() {
      return name + " 1";
    }

    @Override
    public EngineReport run(SolveContext context) {
      work.run(context.incumbent(), context.control());
      return new EngineReport(name, 0, version(), new TreeMap<>(), 0, "");
    }
  }

  private static Engine failing(String name, Throwable failure) {
    return new FakeEngine(
        name,
        (incumbent, control) -> {
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        });
  }

  private static Engine unlinked() {
    return failing("unlinked", new UnsatisfiedLinkError("no such library"));
  }

  /** Works until it is asked to stop; says when it has begun. */
  private static Engine patient(CountDownLatch begun) {
    return new FakeEngine(
        "patient",
        (incumbent, control) -> {
          begun.countDown();
          while (!control.isStopped()) {
            Thread.onSpinWait();
          }
        });
  }

  /** What a portfolio that begins with the greedy plans makes of a problem. */
  private static Incumbent planned(PackingProblem problem, RunControl control, Engine... engines) {
    return portfolio(new Incumbent(problem), control, Openings.of(problem), engines);
  }

  @Test
  void aRunWithoutTimeStillHasAPlan() {
    PackingProblem problem =
        PackingProblem.of("no time", Buffers.drawn(new Random(8), 30, 40, 90, 17));
    Incumbent incumbent = planned(problem, RunControl.ofSeconds(0, 1, 1), new SearchEngine());
    assertNotNull(incumbent.placement());
    assertEquals("sweep-best-fit", incumbent.finder());
  }

  @Test
  void aRunForAnotherGoalWithoutTimeStillHasAPlan() {
    PackingProblem problem =
        PackingProblem.of("no time", Buffers.drawn(new Random(8), 30, 40, 90, 17));
    Objective goals = Objective.of(problem, List.of(Goal.REUSE, Goal.PEAK));
    RunControl stopped = RunControl.ofSeconds(0, 1, 1);
    Incumbent incumbent = new Incumbent(problem, goals);
    portfolio(incumbent, stopped, Openings.of(problem), new SearchEngine());
    assertNotNull(incumbent.placement());
  }

  @Test
  void aLiveRangeWithoutStepsAfterAllOthersIsNoFaultAmongManyBuffers() {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i <= Openings.LARGE; i++) {
      buffers.add(new Buffer("b" + i, 4, i, i + 1));
    }
    buffers.add(new Buffer("never", 4, buffers.size(), buffers.size()));
    PackingProblem problem = PackingProblem.of("many", buffers);
    assertEquals(4, planned(problem, RunControl.unlimited()).bestFigure());
  }

  /** A problem of one memory with a reserved range, and two buffers kept together with a hole. */
  private static PackingProblem reserved() {
    ProblemBuilder builder = PackingProblem.builder("reserved");
    builder.memory(Memory.main().withReserved(List.of(new ReservedRange(8, 100))));
    builder.buffer(5, 0, 2);
    builder.buffer(5, 0, 2);
    builder.together(builder.buffer(1, 2, 3), builder.buffer(1, 2, 3), 3);
    return builder.build();
  }

  @Test
  void aRunWithoutTimeStillHasAPlanWhereBuffersAreRelated() {
    RunControl stopped = RunControl.ofSeconds(0, 1, 1);
    Incumbent incumbent = planned(reserved(), stopped, new SearchEngine());
    assertEquals("sweep-best-fit", incumbent.finder());
    assertEquals(List.of(), incumbent.rejection());
  }

  @Test
  void aLoadThatPassesAReservedRangeIsABoundThoughThePlainFormIsStricter() {
    Incumbent incumbent = planned(reserved(), RunControl.unlimited(), new SearchEngine());
    assertEquals(105, incumbent.bestFigure());
    assertEquals(101, incumbent.bestBound());
  }

  @Test
  void anEngineThatFailsLeavesTheWorkToTheOthers() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    Engine failing = failing("failing", new IllegalStateException("out of order"));
    for (Engine broken : List.of(failing, unlinked())) {
      for (int threads = 1; threads <= 2; threads++) {
        Engine search = new SearchEngine();
        for (Engine[] engines : new Engine[][] {{broken, search}, {search, broken}}) {
          RunControl control = RunControl.ofSeconds(60, threads, 1);
          Incumbent incumbent = portfolio(new Incumbent(problem), control, List.of(), engines);
          assertEquals(Status.OPTIMAL, incumbent.status(), broken.name());
          assertEquals(25, incumbent.bestFigure());
        }
      }
    }
  }

  @Test
  void aFailureIsThrownWhereNothingWasFound() {
    PackingProblem problem = HardProblems.exchanges(40, 60, 1_000_000, 1);
    for (int threads = 1; threads <= 2; threads++) {
      RunControl control = RunControl.ofSeconds(20, threads, 1);
      Incumbent incumbent = new Incumbent(problem);
      Engine failing = failing("failing", new NotPlannableException("too steep"));
      Executable steep = () -> portfolio(incumbent, control, List.of(), failing);
      assertEquals("too steep", assertThrows(NotPlannableException.class, steep).getMessage());
      assertNull(incumbent.placement());
      Executable unlinked = () -> portfolio(incumbent, control, List.of(), unlinked());
      IllegalStateException wrapped = assertThrows(IllegalStateException.class, unlinked);
      assertTrue(wrapped.getCause() instanceof UnsatisfiedLinkError);
    }
  }

  @Test
  void aFailureAfterAPlanIsNotThrown() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    Incumbent incumbent = new Incumbent(problem);
    Engine failing = failing("failing", new IllegalStateException("out of order"));
    Portfolio.Setup setup =
        new Portfolio.Setup(Openings.of(problem), List.of(failing), EngineOptions.defaults());
    List<EngineReport> reports = Portfolio.run(incumbent, RunControl.ofSeconds(60, 1, 1), setup);
    assertNotNull(incumbent.placement());
    assertEquals(List.of(), reports);
  }

  @Test
  void anInterruptedRunEndsWithItsBestPlan() throws InterruptedException {
    PackingProblem problem = HardProblems.exchanges(40, 60, 1_000_000, 1);
    CountDownLatch begun = new CountDownLatch(1);
    Incumbent incumbent = new Incumbent(problem);
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread runner =
        new Thread(
            () -> {
              RunControl endless = RunControl.ofSeconds(Double.POSITIVE_INFINITY, 2, 1);
              portfolio(
                  incumbent, endless, Openings.of(problem), patient(begun), new ChocoEngine());
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    runner.start();
    begun.await();
    runner.interrupt();
    runner.join(PATIENCE_MILLIS);
    assertFalse(runner.isAlive(), "the run goes on");
    assertTrue(interrupted.get(), "the interrupt is the caller's to see");
    assertNotNull(incumbent.placement());
    assertTrue(Verifier.isValid(problem, incumbent.placement()));
  }

  /** An engine that proves what is left ends the others, whether they take turns or not. */
  @Test
  void aProofEndsTheOthers() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    CountDownLatch begun = new CountDownLatch(1);
    Incumbent incumbent = new Incumbent(problem);
    RunControl control = RunControl.ofSeconds(Double.POSITIVE_INFINITY, 2, 1);
    portfolio(incumbent, control, List.of(), new SearchEngine(), patient(begun));
    assertEquals(Status.OPTIMAL, incumbent.status());
    assertFalse(control.isStopped(), "the caller's control is not the portfolio's to stop");
  }

  @Test
  void turnsThreadsAndRoundsAgreeWithBruteForce() {
    int compared = 0;
    int cases = Thorough.of(30, 60);
    for (long seed = 0; seed < cases; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 7);
      Optional<BruteForce.Answer> answer = BruteForce.peaks(problem, 1_000_000);
      if (answer.isEmpty()) {
        continue;
      }
      compared++;
      long[] expected = answer.get().peaks();
      for (RunControl control :
          List.of(
              RunControl.ofSeconds(120, 1, 1),
              RunControl.ofSeconds(120, 2, 1),
              RunControl.ofWork(10_000_000, 2, 1))) {
        String which = "seed " + seed + ", deterministic " + control.isDeterministic();
        Incumbent incumbent = planned(problem, control, new SearchEngine(), new ChocoEngine());
        EngineChecks.holds(expected, incumbent, which);
      }
    }
    assertTrue(compared > cases * 2 / 3, compared + " compared");
  }

  /**
   * However little work a run may do, it ends no higher than each planner it begins with, on the
   * buffers in the order in which deterministic runs see them.
   */
  @Test
  void isNeverAboveItsHeuristics() {
    int planned = 0;
    int cases = Thorough.of(75, 150);
    for (long seed = 0; seed < cases; seed++) {
      PackingProblem problem = new FileOrder(RandomProblems.of(50_000 + seed, 30)).problem();
      RunControl control = RunControl.ofWork(2_000, 1 + (int) (seed % 2), seed);
      Incumbent incumbent = planned(problem, control, new SearchEngine(), new ChocoEngine());
      List<Score> scores = new ArrayList<>();
      for (Planner planner : Openings.of(problem)) {
        try {
          Placement plan = planner.plan(problem, RunControl.ofWork(2_000, 1, seed));
          if (Verifier.isValid(problem, plan)) {
            scores.add(incumbent.objective().score(problem, plan));
          }
        } catch (NotPlannableException refused) {
          // It does not take part.
        }
      }
      for (Score score : scores) {
        planned++;
        assertNotNull(incumbent.score(), "seed " + seed);
        assertTrue(
            incumbent.score().compareTo(score) <= 0,
            "seed %s: %s above %s"
                .formatted(seed, Arrays.toString(EngineChecks.figures(incumbent.score())), score));
      }
    }
    assertTrue(planned > 2 * cases, planned + " plans compared");
  }

  private static final PackingProblem OPEN = Buffers.problem("a:2[0,2) b:4[1,3) c:2[2,5)");

  /** An engine whose memory runs out, as a real one's does on a small heap. */
  private static Engine greedy() {
    return failing("greedy-for-memory", new OutOfMemoryError("Java heap space"));
  }

  @Test
  void anEngineThatRunsOutOfMemoryIsARemarkWhereThereIsAPlan() {
    for (int threads = 1; threads <= 2; threads++) {
      Incumbent incumbent = new Incumbent(OPEN);
      incumbent.offer(Placement.of(new long[] {0, 10, 20}), "by hand");
      portfolio(incumbent, RunControl.ofSeconds(20, threads, 1), List.of(), greedy());
      assertEquals(1, incumbent.remarks().size(), incumbent.remarks().toString());
      assertTrue(incumbent.remarks().get(0).startsWith("greedy-for-memory ended early"));
      assertEquals("by hand", incumbent.finder());
    }
  }

  @Test
  void anEngineThatRunsOutOfMemoryBeforeThereIsAPlanIsAnError() {
    for (int threads = 1; threads <= 2; threads++) {
      RunControl control = RunControl.ofSeconds(20, threads, 1);
      Executable run = () -> portfolio(new Incumbent(OPEN), control, List.of(), greedy());
      assertThrows(OutOfMemoryError.class, run);
    }
  }

  @Test
  void alignmentsThatSuitAlmostNoBankAreDecidedAtOnce() {
    long bank = 100_000_000_003L;
    List<Buffer> buffers =
        List.of(
            new Buffer("a", bank - 1, 0, 1).withAlignment(99_999_999_977L).withinBank(true),
            new Buffer("b", bank - 2, 0, 1).withAlignment(99_999_999_947L).withinBank(true));
    PackingProblem problem =
        PackingProblem.of("banks", buffers).withMemories(List.of(Memory.main().withBankSize(bank)));
    Incumbent incumbent = planned(problem, RunControl.ofSeconds(60, 1, 1), new SearchEngine());
    assertEquals(Status.INFEASIBLE, incumbent.status());
    assertEquals(List.of(), incumbent.rejection());
    for (Planner planner : Openings.of(problem)) {
      assertThrows(
          NotPlannableException.class, () -> planner.plan(problem, RunControl.unlimited()));
    }
  }
}
