package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.ByteText;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.RunCost;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/**
 * Bounds that hold for every order, every choice of what shares memory, and every set of runs that
 * are executed one after the other, each cut along rows, columns, tokens or the batch, evenly or
 * not.
 *
 * <p><b>The peak.</b> All inputs are there before the first op, all results after the last; an op
 * that no run may hold finds its operands whole and makes its results whole.
 *
 * <p><b>The extra compute within a peak.</b> A tensor larger than the peak is never whole, so the
 * op that makes it and all that read it are in one run. Such ops together, alone, cut at one place
 * b, cost c(b); a run that holds them and has n pieces cuts them at n - 1 places at least, and each
 * of these costs the least c, since what two neighbours both need only grows with what else the run
 * does. The pieces of an operand and of its reader's result are live together, so n is at least the
 * bytes of both over the peak. The larger of that and {@link PathBound} counts.
 */
final class FitBound {
  private static final SplitAxis[] AXES = SplitAxis.values();

  private final FitRequest request;
  private final Network network;
  private final SplitModel model;
  private final Map<String, List<Integer>> readers = new HashMap<>();
  private final Map<Set<Integer>, long[]> cuts = new HashMap<>();
  private final Map<String, String> groups = new HashMap<>();
  private final PathBound paths;
  private long peak;
  private String reason;

  /** Looks a network through. */
  FitBound(FitRequest request) {
    this.request = request;
    this.network = request.network();
    this.model = new SplitModel(network);
    for (int k = 0; k < network.ops().size(); k++) {
      for (String input : new HashSet<>(network.ops().get(k).presentInputs())) {
        readers.computeIfAbsent(input, name -> new ArrayList<>()).add(k);
      }
    }
    for (Op op : network.ops()) {
      if (shows(op)) {
        for (List<String> names : List.of(op.presentInputs(), op.presentOutputs())) {
          names.forEach(name -> groups.put(root(name), root(op.presentOutputs().get(0))));
        }
      }
    }
    this.paths = new PathBound(this, request, model);
    boundPeak();
  }

  static boolean shows(Op op) {
    return switch (OpTraits.of(op)) {
      case RESHAPE_LIKE, SLICE_LIKE, SPLIT_LIKE, CONCAT_LIKE -> !op.presentOutputs().isEmpty();
      case ELEMENTWISE, OTHER -> false;
    };
  }

  /** One tensor for all that may show the same bytes. */
  private String root(String tensor) {
    String at = tensor;
    while (groups.containsKey(at) && !groups.get(at).equals(at)) {
      at = groups.get(at);
    }
    return at;
  }

  /** No plan has a lower peak, in bytes. */
  long peak() {
    return peak;
  }

  /** Why no plan has a lower peak, in a sentence. */
  String reason() {
    return reason;
  }

  private void boundPeak() {
    if (request.liveness().inputs() != LivenessOptions.Inputs.CALLER) {
      raise(
          together(network.inputs().stream().filter(name -> network.producer(name) < 0).toList()),
          "its inputs are there together before the first op");
      raise(together(network.outputs()), "its results are there together after the last op");
    }
    for (int k = 0; k < network.ops().size(); k++) {
      Op op = network.ops().get(k);
      String barrier = request.allows(Lever.SPLIT) ? barrier(k) : "runs are not to be cut";
      if (barrier == null || shows(op)) {
        continue;
      }
      List<String> touched = new ArrayList<>(op.presentInputs());
      touched.addAll(op.presentOutputs());
      long bytes = together(touched);
      if (OpTraits.of(op) == OpTraits.ELEMENTWISE) {
        bytes -= op.presentOutputs().stream().mapToLong(this::bytes).max().orElse(0);
      }
      raise(
          bytes,
          "op \"" + op.name() + "\" reads and makes that at once, and cannot be cut: " + barrier);
    }
  }

  private void raise(long bytes, String why) {
    if (bytes > peak) {
      peak = bytes;
      reason = ByteText.both(bytes) + " are needed: " + why + ".";
    }
  }

