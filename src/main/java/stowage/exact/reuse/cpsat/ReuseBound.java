package stowage.exact.reuse.cpsat;

import com.google.ortools.linearsolver.MPSolver;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import stowage.exact.reuse.ReuseCuts;
import stowage.exact.reuse.ReuseItems;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Certificate;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.RunControl;

/**
 * Bounds of the price of reuse by cutting planes: solve the relaxation, look for cuts that its
 * shares violate, add them, solve again. Every round's bound holds; the rounds end when no cut is
 * found, the bound meets the price, or nothing has come of several rounds.
 */
final class ReuseBound {
  private static final int CUTS_A_ROUND = 60;

  private final ReuseItems part;
  private final CutRelaxation relaxation;
  private final BooleanSupplier stopped;
  private long best;
  private Certificate.ReuseCuts certificate;

  ReuseBound(ReuseItems part, BooleanSupplier stopped) {
    this.part = part;
    this.relaxation = new CutRelaxation(part.problem());
    this.stopped = stopped;
  }

  long best() {
    return best;
  }

  Certificate.ReuseCuts certificate() {
    return certificate;
  }

  List<ReuseCut> cuts() {
    return relaxation.cuts();
  }

  /**
   * Runs rounds.
   *
   * @param most rounds at most
   * @param limit of the time
   * @param price the price of the best placement, which ends the rounds when it is met
   * @param better is notified of each better certificate
   * @return whether it ended because no more cuts were found
   */
  boolean run(int most, RunControl limit, LongSupplier price, Consumer<ReuseBound> better) {
    int memories = part.problem().memories().size();
    int n = part.problem().size();
    double[][] x = new double[n][n];
    ReuseCuts[] finders = new ReuseCuts[memories];
    for (int m = 0; m < memories; m++) {
      finders[m] = new ReuseCuts(part, m);
    }
    for (int round = 0; round < most && best < price.getAsLong(); round++) {
      int before = relaxation.size();
      for (ReuseCuts finder : finders) {
        if (!finder.isIdle()) {
          finder.violated(x, CUTS_A_ROUND, stopped).forEach(relaxation::add);
        }
      }
      if (relaxation.size() == before || stopped.getAsBoolean()) {
        return relaxation.size() == before;
      }
      if (!limit.isDeterministic() && limit.isStopped()) {
        return false;
      }
      MPSolver.ResultStatus status = relaxation.solve(60);
      if (status != MPSolver.ResultStatus.OPTIMAL) {
        return false;
      }
      Certificate.ReuseCuts proof = relaxation.certificate();
      long value = (long) Math.ceil(relaxation.value() - 1e-6);
      if (value > best && BoundVerifier.fault(part.problem(), Bound.of(value, proof)).isEmpty()) {
        best = value;
        certificate = proof;
        better.accept(this);
      }
      for (Relations.Reuse pair : part.problem().relations().reuse()) {
        double share = relaxation.share(ReuseCut.key(pair.first(), pair.second()));
        int a = part.item(pair.first());
        int b = part.item(pair.second());
        x[a][b] = share;
        x[b][a] = share;
      }
    }
    return false;
  }

  void close() {
    relaxation.close();
  }
}
