package stowage.exact.engine;

import java.util.SplittableRandom;
import stowage.exact.presolve.AssignmentSearch;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.ComponentIncumbent;

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
  /** Placer of one memory's share. */
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

  private final ComponentIncumbent incumbent;
  private final Component part;
  private final Placer placer;
  private final SplittableRandom random;
  private final double[] slack;

  /** Where between the bound and the best peak the next limit is. */
  private double depth = 0.5;

  AssignmentDescent(ComponentIncumbent incumbent, Placer placer) {
    this.incumbent = incumbent;
    this.part = incumbent.part();
    this.placer = placer;
    this.random = new SplittableRandom(incumbent.control().seed());
    this.slack = new double[part.memories()];
  }

  void run() {
    ComponentIncumbent.Placed known = incumbent.placement();
    AssignmentSearch spread =
        new AssignmentSearch(
            part, known == null ? null : known.places(), incumbent.control().seed());
    int idle = 0;
    while (idle < PATIENCE && !incumbent.isStopped() && !incumbent.isClosed()) {
      idle++;
      if (idle % RETRY == 0) {
        depth = 0.8;
      }
      if (!spread.settle(limits(), MOVES, incumbent::isStopped)) {
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
      long ceiling = incumbent.ceiling(m);
      if (m == incumbent.memory()) {
        long lower = incumbent.bound();
        ceiling =
            lower
                + (long) (depth * (0.9 + 0.1 * random.nextDouble()) * (incumbent.upper() - lower));
      }
      limits[m] = ceiling - (long) (slack[m] * ceiling);
    }
    return limits;
  }

  private boolean place(int[] chosen) {
    long[] found = new long[part.count()];
    for (int k = 0; k < part.memories(); k++) {
      int m = incumbent.memory() < 0 ? k : (incumbent.memory() + 1 + k) % part.memories();
      Component own = part.restrictTo(m, chosen);
      if (own.count() == 0) {
        continue;
      }
      boolean target = m == incumbent.memory();
      long ceiling = target ? incumbent.upper() : incumbent.ceiling(m);
      long[] offsets = placer.place(own, ceiling, target ? incumbent.target() : -1, SECONDS);
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
    incumbent.offer(found, chosen, "");
    return true;
  }
}
