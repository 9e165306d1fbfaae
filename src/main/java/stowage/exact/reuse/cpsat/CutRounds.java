package stowage.exact.reuse.cpsat;

import com.google.ortools.linearsolver.MPSolver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import stowage.exact.reuse.ReuseCuts;
import stowage.exact.reuse.ReuseItems;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.RunControl;

/**
 * Bounds of the price of reuse by cutting planes, in rounds: solve, look for cuts that what is paid
 * violates, add them, solve again. Every round's bound holds; the rounds end when no cut is found,
 * or when the bound meets the price.
 */
final class CutRounds {
  private static final int RELAXED_CUTS_A_ROUND = 60;
  private static final int WHOLE_CUTS_A_ROUND = 80;

  private final ReuseItems part;
  private final PackingProblem problem;
  private final List<ReuseCut> cuts = new ArrayList<>();
  private final double[][] shares;

  CutRounds(ReuseItems part) {
    this.part = part;
    this.problem = part.problem();
    this.shares = new double[problem.size()][problem.size()];
  }

  /**
   * Rounds in which pairs may be paid in part.
   *
   * @param price the price of the best placement, which ends the rounds when it is met
   * @param raised takes each bound that is higher than those before, with its certificate
   */
  void relax(
      int most,
      RunControl limit,
      BooleanSupplier stopped,
      LongSupplier price,
      Consumer<Bound> raised) {
    long best = 0;
    List<ReuseCuts> finders = finders();
    try (CutModel model = new CutModel(problem, false)) {
      for (int round = 0; round < most && best < price.getAsLong(); round++) {
        List<ReuseCut> more = violated(finders, RELAXED_CUTS_A_ROUND, stopped);
        more.forEach(model::add);
        cuts.addAll(more);
        boolean late = !limit.isDeterministic() && limit.isStopped();
        if (more.isEmpty() || stopped.getAsBoolean() || late || !model.relax()) {
          return;
        }
        Bound bound = Bound.of(model.bound(), model.certificate());
        if (bound.value() > best && BoundVerifier.fault(problem, bound).isEmpty()) {
          best = bound.value();
          raised.accept(bound);
        }
        pay(model::share);
      }
    }
  }

  /**
   * Rounds in which each pair is paid or not, under the cuts found so far and in these rounds,
   * until the bound meets the price; {@code raised} takes each bound that the solver claims.
   */
  void choose(RunControl limit, BooleanSupplier closed, LongConsumer raised) {
    boolean again = true;
    while (again && !closed.getAsBoolean() && !limit.isStopped()) {
      try (CutModel model = new CutModel(problem, true)) {
        cuts.forEach(model::add);
        MPSolver.ResultStatus status = model.choose(limit, limit.secondsLeft());
        boolean solved = status == MPSolver.ResultStatus.OPTIMAL;
        if (!solved && status != MPSolver.ResultStatus.FEASIBLE) {
          return;
        }
        raised.accept(model.bound());
        pay(model::share);
        again = solved && cuts.addAll(violated(finders(), WHOLE_CUTS_A_ROUND, limit::isStopped));
      }
    }
  }

  private List<ReuseCuts> finders() {
    return IntStream.range(0, problem.memories().size())
        .mapToObj(m -> new ReuseCuts(part, m))
        .filter(finder -> !finder.isIdle())
        .toList();
  }

  private void pay(ToDoubleFunction<Relations.Reuse> share) {
    for (Relations.Reuse pair : problem.relations().reuse()) {
      int a = part.item(pair.first());
      int b = part.item(pair.second());
      shares[a][b] = share.applyAsDouble(pair);
      shares[b][a] = shares[a][b];
    }
  }

  private List<ReuseCut> violated(List<ReuseCuts> finders, int most, BooleanSupplier stopped) {
    return finders.stream()
        .flatMap(finder -> finder.violated(shares, most, stopped).stream())
        .toList();
  }
}
