package stowage.planning.fit.price;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.AxisRule;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.IndexMap;
import stowage.rewrite.range.PadForm;
import stowage.rewrite.range.Part;
import stowage.rewrite.range.Span;

/**
 * Dimensions along which an op can be cut at all, and the rows of its results that every set of
 * runs computes and reads, whatever the cuts are.
 *
 * <p>A <em>row</em> is an index along a dimension. A run is cut along an axis of its last result;
 * from there the rules of its ops lead to a dimension of every other tensor. So the dimensions of a
 * tensor that some run can reach are those that are an axis of its own, and those to which the
 * rules of its readers lead. A row of a tensor is <em>needed</em> when the tensor is a result of
 * the network or read by nothing (it is then assembled whole), when some reader cannot be in a run
 * that is cut along this dimension (likewise), or when a needed row of a reader's result takes it.
 * All other rows may be left out by pieces: of 8 rows a 1 x 1 window with stride 2 takes four.
 */
public final class CutRows {
  private final Network network;
  private final SplitModel model;

  /** By op the dimensions of its results along which some run may cut it; rising. */
  private final int[][] dims;

  /** By op and position in {@link #dims} the rows of its results that are needed. */
  private final boolean[][][] needed;

  /** By op and dimension of its results those of its operands. */
  private final Map<Long, Map<String, Integer>> operands = new ConcurrentHashMap<>();

  /** By op and operand the bytes that are taken of it, where that was asked for. */
  private final Map<String, Long> taken = new HashMap<>();

  /**
   * Works out both, from the last op back; the dimensions alone where no price is bounded ({@link
   * PriceCheck#canFollow}). O(ops * dimensions * rows * kernel).
   */
  public CutRows(Network network, SplitModel model) {
    this.network = network;
    this.model = model;
    int count = network.ops().size();
    this.dims = new int[count][0];
    this.needed = new boolean[count][0][];
    boolean marked = PriceCheck.canFollow(network);
    int[] order = network.executionOrder();
    for (int k = order.length - 1; k >= 0; k--) {
      int op = order[k];
      dims[op] = model.barrier(op) == null ? reached(op) : new int[0];
      needed[op] = new boolean[dims[op].length][];
      for (int at = 0; marked && at < dims[op].length; at++) {
        needed[op][at] = neededOf(op, dims[op][at]);
      }
    }
  }

