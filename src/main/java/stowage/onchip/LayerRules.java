package stowage.onchip;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stowage.liveness.OpTraits;
import stowage.network.Chip;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Turns ops into {@link Layer}s: the slicing rule of each operand, the layout of each constant, the
 * computing. Types are read by the names that our own networks, ONNX and TPU-MLIR give them; a type
 * without a rule, or an op whose data would have to move between lanes in a way no rule tells, is a
 * layer with an obstacle.
 */
final class LayerRules {
  private static final Set<String> FUNCTIONS =
      Set.of(
          "SIGMOID",
          "TANH",
          "GELU",
          "SILU",
          "SWISH",
          "HSWISH",
          "HARDSWISH",
          "HSIGMOID",
          "HARDSIGMOID",
          "MISH",
          "EXP",
          "LOG",
          "ERF",
          "SQRT",
          "RSQRT",
          "RECIPROCAL",
          "POW",
          "DIV",
          "SOFTPLUS",
          "ELU",
          "SELU",
          "ACTIVE",
          "QUICKGELU");

  /** Constants of one extent a channel, whatever the rank of the other operand. */
  private static final Set<String> PER_CHANNEL =
      Set.of("SCALE", "BATCHNORM", "BATCHNORMALIZATION", "PRELU", "REQUANTINTAXIS", "SCALESHIFT");

  private final List<Tensor> tensors;
  private final Extents[] extents;
  private final Map<String, Integer> index;
  private final Chip chip;

  LayerRules(List<Tensor> tensors, Extents[] extents, Map<String, Integer> index, Chip chip) {
    this.tensors = tensors;
    this.extents = extents;
    this.index = index;
    this.chip = chip;
  }

  Layer layer(int position, Op op) {
    return new Builder(position, op).build();
  }

  /** The type without dialect, case and underscores. */
  static String key(Op op) {
    String type = op.type();
    if (type.startsWith("tpu.") || type.startsWith("top.")) {
      type = type.substring(4);
    }
    return type.replace("_", "").toUpperCase(Locale.ROOT);
  }

  /** The layer of one op while it is worked out. */
  private final class Builder {
    private final int position;
    private final Op op;
    private final String key;
    private final List<Layer.Operand> operands = new ArrayList<>();
    private final List<Layer.WeightUse> weights = new ArrayList<>();
    private final int[] results;
    private Layer.Work work = new Layer.Work(Layer.Kind.ELEMENTWISE, 1, 0);
    private boolean inPlace;
    private String obstacle;

    Builder(int position, Op op) {
      this.position = position;
      this.op = op;
      this.key = key(op);
      this.results = op.presentOutputs().stream().mapToInt(index::get).toArray();
    }

    Layer build() {
      if (results.length == 0) {
        obstacle = "it has no result";
      } else if (op.presentInputs().isEmpty()) {
        obstacle = "it reads nothing";
      } else {
        rules();
      }
      if (obstacle != null) {
        operands.clear();
        weights.clear();
        plain();
      }
      return new Layer(
          position, op, operands, weights, results, work, inPlace && obstacle == null, obstacle);
    }

    /** Operands of a layer that is never cut: all of them, whole. */
    private void plain() {
      for (String input : op.presentInputs()) {
        int tensor = index.get(input);
        if (tensors.get(tensor).isWeight()) {
          weight(tensor, extents[tensor], tensors.get(tensor).type().bits(), true);
        } else {
          operand(tensor, uniform(AxisRule.UNCUT));
        }
      }
    }

