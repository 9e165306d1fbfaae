package stowage.exact.choco;

import java.util.Arrays;
import org.chocosolver.solver.Solver;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SolverConfigs;
import stowage.exact.engine.StagedEngine;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.heuristic.NotPlannableException;
import stowage.packing.RunControl;

/**
 * Choco on the positions of {@link Axis}: a second complete method that shares no code with CP-SAT,
 * good for parts of some tens of buffers.
 *
 * <p>Like CP-SAT it is only ever asked whether there is a placement no higher than T: at the lower
 * bound, just below the best, and between, with twice the nodes in every round. A no at the bound
 * raises it, a yes lowers the best. Choco keeps no incumbent of its own, so nothing is lost when it
 * finds nothing in time.
 *
 * <p>Where limits count work, one node of its search is 20 work units and 2 more a buffer, about
 * the microseconds that it takes.
 */
public final class ChocoEngine extends StagedEngine {
  private static final int WORK_PER_NODE = 20;
  private static final int WORK_PER_BUFFER = 2;

  private static final int MOST_BUFFERS = 3_000;

  @Override
  public String name() {
    return "choco";
  }

  @Override
  public String kind() {
    return "choco";
  }

  @Override
  public String version() {
    return "Choco " + Engine.versionOf("org.choco-solver/choco-solver");
  }

  @Override
  public String summary() {
    return "Choco: every buffer rests on something, with edge finding in every maximal live set";
  }

  /** A second opinion on small problems; larger ones it closes rarely. */
  @Override
  public int suitableBuffers(int threads) {
    return 40;
  }

  @Override
  protected Session open(EngineOptions options, RunControl control) {
    SolverConfigs.Settings text = SolverConfigs.read(options.config(), "json");
    return new ChocoSession(options, text.name(), ChocoSettings.read(text));
  }

  private static final class ChocoSession extends Session {
    private final ChocoSettings settings;
    private Axis axis;

    ChocoSession(EngineOptions options, String name, ChocoSettings settings) {
      super(options);
      this.settings = settings;
      log("settings: " + name);
    }

    @Override
    protected void solve(ComponentIncumbent incumbent, long units) {
      if (incumbent.part().count() > MOST_BUFFERS) {
        throw new NotPlannableException(
            "Choco is given at most %s buffers at once, and a part has %s"
                .formatted(MOST_BUFFERS, incumbent.part().count()));
      }
      long work = units / (WORK_PER_NODE + (long) WORK_PER_BUFFER * incumbent.part().count());
      long nodes = Math.min(settings.firstNodes, Math.max(1, work));
      if (incumbent.memory() >= 0 && incumbent.placement() == null) {
        work -= ask(incumbent, incumbent.upper(), Math.min(work, nodes), 0);
      }
      for (int round = 0; !incumbent.isClosed() && !incumbent.isStopped() && work > 0; round++) {
        if (incumbent.memory() < 0) {
          work -= ask(incumbent, 0, Math.min(work, nodes), round);
          nodes = Math.min(Long.MAX_VALUE / 4, nodes * 2);
          continue;
        }
        long low = Math.min(incumbent.target(), incumbent.upper());
        long high = incumbent.upper();
        work -= ask(incumbent, low, Math.min(work, nodes), round);
        if (incumbent.isClosed() || incumbent.isStopped()) {
          return;
        }
        long target = round % 2 == 0 ? incumbent.upper() : low + (high - low) / 2;
        work -= ask(incumbent, Math.min(target, incumbent.upper()), Math.min(work, nodes), round);
        nodes = Math.min(Long.MAX_VALUE / 4, nodes * 2);
      }
    }

    private long ask(ComponentIncumbent incumbent, long target, long nodes, int round) {
      Component part = incumbent.part();
      long[] ceiling = new long[part.memories()];
      Arrays.setAll(ceiling, m -> m == incumbent.memory() ? target : incumbent.ceiling(m));
      ComponentIncumbent.Placed hint = round % 3 == 2 ? incumbent.hint() : null;
      axis = new Axis(part, ceiling, axis != null && axis.part == part ? axis : null);
      StackingModel question =
          new StackingModel(axis, settings, hint == null ? null : hint.offsets());
      Solver solver = question.solver();
      if (nodes != Long.MAX_VALUE) {
        solver.limitNode(nodes);
      }
      solver.addStopCriterion(incumbent::isStopped);
      log(question.echo());
      boolean found = solver.solve();
      count("solves", 1);
      count("branches", solver.getNodeCount());
      count("conflicts", solver.getFailCount());
      String answer = found ? "found" : solver.isStopCriterionMet() ? "open" : "impossible";
      log(
          "at most %s: %s after %s nodes, %s failures"
              .formatted(target, answer, solver.getNodeCount(), solver.getFailCount()));
      if (found) {
        incumbent.offer(question.offsets(), question.places(), "");
      } else if (!solver.isStopCriterionMet()) {
        incumbent.refuse(target);
      }
      return Math.max(1, solver.getNodeCount());
    }
  }
}
