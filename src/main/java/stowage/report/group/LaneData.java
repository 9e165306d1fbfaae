package stowage.report.group;

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
import stowage.text.JsonWriter;

/**
 * JSON of one group's lane, in the fields that the page of a plan draws from, with the steps of the
 * time table. A live range that continues around the table's end is one over all steps with a gap.
 */
final class LaneData {
  private final LmemProblem lane;
  private final LmemPlacement placement;

  private LaneData(PlannedGroup group) {
    lane = group.plan().problem();
    placement = group.answer().placement();
  }

  /** Writes the fields of a group's lane into the open object. */
  static void write(JsonWriter json, PlannedGroup group) {
    LaneData data = new LaneData(group);
    data.writeMemory(json, group);
    PackingProblem problem = data.asProblem();
    json.list("steps", new int[] {0, data.lane.steps()});
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

  private void writeMemory(JsonWriter json, PlannedGroup group) {
    json.put("mainMemory", 0).array("memories").object().put("name", "LMEM of a lane");
    json.put("capacity", lane.chip().laneBytes()).put("peak", group.answer().score().peak());
    json.put("bound", group.answer().bounds().get(3)).end().end().object("bound").putNull("step");
    json.array("buffers").end().end().put("bankBytes", lane.chip().bankBytes());
    json.put("laneBytes", lane.chip().laneBytes());
  }

  private void writePlacement(JsonWriter json) {
    int count = lane.size();
    long[] offsets = new long[count];
    int[] shares = new int[count];
    String[] kinds = new String[count];
    for (int b = 0; b < count; b++) {
      offsets[b] = placement.offset(b);
      shares[b] = placement.shares(b);
      kinds[b] = lane.buffer(b).kind().name().toLowerCase(Locale.ROOT);
    }
    json.list("offset", offsets).list("shares", shares).list("kind", kinds);
  }

  /**
   * By step the ops that compute, and the buffers moved; a move that clashes has a second entry.
   */
  private void writeSteps(JsonWriter json) {
    json.array("table");
    for (int s = 0; s < lane.steps(); s++) {
      LmemProblem.Step step = lane.step(s);
      json.object().list("ops", step.computes().stream().map(LmemProblem.Compute::op).toList());
      writeMoves(json, "loads", step, step.loads());
      writeMoves(json, "stores", step, step.stores());
      json.end();
    }
    json.end();
  }

  private void writeMoves(
      JsonWriter json, String field, LmemProblem.Step step, List<LmemProblem.Move> moves) {
    json.array(field);
    for (LmemProblem.Move move : moves) {
      boolean clashes = LmemScore.clashes(lane, placement, step, move.buffer());
      int[] entry = clashes ? new int[] {move.buffer(), 1} : new int[] {move.buffer()};
      json.list(entry);
    }
    json.end();
  }
}