  /** Bytes of tensors that are there together; of those that may share bytes the largest counts. */
  private long together(List<String> names) {
    Map<String, Long> largest = new LinkedHashMap<>();
    for (String name : names) {
      largest.merge(root(name), bytes(name), Math::max);
    }
    return largest.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Bytes of an activation, 0 of anything else. */
  long bytes(String name) {
    Tensor tensor = network.tensor(name);
    return tensor.kind() == Tensor.Kind.ACTIVATION ? tensor.bytes() : 0;
  }

  /** Why an op can be in no run; null where it can. */
  String barrier(int op) {
    String found = model.barrier(op);
    if (found != null) {
      return found;
    }
    for (SplitAxis axis : AXES) {
      try {
        model.run(new int[] {op}, List.of(axis), PadForm.CROP);
        return null;
      } catch (BarrierException barrier) {
        found = barrier.getMessage();
      }
    }
    return found;
  }

  /** No plan of a peak at most this adds less compute. */
  long extra(long within) {
    if (FitCompute.unit(network).equals("cost") || request.allows(Lever.RECOMPUTE)) {
      return 0;
    }
    int[] part = new int[network.ops().size()];
    Arrays.setAll(part, k -> k);
    List<String> split = new ArrayList<>();
    for (Op op : network.ops()) {
      for (String made : op.presentOutputs()) {
        List<Integer> reading = readers.getOrDefault(made, List.of());
        boolean whole = reading.stream().anyMatch(k -> shows(network.ops().get(k)));
        if (!whole && !reading.isEmpty() && bytes(made) - unread(made, reading) > within) {
          split.add(made);
          reading.forEach(k -> join(part, network.producer(made), k));
        }
      }
    }
    Map<Integer, Set<Integer>> together = new TreeMap<>();
    Map<Integer, Long> pieces = new HashMap<>();
    for (String tensor : split) {
      int key = find(part, network.producer(tensor));
      Set<Integer> ops = together.computeIfAbsent(key, k -> new TreeSet<>());
      ops.add(network.producer(tensor));
      for (int k : readers.get(tensor)) {
        ops.add(k);
        Op reader = network.ops().get(k);
        boolean over = OpTraits.of(reader) == OpTraits.ELEMENTWISE;
        long live =
            bytes(tensor)
                - unread(tensor, readers.get(tensor))
                + (over ? 0 : reader.presentOutputs().stream().mapToLong(this::bytes).sum());
        pieces.merge(key, (live + within - 1) / Math.max(1, within), Math::max);
      }
    }
    long sum = 0;
    for (Map.Entry<Integer, Set<Integer>> one : together.entrySet()) {
      sum += extra(one.getValue(), Math.max(2, pieces.get(one.getKey())));
    }
    return Math.max(sum, paths.extra(within));
  }

  /** Bytes of a tensor but for its last rows where no op reads them. */
  long held(String tensor) {
    return bytes(tensor) - unread(tensor, readers.getOrDefault(tensor, List.of()));
  }

  /** Bytes of the last rows, which a reader with a stride may not need. */
  private long unread(String tensor, List<Integer> reading) {
    long stride = 1;
    for (int k : reading) {
      Op op = network.ops().get(k);
      long own = op.integer("stride_h", 1);
      for (long one : op.integers("strides")) {
        own = Math.max(own, one);
      }
      stride = Math.max(stride, readsAll(op, own) ? 1 : own);
    }
    Tensor whole = network.tensor(tensor);
    long rows = whole.rank() < 2 ? 1 : Math.min(whole.extent(1), whole.extent(whole.rank() - 2));
    return stride == 1 ? 0 : whole.bytes() * Math.min(rows, stride - 1) / Math.max(1, rows);
  }

  /** Whether windows reach the last row: padding SAME, and none shorter than the stride. */
  private boolean readsAll(Op op, long stride) {
    boolean filtered = op.inputs().size() > 1 && network.tensor(op.inputs().get(1)).rank() == 4;
    return op.text("padding", "").equals("SAME")
        && filtered
        && network.tensor(op.inputs().get(1)).extent(1) >= stride;
  }

  /** The least extra compute of ops that are in one run of so many pieces. */
  long extra(Set<Integer> ops, long pieces) {
    long[] least = cuts.computeIfAbsent(ops, this::leastCuts);
    long best = Long.MAX_VALUE;
    for (long down = 1; down <= Math.min(pieces, 4096); down++) {
      long across = (pieces + down - 1) / down;
      if ((down > 1 && least[0] < 0) || (across > 1 && least[1] < 0)) {
        continue;
      }
      best =
          Math.min(best, (down - 1) * Math.max(0, least[0]) + (across - 1) * Math.max(0, least[1]));
    }
    return least[2] == 0 || best == Long.MAX_VALUE ? 0 : best;
  }

  /**
   * The least price of one cut, along columns second and along other axes first; below 0 where they
   * cannot be cut so. The third is 0 where the ops are no run of their own.
   */
  private long[] leastCuts(Set<Integer> ops) {
    int[] run = ops.stream().mapToInt(Integer::intValue).toArray();
    boolean pools = ops.stream().anyMatch(k -> network.ops().get(k).type().contains("POOL"));
    long[] least = {-1, -1, 1};
    Op last = network.ops().get(run[run.length - 1]);
    if (pools || last.presentOutputs().size() != 1) {
      return new long[] {0, 0, 0};
    }
    boolean tflite = AxisRules.isTflite(network);
    PadForm form = tflite ? PadForm.PAD : PadForm.CROP;
    for (SplitAxis axis : AXES) {
      int dimension = axis.dimension(network.tensor(last.presentOutputs().get(0)), tflite);
      if (dimension < 0) {
        continue;
      }
      try {
        model.run(run, List.of(axis), form);
      } catch (BarrierException barrier) {
        continue;
      }
      int extent = (int) network.tensor(last.presentOutputs().get(0)).extent(dimension);
      int side = axis == SplitAxis.COLUMNS ? 1 : 0;
      for (int bound = 1; bound < extent && least[side] != 0; bound++) {
        long price = cut(run, axis, bound, form);
        least[side] = least[side] < 0 ? price : Math.min(least[side], price);
      }
    }
    return least[0] < 0 && least[1] < 0 ? new long[] {0, 0, 0} : least;
  }

  private long cut(int[] run, SplitAxis axis, int bound, PadForm form) {
    try {
      AxisSplit split = new AxisSplit(axis, new int[] {bound});
      return RunCost.of(model, new RunSplit(run, List.of(split), true, form)).extraMacs();
    } catch (BarrierException barrier) {
      return 0;
    }
  }

  private static int find(int[] part, int k) {
    int at = k;
    while (part[at] != at) {
      at = part[at];
    }
    return at;
  }

  private static void join(int[] part, int one, int other) {
    part[find(part, one)] = find(part, other);
  }
}
