package stowage.importer.openvino;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Small IR files that use most of what is understood. */
public final class OpenVinoSamples {
  private OpenVinoSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    return List.of(OpenVinoFormatTest.SMALL.getBytes(StandardCharsets.UTF_8));
  }
}
