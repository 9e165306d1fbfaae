package stowage.kernel.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.chocosolver.solver.Model;
import org.chocosolver.solver.Solution;
import org.chocosolver.solver.search.limits.FailCounter;
import org.chocosolver.solver.variables.BoolVar;
import org.chocosolver.solver.variables.IntVar;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.kernel.RandomKernels;
import stowage.kernel.cpsat.SpillFlow;
import stowage.kernel.cpsat.SpillModel;
import stowage.kernel.model.KernelOps;
import stowage.kernel.spill.SpillProblem;
import stowage.packing.RunControl;

/** Spills at a fixed order: CP-SAT's optimum, and the bound of the flow, against Choco's. */
class GapChocoTest {
  private static final int MOST_FAILS = 200_000;

  @Test
  void chocoAgrees() {
    long seed = Thorough.of(31, 32);
    int cases = Thorough.of(60, 3000);
    int results = Thorough.of(15, 24);
    SplittableRandom random = new SplittableRandom(seed);
    int positive = 0;
    int solved = 0;
    for (int k = 0; k < cases; k++) {
      KernelOps ops = RandomKernels.tight(random, 6 + random.nextInt(results), 2, 4);
      for (SpillProblem problem : SpillProblem.of(ops, RandomKernels.order(ops, random))) {
        long least = choco(problem);
        if (least < 0) {
          continue;
        }
        String label = "seed " + seed + ", case " + k;
        SpillProblem.GapAnswer relaxed = SpillFlow.solve(problem);
        assertTrue(relaxed.bound() <= least && least <= relaxed.traffic(), label);
        SpillProblem.GapAnswer exact =
            SpillModel.improve(problem, relaxed, RunControl.unlimited(), 20);
        assertEquals(least, exact.traffic(), label);
        assertEquals(least, exact.bound(), label);
        solved++;
        positive += least > 0 ? 1 : 0;
      }
    }
    assertTrue(solved > cases && positive > cases / 4, solved + " solved, " + positive + " spill");
  }

  /** The least price of gaps spilled, by Choco; -1 where it takes too long. */
  private static long choco(SpillProblem problem) {
    if (problem.gaps() == 0) {
      return 0;
    }
    Model model = new Model();
    BoolVar[] kept = model.boolVarArray(problem.gaps());
    int[] prices = new int[problem.gaps()];
    int all = 0;
    for (int g = 0; g < prices.length; g++) {
      prices[g] = (int) problem.price(g);
      all += prices[g];
    }
    for (int r = 0; r < problem.rows(); r++) {
      List<BoolVar> over = new ArrayList<>();
      List<Integer> cells = new ArrayList<>();
      for (int g = 0; g < prices.length; g++) {
        if (problem.from()[g] < r && r < problem.to()[g]) {
          over.add(kept[g]);
          cells.add(problem.cells(g));
        }
      }
      if (!over.isEmpty()) {
        int[] sizes = cells.stream().mapToInt(c -> c).toArray();
        model.scalar(over.toArray(BoolVar[]::new), sizes, "<=", problem.room()[r]).post();
      }
    }
    IntVar saved = model.intVar(0, all);
    model.scalar(kept, prices, "=", saved).post();
    model.getSolver().addStopCriterion(new FailCounter(model.getSolver(), MOST_FAILS));
    Solution best = model.getSolver().findOptimalSolution(saved, Model.MAXIMIZE);
    return best == null || model.getSolver().isStopCriterionMet()
        ? -1
        : all - best.getIntVal(saved);
  }
}
