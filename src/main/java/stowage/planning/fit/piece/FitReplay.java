package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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
 * <p>Tags of bytes written together follow each other, so a stretch of them is kept as one, and the
 * memory keeps for all bytes of a tensor which one it is. Complexity: O(s log s) for s stretches
 * that are copied.
 */
public final class FitReplay {
  private final Network network;
  private final Map<String, Long> places = new HashMap<>();
  private final Map<String, Tags> values = new HashMap<>();
  private final Memory memory = new Memory();

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
        if (network.tensor(part.tensor()).bytes() > 0) {
          places.put(part.tensor(), placement.offset(b) + part.offset());
        }
      }
    }
  }

  /** A tensor's tags: stretches one after the other, each as long as can be. */
  private static final class Tags {
    private long[] starts = new long[1];
    private long[] ends = new long[1];
    private long[] tags = new long[1];
    private int count;

    /** Adds a stretch after the others. */
    void add(long at, long bytes, long tag) {
      int last = count - 1;
      if (count > 0 && ends[last] == at && tags[last] + ends[last] - starts[last] == tag) {
        ends[last] += bytes;
        return;
      }
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
        tags = Arrays.copyOf(tags, 2 * count);
      }
      starts[count] = at;
      ends[count] = at + bytes;
      tags[count++] = tag;
    }

    /** Adds some bytes to others, from a place on that is after those. O(log s) and the copied. */
    void copy(long first, long bytes, Tags to, long at) {
      int found = Arrays.binarySearch(starts, 0, count, first);
      for (int k = Math.max(0, found < 0 ? -found - 2 : found);
          k < count && starts[k] < first + bytes;
          k++) {
        long from = Math.max(first, starts[k]);
        long end = Math.min(first + bytes, ends[k]);
        if (from < end) {
          to.add(at + from - first, end - from, tags[k] + from - starts[k]);
        }
      }
    }

    boolean areThoseOf(Tags other) {
      return Arrays.equals(starts, 0, count, other.starts, 0, other.count)
          && Arrays.equals(ends, 0, count, other.ends, 0, other.count)
          && Arrays.equals(tags, 0, count, other.tags, 0, other.count);
    }
  }

  /** Bytes up to an address that show a tensor's tags, which begin at another address. */
  private record Shown(Tags tags, long begin, long end) {}

  /** By the first of its bytes what each part of the memory shows. */
  private static final class Memory {
    private final TreeMap<Long, Shown> parts = new TreeMap<>();

    /** Makes a part begin at an address where one goes across. */
    private void cut(long at) {
      Map.Entry<Long, Shown> before = parts.lowerEntry(at);
      if (before != null && before.getValue().end > at) {
        Shown shown = before.getValue();
        parts.put(at, shown);
        parts.put(before.getKey(), new Shown(shown.tags, shown.begin, at));
      }
    }

    void put(long at, long bytes, Tags tags) {
      cut(at);
      cut(at + bytes);
      parts.subMap(at, at + bytes).clear();
      parts.put(at, new Shown(tags, at, at + bytes));
    }

    /** Adds what some bytes show to tags, from a place on that is after those. */
    void copy(long first, long bytes, Tags to, long at) {
      Long start = parts.floorKey(first);
      parts
          .subMap(start == null ? first : start, first + bytes)
          .forEach(
              (place, shown) -> {
                long from = Math.max(first, place);
                long end = Math.min(first + bytes, shown.end);
                if (from < end) {
                  shown.tags.copy(from - shown.begin, end - from, to, at + from - first);
                }
              });
    }

    /** Whether bytes show tags; if so they show them as one part from now on. */
    boolean shows(long at, long bytes, Tags tags) {
      Shown shown = parts.get(at);
      if (shown != null && shown.tags == tags && shown.begin == at && shown.end == at + bytes) {
        return true;
      }
      Tags found = new Tags();
      copy(at, bytes, found, 0);
      boolean same = found.areThoseOf(tags);
      if (same) {
        put(at, bytes, tags);
      }
      return same;
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
      begun.put(op.name().replaceFirst("\\.[^.]*$", ""), next);
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
    long first = values.get(input).tags[0];
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
    Tags own = new Tags();
    own.add(0, bytes, next);
    values.put(name, own);
    memory.put(places.get(name), bytes, own);
    next += bytes + 1;
  }

  private boolean holds(String name) {
    Tags own = values.get(name); // null: a weight, or kept elsewhere
    return own == null || memory.shows(places.get(name), network.tensor(name).bytes(), own);
  }

  /** Copies what an op that only moves elements moves; says whether it is such an op. */
  private boolean copies(Op op) {
    if (op.outputs().isEmpty() || op.outputs().get(0).isEmpty() || !plain(op)) {
      return false;
    }
    String first = op.outputs().get(0);
    boolean one = op.outputs().size() == 1;
    return switch (OpTraits.of(op)) {
      case RESHAPE_LIKE -> {
        Source from = source(op.inputs().get(0));
        boolean made = makes(op, first, (to, copied) -> copy(from, 0, 0, to.bytes(), copied));
        op.presentOutputs().stream().skip(made ? 1 : op.outputs().size()).forEach(this::write);
        yield made;
      }
      case SLICE_LIKE -> one && makes(op, first, (to, copied) -> slice(op, to, copied));
      case SPLIT_LIKE -> split(op);
      case CONCAT_LIKE -> one && makes(op, first, (to, copied) -> concat(op, to, copied));
      default -> false;
    };
  }

  /** What a copied tensor should hold, and what is where that is copied from. */
  private record Copied(long bytes, Tags wanted, Tags found) {}

  /**
   * Fills a tensor with copied tags; false where that cannot be followed, or what goes into memory
   * of the caller's is not there.
   */
  private boolean makes(Op op, String result, BiPredicate<Tensor, Copied> filled) {
    Tensor to = network.tensor(result);
    boolean held = op.presentInputs().stream().allMatch(this::holds);
    Tags wanted = new Tags();
    Copied copied = new Copied(to.bytes(), wanted, held ? wanted : new Tags());
    if (to.bytes() > 0 && !filled.test(to, copied)) {
      return false;
    }
    if (!places.containsKey(result)) {
      return held || copied.found.areThoseOf(wanted);
    }
    values.put(result, wanted);
    memory.put(places.get(result), to.bytes(), copied.found);
    return true;
  }

  private boolean plain(Op op) {
    String fused = op.text("fused_activation_function", "NONE");
    return !op.inputs().isEmpty()
        && !op.inputs().get(0).isEmpty()
        && fused.equals("NONE")
        && Stream.concat(op.presentInputs().stream(), op.presentOutputs().stream())
            .allMatch(name -> network.tensor(name).type().bits() % 8 == 0);
  }

  /** What an operand should hold, where it is, and its bytes. */
  private record Source(Tags tags, long place, long bytes) {}

  private Source source(String name) {
    Tags own = values.get(name);
    return own == null ? null : new Source(own, places.get(name), network.tensor(name).bytes());
  }

  /** Copies a stretch of an operand to what is to be the result, after what is there. */
  private boolean copy(Source from, long first, long at, long bytes, Copied to) {
    if (from == null || first + bytes > from.bytes || at + bytes > to.bytes) {
      return false;
    }
    from.tags.copy(first, bytes, to.wanted, at);
    if (to.found != to.wanted) {
      memory.copy(from.place + first, bytes, to.found, at);
    }
    return true;
  }

  private boolean slice(Op op, Tensor to, Copied copied) {
    Tensor from = network.tensor(op.inputs().get(0));
    int rank = from.rank();
    if (rank != to.rank() || rank == 0) {
      return false;
    }
    long[] begin = new long[rank];
    List<Long> starts = op.integers(op.attributes().containsKey("starts") ? "starts" : "begin");
    List<Long> axes = op.integers("axes");
    if (axes.isEmpty() ? starts.size() > rank : starts.size() != axes.size()) {
      return false;
    }
    for (int k = 0; k < starts.size(); k++) {
      int axis = axes.isEmpty() ? k : Math.floorMod(axes.get(k).intValue(), rank);
      long start = starts.get(k) < 0 ? starts.get(k) + from.extent(axis) : starts.get(k);
      begin[axis] = start;
      if (start < 0 || start > from.extent(axis) - to.extent(axis)) {
        return false;
      }
    }
    boolean steps =
        op.integers("steps").stream().anyMatch(s -> s != 1)
            || op.integers("strides").stream().anyMatch(s -> s != 1);
    return !starts.isEmpty() && !steps && region(from, to, begin, copied);
  }

  /** Copies a box of a tensor from an index on. */
  private boolean region(Tensor from, Tensor to, long[] begin, Copied copied) {
    int rank = to.rank();
    long element = from.type().bits() / 8;
    int inner = rank - 1; // from here on a row of the box is one stretch
    long row = to.extent(inner) * element;
    while (inner > 0 && to.extent(inner) == from.extent(inner)) {
      row *= to.extent(--inner);
    }
    Source whole = source(from.name());
    long[] index = new long[rank];
    for (long at = 0; at < copied.bytes; at += row) {
      long source = 0;
      for (int d = 0; d < rank; d++) {
        source = source * from.extent(d) + begin[d] + index[d];
      }
      if (!copy(whole, source * element, at, row, copied)) {
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
        followed = followed && makes(op, output, (to, copied) -> region(from, to, begin, copied));
        if (followed) {
          begin[axis] += network.tensor(output).extent(axis);
        }
      }
      return followed;
    }
    return false;
  }

  private boolean concat(Op op, Tensor to, Copied copied) {
    if (op.inputs().size() == 1) {
      return copy(source(op.inputs().get(0)), 0, 0, to.bytes(), copied);
    }
    int axis = -1;
    for (String input : op.presentInputs()) {
      Tensor part = network.tensor(input);
      if (part.rank() != to.rank()) {
        return false;
      }
      for (int d = 0; d < to.rank(); d++) {
        axis = part.extent(d) == to.extent(d) ? axis : d;
      }
    }
    int cut = axis;
    long[] parts =
        op.presentInputs().stream()
            .mapToLong(name -> cut < 0 ? 0 : network.tensor(name).extent(cut))
            .toArray();
    if (axis < 0 || LongStream.of(parts).sum() != to.extent(axis)) {
      return false;
    }
    long inner = to.type().bits() / 8;
    for (int d = axis + 1; d < to.rank(); d++) {
      inner *= to.extent(d);
    }
    List<Source> sources = op.presentInputs().stream().map(this::source).toList();
    long at = 0;
    while (at < copied.bytes) {
      long block = at / (to.extent(axis) * inner);
      for (int k = 0; k < parts.length; k++) {
        long bytes = parts[k] * inner;
        if (bytes > 0 && !copy(sources.get(k), block * bytes, at, bytes, copied)) {
          return false;
        }
        at += bytes;
      }
    }
    return true;
  }
}
