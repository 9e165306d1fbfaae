package stowage.onchip.choco;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.chocosolver.solver.Model;
import org.chocosolver.solver.Solver;
import org.chocosolver.solver.search.strategy.Search;
import org.chocosolver.solver.variables.BoolVar;
import org.chocosolver.solver.variables.IntVar;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.packing.RunControl;

/**
 * Choco on the same problem, pair by pair: of two buffers alive together one is below the other, or
 * takes its place where it may. It shares no model code with CP-SAT's, and so is a second opinion
 * on groups of up to some thirty buffers.
 *
 * <p>A figure is brought down by asking for less than the best known until there is none.
 */
public final class ChocoLmem implements LmemEngine {
  private static final int MOST_CHOICES = 12;

  @Override
  public String name() {
    return "choco";
  }

  @Override
  public Fit fit(LmemProblem problem, RunControl control) {
    Encoding encoding = new Encoding(problem);
    if (encoding.impossible) {
      return Fit.CANNOT;
    }
    return switch (encoding.solve(control)) {
      case FITS -> new Fit(Verdict.FITS, encoding.placement());
      case CANNOT_FIT -> Fit.CANNOT;
      case UNKNOWN -> Fit.UNKNOWN;
    };
  }

  /**
   * Asks for each choice in the order of what it loads again; meant for a dozen constants at most.
   */
  @Override
  public HeldChoice hold(LmemProblem problem, long[] reloads, RunControl control) {
    List<Integer> free = new ArrayList<>();
    for (int b = 0; b < reloads.length; b++) {
      if (reloads[b] > 0) {
        free.add(b);
      }
    }
    if (free.size() > MOST_CHOICES) {
      return new HeldChoice(Verdict.UNKNOWN, null, false);
    }
    List<Integer> choices = new ArrayList<>();
    for (int mask = 0; mask < 1 << free.size(); mask++) {
      choices.add(mask);
    }
    choices.sort(Comparator.comparingLong(mask -> reloaded(mask, free, reloads)));
    for (int mask : choices) {
      boolean[] held = new boolean[reloads.length];
      List<LmemBuffer> buffers = new ArrayList<>(problem.buffers());
      for (int k = 0; k < free.size(); k++) {
        if ((mask >> k & 1) == 1) {
          int b = free.get(k);
          LmemBuffer old = buffers.get(b);
          held[b] = true;
          buffers.set(
              b, new LmemBuffer(old.id(), old.kind(), 0, problem.steps(), old.size(), true));
        }
      }
      Verdict verdict = fit(problem.withBuffers(buffers), control).verdict();
      if (verdict != Verdict.CANNOT_FIT) {
        return new HeldChoice(verdict, verdict == Verdict.FITS ? held : null, true);
      }
    }
    return new HeldChoice(Verdict.CANNOT_FIT, null, true);
  }

  private static long reloaded(int mask, List<Integer> free, long[] reloads) {
    long sum = 0;
    for (int k = 0; k < free.size(); k++) {
      sum += (mask >> k & 1) == 1 ? 0 : reloads[free.get(k)];
    }
    return sum;
  }

  @Override
  public LmemAnswer improve(LmemProblem problem, LmemPlacement start, RunControl control) {
    List<Long> bounds = new ArrayList<>(LmemAnswer.freeBounds(problem));
    LmemPlacement best = start;
    LmemScore score = LmemScore.of(problem, best);
    boolean settled = true;
    for (int figure = 0; figure < LmemScore.FIGURES.size(); figure++) {
      while (score.figure(figure) > bounds.get(figure) && !control.isStopped()) {
        Encoding encoding = new Encoding(problem);
        for (int before = 0; before < figure; before++) {
          encoding.limit(before, score.figure(before));
        }
        encoding.limit(figure, score.figure(figure) - 1);
        Verdict verdict = encoding.solve(control);
        if (verdict == Verdict.FITS) {
          best = encoding.placement();
          score = LmemScore.of(problem, best);
        } else {
          if (verdict == Verdict.CANNOT_FIT && settled) {
            bounds.set(figure, score.figure(figure));
          }
          break;
        }
      }
      settled &= score.figure(figure) <= bounds.get(figure);
    }
    for (int figure = 0; figure < bounds.size(); figure++) {
      bounds.set(figure, Math.min(bounds.get(figure), score.figure(figure)));
    }
    return new LmemAnswer(best, score, bounds);
  }

  /** One model, solved once. */
  private static final class Encoding {
    private final LmemProblem problem;
    private final int unit;
    private final Model model = new Model("lmem");
    private final IntVar[] offsets;
    private final IntVar[] firstBanks;
    private final IntVar[] lastBanks;
    private final BoolVar[] taken;
    private boolean impossible;

