package stowage.planning.fit;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;

/**
 * Check of a {@link PriceProof} that shares no code with what found it: rows are followed tap by
 * tap, from attributes and shapes alone.
 *
 * <p>It knows convolutions, pools and ops by element, and accepts no other op on a path. Runs are
 * cut along an image's dimensions or the batch; along channels no convolution can be cut, and parts
 * without one cost nothing. Of an op that is on no path it has to know that its result is needed
 * whole; where it does not, all the compute of that op is taken off.
 */
public final class PriceCheck {
  private static final Set<String> CONVOLUTIONS =
      Set.of("CONV", "QLINEARCONV", "CONVINTEGER", "CONV2D", "DEPTHWISECONV2D");
  private static final Set<String> POOLS =
      Set.of("MAXPOOL", "AVERAGEPOOL", "MAXPOOL2D", "AVERAGEPOOL2D");

  /** Ops whose result cannot be known without every element of each operand. */
  private static final Set<String> READ_ALL =
      Set.of(
          "RESHAPE",
          "FLATTEN",
          "SQUEEZE",
          "UNSQUEEZE",
          "EXPANDDIMS",
          "IDENTITY",
          "TRANSPOSE",
          "CONCAT",
          "CONCATENATION",
          "FULLYCONNECTED",
          "GEMM",
          "MATMUL",
          "SOFTMAX",
          "LOGSOFTMAX",
          "MEAN",
          "REDUCEMEAN",
          "GLOBALAVERAGEPOOL",
          "GLOBALMAXPOOL",
          "LAYERNORMALIZATION",
          "L2NORMALIZATION",
          "SPLIT",
          "SPLITV",
          "QUANTIZE",
          "DEQUANTIZE",
          "QUANTIZELINEAR",
          "DEQUANTIZELINEAR");

  /** Choices of what shares a buffer under which only ops by element write over an operand. */
  private static final Set<LivenessOptions.InPlace> OWN =
      Set.of(
          LivenessOptions.InPlace.NONE,
          LivenessOptions.InPlace.VIEWS,
          LivenessOptions.InPlace.ELEMENTWISE,
          LivenessOptions.InPlace.OPTIMAL);

  /** Of more pieces so many are counted. */
  private static final long MOST_PIECES = 1 << 14;

  private final Network network;
  private final long within;
  private final boolean last;
  private final boolean overAny;
  private final boolean callers;
  private final Map<String, Integer> byName = new HashMap<>();
  private final Map<String, Set<Integer>> readers = new HashMap<>();
  private final Map<String, boolean[][]> needed = new HashMap<>();
  private final Map<String, long[][]> edges = new HashMap<>();

  private PriceCheck(FitRequest request, long within) {
    this.network = request.network();
    this.within = within;
    this.last =
        network.format().equals("tflite")
            || network.ops().stream().anyMatch(op -> op.type().endsWith("CONV_2D"));
    this.callers = request.liveness().inputs() == LivenessOptions.Inputs.CALLER;
    this.overAny = !OWN.contains(request.liveness().inPlace());
    for (int k = 0; k < network.ops().size(); k++) {
      byName.merge(network.ops().get(k).name(), k, (one, other) -> -1);
      for (String input : network.ops().get(k).presentInputs()) {
        readers.computeIfAbsent(input, name -> new HashSet<>()).add(k);
      }
    }
    int[] order = network.executionOrder();
    for (int k = order.length - 1; k >= 0; k--) {
      network.ops().get(order[k]).presentOutputs().forEach(name -> needed.put(name, rows(name)));
    }
  }

  /**
   * The extra compute that a proof proves for a peak, 0 at least. O(ops of a path squared * rows).
   *
   * @throws IllegalArgumentException where something of it is false, or cannot be followed
   */
  public static long proven(FitRequest request, PriceProof proof) {
    PriceCheck check = new PriceCheck(request, Math.max(1, proof.within()));
    Set<Integer> seen = new HashSet<>();
    long sum = 0;
    demand(FitCompute.unit(request.network()).equals("macs"), "a proof is of multiply-accumulates");
    for (PriceProof.Path path : proof.paths()) {
      int[] ops =
          path.ops().stream().mapToInt(name -> check.byName.getOrDefault(name, -1)).toArray();
      for (int op : ops) {
        demand(
            op >= 0 && seen.add(op), "an op of \"" + path.ops() + "\" is unknown or occurs twice");
      }
      check.follow(ops, path);
      sum += path.reached().get(ops.length - 1);
    }
    for (int k = 0; k < request.network().ops().size(); k++) {
      sum -= check.slack(k);
    }
    return Math.max(0, sum);
  }

