package stowage.importer.onnx;

import java.util.List;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * The shapes of the inputs of inner graphs, which files seldom declare in full: in a Loop they are
 * the turn's number, the condition and the state; in a Scan the state and one slice of each scanned
 * input (ONNX specification, docs/Operators.md).
 */
final class BodyInputs {
  private static final int BOOL = 9;
  private static final int INT64 = 7;

  private BodyInputs() {}

  /** How many outputs of an op are state, those after it being collected; -1 if there are none. */
  static int states(NodeProto node) {
    return switch (node.getOpType()) {
      case "Loop" -> Math.max(0, node.getInputCount() - 2);
      case "Scan" ->
          node.getInputCount()
              - OnnxModel.attribute(node, "num_scan_inputs").map(a -> (int) a.getI()).orElse(0);
      default -> -1;
    };
  }

  /** The shape of an inner graph's input, by those of the op's inputs; null for absent ones. */
  static ValueShape shape(
      NodeProto node,
      GraphProto body,
      int index,
      List<ValueShape> given,
      FreeDimensions dimensions) {
    ValueInfoProto input = body.getInput(index);
    ValueShape declared = dimensions.declared(input);
    if (declared != null && declared.known()) {
      return declared;
    }
    ValueShape followed = null;
    if (node.getOpType().equals("Loop")) {
      followed =
          index == 0
              ? new ValueShape(INT64, new long[0], false)
              : index == 1
                  ? new ValueShape(BOOL, new long[0], false)
                  : index < given.size() ? given.get(index) : null;
    } else if (node.getOpType().equals("Scan") && index < given.size()) {
      int states = states(node);
      followed = index < states ? given.get(index) : slice(node, given.get(index), index - states);
    }
    return followed != null
        ? followed
        : dimensions.input(
            input, OnnxModel.label(node) + ", inner input \"" + input.getName() + "\"");
  }

  private static ValueShape slice(NodeProto node, ValueShape whole, int scanned) {
    if (whole == null || whole.dims() == null || whole.dims().length == 0) {
      return null;
    }
    List<Long> axes =
        OnnxModel.attribute(node, "scan_input_axes")
            .map(AttributeProto::getIntsList)
            .orElse(List.of());
    int rank = whole.dims().length;
    long axis = scanned < axes.size() ? axes.get(scanned) : 0;
    axis = axis < 0 ? axis + rank : axis;
    long[] dims = new long[rank - 1];
    for (int from = 0, to = 0; from < rank; from++) {
      if (from != axis && to < dims.length) {
        dims[to++] = whole.dims()[from];
      }
    }
    return new ValueShape(whole.elementType(), dims, whole.sampled());
  }
}