    private void rules() {
      switch (key) {
        case "CONV", "CONV1D", "CONV2D", "CONV3D" -> convolution();
        case "CONVTRANSPOSE", "DECONV", "DECONV3D" -> transposed();
        case "MAXPOOL", "AVERAGEPOOL", "POOL1D", "POOL2D", "POOL3D", "MAXPOOLWITHMASK", "AVGPOOL" ->
            pool();
        case "GLOBALAVERAGEPOOL", "GLOBALMAXPOOL" -> {
          unary(uniformBut(AxisRule.UNCUT, Axis.D, Axis.H, Axis.W));
          work = new Layer.Work(Layer.Kind.WINDOW, windowOfWhole(), 0);
        }
        case "RESIZE", "UPSAMPLE", "INTERP" -> resize();
        case "PAD" -> pad();
        case "SLICE", "STRIDEDSLICE" -> slice();
        case "SPLIT" -> {
          unary(along(axis("axis", 0), AxisRule.UNCUT));
          work = new Layer.Work(Layer.Kind.COPY, 1, 0);
        }
        case "CONCAT" -> concat();
        case "MATMUL", "GEMM", "BATCHMATMUL" -> product();
        case "SOFTMAX", "LOGSOFTMAX" -> {
          unary(along(axis("axis", -1), AxisRule.UNCUT));
          work = new Layer.Work(Layer.Kind.FUNCTION, 4, 0);
        }
        case "LAYERNORMALIZATION", "LAYERNORM", "RMSNORM" -> normalisation(axis("axis", -1));
        case "INSTANCENORMALIZATION", "INSTANCENORM", "GROUPNORM", "GROUPNORMALIZATION" ->
            normalisation(1);
        case "RESHAPE", "FLATTEN", "SQUEEZE", "UNSQUEEZE", "IDENTITY", "DROPOUT" -> reshape();
        case "REDUCEMEAN", "REDUCESUM", "REDUCEMAX", "REDUCEMIN", "REDUCE" -> reduce();
        default -> {
          if (OpTraits.of(op) == OpTraits.ELEMENTWISE) {
            elementwise();
          } else {
            obstacle = "no slicing rule is known for ops of type " + op.type();
          }
        }
      }
    }

    private int input(int position) {
      return position < op.inputs().size() && !op.inputs().get(position).isEmpty()
          ? index.get(op.inputs().get(position))
          : -1;
    }

    private boolean constant(int tensor) {
      return tensors.get(tensor).isWeight();
    }

    private Extents result() {
      return extents[results[0]];
    }

    private int bits(int tensor) {
      return tensors.get(tensor).type().bits();
    }

    private void operand(int tensor, AxisRule[] rules) {
      for (int k = 0; k < operands.size(); k++) {
        Layer.Operand known = operands.get(k);
        if (known.tensor() == tensor) {
          if (!known.rules().equals(Arrays.asList(rules))) {
            obstacle = "it reads tensor \"" + tensors.get(tensor).name() + "\" in two ways";
          }
          return;
        }
      }
      operands.add(new Layer.Operand(tensor, List.of(rules)));
    }

    private void weight(int tensor, Extents layout, int elementBits, boolean aligned) {
      for (Layer.WeightUse known : weights) {
        if (known.tensor() == tensor) {
          return;
        }
      }
      weights.add(new Layer.WeightUse(tensor, layout, elementBits, aligned));
    }

    private void unary(AxisRule[] rules) {
      int from = input(0);
      if (from < 0 || constant(from)) {
        obstacle = "its first operand is no activation";
        return;
      }
      for (Axis axis : Axis.values()) {
        boolean free = rules[axis.ordinal()] == AxisRule.SAME;
        if (free && extents[from].along(axis) != result().along(axis)) {
          obstacle =
              "its operand has "
                  + extents[from].along(axis)
                  + " and its result "
                  + result().along(axis)
                  + " along "
                  + axis.label();
        }
      }
      operand(from, rules);
    }

    private AxisRule[] uniform(AxisRule rule) {
      AxisRule[] rules = new AxisRule[Axis.COUNT];
      Arrays.fill(rules, rule);
      return rules;
    }

    private AxisRule[] uniformBut(AxisRule rule, Axis... axes) {
      AxisRule[] rules = uniform(AxisRule.SAME);
      for (Axis axis : axes) {
        rules[axis.ordinal()] = rule;
      }
      return rules;
    }

    private AxisRule[] along(int dimension, AxisRule rule) {
      return uniformBut(rule, Extents.axisOf(dimension, tensors.get(results[0]).rank()));
    }

    /** A dimension from an attribute, counted from the front. */
    private int axis(String attribute, long otherwise) {
      long value = op.integer(attribute, otherwise);
      int first = input(0) < 0 ? results[0] : input(0);
      int rank = tensors.get(first).rank();
      return (int) (value < 0 ? value + rank : value);
    }

    private double windowOfWhole() {
      Extents whole = extents[input(0)];
      return (double) whole.d() * whole.h() * whole.w();
    }

    /** One value for each spatial dimension of the first operand, missing ones filled. */
    private long[] spatial(String attribute, long otherwise, int count) {
      List<Long> given = op.integers(attribute);
      long[] values = new long[count];
      for (int k = 0; k < count; k++) {
        values[k] = given.isEmpty() ? otherwise : given.get(Math.min(k, given.size() - 1));
      }
      return values;
    }

