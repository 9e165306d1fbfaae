package stowage.schedule.bound;

import java.util.List;

/**
 * The reason why the load cannot stay below a bound, whatever the order: some op has to run, and
 * when it does, these buffers are there.
 *
 * <p>Op v runs from some downset D that holds all ops before v and none after. A <em>chain</em> of
 * buffers b1, ..., bk says: b1 has begun in every such D with v; if a buffer of the chain is
 * finished, the next one has begun; and bk cannot be finished. So in each D at least one buffer of
 * the chain is live. Chains with amounts x1, x2, ..., in which no buffer takes part with more than
 * its bytes, prove that the load is at least x1 + x2 + ... (and what is there all the time): count
 * x_i bytes of a live buffer of chain i. Most chains are one buffer that simply must be there.
 *
 * <p>Where v may write its result over an operand, the load is less by the result's bytes in the
 * downsets that allow it; then there is one case for all downsets, and one for the downsets of each
 * such pair, which hold all other ops of the operand and none of the result.
 *
 * @param op the op; -1 where the bound is what is given at the start, or kept at the end
 * @param cases together they cover all downsets from which the op may run
 * @param bound the least of the cases' loads, in bytes
 * @param downset ops that have run, at which the load is as little as the first case says
 */
public record OpCut(int op, List<Case> cases, long bound, int[] downset) {
  public OpCut {
    cases = List.copyOf(cases);
  }

  /**
   * Downsets that are looked at together.
   *
   * @param from the operand written over, or -1 in the case of all downsets
   * @param to the result, or -1
   * @param chains what is live in each of them
   */
  public record Case(int from, int to, List<Chain> chains) {
    public Case {
      chains = List.copyOf(chains);
    }
  }

  /** A chain of buffers of which one is live, and how many bytes of it count. */
  public record Chain(long bytes, int[] buffers) {}
}
