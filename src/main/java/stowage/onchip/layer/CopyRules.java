package stowage.onchip.layer;

import java.util.List;
import java.util.Locale;
import stowage.liveness.OpTraits;

/** Slicing rules of ops that move data and compute nothing. */
final class CopyRules {
  private CopyRules() {}

  static void resize(LayerDraft draft) {
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    boolean nearest =
        !draft.key.contains("BILINEAR")
            && !draft.op.text("mode", "nearest").toLowerCase(Locale.ROOT).contains("linear");
    int from = draft.input(0);
    if (from < 0 || draft.constant(from)) {
      draft.obstacle = "its first operand is not an activation";
      return;
    }
    for (Axis axis : new Axis[] {Axis.D, Axis.H, Axis.W}) {
      long in = draft.extents(from).along(axis);
      long out = draft.result().along(axis);
      if (in != out) {
        rules[axis.ordinal()] =
            nearest && in > 0 && out % in == 0
                ? new AxisRule.Repeated(out / in, draft.chip.isBm1684xFamily())
                : AxisRule.UNCUT;
      }
    }
    draft.unary(rules);
    draft.work = new Layer.Work(Layer.Kind.COPY, 1, 0);
  }

  static void pad(LayerDraft draft) {
    int from = draft.input(0);
    List<Long> pads =
        draft.op.integers("pads").isEmpty()
            ? draft.op.integers("paddings")
            : draft.op.integers("pads");
    int rank = from < 0 ? 0 : draft.tensor(from).rank();
    if (from < 0 || pads.size() != 2 * rank) {
      draft.obstacle = "its pads are unknown";
      return;
    }
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    for (int k = 0; k < rank; k++) {
      if (pads.get(k) == 0 && pads.get(k + rank) == 0) {
        continue;
      }
      Axis axis = draft.axisOf(k, rank);
      if (axis == Axis.C || axis == Axis.N || rank > 5) {
        draft.obstacle = "padding along " + axis.label() + " moves data between lanes";
      } else {
        rules[axis.ordinal()] = new AxisRule.Padded(pads.get(k), pads.get(k + rank));
      }
    }
    draft.operand(from, rules);
    draft.work = new Layer.Work(Layer.Kind.COPY, 1, 0);
  }

  static void slice(LayerDraft draft) {
    int from = draft.input(0);
    List<Long> starts =
        draft.op.integers("starts").isEmpty()
            ? draft.op.integers("offset")
            : draft.op.integers("starts");
    List<Long> steps = draft.op.integers("steps");
    int rank = from < 0 ? 0 : draft.tensor(from).rank();
    List<Long> axes = draft.op.integers("axes");
    boolean all = axes.size() != starts.size();
    if (from < 0
        || draft.constant(from)
        || starts.isEmpty()
        || rank != draft.tensor(draft.results[0]).rank()) {
      draft.obstacle = "the range it takes is unknown";
      return;
    }
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    for (int k = 0; k < starts.size(); k++) {
      long dimension = all ? k : axes.get(k) < 0 ? axes.get(k) + rank : axes.get(k);
      Axis axis = draft.axisOf((int) dimension, rank);
      long in = draft.extents(from).along(axis);
      if (in == draft.result().along(axis)) {
        continue;
      }
      long offset = Math.min(starts.get(k) < 0 ? starts.get(k) + in : starts.get(k), in);
      long step = k < steps.size() ? steps.get(k) : 1;
      boolean spatial = axis == Axis.H || axis == Axis.W || axis == Axis.D;
      rules[axis.ordinal()] =
          spatial && step > 0 && offset >= 0 ? new AxisRule.Taken(offset, step) : AxisRule.UNCUT;
    }
    draft.unary(rules);
    draft.work = new Layer.Work(Layer.Kind.COPY, 1, 0);
  }

  static void concat(LayerDraft draft) {
    Axis axis = draft.axisOf(draft.axis("axis", 1), draft.tensor(draft.results[0]).rank());
    for (int k = 0; k < draft.op.inputs().size(); k++) {
      int from = draft.input(k);
      if (from >= 0 && draft.constant(from)) {
        draft.weight(from, draft.extents(from), true);
      } else if (from >= 0) {
        draft.operand(from, draft.uniformBut(AxisRule.UNCUT, axis));
      }
    }
    if (draft.hasNoOperands()) {
      draft.obstacle = "it reads constants alone";
    }
    draft.work = new Layer.Work(Layer.Kind.COPY, 1, 0);
  }

  static void split(LayerDraft draft) {
    List<String> inputs = draft.op.inputs();
    int data = inputs.isEmpty() ? 0 : inputs.indexOf(OpTraits.source(draft.op));
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    for (Axis axis : Axis.values()) {
      if (draft.input(data) >= 0
          && draft.extents(draft.input(data)).along(axis) != draft.result().along(axis)) {
        rules[axis.ordinal()] = AxisRule.UNCUT;
      }
    }
    draft.unary(data, rules);
    draft.work = new Layer.Work(Layer.Kind.COPY, 1, 0);
  }

  static void reshape(LayerDraft draft) {
    if (!draft.hasActivation()) {
      return;
    }
    if (!draft.extents(draft.input(0)).equals(draft.result())) {
      draft.obstacle = "it changes the lane layout";
    } else {
      draft.operand(draft.input(0), draft.uniform(AxisRule.SAME));
      draft.work = new Layer.Work(Layer.Kind.COPY, 0, 0);
      draft.inPlace = true;
    }
  }
}