    private long[] kernel(int spatial, int filter) {
      List<Long> given = op.integers("kernel_shape");
      if (given.size() >= spatial) {
        return given.subList(0, spatial).stream().mapToLong(Long::longValue).toArray();
      }
      if (filter >= 0 && tensors.get(filter).rank() == spatial + 2) {
        return tensors.get(filter).shape().stream().skip(2).mapToLong(Long::longValue).toArray();
      }
      obstacle = "its kernel_shape is not told";
      return null;
    }

    /** Zeros in front of each spatial dimension; {@code auto_pad} is worked out. */
    private long[] padsBefore(int spatial, long[] kernel, long[] stride, long[] dilation) {
      String automatic = op.text("auto_pad", "NOTSET");
      List<Long> given = op.integers("pads");
      long[] pads = new long[spatial];
      for (int k = 0; k < spatial; k++) {
        if (automatic.startsWith("SAME")) {
          Axis axis = spatialAxis(k, spatial);
          long reach = (kernel[k] - 1) * dilation[k] + 1;
          long room = (result().along(axis) - 1) * stride[k] + reach;
          long total = Math.max(0, room - extents[input(0)].along(axis));
          pads[k] = automatic.equals("SAME_LOWER") ? (total + 1) / 2 : total / 2;
        } else {
          pads[k] = k < given.size() ? given.get(k) : 0;
        }
      }
      return pads;
    }

    private Axis spatialAxis(int k, int spatial) {
      return Extents.axisOf(k + 2, spatial + 2);
    }

    private int spatialRank() {
      return tensors.get(input(0)).rank() - 2;
    }

    private boolean imageLike() {
      int from = input(0);
      if (from < 0 || constant(from)) {
        obstacle = "its first operand is no activation";
      } else if (spatialRank() < 1 || spatialRank() > 3) {
        obstacle = "its operand has " + tensors.get(from).rank() + " dimensions, not 3 to 5";
      }
      return obstacle == null;
    }

    private void convolution() {
      if (!imageLike()) {
        return;
      }
      int spatial = spatialRank();
      int filter = input(1);
      long[] kernel = kernel(spatial, filter);
      if (kernel == null) {
        return;
      }
      long[] stride = spatial("strides", 1, spatial);
      long[] dilation = spatial("dilations", 1, spatial);
      long[] pads = padsBefore(spatial, kernel, stride, dilation);
      AxisRule[] rules = uniform(AxisRule.SAME);
      rules[Axis.C.ordinal()] = AxisRule.UNCUT;
      long window = 1;
      for (int k = 0; k < spatial; k++) {
        long reach = Math.max((kernel[k] - 1) * dilation[k] + 1, stride[k]);
        rules[spatialAxis(k, spatial).ordinal()] = new AxisRule.Window(reach, stride[k], pads[k]);
        window *= kernel[k];
      }
      operand(input(0), rules);
      long groups = Math.max(1, op.integer("group", 1));
      long channels = extents[input(0)].c();
      boolean depthwise = groups == channels && groups > 1;
      if (depthwise) {
        work = new Layer.Work(Layer.Kind.WINDOW, window, window);
      } else {
        work = new Layer.Work(Layer.Kind.PRODUCT, (double) window * channels / groups, 0);
      }
      constants(filter, channels / groups, window, depthwise, kernel);
    }

    private void constants(
        int filter, long channels, long window, boolean depthwise, long[] kernel) {
      if (filter < 0) {
        return;
      }
      if (!constant(filter)) {
        obstacle = "its filter is no constant";
        return;
      }
      if (op.type().startsWith("tpu.")) {
        weight(filter, extents[filter], bits(filter), false);
      } else if (depthwise) {
        Extents layout = new Extents(1, result().c(), 1, 1, window);
        weight(filter, layout, bits(filter), false);
      } else {
        long padded = LaneSize.alignUp(channels, parallelChannels(bits(filter)));
        weight(filter, new Extents(1, result().c(), 1, 1, padded * window), bits(filter), false);
      }
      for (int k = 2; k < op.inputs().size(); k++) {
        int extra = input(k);
        if (extra >= 0 && constant(extra)) {
          Extents layout =
              op.type().startsWith("tpu.")
                  ? extents[extra]
                  : new Extents(1, tensors.get(extra).elements(), 1, 1, 1);
          weight(extra, layout, bits(extra), false);
        }
      }
    }

