package stowage.planning.fit.price;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.network.Network;
import stowage.network.Op;
import stowage.rewrite.MacCount;
import stowage.rewrite.SplitModel;

/**
 * Lower bound of the extra compute within a peak, from paths of ops each of which reads what the
 * one before makes.
 *
 * <p><b>Parts.</b> Two neighbours of a path are in one run of two pieces or more, or they are not.
 * If not, all that the second takes of the tensor between them is there at once: after the run of
 * the first and before that of the second. So is what all ops that wait for the second take of
 * tensors that are made before the first, or by ops for which the first waits: those run before and
 * after. Where all this together is more than the peak, both ops are in one run. Elsewhere they
 * need not be, and the tensors between ops that are not take the path apart. A path may lead
 * through concatenations, see {@link PathHeld}.
 *
 * <p><b>Pieces.</b> Two neighbours in one run with n pieces: in piece k the second reads a part of
 * the tensor between them and makes a part of its result, and both are there together (unless it
 * may write one over the other). All pieces together read and make what is needed at least, see
 * {@link CutRows}; so n times the peak is at least the bytes of both.
 *
 * <p>Where the tensor in front of a part is no longer whole it has to be there until pieces have
 * taken it, and what they have made of the part's result waits for its reader. Let x(k) be the
 * share of the result, in elements, that is made after piece k; s, r and m the bytes of the source,
 * the result, and the most that an op of the part takes and makes of tensors inside. If pieces take
 * every tensor in proportion, so that the first b rows of H take a share of b / H at least and all
 * after them the rest at least, then in piece k there are s (1 - x(k)), r x(k-1) and m (x(k) -
 * x(k-1)) together. With a peak of B, x(k) is (B - s + (m - r) x(k-1)) / (m - s) at most, for m
 * above s and r; n is at least the number of such steps from 0 to 1. With two axes a piece is one
 * of a band, and the shares of its rows and columns multiply; what is left over is a band's rest
 * and all bands after it, which take the product likewise. Rows after the last one that is taken
 * count nowhere, as if the tensor ended there. What is made before the part and taken after it is
 * there as well, and leaves so much less of the peak.
 *
 * <p><b>Price.</b> Along one axis let piece k of an op compute the rows [s(k), e(k)). Both rise
 * with k, and the sum of e(k) - s(k) is e(n) - s(1) + sum of e(k) - s(k+1): each of the n - 1 cuts
 * costs the rows that both its neighbours compute, or saves those that neither does. Take the ops
 * of a part. Of the last one's result any end e and begin s are possible at a cut as long as rows
 * between e and s are not needed. What the op before computes is at least what these rows take: its
 * e is at least the end of what [0, e) takes, its s at most the begin of what [s, H) takes, since
 * both rise with e and s; the run may need more, which only adds. Followed back through the part
 * and summed over its ops this is the price of one cut, and the least over all e and s, or 0 if
 * that is below, is what each cut costs. At both ends of the axis an op may leave out rows that are
 * not needed: its slack, which is taken off once for each op of a part but the last one, whose
 * result is assembled whole for what reads it in another run. So is that of the last op of a path,
 * and of ops on no path, whose readers may be in their runs.
 *
 * <p><b>Two axes.</b> Pieces of x more rows and y more columns in all than the H x W of the result
 * compute H y + W x + x y more. With v columns that are not needed, y is -v at least, so x counts W
 * times where it is below 0 and W - v times where it is above, and likewise y; both sums stay lower
 * bounds by cut, for the function of x is concave and f(cx) = c f(x) for c above 0. Of n pieces p
 * times q are n at least, and cuts along the axis with the least price and the second cost the sum.
 *
 * <p>A dynamic programme takes the cheapest way to take a path apart. A path goes on to the reader
 * with most compute ahead, since an op on no path costs nothing. Paths have no op in common, so
 * their bounds add up. O(ops * longest part * rows), then O(ops * longest part) for each peak.
 *
 * <p>Example: x of 8 rows, a 3 x 3 convolution (72 multiply-accumulates a row) that makes 8 rows of
 * 32 bytes, another that reads them and makes 8 rows of 8 bytes. Within 200 bytes the tensor of 256
 * is never whole, so both are in one run, of (256 + 64) / 200 = 2 pieces at least. At a cut the
 * second op takes two rows that the first computes twice: 2 * 72 = 144.
 */
