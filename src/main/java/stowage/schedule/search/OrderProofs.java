package stowage.schedule.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import stowage.schedule.bound.CutNetwork;
import stowage.schedule.bound.ForcedPrecedences;
import stowage.schedule.bound.OrderProof;
import stowage.schedule.model.OrderProblem;

/**
 * Maker of the proof of a bound in a form that can be checked: asks again whether an order keeps to
 * a target, with the reasons kept. A walk on its own is tried first, forwards and backwards, with
 * few downsets; then forced precedences; then walks that know these.
 */
public final class OrderProofs {
  private static final int FIRST_SHARE = 8;

  private final OrderProblem problem;
  private final long target;
  private final int states;
  private final BooleanSupplier stopped;

  private OrderProofs(OrderProblem problem, long target, int states, BooleanSupplier stopped) {
    this.problem = problem;
    this.target = target;
    this.states = states;
    this.stopped = stopped;
  }

  /**
   * A proof that no order keeps to a target, or null if none was found.
   *
   * @param target the load, in bytes
   * @param byPrecedences whether to look for forced precedences first
   * @param states the most downsets that a walk may hold
   * @param stopped when true, the search ends
   */
  public static OrderProof find(
      OrderProblem problem,
      long target,
      boolean byPrecedences,
      int states,
      BooleanSupplier stopped) {
    return new OrderProofs(problem, target, states, stopped).find(byPrecedences);
  }

  private OrderProof find(boolean byPrecedences) {
    OrderProof proof = byPrecedences ? null : walk(null, states / FIRST_SHARE);
    if (proof != null || stopped.getAsBoolean()) {
      return proof;
    }
    ForcedPrecedences arcs = ForcedPrecedences.withReasons(problem, target, stopped);
    if (arcs.impossible()) {
      return new OrderProof(target, arcs.reasons(), arcs.impossibleOp(), false, null);
    }
    return stopped.getAsBoolean() ? null : walk(arcs, states);
  }

  private OrderProof walk(ForcedPrecedences arcs, int most) {
    OrderProof proof = walk(arcs, false, most);
    boolean again = proof == null && problem.idle() == 0 && !stopped.getAsBoolean();
    return again ? walk(arcs, true, most) : proof;
  }

  private OrderProof walk(ForcedPrecedences arcs, boolean reversed, int most) {
    OrderProblem sharper = arcs == null ? problem : arcs.problem();
    OrderProblem way = reversed ? sharper.reversed() : sharper;
    DownsetSearch search = new DownsetSearch(way, RunAtOnceRules.DEFAULT);
    boolean[] found = new boolean[1];
    DownsetSearch.Board board = DownsetSearch.Board.below(target + 1, order -> found[0] = true);
    DownsetSearch.End end = search.run(board, target, most, stopped);
    if (end != DownsetSearch.End.EXHAUSTED || found[0]) {
      return null;
    }
    List<OrderProof.Stretch> stretches = new ArrayList<>();
    CutNetwork minimum = new CutNetwork(way);
    long[] from = new long[way.words()];
    for (DownsetSearch.Root root : search.roots()) {
      int[] ops = root.ops();
      if (!root.pass() && way.idle() != 0 && stretches.isEmpty()) {
        // At the first step only a single op may be run at once.
        stretches.add(new OrderProof.Stretch(names(new int[] {ops[0]}, arcs, reversed), List.of()));
        from[ops[0] >> 6] |= 1L << ops[0];
      }
      long[] to = new long[way.words()];
      long[] low = from;
      for (int op : ops) {
        to[op >> 6] |= 1L << op;
      }
      ops = Arrays.stream(ops).filter(v -> (low[v >> 6] >>> v & 1) == 0).toArray();
      if (!root.pass()) {
        minimum.largest(from, to);
      }
      stretches.add(
          new OrderProof.Stretch(
              names(ops, arcs, reversed), root.pass() ? null : minimum.chains()));
      from = to;
    }
    return new OrderProof(
        target, arcs == null ? List.of() : arcs.reasons(), null, reversed, stretches);
  }

  /** Ops of the sharper problem as ops of the problem itself, backwards if it is. */
  private int[] names(int[] ops, ForcedPrecedences arcs, boolean reversed) {
    int last = problem.ops() - 1;
    return Arrays.stream(ops)
        .map(v -> reversed ? last - v : v)
        .map(v -> arcs == null ? v : arcs.order()[v])
        .map(v -> reversed ? last - v : v)
        .toArray();
  }
}
