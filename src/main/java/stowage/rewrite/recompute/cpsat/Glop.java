package stowage.rewrite.recompute.cpsat;

import com.google.ortools.linearsolver.MPSolver;
import stowage.packing.RunControl;

/** Run of GLOP within a run's limits, of time or of work. */
final class Glop {
  /** Rows that an iteration goes through in a work unit, about. */
  private static final long ROWS_A_UNIT = 50;

  private Glop() {}

  /** Solves within so many seconds and the control's own limits. */
  static MPSolver.ResultStatus solve(MPSolver solver, RunControl control, double seconds) {
    return solve(solver, control, seconds, "");
  }

  /** The same with parameters of the solver. */
  static MPSolver.ResultStatus solve(
      MPSolver solver, RunControl control, double seconds, String parameters) {
    double left = Math.min(1e6, Math.min(seconds, control.secondsLeft()));
    solver.setSolverSpecificParametersAsString(parameters);
    if (control.isDeterministic()) {
      solver.setSolverSpecificParametersAsString(parameters + " max_deterministic_time: " + left);
    } else {
      solver.setTimeLimit((long) Math.max(1, left * 1000));
    }
    MPSolver.ResultStatus status = solver.solve();
    control.did((1 + solver.iterations()) * (1 + solver.numConstraints() / ROWS_A_UNIT));
    return status;
  }
}
