package stowage.report.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Layer;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.partition.BoundScope;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.packing.PackingProblem;
import stowage.packing.ProblemBuilder;
import stowage.report.plan.ProblemColumns;
import stowage.text.JsonWriter;

/**
 * JSON that the page of layer groups draws from: the figures of the whole grouping, each with its
 * bound, the ops, and the groups of this run and of the file, each with its lane.
 */
record GroupPageData(GroupReport report, Grouping ours, Grouping file) {
  private static final String BYTES = "bytes moved";
  private static final String CYCLES = "cycles";

  String text() {
    return JsonWriter.text(
        json -> {
          json.object();
          writeFigures(json);
          writeOps(json);
          json.array("groups", ours.groups(), group -> writeGroup(json, group));
          if (file != null) {
            json.array("file", file.groups(), group -> writeGroup(json, group));
          }
          json.end();
        });
  }

  /**
   * Figures of the whole network, each with its bound and what that is over; a bound that nothing
   * was proven for is left out.
   */
  private void writeFigures(JsonWriter json) {
    GroupObjective objective = ours.options().objective();
    long proven = ours.provenLeast();
    json.array("figures");
    long moved = objective == GroupObjective.TRAFFIC ? proven : -1;
    figure(json, BYTES, ours.ungroupedBytes(), Grouping::trafficBytes, moved);
    long fastest = objective == GroupObjective.CYCLES ? proven : -1;
    long alone = Math.round(ours.ungroupedCycles());
    figure(json, CYCLES, alone, grouping -> Math.round(grouping.cycles()), fastest);
    long least = objective == GroupObjective.LMEM_PEAK ? proven : most(ours);
    figure(json, "LMEM of a lane, bytes", -1, Grouping::lmemPeak, least);
    for (int k = 0; k < LmemScore.PEAK; k++) {
      int which = k;
      String name = LmemScore.FIGURES.get(k);
      figure(json, name, -1, grouping -> grouping.sum(which), ours.sumOfBounds(which));
    }
    GroupReport.Gmem gmem = report.gmem();
    long before = report.baselineGmem() == null ? -1 : report.baselineGmem().peak();
    String over = "for the tensors between these groups";
    figure(json, "GMEM between groups, bytes", -1, before, gmem.peak(), gmem.lowerBound(), over);
    json.end();
  }

  private void figure(
      JsonWriter json, String name, long alone, ToLongFunction<Grouping> value, long bound) {
    long before = file == null ? -1 : value.applyAsLong(file);
    boolean chosen = name.equals(BYTES) || name.equals(CYCLES);
    String over = chosen ? ours.scopeInWords() : BoundScope.GROUPS.range();
    figure(json, name, alone, before, value.applyAsLong(ours), bound, over);
  }

  private static void figure(
      JsonWriter json, String name, long alone, long file, long ours, long bound, String over) {
    json.object().put("name", name).bytes("alone", alone).bytes("file", file).bytes("ours", ours);
    json.bytes("bound", bound).put("over", over).end();
  }

  /** The bound of the group that needs most: with these groups no addresses need less. */
  private static long most(Grouping grouping) {
    return grouping
        .grouped()
        .mapToLong(g -> g.answer().bounds().get(LmemScore.PEAK))
        .max()
        .orElse(0);
  }

  private void writeOps(JsonWriter json) {
    CostModel cost = new CostModel(ours.graph().chip());
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    long[] alone = new long[ours.graph().size()];
    for (int p = 0; p < alone.length; p++) {
      Layer layer = ours.graph().layer(p);
      names.add(layer.op().name());
      types.add(layer.op().type());
      alone[p] = cost.layerTraffic(ours.graph(), layer);
    }
    json.object("network").list("name", names).list("type", types).list("alone", alone).end();
  }

  private static void writeGroup(JsonWriter json, PlannedGroup group) {
    json.object().list("members", group.members()).put("bytes", group.trafficBytes());
    json.put("cycles", Math.round(group.cycles())).putIfKnown("reason", group.reason());
    json.putIfKnown("remark", group.remark()).list("violations", group.violations());
    if (group.isGrouped()) {
      json.put("slices", group.plan().sliced().slicing().cuts());
      json.put("self", group.answer().score().selfClashes());
      json.array("lmem"); // each figure with its bound
      for (int k = 0; k <= LmemScore.PEAK; k++) {
        json.list(new long[] {group.answer().score().figure(k), group.answer().bounds().get(k)});
      }
      json.end().object("lane");
      LaneData.write(json, group);
      json.end();
    }
    json.end();
  }

  /**
   * JSON of one group's lane, in the fields that the page of a plan draws from, with the steps of
   * the time table. A live range around the table's end is one over all steps with a gap.
   */
  private record LaneData(LmemProblem lane, LmemPlacement placement) {
    /** Writes the fields of a group's lane into the open object. */
    static void write(JsonWriter json, PlannedGroup group) {
      LaneData data = new LaneData(group.plan().problem(), group.answer().placement());
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
      json.put("bound", group.answer().bounds().get(LmemScore.PEAK))
          .end()
          .end()
          .object("bound")
          .putNull("step");
      json.array("buffers").end().end().put("bankBytes", lane.chip().bankBytes());
      json.put("laneBytes", lane.chip().laneBytes());
    }

    private void writePlacement(JsonWriter json) {
      int count = lane.size();
      json.list("offset", IntStream.range(0, count).mapToLong(placement::offset).toArray());
      json.list("shares", IntStream.range(0, count).map(placement::shares).toArray());
      json.array(
          "kind",
          lane.buffers(),
          buffer -> json.add(buffer.kind().name().toLowerCase(Locale.ROOT)));
    }

    /** By step the ops that compute, and the buffers moved; a move that clashes is there twice. */
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
}
