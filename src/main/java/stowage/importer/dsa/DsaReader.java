package stowage.importer.dsa;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.Input;
import stowage.importer.io.JsonDocument;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;

/**
 * Reader of one document of {@link DsaFormat}; used once.
 *
 * <p>A pool is a memory, under its name; a buffer's id is the document's number as text. Live
 * intervals are a live range with gaps, colocations are {@code together}, separations {@code
 * conflicts}, temporal exclusions {@code exclusive}, reuse penalties {@code reuse} with their
 * reason, a pin is a fixed offset in one memory, and one that is exclusive for all time holds its
 * place. Of the objective's terms, {@code capacity_overflow} says that the capacities bind, which
 * they do anyway; {@code reuse_cost} and the peaks become goals; {@code bank_cost} is not known,
 * and a remark says so. What else the document holds (metadata, alias classes, pipeline groups)
 * constrains nothing.
 */
final class DsaReader {
  private static final List<String> PROFILES =
      List.of(
          ("standard_dsa pypto_structured pypto_hard_v1 pypto_research_v1 pypto_core_relaxation"
                  + " dsa_rp_v1")
              .split(" "));

  private final boolean ignoreOffsets;
  private final Map<Long, Integer> poolIndex = new HashMap<>();
  private final Map<Long, Integer> bufferIndex = new HashMap<>();
  private final List<Memory> memories = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  DsaReader(boolean ignoreOffsets) {
    this.ignoreOffsets = ignoreOffsets;
  }

  Input read(JsonDocument.Value root) {
    root.required("schema_version").integer(1, 1);
    JsonDocument.Value profile = root.required("profile");
    if (!PROFILES.contains(profile.name())) {
      throw profile.fault(
          "profile \"" + profile.name() + "\" should be one of " + String.join(", ", PROFILES));
    }
    if (profile.name().equals("pypto_core_relaxation")) {
      remarks.add("the document is a relaxation of " + root.required("relaxed_from").text());
    }
    JsonDocument.Value problem = root.required("problem");
    problem.required("pools").elements().forEach(this::addPool);
    problem.required("buffers").elements().forEach(this::addBuffer);
    refuseWholeSlots(problem);
    JsonDocument.Value constraints = problem.required("constraints");
    constraints.required("pinned_allocations").elements().forEach(this::pin);
    Relations relations =
        Relations.none()
            .withReuse(reuse(problem))
            .withTogether(constraints.required("colocations").each(this::together))
            .withExclusive(pairs(constraints.required("temporal_exclusions")));
    PackingProblem made =
        new PackingProblem(
            root.required("instance").name(),
            buffers,
            memories,
            pairs(constraints.required("separations")),
            relations);
    return new Input.Packing(made.withGoals(goals(problem.required("objective"))), remarks);
  }

  /** Early documents may ask that buffers reuse whole slots alone; later ones never do. */
  private static void refuseWholeSlots(JsonDocument.Value problem) {
    JsonDocument.Value structure = problem.fields().get("pypto_structure");
    if (structure != null && structure.fields().containsKey("whole_slot_reuse")) {
      JsonDocument.Value whole = structure.required("whole_slot_reuse");
      if (whole.flag()) {
        throw whole.fault("reuse of whole slots alone is not known; it should be false or absent");
      }
    }
  }

  private void addPool(JsonDocument.Value pool) {
    long id = pool.required("id").integer(0, 4294967295L);
    String name = pool.required("name").name().replaceAll("\\s", "_");
    if (poolIndex.put(id, memories.size()) != null) {
      throw pool.required("id").fault("pool " + id + " is defined twice");
    }
    JsonDocument.Value capacity = pool.fields().get("capacity");
    List<ReservedRange> reserved = new ArrayList<>();
    for (JsonDocument.Value range : pool.required("reserved_ranges").elements()) {
      long from = range.required("begin").integer(0, PackingProblem.LARGEST_SUM);
      long to = range.required("end").integer(0, PackingProblem.LARGEST_SUM);
      if (from < to) {
        reserved.add(new ReservedRange(from, to));
      }
    }
    long bank =
        pool.optional(
            "bank_geometry", it -> it.required("bank_size").integer(0, Long.MAX_VALUE), 0L);
    boolean bounded = capacity != null && !capacity.isNull();
    long bytes = bounded ? capacity.integer(0, Long.MAX_VALUE - 1) : Memory.UNBOUNDED;
    memories.add(new Memory(name, bytes, 1, 0, bank, reserved));
  }

