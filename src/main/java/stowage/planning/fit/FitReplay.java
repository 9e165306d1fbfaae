package stowage.planning.fit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import stowage.liveness.LivenessOptions;
import stowage.liveness.OpTraits;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Placement;

/**
 * A run of a network in a memory of tags, byte by byte: each op must find in its operands the bytes
 * that their ops wrote there. It knows nothing of live ranges, windows or buffers, only where each
 * tensor is.
 *
 * <p>Every op writes tags of its own. Slices, splits, concats and reshapes copy tags, those in
 * place onto themselves; so a byte that was lost before a copy is found missing where it is read.
 * Operands and results of one op may overlap only where an elementwise op writes over an operand as
 * a whole.
 *
 * <p>Complexity: all bytes of all operands and results.
 */
final class FitReplay {
  private final Network network;
  private final Map<String, Long> places = new HashMap<>();
  private final Map<String, long[]> values = new HashMap<>();
  private final long[] memory;
  private long tags = 1;

  private FitReplay(PlanningCase planned, Placement placement) {
    this.network = planned.network();
    long peak = 0;
    for (int b = 0; b < planned.contents().size(); b++) {
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        places.put(part.tensor(), placement.offset(b) + part.offset());
        long bytes = network.tensor(part.tensor()).bytes();
        peak = Math.max(peak, placement.offset(b) + part.offset() + bytes);
      }
    }
    this.memory = new long[Math.toIntExact(peak)];
  }

  /**
   * What is wrong with a placement: the op, and the operand that it does not find; empty where all
   * is found.
   */
  static Optional<String> fault(PlanningCase planned, Placement placement) {
    FitReplay replay = new FitReplay(planned, placement);
    return Optional.ofNullable(replay.run(planned));
  }

  private String run(PlanningCase planned) {
    Network given = planned.network();
    for (String input : given.inputs()) {
      write(input);
    }
    for (Tensor tensor : given.tensors().values()) {
      if (tensor.kind() == Tensor.Kind.VARIABLE) {
        write(tensor.name());
      }
    }
    for (int index : planned.order()) {
      String fault = step(given.ops().get(index));
      if (fault != null) {
        return fault;
      }
    }
    boolean kept = planned.options().inputs() == LivenessOptions.Inputs.KEEP;
    for (List<String> names : List.of(given.outputs(), kept ? given.inputs() : List.<String>of())) {
      for (String name : names) {
        if (!holds(name)) {
          return "tensor \"" + name + "\" is not there after the last op";
        }
      }
    }
    return null;
  }

  private String step(Op op) {
    if (copies(op)) {
      return null;
    }
    for (String input : op.presentInputs()) {
      if (!holds(input)) {
        return "op \"" + op.name() + "\" does not find its operand \"" + input + "\"";
      }
    }
    for (String output : op.presentOutputs()) {
      for (String input : op.presentInputs()) {
        if (overlap(output, input) && !overwrites(op, output, input)) {
          return "op \"%s\" writes \"%s\" over its operand \"%s\""
              .formatted(op.name(), output, input);
        }
      }
    }
    op.presentOutputs().forEach(this::write);
    return null;
  }

  private boolean overwrites(Op op, String output, String input) {
    return OpTraits.of(op) == OpTraits.ELEMENTWISE
        && places.get(output).equals(places.get(input))
        && network.tensor(output).bytes() == network.tensor(input).bytes();
  }

  private boolean overlap(String one, String other) {
    Long at = places.get(one);
    Long from = places.get(other);
    return at != null
        && from != null
        && Math.max(at, from)
            < Math.min(at + network.tensor(one).bytes(), from + network.tensor(other).bytes());
  }

  /** Writes new tags. */
  private void write(String name) {
    if (!places.containsKey(name)) {
      return;
    }
    long[] own = new long[Math.toIntExact(network.tensor(name).bytes())];
    Arrays.setAll(own, k -> tags + k);
    tags += own.length;
    values.put(name, own);
    System.arraycopy(own, 0, memory, Math.toIntExact(places.get(name)), own.length);
  }

  private boolean holds(String name) {
    long[] own = values.get(name);
    if (own == null) {
      return true; // a weight, or kept elsewhere
    }
    int at = Math.toIntExact(places.get(name));
    return Arrays.equals(memory, at, at + own.length, own, 0, own.length);
  }

  /** Copies what an op that only moves elements moves; says whether it is such an op. */
  private boolean copies(Op op) {
    String result = op.outputs().size() == 1 ? op.outputs().get(0) : "";
    if (!places.containsKey(result) || !plain(op)) {
      return false;
    }
    Tensor to = network.tensor(result);
    long[] tagged = new long[Math.toIntExact(to.bytes())];
    long[] moved = new long[tagged.length];
    int whole = Math.toIntExact(places.get(result));
    switch (OpTraits.of(op)) {
      case RESHAPE_LIKE -> {
        if (!copy(op.inputs().get(0), 0, 0, tagged.length, tagged, moved)) {
          return false;
        }
      }
      case SLICE_LIKE -> {
        if (!slice(op, to, tagged, moved)) {
          return false;
        }
      }
      case CONCAT_LIKE -> {
        if (!concat(op, to, tagged, moved)) {
          return false;
        }
      }
      default -> {
        return false;
      }
    }
    values.put(result, tagged);
    System.arraycopy(moved, 0, memory, whole, moved.length);
    return true;
  }

  private boolean plain(Op op) {
    String fused = op.text("fused_activation_function", "NONE");
    return !op.presentInputs().isEmpty()
        && fused.equals("NONE")
        && op.presentOutputs().stream()
            .allMatch(name -> network.tensor(name).type().bits() % 8 == 0);
  }

  /** Copies a stretch of an operand to a stretch of what is to be the result. */
  private boolean copy(String from, long first, long at, long bytes, long[] tagged, long[] moved) {
    long[] own = values.get(from);
    if (own == null || first + bytes > own.length || at + bytes > tagged.length) {
      return false;
    }
    int source = Math.toIntExact(places.get(from) + first);
    System.arraycopy(own, (int) first, tagged, (int) at, (int) bytes);
    System.arraycopy(memory, source, moved, (int) at, (int) bytes);
    return true;
  }

  private boolean slice(Op op, Tensor to, long[] tagged, long[] moved) {
    Tensor from = network.tensor(op.inputs().get(0));
    int rank = from.rank();
    if (rank != to.rank() || rank == 0) {
      return false;
    }
    long[] begin = new long[rank];
    List<Long> starts = op.integers(op.attributes().containsKey("starts") ? "starts" : "begin");
    List<Long> axes = op.integers("axes");
    for (int k = 0; k < starts.size(); k++) {
      int axis = axes.isEmpty() ? k : Math.floorMod(axes.get(k).intValue(), rank);
      long start = starts.get(k) < 0 ? starts.get(k) + from.extent(axis) : starts.get(k);
      begin[axis] = start;
      if (start < 0 || start + to.extent(axis) > from.extent(axis)) {
        return false;
      }
    }
    boolean steps =
        op.integers("steps").stream().anyMatch(s -> s != 1)
            || op.integers("strides").stream().anyMatch(s -> s != 1);
    if (starts.isEmpty() || steps) {
      return false;
    }
    long element = from.type().bits() / 8;
    long row = to.extent(rank - 1) * element;
    long[] index = new long[rank];
    for (long at = 0; at < tagged.length; at += row) {
      long source = 0;
      for (int d = 0; d < rank; d++) {
        source = source * from.extent(d) + begin[d] + index[d];
      }
      if (!copy(from.name(), source * element, at, row, tagged, moved)) {
        return false;
      }
      for (int d = rank - 2; d >= 0 && ++index[d] == to.extent(d); d--) {
        index[d] = 0;
      }
    }
    return true;
  }

  private boolean concat(Op op, Tensor to, long[] tagged, long[] moved) {
    int axis = -1;
    for (String input : op.presentInputs()) {
      Tensor part = network.tensor(input);
      for (int d = 0; d < to.rank() && part.rank() == to.rank(); d++) {
        axis = part.extent(d) == to.extent(d) ? axis : d;
      }
    }
    if (axis < 0) {
      return false;
    }
    long inner = to.type().bits() / 8;
    for (int d = axis + 1; d < to.rank(); d++) {
      inner *= to.extent(d);
    }
    long place = 0;
    for (String input : op.presentInputs()) {
      Tensor part = network.tensor(input);
      if (part.rank() != to.rank()) {
        return false;
      }
      long own = part.extent(axis) * inner;
      for (long block = 0; block * own < part.bytes(); block++) {
        long at = block * to.extent(axis) * inner + place;
        if (!copy(input, block * own, at, own, tagged, moved)) {
          return false;
        }
      }
      place += own;
    }
    return place == to.extent(axis) * inner;
  }
}
