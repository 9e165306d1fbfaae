package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import stowage.kernel.model.KernelOps;
import stowage.schedule.bound.MinimumCut;

/**
 * Price of a step by least cuts of one or more measures, of which the largest value counts.
 * Residency has the sizes as its measure; traffic has for each cache what lies beyond its capacity,
 * at the least price of spilling it.
 *
 * <p><b>Commitment.</b> Let f(S) be the least cut after exactly S has run. Where p(S, h) is at most
 * the bottleneck so far, and f(S + h) at most f(S), h may run next and nothing else need be tried.
 * Proof: let D1 be the least cut of a later step (X, g) without h, and D2 that of f(S + h). D1 and
 * D2 meet in a downset that holds exactly S, so it costs at least f(S), which is at least f(S + h).
 * Costs are submodular, so D1 and D2 together cost at most D1, and they hold X + h: every later
 * step costs no more after h. A worked example: the products (i, j) of a blocked matrix product as
 * milestones; once some of row i and some of column j have run, both their blocks are live, so (i,
 * j) may run at once, and only full rectangles of products remain as sets. With several measures f
 * of each is asked. Not thread-safe.
 */
final class CutPrice implements StepPrice {
  /**
   * What is asked of a moment: the weight of the live buffers, less what is free.
   *
   * @param weight of each buffer
   * @param free not counted
   */
  record Measure(long[] weight, long free) {}

  /** By measure, the least cut once exactly the set has run. */
  private record Least(long[] values) implements Rest {}

  private final List<Measure> measures;
  private final List<LiveCut> cuts = new ArrayList<>();
  private long count;

  /** A price by measures, each of which gets a cut with nothing pinned. */
  CutPrice(KernelOps graph, List<Measure> measures) {
    this.measures = List.copyOf(measures);
    measures.forEach(measure -> cuts.add(new LiveCut(graph, measure.weight())));
  }

  @Override
  public List<LiveCut> pinned() {
    return cuts;
  }

  @Override
  public long cuts() {
    return count;
  }

  private long run(int c, long enough) {
    count++;
    return cuts.get(c).run(enough);
  }

  @Override
  public Rest rest(Supplier<BitSet> ran) {
    long[] values = new long[cuts.size()];
    for (int c = 0; c < values.length; c++) {
      values[c] = run(c, MinimumCut.UNLIMITED);
    }
    return new Least(values);
  }

  @Override
  public long step(long worth, long most) {
    long worst = 0;
    for (int c = 0; c < cuts.size() && worst < most; c++) {
      long free = measures.get(c).free();
      long enough = most > Long.MAX_VALUE / 4 ? MinimumCut.UNLIMITED : most + free;
      worst = Math.max(worst, run(c, enough) - free);
    }
    return worst;
  }

  @Override
  public Rest after(Rest before, int op) {
    long[] least = ((Least) before).values();
    long[] values = new long[least.length];
    boolean lower = true;
    for (int c = 0; c < values.length && lower; c++) {
      LiveCut cut = cuts.get(c);
      cut.pinOpen(op, false);
      cut.pinDone(op, true);
      values[c] = run(c, MinimumCut.UNLIMITED);
      lower = values[c] <= least[c];
      cut.pinDone(op, false);
      cut.pinOpen(op, true);
    }
    return lower ? new Least(values) : null;
  }

  @Override
  public LiveCut ofOrders() {
    return cuts.get(0);
  }
}
