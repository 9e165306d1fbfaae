package stowage.report.group;

import java.util.function.ToLongFunction;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Layer;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.text.JsonWriter;

/**
 * JSON that the page of layer groups draws from: the figures of the whole grouping, each with its
 * bound, the ops, and the groups of this run and of the file, each with its lane.
 */
final class GroupPageData {
  /** Position of the peak among {@link LmemScore#FIGURES}. */
  private static final int PEAK = 3;

  private final GroupReport report;
  private final Grouping ours;
  private final Grouping file;

  GroupPageData(GroupReport report) {
    this.report = report;
    this.ours = report.grouping();
    this.file = report.baseline();
  }

  String text() {
    return JsonWriter.text(
        json -> {
          json.object();
          writeFigures(json);
          writeOps(json);
          json.array("groups");
          writeGroups(json, ours);
          json.end();
          if (file != null) {
            json.array("file");
            writeGroups(json, file);
            json.end();
          }
          json.end();
        });
  }

  /** Figures of the whole network; a bound that nothing was proven for is left out. */
  private void writeFigures(JsonWriter json) {
    GroupObjective objective = ours.options().objective();
    long proven = ours.provenLeast();
    json.array("figures");
    figure(
        json,
        "bytes moved",
        ours.ungroupedBytes(),
        file == null ? -1 : file.trafficBytes(),
        ours.trafficBytes(),
        objective == GroupObjective.TRAFFIC ? proven : -1);
    figure(
        json,
        "cycles",
        Math.round(ours.ungroupedCycles()),
        file == null ? -1 : Math.round(file.cycles()),
        Math.round(ours.cycles()),
        objective == GroupObjective.CYCLES ? proven : -1);
    figure(
        json,
        "LMEM of a lane, bytes",
        -1,
        file == null ? -1 : file.lmemPeak(),
        ours.lmemPeak(),
        objective == GroupObjective.LMEM_PEAK ? proven : most(ours));
    for (int k = 0; k < PEAK; k++) {
      int which = k;
      figure(
          json,
          LmemScore.FIGURES.get(k),
          -1,
          file == null ? -1 : sum(file, group -> group.answer().score().figure(which)),
          sum(ours, group -> group.answer().score().figure(which)),
          sum(ours, group -> group.answer().bounds().get(which)));
    }
    GroupReport.Gmem gmem = report.gmem();
    figure(
        json,
        "GMEM between groups, bytes",
        -1,
        report.baselineGmem() == null ? -1 : report.baselineGmem().peak(),
        gmem.peak(),
        gmem.lowerBound());
    json.end();
  }

  private static void figure(
      JsonWriter json, String name, long alone, long file, long ours, long bound) {
    json.object().put("name", name).bytes("alone", alone).bytes("file", file).bytes("ours", ours);
    json.bytes("bound", bound).end();
  }

  private static long sum(Grouping grouping, ToLongFunction<PlannedGroup> figure) {
    return grouping.groups().stream().filter(PlannedGroup::isGrouped).mapToLong(figure).sum();
  }

  /** The bound of the group that needs most: with these groups no addresses need less. */
  private static long most(Grouping grouping) {
    return grouping.groups().stream()
        .filter(PlannedGroup::isGrouped)
        .mapToLong(group -> group.answer().bounds().get(PEAK))
        .max()
        .orElse(0);
  }

  private void writeOps(JsonWriter json) {
    CostModel cost = new CostModel(ours.graph().chip());
    String[] names = new String[ours.graph().size()];
    String[] types = new String[names.length];
    long[] alone = new long[names.length];
    for (int p = 0; p < names.length; p++) {
      Layer layer = ours.graph().layer(p);
      names[p] = layer.op().name();
      types[p] = layer.op().type();
      alone[p] = cost.layerTraffic(ours.graph(), layer);
    }
    json.object("network").list("name", names).list("type", types).list("alone", alone).end();
  }

  private static void writeGroups(JsonWriter json, Grouping grouping) {
    for (PlannedGroup group : grouping.groups()) {
      json.object().list("members", group.members()).put("bytes", group.trafficBytes());
      json.put("cycles", Math.round(group.cycles()));
      writeText(json, "reason", group.reason());
      writeText(json, "remark", group.remark());
      json.name("violations");
      String[] wrong = group.violations().toArray(String[]::new);
      json.list(wrong);
      if (group.isGrouped()) {
        json.put("slices", group.plan().sliced().slicing().toString());
        json.put("self", group.answer().score().selfClashes());
        json.array("lmem"); // each figure with its bound
        for (int k = 0; k <= PEAK; k++) {
          long[] pair = {group.answer().score().figure(k), group.answer().bounds().get(k)};
          json.list(pair);
        }
        json.end().object("lane");
        LaneData.write(json, group);
        json.end();
      }
      json.end();
    }
  }

  private static void writeText(JsonWriter json, String field, String text) {
    if (text != null) {
      json.put(field, text);
    }
  }
}
