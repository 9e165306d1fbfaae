package stowage.planning.fit.price;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;

/**
 * Rows of a network's tensors, followed tap by tap from attributes and shapes: which are needed by
 * some result, and which an op takes for which. It shares nothing with the rules by which runs are
 * cut, and knows convolutions, pools, concatenations of channels and ops by element.
 */
final class PriceRows {
  private static final Set<String> CONVOLUTIONS =
      Set.of(
          "CONV QLINEARCONV CONVINTEGER CONVOLUTION GROUPCONVOLUTION CONV2D DEPTHWISECONV2D"
              .split(" "));
  private static final Set<String> POOLS =
      Set.of("MAXPOOL", "AVERAGEPOOL", "MAXPOOL2D", "AVERAGEPOOL2D", "AVGPOOL");

  /** Other ops whose result may be known without some rows of an operand. */
  private static final Set<String> PARTIAL =
      Set.of("SLICE", "GATHER", "CONVTRANSPOSE", "TRANSPOSECONV", "LPPOOL", "L2POOL2D");

  /** Ops that go over channels alone, or by element into another type. */
  private static final Set<String> CHANNELWISE =
      Set.of(
          "LRN LOCALRESPONSENORMALIZATION QUANTIZE DEQUANTIZE QUANTIZELINEAR DEQUANTIZELINEAR"
              .split(" "));

  private final Network network;
  private final boolean last;
  private final Map<String, Set<Integer>> readers = new HashMap<>();
  private final Map<String, boolean[][]> needed = new HashMap<>();

  /** Marks the rows that are needed, from the last op back. O(ops * rows * taps). */
  PriceRows(Network network) {
    this.network = network;
    this.last =
        network.format().equals("tflite")
            || network.ops().stream().anyMatch(op -> op.type().endsWith("CONV_2D"));
    for (int k = 0; k < network.ops().size(); k++) {
      for (String input : network.ops().get(k).presentInputs()) {
        readers.computeIfAbsent(input, name -> new HashSet<>()).add(k);
      }
    }
    int[] order = network.executionOrder();
    for (int k = order.length - 1; k >= 0; k--) {
      network.ops().get(order[k]).presentOutputs().forEach(name -> needed.put(name, rows(name)));
    }
  }

  /** The ops that read each tensor. */
  Map<String, Set<Integer>> readers() {
    return readers;
  }

  /** By dimension the rows of a tensor that are needed. */
  boolean[][] needed(String tensor) {
    return needed.get(tensor);
  }

  /** The first result of an op. */
  String made(int op) {
    return network.ops().get(op).presentOutputs().get(0);
  }

  /** Whether an op is a convolution or a pool. */
  boolean isWindow(Op op) {
    return CONVOLUTIONS.contains(OpTypes.key(op)) || POOLS.contains(OpTypes.key(op));
  }

  private static boolean isPad(Op op) {
    boolean constant = op.text("mode", "constant").equals("constant");
    return OpTypes.key(op).startsWith("PAD") && constant && !op.attributes().containsKey("axes");
  }

  /** Whether an op puts the channels of images together. */
  boolean isConcat(Op op) {
    if (!OpTypes.key(op).startsWith("CONCAT") || op.presentOutputs().size() != 1) {
      return false;
    }
    Tensor to = network.tensor(op.presentOutputs().get(0));
    int channels = last ? 3 : 1;
    return to.rank() == 4
        && Math.floorMod(op.integer("axis", 1), 4) == channels
        && new HashSet<>(op.inputs()).size() == op.inputs().size()
        && op.inputs().stream()
            .allMatch(
                name ->
                    !name.isEmpty()
                        && !network.tensor(name).isWeight()
                        && network.tensor(name).rank() == 4
                        && IntStream.range(0, 4)
                            .allMatch(
                                dim ->
                                    dim == channels
                                        || network.tensor(name).extent(dim) == to.extent(dim)));
  }