public final class PathBound {
  /** Of a longer part the price of its last ops is counted, which is no more than its own. */
  private static final int MOST_OPS = 40;

  /** Most ops of one path; the table of bytes held next to it has a field for each pair of them. */
  private static final int LONGEST = 1024;

  /** Of more pieces so many are counted. */
  private static final long MOST_PIECES = 1 << 14;

  private static final long NEVER = Long.MAX_VALUE;

  private final LivenessOptions options;
  private final CutRows rows;
  private final boolean[] followed;
  private final long[] ahead;
  private final long[] slack;
  private final PathHeld held;
  private final Network network;
  private final SplitModel model;
  private final List<Path> paths = new ArrayList<>();

  /**
   * A path.
   *
   * @param ops one after the other
   * @param taken bytes that an op takes of the result before it, the first one of a network's input
   * @param whole whether that is all of it
   * @param kept bytes of an op's result that wait for the next one if that is not in its run
   * @param held see {@link PathHeld#along}
   * @param slack by op the compute that this one and those before it may leave out
   * @param others bytes of the other operands of an op by element, or of a concatenation
   * @param made bytes of an op's result, 0 where it may be written over an operand
   * @param even by last op of a part and distance before it whether pieces take a tensor in
   *     proportion, see {@link #even}
   * @param least by end and length of a part, less one each: the price of one cut along the
   *     dimension where that is least
   * @param second the same along another dimension; {@link #NEVER} for none, here and there
   */
  private record Path(
      int[] ops,
      long[] taken,
      boolean[] whole,
      long[][] held,
      long[] slack,
      long[] others,
      long[] kept,
      long[] made,
      boolean[][] even,
      long[][] least,
      long[][] second) {

    /** Bytes made by an op of a part that ends before another one, in proportion to its result. */
    long made(int op, int to, long others) {
      boolean all = op == to - 1 || whole[op + 1];
      return all ? made[op] + others : Math.min(made[op], taken[op + 1]);
    }

    /** Compute that a part of this path may leave out: of all its ops whose reader is in it. */
    long left(int from, int to) {
      int last = to < ops.length ? to - 1 : to;
      return (last == 0 ? 0 : slack[last - 1]) - (from == 0 ? 0 : slack[from - 1]);
    }
  }

  /** Finds the paths, and what cuts of their parts cost, until it is to stop. */
  public PathBound(
      Network network,
      LivenessOptions options,
      SplitModel model,
      CutRows rows,
      BooleanSupplier stopped) {
    this.network = network;
    this.model = model;
    this.rows = rows;
    this.options = options;
    boolean[] inPath = new boolean[network.ops().size()];
    this.followed = PriceCheck.followed(network);
    this.held = new PathHeld(network, options, model, rows, followed);
    this.slack = PriceCheck.slack(network);
    this.ahead = ahead();
    for (int first : network.executionOrder()) {
      List<Integer> path = new ArrayList<>();
      for (int op = first;
          op >= 0 && path.size() < LONGEST && mayFollow(op, inPath);
          op = next(op, inPath)) {
        inPath[op] = true;
        path.add(op);
      }
      if (path.size() > 1 && !stopped.getAsBoolean()) {
        paths.add(path(path.stream().mapToInt(Integer::intValue).toArray()));
      }
    }
  }

  /** Whether an op may write its result over an operand of the same bytes. */
  public static boolean overwrites(LivenessOptions options, Op op) {
    boolean own =
        switch (options.inPlace()) {
          case NONE, VIEWS, ELEMENTWISE, OPTIMAL, BANDS -> true;
          case ONNXRUNTIME, GGML, XNNPACK, ONNXSIM -> false;
        };
    return !own || OpTraits.of(op) == OpTraits.ELEMENTWISE;
  }

  /** Whether an op only shows bytes that are there: reshapes, slices, splits and concats. */
  public static boolean shows(Op op) {
    return switch (OpTraits.of(op)) {
      case RESHAPE_LIKE, SLICE_LIKE, SPLIT_LIKE, CONCAT_LIKE -> !op.presentOutputs().isEmpty();
      case ELEMENTWISE, OTHER -> false;
    };
  }

  private boolean mayFollow(int op, boolean[] inPath) {
    Op own = network.ops().get(op);
    return !inPath[op]
        && followed[op]
        && (!shows(own) || isConcat(own))
        && rows.dims(op).length > 0;
  }

