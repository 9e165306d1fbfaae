package stowage.exact.cpsat;

import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.SatParameters;
import java.util.List;
import java.util.function.Consumer;
import stowage.packing.RunControl;

/** Run of CP-SAT on a model within a run's limits; a stop of the run stops the solver. */
public final class CpSatRun {
  /** Units of CP-SAT's deterministic time that one work unit equals. */
  private static final double DETERMINISTIC_PER_WORK = 1e-6;

  private CpSatRun() {}

  /** A solved model. */
  public record Result(CpSolverStatus status, CpSolver solver) {
    public boolean hasSolution() {
      return status == CpSolverStatus.OPTIMAL || status == CpSolverStatus.FEASIBLE;
    }

    /** Whether it is proven that there is none. */
    public boolean isInfeasible() {
      return status == CpSolverStatus.INFEASIBLE;
    }

    /** The proven bound of a minimisation, rounded up; {@code least} where none is known. */
    public long bound(long least) {
      if (status == CpSolverStatus.OPTIMAL) {
        return Math.round(solver.objectiveValue());
      }
      double bound = solver.bestObjectiveBound();
      return Double.isFinite(bound) && bound > least && bound < 1e17
          ? (long) Math.ceil(bound - 1e-6)
          : least;
    }
  }

  /** Solves a valid model in so many seconds at most, besides the control's own limits. */
  public static Result solve(CpModel model, RunControl control, double seconds) {
    return solve(model, control, seconds, List.of());
  }

  /**
   * Solves with some of CP-SAT's searches, by name, that the threads run in place of its own
   * choice; one thread alone takes turns at them.
   */
  public static Result solve(
      CpModel model, RunControl control, double seconds, List<String> searches) {
    return solve(model, control, seconds, searches, parameters -> {});
  }

  /** The same with settings of the caller's, which limits and the process's safety come before. */
  public static Result solve(
      CpModel model,
      RunControl control,
      double seconds,
      List<String> searches,
      Consumer<SatParameters.Builder> settings) {
    String fault = model.validate();
    if (!fault.isEmpty()) {
      throw new IllegalStateException("CP-SAT refuses the model: " + fault);
    }
    CpSolver solver = new CpSolver();
    var parameters = solver.getParameters();
    parameters.setRandomSeed((int) (control.seed() & 0x7fffffff));
    parameters.setNumWorkers(control.isDeterministic() ? 1 : Math.max(1, control.threads()));
    settings.accept(parameters);
    parameters.setCatchSigintSignal(false);
    if (!searches.isEmpty()) {
      parameters.addAllSubsolvers(searches);
      if (control.threads() <= 1 || control.isDeterministic()) {
        parameters.setInterleaveSearch(true); // one thread takes turns at them
      }
    }
    double left = Math.min(seconds, control.secondsLeft());
    if (control.isDeterministic()) {
      double units = Math.min(seconds, control.workLimit() * DETERMINISTIC_PER_WORK);
      parameters.setMaxDeterministicTime(units);
      left = control.withWork(control.workLimit()).secondsLeft(); // up to a deadline
    }
    if (Double.isFinite(left)) {
      parameters.setMaxTimeInSeconds(left);
    }
    // A stop that comes before the solver has begun is lost; its first lines ask again.
    parameters.setLogToStdout(false);
    parameters.setLogSearchProgress(true);
    solver.setLogCallback(
        line -> {
          try {
            if (control.isStopped()) {
              solver.stopSearch();
            }
          } catch (Throwable mute) {
            // Nothing may be thrown through the solver: it would end the process.
          }
        });
    try (RunControl.Registration stop = control.onStop(solver::stopSearch)) {
      CpSolverStatus status = solver.solve(model);
      control.did((long) (solver.response().getDeterministicTime() / DETERMINISTIC_PER_WORK));
      return new Result(status, solver);
    } finally {
      solver.clearLogCallback();
    }
  }
}
