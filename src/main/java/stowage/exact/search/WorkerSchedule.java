package stowage.exact.search;

import java.util.Arrays;
import java.util.List;

/**
 * Schedule that hands out the workers of a portfolio in turn, each to one thread at a time and as
 * often as its weight says. A turn costs the time that it took, since a search may run over its
 * share by far and nodes of one kind take longer than those of another; one that lowered the peak
 * costs a quarter of that, so that the method that wins continues while it does. Some workers are
 * for problems that resist: they wait until the others have had a few turns, and weights count from
 * then on.
 */
final class WorkerSchedule {
  private static final double WON = 0.25;

  private final List<Worker> workers;
  private final double[] turns;
  private final boolean[] busy;
  private long nanos;
  private long nodes;

  WorkerSchedule(List<Worker> workers) {
    this.workers = workers;
    this.turns = new double[workers.size()];
    this.busy = new boolean[workers.size()];
    Arrays.setAll(turns, worker -> workers.get(worker).patience());
  }

  /** The idle worker with the fewest turns so far for its weight; at least one must be idle. */
  synchronized int take() {
    int next = -1;
    for (int worker = 0; worker < turns.length; worker++) {
      if (!busy[worker] && (next < 0 || turns[worker] < turns[next])) {
        next = worker;
      }
    }
    busy[next] = true;
    return next;
  }

  /**
   * Gives a worker back after its share. Shares grow, so a turn is measured by its time a node,
   * where 1 is the average over all turns so far.
   *
   * @param share nodes that it was given
   * @param took nanoseconds that it worked
   * @param won whether it has lowered the best peak
   */
  synchronized void giveBack(int worker, long share, long took, boolean won) {
    nanos += Math.max(1, took);
    nodes += share;
    double taken = (double) Math.max(1, took) / share * nodes / nanos;
    int weight = turns[worker] < Worker.LATE ? 1 : workers.get(worker).weight();
    turns[worker] += (won ? WON * taken : taken) / weight;
    busy[worker] = false;
  }
}