  private static boolean isConcat(Op op) {
    return OpTraits.of(op) == OpTraits.CONCAT_LIKE;
  }

  /** By op the most compute of a path from it on. */
  private long[] ahead() {
    long[] ahead = new long[network.ops().size()];
    int[] order = network.executionOrder();
    for (int k = order.length - 1; k >= 0; k--) {
      Op own = network.ops().get(order[k]);
      for (String made : own.presentOutputs()) {
        for (int reader : model.readers(made)) {
          ahead[order[k]] = Math.max(ahead[order[k]], ahead[reader]);
        }
      }
      ahead[order[k]] += MacCount.of(network, own);
    }
    return ahead;
  }

  /** The reader of an op's result with most compute ahead; -1: none, or parts are shown. */
  private int next(int op, boolean[] inPath) {
    int best = -1;
    for (int reader : model.readers(rows.made(op))) {
      if (shows(network.ops().get(reader)) && !isConcat(network.ops().get(reader))) {
        return -1;
      }
      if (mayFollow(reader, inPath) && (best < 0 || ahead[reader] > ahead[best])) {
        best = reader;
      }
    }
    return best;
  }

  private Path path(int[] ops) {
    int count = ops.length;
    long[] taken = new long[count];
    long[] kept = new long[count];
    long[] others = new long[count];
    long[] made = new long[count];
    long[] left = new long[count];
    boolean[] whole = new boolean[count];
    boolean[][] even = new boolean[count][];
    long[][] least = new long[count][];
    long[][] second = new long[count][];
    for (int k = 0; k < count; k++) {
      int longest = Math.min(k + 1, MOST_OPS);
      least[k] = new long[longest];
      second[k] = new long[longest];
      Arrays.fill(least[k], NEVER);
      Arrays.fill(second[k], NEVER);
      even[k] = new boolean[longest + 1];
      Arrays.fill(even[k], true);
      for (int dim : rows.dims(ops[k])) {
        cut(ops, k, dim, least[k], second[k], even[k]);
      }
      Op op = network.ops().get(ops[k]);
      boolean none = overwrites(options, op) || shows(op) || held.isElsewhere(rows.made(ops[k]));
      made[k] = none ? 0 : rows.computed(ops[k]);
      String source = source(ops, k);
      long there = source == null ? 0 : network.tensor(source).bytes();
      taken[k] = there > 0 && held.bytes(source) == there ? rows.taken(ops[k], source) : 0;
      if (OpTraits.of(op) == OpTraits.ELEMENTWISE || isConcat(op)) {
        for (String other : new HashSet<>(op.presentInputs())) {
          boolean own = !other.equals(source) && held.hasPlace(other);
          others[k] += own ? rows.taken(ops[k], other) : 0;
        }
      }
      if (k > 0) {
        kept[k - 1] = rows.first(ops[k], source) == null ? 0 : taken[k];
        whole[k] = taken[k] == there;
      }
      left[k] = slack[ops[k]] + (k > 0 ? left[k - 1] : 0);
    }
    String last = rows.made(ops[count - 1]);
    boolean stays =
        network.outputs().contains(last) && held.bytes(last) == network.tensor(last).bytes();
    kept[count - 1] = stays ? held.bytes(last) : 0;
    long[][] waiting = held.along(ops);
    return new Path(ops, taken, whole, waiting, left, others, kept, made, even, least, second);
  }

  /** What an op takes of the one before; of the first one an input of the network, or null. */
  private String source(int[] ops, int k) {
    if (k > 0) {
      return rows.made(ops[k - 1]);
    }
    String first = network.ops().get(ops[0]).inputs().get(0);
    return network.inputs().contains(first) && network.producer(first) < 0 ? first : null;
  }

  /** Follows cuts of a part's result along a dimension back through longer and longer parts. */
  private void cut(int[] ops, int last, int dim, long[] least, long[] second, boolean[] even) {
    CutRows.Cut cut = rows.new Cut(ops[last], dim);
    long[] sums = new long[cut.count()];
    long extent = network.tensor(rows.made(ops[last])).extent(dim);
    even[0] &=
        last < ops.length - 1
            || rows.computed(ops[last]) == network.tensor(rows.made(ops[last])).bytes();
    for (int length = 1; length <= least.length; length++) {
      int op = ops[last - length + 1];
      cut.addTo(sums, op);
      long price = Math.max(0, Arrays.stream(sums).min().orElse(0));
      second[length - 1] = Math.min(second[length - 1], Math.max(price, least[length - 1]));
      least[length - 1] = Math.min(least[length - 1], price);
      String source = source(ops, last - length + 1);
      cut = source == null ? null : cut.operand(op, source);
      if (cut == null) {
        even[length] = false;
        return;
      }
      long[] first = rows.first(op, source);
      even[length] &= first != null && cut.isEven(extent, first);
      if (length < least.length
          && Arrays.binarySearch(rows.dims(ops[last - length]), cut.dim()) < 0) {
        return;
      }
    }
  }

