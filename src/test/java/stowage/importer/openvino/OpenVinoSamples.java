package stowage.importer.openvino;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Small IR files that use most of what is understood. */
public final class OpenVinoSamples {
  private OpenVinoSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    return Stream.of(
            OpenVinoFormatTest.SMALL,
            OpenVinoFormatTest.OLD.formatted(6, "<blobs><weights size=\"864\"/></blobs>"),
            OpenVinoBodiesTest.iterator(),
            OpenVinoBodiesTest.branches(),
            OpenVinoBodiesTest.state())
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
