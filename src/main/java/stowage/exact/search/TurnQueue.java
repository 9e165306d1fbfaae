package stowage.exact.search;

import java.util.List;

/**
 * Hands out the workers of a portfolio in turn, each to one thread at a time and as often as its
 * weight says. A turn costs the shares of nodes that it took, since a search may run over its share
 * by far; one that lowered the peak costs a quarter of that, so that the method that wins continues
 * while it does. Workers of higher weight are for problems that resist: they wait until the others
 * have had a few turns.
 */
final class TurnQueue {
  private static final double WON = 0.25;
  private static final double HEAD_START = 4;

  private final List<Worker> workers;
  private final double[] turns;
  private final boolean[] busy;

  TurnQueue(List<Worker> workers) {
    this.workers = workers;
    this.turns = new double[workers.size()];
    this.busy = new boolean[workers.size()];
    for (int worker = 0; worker < turns.length; worker++) {
      turns[worker] = workers.get(worker).weight() > 1 ? HEAD_START : 0;
    }
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
   * Gives a worker back after its share.
   *
   * @param taken how many shares it took: a search is not cut off in the middle, and limits grow
   * @param won whether it has lowered the best peak
   */
  synchronized void giveBack(int worker, double taken, boolean won) {
    turns[worker] += (won ? WON * taken : taken) / workers.get(worker).weight();
    busy[worker] = false;
  }
}