  /** What is proven for a peak: the paths that add more than their ops may leave out. */
  public PriceProof proof(long within) {
    List<PriceProof.Path> priced = new ArrayList<>();
    for (Path path : paths) {
      Long[] reached = reached(path, Math.max(1, within));
      int last = reached.length - 1;
      if (reached[last] + path.slack[last] > 0) {
        List<String> names =
            Arrays.stream(path.ops).mapToObj(op -> network.ops().get(op).name()).toList();
        priced.add(new PriceProof.Path(names, List.of(reached)));
      }
    }
    return new PriceProof(within, priced);
  }

  /** By op what the path up to it costs at least, 0 where no part can end there. */
  private static Long[] reached(Path path, long within) {
    int count = path.ops.length;
    long[] least = new long[count + 1];
    Arrays.fill(least, NEVER);
    least[0] = 0;
    for (int to = 1; to <= count; to++) {
      if (to < count && path.held[to][to] > within) {
        continue; // never between two runs
      }
      for (int from = to - 1; from >= 0; from--) {
        long left = path.left(from, to);
        long one = from == to - 1 ? 0 : path.least[to - 1][Math.min(to - from, MOST_OPS) - 1];
        if (least[from] != NEVER && one != NEVER && least[from] + one - left < least[to]) {
          long price = one == 0 ? 0 : price(path, from, to, within);
          least[to] = Math.min(least[to], least[from] + price - left);
        }
      }
    }
    return Arrays.stream(least, 1, count + 1)
        .mapToObj(price -> price == NEVER ? 0L : price)
        .toArray(Long[]::new);
  }

  /** The least price of a part of several ops of which a cut costs something. */
  private static long price(Path path, int from, int to, long within) {
    int length = Math.min(to - from, MOST_OPS) - 1;
    long one = path.least[to - 1][length];
    long other = path.second[to - 1][length];
    long pieces = pieces(path, from, to, Math.max(1, within - path.held[from][to]));
    long best = (pieces - 1) * one;
    for (long few = 1; other != NEVER && few <= (pieces + few - 1) / few; few++) {
      long many = (pieces + few - 1) / few; // along the cheaper dimension there are as many or more
      best = Math.min(best, (many - 1) * one + (few - 1) * other);
    }
    return best;
  }

  /** In how many pieces at least a part is cut. */
  private static long pieces(Path path, int from, int to, long within) {
    boolean[] even = path.even[to - 1];
    boolean streams = to - from < even.length && even[to - from];
    long waiting = from == 0 ? path.taken[0] : path.kept[from - 1];
    long source = streams ? waiting : 0;
    long result = path.kept[to - 1];
    long most = 0;
    long proportional = source + (isEven(even, to - 1 - from) ? path.made(from, to, 0) : 0);
    for (int k = from + 1; k < to; k++) {
      most = Math.max(most, path.taken[k] + path.others[k] + path.made[k]);
      long taken = isEven(even, to - k) ? path.taken[k] : 0;
      long made = isEven(even, to - 1 - k) ? path.made(k, to, path.others[k]) : 0;
      proportional = Math.max(proportional, taken + made);
    }
    long pieces = Math.max(2, (most + within - 1) / within);
    if (even[0] && proportional > Math.max(source, result)) {
      pieces = Math.max(pieces, steps(proportional, source, result, within));
    }
    return Math.min(MOST_PIECES, pieces);
  }

  private static boolean isEven(boolean[] even, int distance) {
    return distance < even.length && even[distance];
  }

  private static long steps(double most, double source, double result, double within) {
    double done = 0;
    long pieces = 0;
    while (done < 1 && pieces < MOST_PIECES) {
      double next = (within - source + (most - result) * done) / (most - source) + 1e-9;
      if (next <= done) {
        return MOST_PIECES;
      }
      done = next;
      pieces++;
    }
    return pieces;
  }
}
