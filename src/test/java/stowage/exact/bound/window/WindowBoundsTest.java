package stowage.exact.bound.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.PublicData;
import stowage.Thorough;
import stowage.exact.BruteForce;
import stowage.exact.EngineChecks;
import stowage.exact.HardProblems;
import stowage.exact.RandomProblems;
import stowage.exact.bound.LowerBounds;
import stowage.exact.engine.SearchEngine;
import stowage.heuristic.HeuristicPlanners;
import stowage.importer.own.PackingCsv;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

class WindowBoundsTest {
  private static final int CASES = Thorough.of(1_500, 30_000);

  private static final LiveRange ALWAYS = new LiveRange(-1, 10_000);

  private static Bound claim(int memory, int[] buffers, long value) {
    return new Bound(0, value, new Certificate.Window(memory, ALWAYS, buffers));
  }

  @Test
  void theVerifiersMethodAgreesWithBruteForce() {
    int checked = 0;
    for (long seed = 0; seed < CASES; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 6);
      int last = problem.memories().size() - 1;
      List<Integer> here = new ArrayList<>();
      for (int i = 0; i < problem.size(); i++) {
        if (problem.allowedMask(i) == 1L << last && problem.buffer(i).needsMemory()) {
          here.add(i);
        }
      }
      int[] buffers = here.stream().mapToInt(Integer::intValue).toArray();
      PackingProblem alone = problem.select(buffers).withCapacity(last, Long.MAX_VALUE);
      long[] optimum = BruteForce.peaks(alone);
      if (here.isEmpty() || optimum == null) {
        continue;
      }
      checked++;
      String where = "seed " + seed;
      Bound least = claim(last, buffers, optimum[0]);
      assertEquals(Optional.empty(), BoundVerifier.fault(problem, least), where);
      Optional<String> fault = BoundVerifier.fault(problem, claim(last, buffers, optimum[0] + 1));
      assertTrue(fault.isPresent() && fault.get().contains("fit below"), where + ": " + fault);
    }
    assertTrue(checked > CASES / 2, "too few: " + checked);
  }

  @Test
  void boundsNeverExceedTheOptimum() {
    for (long seed = 0; seed < CASES; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 6);
      long[] optimum = BruteForce.peaks(problem);
      Bound[] simple = LowerBounds.best(problem);
      long floor = simple[0] == null ? 0 : simple[0].value();
      Bound bound = WindowBounds.above(problem, floor, WindowBounds.QUICK, () -> false);
      if (bound != null && optimum != null) {
        assertTrue(bound.value() <= optimum[0], "seed " + seed + ": " + bound.value());
        assertEquals(Optional.empty(), BoundVerifier.fault(problem, bound), "seed " + seed);
      }
    }
  }

  @Test
  void stepsTooFullForAnyWindowArePassedOver() {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      buffers.add(new Buffer("b" + i, 1 + i % 5, i % 3, 3 + i % 4));
    }
    buffers.add(new Buffer("given", 4, 1, 2).withFixedOffset(30));
    PackingProblem problem = PackingProblem.of("full", buffers);
    long load = LoadProfile.of(problem).maxLoad();
    Bound bound = WindowBounds.above(problem, load, WindowBounds.QUICK, () -> false);
    assertTrue(bound == null || BoundVerifier.fault(problem, bound).isEmpty());
  }

  @Test
  void aWindowIsFoundAmongManyBuffers() {
    List<Buffer> buffers = new ArrayList<>();
    for (Buffer buffer : HardProblems.aboveMaxLoad().buffers()) {
      int start = 1000 + buffer.live().start();
      int end = 1000 + buffer.live().end();
      buffers.add(new Buffer("hard " + buffer.id(), buffer.size(), start, end));
    }
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      int start = random.nextInt(2000);
      int end = Math.min(start + 1 + random.nextInt(3), start < 1000 ? 1001 : 2003);
      if (end <= 1001 || start >= 1010) {
        buffers.add(new Buffer("b" + i, 1 + random.nextInt(2), start, end));
      }
    }
    PackingProblem problem = PackingProblem.of("one hard place", buffers);
    assertEquals(24, LoadProfile.of(problem).maxLoad());
    Bound bound = WindowBounds.above(problem, 24, WindowBounds.QUICK, () -> false);
    assertEquals(25, bound.value());
    int[] named = ((Certificate.Window) bound.certificate()).buffers();
    assertTrue(IntStream.of(named).allMatch(i -> i < 10), "only the hard ones are named");
    assertNull(WindowBounds.above(problem, 24, WindowBounds.QUICK, () -> true), "no time");
    assertNull(
        WindowBounds.above(problem, 25, WindowBounds.QUICK, () -> false), "nothing proves 26");
  }

  private static Incumbent planned(PackingProblem problem, long work) {
    RunControl control = RunControl.ofWork(work, 1, 1);
    return EngineChecks.portfolio(
        new Incumbent(problem), control, HeuristicPlanners.simple(), new SearchEngine());
  }

  @Test
  void thePortfolioEndsWithACheckedProof() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    Incumbent incumbent = planned(problem, 1_000_000);
    assertEquals(Status.OPTIMAL, incumbent.status());
    assertEquals("window", incumbent.bound(0).kind());

    PackingProblem tight = problem.withCapacity(0, 24);
    Incumbent refuted = planned(tight, 1_000_000);
    assertEquals(Status.INFEASIBLE, refuted.status());
    assertEquals("window", refuted.infeasibility().kind());
  }

  @Test
  void thePublicInstancesAboveTheirMaxLoadAreAllProven() throws IOException {
    for (Path file : PublicData.all("packing/small", ".csv")) {
      PackingProblem problem = PackingCsv.read(file);
      long optimum = Long.parseLong(file.toString().replaceAll(".*optimum(\\d+)\\.csv", "$1"));
      Bound bound =
          WindowBounds.above(
              problem, LoadProfile.of(problem).maxLoad(), WindowBounds.QUICK, () -> false);
      assertEquals(optimum, bound.value(), file.toString());
    }
  }

  @Test
  void aClaimAboutBuffersThatMayLieElsewhereIsRefused() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    for (int[] wrong : new int[][] {{0, 0}, {99}}) { // twice, and unknown
      assertFalse(BoundVerifier.fault(problem, claim(0, wrong, 1)).isEmpty());
    }
  }

  @Test
  void tamperedCertificatesAreRefused() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    Bound bound = WindowBounds.above(problem, 24, WindowBounds.QUICK, () -> false);
    Certificate.Window window = (Certificate.Window) bound.certificate();
    assertEquals(Optional.empty(), BoundVerifier.fault(problem, bound));
    assertTrue(BoundVerifier.fault(problem, Bound.of(bound.value() + 1, window)).isPresent());
    for (int left = 0; left < window.buffers().length; left++) {
      int[] fewer = window.buffers().clone();
      fewer[left] = fewer[fewer.length - 1];
      int[] others = Arrays.copyOf(fewer, fewer.length - 1);
      Certificate.Window tampered = new Certificate.Window(0, window.steps(), others);
      Bound wrong = Bound.of(bound.value(), tampered);
      assertTrue(BoundVerifier.fault(problem, wrong).isPresent(), "without " + left);
    }
  }

  @Test
  void aCertificateTakesThePlaceOfTheSearchsWord() {
    PackingProblem problem = HardProblems.aboveMaxLoad();
    for (int threads = 1; threads <= 2; threads++) {
      RunControl control = RunControl.ofSeconds(60, threads, 1);
      Incumbent incumbent = new Incumbent(problem);
      EngineChecks.portfolio(incumbent, control, List.of(), new SearchEngine());
      assertEquals(Status.OPTIMAL, incumbent.status());
      assertEquals("window", incumbent.bound(0).kind());
      Incumbent refuted = new Incumbent(problem.withCapacity(0, 24));
      EngineChecks.portfolio(refuted, control, List.of(), new SearchEngine());
      assertEquals("window", refuted.infeasibility().kind());
    }
  }

  @Test
  void longRowsOfExchangesAreClosed() {
    for (long seed = 1; seed <= 8; seed++) {
      PackingProblem problem = HardProblems.exchanges(6, 30, 40, seed);
      assertEquals(Status.OPTIMAL, planned(problem, 100_000).status(), "seed " + seed);
    }
  }
}
