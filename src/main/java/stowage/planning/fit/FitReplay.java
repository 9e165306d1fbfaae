package stowage.planning.fit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
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
 * <p>Where all places and rows are multiples of some bytes, a tag is for that many. Complexity: all
 * bytes of all operands and results.
 */
final class FitReplay {
  private final Network network;
  private final Map<String, Long> places = new HashMap<>();
  private final Map<String, long[]> values = new HashMap<>();
  private final long[] memory;
  private long next = 1;

  /** Bytes that a tag is for: all places and rows are multiples of it. */
  private final long grain;

  private FitReplay(PlanningCase planned, Placement placement) {
    this.network = planned.network();
    long peak = 0;
    long common = 0;
    for (int b = 0; b < planned.contents().size(); b++) {
      if (planned.problem().buffer(b).size() == 0) {
        continue; // shows a weight, or has no bytes
      }
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        places.put(part.tensor(), placement.offset(b) + part.offset());
        long bytes = network.tensor(part.tensor()).bytes();
        peak = Math.max(peak, placement.offset(b) + part.offset() + bytes);
        common = divisor(common, placement.offset(b) + part.offset());
        common = divisor(divisor(common, bytes), row(network.tensor(part.tensor())));
      }
    }
    this.grain = Math.max(1, common);
    this.memory = new long[Math.toIntExact(peak / grain)];
  }

  private static long divisor(long one, long other) {
    long a = one;
    long b = other;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  /** Bytes of the last dimension, or of an element where bits are packed. */
  private static long row(Tensor tensor) {
    long last = tensor.rank() == 0 ? 1 : tensor.extent(tensor.rank() - 1);
    return last * tensor.type().bits() % 8 == 0 ? last * tensor.type().bits() / 8 : 1;
  }

  /** A number of bytes in tags. */
  private int tags(long bytes) {
    return Math.toIntExact(bytes / grain);
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
          return "op \""
              + op.name()
              + "\" writes \""
              + output
              + "\" over its operand \""
              + input
              + "\"";
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
    long[] own = new long[tags(network.tensor(name).bytes())];
    Arrays.setAll(own, k -> next + k);
    next += own.length;
    values.put(name, own);
    System.arraycopy(own, 0, memory, tags(places.get(name)), own.length);
  }

  private boolean holds(String name) {
    long[] own = values.get(name);
    if (own == null) {
      return true; // a weight, or kept elsewhere
    }
    int at = tags(places.get(name));
    return Arrays.equals(memory, at, at + own.length, own, 0, own.length);
  }

  /** Copies what an op that only moves elements moves; says whether it is such an op. */
  private boolean copies(Op op) {
    if (op.presentOutputs().isEmpty() || !plain(op)) {
      return false;
    }
    String first = op.outputs().get(0);
    String source = op.inputs().get(0);
    switch (OpTraits.of(op)) {
      case RESHAPE_LIKE -> {
        if (!makes(first, (to, tags) -> copy(source, 0, 0, to.bytes(), tags))) {
          return false;
        }
        op.presentOutputs().stream().skip(1).forEach(this::write);
        return true;
      }
      case SLICE_LIKE -> {
        return op.outputs().size() == 1 && makes(first, (to, tags) -> slice(op, to, tags));
      }
      case SPLIT_LIKE -> {
        return split(op);
      }
      case CONCAT_LIKE -> {
        return op.outputs().size() == 1 && makes(first, (to, tags) -> concat(op, to, tags));
      }
      default -> {
        return false;
      }
    }
  }

  /** What a copied tensor should hold, and what was found where it was copied from. */
  private record Tags(long[] wanted, long[] found) {}

  /** Fills a tensor with copied tags; false where that cannot be followed. */
  private boolean makes(String result, BiPredicate<Tensor, Tags> filled) {
    if (!places.containsKey(result)) {
      return false;
    }
    Tensor to = network.tensor(result);
    Tags tags = new Tags(new long[tags(to.bytes())], new long[tags(to.bytes())]);
    if (!filled.test(to, tags)) {
      return false;
    }
    values.put(result, tags.wanted);
    System.arraycopy(tags.found, 0, memory, tags(places.get(result)), tags.found.length);
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
  private boolean copy(String from, long first, long at, long bytes, Tags tags) {
    long[] own = values.get(from);
    boolean whole = first % grain == 0 && at % grain == 0 && bytes % grain == 0;
    if (own == null
        || !whole
        || tags(first + bytes) > own.length
        || tags(at + bytes) > tags.wanted.length) {
      return false;
    }
    System.arraycopy(own, tags(first), tags.wanted, tags(at), tags(bytes));
    System.arraycopy(memory, tags(places.get(from) + first), tags.found, tags(at), tags(bytes));
    return true;
  }

  private boolean slice(Op op, Tensor to, Tags tags) {
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
    return !starts.isEmpty() && !steps && region(from, to, begin, tags);
  }

  /** Copies a box of a tensor from an index on. */
  private boolean region(Tensor from, Tensor to, long[] begin, Tags tags) {
    int rank = to.rank();
    long element = from.type().bits() / 8;
    long row = to.extent(rank - 1) * element;
    long[] index = new long[rank];
    for (long at = 0; at < to.bytes(); at += row) {
      long source = 0;
      for (int d = 0; d < rank; d++) {
        source = source * from.extent(d) + begin[d] + index[d];
      }
      if (!copy(from.name(), source * element, at, row, tags)) {
        return false;
      }
      for (int d = rank - 2; d >= 0 && ++index[d] == to.extent(d); d--) {
        index[d] = 0;
      }
    }
    return true;
  }

  /** Copies the parts of an operand to the results, one after the other along an axis. */
  private boolean split(Op op) {
    Tensor part = network.tensor(op.presentOutputs().get(0));
    for (String input : op.presentInputs()) {
      Tensor from = network.tensor(input);
      if (!values.containsKey(input) || from.rank() != part.rank()) {
        continue;
      }
      long[] begin = new long[from.rank()];
      int axis = 0;
      while (axis < begin.length && from.extent(axis) == part.extent(axis)) {
        axis++;
      }
      boolean followed = axis < begin.length;
      for (String output : op.presentOutputs()) {
        followed = followed && makes(output, (to, tags) -> region(from, to, begin, tags));
        if (followed) {
          begin[axis] += network.tensor(output).extent(axis);
        }
      }
      return followed;
    }
    return false;
  }

  private boolean concat(Op op, Tensor to, Tags tags) {
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
        if (!copy(input, block * own, at, own, tags)) {
          return false;
        }
      }
      place += own;
    }
    return place == to.extent(axis) * inner;
  }
}
