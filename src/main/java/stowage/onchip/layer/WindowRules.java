package stowage.onchip.layer;

import stowage.rewrite.range.WindowShape;

/** Slicing rules of convolutions, transposed ones and pools, and how their filters are in LMEM. */
final class WindowRules {
  private WindowRules() {}

  static void convolution(LayerDraft draft) {
    int filter = draft.input(1);
    WindowShape window = imageLike(draft) ? window(draft, filter, false) : null;
    if (window == null) {
      return;
    }
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    rules[Axis.C.ordinal()] = AxisRule.UNCUT;
    for (int k = 0; k < window.dimensions(); k++) {
      long reach = Math.max(window.reach(k), window.stride()[k]);
      rules[axis(k, window.dimensions()).ordinal()] =
          new AxisRule.Window(reach, window.stride()[k], window.before()[k]);
    }
    draft.operand(draft.input(0), rules);
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
    if (draft.op.type().startsWith("tpu.")) {
      draft.weight(filter, draft.extents(filter), draft.bits(filter), false);
    } else if (depthwise) {
      Extents layout = new Extents(1, draft.result().c(), 1, 1, window);
      draft.weight(filter, layout, draft.bits(filter), false);
    } else {
      long padded = LaneSize.alignUp(channels, parallelChannels(draft, draft.bits(filter)));
      draft.weight(
          filter,
          new Extents(1, draft.result().c(), 1, 1, padded * window),
          draft.bits(filter),
          false);
    }
    for (int k = 2; k < draft.op.inputs().size(); k++) {
      int extra = draft.input(k);
      if (extra >= 0 && draft.constant(extra)) {
        Extents layout =
            draft.op.type().startsWith("tpu.")
                ? draft.extents(extra)
                : new Extents(1, draft.tensor(extra).elements(), 1, 1, 1);
        draft.weight(extra, layout, draft.bits(extra), false);
      }
    }
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
    WindowShape window = imageLike(draft) ? window(draft, filter, true) : null;
    if (window == null) {
      return;
    }
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    rules[Axis.C.ordinal()] = AxisRule.UNCUT;
    double products = 1;
    for (int k = 0; k < window.dimensions(); k++) {
      rules[axis(k, window.dimensions()).ordinal()] =
          new AxisRule.Transposed(window.reach(k), window.stride()[k], window.before()[k]);
      products *= (double) window.kernel()[k] / window.stride()[k];
    }
    draft.operand(draft.input(0), rules);
    long inputs = draft.extents(draft.input(0)).c();
    long channels = inputs / groups(draft, filter, inputs);
    draft.work = new Layer.Work(Layer.Kind.PRODUCT, products * channels, 0);
    constants(draft, filter, channels, window.taps(), false);
  }

  static void pool(LayerDraft draft) {
    if (draft.results.length > 1) {
      draft.obstacle = "it has " + draft.results.length + " results";
      return;
    }
    WindowShape window = imageLike(draft) ? window(draft, -1, false) : null;
    if (window == null) {
      return;
    }
    AxisRule[] rules = draft.uniform(AxisRule.SAME);
    Extents image = draft.extents(draft.input(0));
    for (int k = 0; k < window.dimensions(); k++) {
      Axis axis = axis(k, window.dimensions());
      boolean whole = window.kernel()[k] >= image.along(axis) && draft.result().along(axis) == 1;
      rules[axis.ordinal()] =
          whole
              ? AxisRule.UNCUT
              : new AxisRule.Window(window.reach(k), window.stride()[k], window.before()[k]);
    }
    draft.operand(draft.input(0), rules);
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

  /** The window of an op whose first input is an image; null with an obstacle where unknown. */
  private static WindowShape window(LayerDraft draft, int filter, boolean transposed) {
    int spatial = draft.tensor(draft.input(0)).rank() - 2;
    long[] image = new long[spatial];
    long[] result = new long[spatial];
    for (int k = 0; k < spatial; k++) {
      image[k] = draft.extents(draft.input(0)).along(axis(k, spatial));
      result[k] = draft.result().along(axis(k, spatial));
    }
    boolean known = filter >= 0 && draft.tensor(filter).rank() >= spatial + 2;
    long[] taps =
        known
            ? draft.layout.window(draft.tensor(filter).shape(), spatial).stream()
                .mapToLong(Long::longValue)
                .toArray()
            : null;
    WindowShape window = WindowShape.of(draft.op, image, result, taps, transposed);
    if (window == null) {
      draft.obstacle = "its kernel_shape is unknown";
    }
    return window;
  }

  /** The axis of a dimension of an image. */
  private static Axis axis(int k, int spatial) {
    return Extents.axisOf(k + 2, spatial + 2);
  }

  private static boolean imageLike(LayerDraft draft) {
    int from = draft.input(0);
    if (from < 0 || draft.constant(from)) {
      draft.obstacle = "its first operand is not an activation";
    } else if (draft.tensor(from).rank() < 3 || draft.tensor(from).rank() > 5) {
      draft.obstacle = "its operand has " + draft.tensor(from).rank() + " dimensions, not 3 to 5";
    }
    return draft.obstacle == null;
  }
}