  /** Whether rows of an op's operand and result belong together as this class has it. */
  boolean isKnown(Op op) {
    boolean one = !op.presentOutputs().isEmpty();
    for (int k = 1; k < op.presentOutputs().size(); k++) {
      String other = op.presentOutputs().get(k); // as the positions of a pool's maxima
      one &= !readers.containsKey(other) && !network.outputs().contains(other);
    }
    if (!one || op.inputs().isEmpty() || op.inputs().get(0).isEmpty()) {
      return false;
    }
    Tensor to = network.tensor(op.presentOutputs().get(0));
    if (isWindow(op)) {
      int rank = network.tensor(op.inputs().get(0)).rank();
      boolean floors = !op.flag("ceil_mode") && !op.text("rounding_type", "").startsWith("ceil");
      floors |= OpTypes.key(op).startsWith("MAX");
      return to.rank() == 4 && rank == 4 && floors && taps(op) != null;
    }
    if (isPad(op)) {
      List<Long> pads = op.integers("pads");
      return to.rank() == 4 && pads.size() == 8 && pads.stream().allMatch(pad -> pad >= 0);
    }
    return isConcat(op)
        || to.rank() == 4
            && (OpTypes.isElementwise(op) || CHANNELWISE.contains(OpTypes.key(op)))
            && op.presentInputs().stream()
                .map(network::tensor)
                .allMatch(from -> from.isWeight() || from.shape().equals(to.shape()));
  }

  /** Whether rows of an operand are those that an op's rows take, if that is known at all. */
  boolean takes(Op op, String operand) {
    return isWindow(op) || isPad(op)
        ? op.inputs().get(0).equals(operand)
        : op.inputs().contains(operand);
  }

  /** Whether a dimension is one of the image. */
  boolean isImage(int dim) {
    return last ? dim == 1 || dim == 2 : dim >= 2;
  }

  /** Taps along both dimensions of the image; null where they are not known. */
  private long[] taps(Op op) {
    for (String name : List.of("kernel_shape", "kernel")) {
      if (op.integers(name).size() == 2) {
        return op.integers(name).stream().mapToLong(Long::longValue).toArray();
      }
    }
    if (POOLS.contains(OpTypes.key(op))) {
      long[] pool = {op.integer("filter_height", 0), op.integer("filter_width", 0)};
      return pool[0] > 0 ? pool : null;
    }
    int filter = OpTypes.key(op).startsWith("QLINEAR") ? 3 : 1;
    Tensor weights = op.inputs().size() > filter ? network.tensor(op.inputs().get(filter)) : null;
    int rank = weights == null ? 0 : weights.rank();
    int first = last ? 1 : rank - 2; // OpenVINO's groups are a dimension in front
    return rank == 4 || rank == 5 && !last
        ? new long[] {weights.extent(first), weights.extent(first + 1)}
        : null;
  }