    Encoding(LmemProblem problem) {
      this.problem = problem;
      this.unit = problem.chip().vectorBytes();
      int n = problem.size();
      this.offsets = new IntVar[n];
      this.firstBanks = new IntVar[n];
      this.lastBanks = new IntVar[n];
      this.taken = new BoolVar[n];
      int lane = Math.toIntExact(problem.chip().laneBytes() / unit);
      for (int b = 0; b < n; b++) {
        impossible |= units(b) > lane;
      }
      if (impossible) {
        return;
      }
      int bank = Math.toIntExact(problem.chip().bankBytes() / unit);
      int banks = problem.chip().banks();
      for (int b = 0; b < n; b++) {
        int reach = Math.max(1, units(b)) - 1;
        offsets[b] = model.intVar("x" + b, 0, Math.min(lane - units(b), lane - 1), true);
        firstBanks[b] = model.intVar("f" + b, 0, banks - 1, false);
        lastBanks[b] = model.intVar("l" + b, 0, banks - 1, false);
        model.div(offsets[b], model.intVar(bank), firstBanks[b]).post();
        model.div(model.intView(1, offsets[b], reach), model.intVar(bank), lastBanks[b]).post();
      }
      for (LmemProblem.Sharing sharing : problem.sharings()) {
        taken[sharing.result()] = model.boolVar("s" + sharing.result());
        model
            .arithm(offsets[sharing.result()], "=", offsets[sharing.operand()])
            .impliedBy(taken[sharing.result()]);
      }
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
          disjoint(i, j);
        }
      }
    }

    private int units(int b) {
      return Math.toIntExact((problem.buffer(b).size() + unit - 1) / unit);
    }

    private void disjoint(int one, int other) {
      if (!problem.together(one, other) || units(one) == 0 || units(other) == 0) {
        return;
      }
      BoolVar below = model.boolVar();
      BoolVar above = model.boolVar();
      model.arithm(offsets[other], "-", offsets[one], ">=", units(one)).impliedBy(below);
      model.arithm(offsets[one], "-", offsets[other], ">=", units(other)).impliedBy(above);
      BoolVar takes = null;
      for (LmemProblem.Sharing sharing : problem.sharings()) {
        boolean same = sharing.result() == one && sharing.operand() == other;
        if (same || (sharing.result() == other && sharing.operand() == one)) {
          takes = taken[sharing.result()];
        }
      }
      if (takes == null) {
        model.or(below, above).post();
      } else {
        model.or(below, above, takes).post();
      }
    }

    /** A literal that may be false only when the two buffers share no bank. */
    private BoolVar near(int one, int other) {
      BoolVar below = model.boolVar();
      BoolVar above = model.boolVar();
      BoolVar near = model.boolVar();
      model.arithm(lastBanks[one], "<", firstBanks[other]).impliedBy(below);
      model.arithm(lastBanks[other], "<", firstBanks[one]).impliedBy(above);
      model.or(below, above, near).post();
      return near;
    }

    void limit(int figure, long most) {
      if (impossible) {
        return;
      }
      if (figure == 3) {
        for (int b = 0; b < offsets.length; b++) {
          long highest = Math.floorDiv(most - problem.buffer(b).size(), (long) unit);
          model.arithm(offsets[b], "<=", (int) Math.max(-1, highest)).post();
        }
        return;
      }
      List<BoolVar> counted = new ArrayList<>();
      long fixed = 0;
      if (figure == 2) {
        for (int b = 0; b < offsets.length; b++) {
          if (problem.buffer(b).size() <= problem.chip().bankBytes()) {
            BoolVar crosses = model.boolVar();
            model.arithm(firstBanks[b], "=", lastBanks[b]).impliedBy(crosses.not());
            counted.add(crosses);
          }
        }
      } else {
        for (int s = 0; s < problem.steps(); s++) {
          fixed += figure == 0 ? clashes(problem.step(s), counted) : 0;
          if (figure == 1) {
            operandClash(problem.step(s), counted);
          }
        }
      }
      int left = (int) (most - fixed);
      if (left < 0) {
        model.falseConstraint().post();
      } else if (!counted.isEmpty()) {
        model.sum(counted.toArray(new BoolVar[0]), "<=", left).post();
      }
    }

    private long clashes(LmemProblem.Step step, List<BoolVar> counted) {
      long self = 0;
      for (List<LmemProblem.Move> moves : List.of(step.loads(), step.stores())) {
        for (LmemProblem.Move move : moves) {
          if (LmemScore.isUsed(step, move.buffer())) {
            self++;
            continue;
          }
          BoolVar clash = model.boolVar();
          for (LmemProblem.Compute compute : step.computes()) {
            for (List<Integer> used : List.of(compute.reads(), compute.writes())) {
              for (int buffer : used) {
                model.arithm(near(move.buffer(), buffer), "<=", clash).post();
              }
            }
          }
          counted.add(clash);
        }
      }
      return self;
    }

    private void operandClash(LmemProblem.Step step, List<BoolVar> counted) {
      BoolVar clash = model.boolVar();
      for (LmemProblem.Compute compute : step.computes()) {
        List<Integer> reads = compute.reads();
        for (int i = 0; i < reads.size(); i++) {
          for (int j = 0; j < i; j++) {
            model.arithm(near(reads.get(i), reads.get(j)), "<=", clash).post();
          }
        }
      }
      counted.add(clash);
    }

    Verdict solve(RunControl control) {
      if (impossible) {
        return Verdict.CANNOT_FIT;
      }
      Solver solver = model.getSolver();
      IntVar[] all = new IntVar[model.getNbVars()];
      for (int k = 0; k < all.length; k++) {
        all[k] = (IntVar) model.getVar(k);
      }
      solver.setSearch(Search.domOverWDegSearch(all), Search.inputOrderLBSearch(offsets));
      solver.addStopCriterion(control::isStopped);
      if (solver.solve()) {
        return Verdict.FITS;
      }
      return solver.isStopCriterionMet() ? Verdict.UNKNOWN : Verdict.CANNOT_FIT;
    }

    LmemPlacement placement() {
      long[] found = new long[offsets.length];
      int[] shares = new int[offsets.length];
      for (int b = 0; b < found.length; b++) {
        found[b] = (long) offsets[b].getValue() * unit;
        shares[b] = LmemPlacement.OWN;
      }
      for (LmemProblem.Sharing sharing : problem.sharings()) {
        if (taken[sharing.result()].getValue() == 1) {
          shares[sharing.result()] = sharing.operand();
        }
      }
      return new LmemPlacement(found, shares);
    }
  }
}
