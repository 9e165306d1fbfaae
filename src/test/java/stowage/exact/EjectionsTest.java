package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.choco.ChocoEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.heuristic.EjectionDescent;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.Planner;
import stowage.heuristic.RandomPackingProblems;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.Incumbent;
import stowage.packing.LeftOut;
import stowage.packing.LiveRange;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** Descents by ejections, against brute force and where buffers grow in turn. */
class EjectionsTest {
  private static final long WORK = 20_000;

  @Test
  void descentsEndAtPlansThatAreValidAndMostlyLowest() {
    int lowest = 0;
    int compared = 0;
    int cases = Thorough.of(250, 20_000);
    for (long seed = 0; seed < cases; seed++) {
      PackingProblem problem = RandomPackingProblems.any(seed, 7);
      if (problem.memories().size() > 1 || !problem.isPlain()) {
        continue;
      }
      Optional<BruteForce.Answer> answer = BruteForce.peaks(problem, 200_000);
      if (answer.isEmpty() || answer.get().peaks() == null) {
        continue;
      }
      long least = answer.get().peaks()[0];
      Incumbent incumbent = new Incumbent(problem);
      EjectionDescent.lower(problem, incumbent, 1, RunControl.ofWork(WORK, 1, seed));
      String what = "seed " + seed;
      assertTrue(incumbent.placement() != null, what); // valid, or the incumbent refuses it
      assertTrue(incumbent.bestFigure() >= least, what);
      compared++;
      lowest += incumbent.bestFigure() == least ? 1 : 0;

      PackingProblem limited = problem.withCapacity(0, incumbent.bestFigure());
      Incumbent within = new Incumbent(limited);
      EjectionDescent.lower(limited, within, 1, RunControl.ofWork(WORK, 1, seed));
      assertTrue(within.placement() != null, what + " within what it has found");
    }
    assertTrue(compared > cases * 2 / 5, compared + " compared");
    assertTrue(lowest > compared * 95 / 100, lowest + " of " + compared);
  }

  /** Rows that wait with a part of their bytes and grow in turn, and small buffers among them. */
  @Test
  void rowsThatGrowInTurnLieLowerThanByGreedyOrders() {
    long above = 0;
    long aboveByOrders = 0;
    for (long seed = 0; seed < 8; seed++) {
      PackingProblem problem = growing(new Random(seed));
      long load = LoadProfile.of(problem).maxLoad();
      Incumbent incumbent = new Incumbent(problem);
      for (Planner planner : HeuristicPlanners.simple()) {
        incumbent.offer(planner.plan(problem, RunControl.unlimited()), planner.name());
      }
      aboveByOrders += incumbent.bestFigure() - load;
      EjectionDescent.lower(problem, incumbent, 1, RunControl.ofWork(300_000, 1, seed));
      above += incumbent.bestFigure() - load;
    }
    String what = "%d above the loads, by orders %d".formatted(above, aboveByOrders);
    assertTrue(3 * above < 2 * aboveByOrders, what);
  }

  @Test
  void runsOfTheSearchEjectAndThoseOfOtherEnginesDoNot() {
    PackingProblem problem = growing(new Random(6));
    assertTrue(ejected(problem, new SearchEngine()));
    assertFalse(ejected(problem, new ChocoEngine()));
    System.setProperty(LeftOut.PROPERTY, EjectionDescent.NAME);
    try {
      assertFalse(ejected(problem, new SearchEngine()));
    } finally {
      System.clearProperty(LeftOut.PROPERTY);
    }
  }

  /** Whether ejections work in a run of an engine. */
  private static boolean ejected(PackingProblem problem, Engine engine) {
    Incumbent incumbent = new Incumbent(problem);
    boolean[] worked = new boolean[1];
    incumbent.addListener(
        new Incumbent.Listener() {
          @Override
          public void improved(Incumbent.Event event) {}

          @Override
          public void working(String who, boolean begins) {
            worked[0] |= who.equals(EjectionDescent.NAME);
          }
        });
    Portfolio.Setup setup =
        new Portfolio.Setup(Openings.of(problem), List.of(engine), EngineOptions.defaults());
    Portfolio.run(incumbent, RunControl.ofWork(300, 1, 1), setup);
    return worked[0];
  }

  private static PackingProblem growing(Random random) {
    int rows = 40;
    List<Buffer> buffers = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      int grows = rows + 3 * row;
      Gap waiting = new Gap(new LiveRange(row, grows), 0, 4 + random.nextInt(8));
      int bytes = 16 + random.nextInt(32);
      buffers.add(new Buffer("row" + row, bytes, row, grows + 3).withGaps(List.of(waiting)));
    }
    for (int k = 0; k < 200; k++) {
      int start = random.nextInt(4 * rows);
      int end = start + 1 + random.nextInt(30);
      buffers.add(new Buffer("small" + k, 1 + random.nextInt(12), start, end));
    }
    return PackingProblem.of("rows", buffers);
  }
}
