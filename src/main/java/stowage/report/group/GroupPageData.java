package stowage.report.group;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.function.ToLongFunction;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Layer;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.report.format.JsonLayout;

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

  /** The whole object. */
  String text() {
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          writeFigures(json);
          writeOps(json);
          json.writeArrayFieldStart("groups");
          writeGroups(json, ours);
          json.writeEndArray();
          if (file != null) {
            json.writeArrayFieldStart("file");
            writeGroups(json, file);
            json.writeEndArray();
          }
          json.writeEndObject();
        });
  }

  /** Figures of the whole network; a bound that nothing was proven for is left out. */
  private void writeFigures(JsonGenerator json) throws IOException {
    GroupObjective objective = ours.options().objective();
    long proven = ours.provenLeast();
    json.writeArrayFieldStart("figures");
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
    json.writeEndArray();
  }

  private static void figure(
      JsonGenerator json, String name, long alone, long file, long ours, long bound)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    JsonLayout.writeBytes(json, "alone", alone);
    JsonLayout.writeBytes(json, "file", file);
    JsonLayout.writeBytes(json, "ours", ours);
    JsonLayout.writeBytes(json, "bound", bound);
    json.writeEndObject();
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

  private void writeOps(JsonGenerator json) throws IOException {
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
    json.writeObjectFieldStart("network");
    json.writeFieldName("name");
    json.writeArray(names, 0, names.length);
    json.writeFieldName("type");
    json.writeArray(types, 0, types.length);
    json.writeFieldName("alone");
    json.writeArray(alone, 0, alone.length);
    json.writeEndObject();
  }

  private static void writeGroups(JsonGenerator json, Grouping grouping) throws IOException {
    for (PlannedGroup group : grouping.groups()) {
      json.writeStartObject();
      json.writeFieldName("members");
      json.writeArray(group.members(), 0, group.members().length);
      json.writeNumberField("bytes", group.trafficBytes());
      json.writeNumberField("cycles", Math.round(group.cycles()));
      writeText(json, "reason", group.reason());
      writeText(json, "remark", group.remark());
      json.writeFieldName("violations");
      String[] wrong = group.violations().toArray(String[]::new);
      json.writeArray(wrong, 0, wrong.length);
      if (group.isGrouped()) {
        json.writeStringField("slices", group.plan().sliced().slicing().toString());
        json.writeNumberField("self", group.answer().score().selfClashes());
        json.writeArrayFieldStart("lmem"); // each figure with its bound
        for (int k = 0; k <= PEAK; k++) {
          long[] pair = {group.answer().score().figure(k), group.answer().bounds().get(k)};
          json.writeArray(pair, 0, 2);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("lane");
        LaneData.write(json, group);
        json.writeEndObject();
      }
      json.writeEndObject();
    }
  }

  private static void writeText(JsonGenerator json, String field, String text) throws IOException {
    if (text != null) {
      json.writeStringField(field, text);
    }
  }
}