    /**
     * Input channels that a filter's rows are padded to: as many as a lane group takes at once.
     * Measured in compiled models: 16 of 16 bits with 32 lanes of 16 bytes, 8 with 8 lanes.
     */
    private long parallelChannels(int elementBits) {
      int bytes = Math.max(chip.lanes(), chip.vectorBytes());
      return elementBits >= 32 ? 1 : Math.max(1, 8L * bytes / elementBits);
    }

    private void transposed() {
      if (!imageLike()) {
        return;
      }
      int spatial = spatialRank();
      int filter = input(1);
      long[] kernel = kernel(spatial, filter);
      if (kernel == null) {
        return;
      }
      long[] stride = spatial("strides", 1, spatial);
      long[] dilation = spatial("dilations", 1, spatial);
      long[] pads = padsBefore(spatial, kernel, stride, dilation);
      AxisRule[] rules = uniform(AxisRule.SAME);
      rules[Axis.C.ordinal()] = AxisRule.UNCUT;
      double window = 1;
      for (int k = 0; k < spatial; k++) {
        long reach = (kernel[k] - 1) * dilation[k] + 1;
        rules[spatialAxis(k, spatial).ordinal()] =
            new AxisRule.Transposed(reach, stride[k], pads[k]);
        window *= (double) kernel[k] / stride[k];
      }
      operand(input(0), rules);
      long groups = Math.max(1, op.integer("group", 1));
      long channels = extents[input(0)].c() / groups;
      work = new Layer.Work(Layer.Kind.PRODUCT, window * channels, 0);
      long size = Arrays.stream(kernel).reduce(1, (a, b) -> a * b);
      constants(filter, channels, size, false, kernel);
    }

    private void pool() {
      if (!imageLike()) {
        return;
      }
      if (results.length > 1) {
        obstacle = "it has " + results.length + " results";
        return;
      }
      int spatial = spatialRank();
      long[] kernel = kernel(spatial, -1);
      if (kernel == null) {
        return;
      }
      long[] stride = spatial("strides", 1, spatial);
      long[] dilation = spatial("dilations", 1, spatial);
      long[] pads = padsBefore(spatial, kernel, stride, dilation);
      AxisRule[] rules = uniform(AxisRule.SAME);
      double window = 1;
      for (int k = 0; k < spatial; k++) {
        Axis axis = spatialAxis(k, spatial);
        long reach = (kernel[k] - 1) * dilation[k] + 1;
        boolean whole = kernel[k] >= extents[input(0)].along(axis) && result().along(axis) == 1;
        rules[axis.ordinal()] =
            whole ? AxisRule.UNCUT : new AxisRule.Window(reach, stride[k], pads[k]);
        window *= kernel[k];
      }
      operand(input(0), rules);
      work = new Layer.Work(Layer.Kind.WINDOW, window, 0);
    }

    private void resize() {
      AxisRule[] rules = uniform(AxisRule.SAME);
      boolean nearest = !op.text("mode", "nearest").toLowerCase(Locale.ROOT).contains("linear");
      int from = input(0);
      if (from < 0 || constant(from)) {
        obstacle = "its first operand is no activation";
        return;
      }
      for (Axis axis : new Axis[] {Axis.D, Axis.H, Axis.W}) {
        long in = extents[from].along(axis);
        long out = result().along(axis);
        if (in != out) {
          rules[axis.ordinal()] =
              nearest && in > 0 && out % in == 0
                  ? new AxisRule.Repeated(out / in, ChipTraits.isBm1684xFamily(chip))
                  : AxisRule.UNCUT;
        }
      }
      unary(rules);
      work = new Layer.Work(Layer.Kind.COPY, 1, 0);
    }

    private void pad() {
      int from = input(0);
      List<Long> pads =
          op.integers("pads").isEmpty() ? op.integers("paddings") : op.integers("pads");
      int rank = from < 0 ? 0 : tensors.get(from).rank();
      if (from < 0 || pads.size() != 2 * rank) {
        obstacle = "its pads are not told";
        return;
      }
      AxisRule[] rules = uniform(AxisRule.SAME);
      for (int k = 0; k < rank; k++) {
        if (pads.get(k) == 0 && pads.get(k + rank) == 0) {
          continue;
        }
        Axis axis = Extents.axisOf(k, rank);
        if (axis == Axis.C || axis == Axis.N || rank > 5) {
          obstacle = "it pads " + axis.label() + ", which would move data between lanes";
        } else {
          rules[axis.ordinal()] = new AxisRule.Padded(pads.get(k), pads.get(k + rank));
        }
      }
      operand(from, rules);
      work = new Layer.Work(Layer.Kind.COPY, 1, 0);
    }

