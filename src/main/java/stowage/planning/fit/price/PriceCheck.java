package stowage.planning.fit.price;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;

/**
 * Check of a {@link PriceProof} that shares no code with what found it: rows are followed tap by
 * tap, from attributes and shapes alone. It accepts networks of TFLite's ops alone, where runs put
 * their results together whole; elsewhere pieces of runs may take turns, at no price.
 *
 * <p>It knows convolutions, pools, margins, concatenations of channels, ops by element and over
 * channels, and accepts no other op on a path. Runs are cut along an image's dimensions or the
 * batch; along channels no convolution can be cut, and parts without one cost nothing. Of an op
 * that is on no path it has to know that its result is needed whole; where it does not, all the
 * compute of that op is taken off.
 */
public final class PriceCheck {
  /** Choices of what shares a buffer under which only ops by element write over an operand. */
  private static final Set<LivenessOptions.InPlace> OWN =
      Set.of(
          LivenessOptions.InPlace.NONE,
          LivenessOptions.InPlace.VIEWS,
          LivenessOptions.InPlace.ELEMENTWISE,
          LivenessOptions.InPlace.OPTIMAL,
          LivenessOptions.InPlace.BANDS);

  /** Of more pieces so many are counted. */
  private static final long MOST_PIECES = 1 << 14;

  /** The first dimensions, along which runs are cut: the batch, rows and columns. */
  private static final int CUT = 3;

  /** Rows of all tensors and dimensions that can be marked. */
  private static final long MOST_ROWS = 1 << 26;

  private final Network network;
  private final PriceRows rows;
  private final boolean overAny;
  private final PriceHeld held;
  private final Map<String, Integer> byName = new HashMap<>();

  /** What is known of paths whatever the peak is, by the names of their ops. */
  private final Map<List<String>, Followed> known = new HashMap<>();

  /** By op the compute that pieces may leave out. */
  private final long[] slack;

  /**
   * A path, by place on it.
   *
   * @param taken bytes of what is read there of the op before that are taken
   * @param whole whether that is all of it
   * @param own bytes made in a place of their own
   * @param others bytes of other operands, of ops by element and concatenations
   * @param held see {@link PriceHeld#during}
   * @param ends parts of the path by their last op
   */
  private record Followed(
      int[] ops,
      long[] taken,
      boolean[] whole,
      long[] own,
      long[] others,
      long[][] held,
      List<End> ends) {}

  /**
   * The parts of a path that end at an op.
   *
   * @param prices by dimension and first op what a cut costs at least
   * @param even by place, and the result: whether of each cut both pieces take their share at least
   * @param kept bytes of the result that wait for what reads it
   */
  private record End(long[][] prices, boolean[] even, long kept) {}

  /** Whether a network has TFLite's ops, and few enough rows of all its tensors to mark each. */
  public static boolean canFollow(Network network) {
    double rows = 0;
    for (Tensor tensor : network.tensors().values()) {
      for (int dim = 0; dim < tensor.rank() && !tensor.isWeight(); dim++) {
        rows += tensor.extent(dim);
      }
    }
    return rows <= MOST_ROWS && PriceRows.isTflite(network);
  }

  /**
   * A check of proofs about a network.
   *
   * @throws IllegalArgumentException where it cannot be followed, see {@link #canFollow}
   */
  public PriceCheck(Network network, LivenessOptions options) {
    this.network = network;
    demand(
        canFollow(network),
        "the network has other ops than TFLite, or more than " + MOST_ROWS + " rows");
    this.rows = new PriceRows(network);
    this.slack = slack(network);
    this.held = new PriceHeld(network, rows, options.inputs() == LivenessOptions.Inputs.CALLER);
    this.overAny = !OWN.contains(options.inPlace());
    for (int k = 0; k < network.ops().size(); k++) {
      byName.merge(network.ops().get(k).name(), k, (one, other) -> -1);
    }
  }

  /**
   * The extra compute that a proof proves for a peak, 0 at least. O(ops of a path squared * rows),
   * for more proofs by the same path O(ops squared * square root of the pieces).
   *
   * @throws IllegalArgumentException where something of it is false, or cannot be followed
   */
  public long proven(PriceProof proof) {
    try {
      return sum(proof);
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException("what the paths reach is too large to add up", tooLarge);
    }
  }

  private long sum(PriceProof proof) {
    long within = Math.max(1, proof.within());
    Set<Integer> seen = new HashSet<>();
    long sum = 0;
    for (PriceProof.Path path : proof.paths()) {
      int[] ops = path.ops().stream().mapToInt(name -> byName.getOrDefault(name, -1)).toArray();
      for (int op : ops) {
        demand(
            op >= 0 && seen.add(op), "an op of \"" + path.ops() + "\" is unknown or occurs twice");
      }
      follow(known.computeIfAbsent(path.ops(), names -> followed(ops)), path, within);
      sum = Math.addExact(sum, path.reached().get(ops.length - 1));
    }
    for (int op = 0; op < slack.length; op++) {
      sum = Math.subtractExact(sum, seen.contains(op) ? 0 : slack[op]);
    }
    return Math.max(0, sum);
  }

