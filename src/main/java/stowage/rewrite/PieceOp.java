package stowage.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.rewrite.range.AxisRules;

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
    List<Long> starts = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    List<Long> axes = new ArrayList<>();
    List<Long> begin = new ArrayList<>();
    List<Long> size = new ArrayList<>();
    for (int k = 0; k < part.begin().length; k++) {
      long start = part.begin()[k] - whole.begin()[k];
      boolean cut = part.shape()[k] != whole.shape()[k];
      begin.add(start);
      size.add(cut ? part.shape()[k] : -1);
      if (cut) {
        starts.add(start);
        ends.add(start + part.shape()[k]);
        axes.add((long) k);
      }
    }
    if (tflite) {
      attributes.put("begin", begin);
      attributes.put("size", size);
      attributes.put("strides", List.of(1L));
    } else {
      attributes.put("starts", starts);
      attributes.put("ends", ends);
      attributes.put("axes", axes);
    }
  }

  private static List<Long> pads(long[] before, long[] after) {
    List<Long> pads = new ArrayList<>();
    Arrays.stream(before).forEach(pads::add);
    Arrays.stream(after).forEach(pads::add);
    return pads;
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
      attributes.put("pads", pads(before, after));
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
          List<Long> axes = from.integers("axes");
          attributes.put(
              "sizes",
              axes.isEmpty() ? shape : axes.stream().map(a -> shape.get(a.intValue())).toList());
        }
      }
      case "SLICE" -> {
        if (tflite) {
          attributes.put("size", shape);
        }
      }
      default -> {
        // All other attributes are the same for every piece.
      }
    }
  }

  /** A transposed convolution that cuts off less than nothing behind has rows added there. */
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
