package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonDocument;
import stowage.importer.io.Suggestion;
import stowage.network.InvalidNetworkException;
import stowage.network.memory.MemoryMap;

/**
 * Memory maps in JSON, as the JSON Schema {@code stowage/schemas/memories.schema.json} describes
 * them. The first memory is the fast one.
 */
public final class MemoryMapJson {
  private static final List<String> FIELDS =
      List.of("$schema", "name", "sources", "memories", "overlap", "mustBeFast", "rules");
  private static final List<String> MEMORY_FIELDS =
      List.of(
          "name",
          "capacity",
          "alignment",
          "base",
          "megabytesPerSecond",
          "setupNanoseconds",
          "granularity",
          "writable");
  private static final List<String> RULE_FIELDS = List.of("kind", "op", "memory");
  private static final long MOST_BYTES = 1L << 50;

  private MemoryMapJson() {}

  /**
   * Reads a map.
   *
   * @throws InputException naming the file, the line and field, the value and what would be right
   */
  public static MemoryMap read(Path file) {
    JsonDocument.Value root = JsonDocument.read(file);
    Map<String, JsonDocument.Value> fields = root.fields(FIELDS);
    List<MemoryMap.Space> spaces = new ArrayList<>();
    for (JsonDocument.Value memory : root.required("memories").elements()) {
      spaces.add(space(memory));
    }
    if (spaces.size() < 2) {
      throw root.required("memories")
          .fault("should list the fast memory and at least one behind it");
    }
    List<MemoryMap.Kind> mustBeFast = new ArrayList<>();
    if (fields.containsKey("mustBeFast")) {
      fields.get("mustBeFast").elements().forEach(kind -> mustBeFast.add(kind(kind)));
    }
    List<MemoryMap.Rule> rules = new ArrayList<>();
    if (fields.containsKey("rules")) {
      fields.get("rules").elements().forEach(rule -> rules.add(rule(rule)));
    }
    try {
      return new MemoryMap(
          root.required("name").name(),
          spaces.get(0),
          spaces.subList(1, spaces.size()),
          !fields.containsKey("overlap") || fields.get("overlap").flag(),
          mustBeFast,
          rules);
    } catch (InvalidNetworkException impossible) {
      throw new InputException(file, "", impossible.getMessage(), impossible);
    }
  }

  private static MemoryMap.Space space(JsonDocument.Value memory) {
    Map<String, JsonDocument.Value> fields = memory.fields(MEMORY_FIELDS);
    return new MemoryMap.Space(
        memory.required("name").name(),
        memory.required("capacity").integer(0, MOST_BYTES),
        whole(fields.get("alignment"), 1, 1),
        whole(fields.get("base"), 0, 0),
        memory.required("megabytesPerSecond").number(0.001, 1e9),
        whole(fields.get("setupNanoseconds"), 0, 0),
        whole(fields.get("granularity"), 1, 1),
        !fields.containsKey("writable") || fields.get("writable").flag());
  }

  private static long whole(JsonDocument.Value value, long least, long otherwise) {
    return value == null ? otherwise : value.integer(least, MOST_BYTES);
  }

  private static MemoryMap.Rule rule(JsonDocument.Value rule) {
    Map<String, JsonDocument.Value> fields = rule.fields(RULE_FIELDS);
    return new MemoryMap.Rule(
        fields.containsKey("kind") ? kind(fields.get("kind")) : null,
        fields.containsKey("op") ? fields.get("op").name() : null,
        rule.required("memory").name());
  }

  private static MemoryMap.Kind kind(JsonDocument.Value value) {
    List<String> known =
        Arrays.stream(MemoryMap.Kind.values())
            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
            .toList();
    String name = value.text();
    if (!known.contains(name)) {
      throw value.fault("\"" + name + "\" is no kind of buffer" + Suggestion.advice(name, known));
    }
    return MemoryMap.Kind.valueOf(name.toUpperCase(Locale.ROOT));
  }
}
