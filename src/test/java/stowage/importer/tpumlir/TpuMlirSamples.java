package stowage.importer.tpumlir;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Small TPU-MLIR files that use most of what is understood. */
public final class TpuMlirSamples {
  private TpuMlirSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    return List.of(TpuMlirFormatTest.SMALL.getBytes(StandardCharsets.UTF_8));
  }
}
