package stowage.importer.own;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonDocument;
import stowage.network.Chip;

/**
 * Chips in JSON, as {@code docs/chip-format.md} and the JSON Schema {@code
 * stowage/schemas/chip.schema.json} describe them. Every figure must name its source.
 */
public final class ChipJson {
  private static final List<String> FIGURES =
      List.of(
          ("lanes vectorBytes laneBytes banks dmaAlignment cores weightAlignment"
                  + " activationAlignment activationBase sharedMemoryBytes fourNPacking widthSlicing")
              .split(" "));

  /**
   * A speed and the range it may be in: far wider than chips differ, yet costs in cycles stay
   * numbers that are exact enough to compare.
   */
  record Speed(String field, double least, double most) {}

  static final List<Speed> SPEEDS =
      List.of(
          new Speed("computeMegahertz", 0.001, 1e6),
          new Speed("macsPerCycleInt8", 0.001, 1e9),
          new Speed("macsPerCycleFloat16", 0.001, 1e9),
          new Speed("macsPerCycleFloat32", 0.001, 1e9),
          new Speed("dramGigabytesPerSecond", 0.001, 1e6),
          new Speed("dmaSetupCycles", 0, 1e9));

  /** Lanes, banks, cores and bytes of units: no chip comes near, and products fit into 64 bits. */
  static final int MOST_UNITS = 1 << 20;

  /** Bytes of memories and of their alignments: a PiB. */
  static final long MOST_BYTES = 1L << 50;

  /** The fields that {@code sources} has to explain. */
  static final List<String> SOURCED =
      Stream.concat(FIGURES.stream(), SPEEDS.stream().map(speed -> "speed." + speed.field))
          .toList();

  static final List<String> FIELDS =
      Stream.of(List.of("$schema", "name"), FIGURES, List.of("speed", "sources"))
          .flatMap(List::stream)
          .toList();

  private ChipJson() {}

  /** Reads a chip; a fault names the line and field, the value and what would be right. */
  public static Chip read(Path file) {
    return read(file, InputFiles.open(file));
  }

  /** Reads a chip from a stream; {@code file} is what messages call it. */
  static Chip read(Path file, InputStream bytes) {
    JsonDocument.Value root = JsonDocument.read(file, bytes);
    return InputException.checked(file, "", () -> chip(root));
  }

  private static Chip chip(JsonDocument.Value root) {
    root.fields(FIELDS);
    return new Chip(
        root.required("name").name(),
        whole(root, "lanes"),
        whole(root, "vectorBytes"),
        bytes(root, "laneBytes"),
        whole(root, "banks"),
        whole(root, "dmaAlignment"),
        whole(root, "cores"),
        bytes(root, "weightAlignment"),
        bytes(root, "activationAlignment"),
        bytes(root, "activationBase"),
        bytes(root, "sharedMemoryBytes"),
        root.required("fourNPacking").flag(),
        root.required("widthSlicing").flag(),
        speed(root.required("speed")),
        sources(root.required("sources")));
  }

  private static int whole(JsonDocument.Value root, String field) {
    return (int) root.required(field).integer(1, MOST_UNITS);
  }

  private static long bytes(JsonDocument.Value root, String field) {
    return root.required(field).integer(0, MOST_BYTES);
  }

  private static Chip.Speed speed(JsonDocument.Value value) {
    value.fields(SPEEDS.stream().map(Speed::field).toList());
    double[] figures =
        SPEEDS.stream()
            .mapToDouble(speed -> value.required(speed.field).number(speed.least, speed.most))
            .toArray();
    return new Chip.Speed(figures[0], figures[1], figures[2], figures[3], figures[4], figures[5]);
  }

  private static Map<String, String> sources(JsonDocument.Value value) {
    value.fields(SOURCED);
    Map<String, String> sources = new LinkedHashMap<>();
    SOURCED.forEach(field -> sources.put(field, value.required(field).name()));
    return sources;
  }
}
