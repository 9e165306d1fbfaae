package stowage.onchip.layer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Slicing rules of matrix products, normalisations, reductions and elementwise ops. */
final class ArithmeticRules {
  private static final Set<String> FUNCTIONS =
      Set.of(
          ("SIGMOID TANH GELU SILU SWISH HSWISH HARDSWISH HSIGMOID HARDSIGMOID MISH EXP LOG "
                  + "ERF SQRT RSQRT RECIPROCAL POW DIV SOFTPLUS ELU SELU ACTIVE QUICKGELU LOGISTIC")
              .split(" "));

  /** Constants of one extent a channel, whatever the rank of the other operand. */
  private static final Set<String> PER_CHANNEL =
      Set.of("SCALE", "BATCHNORM", "BATCHNORMALIZATION", "PRELU", "REQUANTINTAXIS", "SCALESHIFT");

  private ArithmeticRules() {}

  /**
   * Products of matrices: rows are the last dimension but one of the left operand, columns the
   * last. Rows and batches can be cut; the right operand then stays whole, and as a constant is
   * with its rows spread over the lanes.
   */
  static void product(LayerDraft draft) {
    int left = draft.input(0);
    int right = draft.input(1);
    if (left < 0 || right < 0 || draft.constant(left)) {
      draft.obstacle = "its left operand is not an activation";
      return;
    }
    int rank = draft.tensor(left).rank();
    if (draft.op.flag("transA")
        || draft.op.flag("transpose_a")
        || draft.op.flag("left_transpose")
        || rank < 2
        || rank > 4) {
      draft.obstacle = "its left operand is transposed or has " + rank + " dimensions, not 2 to 4";
      return;
    }
    if (rank != draft.tensor(draft.results[0]).rank()) {
      draft.obstacle = "its result has another rank than its left operand";
      return;
    }
    Axis rows = draft.axisOf(rank - 2, rank);
    Axis columns = draft.axisOf(rank - 1, rank);
    draft.operand(left, draft.uniformBut(AxisRule.UNCUT, columns));
    long inner = draft.extents(left).along(columns);
    draft.work = new Layer.Work(Layer.Kind.PRODUCT, inner, 0);
    if (draft.constant(right)) {
      long elements = draft.elements(right);
      if (draft.tensor(right).rank() > 2
          && inner > 0
          && elements != inner * draft.result().along(columns)) {
        draft.obstacle = "its constant operand has batches of its own";
        return;
      }
      Extents layout = new Extents(1, inner, 1, 1, inner == 0 ? 0 : elements / inner);
      draft.weight(right, layout, true);
    } else if (draft.tensor(right).rank() != rank) {
      draft.obstacle = "its right operand has another rank than its left one";
      return;
    } else {
      AxisRule[] rules = draft.uniformBut(AxisRule.WHOLE, rows);
      rules[columns.ordinal()] = AxisRule.UNCUT;
      draft.operand(right, rules);
    }
    IntFunction<Extents> row = bias -> new Extents(1, 1, 1, 1, draft.elements(bias));
    draft.constants(2, row, "its bias is not a constant");
  }

  static void softmax(LayerDraft draft) {
    draft.unary(draft.along(draft.axis("axis", -1), AxisRule.UNCUT));
    draft.work = new Layer.Work(Layer.Kind.FUNCTION, 4, 0);
  }

  static void normalisation(LayerDraft draft, int dimension) {
    int rank = draft.tensor(draft.results[0]).rank();
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    for (int k = dimension; k < rank; k++) {
      rules[draft.axisOf(k, rank).ordinal()] = AxisRule.UNCUT;
    }
    draft.unary(rules);
    IntFunction<Extents> layouts =
        factor ->
            dimension > 1 || rank < 3
                ? new Extents(1, 1, 1, 1, draft.elements(factor))
                : draft.tensor(factor).rank() > 1
                    ? broadcast(draft, factor, rank)
                    : new Extents(1, draft.elements(factor), 1, 1, 1);
    draft.constants(1, layouts, "its factors are no constants");
    draft.hasSeveralResults();
    draft.work = new Layer.Work(Layer.Kind.FUNCTION, 4, 0);
  }

  static void reduce(LayerDraft draft) {
    if (!draft.hasActivation()) {
      return;
    }
    int from = draft.input(0);
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    double window = 1;
    Set<Long> gone = new HashSet<>();
    Set<Long> kept = new HashSet<>();
    for (Axis axis : Axis.values()) {
      long in = draft.extents(from).along(axis);
      long out = draft.result().along(axis);
      if (in != out && out == 1) {
        rules[axis.ordinal()] = AxisRule.UNCUT;
        window *= in;
        gone.add(in);
      } else {
        kept.add(in);
      }
    }
    draft.unary(rules);
    // Of two equally long axes either may be dropped, unless "axes" names the last ones.
    int rank = draft.tensor(from).rank();
    int left = draft.tensor(draft.results[0]).rank();
    List<Long> axes = draft.op.integers("axes");
    boolean last =
        !axes.isEmpty()
            && axes.stream().allMatch(axis -> (axis < 0 ? axis + rank : axis) >= left)
            && IntStream.range(0, left)
                .allMatch(k -> Extents.axisOf(k, rank) == Extents.axisOf(k, left));
    if (left < rank && !last && !Collections.disjoint(gone, kept)
        || draft.extents(from).elements() != draft.result().elements() * (long) window) {
      draft.obstacle = "its axes cannot be derived from the shapes";
    }
    draft.work = new Layer.Work(Layer.Kind.FUNCTION, window, 0);
  }

  static void elementwise(LayerDraft draft) {
    if (draft.hasSeveralResults()) {
      return;
    }
    int rank = draft.tensor(draft.results[0]).rank();
    boolean function = FUNCTIONS.contains(draft.key);
    draft.work =
        new Layer.Work(
            function ? Layer.Kind.FUNCTION : Layer.Kind.ELEMENTWISE, function ? 4 : 1, 0);
    for (int k = 0; k < draft.op.inputs().size(); k++) {
      int from = draft.input(k);
      if (from < 0) {
        continue;
      }
      if (draft.constant(from)) {
        boolean vector = draft.tensor(from).rank() == 1 && PER_CHANNEL.contains(draft.key);
        draft.weight(from, vector ? draft.extents(from) : broadcast(draft, from, rank), !vector);
        continue;
      }
      Extents own = draft.extents(from);
      if (!broadcast(draft, from, rank).equals(own)) {
        draft.obstacle =
            "operand \"" + draft.tensor(from).name() + "\" is broadcast over other lanes";
      }
      for (Axis axis : Axis.values()) {
        long extent = own.along(axis);
        if (extent != draft.result().along(axis) && extent != 1) {
          draft.obstacle = "operand \"" + draft.tensor(from).name() + "\" has another shape";
        }
      }
      draft.operand(from, draft.uniform(AxisRule.SAME));
    }
    if (draft.hasNoOperands()) {
      draft.obstacle = "it reads constants alone";
      return;
    }
    int first = draft.firstOperand();
    draft.inPlace =
        draft.extents(first).equals(draft.result())
            && draft.bits(first) >= draft.bits(draft.results[0]);
  }

  /** Extents of an operand that is broadcast to a rank: absent dimensions come first. */
  private static Extents broadcast(LayerDraft draft, int tensor, int rank) {
    List<Long> shape = new ArrayList<>(draft.tensor(tensor).shape());
    if (shape.size() < rank) {
      shape.addAll(0, Collections.nCopies(rank - shape.size(), 1L));
    }
    return draft.layout.extents(shape);
  }
}
