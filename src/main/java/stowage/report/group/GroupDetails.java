package stowage.report.group;

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
import stowage.text.JsonWriter;

/** Of a group the fields that say where and when everything is: buffers, slices and steps. */
final class GroupDetails {
  private GroupDetails() {}

  static void write(JsonWriter json, PlannedGroup group) {
    GroupPlan plan = group.plan();
    json.list("opNames", ops(plan.group()));
    buffers(json, plan);
    slices(json, plan);
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

  private static List<String> ops(GroupModel group) {
    return java.util.stream.IntStream.range(0, group.size())
        .mapToObj(member -> group.layer(member).op().name())
        .toList();
  }

  private static void buffers(JsonWriter json, GroupPlan plan) {
    LmemProblem problem = plan.problem();
    LmemPlacement placement = plan.placement();
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
  private static void slices(JsonWriter json, GroupPlan plan) {
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