    private void slice() {
      int from = input(0);
      List<Long> starts =
          op.integers("starts").isEmpty() ? op.integers("offset") : op.integers("starts");
      List<Long> steps = op.integers("steps");
      int rank = from < 0 ? 0 : tensors.get(from).rank();
      List<Long> axes = op.integers("axes");
      boolean all = axes.isEmpty() || key.equals("SLICE") && axes.size() != starts.size();
      if (from < 0
          || constant(from)
          || starts.isEmpty()
          || rank != tensors.get(results[0]).rank()) {
        obstacle = "what it takes is not told";
        return;
      }
      AxisRule[] rules = uniform(AxisRule.SAME);
      for (int k = 0; k < starts.size(); k++) {
        long dimension = all ? k : axes.get(k) < 0 ? axes.get(k) + rank : axes.get(k);
        Axis axis = Extents.axisOf((int) dimension, rank);
        long in = extents[from].along(axis);
        if (in == result().along(axis)) {
          continue;
        }
        long offset = Math.min(starts.get(k) < 0 ? starts.get(k) + in : starts.get(k), in);
        long step = k < steps.size() ? steps.get(k) : 1;
        boolean spatial = axis == Axis.H || axis == Axis.W || axis == Axis.D;
        rules[axis.ordinal()] =
            spatial && step > 0 && offset >= 0 ? new AxisRule.Taken(offset, step) : AxisRule.UNCUT;
      }
      unary(rules);
      work = new Layer.Work(Layer.Kind.COPY, 1, 0);
    }

    private void concat() {
      Axis axis = Extents.axisOf(axis("axis", 1), tensors.get(results[0]).rank());
      for (int k = 0; k < op.inputs().size(); k++) {
        int from = input(k);
        if (from >= 0 && constant(from)) {
          weight(from, extents[from], bits(from), true);
        } else if (from >= 0) {
          operand(from, uniformBut(AxisRule.UNCUT, axis));
        }
      }
      if (operands.isEmpty()) {
        obstacle = "it reads constants alone";
      }
      work = new Layer.Work(Layer.Kind.COPY, 1, 0);
    }

    /**
     * Products of matrices: rows are the last dimension but one of the left operand, columns the
     * last. Rows and batches can be cut; the right operand then stays whole, and as a constant lies
     * with its rows spread over the lanes.
     */
    private void product() {
      int left = input(0);
      int right = input(1);
      if (left < 0 || right < 0 || constant(left)) {
        obstacle = "its left operand is no activation";
        return;
      }
      int rank = tensors.get(left).rank();
      if (op.flag("transA") || op.flag("left_transpose") || rank < 2 || rank > 4) {
        obstacle = "its left operand is transposed or has " + rank + " dimensions, not 2 to 4";
        return;
      }
      if (rank != tensors.get(results[0]).rank()) {
        obstacle = "its result has another rank than its left operand";
        return;
      }
      Axis rows = Extents.axisOf(rank - 2, rank);
      Axis columns = Extents.axisOf(rank - 1, rank);
      operand(left, uniformBut(AxisRule.UNCUT, columns));
      long inner = extents[left].along(columns);
      work = new Layer.Work(Layer.Kind.PRODUCT, inner, 0);
      if (constant(right)) {
        long elements = tensors.get(right).elements();
        if (tensors.get(right).rank() > 2
            && inner > 0
            && elements != inner * result().along(columns)) {
          obstacle = "its constant operand has batches of its own";
          return;
        }
        Extents layout = new Extents(1, inner, 1, 1, inner == 0 ? 0 : elements / inner);
        weight(right, layout, bits(right), true);
      } else if (tensors.get(right).rank() != rank) {
        obstacle = "its right operand has another rank than its left one";
        return;
      } else {
        AxisRule[] rules = uniformBut(AxisRule.WHOLE, rows);
        rules[columns.ordinal()] = AxisRule.UNCUT;
        operand(right, rules);
      }
      for (int k = 2; k < op.inputs().size(); k++) {
        int bias = input(k);
        if (bias >= 0 && constant(bias)) {
          long elements = tensors.get(bias).elements();
          weight(bias, new Extents(1, 1, 1, 1, elements), bits(bias), false);
        } else if (bias >= 0) {
          obstacle = "its bias is no constant";
        }
      }
    }