  private int[] reached(int op) {
    boolean tflite = AxisRules.isTflite(network);
    TreeSet<Integer> found = new TreeSet<>();
    for (String made : network.ops().get(op).presentOutputs()) {
      for (SplitAxis axis : SplitAxis.values()) {
        found.add(axis.dimension(network.tensor(made), tflite));
      }
      for (int reader : model.readers(made)) {
        for (int dim : dims[reader]) {
          found.add(operand(reader, dim, made));
        }
      }
    }
    int rank = network.tensor(made(op)).rank();
    found.removeIf(dim -> dim < 0 || dim >= rank || rule(op, dim).barrier() != null);
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  private boolean[] neededOf(int op, int dim) {
    boolean[] rows = new boolean[(int) network.tensor(made(op)).extent(dim)];
    for (String made : network.ops().get(op).presentOutputs()) {
      boolean whole = network.outputs().contains(made) || model.readers(made).isEmpty();
      for (int reader : model.readers(made)) {
        boolean[] read = read(reader, made, dim);
        whole |= read == null;
        for (int r = 0; r < rows.length && !whole; r++) {
          rows[r] |= read[r];
        }
      }
      if (whole) {
        Arrays.fill(rows, true);
      }
    }
    return rows;
  }

  /** Rows of an operand that an op takes however it is cut; null where it takes all at once. */
  private boolean[] read(int op, String operand, int dim) {
    boolean[] common = null;
    for (int own : dims[op]) {
      if (operand(op, own, operand) == dim) {
        boolean[] rows = taken(op, own, (int) network.tensor(operand).extent(dim));
        for (int r = 0; common != null && r < rows.length; r++) {
          rows[r] &= common[r];
        }
        common = rows;
      }
    }
    return common;
  }

  /** Rows of its operands that the needed rows of an op's results take. */
  private boolean[] taken(int op, int dim, int extent) {
    boolean[] rows = new boolean[extent];
    boolean[] results = needed(op, dim);
    IndexMap map = map(op, dim);
    for (int r = 0; r < results.length; r++) {
      Part part = results[r] ? map.part(new Span(r, r + 1), extent, results.length) : null;
      if (part != null) {
        Arrays.fill(rows, (int) part.fed().begin(), (int) part.fed().end(), true);
      }
    }
    return rows;
  }

  private AxisRule rule(int op, int dim) {
    return model.rule(op, dim, PadForm.PAD);
  }

  /** The rule by which an op takes rows, with no more of them than its results need. */
  private IndexMap map(int op, int dim) {
    IndexMap map = rule(op, dim).map();
    return map instanceof IndexMap.SameWindow same
        ? new IndexMap.Window(same.reach(), same.stride(), same.before())
        : map;
  }

  String made(int op) {
    return network.ops().get(op).presentOutputs().get(0);
  }

  /** The dimensions of an op's results along which some run may cut it; none for a barrier. */
  public int[] dims(int op) {
    return dims[op].clone();
  }

  /** The dimension of an operand that is cut with one of the results; -1 where it is read whole. */
  int operand(int op, int dim, String operand) {
    long key = (long) op * Byte.MAX_VALUE + dim;
    return operands.computeIfAbsent(key, absent -> operands(op, dim)).getOrDefault(operand, -1);
  }

  private Map<String, Integer> operands(int op, int dim) {
    Map<String, Integer> found = new HashMap<>();
    List<String> inputs = network.ops().get(op).inputs();
    for (int k = 0; k < inputs.size(); k++) {
      int own = Math.max(-1, rule(op, dim).dimension(k));
      found.merge(inputs.get(k), own, (one, other) -> one.equals(other) ? one : -1);
    }
    return found;
  }

  /** Which rows of an op's results are needed. */
  boolean[] needed(int op, int dim) {
    return needed[op][Arrays.binarySearch(dims[op], dim)];
  }

  /** Of what an op's result has in all rows, what all that is needed has at least. */
  private long share(int op, long all, int but) {
    long share = all;
    for (int dim : dims[op]) {
      boolean[] rows = needed(op, dim);
      share = dim == but ? share : share / rows.length * PriceRows.count(rows);
    }
    return share;
  }

  /** Bytes of an op's first result that every set of runs computes. */
  long computed(int op) {
    return share(op, network.tensor(made(op)).bytes(), -1);
  }

  /**
   * A place where a path of ops is cut along one dimension, followed from its last op back: of each
   * tensor the first piece ends at one row, and the second begins at another, which is before it
   * where both pieces need what is between, and after it where rows are left out.
   */
  final class Cut {
    private final int dim;
    private final long[] end;
    private final long[] begin;

    /** All places where the result of an op can be cut along a dimension. */
    Cut(int op, int dim) {
      boolean[] rows = needed(op, dim);
      int extent = rows.length;
      this.dim = dim;
      this.end = new long[Math.max(1, extent - 1)];
      this.begin = new long[end.length];
      int next = extent - 1;
      for (int k = end.length - 1; k >= 0; k--) {
        end[k] = k + 1L;
        next = k + 1 < extent && rows[k + 1] ? k + 1 : next;
        begin[k] = next;
      }
    }

    private Cut(int dim, long[] end, long[] begin) {
      this.dim = dim;
      this.end = end;
      this.begin = begin;
    }

    /** How many places there are. */
    int count() {
      return end.length;
    }

    int dim() {
      return dim;
    }

    /** What an op whose result is cut here takes of an operand; null where it is read whole. */
    Cut operand(int op, String operand) {
      int own = CutRows.this.operand(op, dim, operand);
      if (own < 0 || Arrays.binarySearch(dims[op], dim) < 0) {
        return null;
      }
      long in = network.tensor(operand).extent(own);
      long out = network.tensor(made(op)).extent(dim);
      IndexMap map = map(op, dim);
      long[] ends = new long[end.length];
      long[] begins = new long[end.length];
      for (int k = 0; k < end.length; k++) {
        Part first = end[k] <= 0 ? null : map.part(new Span(0, end[k]), in, out);
        Part second = begin[k] >= out ? null : map.part(new Span(begin[k], out), in, out);
        ends[k] = first == null ? 0 : first.fed().end();
        begins[k] = second == null ? in : second.fed().begin();
      }
      return new Cut(own, ends, begins);
    }

    /**
     * Whether, of each place in an extent, the first piece takes that share of a tensor's first
     * rows at least, and the second its own.
     */
    boolean isEven(long extent, long[] first) {
      long all = first[dim];
      boolean even = true;
      for (int k = 0; k < end.length; k++) {
        even &= begin[k] * extent <= (k + 1) * all && end[k] * extent >= (k + 1) * all;
      }
      return even;
    }

    /**
     * Adds to each place the compute of an op that its two pieces both do, less that which neither
     * does. Where the op is cut along a second dimension too, what both do counts only for what is
     * needed along that.
     */
    void addTo(long[] sums, int op) {
      long rows = network.tensor(made(op)).extent(dim);
      long all = MacCount.of(network, network.ops().get(op));
      long shared = share(op, all, dim);
      for (int k = 0; k < sums.length; k++) {
        long both = end[k] - begin[k];
        sums[k] += both * ((both > 0 ? shared : all) / rows);
      }
    }
  }

  /** Along each dimension of an operand how many first rows are all that an op takes, or null. */
  long[] first(int op, String operand) {
    Tensor tensor = network.tensor(operand);
    long[] first = new long[tensor.rank()];
    for (int dim = 0; dim < first.length; dim++) {
      boolean[] rows = read(op, operand, dim);
      first[dim] = rows == null ? tensor.extent(dim) : PriceRows.count(rows);
      for (int r = 0; r < first[dim]; r++) {
        if (rows != null && !rows[r]) {
          return null;
        }
      }
    }
    return first;
  }

  /** Bytes of an operand that an op takes however it is cut. */
  long taken(int op, String operand) {
    return taken.computeIfAbsent(
        op + "/" + operand,
        absent -> {
          Tensor tensor = network.tensor(operand);
          long bytes = tensor.bytes();
          for (int dim = 0; dim < tensor.rank(); dim++) {
            boolean[] rows = read(op, operand, dim);
            bytes = rows == null ? bytes : bytes / rows.length * PriceRows.count(rows);
          }
          return bytes;
        });
  }
}
