package stowage.importer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.onnx.OnnxOrder;
import stowage.importer.own.NetworkJson;
import stowage.importer.tflite.TfliteOrder;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.network.Network;
import stowage.network.Op;

/** Writes models with their ops in another order, in their own format or as a network in JSON. */
public final class OrderExport {
  private OrderExport() {}

  /**
   * Writes a copy of a model with its ops in another order. A name that ends in {@code .json} asks
   * for a network in JSON; any other name for the model's own format.
   *
   * @param model the file the network was read from
   * @param order indices of the network's ops
   * @param target the file to write
   * @return what makes the run-time keep the order, in a sentence
   * @throws InputException when the model cannot be used, or its format fixes no order
   * @throws IOException when the file cannot be written
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
    switch (extension(model)) {
      case "onnx" -> {
        OnnxOrder.write(model, places, target);
        return "ONNX Runtime sorts nodes again unless the session is made with optimizations off"
            + " (ORT_DISABLE_ALL) and execution_order = ExecutionOrder.PRIORITY_BASED.";
      }
      case "tflite" -> {
        TfliteOrder.write(model, places, target);
        return "TFLite and TFLite Micro run operators in the order of the file.";
      }
      case "mlir" -> {
        AtomicFiles.writeString(target, TpuMlirFile.open(model).withOrder(places));
        return "TPU-MLIR sorts ops again unless model_deploy.py runs with --disable_topo_sort.";
      }
      default ->
          throw new InputException(
              model,
              "",
              "its format does not fix the order of ops; .onnx, .tflite and .mlir files can be"
                  + " written, and any network as .json");
    }
  }

  /** A network with its ops in another order. */
  public static Network reordered(Network network, int[] order) {
    List<Op> ops = new ArrayList<>();
    for (int k : order) {
      ops.add(network.ops().get(k));
    }
    return new Network(
        network.name(),
        network.format(),
        network.tensors().values(),
        ops,
        network.inputs(),
        network.outputs(),
        network.notes());
  }

  private static String extension(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