  /** Whether nothing of a proof is found false. */
  public boolean accepts(PriceProof proof) {
    try {
      return proven(proof) >= 0;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  /** By op whether it may be on a path. */
  static boolean[] followed(Network network) {
    PriceRows rows = new PriceRows(network);
    boolean[] known = new boolean[network.ops().size()];
    for (int k = 0; k < known.length; k++) {
      known[k] = rows.isKnown(network.ops().get(k));
    }
    return known;
  }

  /** By op the compute that pieces may leave out, since no result of the network needs it. */
  static long[] slack(Network network) {
    PriceRows rows = new PriceRows(network);
    return IntStream.range(0, network.ops().size()).mapToLong(rows::slack).toArray();
  }

  private static void demand(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Bytes that an op makes in a place of their own. */
  private long own(int op) {
    Op own = network.ops().get(op);
    long made = network.tensor(rows.made(op)).bytes();
    for (boolean[] one : rows.needed(rows.made(op))) {
      made = made / one.length * PriceRows.count(one);
    }
    boolean there = held.hasPlace(rows.made(op)) && !OpTypes.isElementwise(own);
    return overAny || !there ? 0 : made;
  }

  /** Whether an op takes rows of an operand in a way that can be followed. */
  private boolean takes(Op op, String operand) {
    return rows.isKnown(op) && rows.takes(op, operand);
  }

  /** Goes through all parts of a path. */
  private Followed followed(int[] ops) {
    String[] read = new String[ops.length];
    long[] taken = new long[ops.length];
    long[] own = new long[ops.length];
    long[] others = new long[ops.length];
    boolean[] whole = new boolean[ops.length];
    for (int k = 0; k < ops.length; k++) {
      Op op = network.ops().get(ops[k]);
      demand(rows.isKnown(op), "op \"" + op.name() + "\" is of no type that can be followed");
      read[k] = k == 0 ? op.inputs().get(0) : rows.made(ops[k - 1]);
      demand(takes(op, read[k]), "\"" + op.name() + "\" does not read " + read[k]);
      boolean there = k > 0 || network.inputs().contains(read[0]);
      taken[k] = there && held.isThere(read[k]) ? rows.taken(ops[k], read[k]) : 0;
      whole[k] = taken[k] == network.tensor(read[k]).bytes();
      own[k] = own(ops[k]);
      boolean several = OpTypes.isElementwise(op) || rows.isConcat(op);
      others[k] = several ? others(ops[k], read[k]) : 0;
    }
    long[][] firsts = new long[ops.length][];
    Arrays.setAll(firsts, k -> rows.first(ops[k], read[k]));
    Along[] alongs = new Along[CUT];
    Arrays.setAll(alongs, dim -> along(ops, read, firsts, dim));
    List<End> ends = new ArrayList<>();
    for (int to = 0; to < ops.length; to++) {
      boolean[] even = new boolean[to + 2];
      Arrays.fill(even, true);
      long[][] prices = new long[CUT][];
      for (int dim = 0; dim < CUT; dim++) {
        prices[dim] = cuts(ops[to], to, alongs[dim], even);
      }
      String result = rows.made(ops[to]);
      boolean last = to + 1 == ops.length;
      even[to + 1] = !last || rows.isWhole(result);
      boolean waits = last && network.outputs().contains(result) && held.isThere(result);
      long kept = waits ? network.tensor(result).bytes() : 0;
      if (!last) {
        kept = firsts[to + 1] == null ? 0 : taken[to + 1];
      }
      ends.add(new End(prices, even, kept));
    }
    return new Followed(ops, taken, whole, own, others, held.during(ops), ends);
  }

  /** Goes through what the parts of a path reach within a peak. */
  private void follow(Followed path, PriceProof.Path claim, long within) {
    int count = path.ends.size();
    for (int to = 0; to < count; to++) {
      if (to + 1 < count && path.held[to + 1][to + 1] > within) {
        continue;
      }
      // The last op of a part makes all of its result, unless what reads that may be in its run.
      long left = to + 1 < count ? 0 : slack[path.ops[to]];
      for (int from = to; from >= 0; from--) {
        left += from < to ? slack[path.ops[from]] : 0;
        if (from == 0 || path.held[from][from] <= within) {
          long before = from == 0 ? 0 : claim.reached().get(from - 1);
          long claimed = Math.addExact(Math.subtractExact(claim.reached().get(to), before), left);
          long[][] prices = path.ends.get(to).prices;
          long least = from == to ? 0 : least(prices, from, 2);
          if (least > 0 && claimed > least) {
            long free = Math.max(1, within - path.held[from][to + 1]);
            least = least(prices, from, fewest(path, from, to, free));
          }
          if (claimed > least) {
            throw new IllegalArgumentException(
                "\"%s\" is reached for less than %d"
                    .formatted(claim.ops().get(to), claim.reached().get(to)));
          }
        }
      }
    }
  }

  private long others(int op, String read) {
    return network.ops().get(op).presentInputs().stream()
        .distinct()
        .filter(name -> !name.equals(read) && held.hasPlace(name))
        .mapToLong(name -> rows.taken(op, name))
        .sum();
  }

  /** Pieces that a part of a path needs at least. */
  private static long fewest(Followed path, int from, int to, long within) {
    long[] taken = path.taken;
    long[] others = path.others;
    long[] own = path.own;
    boolean[] even = path.ends.get(to).even;
    long kept = path.ends.get(to).kept;
    long any = 0;
    long shared = 0;
    for (int k = from; k <= to; k++) {
      any = k > from ? Math.max(any, taken[k] + others[k] + own[k]) : any;
      boolean all = k == to || path.whole[k + 1];
      long made = all ? (k > from ? others[k] : 0) + own[k] : Math.min(own[k], taken[k + 1]);
      shared = Math.max(shared, (even[k] ? taken[k] : 0) + (even[k + 1] ? made : 0));
    }
    long fewest = Math.min(MOST_PIECES, Math.max(2, any / within + (any % within > 0 ? 1 : 0)));
    long source = even[from] ? taken[from] : 0;
    if (!even[to + 1] || shared <= source || shared <= kept) {
      return fewest;
    }
    // What is made after each piece, if each is as large as the peak allows.
    long pieces = 0;
    double share = 0;
    while (share < 1 && pieces < MOST_PIECES) {
      double free = within - kept * share - source * (1 - share);
      double more = free / (shared - source) + 1e-9;
      share += more;
      pieces = more <= 0 ? MOST_PIECES : pieces + 1;
    }
    return Math.max(fewest, pieces);
  }

  /** The least price of a run of so many pieces, cut along one dimension or two. */
  private static long least(long[][] prices, int from, long pieces) {
    long best = Long.MAX_VALUE;
    for (long[] one : prices) {
      best = Math.min(best, (pieces - 1) * one[from]);
      for (long[] other : prices) {
        // Pieces down and across change places with the dimensions, so the fewer may be first.
        for (long down = 2; one != other; down++) {
          long across = (pieces + down - 1) / down;
          if (across < down) {
            break;
          }
          best = Math.min(best, (down - 1) * one[from] + (across - 1) * other[from]);
        }
      }
    }
    return best;
  }

  /**
   * The ops of a path along a dimension.
   *
   * @param extents of what each op makes
   * @param before of what it reads; 0 where that has no such dimension
   * @param first of that how many rows are what it takes; 0 where these are no first rows
   * @param dear compute of a row that both sides of a cut do
   * @param saved compute of a row that neither does
   * @param edges see {@link PriceRows#edges}
   */
  private record Along(
      int dim,
      long[] extents,
      long[] before,
      long[] first,
      long[] dear,
      long[] saved,
      long[][][] edges) {}

  private Along along(int[] ops, String[] read, long[][] firsts, int dim) {
    int count = ops.length;
    Along along =
        new Along(
            dim,
            new long[count],
            new long[count],
            new long[count],
            new long[count],
            new long[count],
            new long[count][][]);
    for (int k = 0; k < count; k++) {
      long all = MacCount.of(network, network.ops().get(ops[k]));
      along.extents[k] = network.tensor(rows.made(ops[k])).extent(dim);
      along.dear[k] = rows.counted(ops[k], all, dim) / along.extents[k];
      along.saved[k] = all / along.extents[k];
      if (network.tensor(read[k]).rank() == 4) {
        along.before[k] = network.tensor(read[k]).extent(dim);
        along.edges[k] = rows.edges(ops[k], dim, along.before[k]);
        along.first[k] = firsts[k] == null ? 0 : firsts[k][dim];
      }
    }
    return along;
  }

  /**
   * By first op of a part the least price of one cut along a dimension.
   *
   * @param even by place on the path, and the last result: stays true where of each cut both pieces
   *     take their share at least
   */
  private long[] cuts(int last, int to, Along along, boolean[] even) {
    long[] least = new long[to + 1];
    Arrays.fill(least, Long.MAX_VALUE);
    boolean[] result = rows.needed(rows.made(last))[along.dim];
    for (int place = 1; place < Math.max(2, result.length); place++) {
      long end = place;
      long begin = place;
      while (begin < result.length - 1 && !result[(int) begin]) {
        begin++;
      }
      begin = Math.min(begin, result.length - 1);
      long sum = 0;
      for (int from = to; from >= 0; from--) {
        long both = end - begin;
        sum += both * (both > 0 ? along.dear[from] : along.saved[from]);
        least[from] = Math.min(least[from], Math.max(0, sum));
        long before = along.before[from];
        long[][] edge = along.edges[from];
        if (edge == null) {
          even[from] = false;
          continue;
        }
        end = end <= 0 ? 0 : edge[0][(int) end - 1];
        begin = begin >= along.extents[from] ? before : edge[1][(int) begin];
        long first = along.first[from];
        even[from] &= first > 0 && begin * result.length <= place * first;
        even[from] &= place * first <= end * result.length;
      }
    }
    return least;
  }
}
