package stowage.importer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.own.NetworkJson;
import stowage.network.Network;
import stowage.network.Op;

/**
 * Writer of models with their ops in another order, in their own format or as a network in JSON.
 */
public final class OrderExport {
  private OrderExport() {}

  /**
   * Writes a copy of a model with its ops in another order, by their indices. A name that ends in
   * {@code .json} asks for a network in JSON; any other name for the model's own format, which may
   * fix the order: that is a fault. Gives what makes the run-time keep the order, in a sentence.
   */
  public static String write(Path model, Network network, int[] order, Path target)
      throws IOException {
    if (extension(target).equals("json")) {
      NetworkJson.write(reordered(network, order), target);
      return "Ops run in the order of the file.";
    }
    if (!extension(target).equals(extension(model))) {
      throw new InputException(
          target, "", "should end in ." + extension(model) + " like the model, or in .json");
    }
    Map<String, Integer> places = new HashMap<>();
    for (int k = 0; k < order.length; k++) {
      for (String output : network.ops().get(order[k]).presentOutputs()) {
        places.put(output, k);
      }
    }
    return InputFormats.formatOf(model).writeOrder(model, places, target);
  }

  /** A network with its ops in another order. */
  public static Network reordered(Network network, int[] order) {
    List<Op> ops = Arrays.stream(order).mapToObj(k -> network.ops().get(k)).toList();
    return network.with(network.tensors().values(), ops);
  }

  private static String extension(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
