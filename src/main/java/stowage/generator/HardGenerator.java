package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.SearchResult;
import stowage.heuristic.Planner;
import stowage.packing.Buffer;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Generator that looks for hard instances by climbing: from a random instance, one change after
 * another (a size, a start, an end, or a buffer exchanged for a new one) is kept unless it makes
 * the instance easier; a climb that has gained nothing for a while restarts. The hardest found is
 * then freed of all buffers that can go while it stays as hard.
 *
 * <p>The target {@code above-max-load} wants an optimum above the max load, which no bound by loads
 * can prove and which is rare: one random instance of a dozen buffers in some hundred thousand. The
 * search ends at the first one. Where the rounds end before, the result is merely an instance whose
 * max load few orders of stacking reach.
 *
 * <p>Every other target is the name of a planner; the search then looks for the instance on which
 * that planner ends farthest above the max load.
 *
 * @param planners gives the planner of a name, or null
 */
record HardGenerator(Function<String, Planner> planners) {
  /** The target that is no planner. */
  static final String ABOVE_MAX_LOAD = "above-max-load";

  private static final int PATIENCE = 400;

  /** A difficulty of at least this means that the instance is what was looked for. */
  private static final double REACHED = 1;

  /** Makes a problem of checked parameters. */
  PackingProblem generate(ParameterValues values) {
    Climb climb = new Climb();
    climb.count = values.count("buffers", 2, 60);
    climb.steps = values.count("steps", 1, 1000);
    climb.maxSize = values.whole("maxSize", 1, 1 << 16);
    climb.draws = values.draws();
    climb.difficulty = difficulty(values);
    long unit = values.whole("unit", 1, 1L << 30);
    List<Buffer> numbered = new ArrayList<>();
    for (Buffer buffer : climb.hardest(values.whole("rounds", 1))) {
      numbered.add(buffer.withId(String.valueOf(numbered.size())).withSize(buffer.size() * unit));
    }
    return PackingProblem.of("hard", numbered);
  }

  /** How hard an instance is; more is harder. */
  private ToDoubleFunction<PackingProblem> difficulty(ParameterValues values) {
    String target = values.text("target");
    if (target.equals(ABOVE_MAX_LOAD)) {
      return new AboveMaxLoad(values.whole("seed", Long.MIN_VALUE));
    }
    Planner planner = planners.apply(target);
    if (planner == null) {
      throw values.contradiction("target", ABOVE_MAX_LOAD + " or the name of a planner");
    }
    return new PlannerGap(planner);
  }

  /** One search; its settings are its fields. */
  private static final class Climb {
    private int count;
    private int steps;
    private long maxSize;
    private Draws draws;
    private ToDoubleFunction<PackingProblem> difficulty;

    List<Buffer> hardest(long rounds) {
      List<Buffer> best = List.of();
      double most = -1;
      List<Buffer> current = List.of();
      double reached = 0;
      int idle = PATIENCE;
      for (long round = 0; round < rounds && most < REACHED; round++) {
        boolean again = idle >= PATIENCE;
        List<Buffer> next = again ? start() : changed(current);
        double found = of(next);
        idle = again || found > reached ? 0 : idle + 1;
        if (again || found >= reached) {
          current = next;
          reached = found;
        }
        if (reached > most) {
          best = current;
          most = reached;
        }
      }
      return reduced(best, most);
    }

    private double of(List<Buffer> buffers) {
      return difficulty.applyAsDouble(PackingProblem.of("trial", buffers));
    }

    private List<Buffer> start() {
      return new ArrayList<>(IntStream.range(0, count).mapToObj(i -> fresh(i)).toList());
    }

    private Buffer fresh(int index) {
      int start = draws.below(steps);
      int end = start + 1 + draws.below(steps - start);
      return new Buffer("b" + index, draws.uniform(1, maxSize), start, end);
    }

