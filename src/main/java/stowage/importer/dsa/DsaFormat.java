package stowage.importer.dsa;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import stowage.importer.io.Input;
import stowage.importer.io.InputFiles;
import stowage.importer.io.InputFormat;
import stowage.importer.io.JsonDocument;

/**
 * A problem of dsa-solver (github.com/tonibohnlein/dsa-solver) as JSON, by its schema {@code
 * dsa-problem-v1}: pools, buffers with live intervals, colocations, separations, temporal
 * exclusions, pins, reuse penalties and an objective. {@link DsaReader} says what becomes what.
 */
public final class DsaFormat extends InputFormat {
  private static final int PEEKED_BYTES = 1 << 16;
  private static final Pattern INSTANCE =
      Pattern.compile("\"(instance)\"\\s*:.*\"problem\"\\s*:", Pattern.DOTALL);
  private static final Pattern OWN_FIELD =
      Pattern.compile("\"(live_intervals|allowed_pools|reserved_ranges)\"\\s*:");

  /** Whether a file is such a document, by its extension and content. */
  public static boolean isDocument(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json")
        && new DsaFormat().recognises(file);
  }

  public DsaFormat() {
    super("a problem of dsa-solver as JSON", Set.of(Feature.PLANS), ".json");
  }

  @Override
  public boolean recognises(Path file) {
    String start = new String(InputFiles.start(file, PEEKED_BYTES), StandardCharsets.UTF_8);
    return OWN_FIELD.matcher(start).find() || INSTANCE.matcher(start).find();
  }

  @Override
  public Input read(Path file, Options options) {
    return new DsaReader(options.ignoreOffsets()).read(JsonDocument.read(file));
  }
}
