package stowage.exact.search;

/** Hands out the workers of a portfolio in turn, each to one thread at a time. */
final class TurnQueue {
  private final long[] turns;
  private final boolean[] busy;

  TurnQueue(int workers) {
    this.turns = new long[workers];
    this.busy = new boolean[workers];
  }

  /** The idle worker with the fewest turns so far; at least one must be idle. */
  synchronized int take() {
    int next = -1;
    for (int worker = 0; worker < turns.length; worker++) {
      if (!busy[worker] && (next < 0 || turns[worker] < turns[next])) {
        next = worker;
      }
    }
    busy[next] = true;
    turns[next]++;
    return next;
  }

  /** Gives a worker back after its share. */
  synchronized void giveBack(int worker) {
    busy[worker] = false;
  }
}
