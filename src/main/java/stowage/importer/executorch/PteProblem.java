package stowage.importer.executorch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.PackingBaseline;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * The methods of a program as one packing problem: each memory id of each method is a memory, with
 * its entry of {@code non_const_buffer_sizes} as what it takes now. Methods run one at a time, so
 * their steps are put one after the other.
 *
 * <p>Where several methods plan, memories from id 2 on may be shared between them (ExecuTorch's
 * {@code share_mutable_buffers} puts state there), so their tensors stay where they are.
 */
final class PteProblem {
  private static final int MOST_MEMORIES = 63;

  /** The memories, in the problem's order. */
  final List<Place> places = new ArrayList<>();

  /** The tensors of each buffer, in the problem's order. */
  final List<PlannedMethod.Group> groups = new ArrayList<>();

  private final List<Integer> memoryOf = new ArrayList<>();
  private final PackingProblem problem;
  private final PackingBaseline baseline;
  private final List<String> remarks = new ArrayList<>();

  record Place(PteProgram.Method method, int id, String name) {}

  private PteProblem(PteProgram program, List<PteProgram.Method> methods) {
    Map<PteProgram.Method, PlannedMethod> planned = new IdentityHashMap<>();
    List<PteProgram.Method> used = new ArrayList<>();
    for (PteProgram.Method method : methods) {
      String prefix = methods.size() == 1 ? "" : method.name() + "/";
      PlannedMethod one = new PlannedMethod(program.file(), method, prefix);
      if (!one.groups.isEmpty()) {
        planned.put(method, one);
        used.add(method);
      }
    }
    if (used.isEmpty()) {
      remarks.add(
          "no tensor has an allocation_info: all memory is the caller's or that of delegates");
    }
    boolean several = program.methods().stream().filter(PteProblem::plans).count() > 1;
    for (PteProgram.Method method : used) {
      for (int id : planned.get(method).alignments.keySet()) {
        String label = (used.size() == 1 ? "" : method.name() + ":") + "id" + id;
        places.add(new Place(method, id, label.replaceAll("\\s", "_")));
      }
    }
    // The last memory's peak is the headline: that of the largest in which anything can move.
    places.sort(
        Comparator.comparing((Place place) -> !several || place.id() == 1)
            .thenComparingLong(place -> place.method().sizes()[place.id()]));
    List<Memory> memories = new ArrayList<>();
    for (Place place : places) {
      long alignment = planned.get(place.method()).alignments.get(place.id());
      memories.add(new Memory(place.name(), Memory.UNBOUNDED, alignment, 0, 0));
    }
    List<Buffer> buffers = new ArrayList<>();
    boolean kept = false;
    int step = 0;
    for (PteProgram.Method method : used) {
      PlannedMethod one = planned.get(method);
      for (PlannedMethod.Group group : one.groups) {
        int memory = memoryIndex(method, group.memory());
        Buffer buffer = shifted(group.buffer(), step);
        boolean fixed = several && group.memory() > 1;
        kept |= fixed;
        buffer = fixed ? buffer.withFixedOffset(group.offset()) : buffer;
        buffers.add(buffer);
        groups.add(group);
        memoryOf.add(memory);
      }
      step += one.steps();
    }
    for (int b = 0; b < buffers.size() && memories.size() > 1; b++) {
      buffers.set(b, buffers.get(b).withMemories(List.of(memories.get(memoryOf.get(b)).name())));
    }
    if (memories.isEmpty()) {
      memories.add(Memory.main());
    }
    if (memories.size() > MOST_MEMORIES) {
      String what = "has %s memories in its methods; --module METHOD plans one method";
      throw new InputException(program.file(), "", what, memories.size());
    }
    if (kept) {
      remarks.add(
          "tensors in memories from id 2 on stay where they are, since methods may share them");
    }
    this.problem =
        new PackingProblem(
            InputFiles.stem(program.file()), buffers, memories, ConflictPairs.none());
    this.baseline = baseline();
  }

  private int memoryIndex(PteProgram.Method method, int id) {
    return IntStream.range(0, places.size())
        .filter(k -> places.get(k).method() == method && places.get(k).id() == id)
        .findFirst()
        .orElseThrow();
  }

  static boolean plans(PteProgram.Method method) {
    return method.values().stream().anyMatch(PteProgram.Value::isPlanned);
  }

  private static Buffer shifted(Buffer buffer, int steps) {
    List<Gap> gaps =
        buffer.gaps().stream()
            .map(gap -> new Gap(shifted(gap.range(), steps), gap.windowStart(), gap.windowEnd()))
            .toList();
    LiveRange life = shifted(buffer.live(), steps);
    long none = Buffer.NONE;
    return new Buffer(buffer.id(), buffer.size(), life, 1, none, none, gaps, List.of(), false);
  }

  private static LiveRange shifted(LiveRange range, int steps) {
    return new LiveRange(range.start() + steps, range.end() + steps);
  }

  private PackingBaseline baseline() {
    long[] offsets = groups.stream().mapToLong(PlannedMethod.Group::offset).toArray();
    int[] memories = memoryOf.stream().mapToInt(Integer::intValue).toArray();
    List<Long> bytes = new ArrayList<>();
    places.forEach(place -> bytes.add(place.method().sizes()[place.id()]));
    if (places.isEmpty()) {
      bytes.add(0L);
    }
    return new PackingBaseline("ExecuTorch", Placement.of(offsets, memories), bytes, List.of());
  }

  Input.Packing input() {
    return new Input.Packing(problem, remarks, baseline);
  }

  /** The index of a buffer's memory among the places. */
  int memoryOf(int buffer) {
    return memoryOf.get(buffer);
  }

  /** The problem of all methods, or of the one named. */
  static PteProblem of(PteProgram program, String module) {
    List<PteProgram.Method> methods = new ArrayList<>(program.methods());
    if (!module.isEmpty()) {
      methods.removeIf(method -> !method.name().equals(module));
    }
    return InputException.checked(program.file(), "", () -> new PteProblem(program, methods));
  }
}