  /** First row of the operand, and the row after the last, that one row of a result takes. */
  private long[] reads(Op op, int dim, long row) {
    if (!isPad(op) && (!isWindow(op) || !isImage(dim))) {
      return new long[] {row, row + 1};
    }
    long extent = network.tensor(op.inputs().get(0)).extent(dim);
    if (isPad(op)) {
      long at = row - op.integers("pads").get(dim);
      return at < 0 || at >= extent ? new long[] {extent, 0} : new long[] {at, at + 1};
    }
    int k = dim - (last ? 1 : 2);
    long stride = setting(op, "strides", k == 0 ? "stride_h" : "stride_w", k);
    long spread = setting(op, "dilations", k == 0 ? "dilation_h_factor" : "dilation_w_factor", k);
    long reach = (taps(op)[k] - 1) * spread;
    List<Long> pads = op.integers(op.integers("pads").isEmpty() ? "pads_begin" : "pads");
    long before = pads.isEmpty() ? 0 : pads.get(k);
    String same = op.text("auto_pad", op.text("padding", "")).toUpperCase(Locale.ROOT);
    if (same.startsWith("SAME")) {
      long rows = network.tensor(op.outputs().get(0)).extent(dim);
      long all = Math.max(0, (rows - 1) * stride + reach + 1 - extent);
      before = same.equals("SAME_LOWER") ? all - all / 2 : all / 2;
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

  /** Where a slice of an operand begins by dimension; null where that is not known. */
  private long[] begins(Op op, String operand) {
    List<Long> starts = op.integers(op.attributes().containsKey("starts") ? "starts" : "begin");
    List<Long> axes = op.integers("axes");
    Tensor from = network.tensor(operand);
    boolean plain =
        OpTypes.key(op).equals("SLICE")
            && op.inputs().get(0).equals(operand)
            && network.tensor(op.presentOutputs().get(0)).rank() == from.rank()
            && op.integers("steps").stream().allMatch(step -> step == 1);
    if (!plain || starts.isEmpty() || !axes.isEmpty() && axes.size() != starts.size()) {
      return null;
    }
    long[] begins = new long[from.rank()];
    for (int k = 0; k < starts.size(); k++) {
      int dim = Math.floorMod(axes.isEmpty() ? k : axes.get(k).intValue(), begins.length);
      long start = starts.get(k) < 0 ? starts.get(k) + from.extent(dim) : starts.get(k);
      begins[dim] = Math.max(0, Math.min(start, from.extent(dim)));
    }
    return begins;
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
      boolean known = isKnown(op) && takes(op, tensor);
      boolean whole = op.presentOutputs().stream().allMatch(this::isWhole);
      all |= whole && !isWindow(op) && !PARTIAL.contains(OpTypes.key(op));
      long[] begins = begins(op, tensor);
      for (int dim = 0; begins != null && dim < rows.length; dim++) {
        boolean[] made = needed.get(made(reader))[dim];
        for (int r = 0; r < made.length && begins[dim] + r < rows[dim].length; r++) {
          rows[dim][(int) begins[dim] + r] |= made[r];
        }
      }
      for (int dim = 0; known && dim < rows.length; dim++) {
        boolean[] made = needed.get(made(reader))[dim];
        boolean channels = isAcross(op, dim);
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

  /** Whether all of a tensor is needed. */
  boolean isWhole(String tensor) {
    return Arrays.stream(needed.get(tensor)).allMatch(rows -> count(rows) == rows.length);
  }

  static int count(boolean[] rows) {
    int count = 0;
    for (boolean row : rows) {
      count += row ? 1 : 0;
    }
    return count;
  }

  /** The compute of an op that pieces may leave out. */
  long slack(int op) {
    Op own = network.ops().get(op);
    long all = MacCount.of(network, own);
    if (all == 0 || isWhole(made(op))) {
      return isWindow(own) || all == 0 || !OpTypes.key(own).contains("TRANSPOSE") ? 0 : all;
    }
    return isKnown(own) ? all - counted(op, all, -1) : all;
  }

  /** Whether an op reads all of a dimension for each row: the channels of a window's operand. */
  private boolean isAcross(Op op, int dim) {
    return (isWindow(op) || isConcat(op)) && dim > 0 && !isImage(dim);
  }

  /** By dimension the rows that an op takes of an operand, as far as it is known to be needed. */
  private boolean[][] read(int op, String operand) {
    Op own = network.ops().get(op);
    Tensor from = network.tensor(operand);
    boolean[][] read = new boolean[from.rank()][];
    for (int dim = 0; dim < from.rank(); dim++) {
      boolean[] made = needed.get(made(op))[dim];
      read[dim] = new boolean[(int) from.extent(dim)];
      Arrays.fill(read[dim], isAcross(own, dim));
      for (int r = 0; r < made.length && !isAcross(own, dim); r++) {
        long[] taps = made[r] ? reads(own, dim, r) : new long[2];
        for (long at = taps[0]; at < taps[1] && at < read[dim].length; at++) {
          read[dim][(int) at] = true;
        }
      }
    }
    return read;
  }

  /** Bytes of what an op takes of an operand, as far as it is known to be needed. */
  long taken(int op, String operand) {
    long bytes = network.tensor(operand).bytes();
    for (boolean[] rows : read(op, operand)) {
      bytes = bytes / rows.length * count(rows);
    }
    return bytes;
  }

  /** By dimension how many rows an op takes, if these are an operand's first ones; else null. */
  long[] first(int op, String operand) {
    boolean[][] read = read(op, operand);
    long[] first = new long[read.length];
    for (int dim = 0; dim < first.length; dim++) {
      while (first[dim] < read[dim].length && read[dim][(int) first[dim]]) {
        first[dim]++;
      }
      if (first[dim] < count(read[dim])) {
        return null;
      }
    }
    return first;
  }

  /** Of the compute of an op what counts for a cut along one dimension. */
  long counted(int op, long all, int but) {
    long share = all;
    boolean[][] rows = needed.get(made(op));
    for (int dim = 0; dim < rows.length; dim++) {
      share = dim == but ? share : share / rows[dim].length * count(rows[dim]);
    }
    return share;
  }

  /** Where what the rows up to one take ends, and where what the rows from one on take begins. */
  long[][] edges(int op, int dim, long extent) {
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
  }
}
