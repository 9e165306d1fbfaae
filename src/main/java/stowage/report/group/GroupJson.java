package stowage.report.group;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Precision;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.slice.Slicing;
import stowage.report.format.JsonLayout;
import stowage.report.plan.PlanJson;

/** A grouping as one JSON object; {@code docs/layer-groups.md} documents every field. */
public final class GroupJson {
  private final JsonGenerator json;
  private final boolean details;

  private GroupJson(JsonGenerator json, boolean details) {
    this.json = json;
    this.details = details;
  }

  /** The figures as text that ends with a line's end. */
  public static String of(GroupReport report) {
    return JsonLayout.text(json -> new GroupJson(json, false).write(report));
  }

  /**
   * The figures with where and when everything is: of each group its buffers, slices and steps.
   * {@code stowage/schemas/groups.schema.json} describes it.
   */
  public static String withDetails(GroupReport report) {
    return JsonLayout.text(json -> new GroupJson(json, true).write(report));
  }

  private void write(GroupReport report) throws IOException {
    Grouping grouping = report.grouping();
    json.writeStartObject();
    json.writeNumberField("schemaVersion", PlanJson.SCHEMA_VERSION);
    String status = grouping.status().name();
    writeFigures(grouping, report.lmem(), status, report.gmem());
    if (!grouping.partition().equals("file")) {
      json.writeStringField("boundScope", scope(grouping));
    }
    json.writeNumberField("seconds", Math.round(report.seconds() * 1000) / 1000.0);
    writeGroups(grouping);
    if (report.baseline() == null) {
      json.writeNullField("baseline");
    } else {
      Grouping baseline = report.baseline();
      json.writeObjectFieldStart("baseline");
      boolean valid = baseline.groups().stream().allMatch(group -> group.violations().isEmpty());
      writeFigures(baseline, "file", valid ? "VALID" : "INVALID", report.baselineGmem());
      json.writeNullField("seconds"); // files do not say how long they took to make
      writeGroups(baseline);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  /**
   * Which groupings the bound is over: {@code contiguous} ones, whose groups are runs of ops in the
   * order of the file, or {@code convex} ones.
   */
  static String scope(Grouping grouping) {
    return grouping.partition().equals("cp") ? "convex" : "contiguous";
  }

  private void writeFigures(Grouping grouping, String lmem, String status, GroupReport.Gmem gmem)
      throws IOException {
    json.writeStringField("chip", grouping.graph().chip().name());
    json.writeStringField("partition", grouping.partition());
    json.writeStringField("lmem", lmem);
    json.writeStringField("objective", grouping.options().objective().label());
    json.writeStringField("status", status);
    json.writeNumberField("lowerBound", grouping.provenLeast());
    json.writeNumberField("trafficBytes", grouping.trafficBytes());
    json.writeNumberField("cycles", Math.round(grouping.cycles()));
    json.writeNumberField("lmemPeak", grouping.lmemPeak());
    json.writeNumberField("ungroupedBytes", grouping.ungroupedBytes());
    json.writeNumberField("ungroupedCycles", Math.round(grouping.ungroupedCycles()));
    String precision = Precision.of(grouping.graph().network());
    if (precision != null) {
      json.writeStringField("precision", precision);
    }
    json.writeObjectFieldStart("network");
    json.writeStringField("name", grouping.graph().network().name());
    json.writeNumberField("ops", grouping.graph().size());
    json.writeEndObject();
    if (gmem == null) {
      json.writeNullField("gmem");
      return;
    }
    json.writeObjectFieldStart("gmem");
    JsonLayout.writeBytes(json, "peak", gmem.peak());
    JsonLayout.writeBytes(json, "lowerBound", gmem.lowerBound());
    json.writeStringField("status", gmem.status());
    json.writeEndObject();
  }

  private void writeGroups(Grouping grouping) throws IOException {
    json.writeArrayFieldStart("groups");
    for (PlannedGroup group : grouping.groups()) {
      writeGroup(group);
    }
    json.writeEndArray();
  }

  private void writeGroup(PlannedGroup group) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("grouped", group.isGrouped());
    json.writeNumberField("first", group.first());
    json.writeNumberField("last", group.last());
    json.writeNumberField("ops", group.members().length);
    if (!group.isContiguous()) {
      json.writeFieldName("members");
      json.writeArray(group.members(), 0, group.members().length);
    }
    if (group.isGrouped()) {
      Slicing slicing = group.plan().sliced().slicing();
      json.writeObjectFieldStart("secs");
      json.writeNumberField("n", slicing.n());
      json.writeNumberField("c", slicing.c());
      json.writeNumberField("d", slicing.d());
      json.writeNumberField("h", slicing.h());
      json.writeNumberField("w", slicing.w());
      json.writeEndObject();
      LmemScore score = group.answer().score();
      json.writeNumberField("steps", group.plan().table().rows());
      json.writeNumberField("lmemPeak", score.peak());
      json.writeNumberField("clashes", score.clashes());
      json.writeNumberField("selfClashes", score.selfClashes());
      json.writeNumberField("clashBound", group.answer().bounds().get(0));
      json.writeNumberField("operandClashes", score.operandClashes());
      json.writeNumberField("operandClashBound", group.answer().bounds().get(1));
      json.writeNumberField("bankCrossings", score.bankCrossings());
      json.writeNumberField("bankCrossingBound", group.answer().bounds().get(2));
      json.writeNumberField("lmemBound", group.answer().bounds().get(3));
      if (details) {
        GroupDetails.write(json, group);
      }
    }
    json.writeNumberField("trafficBytes", group.trafficBytes());
    json.writeNumberField("cycles", Math.round(group.cycles()));
    if (group.reason() != null) {
      json.writeStringField("reason", group.reason());
    }
    if (group.remark() != null) {
      json.writeStringField("remark", group.remark());
    }
    if (!group.violations().isEmpty()) {
      json.writeArrayFieldStart("violations");
      for (String violation : group.violations()) {
        json.writeString(violation);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
