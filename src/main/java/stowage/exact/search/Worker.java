package stowage.exact.search;

import stowage.exact.search.model.ComponentIncumbent;

/** One engine of the portfolio: does its work in shares, so that engines can take turns. */
interface Worker {
  /**
   * Works for about so many nodes, or until the question is answered or the control ends.
   *
   * @param incumbent where to read the best figures and to leave new ones
   * @param nodes the share; an engine without nodes counts steps that take about as long
   */
  void advance(ComponentIncumbent incumbent, long nodes);

  /** How many turns the worker has for one of the others, where they take turns freely. */
  default int weight() {
    return 1;
  }

  /** From so many turns on weights count. */
  double LATE = 4;

  /** How many turns the others have before the first one of this worker. */
  default double patience() {
    return weight() > 1 ? LATE : 0;
  }

  long nodes();

  default long nogoodHits() {
    return 0;
  }

  /** Searches begun so far. */
  default long restarts() {
    return 0;
  }
}
