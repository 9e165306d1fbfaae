package stowage.importer.openvino;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.OpTypes;

/**
 * Rules for extents that a file leaves open from those of a layer's inputs, by the layers'
 * definitions (OpenVINO's operation sets, docs.openvino.ai, "Operation specifications").
 *
 * <p>Only what follows from shapes and attributes can be derived: the values of constants are in
 * another file. So a layer that moves or drops axes by a constant is understood where the extents
 * that the file does give leave one way, or one likely way: extents of unknown order keep the order
 * they had. For a Transpose of {@code [-1,-1,12,64]}, bound to {@code [2,128,12,64]}, into {@code
 * [-1,12,-1,64]}, what is left after 12 and 64 are taken away is 2 and 128, in this order. The size
 * is right whatever the order is. Everything else is left open, to be bound by the user.
 */
final class ExtentRules {
  private static final Set<String> BROADCASTING =
      OpTypes.words(
          """
          add subtract multiply divide power maximum minimum equal notequal greater greaterequal
          less lessequal logicaland logicalor logicalxor mod floormod squareddifference select
          eltwise fakequantize bitwiseand bitwiseor bitwisexor
          """);

  private static final Set<String> SAME_AS_FIRST =
      OpTypes.words(
          """
          relu relu6 sigmoid tanh elu selu gelu swish hswish hsigmoid hardsigmoid mish softplus
          softsign exp log sqrt abs floor ceiling ceil round negative sign sin cos tan asin acos
          atan sinh cosh asinh acosh atanh erf logicalnot not bitwisenot clamp softmax logsoftmax
          mvn normalizel2 normalize lrn norm grn rms groupnormalization batchnorminference
          batchnormalization convert convertlike assign readvalue memory cumsum reverse
          reversesequence roll activation copy identity scatterupdate scatterelementsupdate
          scatterndupdate isnan isinf isfinite bucketize result scaleshift prelu
          """);

  private static final Set<String> CONVOLUTIONS =
      Set.of("convolution", "groupconvolution", "binaryconvolution", "deformableconvolution");

  private static final Set<String> SAME_ELEMENTS =
      Set.of("reshape", "squeeze", "unsqueeze", "flatten", "shufflechannels");

  private ExtentRules() {}

  /**
   * The extents of an output as far as they follow from those of the inputs, all of which are
   * known; {@link IrGraph#OPEN} where they do not.
   */
  static List<Long> infer(IrGraph.Layer layer, List<Long> open, List<List<Long>> inputs) {
    if (inputs.isEmpty()) {
      return open;
    }
    String type = layer.type().toLowerCase(Locale.ROOT);
    List<Long> first = inputs.get(0);
    if (BROADCASTING.contains(type)) {
      return merged(open, broadcast(inputs));
    }
    if (SAME_AS_FIRST.contains(type)) {
      return merged(open, first);
    }
    if (CONVOLUTIONS.contains(type) || type.equals("maxpool") || type.equals("avgpool")) {
      return merged(open, WindowExtents.forward(layer, first, inputs));
    }
    if (SAME_ELEMENTS.contains(type)) {
      return sameElements(layer, open, first);
    }
    return switch (type) {
      case "convolutionbackpropdata", "groupconvolutionbackpropdata", "deconvolution" ->
          merged(open, WindowExtents.backward(layer, first, inputs));
      case "matmul", "gemm" -> merged(open, product(layer, inputs));
      case "fullyconnected",
          "interpolate",
          "resample",
          "pad",
          "detectionoutput",
          "lstmcell",
          "grucell",
          "rnncell" ->
          merged(open, first.subList(0, Math.min(1, first.size())));
      case "concat" -> merged(open, concatenation(layer, inputs));
      case "transpose", "permute" -> permuted(open, first);
      case "gather" -> gathered(open, inputs);
      case "gatherelements" -> merged(open, inputs.get(1));
      case "onehot" -> merged(open, oneHot(layer, first));
      case "split", "variadicsplit", "slice" -> cut(layer, open, first);
      case "stridedslice" -> merged(open, strided(layer, first));
      case "depthtospace", "spacetodepth" -> blocks(layer, open, first, type.startsWith("depth"));
      case "scaleddotproductattention" ->
          merged(open, first.subList(0, Math.max(0, first.size() - 1)));
      case "lstmsequence", "grusequence", "rnnsequence" -> sequence(open, first);
      default -> type.startsWith("reduce") ? reduced(layer, open, first) : open;
    };
  }

