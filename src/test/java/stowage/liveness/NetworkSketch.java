package stowage.liveness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Buffer;

/** Writes small networks of byte tensors: {@code "y = Relu x"}, one op a text. */
final class NetworkSketch {
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private List<String> inputs = List.of();
  private List<String> outputs = List.of();

  /**
   * Begins a network.
   *
   * @param ends its inputs and outputs, such as {@code "x -> y z"}
   * @param tensors its tensors with their shapes, such as {@code "x:1,9 w:weight,4"}
   */
  static NetworkSketch of(String ends, String tensors) {
    NetworkSketch sketch = new NetworkSketch();
    String[] sides = (" " + ends + " ").split(" -> ");
    sketch.inputs = sides[0].isBlank() ? List.of() : List.of(sides[0].trim().split(" "));
    sketch.outputs = List.of(sides[1].trim().split(" "));
    for (String tensor : tensors.split(" ")) {
      List<String> parts = List.of(tensor.split("[:,]"));
      String name = parts.get(0);
      boolean named = Character.isLetter(parts.get(1).charAt(0));
      List<Long> shape = parts.stream().skip(named ? 2 : 1).map(Long::parseLong).toList();
      Tensor.Kind kind =
          named
              ? Tensor.Kind.valueOf(parts.get(1).toUpperCase(Locale.ROOT))
              : Tensor.Kind.ACTIVATION;
      sketch.tensors.put(name, new Tensor(name, shape, ElementType.U8, kind));
    }
    return sketch;
  }

  NetworkSketch op(String text, Object... attributes) {
    String[] words = text.split(" ");
    int equals = List.of(words).indexOf("=");
    Map<String, Object> map = new LinkedHashMap<>();
    for (int k = 0; k < attributes.length; k += 2) {
      map.put((String) attributes[k], attributes[k + 1]);
    }
    List<String> results = List.of(words).subList(0, equals);
    List<String> operands = List.of(words).subList(equals + 2, words.length);
    ops.add(new Op("op" + ops.size(), words[equals + 1], map, operands, results, 0));
    return this;
  }

  NetworkSketch scratch(String name, long bytes, String operand, String result) {
    ops.add(new Op(name, "Op", Map.of(), List.of(operand), List.of(result), bytes));
    return this;
  }

  Network network() {
    return new Network("sketch", "json", tensors.values(), ops, inputs, outputs, List.of());
  }

  /** Every buffer as {@code tensor@offset+tensor@offset [start, end) size}. */
  List<String> buffers(LivenessOptions options) {
    PlanningCase planning = Liveness.of(network(), options);
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < planning.contents().size(); i++) {
      Buffer buffer = planning.problem().buffer(i);
      List<String> parts = new ArrayList<>();
      for (PlanningCase.Part part : planning.contents().get(i).parts()) {
        parts.add(part.tensor() + "@" + part.offset());
      }
      shown.add(
          (parts.isEmpty() ? buffer.id() : String.join("+", parts))
              + " "
              + buffer.live()
              + " "
              + buffer.size());
    }
    return shown;
  }
}