  private void addBuffer(JsonDocument.Value buffer) {
    long id = buffer.required("id").integer(0, 4294967295L);
    if (bufferIndex.put(id, buffers.size()) != null) {
      throw buffer.required("id").fault("buffer " + id + " is defined twice");
    }
    List<int[]> intervals = new ArrayList<>();
    for (JsonDocument.Value interval : buffer.required("live_intervals").elements()) {
      int lower = step(interval.required("lower"));
      int upper = step(interval.required("upper"));
      if (upper < lower) {
        throw interval.fault("interval [" + lower + ", " + upper + ") ends before it starts");
      }
      intervals.add(new int[] {lower, upper});
    }
    if (intervals.isEmpty()) {
      throw buffer.required("live_intervals").fault("a buffer needs an interval at least");
    }
    intervals.sort(Comparator.comparingInt((int[] interval) -> interval[0]));
    List<Gap> gaps = new ArrayList<>();
    int last = intervals.get(0)[0];
    for (int[] interval : intervals) {
      if (interval[0] > last) {
        gaps.add(Gap.empty(last, interval[0]));
      }
      last = Math.max(last, interval[1]);
    }
    List<String> allowed =
        buffer
            .required("allowed_pools")
            .each(pool -> memories.get(index(poolIndex, pool, "pool")).name());
    LiveRange life = new LiveRange(intervals.get(0)[0], last);
    long size = buffer.required("size").integer(0, PackingProblem.LARGEST_SUM);
    long alignment = buffer.required("alignment").integer(0, PackingProblem.LARGEST_SUM);
    buffers.add(
        buffer.checked(
            () ->
                new Buffer(
                    Long.toString(id),
                    size,
                    life,
                    Math.max(1, alignment),
                    Buffer.NONE,
                    Buffer.NONE,
                    gaps,
                    allowed.stream().distinct().toList(),
                    false)));
  }

  private static int step(JsonDocument.Value value) {
    return (int) value.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static int index(Map<Long, Integer> known, JsonDocument.Value value, String what) {
    long id = value.integer(0, 4294967295L);
    Integer index = known.get(id);
    if (index == null) {
      throw value.fault(what + " " + id + " is not defined");
    }
    return index;
  }

  private void pin(JsonDocument.Value pin) {
    int buffer = index(bufferIndex, pin.required("buffer"), "buffer");
    String pool = memories.get(index(poolIndex, pin.required("pool"), "pool")).name();
    long offset = pin.required("offset").integer(0, Long.MAX_VALUE / 2);
    if (!buffers.get(buffer).memories().contains(pool)) {
      throw pin.required("pool").fault("the buffer is not allowed in pool \"" + pool + "\"");
    }
    Buffer moved = buffers.get(buffer).withMemories(List.of(pool));
    Buffer pinned = ignoreOffsets ? moved : pin.checked(() -> moved.withFixedOffset(offset));
    buffers.set(buffer, pinned.holdsPlace(pin.required("exclusive_for_all_time").flag()));
  }

  private int[] pair(JsonDocument.Value pair) {
    int first = index(bufferIndex, pair.required("first"), "buffer");
    int second = index(bufferIndex, pair.required("second"), "buffer");
    if (first == second) {
      throw pair.fault("first and second should be two different buffers");
    }
    return new int[] {first, second};
  }

  private ConflictPairs pairs(JsonDocument.Value list) {
    return ConflictPairs.of(buffers.size(), list.each(this::pair));
  }

  private Relations.Together together(JsonDocument.Value pair) {
    int[] ends = pair(pair);
    return new Relations.Together(ends[0], ends[1], 0);
  }

  private List<Relations.Reuse> reuse(JsonDocument.Value problem) {
    List<Relations.Reuse> reuse = new ArrayList<>();
    if (!problem.fields().containsKey("cost_model")) {
      return reuse;
    }
    JsonDocument.Value model = problem.required("cost_model");
    for (JsonDocument.Value one : model.required("reuse_penalties").elements()) {
      int[] ends = pair(one);
      long cost = one.required("cost").integer(0, Relations.MOST_WEIGHT);
      if (cost > 0) {
        reuse.add(new Relations.Reuse(ends[0], ends[1], cost, one.required("reason").text()));
      }
    }
    return reuse;
  }

  private List<Goal> goals(JsonDocument.Value objective) {
    List<Goal> goals = new ArrayList<>();
    for (JsonDocument.Value term : objective.required("terms").elements()) {
      switch (term.name()) {
        case "capacity_overflow" -> {}
        case "reuse_cost" -> goals.add(Goal.REUSE);
        case "total_peak", "max_peak" -> {
          if (memories.size() > 1) {
            remarks.add(term.name() + " is read as the peaks, pool by pool, the last one first");
          }
          if (!goals.contains(Goal.PEAK)) {
            goals.add(Goal.PEAK);
          }
        }
        case "bank_cost" ->
            remarks.add("the objective's term bank_cost is not known, and left out");
        default ->
            throw term.fault(
                ("term \"%s\" should be one of capacity_overflow, reuse_cost, total_peak,"
                        + " max_peak, bank_cost")
                    .formatted(term.name()));
      }
    }
    return goals.isEmpty() ? List.of(Goal.REUSE) : goals;
  }
}
