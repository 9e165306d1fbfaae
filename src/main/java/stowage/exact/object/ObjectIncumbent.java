package stowage.exact.object;

import java.util.BitSet;
import java.util.Optional;
import stowage.packing.ObjectProblem;
import stowage.packing.ObjectVerifier;

/**
 * The best verified assignment to objects and the best proven bound of their total. Thread-safe;
 * never gets worse, whatever is offered.
 */
public final class ObjectIncumbent {
  private final ObjectProblem problem;
  private int[] objectOf;
  private long total = Long.MAX_VALUE;
  private long bound;
  private String boundKind = "none";

  /** An incumbent without an assignment, but where there is nothing to assign; its bound is 0. */
  public ObjectIncumbent(ObjectProblem problem) {
    this.problem = problem;
    if (problem.count() == 0) {
      this.objectOf = new int[0];
      this.total = 0;
    }
  }

  public ObjectProblem problem() {
    return problem;
  }

  /** {@return whether an assignment became the best; fails where the verifier finds it wrong} */
  public synchronized boolean offer(int[] candidate, String who) {
    long offered = total(problem, candidate);
    if (offered >= total) {
      return false;
    }
    Optional<String> fault = ObjectVerifier.fault(problem, candidate, offered);
    if (fault.isPresent()) {
      throw new IllegalStateException(who + ": " + fault.get());
    }
    objectOf = candidate.clone();
    total = offered;
    return true;
  }

  /** Offers a proven bound of the total; kept if it is higher than the best. */
  public synchronized void offerBound(long value, String kind) {
    if (value > bound) {
      bound = value;
      boundKind = kind;
    }
  }

  /** The sum over objects of the largest member. O(n) for object numbers below 2n. */
  static long total(ObjectProblem problem, int[] objectOf) {
    // Items are from the largest down, so the first of an object is its largest.
    BitSet seen = new BitSet();
    long sum = 0;
    for (int item = 0; item < objectOf.length; item++) {
      if (!seen.get(objectOf[item])) {
        seen.set(objectOf[item]);
        sum += problem.size(item);
      }
    }
    return sum;
  }

  /** The object of each item; null before one was found. */
  public synchronized int[] objectOf() {
    return objectOf == null ? null : objectOf.clone();
  }

  /** The best total in bytes, {@link Long#MAX_VALUE} before one was found. */
  public synchronized long total() {
    return total;
  }

  /** No assignment has a lower total, in bytes. */
  public synchronized long bound() {
    return bound;
  }

  /** Why: {@code object-levels}, or the engine that exhausted its search. */
  public synchronized String boundKind() {
    return boundKind;
  }

  /** Whether the best is proven. */
  public synchronized boolean isClosed() {
    return total == bound;
  }

  /**
   * No peak of objects laid end to end is lower, in bytes: the bound of the total, less what the
   * last object may end earlier for its size was rounded up.
   */
  public synchronized long peakBound() {
    return Math.max(0, bound - problem.largestRounding());
  }
}