  /** Whether nothing of a proof is found false. */
  static boolean accepts(FitRequest request, PriceProof proof) {
    try {
      return proven(request, proof) >= 0;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  /** By op whether it may be on a path. */
  static boolean[] followed(FitRequest request) {
    PriceCheck check = new PriceCheck(request, 1);
    boolean[] known = new boolean[check.network.ops().size()];
    for (int k = 0; k < known.length; k++) {
      known[k] = check.isKnown(check.network.ops().get(k));
    }
    return known;
  }

  private static void demand(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private String made(int op) {
    return network.ops().get(op).presentOutputs().get(0);
  }

  private boolean isWindow(Op op) {
    return CONVOLUTIONS.contains(OpTypes.key(op)) || POOLS.contains(OpTypes.key(op));
  }

  /** Whether rows of an op's operand and result belong together as this class has it. */
  private boolean isKnown(Op op) {
    boolean one = op.outputs().size() == 1 && op.presentOutputs().size() == 1;
    if (!one || op.inputs().isEmpty() || op.inputs().get(0).isEmpty()) {
      return false;
    }
    Tensor to = network.tensor(op.outputs().get(0));
    if (isWindow(op)) {
      int rank = network.tensor(op.inputs().get(0)).rank();
      boolean plain = !op.flag("ceil_mode") && !op.text("auto_pad", "NOTSET").startsWith("SAME");
      return to.rank() == 4 && rank == 4 && plain && taps(op) != null;
    }
    return to.rank() == 4
        && OpTypes.isElementwise(op)
        && op.presentInputs().stream()
            .map(network::tensor)
            .allMatch(from -> from.isWeight() || from.shape().equals(to.shape()));
  }

  private boolean isImage(int dim) {
    return last ? dim == 1 || dim == 2 : dim >= 2;
  }

  /** Taps along both dimensions of the image; null where they are not known. */
  private long[] taps(Op op) {
    if (!op.integers("kernel_shape").isEmpty()) {
      return op.integers("kernel_shape").stream().mapToLong(Long::longValue).toArray();
    }
    if (POOLS.contains(OpTypes.key(op))) {
      long[] pool = {op.integer("filter_height", 0), op.integer("filter_width", 0)};
      return pool[0] > 0 ? pool : null;
    }
    int filter = OpTypes.key(op).startsWith("QLINEAR") ? 3 : 1;
    Tensor weights = op.inputs().size() > filter ? network.tensor(op.inputs().get(filter)) : null;
    return weights == null || weights.rank() != 4
        ? null
        : last
            ? new long[] {weights.extent(1), weights.extent(2)}
            : new long[] {weights.extent(2), weights.extent(3)};
  }

  /** First row of the operand, and the row after the last, that one row of a result takes. */
  private long[] reads(Op op, int dim, long row) {
    if (!isWindow(op) || !isImage(dim)) {
      return new long[] {row, row + 1};
    }
    int k = dim - (last ? 1 : 2);
    long extent = network.tensor(op.inputs().get(0)).extent(dim);
    long stride = setting(op, "strides", k == 0 ? "stride_h" : "stride_w", k);
    long spread = setting(op, "dilations", k == 0 ? "dilation_h_factor" : "dilation_w_factor", k);
    long reach = (taps(op)[k] - 1) * spread;
    long before = op.integers("pads").isEmpty() ? 0 : op.integers("pads").get(k);
    if (op.text("padding", "").toUpperCase(Locale.ROOT).equals("SAME")) {
      long rows = network.tensor(op.outputs().get(0)).extent(dim);
      before = Math.max(0, (rows - 1) * stride + reach + 1 - extent) / 2;
    }
    long low = extent;
    long high = 0;
    for (long tap = 0; tap <= reach; tap += Math.max(1, spread)) {
      long at = row * stride - before + tap;
      if (at >= 0 && at < extent) {
        low = Math.min(low, at);
        high = at + 1;
      }
    }
    return new long[] {low, high};
  }

  private static long setting(Op op, String list, String single, int k) {
    List<Long> given = op.integers(list);
    return given.isEmpty() ? Math.max(1, op.integer(single, 1)) : given.get(k);
  }

  /** By dimension of a tensor the rows without which some result of the network is not known. */
  private boolean[][] rows(String tensor) {
    Tensor own = network.tensor(tensor);
    boolean[][] rows = new boolean[own.rank()][];
    Arrays.setAll(rows, dim -> new boolean[(int) own.extent(dim)]);
    boolean all = network.outputs().contains(tensor) || !readers.containsKey(tensor);
    for (int reader : readers.getOrDefault(tensor, Set.of())) {
      Op op = network.ops().get(reader);
      boolean known = isKnown(op);
      boolean whole = op.presentOutputs().stream().allMatch(this::isWhole);
      all |= whole && (READ_ALL.contains(OpTypes.key(op)) || OpTypes.isElementwise(op));
      for (int dim = 0; known && dim < rows.length; dim++) {
        boolean[] made = needed.get(made(reader))[dim];
        boolean channels = isWindow(op) && dim > 0 && !isImage(dim);
        if (channels && count(made) == made.length) {
          Arrays.fill(rows[dim], true);
        }
        for (int r = 0; r < made.length && !channels; r++) {
          long[] read = made[r] ? reads(op, dim, r) : new long[2];
          if (read[0] < read[1]) {
            Arrays.fill(rows[dim], (int) read[0], (int) read[1], true);
          }
        }
      }
    }
    if (all) {
      Arrays.stream(rows).forEach(dim -> Arrays.fill(dim, true));
    }
    return rows;
  }

  private boolean isWhole(String tensor) {
    return Arrays.stream(needed.get(tensor)).allMatch(rows -> count(rows) == rows.length);
  }

  private static int count(boolean[] rows) {
    int count = 0;
    for (boolean row : rows) {
      count += row ? 1 : 0;
    }
    return count;
  }

  /** The compute of an op that pieces may leave out. */
  private long slack(int op) {
    Op own = network.ops().get(op);
    long all = MacCount.of(network, own);
    if (all == 0 || isWhole(made(op))) {
      return isWindow(own) || all == 0 || !OpTypes.key(own).contains("TRANSPOSE") ? 0 : all;
    }
    long slack = 0;
    for (boolean[] rows : needed.get(made(op))) {
      slack += all / rows.length * (rows.length - count(rows));
    }
    return isKnown(own) ? slack : all;
  }

  /** Bytes of what an op takes of an operand, as far as it is known to be needed. */
  private long taken(int op, String operand) {
    Op own = network.ops().get(op);
    Tensor from = network.tensor(operand);
    long bytes = from.bytes();
    for (int dim = 0; dim < from.rank(); dim++) {
      boolean[] made = needed.get(made(op))[dim];
      boolean[] rows = new boolean[(int) from.extent(dim)];
      for (int r = 0; r < made.length; r++) {
        long[] read = made[r] ? reads(own, dim, r) : new long[2];
        for (long at = read[0]; at < read[1] && at < rows.length; at++) {
          rows[(int) at] = true;
        }
      }
      boolean channels = isWindow(own) && dim > 0 && !isImage(dim);
      bytes = channels ? bytes : bytes / rows.length * count(rows);
    }
    return bytes;
  }

  /** Bytes that an op makes in a place of their own. */
  private long own(int op) {
    Op own = network.ops().get(op);
    long made = network.tensor(made(op)).bytes();
    for (boolean[] rows : needed.get(made(op))) {
      made = made / rows.length * count(rows);
    }
    return overAny || OpTypes.isElementwise(own) || isCallers(made(op)) ? 0 : made;
  }

  private boolean isCallers(String tensor) {
    return callers && (network.inputs().contains(tensor) || network.outputs().contains(tensor));
  }

  /** Goes through all parts of a path, and what they reach. */
  private void follow(int[] ops, PriceProof.Path path) {
    // By place on the path: what is read there, of it what is taken, what is made of it.
    String[] read = new String[ops.length];
    long[] taken = new long[ops.length];
    long[] own = new long[ops.length];
    long[] others = new long[ops.length];
    long[] between = new long[ops.length];
    for (int k = 0; k < ops.length; k++) {
      Op op = network.ops().get(ops[k]);
      demand(isKnown(op), "op \"" + op.name() + "\" is of no type that can be followed");
      read[k] = k == 0 ? op.inputs().get(0) : made(ops[k - 1]);
      demand(op.inputs().contains(read[k]), "\"" + op.name() + "\" does not read " + read[k]);
      boolean there = k > 0 || network.inputs().contains(read[0]);
      taken[k] = there && !isCallers(read[k]) ? taken(ops[k], read[k]) : 0;
      own[k] = own(ops[k]);
      others[k] = isWindow(op) ? 0 : others(ops[k], read[k]);
      between[k] = k == 0 ? 0 : taken[k] + beside(ops[k - 1], ops[k]);
    }
    for (int to = 0; to < ops.length; to++) {
      if (to + 1 < ops.length && between[to + 1] > within) {
        continue;
      }
      boolean[] even = new boolean[to + 2];
      Arrays.fill(even, true);
      long[][] prices = new long[4][];
      for (int dim = 0; dim < 4; dim++) {
        prices[dim] = dim == 0 || isImage(dim) ? cuts(ops, to, dim, even) : null;
      }
      for (int k = 0; k <= to; k++) {
        even[k] &= taken[k] == network.tensor(read[k]).bytes();
      }
      even[to + 1] = isWhole(made(ops[to]));
      String result = made(ops[to]);
      boolean waits =
          to + 1 < ops.length
              ? taken[to + 1] == network.tensor(result).bytes()
              : network.outputs().contains(result) && !callers;
      long kept = waits ? network.tensor(result).bytes() : 0;
      for (int from = to; from >= 0; from--) {
        if (from == 0 || between[from] <= within) {
          long least =
              from == to
                  ? 0
                  : least(prices, from, fewest(from, to, taken, others, own, even, kept));
          long before = from == 0 ? 0 : path.reached().get(from - 1);
          demand(
              path.reached().get(to) - least <= before,
              "\"" + path.ops().get(to) + "\" is reached for less than " + path.reached().get(to));
        }
      }
    }
  }

  /** Whether a tensor is an input, or made by an op that can be followed; then it has its place. */
  private boolean hasPlace(String tensor) {
    int from = network.producer(tensor);
    boolean made = from < 0 ? network.inputs().contains(tensor) : isKnown(network.ops().get(from));
    return made && !isCallers(tensor);
  }

  private long others(int op, String read) {
    return network.ops().get(op).presentInputs().stream()
        .distinct()
        .filter(name -> !name.equals(read) && hasPlace(name))
        .mapToLong(name -> taken(op, name))
        .sum();
  }

  /**
   * Bytes that are there between two ops, which are in different runs, besides what one hands on.
   */
  private long beside(int one, int next) {
    Set<Integer> before = new HashSet<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(one));
    while (!open.isEmpty()) {
      int op = open.pop();
      if (before.add(op)) {
        for (String name : network.ops().get(op).presentInputs()) {
          if (network.producer(name) >= 0) {
            open.push(network.producer(name));
          }
        }
      }
    }
    Set<Integer> behind = new HashSet<>();
    open.push(next);
    while (!open.isEmpty()) {
      int op = open.pop();
      if (behind.add(op)) {
        for (String name : network.ops().get(op).presentOutputs()) {
          open.addAll(readers.getOrDefault(name, Set.of()));
        }
      }
    }
    long sum = 0;
    for (Map.Entry<String, Set<Integer>> entry : readers.entrySet()) {
      String name = entry.getKey();
      int from = network.producer(name);
      boolean earlier = from < 0 ? network.inputs().contains(name) : before.contains(from);
      if (earlier && hasPlace(name) && !name.equals(made(one))) {
        sum +=
            entry.getValue().stream()
                .filter(op -> behind.contains(op) && isKnown(network.ops().get(op)))
                .mapToLong(op -> taken(op, name))
                .max()
                .orElse(0);
      }
    }
    return sum;
  }

  /** Pieces that a part of a path needs at least. */
  private long fewest(
      int from, int to, long[] taken, long[] others, long[] own, boolean[] even, long kept) {
    long any = 0;
    long shared = 0;
    for (int k = from; k <= to; k++) {
      any = k > from ? Math.max(any, taken[k] + others[k] + own[k]) : any;
      long made = (k > from ? others[k] : 0) + own[k];
      shared = Math.max(shared, (even[k] ? taken[k] : 0) + (even[k + 1] ? made : 0));
    }
    long fewest = 2;
    while (fewest < MOST_PIECES && fewest * within < any) {
      fewest++;
    }
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
      for (long[] other : prices) {
        for (long down = 1; down <= pieces && one != null && best > 0; down++) {
          long across = (pieces + down - 1) / down;
          if (across == 1 || other != null && other != one) {
            long price = (down - 1) * one[from] + (across == 1 ? 0 : (across - 1) * other[from]);
            best = Math.min(best, price);
          }
        }
      }
    }
    return best;
  }

  /**
   * By first op of a part the least price of one cut along a dimension.
   *
   * @param even by place on the path, and the last result: stays true where of each cut both pieces
   *     take their share at least
   */
  private long[] cuts(int[] ops, int to, int dim, boolean[] even) {
    long[] least = new long[to + 1];
    Arrays.fill(least, Long.MAX_VALUE);
    boolean[] rows = needed.get(made(ops[to]))[dim];
    for (int place = 1; place < Math.max(2, rows.length); place++) {
      long end = place;
      long begin = place;
      while (begin < rows.length - 1 && !rows[(int) begin]) {
        begin++;
      }
      begin = Math.min(begin, rows.length - 1);
      long sum = 0;
      for (int from = to; from >= 0; from--) {
        Op op = network.ops().get(ops[from]);
        long extent = network.tensor(made(ops[from])).extent(dim);
        long all = MacCount.of(network, op);
        long both = end - begin;
        sum += both * (both > 0 ? counted(ops[from], all, dim) / extent : all / extent);
        least[from] = Math.min(least[from], Math.max(0, sum));
        String read = from > 0 ? made(ops[from - 1]) : op.inputs().get(0);
        if (network.tensor(read).rank() != 4) {
          even[from] = false;
          continue;
        }
        long before = network.tensor(read).extent(dim);
        long[][] edge = edges(ops[from], dim, before);
        end = end <= 0 ? 0 : edge[0][(int) end - 1];
        begin = begin >= extent ? before : edge[1][(int) begin];
        even[from] &= begin * rows.length <= place * before && place * before <= end * rows.length;
      }
    }
    return least;
  }

  private long counted(int op, long all, int but) {
    long share = all;
    boolean[][] rows = needed.get(made(op));
    for (int dim = 0; dim < rows.length; dim++) {
      share = dim == but ? share : share / rows[dim].length * count(rows[dim]);
    }
    return share;
  }

  /** Where what the rows up to one take ends, and where what the rows from one on take begins. */
  private long[][] edges(int op, int dim, long extent) {
    return edges.computeIfAbsent(
        op + "/" + dim,
        absent -> {
          int rows = (int) network.tensor(made(op)).extent(dim);
          long[] ends = new long[rows];
          long[] begins = new long[rows];
          for (int r = 0; r < rows; r++) {
            ends[r] = Math.max(r == 0 ? 0 : ends[r - 1], reads(network.ops().get(op), dim, r)[1]);
          }
          for (int r = rows - 1; r >= 0; r--) {
            long low = reads(network.ops().get(op), dim, r)[0];
            begins[r] = Math.min(r == rows - 1 ? extent : begins[r + 1], low);
          }
          return new long[][] {ends, begins};
        });
  }
}
