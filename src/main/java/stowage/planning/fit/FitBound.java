package stowage.planning.fit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import stowage.liveness.LivenessOptions;
import stowage.liveness.StatePairs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.packing.ByteText;
import stowage.planning.fit.price.CutRows;
import stowage.planning.fit.price.FitCompute;
import stowage.planning.fit.price.PathBound;
import stowage.planning.fit.price.PriceCheck;
import stowage.planning.fit.price.PriceProof;
import stowage.rewrite.BarrierException;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.PadForm;

/**
 * Bounds for every order, every choice of what shares memory, and every set of runs, each cut along
 * rows, columns, tokens or the batch, evenly or not.
 *
 * <p><b>The peak</b>, which holds where ops are computed again as well: each op runs at least once.
 * All inputs are there before the first op, all results after the last; an op that no run may hold
 * finds its operands whole and makes its results whole. Tensors that may show the same bytes count
 * once, and none that may show bytes which are kept elsewhere: constants, or inputs and results of
 * the caller's. Ops that run code of their own are passed over, since of what they read only the
 * branch that is taken may be there.
 *
 * <p><b>The extra compute within a peak</b> is that of {@link PathBound} for TFLite's ops, where
 * the results of runs are put together whole. Elsewhere they may stay in pieces, and runs take
 * turns: no halo has to be computed twice, and nothing is proven.
 */
final class FitBound {
  private final FitRequest request;
  private final BooleanSupplier stopped;
  private final Network network;
  private final SplitModel model;
  private final Map<String, String> groups = new HashMap<>();
  private final Set<String> elsewhere = new HashSet<>();

  /** Null where runs are not cut, or where it was to stop before. */
  private final CutRows rows;

  /** Null where nothing is proven of the price; so is {@link #check}. */
  private final PathBound paths;

  private final PriceCheck check;
  private final Map<Long, Long> extras = new HashMap<>();
  private long peak;
  private String reason;

  /** Looks a network through. */
  FitBound(FitRequest request) {
    this(request, () -> false);
  }

  /** Looks a network through until it is to stop; what it has not come to bounds nothing. */
  FitBound(FitRequest request, BooleanSupplier stopped) {
    this.request = request;
    this.stopped = stopped;
    this.network = request.network();
    this.model = new SplitModel(network);
    for (Op op : network.ops()) {
      if (PathBound.shows(op)) {
        for (List<String> names : List.of(op.presentInputs(), op.presentOutputs())) {
          names.forEach(name -> join(name, op.presentOutputs().get(0)));
        }
      }
    }
    StatePairs.of(network, request.liveness().aliases()).forEach(this::join);
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.kind() != Tensor.Kind.ACTIVATION) {
        elsewhere.add(root(tensor.name()));
      }
    }
    if (request.liveness().inputs() == LivenessOptions.Inputs.CALLER) {
      network.inputs().forEach(name -> elsewhere.add(root(name)));
      network.outputs().forEach(name -> elsewhere.add(root(name)));
    }
    boolean cut = request.allows(Lever.SPLIT) && !stopped.getAsBoolean();
    boolean priced =
        cut
            && !request.allows(Lever.RECOMPUTE)
            && !FitCompute.unit(network).equals("cost")
            && PriceCheck.canFollow(network);
    this.rows = cut ? new CutRows(network, model) : null;
    this.paths = priced ? new PathBound(network, request.liveness(), model, rows, stopped) : null;
    this.check = priced ? new PriceCheck(network, request.liveness()) : null;
    boundPeak();
  }

  private void join(String one, String other) {
    groups.put(root(one), root(other));
  }

  /** One tensor for all that may show the same bytes. */
  private String root(String tensor) {
    String at = tensor;
    for (String up = groups.get(at); up != null && !up.equals(at); up = groups.get(at)) {
      groups.put(at, groups.getOrDefault(up, up)); // halves the path
      at = up;
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
    raise(
        together(network.inputs().stream().filter(name -> network.producer(name) < 0).toList()),
        "its inputs are all alive before the first op");
    raise(together(network.outputs()), "its results are all alive after the last op");
    for (int k = 0; k < network.ops().size() && !stopped.getAsBoolean(); k++) {
      Op op = network.ops().get(k);
      String barrier = request.allows(Lever.SPLIT) ? barrier(k) : "";
      if (barrier == null
          || PathBound.shows(op)
          || OpTypes.isControlFlow(op)
          || op.type().contains(".")) {
        continue;
      }
      List<String> touched = new ArrayList<>(op.presentInputs());
      touched.addAll(op.presentOutputs());
      long bytes = together(touched);
      if (PathBound.overwrites(request.liveness(), op)) {
        bytes -= rounded(op.presentOutputs().stream().mapToLong(this::bytes).max().orElse(0));
      }
      String which = "op \"" + op.name() + "\" ";
      String why = barrier.startsWith(which) ? barrier.substring(which.length()) : barrier;
      raise(bytes, which + "reads and makes that at once" + (why.isEmpty() ? "" : ", and " + why));
    }
  }

  private void raise(long bytes, String why) {
    if (bytes > peak) {
      peak = bytes;
      reason = ByteText.both(bytes) + " are needed: " + why + ".";
    }
  }

  /**
   * Bytes of tensors alive at once, rounded up; of those that may share some the largest counts.
   */
  private long together(List<String> names) {
    Map<String, Long> largest = new LinkedHashMap<>();
    for (String name : names) {
      largest.merge(root(name), bytes(name), Math::max);
    }
    return largest.values().stream().mapToLong(this::rounded).sum();
  }

  private long rounded(long bytes) {
    long grain = request.liveness().alignment();
    return -Math.floorDiv(-bytes, grain) * grain;
  }

  /** Bytes of a tensor in the planned memory; 0 where it may show what is kept elsewhere. */
  private long bytes(String name) {
    return elsewhere.contains(root(name)) ? 0 : network.tensor(name).bytes();
  }

  /** Why an op can be in no run; null where it can. */
  private String barrier(int op) {
    if (rows.dims(op).length > 0) {
      return null;
    }
    String found = model.barrier(op);
    for (SplitAxis axis : found == null ? SplitAxis.values() : new SplitAxis[0]) {
      try {
        model.run(new int[] {op}, List.of(axis), PadForm.CROP);
      } catch (BarrierException barrier) {
        found = barrier.getMessage();
      }
    }
    return found;
  }

  /** No plan of a peak at most this adds less compute: what the check finds proven. */
  synchronized long extra(long within) {
    return extras.computeIfAbsent(
        within,
        bytes -> {
          PriceProof proof = proof(bytes);
          return proof.paths().isEmpty() ? 0 : check.proven(proof);
        });
  }

  /** The proof of what plans of a peak at most this add, of the paths that its check accepts. */
  synchronized PriceProof proof(long within) {
    if (paths == null) {
      return new PriceProof(within, List.of());
    }
    PriceProof found = paths.proof(within);
    return check.accepts(found)
        ? found
        : new PriceProof(
            within,
            found.paths().stream()
                .filter(path -> check.accepts(new PriceProof(within, List.of(path))))
                .toList());
  }
}
