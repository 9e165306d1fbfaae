package stowage.importer.onnx;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import stowage.importer.io.DimOption;
import stowage.importer.io.InputException;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorShapeProto;
import stowage.importer.onnx.proto.TypeProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * Numbers for the extents that a model leaves open.
 *
 * <p>An extent is a number, a name such as {@code batch}, or nothing at all; in the last case it is
 * called by its place, {@code INPUT.AXIS}. Those of graph inputs must be given, for all others
 * follow from them; one that is on outputs alone may be given, with a remark if it is another.
 */
record FreeDimensions(Path file, Map<String, Long> given) {
  /** The type of a value with all extents that are known; null when it has no type. */
  ValueShape declared(ValueInfoProto value) {
    TypeProto type = value.getType();
    if (type.hasTensorType() || type.hasSparseTensorType()) {
      TypeProto.Tensor tensor =
          type.hasTensorType() ? type.getTensorType() : type.getSparseTensorType();
      if (!tensor.hasShape()) {
        return new ValueShape(tensor.getElemType(), null, false);
      }
      List<TensorShapeProto.Dimension> dims = tensor.getShape().getDimList();
      long[] extents = new long[dims.size()];
      Arrays.setAll(extents, axis -> extent(value, dims.get(axis), axis));
      return new ValueShape(tensor.getElemType(), extents, false);
    }
    return type.getValueCase() == TypeProto.ValueCase.VALUE_NOT_SET ? null : ValueShape.opaque();
  }

  private long extent(ValueInfoProto value, TensorShapeProto.Dimension dim, int axis) {
    if (dim.hasDimValue() && dim.getDimValue() >= 0) {
      return dim.getDimValue();
    }
    return given.getOrDefault(name(value, dim, axis), -1L);
  }

  private static String name(ValueInfoProto value, TensorShapeProto.Dimension dim, int axis) {
    return dim.getDimParam().isEmpty() ? value.getName() + "." + axis : dim.getDimParam();
  }

  /** The type of an input, all extents known. */
  ValueShape input(ValueInfoProto value, String what) {
    ValueShape declared = declared(value);
    if (declared == null || declared.dims() == null) {
      throw new InputException(file, what, "has no shape; it should declare one");
    }
    if (declared.elementType() != 0 && OnnxTypes.of(declared.elementType()) == null) {
      throw new InputException(
          file, what, "element type " + declared.elementType() + " should be between 1 and 26");
    }
    if (declared.known()) {
      return declared;
    }
    throw unbound(List.of(value), what);
  }

  private InputException unbound(List<ValueInfoProto> values, String what) {
    Set<String> open = new LinkedHashSet<>();
    for (ValueInfoProto value : values) {
      ValueShape declared = declared(value);
      for (int axis = 0; declared.dims() != null && axis < declared.dims().length; axis++) {
        if (declared.dims()[axis] < 0) {
          open.add(name(value, value.getType().getTensorType().getShape().getDim(axis), axis));
        }
      }
    }
    return new InputException(file, what, DimOption.request(open));
  }

  /** Makes sure that all inputs' extents are known; if not, names all that are missing at once. */
  void checkInputs(List<ValueInfoProto> inputs) {
    List<ValueInfoProto> open = inputs.stream().filter(this::isOpen).toList();
    if (!open.isEmpty()) {
      String names =
          open.stream().map(v -> "\"" + v.getName() + "\"").collect(Collectors.joining(", "));
      throw unbound(open, (open.size() == 1 ? "input " : "inputs ") + names);
    }
  }

  private boolean isOpen(ValueInfoProto input) {
    ValueShape declared = declared(input);
    return declared != null && declared.dims() != null && !declared.known();
  }

  /** Makes sure that each given name is somewhere in the model. */
  void checkNames(GraphProto graph) {
    Set<String> known = new LinkedHashSet<>();
    collect(graph, known);
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        throw new InputException(
            file, "--dim " + name + "=" + given.get(name), DimOption.unknown(name, known));
      }
    }
  }

  private static void collect(GraphProto graph, Set<String> known) {
    for (ValueInfoProto value : OnnxModel.described(graph)) {
      List<TensorShapeProto.Dimension> dims =
          value.getType().getTensorType().getShape().getDimList();
      for (int axis = 0; axis < dims.size(); axis++) {
        TensorShapeProto.Dimension dim = dims.get(axis);
        if (!dim.hasDimValue() || dim.getDimValue() < 0) {
          known.add(name(value, dim, axis));
        }
      }
    }
    for (NodeProto node : graph.getNodeList()) {
      OnnxModel.bodies(node).forEach(body -> collect(body, known));
    }
  }

  /** A remark for each extent of an output that differs from what was given for its name. */
  List<String> differences(ValueInfoProto output, ValueShape inferred) {
    List<String> differences = new ArrayList<>();
    List<TensorShapeProto.Dimension> dims =
        output.getType().getTensorType().getShape().getDimList();
    for (int axis = 0; axis < dims.size(); axis++) {
      String name = dims.get(axis).getDimParam();
      Long value = given.get(name);
      if (value != null
          && inferred.dims() != null
          && inferred.dims().length == dims.size()
          && inferred.dims()[axis] != value) {
        differences.add(
            "output \"%s\" is declared to have %s = %s along axis %s, but has %s"
                .formatted(output.getName(), name, value, axis, inferred.dims()[axis]));
      }
    }
    return differences;
  }
}
