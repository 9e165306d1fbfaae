package stowage.rewrite.recompute;

import stowage.packing.Status;
import stowage.rewrite.recompute.model.ExtraCertificate;

/**
 * What is known of the least extra cost under a limit of the bytes alive at a step.
 *
 * @param status OPTIMAL where the extra cost is the bound; INFEASIBLE where it is proven that no
 *     sequence is within the limit
 * @param sequence the cheapest sequence found within the limit; null for none
 * @param extra what it costs above computing each op once; -1 for none
 * @param bound no sequence within the limit whose first computations keep the order costs less
 * @param proof what the bound rests on
 * @param certificate where the proof is {@link Proof#GAPS} or {@link Proof#CLOSURE}; otherwise null
 * @param op the op at which more than the limit has to be alive; -1 for none
 */
public record RecomputeAnswer(
    Status status,
    int[] sequence,
    long extra,
    long bound,
    Proof proof,
    ExtraCertificate certificate,
    int op) {

  /**
   * The cheaper sequence and the larger bound of two answers to one question; this, where equal.
   */
  public RecomputeAnswer with(RecomputeAnswer other) {
    RecomputeAnswer found =
        sequence == null || other.sequence != null && other.extra < extra ? other : this;
    RecomputeAnswer proven = other.bound > bound ? other : this;
    Status now = proven.status;
    if (found.sequence != null) {
      now = proven.bound >= found.extra ? Status.OPTIMAL : Status.FEASIBLE;
    }
    return new RecomputeAnswer(
        now,
        found.sequence,
        found.extra,
        found.sequence == null ? proven.bound : Math.min(proven.bound, found.extra),
        proven.proof,
        proven.certificate,
        proven.op);
  }

  /** Kinds of proof. */
  public enum Proof {
    /** No extra cost is below 0. */
    NONE("nothing is recomputed"),
    /** What one op uses, and what cannot be computed again, exceeds the limit. */
    WORKING_SET("working set"),
    /** Multipliers of the gap bound, checked. */
    GAPS("gaps"),
    /** Multipliers of the gap bound with what computing again needs itself, checked. */
    CLOSURE("closure"),
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
