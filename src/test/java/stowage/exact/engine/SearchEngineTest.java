package stowage.exact.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.EngineChecks;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.PresolvedProblem;
import stowage.exact.presolve.Presolver;
import stowage.exact.search.Searches;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.generator.Generators;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Verifier;

/** The same seeds as the tests of the other engines, so that all of them agree on each problem. */
class SearchEngineTest {

  @Test
  void agreesWithBruteForce() {
    EngineOptions options = EngineOptions.defaults();
    EngineChecks.agreesWithBruteForce(new SearchEngine(), options, 0, Thorough.of(400, 1_000));
    int more = Thorough.of(0, 10_000);
    EngineChecks.agreesWithBruteForceThroughout(new SearchEngine(), options, 1_000, more);
  }

  /**
   * Moving "b0" from the top to the bottom, where it is settled, lowers a placement of 24 bytes to
   * the optimum of 23: b2 ends on a multiple of 2 no more, and nothing is above it.
   */
  @Test
  void aKnownPlacementThatSettlingLowersIsOffered() {
    PackingProblem problem =
        new PackingProblem(
            "lowered",
            Buffers.of("b0:6[0,3) b2:7[0,3) b4:10[0,1) b5:1[1,2)"),
            List.of(new Memory("m0", Memory.UNBOUNDED, 2, 0, 0)),
            ConflictPairs.of(4, List.of(new int[] {1, 2})));
    Incumbent incumbent = new Incumbent(problem);
    long[] offsets = {18, 10, 0, 0};
    assertTrue(incumbent.offer(Placement.of(offsets, new int[4]), "known"));
    assertEquals(24, incumbent.bestFigure());
    RunControl control = RunControl.ofSeconds(30, 1, 1);
    new SearchEngine().run(incumbent, control, EngineOptions.defaults());
    assertEquals(Status.OPTIMAL, incumbent.status());
    assertEquals(23, incumbent.bestFigure());
  }

  /**
   * Forty buffers cut out of two memories' time and bytes, too many to walk over their assignments:
   * there is a plan, with a sixth of the room to spare, and the descent finds it.
   */
  @Test
  void manyBuffersAreSpreadOverMemories() {
    for (int seed = 0; seed < 5; seed++) {
      List<Buffer> buffers = new ArrayList<>();
      for (int half = 0; half < 2; half++) {
        Map<String, Object> sides = Map.of("buffers", 20, "steps", 40, "height", 120, "unit", 1);
        Map<String, Object> values = new HashMap<>(sides);
        values.put("seed", 2 * seed + half);
        for (Buffer piece : Generators.generate("guillotine", values).buffers()) {
          buffers.add(piece.withId("b" + buffers.size()));
        }
      }
      List<Memory> memories = List.of(new Memory("a", 140, 1, 0, 0), new Memory("b", 140, 1, 0, 0));
      Incumbent incumbent =
          new Incumbent(new PackingProblem("cut", buffers, memories, ConflictPairs.none()));
      RunControl control = RunControl.ofSeconds(30, 1, seed);
      EngineOptions fit = EngineOptions.defaults().withFirstFit(true);
      new SearchEngine().run(incumbent, control, fit);
      assertNotNull(incumbent.placement(), "seed " + seed);
    }
  }

  /** Told to end at the first placement, without a capacity. */
  @Test
  void offsetsThatClashAreProvenInfeasibleWithoutACapacityToo() {
    long seed = 676;
    Random random = new Random(seed);
    int infeasible = 0;
    for (int round = 0; round < 300; round++) {
      PackingProblem problem = problem(random);
      Status whole = status(problem, false);
      Status first = status(problem, true);
      String where = "seed " + seed + ", round " + round;
      assertTrue(whole == Status.OPTIMAL || whole == Status.INFEASIBLE, where + ": " + whole);
      assertEquals(whole == Status.INFEASIBLE, first == Status.INFEASIBLE, where + ": " + first);
      assertTrue(first != Status.UNKNOWN, where);
      infeasible += whole == Status.INFEASIBLE ? 1 : 0;
    }
    assertTrue(infeasible > 30 && infeasible < 270, infeasible + " of 300 are infeasible");
  }

