package stowage.planning.fit.piece;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
 * that their ops wrote there. It knows only where each tensor is, nothing of live ranges or
 * buffers.
 *
 * <p>Every op writes tags of its own. Slices, splits, concats and reshapes copy tags, those in
 * place onto themselves; so a byte that was lost before a copy is found missing where it is read.
 * Operands and results of one op may overlap only where an elementwise op writes over an operand as
 * a whole.
 *
 * <p>Tags of bytes written together follow each other, so a stretch of them is kept as one.
 * Complexity: O(s log s) for s stretches that are written or copied.
 */
public final class FitReplay {
  private final Network network;
  private final Map<String, Long> places = new HashMap<>();
  private final Map<String, Stretches> values = new HashMap<>();
  private final Stretches memory = new Stretches();

  /** The first tag of what the last alternative of an op makes, by the op's name. */
  private final Map<String, Long> begun = new HashMap<>();

  private long next;

  private FitReplay(PlanningCase planned, Placement placement) {
    this.network = planned.network();
    for (int b = 0; b < planned.contents().size(); b++) {
      if (planned.problem().buffer(b).size() == 0) {
        continue; // shows a weight, or has no bytes
      }
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        places.put(part.tensor(), placement.offset(b) + part.offset());
      }
    }
  }

  /** Bytes with tags: by the first byte of a stretch its length and its first tag. */
  private static final class Stretches {
    private final TreeMap<Long, long[]> parts = new TreeMap<>();

    /** Makes a stretch begin at a byte where one goes across. */
    private void cut(long at) {
      Map.Entry<Long, long[]> before = parts.lowerEntry(at);
      if (before != null && before.getKey() + before.getValue()[0] > at) {
        long first = at - before.getKey();
        long[] rest = {before.getValue()[0] - first, before.getValue()[1] + first};
        before.getValue()[0] = first;
        parts.put(at, rest);
      }
    }

    void clear(long at, long bytes) {
      cut(at);
      cut(at + bytes);
      parts.subMap(at, at + bytes).clear();
    }

    /** Puts a stretch where no bytes have tags. */
    void put(long at, long bytes, long tag) {
      Map.Entry<Long, long[]> before = parts.lowerEntry(at);
      if (before != null
          && before.getKey() + before.getValue()[0] == at
          && before.getValue()[1] + before.getValue()[0] == tag) {
        before.getValue()[0] += bytes;
      } else {
        parts.put(at, new long[] {bytes, tag});
      }
    }

    /** Copies a stretch to where no bytes have tags. */
    void copy(long first, long bytes, Stretches to, long at) {
      Map.Entry<Long, long[]> part = parts.floorEntry(first);
      part = part == null ? parts.higherEntry(first) : part;
      for (;
          part != null && part.getKey() < first + bytes;
          part = parts.higherEntry(part.getKey())) {
        long from = Math.max(first, part.getKey());
        long end = Math.min(first + bytes, part.getKey() + part.getValue()[0]);
        if (from < end) {
          to.put(at + from - first, end - from, part.getValue()[1] + from - part.getKey());
        }
      }
    }

    /** Whether other bytes have all tags that these have. */
    boolean isAt(Stretches other, long place) {
      for (Map.Entry<Long, long[]> part : parts.entrySet()) {
        long at = place + part.getKey();
        long end = at + part.getValue()[0];
        while (at < end) {
          Map.Entry<Long, long[]> found = other.parts.floorEntry(at);
          long into = found == null ? 0 : at - found.getKey();
          long tag = part.getValue()[1] + at - place - part.getKey();
          if (found == null || into >= found.getValue()[0] || found.getValue()[1] + into != tag) {
            return false;
          }
          at = found.getKey() + found.getValue()[0];
        }
      }
      return true;
    }
  }

  /** What is wrong with a placement: op and operand that it does not find; empty if nothing is. */
  public static Optional<String> fault(PlanningCase planned, Placement placement) {
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
    if (op.type().endsWith(".enter") || op.type().endsWith(".call")) {
      begun.put(op.name().substring(0, op.name().lastIndexOf('.')), next);
    }
    for (String input : op.presentInputs()) {
      if (!holds(input) && !givesWay(op, input)) {
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

  /** Whether an operand was made in an alternative that another one followed. */
  private boolean givesWay(Op op, String input) {
    boolean branches = op.type().equals("If") || op.type().equals("Case");
    long first = values.get(input).parts.firstEntry().getValue()[1];
    return branches && begun.getOrDefault(op.name(), -1L) > first;
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
    long bytes = network.tensor(name).bytes();
    Stretches own = new Stretches();
    own.put(0, bytes, next);
    values.put(name, own);
    memory.clear(places.get(name), bytes);
    own.copy(0, bytes, memory, places.get(name));
    next += bytes + 1;
  }

  private boolean holds(String name) {
    Stretches own = values.get(name);
    return own == null || own.isAt(memory, places.get(name)); // null: a weight, or kept elsewhere
  }

  /** Copies what an op that only moves elements moves; says whether it is such an op. */
  private boolean copies(Op op) {
    if (op.presentOutputs().isEmpty() || !plain(op)) {
      return false;
    }
    String first = op.outputs().get(0);
    String source = op.inputs().get(0);
    boolean one = op.outputs().size() == 1;
    return switch (OpTraits.of(op)) {
      case RESHAPE_LIKE -> {
        boolean made = makes(first, (to, tags) -> copy(source, 0, 0, to.bytes(), tags));
        op.presentOutputs().stream().skip(made ? 1 : op.outputs().size()).forEach(this::write);
        yield made;
      }
      case SLICE_LIKE -> one && makes(first, (to, tags) -> slice(op, to, tags));
      case SPLIT_LIKE -> split(op);
      case CONCAT_LIKE -> one && makes(first, (to, tags) -> concat(op, to, tags));
      default -> false;
    };
  }

  /** What a copied tensor should hold, and what was found where it was copied from. */
  private record Tags(long bytes, Stretches wanted, Stretches found) {}

  /** Fills a tensor with copied tags; false where that cannot be followed. */
  private boolean makes(String result, BiPredicate<Tensor, Tags> filled) {
    if (!places.containsKey(result)) {
      return false;
    }
    Tensor to = network.tensor(result);
    Tags tags = new Tags(to.bytes(), new Stretches(), new Stretches());
    if (!filled.test(to, tags)) {
      return false;
    }
    values.put(result, tags.wanted);
    memory.clear(places.get(result), to.bytes());
    tags.found.copy(0, to.bytes(), memory, places.get(result));
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
    Stretches own = values.get(from);
    if (own == null || first + bytes > network.tensor(from).bytes() || at + bytes > tags.bytes) {
      return false;
    }
    own.copy(first, bytes, tags.wanted, at);
    memory.copy(places.get(from) + first, bytes, tags.found, at);
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
    int inner = rank - 1; // from here on a row of the box is one stretch
    long row = to.extent(inner) * element;
    while (inner > 0 && to.extent(inner) == from.extent(inner)) {
      row *= to.extent(--inner);
    }
    long[] index = new long[rank];
    for (long at = 0; at < to.bytes(); at += row) {
      long source = 0;
      for (int d = 0; d < rank; d++) {
        source = source * from.extent(d) + begin[d] + index[d];
      }
      if (!copy(from.name(), source * element, at, row, tags)) {
        return false;
      }
      for (int d = inner - 1; d >= 0 && ++index[d] == to.extent(d); d--) {
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