  /** Fills what is open from a list that may be shorter; one of another meaning changes nothing. */
  static List<Long> merged(List<Long> open, List<Long> found) {
    List<Long> merged = new ArrayList<>(open);
    for (int axis = 0; found != null && axis < Math.min(open.size(), found.size()); axis++) {
      if (open.get(axis) < 0) {
        merged.set(axis, found.get(axis));
      }
    }
    return merged;
  }

  private static List<Long> broadcast(List<List<Long>> inputs) {
    int rank = inputs.stream().mapToInt(List::size).max().orElse(0);
    Long[] extents = new Long[rank];
    Arrays.fill(extents, 1L);
    for (List<Long> input : inputs) {
      for (int k = 0; k < input.size(); k++) {
        int axis = rank - input.size() + k;
        extents[axis] = extents[axis] == 1 ? input.get(k) : extents[axis];
      }
    }
    return List.of(extents);
  }

  private static List<Long> product(IrGraph.Layer layer, List<List<Long>> inputs) {
    List<Long> left = inputs.get(0);
    List<Long> right = inputs.size() > 1 ? inputs.get(1) : List.of();
    if (left.size() < 2 || right.size() < 2) {
      return null;
    }
    List<Long> product =
        new ArrayList<>(
            broadcast(
                List.of(left.subList(0, left.size() - 2), right.subList(0, right.size() - 2))));
    boolean transposedLeft = layer.flag("transpose_a");
    boolean transposedRight = layer.flag("transpose_b");
    product.add(left.get(left.size() - (transposedLeft ? 1 : 2)));
    product.add(right.get(right.size() - (transposedRight ? 2 : 1)));
    return product;
  }

  private static List<Long> concatenation(IrGraph.Layer layer, List<List<Long>> inputs) {
    List<Long> joined = new ArrayList<>(inputs.get(0));
    List<Long> axes = layer.integers("axis");
    long axis = axes.isEmpty() ? 1 : axes.get(0);
    axis = axis < 0 ? axis + joined.size() : axis;
    if (axis < 0 || axis >= joined.size()) {
      return null;
    }
    long sum = 0;
    for (List<Long> input : inputs) {
      if (input.size() != joined.size()) {
        return null;
      }
      sum += input.get((int) axis);
    }
    joined.set((int) axis, sum);
    return joined;
  }

  /** One open extent follows from the number of elements; several keep the order they had. */
  private static List<Long> sameElements(IrGraph.Layer layer, List<Long> open, List<Long> first) {
    List<Long> filled = open;
    List<Long> moving = openExtents(layer, first);
    long count = open.stream().filter(extent -> extent < 0).count();
    if (count > 1 && moving.size() == count) {
      filled = inOrder(open, moving);
    } else if (count > 1 && open.size() == first.size()) {
      filled = merged(open, first.subList(0, open.indexOf(IrGraph.OPEN) + 1));
    }
    double elements = product(first);
    double known = product(filled.stream().filter(extent -> extent >= 0).toList());
    int last = filled.indexOf(IrGraph.OPEN);
    if (last >= 0 && last == filled.lastIndexOf(IrGraph.OPEN) && known > 0) {
      double extent = elements / known;
      if (extent == Math.rint(extent) && extent < 1L << 53) {
        filled = inOrder(filled, List.of((long) extent));
      }
      return filled;
    }
    return known == elements ? filled : open;
  }

  /** Those extents of the first input that its port leaves open. */
  private static List<Long> openExtents(IrGraph.Layer layer, List<Long> first) {
    List<Long> declared = layer.inputs().get(0).dims();
    return new ArrayList<>(
        IntStream.range(0, Math.min(declared.size(), first.size()))
            .filter(axis -> declared.get(axis) < 0)
            .mapToObj(axis -> first.get(axis))
            .toList());
  }

  private static List<Long> inOrder(List<Long> open, List<Long> values) {
    List<Long> filled = new ArrayList<>(open);
    int next = 0;
    for (int axis = 0; axis < filled.size() && next < values.size(); axis++) {
      if (filled.get(axis) < 0) {
        filled.set(axis, values.get(next++));
      }
    }
    return filled;
  }

  private static double product(List<Long> extents) {
    return extents.stream().mapToDouble(extent -> extent).reduce(1, (a, b) -> a * b);
  }

  private static List<Long> permuted(List<Long> open, List<Long> first) {
    List<Long> left = new ArrayList<>(first);
    for (Long extent : open) {
      if (extent >= 0 && !left.remove(extent)) {
        return open;
      }
    }
    return left.size() == open.stream().filter(extent -> extent < 0).count()
        ? inOrder(open, left)
        : open;
  }

