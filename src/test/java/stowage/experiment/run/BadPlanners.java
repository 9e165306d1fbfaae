package stowage.experiment.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** Planners found by the service loader that do what planners should not. */
public final class BadPlanners {
  private BadPlanners() {}

  private abstract static class Bad implements Planner {
    private final String name;
    private final Function<PackingProblem, Placement> rule;

    Bad(String name, Function<PackingProblem, Placement> rule) {
      this.name = name;
      this.rule = rule;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public Placement plan(PackingProblem problem, RunControl control) {
      return rule.apply(problem);
    }
  }

  /** Lets its process die as a native library would. */
  public static final class Crash extends Bad {
    public Crash() {
      super("test-crash", problem -> haltedProcess());
    }

    private static Placement haltedProcess() {
      Runtime.getRuntime().halt(134);
      return null;
    }
  }

  /** Fills the heap. */
  public static final class Greed extends Bad {
    public Greed() {
      super("test-memory", problem -> fullHeap());
    }

    private static Placement fullHeap() {
      List<long[]> kept = new ArrayList<>();
      while (true) {
        kept.add(new long[1 << 20]);
      }
    }
  }

  /** Goes on forever. */
  public static final class Hang extends Bad {
    public Hang() {
      super("test-hang", problem -> nothing());
    }

    private static Placement nothing() {
      while (true) {
        Thread.onSpinWait();
      }
    }
  }

  /** Puts everything at 0. */
  public static final class Overlap extends Bad {
    public Overlap() {
      super("test-overlap", problem -> Placement.of(new long[problem.size()]));
    }
  }

  /** Does not want to. */
  public static final class Refuse extends Bad {
    public Refuse() {
      super("test-refuse", problem -> failed(new NotPlannableException("not today")));
    }
  }

  /** Has a bug. */
  public static final class Broken extends Bad {
    public Broken() {
      super("test-broken", problem -> failed(new IllegalStateException("a bug")));
    }
  }

  private static Placement failed(RuntimeException failure) {
    throw failure;
  }
}
