package stowage.onchip.layer;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import stowage.rewrite.range.WindowShape;

/** Slicing rules of convolutions, transposed ones and pools, and how their filters are in LMEM. */
final class WindowRules {
  private WindowRules() {}

  static void convolution(LayerDraft draft) {
    int filter = draft.input(1);
    WindowShape window = window(draft, filter, false);
    if (window == null) {
      return;
    }
    slide(
        draft,
        window,
        AxisRule.UNCUT,
        (axis, k) -> {
          long reach = Math.max(window.reach(k), window.stride()[k]);
          return new AxisRule.Window(reach, window.stride()[k], window.before()[k]);
        });
    long channels = draft.extents(draft.input(0)).c();
    long groups = groups(draft, filter, channels);
    boolean depthwise = groups == channels && groups > 1;
    long taps = window.taps();
    draft.work =
        depthwise
            ? new Layer.Work(Layer.Kind.WINDOW, taps, taps)
            : new Layer.Work(Layer.Kind.PRODUCT, (double) taps * channels / groups, 0);
    constants(draft, filter, channels / groups, taps, depthwise);
  }

  /** Into how many groups channels are divided, by attribute, by type or by the filter's shape. */
  private static long groups(LayerDraft draft, int filter, long channels) {
    return switch (draft.key) {
      case "DEPTHWISECONV2D" -> channels;
      case "GROUPCONVOLUTION", "GROUPCONVOLUTIONBACKPROPDATA" ->
          filter < 0 ? 1 : Math.max(1, draft.tensor(filter).shape().get(0));
      default -> Math.max(1, draft.op.integer("group", 1));
    };
  }

  private static void constants(
      LayerDraft draft, int filter, long channels, long window, boolean depthwise) {
    if (filter < 0) {
      return;
    }
    if (!draft.constant(filter)) {
      draft.obstacle = "its filter is not a constant";
      return;
    }
    boolean compiled = draft.op.type().startsWith("tpu.");
    long parallel = depthwise ? 1 : parallelChannels(draft, draft.bits(filter));
    long row = depthwise ? window : LaneSize.alignUp(channels, parallel) * window;
    draft.weight(
        filter,
        compiled ? draft.extents(filter) : new Extents(1, draft.result().c(), 1, 1, row),
        false);
    IntFunction<Extents> layouts =
        extra -> compiled ? draft.extents(extra) : new Extents(1, draft.elements(extra), 1, 1, 1);
    draft.constants(2, layouts, null);
  }

  /**
   * Input channels that a filter's rows are padded to: as many as a lane group takes at once.
   * Measured in compiled models: 16 of 16 bits with 32 lanes of 16 bytes, 8 with 8 lanes.
   */
  private static long parallelChannels(LayerDraft draft, int elementBits) {
    int bytes = Math.max(draft.chip.lanes(), draft.chip.vectorBytes());
    return elementBits >= 32 ? 1 : Math.max(1, 8L * bytes / elementBits);
  }

  static void transposed(LayerDraft draft) {
    int filter = draft.input(1);
    WindowShape window = window(draft, filter, true);
    if (window == null) {
      return;
    }
    slide(
        draft,
        window,
        AxisRule.UNCUT,
        (axis, k) ->
            new AxisRule.Transposed(window.reach(k), window.stride()[k], window.before()[k]));
    double products = 1;
    for (int k = 0; k < window.dimensions(); k++) {
      products *= (double) window.kernel()[k] / window.stride()[k];
    }
    long inputs = draft.extents(draft.input(0)).c();
    long channels = inputs / groups(draft, filter, inputs);
    draft.work = new Layer.Work(Layer.Kind.PRODUCT, products * channels, 0);
    constants(draft, filter, channels, window.taps(), false);
  }

  static void pool(LayerDraft draft) {
    WindowShape window = draft.hasSeveralResults() ? null : window(draft, -1, false);
    if (window == null) {
      return;
    }
    Extents image = draft.extents(draft.input(0));
    slide(
        draft,
        window,
        AxisRule.SAME,
        (axis, k) ->
            window.kernel()[k] >= image.along(axis) && draft.result().along(axis) == 1
                ? AxisRule.UNCUT
                : new AxisRule.Window(window.reach(k), window.stride()[k], window.before()[k]));
    draft.work = new Layer.Work(Layer.Kind.WINDOW, window.taps(), 0);
  }

  static void globalPool(LayerDraft draft) {
    draft.unary(draft.uniformBut(AxisRule.UNCUT, Axis.D, Axis.H, Axis.W));
    if (draft.obstacle == null) {
      Extents whole = draft.extents(draft.input(0));
      double taps = (double) whole.d() * whole.h() * whole.w();
      draft.work = new Layer.Work(Layer.Kind.WINDOW, taps, 0);
    }
  }

  /** The first operand is read by a rule for each axis of its image, and by one for channels. */
  private static void slide(
      LayerDraft draft,
      WindowShape window,
      AxisRule channels,
      BiFunction<Axis, Integer, AxisRule> along) {
    AxisRule[] rules = draft.uniformBut(channels, Axis.C);
    for (int k = 0; k < window.dimensions(); k++) {
      Axis axis = Extents.axisOf(k + 2, window.dimensions() + 2);
      rules[axis.ordinal()] = along.apply(axis, k);
    }
    draft.operand(draft.input(0), rules);
  }

  /** The window of an op whose first operand is an image; null with an obstacle where unknown. */
  private static WindowShape window(LayerDraft draft, int filter, boolean transposed) {
    if (!draft.hasActivation()) {
      return null;
    }
    List<Long> image = draft.tensor(draft.input(0)).shape();
    if (image.size() < 3 || image.size() > 5) {
      draft.obstacle = "its operand has " + image.size() + " dimensions, not 3 to 5";
      return null;
    }
    WindowShape window =
        WindowShape.of(
            draft.op,
            image,
            draft.tensor(draft.results[0]).shape(),
            filter < 0 ? null : draft.tensor(filter).shape(),
            draft.layout == TensorLayout.CHANNELS_LAST,
            transposed);
    draft.obstacle = window == null ? "its kernel_shape is unknown" : draft.obstacle;
    return window;
  }
}
