package stowage.exact.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.EngineChecks;
import stowage.exact.Openings;
import stowage.exact.engine.Engine;
import stowage.exact.engine.SearchEngine;
import stowage.exact.reuse.cpsat.PairEngine;
import stowage.exact.reuse.cpsat.ReuseEngine;
import stowage.heuristic.Planner;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.ReuseProof;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;

class ReuseEngineTest {
  private static Incumbent run(Incumbent incumbent, RunControl control) {
    List<Planner> openings = Openings.of(incumbent.problem());
    Engine[] engines = {new SearchEngine(), new PairEngine(), new ReuseEngine()};
    return EngineChecks.portfolio(incumbent, control, openings, engines);
  }

  private static Incumbent cheapest(PackingProblem problem, RunControl control) {
    return run(RelationsAgreeTest.unsolved(problem, List.of(Goal.REUSE)), control);
  }

  /** As for the peaks, whose bounds come before all else too. */
  @Test
  void whatABoundRulesOutNeedsNoTime() {
    PackingProblem problem =
        PackingProblem.of("p", List.of(new Buffer("a", 8, 0, 2))).withCapacity(0, 7);
    for (Goal goal : List.of(Goal.PEAK, Goal.REUSE, Goal.BANKS)) {
      Incumbent incumbent = RelationsAgreeTest.unsolved(problem, List.of(goal));
      run(incumbent, RunControl.ofSeconds(0, 1, 1));
      assertEquals(Status.INFEASIBLE, incumbent.status(), goal::word);
    }
  }

  @Test
  void smallProblemsUnderEveryObjective() {
    compare(Thorough.of(300_000, 310_000), Thorough.of(40, 1_000), Thorough.of(5, 6));
    compare(330_000, Thorough.of(0, 60), 8);
    compare(310_387, 1, 6); // a capacity that the sizes' common divisor does not divide
  }

  private static void compare(long firstSeed, int problems, int most) {
    List<List<Goal>> objectives =
        List.of(
            List.of(Goal.REUSE),
            List.of(Goal.REUSE, Goal.PEAK),
            List.of(Goal.PEAK, Goal.REUSE),
            List.of(Goal.OVERFLOW, Goal.REUSE));
    for (long seed = firstSeed; seed < firstSeed + problems; seed++) {
      PackingProblem problem = RelatedProblems.of(seed, most);
      List<Goal> goals = objectives.get((int) (seed % objectives.size()));
      RunControl control = RunControl.ofSeconds(60, 1, 1);
      Incumbent incumbent = RelationsAgreeTest.agreed(problem, goals, known -> run(known, control));
      String which = problem.name() + " " + goals;
      List<Violation> rejected = incumbent.rejection(); // by a heuristic, that knows no capacity
      assertTrue(
          rejected.isEmpty()
              || rejected.stream().anyMatch(f -> f.kind() == Violation.Kind.CAPACITY),
          which + rejected);
      if (incumbent.placement() != null) {
        checkCuts(incumbent, which);
      }
    }
  }

  /** Bounds by cuts hold over all placements only where reuse counts first. */
  private static void checkCuts(Incumbent incumbent, String which) {
    if (incumbent.objective().indexOf(Goal.REUSE) == 0
        && incumbent.bound(0).certificate() instanceof ReuseProof) {
      assertEquals(
          Optional.empty(), BoundVerifier.fault(incumbent.problem(), incumbent.bound(0)), which);
    }
  }

