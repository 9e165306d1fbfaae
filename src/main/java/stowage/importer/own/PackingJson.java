package stowage.importer.own;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.packing.PackingProblem;

/**
 * Packing problems as JSON, with everything that a {@link PackingProblem} holds: memories, banks,
 * windows, extra conflicts, relations between buffers. What is written is read back as an equal
 * problem.
 *
 * <pre>{@code
 * {
 *   "schemaVersion": 1,
 *   "name": "two-branches",
 *   "memories": [{"name": "sram", "capacity": 65536, "alignment": 32, "bankSize": 16384},
 *                {"name": "dram"}],
 *   "buffers": [
 *     {"id": "a", "lower": 0, "upper": 4, "size": 4096, "memories": ["sram"]},
 *     {"id": "b", "lower": 2, "upper": 9, "size": 512, "gaps": [{"lower": 5, "upper": 7}]}
 *   ],
 *   "conflicts": [["a", "b"]]
 * }
 * }</pre>
 *
 * <p>{@code docs/packing-format.md} describes every field, and {@code
 * stowage/schemas/packing.schema.json} says the same for machines. Reading is strict: an unknown
 * field, a wrong type or a name that nothing defines is an error at its line and column. Reading
 * and writing take linear time and memory and build no tree.
 */
public final class PackingJson {
  /** The version of the format that is written, and the highest that is read. */
  public static final int SCHEMA_VERSION = 1;

  /** A top-level field that every problem has and no other document of ours. */
  public static final String MARK = "buffers";

  static final List<String> PROBLEM_FIELDS =
      List.of(
          "$schema",
          "schemaVersion",
          "name",
          "memories",
          MARK,
          "conflicts",
          "apart",
          "exclusive",
          "reuse",
          "together",
          "objective");
  static final List<String> MEMORY_FIELDS =
      List.of("name", "capacity", "alignment", "base", "bankSize", "reserved");
  static final List<String> BUFFER_FIELDS =
      List.of(
          """
          id lower upper size alignment offset gaps hint memories withinBank intervals
          otherBankThan holdsPlace
          """
              .split("\\s+"));
  static final List<String> GAP_FIELDS = List.of("lower", "upper", "window");
  static final List<String> RANGE_FIELDS = List.of("from", "to");
  static final List<String> REUSE_FIELDS = List.of("a", "b", "weight", "reason");
  static final List<String> TOGETHER_FIELDS = List.of("a", "b", "distance");

  private PackingJson() {}

  /**
   * Reads a problem; without a name it is called after the file.
   *
   * @param ignoreOffsets whether fixed offsets are dropped
   * @throws InputException with one line that names the file, line, column, field, value and what
   *     is right
   */
  public static PackingProblem read(Path file, boolean ignoreOffsets) {
    try (JsonCursor json = new JsonCursor(file)) {
      PackingProblem problem = new PackingJsonReader(file, json, ignoreOffsets).read();
      json.end();
      return problem;
    }
  }

  /**
   * Reads a problem that is one value of a larger document; without a name it is called after that.
   *
   * @param name what faults call the document
   * @param json is on the problem, and after the call on its last token
   * @throws InputException as {@link #read(Path, boolean)}
   */
  public static PackingProblem read(Path name, JsonCursor json) {
    return new PackingJsonReader(name, json, false).read();
  }

  /** Reads a problem with everything that is there. */
  public static PackingProblem read(Path file) {
    return read(file, false);
  }

  /**
   * Writes a problem, one buffer a line, so that files can be compared line by line.
   *
   * @throws IOException when writing fails; then nothing is written
   */
  public static void write(Path file, PackingProblem problem) throws IOException {
    AtomicFiles.write(file, out -> write(out, problem));
  }

  /** The same to a stream, which stays open. */
  public static void write(OutputStream out, PackingProblem problem) throws IOException {
    new PackingJsonWriter(problem).write(out);
  }
}
