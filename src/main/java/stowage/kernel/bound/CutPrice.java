package stowage.kernel.bound;

import stowage.kernel.model.KernelOps;
import stowage.schedule.bound.MinimumCut;

/**
 * Price of a step in residency: the least cut by the sizes of what is live.
 *
 * <p><b>Commitment.</b> Let f(S) be the least cut after exactly S has run. Where p(S, h) is at most
 * the bottleneck so far, and f(S + h) at most f(S), h may run next and nothing else need be tried.
 * Proof: let D1 be the least cut of a later step (X, g) without h, and D2 that of f(S + h). D1 and
 * D2 meet in a downset that holds exactly S, so it costs at least f(S), which is at least f(S + h).
 * Costs are submodular, so D1 and D2 together cost at most D1, and they hold X + h: every later
 * step costs no more after h. A worked example: the products (i, j) of a blocked matrix product as
 * milestones; once some of row i and some of column j have run, both their blocks are live, so (i,
 * j) may run at once, and only full rectangles of products remain as sets. Not thread-safe.
 */
record CutPrice(LiveCut cut) implements StepPrice {
  CutPrice(KernelOps graph) {
    this(new LiveCut(graph, graph.size));
  }

  @Override
  public long step(long worth, long most) {
    return cut.run(Math.min(most, MinimumCut.UNLIMITED));
  }

  @Override
  public long rest() {
    return cut.run();
  }
}
