package stowage.report.group;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Slice;
import stowage.onchip.lmem.BreadthFirstIds;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.GroupModel;

/** Of a group the fields that say where and when everything is: buffers, slices and steps. */
final class GroupDetails {
  private GroupDetails() {}

  static void write(JsonGenerator json, PlannedGroup group) throws IOException {
    GroupPlan plan = group.plan();
    names(json, "opNames", ops(plan.group()));
    buffers(json, plan);
    slices(json, plan);
    json.writeArrayFieldStart("table");
    for (int s = 0; s < plan.problem().steps(); s++) {
      LmemProblem.Step step = plan.problem().step(s);
      json.writeStartObject();
      names(json, "compute", step.computes().stream().map(LmemProblem.Compute::op).toList());
      names(json, "load", step.loads().stream().map(LmemProblem.Move::tensor).toList());
      names(json, "store", step.stores().stream().map(LmemProblem.Move::tensor).toList());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static List<String> ops(GroupModel group) {
    return java.util.stream.IntStream.range(0, group.size())
        .mapToObj(member -> group.layer(member).op().name())
        .toList();
  }

  private static void names(JsonGenerator json, String field, List<String> names)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String name : names) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  private static void buffers(JsonGenerator json, GroupPlan plan) throws IOException {
    LmemProblem problem = plan.problem();
    LmemPlacement placement = plan.placement();
    int[] ids = BreadthFirstIds.of(problem);
    json.writeArrayFieldStart("buffers");
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      json.writeStartObject();
      json.writeStringField("id", buffer.id());
      json.writeNumberField("number", ids[b]);
      json.writeStringField("kind", buffer.kind().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("start", buffer.start());
      json.writeNumberField("end", buffer.end());
      json.writeBooleanField("resident", buffer.resident());
      json.writeNumberField("size", buffer.size());
      if (placement != null) {
        json.writeNumberField("offset", placement.offset(b));
        if (placement.shares(b) != LmemPlacement.OWN) {
          json.writeStringField("shares", problem.buffer(placement.shares(b)).id());
        }
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** The slices of every activation along the axes that are cut. */
  private static void slices(JsonGenerator json, GroupPlan plan) throws IOException {
    GroupModel group = plan.group();
    json.writeArrayFieldStart("slices");
    for (int t = 0; t < group.tensorCount(); t++) {
      json.writeStartObject();
      json.writeStringField("tensor", group.graph().tensor(group.tensor(t)).name());
      for (Axis axis : Axis.values()) {
        if (plan.sliced().slicing().along(axis) == 1) {
          continue;
        }
        json.writeArrayFieldStart(axis.label());
        for (Slice slice : plan.sliced().slices(t, axis)) {
          json.writeArray(new long[] {slice.begin(), slice.size()}, 0, 2);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