  /** Two of three buffers start at even bytes, so their cut counts in twos; all three in ones. */
  @Test
  void everyCutFoundIsViolated() {
    long[] sizes = {6, 4, 9};
    long[] alignments = {2, 2, 1};
    List<Buffer> buffers = new ArrayList<>();
    List<Relations.Reuse> reuse = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      buffers.add(new Buffer("b" + i, sizes[i], i, i + 1).withAlignment(alignments[i]));
      for (int j = 0; j < i; j++) {
        reuse.add(new Relations.Reuse(j, i, 1));
      }
    }
    PackingProblem problem =
        PackingProblem.of("p", buffers)
            .withCapacity(0, 9)
            .withRelations(Relations.none().withReuse(reuse));
    double[][] paid = {{0, 0, 1}, {0, 0, 1}, {1, 1, 0}};
    for (ReuseCut cut : new ReuseCuts(new ReuseItems(problem), 0).violated(paid, 9, () -> false)) {
      long left = 0;
      for (var factor : cut.left(problem).entrySet()) {
        long pair = factor.getKey();
        left += (long) (factor.getValue() * paid[(int) (pair >> 32)][(int) pair]);
      }
      assertTrue(left < cut.right(problem), cut::toString);
    }
  }

  /** Tiles of a few sizes in a pool that is too small, each pair at a price. */
  private static PackingProblem tiles(long seed, int count, long capacity) {
    Random random = new Random(seed);
    List<Buffer> buffers = new ArrayList<>();
    List<Relations.Reuse> reuse = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int start = random.nextInt(12);
      long size = 32L * (1 + random.nextInt(4));
      buffers.add(
          new Buffer("t" + i, size, start, start + 1 + random.nextInt(4)).withAlignment(32));
      for (int j = 0; j < i; j++) {
        if (random.nextInt(4) > 0) {
          reuse.add(new Relations.Reuse(j, i, 1 + random.nextInt(2)));
        }
      }
    }
    return PackingProblem.of("tiles " + seed, buffers)
        .withCapacity(0, capacity)
        .withRelations(Relations.none().withReuse(reuse));
  }

  @Test
  void cutsBoundLargerProblemsAndAreChecked() {
    int above = 0;
    for (long seed = 0; seed < 6; seed++) {
      PackingProblem problem = tiles(seed, 16, 512);
      Incumbent incumbent = cheapest(problem, RunControl.ofSeconds(20, 1, 1));
      Bound bound = incumbent.bound(0);
      if (incumbent.score() != null) {
        assertTrue(bound.value() <= incumbent.score().figure(0), "tiles " + seed);
        checkCuts(incumbent, "tiles " + seed);
        above += bound.value() > 0 ? 1 : 0;
      }
    }
    assertTrue(above > 0, "some bound is above 0");
  }

  @Test
  void aDeterministicRunDoesNotDependOnThreads() {
    PackingProblem problem = tiles(3, 24, 640);
    Incumbent one = cheapest(problem, RunControl.ofWork(60_000, 1, 7));
    Incumbent two = cheapest(problem, RunControl.ofWork(60_000, 2, 7));
    assertEquals(one.placement(), two.placement());
    assertEquals(one.bound(0).value(), two.bound(0).value());
  }

  @Test
  void theVerifierRefusesCutsThatProveNothing() {
    List<Relations.Reuse> pairs =
        Stream.of(new int[][] {{0, 1}, {0, 2}, {1, 2}})
            .map(pair -> new Relations.Reuse(pair[0], pair[1], 1))
            .toList();
    PackingProblem problem =
        Buffers.problem("a:6[0,1) b:5[1,2) c:4[2,3)")
            .withCapacity(0, 10)
            .withRelations(Relations.none().withReuse(pairs));
    ReuseCut cut = new ReuseCut.Hide(0, new int[] {0, 1, 2}, new int[0], 5);
    assertEquals(1, cut.right(problem));
    ReuseProof proof = new ReuseProof(List.of(cut), new long[] {8}, 8);
    assertEquals(Optional.empty(), BoundVerifier.fault(problem, new Bound(0, 1, proof)));
    assertTrue(BoundVerifier.fault(problem, new Bound(0, 2, proof)).isPresent());
    ReuseProof twice = new ReuseProof(List.of(cut), new long[] {24}, 8);
    assertEquals(
        Optional.of("the certificate proves 0, not 1"),
        BoundVerifier.fault(problem, new Bound(0, 1, twice)),
        "what the multiplier has beyond the weights is given away");
    PackingProblem free = problem.withRelations(Relations.none());
    assertFalse(BoundVerifier.fault(free, new Bound(0, 1, proof)).isEmpty(), "no pair has a price");
    ConflictPairs exclusive = ConflictPairs.of(3, List.of(new int[] {0, 1}));
    PackingProblem apart = problem.withRelations(problem.relations().withExclusive(exclusive));
    assertEquals(Optional.empty(), BoundVerifier.fault(apart, new Bound(0, 1, proof)));
  }

  /** The load does not prove the peak, and the price is lowered under it all the same. */
  @Test
  void thePriceIsLoweredUnderAPeakThatIsNotProven() {
    PackingProblem problem = tiles(47, 10, 4096);
    List<Goal> goals = List.of(Goal.PEAK, Goal.REUSE);
    List<Planner> openings = Openings.of(problem).subList(0, 1);
    Incumbent opened = RelationsAgreeTest.unsolved(problem, goals);
    EngineChecks.portfolio(opened, RunControl.ofWork(300, 1, 1), openings);
    Incumbent incumbent = RelationsAgreeTest.unsolved(problem, goals);
    EngineChecks.portfolio(incumbent, RunControl.ofWork(300, 1, 1), openings, new ReuseEngine());
    assertTrue(incumbent.bound(0).value() < incumbent.score().figure(0), "open");
    assertEquals(opened.score().figure(0), incumbent.score().figure(0));
    assertTrue(incumbent.score().figure(1) < opened.score().figure(1));
    assertEquals(List.of(), Verifier.violations(problem, incumbent.placement()));
    assertTrue(incumbent.bound(1) == null || incumbent.bound(1).value() == 0, "no bound");
  }

  @Test
  void turanNumbersAreTheFewestPairs() {
    for (int m = 1; m < 7; m++) {
      for (int k = 1; k < 5; k++) {
        long least = Long.MAX_VALUE;
        for (int set = 0; set < 1 << m * (m - 1) / 2; set++) {
          least = apartAtMost(m, k, set) ? Math.min(least, Integer.bitCount(set)) : least;
        }
        assertEquals(least, ReuseCut.turan(m, k), m + " buffers, " + k + " apart");
      }
    }
  }

  /** Whether of each k + 1 buffers two share, by a set of the pairs that do. */
  private static boolean apartAtMost(int m, int k, int set) {
    for (int chosen = 0; chosen < 1 << m; chosen++) {
      boolean apart = Integer.bitCount(chosen) == k + 1;
      int pair = 0;
      for (int j = 0; j < m; j++) {
        for (int i = 0; i < j; i++, pair++) {
          apart &= (chosen >> i & chosen >> j & set >> pair & 1) == 0;
        }
      }
      if (apart) {
        return false;
      }
    }
    return true;
  }

  /** Five buffers of more than a third of the room: at most two are apart, so four pairs share. */
  @Test
  void turanCutsAreFoundAndRefusedWhereTheyProveLess() {
    List<Buffer> buffers = new ArrayList<>();
    List<Relations.Reuse> pairs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      buffers.add(new Buffer("b" + i, 4, i, i + 1));
      for (int j = 0; j < i; j++) {
        pairs.add(new Relations.Reuse(j, i, 3));
      }
    }
    Relations priced = Relations.none().withReuse(pairs);
    PackingProblem problem =
        PackingProblem.of("p", buffers).withCapacity(0, 10).withRelations(priced);
    Incumbent incumbent = cheapest(problem, RunControl.ofWork(60_000, 1, 1));
    assertEquals(12, incumbent.score().figure(0));
    assertEquals(12, incumbent.bound(0).value());
    ReuseProof found = (ReuseProof) incumbent.bound(0).certificate();
    assertTrue(found.cuts().get(0) instanceof ReuseCut.Turan, found::toString);
    int[] all = {0, 1, 2, 3, 4};
    assertEquals(Optional.empty(), turanFault(problem, all, 2, 12));
    assertTrue(turanFault(problem, all, 2, 13).isPresent());
    assertEquals("the certificate proves 0, not 12", turanFault(problem, all, 1, 12).get());
    assertEquals("the certificate proves 6, not 12", turanFault(problem, all, 3, 12).get());
    assertTrue(turanFault(problem, all, 0, 12).get().contains("below 1"));
    assertTrue(turanFault(problem, new int[] {0, 1, 2, 3, 3}, 2, 12).isPresent());
    String room = "the certificate proves 0, not 12";
    assertEquals(room, turanFault(problem.withCapacity(0, 12), all, 2, 12).get());
    Relations fewer = Relations.none().withReuse(pairs.subList(1, 10));
    assertTrue(turanFault(problem.withRelations(fewer), all, 2, 12).get().contains("at no price"));
  }

  private static Optional<String> turanFault(
      PackingProblem problem, int[] buffers, int apart, long value) {
    ReuseCut cut = new ReuseCut.Turan(0, buffers, apart);
    ReuseProof proof = new ReuseProof(List.of(cut), new long[] {3}, 1);
    return BoundVerifier.fault(problem, new Bound(0, value, proof));
  }
}