    private void normalisation(int dimension) {
      int rank = tensors.get(results[0]).rank();
      AxisRule[] rules = uniform(AxisRule.SAME);
      for (int k = dimension; k < rank; k++) {
        rules[Extents.axisOf(k, rank).ordinal()] = AxisRule.UNCUT;
      }
      unary(rules);
      for (int k = 1; k < op.inputs().size(); k++) {
        int factor = input(k);
        if (factor >= 0 && constant(factor)) {
          long elements = tensors.get(factor).elements();
          Extents layout =
              dimension == 1 && rank > 2
                  ? new Extents(1, elements, 1, 1, 1)
                  : new Extents(1, 1, 1, 1, elements);
          weight(factor, layout, bits(factor), false);
        } else if (factor >= 0) {
          obstacle = "its factors are no constants";
        }
      }
      if (results.length > 1) {
        obstacle = "it has " + results.length + " results";
      }
      work = new Layer.Work(Layer.Kind.FUNCTION, 4, 0);
    }

    private void reshape() {
      int from = input(0);
      if (from < 0 || constant(from)) {
        obstacle = "its first operand is no activation";
      } else if (!extents[from].equals(result())) {
        obstacle = "it changes which lanes hold what";
      } else {
        operand(from, uniform(AxisRule.SAME));
        work = new Layer.Work(Layer.Kind.COPY, 0, 0);
        inPlace = true;
      }
    }

    private void reduce() {
      int from = input(0);
      if (from < 0 || constant(from)) {
        obstacle = "its first operand is no activation";
        return;
      }
      AxisRule[] rules = uniform(AxisRule.SAME);
      double window = 1;
      for (Axis axis : Axis.values()) {
        long in = extents[from].along(axis);
        long out = result().along(axis);
        if (in != out && out == 1) {
          rules[axis.ordinal()] = AxisRule.UNCUT;
          window *= in;
        }
      }
      unary(rules);
      if (extents[from].elements() != result().elements() * (long) window) {
        obstacle = "its axes are not told by the shapes";
      }
      work = new Layer.Work(Layer.Kind.FUNCTION, window, 0);
    }

    private void elementwise() {
      int rank = tensors.get(results[0]).rank();
      if (results.length > 1) {
        obstacle = "it has " + results.length + " results";
        return;
      }
      boolean function = FUNCTIONS.contains(key);
      work =
          new Layer.Work(
              function ? Layer.Kind.FUNCTION : Layer.Kind.ELEMENTWISE, function ? 4 : 1, 0);
      for (int k = 0; k < op.inputs().size(); k++) {
        int from = input(k);
        if (from < 0) {
          continue;
        }
        if (constant(from)) {
          boolean vector = tensors.get(from).rank() == 1 && PER_CHANNEL.contains(key);
          weight(from, vector ? extents[from] : broadcast(from, rank), bits(from), !vector);
          continue;
        }
        Extents own = extents[from];
        if (!broadcast(from, rank).equals(own)) {
          obstacle = "operand \"" + tensors.get(from).name() + "\" is broadcast over other lanes";
        }
        for (Axis axis : Axis.values()) {
          long extent = own.along(axis);
          if (extent != result().along(axis) && extent != 1) {
            obstacle = "operand \"" + tensors.get(from).name() + "\" has another shape";
          }
        }
        operand(from, uniform(AxisRule.SAME));
      }
      if (operands.isEmpty()) {
        obstacle = "it reads constants alone";
        return;
      }
      int first = operands.get(0).tensor();
      inPlace = extents[first].equals(result()) && bits(first) >= bits(results[0]);
    }

    /** Extents of an operand that is broadcast to a rank: absent dimensions come first. */
    private Extents broadcast(int tensor, int rank) {
      List<Long> shape = new ArrayList<>(tensors.get(tensor).shape());
      if (shape.size() < rank) {
        shape.addAll(0, Collections.nCopies(rank - shape.size(), 1L));
      }
      return Extents.of(shape);
    }
  }
}
