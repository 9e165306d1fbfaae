package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.SliceStarts;

/** Type, attributes and operands of one step of a run, in the words of the network's format. */
final class PieceOp {
  private final Network network;
  private final Op from;
  private final RunProgram.Step step;
  private final RunProgram program;
  private final boolean tflite;
  private final Map<String, Object> attributes = new LinkedHashMap<>();

  PieceOp(Network network, RunProgram.Step step, RunProgram program) {
    this.network = network;
    this.from = network.ops().get(step.op());
    this.step = step;
    this.program = program;
    this.tflite = AxisRules.isTflite(network);
    switch (step.kind()) {
      case SLICE -> slice();
      case PAD -> attributes.put("pads", pads(step.before(), step.after()));
      case CONCAT -> attributes.put("axis", (long) step.dim());
      default -> piece();
    }
  }

  String type() {
    return switch (step.kind()) {
      case SLICE -> tflite ? "SLICE" : "Slice";
      case PAD -> "PAD";
      case CONCAT -> tflite ? "CONCATENATION" : "Concat";
      default -> from.type();
    };
  }

  Map<String, Object> attributes() {
    return attributes;
  }

  /** Operands without the constants that are attributes now. */
  List<String> kept(List<String> reads) {
    List<String> names = ConstantOperands.of(network, from);
    List<String> kept = new ArrayList<>(reads);
    for (int k = 0; k < Math.min(names.size(), kept.size()); k++) {
      if (attributes.containsKey(names.get(k))) {
        kept.set(k, "");
      }
    }
    while (!kept.isEmpty() && kept.get(kept.size() - 1).isEmpty()) {
      kept.remove(kept.size() - 1);
    }
    return kept;
  }

  private void slice() {
    RunProgram.Value whole = program.values().get(step.reads()[0]);
    RunProgram.Value part = program.values().get(step.writes()[0]);
    attributes.putAll(slice(tflite, whole.begin(), whole.end(), part.begin(), part.end()));
  }

  /** The attributes of an op that takes a region out of another one, in the order of names. */
  static Map<String, Object> slice(
      boolean tflite, long[] begin, long[] end, long[] from, long[] to) {
    List<Long> starts = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    List<Long> axes = new ArrayList<>();
    for (int k = 0; k < begin.length; k++) {
      boolean cut = to[k] - from[k] != end[k] - begin[k];
      if (tflite || cut) {
        starts.add(from[k] - begin[k]);
        sizes.add(cut ? to[k] - from[k] : -1);
        axes.add((long) k);
      }
    }
    if (tflite) {
      return new TreeMap<>(Map.of("begin", starts, "size", sizes, "strides", List.of(1L)));
    }
    List<Long> ends =
        IntStream.range(0, starts.size()).mapToObj(k -> starts.get(k) + sizes.get(k)).toList();
    return new TreeMap<>(Map.of("starts", starts, "ends", ends, "axes", axes));
  }

  private static List<Long> pads(long[] before, long[] after) {
    return LongStream.concat(Arrays.stream(before), Arrays.stream(after)).boxed().toList();
  }

  private void piece() {
    attributes.putAll(from.attributes());
    List<Long> shape =
        Arrays.stream(program.values().get(step.writes()[0]).shape()).boxed().toList();
    if (step.before() != null) {
      int first = OpTypes.key(from).startsWith("PAD") ? 0 : 2;
      long[] before = Arrays.copyOfRange(step.before(), first, shape.size());
      long[] after = Arrays.copyOfRange(step.after(), first, shape.size());
      if (AxisRules.isTransposed(from)) {
        outputPadding(after);
      }
      attributes.remove("auto_pad");
      attributes.keySet().removeAll(Set.of("ceil_mode", "rounding_type"));
      if (attributes.containsKey("pads_begin")) {
        attributes.put("pads_begin", Arrays.stream(before).boxed().toList());
        attributes.put("pads_end", Arrays.stream(after).boxed().toList());
      } else {
        attributes.put("pads", pads(before, after));
      }
    }
    if (step.valid()) {
      attributes.put("padding", "VALID");
    }
    switch (OpTypes.key(from)) {
      case "RESHAPE" -> attributes.put("shape", shape);
      case "TRANSPOSECONV" -> attributes.put("output_shape", shape);
      case "RESIZENEARESTNEIGHBOR" -> attributes.put("size", shape.subList(1, 3));
      case "RESIZE" -> {
        if (attributes.containsKey("sizes")) {
          int rank = shape.size();
          List<Long> sizes =
              from.integers("axes").stream()
                  .map(axis -> shape.get((int) (axis < 0 ? axis + rank : axis)))
                  .toList();
          attributes.put("sizes", sizes.isEmpty() ? shape : sizes);
        }
      }
      case "SLICE" -> given();
      default -> {
        // All other attributes are the same for every piece.
      }
    }
  }

  /** A slice of the given network, where it begins counted from where the piece's operand does. */
  private void given() {
    RunProgram.Value read = program.values().get(step.reads()[0]);
    RunProgram.Value made = program.values().get(step.writes()[0]);
    long[] extents = new long[read.begin().length];
    Arrays.setAll(extents, d -> read.tensor().extent(d));
    long[] from = SliceStarts.of(this.from, extents);
    if (from == null || from.length != made.begin().length) {
      return;
    }
    if (tflite) {
      long[] begin = new long[from.length];
      Arrays.setAll(begin, d -> from[d] + made.begin()[d] - read.begin()[d]);
      attributes.put("begin", Arrays.stream(begin).boxed().toList());
      attributes.put("size", Arrays.stream(made.shape()).boxed().toList());
      return;
    }
    List<Long> axes = this.from.integers("axes");
    List<Long> starts = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (int k = 0; k < this.from.integers("starts").size(); k++) {
      int d = axes.isEmpty() ? k : Math.floorMod(axes.get(k).intValue(), from.length);
      starts.add(from[d] + made.begin()[d] - read.begin()[d]);
      ends.add(from[d] + made.end()[d] - read.begin()[d]);
    }
    attributes.put("starts", starts);
    attributes.put("ends", ends);
  }

  /** A transposed convolution that cuts off less than nothing at its end has rows added there. */
  private void outputPadding(long[] after) {
    List<Long> more = new ArrayList<>();
    for (int k = 0; k < after.length; k++) {
      more.add(Math.max(0, -after[k]));
      after[k] = Math.max(0, after[k]);
    }
    attributes.remove("output_padding");
    if (more.stream().anyMatch(rows -> rows > 0)) {
      attributes.put("output_padding", more);
    }
  }
}
