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
 * them. The first memories are the fast ones.
 */
public final class MemoryMapJson {
  private static final List<String> FIELDS =
      List.of(
          """
          $schema name sources memories fast overlap mustBeFast rules links compute
          """
              .split("\\s+"));
  private static final List<String> MEMORY_FIELDS =
      List.of(
          """
          name capacity alignment base megabytesPerSecond setupNanoseconds granularity writable
          """
              .split("\\s+"));
  private static final List<String> RULE_FIELDS = List.of("kind", "op", "memory");
  private static final List<String> LINK_FIELDS =
      List.of("between", "megabytesPerSecond", "setupNanoseconds", "granularity");
  private static final List<String> COMPUTE_FIELDS =
      List.of(
          "op", "type", "memory", "only", "gigaMacsPerSecond", "megabytesPerSecond", "nanoseconds");
  private static final long MOST_BYTES = 1L << 50;
  private static final int MOST_FAST = 4;
  private static final int MOST_MEMORIES = 30;

  private final List<MemoryMap.Space> spaces = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private MemoryMapJson() {}

  /**
   * Reads a map.
   *
   * @throws InputException naming the file, the line and field, the value and what would be right
   */
  public static MemoryMap read(Path file) {
    return new MemoryMapJson().map(file);
  }

  private MemoryMap map(Path file) {
    JsonDocument.Value root = JsonDocument.read(file);
    Map<String, JsonDocument.Value> fields = root.fields(FIELDS);
    JsonDocument.Value memories = root.required("memories");
    for (JsonDocument.Value memory : memories.elements()) {
      MemoryMap.Space space = space(memory);
      if (names.contains(space.name())) {
        throw memory.required("name").fault("\"" + space.name() + "\" is defined twice");
      }
      spaces.add(space);
      names.add(space.name());
    }
    if (spaces.size() < 2 || spaces.size() > MOST_MEMORIES) {
      throw memories.fault(
          "should list the fast memory and at least one behind it, " + MOST_MEMORIES + " at most");
    }
    int fast = 1;
    if (fields.containsKey("fast")) {
      fast = (int) fields.get("fast").integer(1, Math.min(MOST_FAST, spaces.size() - 1));
    }
    List<MemoryMap.Kind> mustBeFast =
        all(fields, "mustBeFast").stream().map(MemoryMapJson::kind).toList();
    List<MemoryMap.Rule> rules = all(fields, "rules").stream().map(this::rule).toList();
    List<MemoryMap.Link> links = all(fields, "links").stream().map(this::link).toList();
    List<MemoryMap.Compute> compute = all(fields, "compute").stream().map(this::compute).toList();
    try {
      return new MemoryMap(
          root.required("name").name(),
          spaces.subList(0, fast),
          spaces.subList(fast, spaces.size()),
          !fields.containsKey("overlap") || fields.get("overlap").flag(),
          mustBeFast,
          rules,
          links,
          compute);
    } catch (InvalidNetworkException impossible) {
      throw new InputException(file, "", impossible.getMessage(), impossible);
    }
  }

  private static List<JsonDocument.Value> all(Map<String, JsonDocument.Value> fields, String name) {
    return fields.containsKey(name) ? fields.get(name).elements() : List.of();
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

  private static String text(JsonDocument.Value value) {
    return value == null ? null : value.name();
  }

  /** The number of the memory that a value names. */
  private int memory(JsonDocument.Value value) {
    String name = value.name();
    if (!names.contains(name)) {
      throw value.fault(
          "names the memory \"%s\", which is not listed%s"
              .formatted(name, Suggestion.advice(name, names)));
    }
    return names.indexOf(name);
  }

  private MemoryMap.Rule rule(JsonDocument.Value rule) {
    Map<String, JsonDocument.Value> fields = rule.fields(RULE_FIELDS);
    return new MemoryMap.Rule(
        fields.containsKey("kind") ? kind(fields.get("kind")) : null,
        text(fields.get("op")),
        names.get(memory(rule.required("memory"))));
  }

  private MemoryMap.Link link(JsonDocument.Value link) {
    Map<String, JsonDocument.Value> fields = link.fields(LINK_FIELDS);
    List<JsonDocument.Value> between = link.required("between").elements();
    if (between.size() != 2 || memory(between.get(0)) == memory(between.get(1))) {
      throw link.required("between").fault("should name two memories");
    }
    int one = memory(between.get(0));
    int other = memory(between.get(1));
    MemoryMap.Space outer = spaces.get(Math.max(one, other));
    return new MemoryMap.Link(
        one,
        other,
        fields.containsKey("megabytesPerSecond")
            ? fields.get("megabytesPerSecond").number(0.001, 1e9)
            : outer.bytesPerMicrosecond(),
        whole(fields.get("setupNanoseconds"), 0, outer.setupNanoseconds()),
        whole(fields.get("granularity"), 1, outer.granularity()));
  }

  private MemoryMap.Compute compute(JsonDocument.Value rule) {
    Map<String, JsonDocument.Value> fields = rule.fields(COMPUTE_FIELDS);
    return new MemoryMap.Compute(
        text(fields.get("op")),
        text(fields.get("type")),
        fields.containsKey("memory") ? memory(fields.get("memory")) : 0,
        fields.containsKey("only") && fields.get("only").flag(),
        rate(fields.get("gigaMacsPerSecond")),
        rate(fields.get("megabytesPerSecond")),
        whole(fields.get("nanoseconds"), 0, 0));
  }

  private static double rate(JsonDocument.Value value) {
    return value == null ? 0 : value.number(1e-9, 1e9);
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
