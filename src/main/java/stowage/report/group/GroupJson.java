package stowage.report.group;

import java.util.List;
import java.util.Locale;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Precision;
import stowage.onchip.layer.Slice;
import stowage.onchip.lmem.BreadthFirstIds;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.Slicing;
import stowage.report.plan.PlanJson;
import stowage.text.JsonWriter;

/** A grouping as one JSON object; {@code docs/layer-groups.md} documents every field. */
public record GroupJson(JsonWriter json, boolean details) {
  /** The figures as text that ends with a line's end. */
  public static String of(GroupReport report) {
    return JsonWriter.text(json -> new GroupJson(json, false).write(report));
  }

  /**
   * The figures with where and when everything is: of each group its buffers, slices and steps.
   * {@code stowage/schemas/groups.schema.json} describes it.
   */
  public static String withDetails(GroupReport report) {
    return JsonWriter.text(json -> new GroupJson(json, true).write(report));
  }

  private void write(GroupReport report) {
    Grouping grouping = report.grouping();
    json.object().put("schemaVersion", PlanJson.SCHEMA_VERSION);
    writeFigures(grouping, report.lmem(), grouping.status().name(), report.gmem());
    json.put("boundScope", grouping.scope().label());
    json.put("seconds", Math.round(report.seconds() * 1000) / 1000.0);
    json.array("groups", grouping.groups(), this::writeGroup);
    if (report.baseline() == null) {
      json.putNull("baseline");
    } else {
      Grouping baseline = report.baseline();
      json.object("baseline");
      boolean valid = baseline.groups().stream().allMatch(group -> group.violations().isEmpty());
      writeFigures(baseline, "file", valid ? "VALID" : "INVALID", report.baselineGmem());
      json.put("boundScope", baseline.scope().label());
      json.putNull("seconds"); // files do not say how long they took to make
      json.array("groups", baseline.groups(), this::writeGroup).end();
    }
    json.end();
  }

  private void writeFigures(Grouping grouping, String lmem, String status, GroupReport.Gmem gmem) {
    json.put("chip", grouping.graph().chip().name()).put("partition", grouping.partition());
    json.put("lmem", lmem).put("objective", grouping.options().objective().label());
    json.put("status", status).put("lowerBound", grouping.provenLeast());
    json.put("trafficBytes", grouping.trafficBytes()).put("cycles", Math.round(grouping.cycles()));
    json.put("lmemPeak", grouping.lmemPeak()).put("ungroupedBytes", grouping.ungroupedBytes());
    json.put("ungroupedCycles", Math.round(grouping.ungroupedCycles()));
    json.putIfKnown("precision", Precision.of(grouping.graph().network()));
    json.object("network").put("name", grouping.graph().network().name());
    json.put("ops", grouping.graph().size()).end();
    if (gmem == null) {
      json.putNull("gmem");
      return;
    }
    json.object("gmem").bytes("peak", gmem.peak()).bytes("lowerBound", gmem.lowerBound());
    json.put("status", gmem.status()).end();
  }

  private void writeGroup(PlannedGroup group) {
    json.object().put("grouped", group.isGrouped()).put("first", group.first());
    json.put("last", group.last()).put("ops", group.members().length);
    if (!group.isContiguous()) {
      json.list("members", group.members());
    }
    if (group.isGrouped()) {
      Slicing slicing = group.plan().sliced().slicing();
      json.object("secs").put("n", slicing.n()).put("c", slicing.c()).put("d", slicing.d());
      json.put("h", slicing.h()).put("w", slicing.w()).end();
      LmemScore score = group.answer().score();
      json.put("steps", group.plan().table().rows()).put("lmemPeak", score.peak());
      json.put("clashes", score.clashes()).put("selfClashes", score.selfClashes());
      json.put("clashBound", group.answer().bounds().get(0));
      json.put("operandClashes", score.operandClashes());
      json.put("operandClashBound", group.answer().bounds().get(1));
      json.put("bankCrossings", score.bankCrossings());
      json.put("bankCrossingBound", group.answer().bounds().get(2));
      json.put("lmemBound", group.answer().bounds().get(3));
      if (details) {
        writeDetails(group.plan());
      }
    }
    json.put("trafficBytes", group.trafficBytes()).put("cycles", Math.round(group.cycles()));
    json.putIfKnown("reason", group.reason()).putIfKnown("remark", group.remark());
    if (!group.violations().isEmpty()) {
      json.list("violations", group.violations());
    }
    json.end();
  }

  /** The fields that say where and when everything of a group is: buffers, slices and steps. */
  private void writeDetails(GroupPlan plan) {
    GroupModel group = plan.group();
    json.array("opNames");
    for (int member = 0; member < group.size(); member++) {
      json.add(group.layer(member).op().name());
    }
    json.end();
    writeBuffers(plan.problem(), plan.placement());
    writeSlices(plan);
    json.array("table");
    for (int s = 0; s < plan.problem().steps(); s++) {
      LmemProblem.Step step = plan.problem().step(s);
      json.object();
      json.list("compute", step.computes().stream().map(LmemProblem.Compute::op).toList());
      json.list("load", step.loads().stream().map(LmemProblem.Move::tensor).toList());
      json.list("store", step.stores().stream().map(LmemProblem.Move::tensor).toList()).end();
    }
    json.end();
  }

  private void writeBuffers(LmemProblem problem, LmemPlacement placement) {
    int[] ids = BreadthFirstIds.of(problem);
    json.array("buffers");
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      json.object().put("id", buffer.id()).put("number", ids[b]);
      json.put("kind", buffer.kind().name().toLowerCase(Locale.ROOT)).put("start", buffer.start());
      json.put("end", buffer.end()).put("resident", buffer.resident()).put("size", buffer.size());
      if (placement != null) {
        json.put("offset", placement.offset(b));
        if (placement.shares(b) != LmemPlacement.OWN) {
          json.put("shares", problem.buffer(placement.shares(b)).id());
        }
      }
      json.end();
    }
    json.end();
  }

  /** The slices of every activation along the axes that are cut. */
  private void writeSlices(GroupPlan plan) {
    GroupModel group = plan.group();
    json.array("slices");
    for (int t = 0; t < group.tensorCount(); t++) {
      json.object().put("tensor", group.graph().tensor(group.tensor(t)).name());
      for (Axis axis : Axis.values()) {
        if (plan.sliced().slicing().along(axis) > 1) {
          List<Slice> slices = plan.sliced().slices(t, axis);
          json.array(axis.label(), slices, one -> json.list(new long[] {one.begin(), one.size()}));
        }
      }
      json.end();
    }
    json.end();
  }
}
