package stowage.importer.openvino;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds what is the same in every run, and which constants only unpack compressed weights. */
final class IrConstants {
  private static final Set<String> UNPACKING =
      Set.of("Convert", "Subtract", "Multiply", "Reshape", "Transpose");

  /** Layers that make something else in each run, or keep something for the next. */
  private static final Set<String> CHANGING =
      Set.of("RandomUniform", "Multinomial", "ReadValue", "Assign", "Memory");

  private IrConstants() {}

  /** Whether a layer's outputs are constant; the shape of a value is, once extents are known. */
  static boolean isConstant(IrGraph.Layer layer, List<IrValue> reads) {
    return switch (layer.type()) {
      case "Const", "ShapeOf" -> true;
      case "Parameter", "Input", "Result" -> false;
      default ->
          layer.bodies().isEmpty()
              && layer.blobs().isEmpty()
              && !CHANGING.contains(layer.type())
              && !reads.isEmpty()
              && reads.stream().allMatch(IrValue::constant);
    };
  }

  /** The compressed weights that a constant layer unpacks; null if it does not. */
  static List<IrValue> stored(IrGraph.Layer layer, List<IrValue> reads) {
    if (!UNPACKING.contains(layer.type()) || reads.isEmpty()) {
      return null;
    }
    IrValue packed = reads.get(0);
    boolean starts =
        layer.type().equals("Convert")
            && (layer.decompression() || packed.tensor().type().bits() <= 8);
    if (packed.stored() == null && !starts) {
      return null;
    }
    List<IrValue> stored = new ArrayList<>(packed.stored() == null ? reads : packed.stored());
    boolean scaled = layer.type().equals("Subtract") || layer.type().equals("Multiply");
    if (packed.stored() != null && scaled && reads.size() > 1) {
      IrValue scale = reads.get(1);
      stored.addAll(scale.stored() == null ? List.of(scale) : scale.stored());
    }
    return List.copyOf(stored);
  }
}
