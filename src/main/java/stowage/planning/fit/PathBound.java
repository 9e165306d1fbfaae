package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.AxisRule;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;
import stowage.rewrite.range.Part;
import stowage.rewrite.range.Span;

/**
 * Lower bound of the extra compute within a peak, from paths of ops each of which reads what the
 * one before makes.
 *
 * <p>A tensor between two ops is whole at some time, or both ops are in one run of two pieces or
 * more. So the tensors that are whole take a path apart: a part of several ops is within a run and
 * costs its least cuts, a part of one op costs nothing, but needs what is left of its operand and
 * made of its result together, at each of its rows. The cheapest way to take the path apart, over
 * all choices of tensors that are whole, is a bound; paths have no op in common, so their bounds
 * add up. O(ops * longest part).
 */
final class PathBound {
  /** Of a longer part only so many ops are counted, which is no more than its price. */
  private static final int MOST_OPS = 6;

  private static final long NEVER = Long.MAX_VALUE;

  private final FitBound facts;
  private final FitRequest request;
  private final Network network;
  private final SplitModel model;
  private final List<int[]> paths = new ArrayList<>();
  private final Map<Integer, Long> streamed = new HashMap<>();

  PathBound(FitBound facts, FitRequest request, SplitModel model) {
    this.facts = facts;
    this.request = request;
    this.network = request.network();
    this.model = model;
    boolean[] taken = new boolean[network.ops().size()];
    for (int first : network.executionOrder()) {
      List<Integer> path = new ArrayList<>();
      for (int op = first; op >= 0 && mayFollow(op, taken); op = next(op, taken)) {
        taken[op] = true;
        path.add(op);
      }
      if (path.size() > 1) {
        paths.add(path.stream().mapToInt(Integer::intValue).toArray());
      }
    }
  }

  private boolean mayFollow(int op, boolean[] taken) {
    Op own = network.ops().get(op);
    return !taken[op]
        && own.presentOutputs().size() == 1
        && !FitBound.shows(own)
        && facts.barrier(op) == null;
  }

  /** The reader of an op's result that makes the most bytes; -1 for none, or where views read. */
  private int next(int op, boolean[] taken) {
    String made = network.ops().get(op).presentOutputs().get(0);
    int best = -1;
    for (int reader : model.readers(made)) {
      if (FitBound.shows(network.ops().get(reader))) {
        return -1;
      }
      if (mayFollow(reader, taken) && (best < 0 || result(reader) > result(best))) {
        best = reader;
      }
    }
    return best;
  }

  private long result(int op) {
    return facts.bytes(network.ops().get(op).presentOutputs().get(0));
  }

  /** No plan of a peak at most this adds less compute to the ops of the paths. */
  long extra(long within) {
    return paths.stream().mapToLong(path -> extra(path, within)).sum();
  }

  private long extra(int[] path, long within) {
    long[] least = new long[path.length + 1];
    Arrays.fill(least, NEVER);
    least[0] = 0;
    for (int to = 1; to <= path.length; to++) {
      if (to < path.length && facts.held(made(path[to - 1])) > within) {
        continue; // never whole
      }
      for (int from = to - 1; from >= 0; from--) {
        if (least[from] < least[to]) {
          long price = price(path, from, to, within);
          least[to] = price == NEVER ? least[to] : Math.min(least[to], least[from] + price);
        }
      }
    }
    long found = least[path.length];
    return found == NEVER ? 0 : found;
  }

  private String made(int op) {
    return network.ops().get(op).presentOutputs().get(0);
  }

  /** The least price of a part between tensors that are whole. */
  private long price(int[] path, int from, int to, long within) {
    if (to == from + 1) {
      boolean ended = to < path.length || network.outputs().contains(made(path[from]));
      String source = from == 0 ? source(path[0]) : made(path[from - 1]);
      return source != null && ended && streamed(path[from], source) > within ? NEVER : 0;
    }
    Set<Integer> ops = new TreeSet<>();
    long pieces = 2;
    for (int k = from; k < Math.min(to, from + MOST_OPS); k++) {
      ops.add(path[k]);
      if (k > from) {
        boolean over = OpTraits.of(network.ops().get(path[k])) == OpTraits.ELEMENTWISE;
        long live = facts.held(made(path[k - 1])) + (over ? 0 : result(path[k]));
        pieces = Math.max(pieces, (live + within - 1) / Math.max(1, within));
      }
    }
    return facts.extra(ops, pieces);
  }

  /** The input of the network that the first op of a path reads; null where it reads another. */
  private String source(int op) {
    String first = network.ops().get(op).inputs().get(0);
    boolean given = network.inputs().contains(first);
    return given && request.liveness().inputs() != LivenessOptions.Inputs.CALLER ? first : null;
  }

  /**
   * The least bytes of an operand and a result that are both whole at some time: row by row the
   * operand is freed as the result grows, one row of each not counted for cuts along two axes.
   */
  private long streamed(int op, String source) {
    return streamed.computeIfAbsent(op, absent -> least(network.ops().get(op), op, source));
  }

  private long least(Op op, int index, String source) {
    Tensor from = network.tensor(source);
    Tensor to = network.tensor(op.presentOutputs().get(0));
    if (OpTraits.of(op) == OpTraits.ELEMENTWISE || !op.inputs().contains(source)) {
      return Math.max(facts.bytes(source), facts.bytes(to.name()));
    }
    boolean tflite = AxisRules.isTflite(network);
    long least = facts.bytes(source) + facts.bytes(to.name());
    for (SplitAxis axis : SplitAxis.values()) {
      int dim = axis.dimension(to, tflite || to.rank() != 4);
      AxisRule rule = dim < 0 ? null : model.rule(index, dim, PadForm.PAD);
      if (rule == null || rule.barrier() != null) {
        continue;
      }
      int own = rule.dimension(op.inputs().indexOf(source));
      least = own < 0 ? least : Math.min(least, streamed(rule, from, own, to, dim));
    }
    return least;
  }

  private static long streamed(AxisRule rule, Tensor from, int own, Tensor to, int dim) {
    int rows = (int) to.extent(dim);
    long[] low = new long[rows];
    long[] high = new long[rows];
    for (int r = 0; r < rows; r++) {
      Part part = rule.map().part(new Span(r, r + 1), from.extent(own), rows);
      if (part == null) {
        return 0;
      }
      low[r] = part.fed().begin();
      high[r] = part.fed().end();
    }
    long first = Arrays.stream(low).min().orElse(0);
    long last = Arrays.stream(high).max().orElse(0);
    long row = from.bytes() / from.extent(own);
    long made = to.bytes() / rows;
    long down = 0;
    long up = 0;
    for (int r = 0; r < rows; r++) {
      down = Math.max(down, r * made + (r + 1 < rows ? (last - low[r + 1]) * row : 0));
      up = Math.max(up, (rows - 1 - r) * made + (r > 0 ? (high[r - 1] - first) * row : 0));
    }
    return Math.min(down, up);
  }
}
