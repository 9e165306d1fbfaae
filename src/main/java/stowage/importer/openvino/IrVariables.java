package stowage.importer.openvino;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.UniqueNames;
import stowage.network.Tensor;

/**
 * State that a network keeps from run to run: {@code ReadValue} gives it, {@code Assign} replaces
 * it, both name it by {@code variable_id}; old versions have {@code Memory} layers, of which those
 * with {@code index} 1 give and those with 0 replace.
 */
final class IrVariables {
  private final Map<String, Tensor> variables = new LinkedHashMap<>();

  static boolean isReading(IrGraph.Layer layer) {
    return layer.type().equals("ReadValue")
        || (layer.type().equals("Memory") && layer.inputs().isEmpty());
  }

  static boolean isWriting(IrGraph.Layer layer) {
    return layer.type().equals("Assign")
        || (layer.type().equals("Memory") && !layer.inputs().isEmpty());
  }

  static String name(IrGraph.Layer layer) {
    String key = layer.type().equals("Memory") ? "id" : "variable_id";
    return layer.data().getOrDefault(key, layer.label());
  }

  /** The variable that a layer gives or replaces; made as the value is, when first asked for. */
  Tensor variable(IrGraph.Layer layer, Tensor value, UniqueNames names) {
    return variables.computeIfAbsent(
        name(layer),
        name -> new Tensor(names.of(name), value.shape(), value.type(), Tensor.Kind.VARIABLE));
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (!variables.isEmpty()) {
      notes.add(
          variables.size()
              + " variables keep their values between runs and have memory of their own");
    }
    return notes;
  }
}