  private static Status status(PackingProblem problem, boolean firstFit) {
    EngineOptions options = EngineOptions.defaults().withFirstFit(firstFit);
    RunControl control = RunControl.ofSeconds(60, 1, 1);
    return EngineChecks.alone(new SearchEngine(), problem, control, options).status();
  }

  /** Up to seven buffers, some at given offsets that may clash, some in banks. */
  private static PackingProblem problem(Random random) {
    List<Buffer> buffers = new ArrayList<>();
    int count = 3 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Buffer buffer = Buffers.drawn(random, "b" + i, 6, 8, 4).withinBank(random.nextBoolean());
      boolean fixed = random.nextInt(3) == 0;
      long offset = 8L * random.nextInt(3) + random.nextInt(4);
      boolean crosses = buffer.withinBank() && offset % 8 + buffer.size() > 8;
      buffers.add(fixed && !crosses ? buffer.withFixedOffset(offset) : buffer);
    }
    Memory memory = new Memory("m", Memory.UNBOUNDED, 1, 0, 8);
    return new PackingProblem("clash", buffers, List.of(memory), ConflictPairs.none());
  }

  /**
   * Assignments whose every memory is placed are offered; where a placer fails, others are tried.
   */
  @Test
  void theDescentOffersWhatFitsInEveryMemory() {
    int offered = 0;
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      List<Buffer> buffers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        int start = random.nextInt(6);
        int end = start + 1 + random.nextInt(4);
        buffers.add(new Buffer("b" + i, 1 + random.nextInt(9), start, end));
      }
      List<Memory> memories =
          List.of(new Memory("a", 20, 1, 0, 0), new Memory("b", Memory.UNBOUNDED, 1, 0, 0));
      PackingProblem problem = new PackingProblem("p", buffers, memories, ConflictPairs.none());
      PresolvedProblem presolved = Presolver.presolve(problem);
      Component part = presolved.components().get(0);
      if (presolved.components().size() > 1 || part.memories() < 2) {
        continue;
      }
      var known = new ComponentIncumbent(part, 1, ComponentIncumbent.Listener.NONE);
      known.begin(0, RunControl.unlimited());
      AssignmentDescent.Placer placer =
          (own, ceiling, enough, seconds) -> {
            long[] offsets = Searches.least(true, own).offsets();
            boolean fits = own.peak(offsets) <= own.unitsBelow(ceiling);
            return fits && random.nextInt(4) > 0 ? offsets : null;
          };
      new AssignmentDescent(known, placer).run();
      ComponentIncumbent.Placed found = known.placement();
      if (found != null) {
        Placement whole = presolved.expand(List.of(found.offsets()), List.of(found.places()));
        assertEquals(List.of(), Verifier.violations(problem, whole), "seed " + seed);
        assertEquals(whole.peak(problem, 1), part.bytes(found.peak()), "seed " + seed);
        offered++;
      }
    }
    assertTrue(offered > 3, offered + " placements");
  }

  /** An engine that places nothing and says of each part that its peak has flattened. */
  private static final class Flat extends StagedEngine {
    @Override
    public String name() {
      return "flat";
    }

    @Override
    public String kind() {
      return "search";
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    protected Session open(EngineOptions options, RunControl control) {
      return new Session(options) {
        @Override
        protected void solve(ComponentIncumbent incumbent, long work) {
          incumbent.listener().flattened(7);
        }
      };
    }
  }

  @Test
  void aRunEndsWhereItsOnlyPartIsFlat() {
    Random random = new Random(3);
    List<Buffer> buffers = new ArrayList<>();
    for (int parts = 1; parts <= 2; parts++) {
      for (int i = 0; i < 20; i++) {
        int start = 20 * parts + random.nextInt(10);
        int end = start + 2 + random.nextInt(5);
        buffers.add(new Buffer("b" + buffers.size(), 5 + random.nextInt(30), start, end));
      }
      PackingProblem problem = PackingProblem.of("p", buffers);
      assertEquals(parts, Presolver.presolve(problem).components().size());
      RunControl control = RunControl.ofSeconds(0.2, 1, 1);
      control.endWhenFlat();
      new Flat().run(new Incumbent(problem), control, EngineOptions.defaults());
      assertEquals(parts == 1 ? 7 : 0, control.flatTries(), parts + " parts");
    }
  }
}
