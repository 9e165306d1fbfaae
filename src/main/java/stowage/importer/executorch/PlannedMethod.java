package stowage.importer.executorch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.importer.io.InputException;
import stowage.packing.Buffer;
import stowage.packing.DisjointSets;
import stowage.packing.Gap;
import stowage.packing.LiveRange;

/**
 * The planned tensors of one method as buffers, memory by memory.
 *
 * <p>Tensors that are alive at once on the same bytes can only be meant to be: one is a view of the
 * other. They are one buffer, in which they keep their distances, and at each step it needs the
 * bytes from the first to the last of those alive. Sizes are rounded up to the alignment, as
 * ExecuTorch rounds them.
 */
final class PlannedMethod {
  /** ExecuTorch's own alignment, of its MemoryPlanningPass, where offsets do not deny it. */
  private static final long ALIGNMENT = 16;

  private final Path file;
  private final PteProgram.Method method;
  private final ValueLives.Ranges lives;
  private final String prefix;

  /** The buffers, memory by memory. */
  final List<Group> groups = new ArrayList<>();

  /** The alignment of each memory that has tensors, by its id. */
  final Map<Integer, Long> alignments = new TreeMap<>();

  private int extraSteps;

  /**
   * Tensors planned as one buffer: their memory's id, the offset of the first byte where the file
   * has it, the buffer without its memory, and the members by index with their distances from
   * there.
   */
  record Group(
      int memory, long offset, Buffer buffer, List<Integer> members, List<Long> distances) {}

  /** The plan of one method; the prefix tells its buffers' ids from those of others. */
  PlannedMethod(Path file, PteProgram.Method method, String prefix) {
    this.file = file;
    this.method = method;
    this.prefix = prefix;
    this.lives = ValueLives.of(method);
    Map<Integer, List<Integer>> byMemory = new TreeMap<>();
    for (int value = 0; value < method.values().size(); value++) {
      if (method.values().get(value).isPlanned()) {
        byMemory.computeIfAbsent(tensor(value).memory(), none -> new ArrayList<>()).add(value);
      }
    }
    byMemory.forEach(this::group);
  }

  int steps() {
    return lives.steps() + extraSteps;
  }

  private PteProgram.TensorInfo tensor(int value) {
    return method.values().get(value).tensor();
  }

  private InputException fault(int value, String what, Object... arguments) {
    String where = "method \"" + method.name() + "\", value " + value;
    return new InputException(file, where, what, arguments);
  }

  private void group(int memory, List<Integer> values) {
    if (memory >= method.sizes().length) {
      String what = "is planned in memory %s, but non_const_buffer_sizes has %s entries";
      throw fault(values.get(0), what, memory, method.sizes().length);
    }
    long size = method.sizes()[memory];
    long bits = ALIGNMENT;
    for (int value : values) {
      bits |= tensor(value).offset();
      if (tensor(value).offset() > size - tensor(value).bytes()) {
        String what = "of %s bytes at %s is not inside of memory %s of %s bytes";
        throw fault(value, what, tensor(value).bytes(), tensor(value).offset(), memory, size);
      }
    }
    long alignment = Long.lowestOneBit(bits);
    alignments.put(memory, alignment);
    List<Integer> byOffset =
        values.stream().sorted(Comparator.comparingLong(value -> tensor(value).offset())).toList();
    DisjointSets sets = new DisjointSets(method.values().size());
    // Sweeps upwards over bytes; what ends below the next tensor's start is dropped.
    List<Integer> open = new ArrayList<>();
    for (int value : byOffset) {
      open.removeIf(other -> tensor(other).end() <= tensor(value).offset());
      for (int other : open) {
        if (lives.from()[value] < lives.to()[other] && lives.from()[other] < lives.to()[value]) {
          sets.join(value, other);
        }
      }
      open.add(value);
    }
    Map<Integer, List<Integer>> members = new TreeMap<>();
    for (int value : values) {
      members.computeIfAbsent(sets.root(value), none -> new ArrayList<>()).add(value);
    }
    members.values().forEach(together -> groups.add(made(memory, together, alignment, size)));
  }

  private Group made(int memory, List<Integer> members, long alignment, long size) {
    long low = Long.MAX_VALUE;
    long high = 0;
    TreeMap<Integer, Boolean> borders = new TreeMap<>();
    for (int value : members) {
      low = Math.min(low, tensor(value).offset());
      high = Math.max(high, tensor(value).end());
      borders.put(lives.from()[value], true);
      borders.put(lives.to()[value], true);
    }
    long rounded = (high + alignment - 1) / alignment * alignment;
    high = rounded <= size ? rounded : high;
    String id = prefix + members.get(0) + role(members.get(0));
    int first = borders.firstKey();
    int last = borders.lastKey();
    if (first == last) {
      // No instruction names it: it needs bytes, at a step of its own.
      first = lives.steps() + extraSteps++;
      last = first + 1;
    }
    List<Gap> gaps =
        members.size() == 1 ? List.of() : gaps(members, List.copyOf(borders.keySet()), low, high);
    long from = low;
    LiveRange life = new LiveRange(first, last);
    long none = Buffer.NONE;
    Buffer buffer = new Buffer(id, high - low, life, 1, none, none, gaps, List.of(), false);
    List<Long> distances = members.stream().map(value -> tensor(value).offset() - from).toList();
    return new Group(memory, low, buffer, members, distances);
  }

  /** What a tensor is, in a word: an input, state, or the result of an op. */
  private String role(int value) {
    int from = lives.from()[value];
    if (method.instructions().isEmpty() || lives.to()[value] == from) {
      return "";
    } else if (Arrays.stream(method.inputs()).anyMatch(input -> input == value)) {
      return ":input";
    }
    return lives.held()[value] ? ":state" : opAt(from);
  }

  private String opAt(int step) {
    String name = method.instructions().get(Math.min(step, lives.steps() - 1)).op();
    name = name.substring(name.lastIndexOf(':') + 1);
    int dot = name.indexOf('.');
    return name.isEmpty() ? "" : ":" + (dot < 0 ? name : name.substring(0, dot));
  }

  /** Parts of a group's live range in which not all its bytes are needed. */
  private List<Gap> gaps(List<Integer> members, List<Integer> borders, long low, long high) {
    List<Gap> gaps = new ArrayList<>();
    for (int k = 0; k + 1 < borders.size(); k++) {
      int step = borders.get(k);
      long start = Long.MAX_VALUE;
      long end = 0;
      for (int value : members) {
        if (lives.from()[value] <= step && step < lives.to()[value]) {
          start = Math.min(start, tensor(value).offset());
          end = Math.max(end, tensor(value).end());
        }
      }
      boolean whole = start == low && roundedEnd(end, high) == high;
      if (!whole) {
        gaps.add(
            end == 0
                ? Gap.empty(step, borders.get(k + 1))
                : new Gap(
                    new LiveRange(step, borders.get(k + 1)),
                    start - low,
                    roundedEnd(end, high) - low));
      }
    }
    return gaps;
  }

  /** The end of bytes, rounded up as that of the whole group is. */
  private static long roundedEnd(long end, long high) {
    long rounded = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return Math.min(rounded, high);
  }
}
