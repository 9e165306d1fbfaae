package stowage.report.group;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import stowage.onchip.PlannedGroup;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.packing.PackingProblem;
import stowage.packing.ProblemBuilder;
import stowage.report.plan.ProblemColumns;

/**
 * JSON of one group's lane, in the fields that the page of a plan draws from, with the steps of the
 * time table. A life that continues around the table's end is one over all steps with a gap.
 */
final class LaneData {
  private final LmemProblem lane;
  private final LmemPlacement placement;

  private LaneData(PlannedGroup group) {
    lane = group.plan().problem();
    placement = group.answer().placement();
  }

  /** Writes the fields of a group's lane into the open object. */
  static void write(JsonGenerator json, PlannedGroup group) throws IOException {
    LaneData data = new LaneData(group);
    data.writeMemory(json, group);
    PackingProblem problem = data.asProblem();
    json.writeFieldName("steps");
    json.writeArray(new int[] {0, data.lane.steps()}, 0, 2);
    ProblemColumns.writeColours(json, problem);
    ProblemColumns.writeBuffers(json, problem);
    data.writePlacement(json);
    data.writeSteps(json);
  }

  private PackingProblem asProblem() {
    ProblemBuilder problem = PackingProblem.builder("lane");
    for (LmemBuffer buffer : lane.buffers()) {
      boolean around = buffer.start() >= buffer.end() && buffer.end() > 0;
      int handle =
          problem.buffer(
              buffer.id(),
              buffer.size(),
              around ? 0 : buffer.start(),
              around || buffer.end() == 0 ? lane.steps() : buffer.end());
      if (around && buffer.end() < buffer.start()) {
        problem.gap(handle, buffer.end(), buffer.start());
      }
    }
    return problem.build();
  }

  private void writeMemory(JsonGenerator json, PlannedGroup group) throws IOException {
    json.writeNumberField("mainMemory", 0);
    json.writeArrayFieldStart("memories");
    json.writeStartObject();
    json.writeStringField("name", "LMEM of a lane");
    json.writeNumberField("capacity", lane.chip().laneBytes());
    json.writeNumberField("peak", group.answer().score().peak());
    json.writeNumberField("bound", group.answer().bounds().get(3));
    json.writeEndObject();
    json.writeEndArray();
    json.writeObjectFieldStart("bound");
    json.writeNullField("step");
    json.writeArrayFieldStart("buffers");
    json.writeEndArray();
    json.writeEndObject();
    json.writeNumberField("bankBytes", lane.chip().bankBytes());
    json.writeNumberField("laneBytes", lane.chip().laneBytes());
  }

  private void writePlacement(JsonGenerator json) throws IOException {
    int count = lane.size();
    long[] offsets = new long[count];
    int[] shares = new int[count];
    String[] kinds = new String[count];
    for (int b = 0; b < count; b++) {
      offsets[b] = placement.offset(b);
      shares[b] = placement.shares(b);
      kinds[b] = lane.buffer(b).kind().name().toLowerCase(Locale.ROOT);
    }
    json.writeFieldName("offset");
    json.writeArray(offsets, 0, count);
    json.writeFieldName("shares");
    json.writeArray(shares, 0, count);
    json.writeFieldName("kind");
    json.writeArray(kinds, 0, count);
  }

  /**
   * By step the ops that compute, and the buffers moved; a move that clashes has a second entry.
   */
  private void writeSteps(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("table");
    for (int s = 0; s < lane.steps(); s++) {
      LmemProblem.Step step = lane.step(s);
      json.writeStartObject();
      json.writeFieldName("ops");
      String[] ops = step.computes().stream().map(LmemProblem.Compute::op).toArray(String[]::new);
      json.writeArray(ops, 0, ops.length);
      writeMoves(json, "loads", step, step.loads());
      writeMoves(json, "stores", step, step.stores());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeMoves(
      JsonGenerator json, String field, LmemProblem.Step step, List<LmemProblem.Move> moves)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (LmemProblem.Move move : moves) {
      boolean clashes = LmemScore.clashes(lane, placement, step, move.buffer());
      int[] entry = clashes ? new int[] {move.buffer(), 1} : new int[] {move.buffer()};
      json.writeArray(entry, 0, entry.length);
    }
    json.writeEndArray();
  }
}
