package stowage.rewrite.recompute;

import stowage.packing.Status;
import stowage.rewrite.recompute.model.ExtraCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * What is known of the least extra cost under a limit of the bytes alive at a step.
 *
 * @param status OPTIMAL where the extra cost is the bound; INFEASIBLE where it is proven that no
 *     sequence is within the limit
 * @param sequence the cheapest sequence found within the limit; null for none
 * @param extra what it costs above computing each op once; -1 for none
 * @param bound no sequence within the limit whose first computations keep the order costs less
 * @param proof what the bound rests on
 * @param certificate where the proof is {@link Proof#GAPS}, {@link Proof#CLOSURE} or {@link
 *     Proof#CASES}, or sets of {@link Proof#EXHAUSTION}; otherwise null
 * @param splits ops at which the closure's rows were split when they were last solved
 * @param tooMany an extra cost below which a walk met too many sets; {@link Long#MAX_VALUE} for
 *     none
 * @param op the op at which more than the limit has to be alive; -1 for none
 */
public record RecomputeAnswer(
    Status status,
    int[] sequence,
    long extra,
    long bound,
    Proof proof,
    ExtraCertificate certificate,
    int[] splits,
    long tooMany,
    int op) {

  /** What is known of any question: no extra cost is below 0. */
  public static final RecomputeAnswer NOTHING =
      new RecomputeAnswer(
          Status.UNKNOWN, null, -1, 0, Proof.NONE, null, new int[0], Long.MAX_VALUE, -1);

  /** Whether this has a sequence and another answer has none or a dearer one. */
  public boolean isCheaperThan(RecomputeAnswer other) {
    return sequence != null && (other.sequence == null || extra < other.extra);
  }

  /** This sequence with the bound of another answer, whose limit is this one's or higher. */
  public RecomputeAnswer withBoundOf(RecomputeAnswer other) {
    Status now = other.bound == Long.MAX_VALUE ? Status.INFEASIBLE : Status.UNKNOWN;
    if (sequence != null) {
      now = other.bound >= extra ? Status.OPTIMAL : Status.FEASIBLE;
    }
    long least = sequence == null ? other.bound : Math.min(other.bound, extra);
    return new RecomputeAnswer(
        now,
        sequence,
        extra,
        least,
        other.proof,
        other.certificate,
        other.splits,
        other.tooMany,
        other.op);
  }

  /** The same where another walk over sets is left out. */
  public RecomputeAnswer withoutWalk() {
    return new RecomputeAnswer(status, sequence, extra, bound, proof, certificate, splits, 0, op);
  }

  /** What the certificate proves of another limit, without a sequence; 0 where it says nothing. */
  public RecomputeAnswer at(RecomputeProblem problem, long limit) {
    long least = 0;
    try {
      least = certificate == null ? 0 : certificate.bound(problem, limit);
    } catch (IllegalArgumentException holdsOnlyWithinLess) {
      // a cover does not follow from the rows of a higher limit
    }
    return new RecomputeAnswer(
        Status.UNKNOWN, null, -1, least, proof, certificate, splits, tooMany, -1);
  }

  /** Kinds of proof. */
  public enum Proof {
    /** No extra cost is below 0. */
    NONE("nothing is recomputed"),
    /** What one op uses, and what cannot be computed again, exceeds the limit. */
    WORKING_SET("working set"),
    /** What one op reads cannot be at hand at once within the limit, in no order of runs. */
    GATHERING("gathering"),
    /** Multipliers of the gap bound, checked. */
    GAPS("gaps"),
    /** Multipliers of the gap bound with what computing again needs itself, checked. */
    CLOSURE("closure"),
    /** The same by cases of how often ops run again, checked. */
    CASES("cases"),
    /** All states of first computations done and values held. */
    EXHAUSTION("exhaustion"),
    /** A claim of CP-SAT on a relaxation that holds for all sequences. */
    SOLVER("cp-sat");

    private final String word;

    Proof(String word) {
      this.word = word;
    }

    /** How reports call it. */
    public String word() {
      return word;
    }
  }
}