    private List<Buffer> changed(List<Buffer> buffers) {
      List<Buffer> next = new ArrayList<>(buffers);
      int index = draws.below(next.size());
      Buffer old = next.get(index);
      int start = old.live().start();
      int end = old.live().end();
      next.set(
          index,
          switch (draws.below(4)) {
            case 0 -> old.withSize(draws.uniform(1, maxSize));
            case 1 -> new Buffer(old.id(), old.size(), draws.below(end), end);
            case 2 ->
                new Buffer(old.id(), old.size(), start, start + 1 + draws.below(steps - start));
            default -> fresh(index);
          });
      return next;
    }

    private List<Buffer> reduced(List<Buffer> buffers, double reached) {
      List<Buffer> left = new ArrayList<>(buffers);
      for (int i = left.size() - 1; i >= 0; i--) {
        Buffer tried = left.remove(i);
        if (left.isEmpty() || of(left) < reached) {
          left.add(i, tried);
        }
      }
      return left;
    }
  }

  /**
   * Whether an instance's optimum is above its max load, and if not, how far from it.
   *
   * <p>Buffers are stacked in a number of random orders, each at the lowest offset that is free.
   * Once one of the stacks reaches the max load, the optimum is the max load, and the difficulty is
   * the mean excess of the stacks, a number below 1 that leads the search to where plans of the max
   * load are rare. When none does, an exhaustive search decides.
   */
  private record AboveMaxLoad(long seed) implements ToDoubleFunction<PackingProblem> {
    private static final int ORDERS = 40;
    private static final long NODES = 2_000_000;

    @Override
    public double applyAsDouble(PackingProblem problem) {
      long load = LoadProfile.of(problem).maxLoad();
      if (load == 0) {
        return 0;
      }
      Draws draws = new Draws(seed);
      List<Buffer> order = new ArrayList<>(problem.buffers());
      double excess = 0;
      boolean reached = false;
      for (int k = 0; k < ORDERS; k++) {
        draws.shuffle(order);
        long peak = stackedPeak(order);
        reached |= peak == load;
        excess += (double) (peak - load) / peak;
      }
      return !reached && noneFits(problem, load) ? REACHED : excess / ORDERS;
    }

    /** The peak when each buffer, in order, is at the lowest offset that is free. O(n^3). */
    private static long stackedPeak(List<Buffer> order) {
      long[] offsets = new long[order.size()];
      long peak = 0;
      for (int i = 0; i < offsets.length; i++) {
        Buffer buffer = order.get(i);
        boolean moved = true;
        while (moved) {
          moved = false;
          for (int j = 0; j < i; j++) {
            Buffer other = order.get(j);
            if (buffer.live().overlaps(other.live())
                && offsets[i] < offsets[j] + other.size()
                && offsets[j] < offsets[i] + buffer.size()) {
              offsets[i] = offsets[j] + other.size();
              moved = true;
            }
          }
        }
        peak = Math.max(peak, offsets[i] + buffer.size());
      }
      return peak;
    }

    private static boolean noneFits(PackingProblem problem, long capacity) {
      ComponentBuilder rectangles = ComponentBuilder.ofOneMemory();
      for (Buffer buffer : problem.buffers()) {
        rectangles.add(buffer.size(), buffer.live().start(), buffer.live().end());
      }
      Component component = rectangles.build();
      SearchResult result =
          new SearchTeam(1, 1, true)
              .search(component, component.unitsBelow(capacity), RunControl.ofWork(NODES, 1, 1));
      return result.status() == SearchResult.Status.INFEASIBLE;
    }
  }

  /**
   * How far a planner ends above the max load, as a share of it. It never counts as reached, so
   * that the search continues for the worst; it is as reproducible as the planner is.
   */
  private record PlannerGap(Planner planner) implements ToDoubleFunction<PackingProblem> {
    private static final long WORK = 20_000;

    @Override
    public double applyAsDouble(PackingProblem problem) {
      long load = LoadProfile.of(problem).maxLoad();
      if (load == 0) {
        return 0;
      }
      long peak = planner.planAny(problem, RunControl.ofWork(WORK, 1, 1)).peak(problem, 0);
      // Below 1 whatever the planner does: 1 - load / peak grows with the gap (peak - load) / load.
      return 1 - (double) load / peak;
    }
  }
}
