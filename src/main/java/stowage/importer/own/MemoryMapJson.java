package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import stowage.importer.io.JsonDocument;
import stowage.importer.io.JsonDocument.Value;
import stowage.importer.io.Suggestion;
import stowage.network.memory.MemoryMap;
import stowage.packing.Rounding;

/**
 * Memory maps in JSON, as the JSON Schema {@code stowage/schemas/memories.schema.json} describes
 * them. The first memories are the fast ones.
 */
public final class MemoryMapJson {
  private static final List<String> FIELDS =
      List.of(
          "$schema name sources memories fast overlap mustBeFast rules links compute".split(" "));
  private static final List<String> MEMORY_FIELDS =
      List.of(
          "name capacity alignment base megabytesPerSecond setupNanoseconds granularity writable"
              .split(" "));
  private static final List<String> RULE_FIELDS = List.of("kind", "op", "memory");
  private static final List<String> LINK_FIELDS =
      List.of("between", "megabytesPerSecond", "setupNanoseconds", "granularity");
  private static final List<String> COMPUTE_FIELDS =
      List.of(
          "op", "type", "memory", "only", "gigaMacsPerSecond", "megabytesPerSecond", "nanoseconds");
  private static final long MOST_BYTES = 1L << 50;
  private static final long MOST_ALIGNMENT = 1L << 40;
  private static final int MOST_FAST = 4;
  private static final int MOST_MEMORIES = 30;

  private final List<MemoryMap.Space> spaces = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private final long common;

  private MemoryMapJson(long common) {
    this.common = common;
  }

  /** Reads a map; a fault names the line and field, the value and what would be right. */
  public static MemoryMap read(Path file) {
    return read(file, 1);
  }

  /** The same with offsets in every memory that are multiples of so many bytes besides. */
  public static MemoryMap read(Path file, long alignment) {
    return new MemoryMapJson(alignment).map(JsonDocument.read(file));
  }

  private MemoryMap map(Value root) {
    root.fields(FIELDS);
    Value memories = root.required("memories");
    for (Value memory : memories.elements()) {
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
    int most = Math.min(MOST_FAST, spaces.size() - 1);
    int fast = root.optional("fast", value -> (int) value.integer(1, most), 1);
    return memories.checked(
        () ->
            new MemoryMap(
                root.required("name").name(),
                spaces.subList(0, fast),
                spaces.subList(fast, spaces.size()),
                root.optional("overlap", Value::flag, true),
                all(root, "mustBeFast", MemoryMapJson::kind),
                all(root, "rules", this::rule),
                all(root, "links", this::link),
                all(root, "compute", this::compute)));
  }

  private static <T> List<T> all(Value root, String name, Function<Value, T> reader) {
    return root.optional(name, list -> list.each(reader), List.of());
  }

  private MemoryMap.Space space(Value memory) {
    memory.fields(MEMORY_FIELDS);
    long own = memory.optional("alignment", value -> value.integer(1, MOST_ALIGNMENT), 1L);
    long base = whole(memory, "base", 0, 0);
    if (base % own != 0) {
      throw memory.required("base").fault(base + " should be a multiple of the alignment, " + own);
    }
    return new MemoryMap.Space(
        memory.required("name").name(),
        memory.required("capacity").integer(0, MOST_BYTES),
        Rounding.lcm(own, common),
        base,
        memory.required("megabytesPerSecond").number(0.001, 1e9),
        whole(memory, "setupNanoseconds", 0, 0),
        whole(memory, "granularity", 1, 1),
        memory.optional("writable", Value::flag, true));
  }

  private static long whole(Value object, String name, long least, long otherwise) {
    return object.optional(name, value -> value.integer(least, MOST_BYTES), otherwise);
  }

  private int memory(Value value) {
    String name = value.name();
    if (!names.contains(name)) {
      throw value.fault(
          "names the memory \"%s\", which is not listed%s", name, Suggestion.advice(name, names));
    }
    return names.indexOf(name);
  }

  private MemoryMap.Rule rule(Value rule) {
    rule.fields(RULE_FIELDS);
    return new MemoryMap.Rule(
        rule.optional("kind", MemoryMapJson::kind, null),
        rule.optional("op", Value::name, null),
        names.get(memory(rule.required("memory"))));
  }

  private MemoryMap.Link link(Value link) {
    link.fields(LINK_FIELDS);
    List<Value> between = link.required("between").elements();
    if (between.size() != 2 || memory(between.get(0)) == memory(between.get(1))) {
      throw link.required("between").fault("should name two memories");
    }
    int one = memory(between.get(0));
    int other = memory(between.get(1));
    MemoryMap.Space outer = spaces.get(Math.max(one, other));
    return new MemoryMap.Link(
        one,
        other,
        link.optional("megabytesPerSecond", v -> v.number(0.001, 1e9), outer.bytesPerMicrosecond()),
        whole(link, "setupNanoseconds", 0, outer.setupNanoseconds()),
        whole(link, "granularity", 1, outer.granularity()));
  }

  private MemoryMap.Compute compute(Value rule) {
    rule.fields(COMPUTE_FIELDS);
    return new MemoryMap.Compute(
        rule.optional("op", Value::name, null),
        rule.optional("type", Value::name, null),
        rule.optional("memory", this::memory, 0),
        rule.optional("only", Value::flag, false),
        rule.optional("gigaMacsPerSecond", MemoryMapJson::rate, 0.0),
        rule.optional("megabytesPerSecond", MemoryMapJson::rate, 0.0),
        whole(rule, "nanoseconds", 0, 0));
  }

  private static double rate(Value value) {
    return value.number(1e-9, 1e9);
  }

  private static MemoryMap.Kind kind(Value value) {
    return value.oneOf(MemoryMap.Kind.values(), "\"%s\" is no kind of buffer");
  }
}
