package stowage.exact.engine;

import java.util.SplittableRandom;
import stowage.exact.presolve.AssignmentSearch;
import stowage.exact.presolve.Component;

/**
 * A descent over the ways to spread a part's buffers over its memories, where there are too many to
 * walk over.
 *
 * <p>In rounds the loads are brought within limits ({@link AssignmentSearch}), then each memory's
 * share is placed by the searches for one memory. The limit of the memory that is lowered lies
 * between its bound and the best peak, deeper after a success; those of the others are their
 * capacities, less some slack where a share could not be placed. Ends when the part is closed, at
 * the limit, or after {@value #PATIENCE} rounds in turn that brought nothing.
 */
final class AssignmentDescent {
  /** Places one memory's share. */
  interface Placer {
    /**
     * A placement within a ceiling, or null.
     *
     * @param enough a peak that is low enough to end at, or -1 where the first placement will do;
     *     heights are bytes of the part
     */
    long[] place(Component own, long ceiling, long enough, double seconds);
  }

  private static final int PATIENCE = 60;
  private static final int RETRY = 15;
  private static final int MOVES = 20_000;
  private static final double SECONDS = 0.25;
  private static final double SLACK_STEP = 0.01;
  private static final double MOST_SLACK = 0.3;

  private final ComponentTask task;
  private final Component part;
  private final Placer placer;
  private final SplittableRandom random;
  private final double[] slack;

  /** Where between the bound and the best peak the next limit is. */
  private double depth = 0.5;

  AssignmentDescent(ComponentTask task, Placer placer) {
    this.task = task;
    this.part = task.part();
    this.placer = placer;
    this.random = new SplittableRandom(task.control().seed());
    this.slack = new double[part.memories()];
  }

  void run() {
    ComponentTask.Hint known = task.placement();
    AssignmentSearch spread =
        new AssignmentSearch(part, known == null ? null : known.places(), task.control().seed());
    int idle = 0;
    while (idle < PATIENCE && !task.isStopped() && !task.isClosed()) {
      idle++;
      if (idle % RETRY == 0) {
        depth = 0.8;
      }
      if (!spread.settle(limits(), MOVES, task::isStopped)) {
        depth += 0.25 * (1 - depth);
        for (int m = 0; m < slack.length; m++) {
          slack[m] *= 0.8;
        }
      } else if (place(spread.places())) {
        depth *= 0.7;
        idle = 0;
      } else {
        depth += 0.1 * (1 - depth);
      }
    }
  }

  private long[] limits() {
    long[] limits = new long[part.memories()];
    for (int m = 0; m < limits.length; m++) {
      long ceiling = task.ceiling(m);
      if (m == task.memory()) {
        long lower = task.lower();
        ceiling =
            lower + (long) (depth * (0.9 + 0.1 * random.nextDouble()) * (task.upper() - lower));
      }
      limits[m] = ceiling - (long) (slack[m] * ceiling);
    }
    return limits;
  }

  private boolean place(int[] chosen) {
    long[] found = new long[part.count()];
    for (int k = 0; k < part.memories(); k++) {
      int m = task.memory() < 0 ? k : (task.memory() + 1 + k) % part.memories();
      Component own = part.restrictTo(m, chosen);
      if (own.count() == 0) {
        continue;
      }
      boolean target = m == task.memory();
      long ceiling = target ? task.upper() : task.ceiling(m);
      long[] offsets = placer.place(own, ceiling, target ? task.goodEnough() : -1, SECONDS);
      if (offsets == null) {
        if (!target) {
          slack[m] = Math.min(MOST_SLACK, slack[m] + SLACK_STEP);
        }
        return false;
      }
      if (!target) {
        slack[m] *= 0.95;
      }
      own.expand(offsets, found);
    }
    task.found(found, chosen);
    return true;
  }
}