  /** The data with one axis replaced by all of the indices'; the axis is a constant's value. */
  private static List<Long> gathered(List<Long> open, List<List<Long>> inputs) {
    List<Long> only = null;
    for (int axis = 0; inputs.size() > 1 && axis < inputs.get(0).size(); axis++) {
      List<Long> found = new ArrayList<>(inputs.get(0));
      found.remove(axis);
      found.addAll(axis, inputs.get(1));
      if (!agrees(open, found)) {
        continue;
      }
      if (only != null && !only.equals(found)) {
        return open;
      }
      only = found;
    }
    return merged(open, only);
  }

  private static boolean agrees(List<Long> open, List<Long> found) {
    boolean agrees = open.size() == found.size();
    for (int axis = 0; agrees && axis < open.size(); axis++) {
      agrees = open.get(axis) < 0 || open.get(axis).equals(found.get(axis));
    }
    return agrees;
  }

  /** Pieces along one axis: when an extent that is known changed, all others stay as they are. */
  private static List<Long> cut(IrGraph.Layer layer, List<Long> open, List<Long> first) {
    if (open.size() != first.size()) {
      return open;
    }
    if (!agrees(open, first)) {
      return merged(open, first);
    }
    int axis = open.indexOf(IrGraph.OPEN);
    boolean even = layer.type().equals("Split") && axis == open.lastIndexOf(IrGraph.OPEN);
    return even ? inOrder(open, List.of(first.get(axis) / layer.outputs().size())) : open;
  }

  /** The indices' extents with that of the classes, which is not known, at its axis. */
  private static List<Long> oneHot(IrGraph.Layer layer, List<Long> first) {
    List<Long> axes = layer.integers("axis");
    long axis = axes.isEmpty() ? -1 : axes.get(0);
    List<Long> found = new ArrayList<>(first);
    long at = axis < 0 ? axis + first.size() + 1 : axis;
    if (at < 0 || at > first.size()) {
      return null;
    }
    found.add((int) at, IrGraph.OPEN);
    return found;
  }

  private static List<Long> strided(IrGraph.Layer layer, List<Long> first) {
    if (layer.integers("ellipsis_mask").contains(1L)) {
      return null; // which axes its masks are about is not known
    }
    List<Long> begin = layer.integers("begin_mask");
    List<Long> end = layer.integers("end_mask");
    List<Long> added = layer.integers("new_axis_mask");
    List<Long> dropped = layer.integers("shrink_axis_mask");
    List<Long> result = new ArrayList<>();
    int entry = 0;
    for (int axis = 0; axis < first.size(); entry++) {
      if (bit(added, entry)) {
        result.add(1L);
        continue;
      }
      boolean listed = entry < Math.max(begin.size(), end.size());
      // In these masks 1 means that the bound given is not used; files of versions before 10, in
      // which layers have a precision, say the opposite.
      boolean unused = layer.precision().isEmpty();
      boolean whole = !listed || (bit(begin, entry) == unused && bit(end, entry) == unused);
      if (!bit(dropped, entry)) {
        result.add(whole ? first.get(axis) : IrGraph.OPEN);
      }
      axis++;
    }
    return result;
  }

  private static boolean bit(List<Long> mask, int entry) {
    return entry < mask.size() && mask.get(entry) != 0;
  }

  private static List<Long> blocks(
      IrGraph.Layer layer, List<Long> open, List<Long> first, boolean toSpace) {
    List<Long> sizes = layer.integers("block_size");
    long size = sizes.isEmpty() ? 1 : Math.max(1, sizes.get(0));
    List<Long> found = new ArrayList<>(first);
    for (int axis = 2; axis < found.size(); axis++) {
      found.set(axis, toSpace ? found.get(axis) * size : found.get(axis) / size);
    }
    if (found.size() > 1) {
      found.set(1, IrGraph.OPEN); // declared in all but the rarest files
    }
    return merged(open, found);
  }

  /** Batch first; of the long output, the steps are third. */
  private static List<Long> sequence(List<Long> open, List<Long> first) {
    if (first.size() != 3) {
      return open;
    }
    return merged(
        open, List.of(first.get(0), IrGraph.OPEN, open.size() == 4 ? first.get(1) : IrGraph.OPEN));
  }

  private static List<Long> reduced(IrGraph.Layer layer, List<Long> open, List<Long> first) {
    if (open.size() == first.size()) {
      return merged(open, first); // reduced axes have extent 1, which is no open one
    }
    List<Long> moving = openExtents(layer, first);
    boolean alike = moving.stream().distinct().count() == 1;
    long count = open.stream().filter(extent -> extent < 0).count();
    return alike || moving.size() == count ? inOrder(open, moving) : open;
  }
}
