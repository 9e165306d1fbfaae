package stowage.importer.tflite;

import java.util.List;

/** Small TFLite files that use most of what is understood. */
public final class TfliteSamples {
  private TfliteSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    TfliteBuilder planned = TfliteBuilder.small();
    planned.metadata(
        "OfflineMemoryAllocation",
        planned.buffer(TfliteBuilder.bytes(1, 0, 9, 0, -1, 16, -1, -1, 20, -1, 48, -1)));
    return List.of(TfliteBuilder.small().bytes(), planned.bytes());
  }
}
