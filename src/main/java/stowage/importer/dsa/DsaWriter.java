package stowage.importer.dsa;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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
          "generic",
          "pipeline_serialization",
          "load_motion_serialization",
          "cross_pipe",
          "cross_core",
          "event_budget");

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
      if (memory.base() != 0) {
        lost.add("the base " + memory.base() + " of memory \"" + memory.name() + "\"");
      }
    }
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (alignments(problem, i).distinct().count() > 1) {
        lost.add("alignments that differ between memories; their common multiple is written");
      }
      if (buffer.holdsPlace() && !buffer.isFixed()) {
        lost.add("that buffers without a fixed offset hold their place at every step");
      }
      if (buffer.hint() != Buffer.NONE) {
        lost.add("hints");
      }
      if (buffer.hasWindows()) {
        lost.add("windows of gaps; the whole buffer is written as needed there");
      }
      if (buffer.withinBank()) {
        lost.add("that buffers stay within a bank");
      }
      if (buffer.isFixed() && buffer.memories().size() != 1 && problem.memories().size() > 1) {
        lost.add("fixed offsets of buffers that may lie in several memories");
      }
    }
    for (Relations.Together pair : problem.relations().together()) {
      if (pair.distance() != 0) {
        lost.add("buffers kept together at a distance");
      }
    }
    if (!problem.relations().otherBank().isEmpty()) {
      lost.add("pairs in different banks");
    }
    for (Goal goal : problem.goals()) {
      if (goal == Goal.BANKS) {
        lost.add("the goal of few banks");
      }
    }
    return List.copyOf(lost);
  }

  private static LongStream alignments(PackingProblem problem, int i) {
    return IntStream.range(0, problem.memories().size())
        .filter(m -> problem.allows(i, m))
        .mapToLong(m -> problem.alignment(i, m));
  }

  /** Writes a problem; the stream stays open. */
  public static void write(OutputStream out, PackingProblem problem) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    new DsaWriter(problem).write(json);
    json.writeRaw('\n');
    json.close();
  }

  private void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema_version", 1);
    json.writeStringField("profile", profile());
    json.writeStringField("instance", problem.name().isEmpty() ? "problem" : problem.name());
    json.writeObjectFieldStart("metadata");
    json.writeEndObject();
    json.writeObjectFieldStart("problem");
    json.writeArrayFieldStart("pools");
    for (int m = 0; m < problem.memories().size(); m++) {
      pool(json, m);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("buffers");
    for (int i = 0; i < problem.size(); i++) {
      buffer(json, i);
    }
    json.writeEndArray();
    constraints(json);
    costs(json);
    json.writeObjectFieldStart("objective");
    json.writeStringField("aggregation", "lexicographic");
    json.writeArrayFieldStart("terms");
    for (String term : terms()) {
      json.writeString(term);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  /** The objective's terms; capacities that bind are an overflow that comes first. */
  private List<String> terms() {
    List<String> terms = new ArrayList<>(List.of("capacity_overflow"));
    List<Goal> goals = problem.goals().isEmpty() ? List.of(Goal.PEAK) : problem.goals();
    for (Goal goal : goals) {
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

  private void pool(JsonGenerator json, int m) throws IOException {
    Memory memory = problem.memories().get(m);
    json.writeStartObject();
    json.writeNumberField("id", m);
    json.writeStringField("name", memory.name());
    if (memory.isBounded()) {
      json.writeNumberField("capacity", memory.capacity());
    } else {
      json.writeNullField("capacity");
    }
    json.writeArrayFieldStart("reserved_ranges");
    for (ReservedRange range : memory.reserved()) {
      json.writeStartObject();
      json.writeNumberField("begin", range.from());
      json.writeNumberField("end", range.to());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (memory.bankSize() > 0) {
      json.writeObjectFieldStart("bank_geometry");
      json.writeNumberField("bank_size", memory.bankSize());
      long banks = memory.isBounded() ? memory.capacity() / memory.bankSize() : 1;
      json.writeNumberField("num_banks", Math.min(banks, 4294967295L));
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void buffer(JsonGenerator json, int i) throws IOException {
    Buffer buffer = problem.buffer(i);
    long alignment = 1;
    List<Integer> pools = new ArrayList<>();
    for (String wanted : buffer.memories()) {
      pools.add(index(wanted));
    }
    for (int m = 0; m < problem.memories().size(); m++) {
      if (problem.allows(i, m)) {
        alignment = lcm(alignment, problem.alignment(i, m));
        if (!pools.contains(m)) {
          pools.add(m);
        }
      }
    }
    json.writeStartObject();
    json.writeNumberField("id", number(i));
    json.writeStringField("name", buffer.id());
    json.writeNumberField("size", buffer.size());
    json.writeNumberField("alignment", alignment);
    json.writeArrayFieldStart("live_intervals");
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
    json.writeEndArray();
    json.writeArrayFieldStart("allowed_pools");
    for (int pool : pools) {
      json.writeNumber(pool);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static long lcm(long one, long other) {
    long a = one;
    long b = other;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return one / a * other;
  }

  private static void interval(JsonGenerator json, int from, int to) throws IOException {
    json.writeStartObject();
    json.writeNumberField("lower", from);
    json.writeNumberField("upper", to);
    json.writeEndObject();
  }

  private int index(String memory) {
    int m = 0;
    while (!problem.memories().get(m).name().equals(memory)) {
      m++;
    }
    return m;
  }

  private void constraints(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("constraints");
    json.writeArrayFieldStart("colocations");
    for (Relations.Together pair : problem.relations().together()) {
      if (pair.distance() == 0) {
        pair(json, pair.first(), pair.second());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    pairs(json, "separations", problem.conflicts());
    pairs(json, "temporal_exclusions", problem.relations().exclusive());
    json.writeArrayFieldStart("pinned_allocations");
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (buffer.isFixed() && Long.bitCount(problem.allowedMask(i)) == 1) {
        json.writeStartObject();
        json.writeNumberField("buffer", number(i));
        json.writeNumberField("pool", Long.numberOfTrailingZeros(problem.allowedMask(i)));
        json.writeNumberField("offset", buffer.fixedOffset());
        json.writeBooleanField("exclusive_for_all_time", buffer.holdsPlace());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void pair(JsonGenerator json, int first, int second) throws IOException {
    json.writeStartObject();
    json.writeNumberField("first", number(first));
    json.writeNumberField("second", number(second));
  }

  private void pairs(JsonGenerator json, String field, ConflictPairs pairs) throws IOException {
    json.writeArrayFieldStart(field);
    for (int i = 0; i < problem.size(); i++) {
      for (int j : pairs.of(i)) {
        if (i < j) {
          pair(json, i, j);
          json.writeEndObject();
        }
      }
    }
    json.writeEndArray();
  }

  private void costs(JsonGenerator json) throws IOException {
    if (problem.relations().reuse().isEmpty()) {
      return;
    }
    json.writeObjectFieldStart("cost_model");
    json.writeArrayFieldStart("reuse_penalties");
    for (Relations.Reuse pair : problem.relations().reuse()) {
      pair(json, pair.first(), pair.second());
      json.writeNumberField("cost", pair.weight());
      json.writeStringField("reason", REASONS.contains(pair.reason()) ? pair.reason() : "generic");
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
