package stowage.experiment.run;

import java.util.ArrayList;
import java.util.List;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** Planners found by the service loader that do what planners should not. */
public final class BadPlanners {
  private BadPlanners() {}

  private abstract static class Bad implements Planner {
    @Override
    public String summary() {
      return "for tests";
    }
  }

  /** Lets its process die as a native library would. */
  public static final class Crash extends Bad {
    @Override
    public String name() {
      return "test-crash";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      Runtime.getRuntime().halt(134);
      return null;
    }
  }

  /** Fills the heap. */
  public static final class Greed extends Bad {
    @Override
    public String name() {
      return "test-memory";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      List<long[]> kept = new ArrayList<>();
      while (true) {
        kept.add(new long[1 << 20]);
      }
    }
  }

  /** Goes on forever. */
  public static final class Hang extends Bad {
    @Override
    public String name() {
      return "test-hang";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      while (true) {
        Thread.onSpinWait();
      }
    }
  }

  /** Puts everything at 0. */
  public static final class Overlap extends Bad {
    @Override
    public String name() {
      return "test-overlap";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      return Placement.of(new long[problem.size()]);
    }
  }

  /** Does not want to. */
  public static final class Refuse extends Bad {
    @Override
    public String name() {
      return "test-refuse";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      throw new NotPlannableException("not today");
    }
  }

  /** Has a bug. */
  public static final class Broken extends Bad {
    @Override
    public String name() {
      return "test-broken";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      throw new IllegalStateException("a bug");
    }
  }
}
