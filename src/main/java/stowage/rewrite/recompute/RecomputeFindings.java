package stowage.rewrite.recompute;

import stowage.packing.Status;
import stowage.rewrite.recompute.model.ExtraCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * The best sequence and the largest bound that the methods for one limit have found so far. Threads
 * may add to them side by side.
 */
final class RecomputeFindings {
  private final RecomputeProblem problem;
  private final long limit;
  private int[] best;
  private long extra = Long.MAX_VALUE;
  private long bound;
  private RecomputeAnswer.Proof proof = RecomputeAnswer.Proof.NONE;
  private ExtraCertificate certificate;

  RecomputeFindings(RecomputeProblem problem, long limit) {
    this.problem = problem;
    this.limit = limit;
  }

  /** Keeps a sequence that is cheaper than the best one, in order and within the limit, or none. */
  synchronized void take(int[] sequence) {
    long cost = sequence == null ? Long.MAX_VALUE : problem.extra(sequence);
    if (cost < extra
        && Timeline.isInOrder(problem, sequence)
        && new Timeline(problem, sequence).peak <= limit) {
      best = sequence.clone();
      extra = cost;
    }
  }

  /** The extra cost of the best sequence; {@link Long#MAX_VALUE} for none. */
  synchronized long extra() {
    return extra;
  }

  /** The best sequence; null for none. */
  synchronized int[] best() {
    return best;
  }

  /** No sequence costs less; {@link Long#MAX_VALUE} where there is none. */
  synchronized long bound() {
    return bound;
  }

  /** Whether nothing is left to find. */
  synchronized boolean isDone() {
    return bound >= extra || bound == Long.MAX_VALUE;
  }

  /** Keeps what a certificate proves, where that is more; what it proves. */
  long prove(ExtraCertificate found, RecomputeAnswer.Proof kind) {
    long proven = found.bound(problem, limit);
    raise(proven, kind, found);
    return proven;
  }

  /** Keeps a larger bound; {@code checked} is null where it has no certificate. */
  synchronized void raise(long proven, RecomputeAnswer.Proof kind, ExtraCertificate checked) {
    if (proven > bound) {
      bound = proven;
      proof = kind;
      certificate = checked;
    }
  }

  /** All of it, with the splits of the closure and what is known of a walk. */
  synchronized RecomputeAnswer answer(int[] splits, long tooMany) {
    Status status = bound == Long.MAX_VALUE ? Status.INFEASIBLE : Status.UNKNOWN;
    if (best != null) {
      status = bound >= extra ? Status.OPTIMAL : Status.FEASIBLE;
    }
    long cost = best == null ? -1 : extra;
    long least = Math.min(bound, extra);
    return new RecomputeAnswer(status, best, cost, least, proof, certificate, splits, tooMany, -1);
  }
}
