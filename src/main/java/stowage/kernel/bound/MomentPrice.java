package stowage.kernel.bound;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.SubKernel;

/**
 * Price of a step by {@link MomentTraffic}.
 *
 * <p><b>Commitment.</b> The overflow is a sum over caches, which is not submodular; so a milestone
 * is committed to where it adds nothing to what is live, whatever else has run. Proof: let Z be the
 * milestone and the ops before it that S does not imply. Each buffer of Z has a user that S
 * implies, so it is live before and is at most live after, or has no users but Z, so it has ended
 * after. Any later downset without Z can be joined with Z, and no cache holds more. An example: a
 * product whose two blocks and whose sum are live, with the moves of the blocks. Not thread-safe.
 */
final class MomentPrice implements StepPrice {
  private final KernelOps graph;
  private final MomentTraffic moments;
  private final int mostNodes;
  private boolean limited;

  /**
   * @param moments with nothing pinned; shared by searches that run one after another
   * @param mostNodes nodes of its search for each step
   */
  MomentPrice(KernelOps graph, MomentTraffic moments, int mostNodes) {
    this.graph = graph;
    this.moments = moments;
    this.mostNodes = mostNodes;
  }

  /** Whether some step might cost more than it was taken to, because its search ended early. */
  boolean isLimited() {
    return limited;
  }

  /** The ops that have run, and which others add nothing then. */
  private final class Ran implements Rest {
    private final BitSet ran;
    private final Map<Integer, Boolean> free = new HashMap<>();

    Ran(BitSet ran) {
      this.ran = ran;
    }

    @Override
    public boolean isFree(int op) {
      return free.computeIfAbsent(op, key -> addsNothing(op, ran));
    }
  }

  @Override
  public List<LiveCut> pinned() {
    return List.of(moments.cut());
  }

  @Override
  public long cuts() {
    return moments.cuts();
  }

  @Override
  public Rest rest(Supplier<BitSet> ran) {
    return new Ran(ran.get());
  }

  @Override
  public long step(long worth, long most) {
    MomentTraffic.Answer answer = moments.least(worth, most, mostNodes);
    limited |= !answer.reached() && answer.bound() < most;
    return answer.bound();
  }

  @Override
  public Rest after(Rest before, int op) {
    if (!before.isFree(op)) {
      return null;
    }
    BitSet ran = (BitSet) ((Ran) before).ran.clone();
    ran.set(op);
    SubKernel.close(graph, ran);
    return new Ran(ran);
  }

  @Override
  public boolean asksImagesOnce() {
    return true;
  }

  /**
   * Whether a milestone adds nothing to what is live, once it has run, whatever else has run: each
   * buffer of it and of the ops still missing before it has a user that has run, so that it is live
   * already, or no users but these ops.
   */
  private boolean addsNothing(int op, BitSet ran) {
    BitSet more = new BitSet(graph.ops);
    more.set(op);
    SubKernel.close(graph, more);
    more.andNot(ran);
    for (int v = more.nextSetBit(0); v >= 0; v = more.nextSetBit(v + 1)) {
      for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
        int b = graph.use[k];
        boolean live = false;
        boolean own = true;
        for (int u = graph.userAt[b]; u < graph.userAt[b + 1]; u++) {
          live |= ran.get(graph.user[u]);
          own &= more.get(graph.user[u]);
        }
        if (!live && !own) {
          return false;
        }
      }
    }
    return true;
  }
}
