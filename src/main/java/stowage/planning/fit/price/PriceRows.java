package stowage.planning.fit.price;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;

/**
 * Rows of a network's tensors, followed tap by tap from attributes and shapes: which are needed by
 * some result, and which an op takes for which. It shares nothing with the rules by which runs are
 * cut, and knows TFLite's convolutions, pools, concatenations of channels and ops by element.
 */
final class PriceRows {
  private static final Set<String> CONVOLUTIONS = Set.of("CONV_2D", "DEPTHWISE_CONV_2D");
  private static final Set<String> POOLS = Set.of("MAX_POOL_2D", "AVERAGE_POOL_2D");
  private static final Set<String> PADDINGS = Set.of("SAME", "VALID");
  private static final Set<String> MARGINS = Set.of("PAD", "PADV2");

  /** Ops that go over channels alone, or by element into another type. */
  private static final Set<String> CHANNELWISE =
      Set.of("LOCAL_RESPONSE_NORMALIZATION", "QUANTIZE", "DEQUANTIZE");

  private final Network network;
  private final Map<String, Set<Integer>> readers = new HashMap<>();
  private final Map<String, boolean[][]> needed = new HashMap<>();

  /** Marks the rows that are needed, from the last op back. O(ops * rows * taps). */
  PriceRows(Network network) {
    this.network = network;
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

  /** Whether a network has TFLite's ops: its images are batch, rows, columns, channels. */
  static boolean isTflite(Network network) {
    return network.format().equals("tflite") || CONVOLUTIONS.stream().anyMatch(network::hasType);
  }

  Map<String, Set<Integer>> readers() {
    return readers;
  }

  /** By dimension the rows of a tensor that are needed. */
  boolean[][] needed(String tensor) {
    return needed.get(tensor);
  }

  String made(int op) {
    return network.ops().get(op).presentOutputs().get(0);
  }

  boolean isWindow(Op op) {
    return CONVOLUTIONS.contains(op.type()) || POOLS.contains(op.type());
  }

  /** Whether an op's result may be known without some rows of an operand. */
  private static boolean isPartial(Op op) {
    String key = OpTypes.key(op);
    return key.contains("CONV")
        || key.contains("POOL")
        || key.equals("SLICE")
        || key.equals("GATHER");
  }

  /** Whether an op puts the channels of images together. */
  boolean isConcat(Op op) {
    if (!op.type().equals("CONCATENATION") || op.presentOutputs().size() != 1) {
      return false;
    }
    Tensor to = network.tensor(op.presentOutputs().get(0));
    return to.rank() == 4
        && Math.floorMod(op.integer("axis", 1), 4) == 3
        && new HashSet<>(op.inputs()).size() == op.inputs().size()
        && op.inputs().stream()
            .allMatch(
                name ->
                    !name.isEmpty()
                        && !network.tensor(name).isWeight()
                        && network.tensor(name).rank() == 4
                        && network
                            .tensor(name)
                            .shape()
                            .subList(0, 3)
                            .equals(to.shape().subList(0, 3)));
  }

  /** Whether rows of an op's operand and result belong together as this class has it. */
  boolean isKnown(Op op) {
    Tensor to = op.presentOutputs().size() == 1 ? network.tensor(op.presentOutputs().get(0)) : null;
    if (to == null || to.rank() != 4 || op.inputs().isEmpty() || op.inputs().get(0).isEmpty()) {
      return false;
    }
    if (isWindow(op)) {
      boolean image = network.tensor(op.inputs().get(0)).rank() == 4;
      return image && PADDINGS.contains(op.text("padding", "")) && taps(op) != null;
    }
    if (MARGINS.contains(op.type())) {
      List<Long> pads = op.integers("pads");
      return pads.size() == 8 && pads.stream().allMatch(pad -> pad >= 0);
    }
    return isConcat(op)
        || (OpTypes.isElementwise(op) || CHANNELWISE.contains(op.type()))
            && op.presentInputs().stream()
                .map(network::tensor)
                .allMatch(from -> from.isWeight() || from.shape().equals(to.shape()));
  }

  /** Whether rows of an operand are those that an op's rows take, if that is known at all. */
  boolean takes(Op op, String operand) {
    return isWindow(op) || MARGINS.contains(op.type())
        ? op.inputs().get(0).equals(operand)
        : op.inputs().contains(operand);
  }

  /** Taps along both dimensions of the image; null where they are not known. */
  private long[] taps(Op op) {
    if (POOLS.contains(op.type())) {
      long[] pool = {op.integer("filter_height", 0), op.integer("filter_width", 0)};
      return pool[0] > 0 ? pool : null;
    }
    Tensor weights = op.inputs().size() > 1 ? network.tensor(op.inputs().get(1)) : null;
    return weights != null && weights.rank() == 4
        ? new long[] {weights.extent(1), weights.extent(2)}
        : null;
  }

  /** First row of the operand, and the row after the last, that one row of a result takes. */
  private long[] reads(Op op, int dim, long row) {
    boolean margins = MARGINS.contains(op.type());
    if (!margins && (!isWindow(op) || dim == 0)) {
      return new long[] {row, row + 1};
    }
    long extent = network.tensor(op.inputs().get(0)).extent(dim);
    if (margins) {
      long at = row - op.integers("pads").get(dim);
      return at < 0 || at >= extent ? new long[] {extent, 0} : new long[] {at, at + 1};
    }
    String along = dim == 1 ? "h" : "w";
    long stride = Math.max(1, op.integer("stride_" + along, 1));
    long spread = Math.max(1, op.integer("dilation_" + along + "_factor", 1));
    long reach = (taps(op)[dim - 1] - 1) * spread;
    long before = 0;
    if (op.text("padding", "").equals("SAME")) {
      long rows = network.tensor(op.outputs().get(0)).extent(dim);
      before = Math.max(0, (rows - 1) * stride + reach + 1 - extent) / 2;
    }
    long low = extent;
    long high = 0;
    for (long tap = 0; tap <= reach; tap += spread) {
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
    List<Long> begin = op.integers("begin");
    int rank = network.tensor(operand).rank();
    boolean plain =
        op.type().equals("SLICE")
            && op.inputs().get(0).equals(operand)
            && network.tensor(op.presentOutputs().get(0)).rank() == rank
            && begin.size() == rank
            && begin.stream().allMatch(at -> at >= 0);
    return plain ? begin.stream().mapToLong(Long::longValue).toArray() : null;
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
      all |= whole && !isPartial(op);
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
          for (long at = read[0]; at < read[1] && at < rows[dim].length; at++) {
            rows[dim][(int) at] = true;
          }
        }
      }
    }
    if (all) {
      Arrays.stream(rows).forEach(dim -> Arrays.fill(dim, true));
    }
    return rows;
  }

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
    return (isWindow(op) || isConcat(op)) && dim == 3;
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
