package stowage.importer.own;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.text.JsonLines;

/**
 * Packing problems as JSON, with everything that a {@link PackingProblem} holds: memories, banks,
 * windows, extra conflicts, relations between buffers. What is written is read back as an equal
 * problem.
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
          ("$schema schemaVersion name memories buffers conflicts apart exclusive reuse together"
                  + " objective")
              .split(" "));
  static final List<String> MEMORY_FIELDS =
      List.of("name", "capacity", "alignment", "base", "bankSize", "reserved");
  static final List<String> BUFFER_FIELDS =
      List.of(
          ("id lower upper size alignment offset gaps hint memories withinBank intervals"
                  + " otherBankThan holdsPlace")
              .split(" "));
  static final List<String> GAP_FIELDS = List.of("lower", "upper", "window");
  static final List<String> RANGE_FIELDS = List.of("from", "to");
  static final List<String> REUSE_FIELDS = List.of("a", "b", "weight", "reason");
  static final List<String> TOGETHER_FIELDS = List.of("a", "b", "distance");

  private PackingJson() {}

  /**
   * Reads a problem, called after the file without a name, with or without fixed offsets. A fault
   * names the file, line, column, field, value and what is right in one line.
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

  /** Writes a problem, one buffer a line, so that files can be compared line by line. */
  public static void write(Path file, PackingProblem problem) throws IOException {
    AtomicFiles.write(file, out -> write(out, problem));
  }

  /** The same to a stream, which stays open. */
  public static void write(OutputStream out, PackingProblem problem) throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    JsonLines.write(writer, fields(problem));
    writer.flush();
  }

  private static Map<String, Object> fields(PackingProblem problem) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("schemaVersion", SCHEMA_VERSION);
    fields.put("name", problem.name());
    fields.put("memories", problem.memories().stream().map(PackingJson::fields));
    fields.put(MARK, IntStream.range(0, problem.size()).mapToObj(i -> fields(problem, i)));
    Relations relations = problem.relations();
    pairs(fields, "conflicts", problem, problem.conflicts());
    pairs(fields, "exclusive", problem, relations.exclusive());
    JsonLines.put(
        fields,
        !relations.reuse().isEmpty(),
        "reuse",
        relations.reuse().stream()
            .map(
                pair -> {
                  Map<String, Object> row = ends(problem, pair.first(), pair.second());
                  row.put("weight", pair.weight());
                  JsonLines.put(row, !pair.reason().isEmpty(), "reason", pair.reason());
                  return row;
                }));
    JsonLines.put(
        fields,
        !relations.together().isEmpty(),
        "together",
        relations.together().stream()
            .map(
                pair -> {
                  Map<String, Object> row = ends(problem, pair.first(), pair.second());
                  row.put("distance", pair.distance());
                  return row;
                }));
    List<String> goals = problem.goals().stream().map(Goal::word).toList();
    JsonLines.put(fields, !goals.isEmpty(), "objective", goals);
    return fields;
  }

  private static Map<String, Object> ends(PackingProblem problem, int first, int second) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("a", problem.buffer(first).id());
    row.put("b", problem.buffer(second).id());
    return row;
  }

  private static void pairs(
      Map<String, Object> fields, String name, PackingProblem problem, ConflictPairs pairs) {
    IntFunction<Stream<Object>> later =
        i ->
            IntStream.of(pairs.of(i))
                .filter(other -> other > i)
                .mapToObj(other -> List.of(problem.buffer(i).id(), problem.buffer(other).id()));
    Stream<Object> rows = IntStream.range(0, problem.size()).mapToObj(later).flatMap(row -> row);
    JsonLines.put(fields, !pairs.isEmpty(), name, rows);
  }

  private static Map<String, Object> fields(Memory memory) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", memory.name());
    JsonLines.put(fields, memory.capacity() != Memory.UNBOUNDED, "capacity", memory.capacity());
    JsonLines.put(fields, memory.alignment() != 1, "alignment", memory.alignment());
    JsonLines.put(fields, memory.base() != 0, "base", memory.base());
    JsonLines.put(fields, memory.bankSize() != 0, "bankSize", memory.bankSize());
    List<Map<String, Object>> reserved = new ArrayList<>();
    for (ReservedRange range : memory.reserved()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("from", range.from());
      row.put("to", range.to());
      reserved.add(row);
    }
    JsonLines.put(fields, !reserved.isEmpty(), "reserved", reserved);
    return fields;
  }

  /** The fields of a buffer; those that hold their default are left out. */
  private static Map<String, Object> fields(PackingProblem problem, int index) {
    Buffer buffer = problem.buffer(index);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", buffer.id());
    fields.put("lower", buffer.live().start());
    fields.put("upper", buffer.live().end());
    fields.put("size", buffer.size());
    JsonLines.put(fields, buffer.alignment() != 1, "alignment", buffer.alignment());
    JsonLines.put(fields, buffer.fixedOffset() != Buffer.NONE, "offset", buffer.fixedOffset());
    JsonLines.put(fields, buffer.hint() != Buffer.NONE, "hint", buffer.hint());
    List<Object> gaps = new ArrayList<>();
    for (Gap gap : buffer.gaps()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("lower", gap.range().start());
      row.put("upper", gap.range().end());
      boolean window = gap.windowStart() != 0 || gap.windowEnd() != 0;
      JsonLines.put(row, window, "window", List.of(gap.windowStart(), gap.windowEnd()));
      gaps.add(row);
    }
    JsonLines.put(fields, !gaps.isEmpty(), "gaps", gaps);
    JsonLines.put(fields, !buffer.memories().isEmpty(), "memories", buffer.memories());
    JsonLines.put(fields, buffer.withinBank(), "withinBank", true);
    JsonLines.put(fields, buffer.holdsPlace(), "holdsPlace", true);
    List<String> others =
        IntStream.of(problem.relations().otherBank().of(index))
            .filter(other -> other > index)
            .mapToObj(other -> problem.buffer(other).id())
            .toList();
    JsonLines.put(fields, !others.isEmpty(), "otherBankThan", others);
    return fields;
  }
}
