package stowage.importer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.executorch.PteExport;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.onnx.OnnxPlan;
import stowage.importer.tflite.TfliteExport;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.network.Network;

/** Writes plans into model files of those formats that have a place for one. */
public final class PlanExport {
  private PlanExport() {}

  /** Writes a copy of a model with a plan of all of it in it. */
  public static void write(Path model, Map<String, Long> offsets, long bytes, Path target)
      throws IOException {
    write(model, "", null, offsets, bytes, target);
  }

  /**
   * Writes a copy of a model with a plan in it, in the model's own format.
   *
   * @param model a TFLite file, a TPU-MLIR file that carries addresses, an ExecuTorch program, or
   *     an ONNX file
   * @param module the method that is planned of an ExecuTorch program; empty for all
   * @param network what was planned of an ONNX file; other formats need none
   * @param offsets bytes from the start of the memory, by tensor; by buffer for ExecuTorch
   * @param bytes what is used in all
   * @param target the file to write
   * @return tensors of the plan that the file has no place for
   * @throws InputException when the model or the plan cannot be used
   * @throws IOException when the file cannot be written
   */
  public static List<String> write(
      Path model,
      String module,
      Network network,
      Map<String, Long> offsets,
      long bytes,
      Path target)
      throws IOException {
    String name = String.valueOf(model.getFileName()).toLowerCase(Locale.ROOT);
    if (name.endsWith(".tflite")) {
      TfliteExport.write(model, offsets, target);
    } else if (name.endsWith(".mlir")) {
      AtomicFiles.writeString(target, TpuMlirFile.open(model).withAddresses(offsets, bytes));
    } else if (name.endsWith(".pte")) {
      PteExport.write(model, module, offsets, target);
    } else if (name.endsWith(".onnx")) {
      return OnnxPlan.write(model, network, offsets, bytes, target);
    } else {
      throw new InputException(
          model,
          "",
          "its format has no place for a plan; .onnx, .tflite, .mlir, .pte and dsa-solver's .json"
              + " have");
    }
    return List.of();
  }
}
