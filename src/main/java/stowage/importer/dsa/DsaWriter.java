package stowage.importer.dsa;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.Rounding;
import stowage.text.JsonWriter;

/**
 * Writer of problems as documents of dsa-solver, by its schema {@code dsa-problem-v1}.
 *
 * <p>The profile is the narrowest that admits the problem and does not ask for a compiler's own
 * metadata: {@code standard_dsa}, {@code dsa_rp_v1}, else {@code pypto_structured}, which admits
 * all. Buffers are numbered: by their ids where all of these are numbers, else in order, with the
 * id as the name. A memory's alignment goes into the buffers' own. O(buffers + pairs).
 */
public final class DsaWriter {
  private static final Set<String> REASONS =
      Set.of(
          ("generic pipeline_serialization load_motion_serialization cross_pipe cross_core "
                  + "event_budget")
              .split(" "));

  private final PackingProblem problem;
  private final boolean numbered;

  private DsaWriter(PackingProblem problem) {
    this.problem = problem;
    this.numbered =
        problem.buffers().stream().allMatch(buffer -> buffer.id().matches("0|[1-9][0-9]{0,8}"));
  }

  /** What of a problem such a document cannot hold: one phrase each. */
  public static List<String> omissions(PackingProblem problem) {
    Set<String> lost = new LinkedHashSet<>();
    for (Memory memory : problem.memories()) {
      String base = "the base " + memory.base() + " of memory \"" + memory.name() + "\"";
      add(lost, memory.base() != 0, base);
    }
    boolean several = problem.memories().size() > 1;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      add(
          lost,
          alignments(problem, i).distinct().count() > 1,
          "alignments that differ between memories; their common multiple is written");
      add(
          lost,
          buffer.holdsPlace() && !buffer.isFixed(),
          "that buffers without a fixed offset hold their place at every step");
      add(lost, buffer.hint() != Buffer.NONE, "hints");
      add(
          lost,
          buffer.hasWindows(),
          "windows of gaps; the whole buffer is written as needed there");
      add(lost, buffer.withinBank(), "that buffers stay within a bank");
      add(
          lost,
          buffer.isFixed() && buffer.memories().size() != 1 && several,
          "fixed offsets of buffers that may lie in several memories");
    }
    Relations relations = problem.relations();
    boolean distant = relations.together().stream().anyMatch(pair -> pair.distance() != 0);
    add(lost, distant, "buffers kept together at a distance");
    add(lost, !relations.otherBank().isEmpty(), "pairs in different banks");
    add(lost, problem.goals().contains(Goal.BANKS), "the goal of few banks");
    return List.copyOf(lost);
  }

  private static void add(Set<String> lost, boolean applies, String what) {
    if (applies) {
      lost.add(what);
    }
  }

  private static LongStream alignments(PackingProblem problem, int i) {
    return IntStream.range(0, problem.memories().size())
        .filter(m -> problem.allows(i, m))
        .mapToLong(m -> problem.alignment(i, m));
  }

  /** Writes a problem; the stream stays open. */
  public static void write(OutputStream out, PackingProblem problem) throws IOException {
    JsonWriter.writeSpread(out, new DsaWriter(problem)::write);
  }

  private void write(JsonWriter json) {
    json.object().put("schema_version", 1).put("profile", profile());
    json.put("instance", problem.name().isEmpty() ? "problem" : problem.name()).object("metadata");
    json.end().object("problem").array("pools");
    for (int m = 0; m < problem.memories().size(); m++) {
      pool(json, m);
    }
    json.end().array("buffers");
    for (int i = 0; i < problem.size(); i++) {
      buffer(json, i);
    }
    json.end();
    constraints(json);
    costs(json);
    json.object("objective").put("aggregation", "lexicographic").value("terms", terms());
    json.end().end().end();
  }

  /** The objective's terms; capacities that bind are an overflow that comes first. */
  private List<String> terms() {
    List<String> terms = new ArrayList<>(List.of("capacity_overflow"));
    for (Goal goal : problem.goals().isEmpty() ? List.of(Goal.PEAK) : problem.goals()) {
      if (goal == Goal.PEAK || goal == Goal.REUSE) {
        terms.add(goal == Goal.PEAK ? "max_peak" : "reuse_cost");
      }
    }
    return terms;
  }

  private String profile() {
    boolean plain = problem.memories().size() == 1 && problem.conflicts().isEmpty();
    Memory memory = problem.memories().get(0);
    plain &= memory.reserved().isEmpty() && memory.bankSize() == 0;
    plain &= problem.relations().together().isEmpty() && problem.relations().exclusive().isEmpty();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      plain &= buffer.gaps().isEmpty() && !buffer.isFixed() && problem.alignment(i, 0) == 1;
    }
    boolean priced = !problem.relations().reuse().isEmpty();
    if (plain && !priced && !terms().contains("reuse_cost")) {
      return "standard_dsa";
    }
    boolean least = terms().equals(List.of("capacity_overflow", "reuse_cost"));
    return plain && priced && least && memory.isBounded() ? "dsa_rp_v1" : "pypto_structured";
  }

  private long number(int buffer) {
    return numbered ? Long.parseLong(problem.buffer(buffer).id()) : buffer;
  }

  private void pool(JsonWriter json, int m) {
    Memory memory = problem.memories().get(m);
    json.object().put("id", m).put("name", memory.name());
    if (memory.isBounded()) {
      json.put("capacity", memory.capacity());
    } else {
      json.putNull("capacity");
    }
    json.array("reserved_ranges");
    for (ReservedRange range : memory.reserved()) {
      json.object().put("begin", range.from()).put("end", range.to()).end();
    }
    json.end();
    if (memory.bankSize() > 0) {
      json.object("bank_geometry").put("bank_size", memory.bankSize());
      long banks = memory.isBounded() ? memory.capacity() / memory.bankSize() : 1;
      json.put("num_banks", Math.min(banks, 4294967295L)).end();
    }
    json.end();
  }

  private void buffer(JsonWriter json, int i) {
    Buffer buffer = problem.buffer(i);
    long alignment = 1;
    List<Integer> pools = new ArrayList<>();
    List<String> names = problem.memories().stream().map(Memory::name).toList();
    buffer.memories().forEach(wanted -> pools.add(names.indexOf(wanted)));
    for (int m = 0; m < problem.memories().size(); m++) {
      if (problem.allows(i, m)) {
        alignment = Rounding.lcm(alignment, problem.alignment(i, m));
        if (!pools.contains(m)) {
          pools.add(m);
        }
      }
    }
    json.object().put("id", number(i)).put("name", buffer.id()).put("size", buffer.size());
    json.put("alignment", alignment).array("live_intervals");
    int from = buffer.live().start();
    boolean idle = true;
    for (Gap gap : buffer.gaps()) {
      if (!gap.hasWindow()) {
        if (from < gap.range().start()) {
          idle = false;
          interval(json, from, gap.range().start());
        }
        from = gap.range().end();
      }
    }
    if (from < buffer.live().end() || buffer.live().isEmpty()) {
      interval(json, from, buffer.live().end());
    } else if (idle) {
      interval(json, buffer.live().start(), buffer.live().start()); // it needs no memory
    }
    json.end().value("allowed_pools", pools).end();
  }

  private static void interval(JsonWriter json, int from, int to) {
    json.object().put("lower", from).put("upper", to).end();
  }

  private void constraints(JsonWriter json) {
    json.object("constraints").array("colocations");
    for (Relations.Together pair : problem.relations().together()) {
      if (pair.distance() == 0) {
        pair(json, pair.first(), pair.second());
        json.end();
      }
    }
    json.end();
    pairs(json, "separations", problem.conflicts());
    pairs(json, "temporal_exclusions", problem.relations().exclusive());
    json.array("pinned_allocations");
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (buffer.isFixed() && Long.bitCount(problem.allowedMask(i)) == 1) {
        json.object().put("buffer", number(i));
        json.put("pool", Long.numberOfTrailingZeros(problem.allowedMask(i)));
        json.put("offset", buffer.fixedOffset()).put("exclusive_for_all_time", buffer.holdsPlace());
        json.end();
      }
    }
    json.end().end();
  }

  private void pair(JsonWriter json, int first, int second) {
    json.object().put("first", number(first)).put("second", number(second));
  }

  private void pairs(JsonWriter json, String field, ConflictPairs pairs) {
    json.array(field);
    for (int i = 0; i < problem.size(); i++) {
      for (int j : pairs.of(i)) {
        if (i < j) {
          pair(json, i, j);
          json.end();
        }
      }
    }
    json.end();
  }

  private void costs(JsonWriter json) {
    if (problem.relations().reuse().isEmpty()) {
      return;
    }
    json.object("cost_model").array("reuse_penalties");
    for (Relations.Reuse pair : problem.relations().reuse()) {
      pair(json, pair.first(), pair.second());
      json.put("cost", pair.weight());
      json.put("reason", REASONS.contains(pair.reason()) ? pair.reason() : "generic").end();
    }
    json.end().end();
  }
}
