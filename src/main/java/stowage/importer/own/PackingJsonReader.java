package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.importer.io.Suggestion;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.InvalidProblemException;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;

/** Reads one file of {@link PackingJson}; used once. */
final class PackingJsonReader {
  private final Path file;
  private final JsonCursor json;
  private final boolean ignoreOffsets;

  private String name;
  private List<Memory> memories;
  private final List<Buffer> buffers = new ArrayList<>();
  private int[] lines = new int[16];
  private boolean buffersSeen;
  private long sum;
  private final Map<String, Integer> indices = new HashMap<>();
  private final List<NamedPair> pairs = new ArrayList<>();
  private final List<NamedPair> exclusive = new ArrayList<>();
  private final List<NamedPair> otherBanks = new ArrayList<>();
  private final List<NamedPair> reuse = new ArrayList<>();
  private final List<NamedPair> together = new ArrayList<>();
  private final List<Goal> goals = new ArrayList<>();
  private final Map<List<String>, List<String>> memoryLists = new HashMap<>();

  /**
   * A pair as it is in the file; its buffers may come later.
   *
   * @param field the field it is in
   * @param number its weight or distance; 0 where it has none
   * @param reason why it has its weight; empty where nothing is said
   */
  private record NamedPair(
      String first, String second, int line, String field, long number, String reason) {}

  PackingJsonReader(Path file, JsonCursor json, boolean ignoreOffsets) {
    this.file = file;
    this.json = json;
    this.ignoreOffsets = ignoreOffsets;
  }

  /** Reads the value at the cursor. */
  PackingProblem read() {
    json.object(PackingJson.PROBLEM_FIELDS, this::readProblemField);
    if (!buffersSeen) {
      throw new InputException(file, "", "field \"" + PackingJson.MARK + "\" is missing");
    }
    if (memories == null) {
      memories = List.of(Memory.main());
    }
    checkMemoryNames();
    try {
      return new PackingProblem(
              name == null ? PackingCsv.nameOf(file) : name,
              buffers,
              memories,
              ConflictPairs.of(buffers.size(), resolved(pairs)),
              relations())
          .withGoals(goals);
    } catch (InvalidProblemException failure) {
      throw new InputException(file, "", failure.getMessage(), failure);
    }
  }

  private boolean readProblemField(String field) {
    switch (field) {
      case "$schema" -> json.text();
      case "schemaVersion" -> json.integer(1, PackingJson.SCHEMA_VERSION);
      case "name" -> name = json.label();
      case "memories" -> {
        memories = new ArrayList<>();
        json.array(() -> memories.add(memory()));
      }
      case "conflicts", "apart" -> json.array(() -> readPair(pairs, field, "a conflict"));
      case "exclusive" -> json.array(() -> readPair(exclusive, field, "an exclusive pair"));
      case "reuse" -> json.array(this::readReuse);
      case "together" -> json.array(this::readTogether);
      case "objective" -> json.array(this::readGoal);
      default -> {
        buffersSeen = true;
        json.array(this::readBuffer);
      }
    }
    return true;
  }

  /** The fields of a memory, as they come. */
  private final class MemoryFields {
    String name;
    long capacity = Memory.UNBOUNDED;
    long alignment = 1;
    long base;
    long bankSize;
    final List<ReservedRange> reserved = new ArrayList<>();

    boolean read(String field) {
      switch (field) {
        case "name" -> name = memoryName();
        case "reserved" -> json.array(() -> reserved.add(reservedRange()));
        case "capacity" ->
            capacity = json.isNull() ? Memory.UNBOUNDED : json.integer(0, Long.MAX_VALUE - 1);
        case "alignment" -> alignment = json.integer(1, PackingProblem.LARGEST_SUM);
        case "base" -> base = json.integer(0, PackingProblem.LARGEST_SUM);
        default -> bankSize = json.integer(0, Long.MAX_VALUE);
      }
      return true;
    }
  }

  private Memory memory() {
    MemoryFields fields = new MemoryFields();
    json.object(PackingJson.MEMORY_FIELDS, fields::read);
    require(fields.name != null, "name");
    for (Memory other : memories) {
      if (other.name().equals(fields.name)) {
        throw json.fault("memory \"" + fields.name + "\" is defined twice");
      }
    }
    try {
      return new Memory(
          fields.name,
          fields.capacity,
          fields.alignment,
          fields.base,
          fields.bankSize,
          fields.reserved);
    } catch (InvalidProblemException failure) {
      throw json.fault(failure.getMessage());
    }
  }

  private ReservedRange reservedRange() {
    long[] ends = {-1, -1};
    json.object(
        PackingJson.RANGE_FIELDS,
        field -> {
          ends[field.equals("from") ? 0 : 1] = json.integer(0, PackingProblem.LARGEST_SUM);
          return true;
        });
    require(ends[0] >= 0, "from");
    require(ends[1] >= 0, "to");
    try {
      return new ReservedRange(ends[0], ends[1]);
    } catch (InvalidProblemException failure) {
      throw json.fault(failure.getMessage());
    }
  }

  private String memoryName() {
    String text = json.label();
    if (text.chars().anyMatch(Character::isWhitespace)) {
      throw json.fault(
          "memory \"" + text + "\" should have no blank in its name, since CSV separates by them");
    }
    return text;
  }

  /** The fields of a buffer, as they come. */
  private final class BufferFields {
    String id;
    Integer lower;
    Integer upper;
    long size = -1;
    long alignment = 1;
    long offset = Buffer.NONE;
    long hint = Buffer.NONE;
    List<Gap> gaps = List.of();
    List<String> allowed = List.of();
    boolean withinBank;
    boolean holdsPlace;
    List<int[]> intervals;
    final List<NamedPair> others = new ArrayList<>();

    boolean read(String field) {
      switch (field) {
        case "id" -> id = json.label();
        case "lower" -> lower = step();
        case "upper" -> upper = step();
        case "size" -> size = json.integer(0, PackingProblem.LARGEST_SUM);
        case "alignment" -> alignment = json.integer(1, PackingProblem.LARGEST_SUM);
        case "offset" -> offset = json.integer(Buffer.NONE, Long.MAX_VALUE / 2);
        case "hint" -> hint = json.integer(Buffer.NONE, Long.MAX_VALUE);
        case "gaps" -> {
          gaps = new ArrayList<>();
          json.array(() -> gaps.add(gap()));
        }
        case "memories" -> {
          List<String> names = new ArrayList<>();
          json.array(() -> addMemory(names));
          allowed = memoryLists.computeIfAbsent(names, List::copyOf);
        }
        case "intervals" -> {
          intervals = new ArrayList<>();
          json.array(() -> intervals.add(interval()));
        }
        case "otherBankThan" ->
            json.array(
                () ->
                    others.add(
                        new NamedPair("", json.label(), json.line(), "otherBankThan", 0, "")));
        case "holdsPlace" -> holdsPlace = json.flag();
        default -> withinBank = json.flag();
      }
      return true;
    }

    private int[] interval() {
      List<Integer> ends = new ArrayList<>(2);
      json.array(() -> ends.add(step()));
      if (ends.size() != 2 || ends.get(0) >= ends.get(1)) {
        throw json.fault(
            "an interval should be two steps, its first and the first one after it, not " + ends);
      }
      return new int[] {ends.get(0), ends.get(1)};
    }

    /** Takes the life from the intervals: their hull, with a gap between every two. */
    void settleLife() {
      if (intervals == null) {
        return;
      }
      if (intervals.isEmpty()) {
        throw json.fault("field \"intervals\" should have an interval at least");
      }
      intervals.sort(Comparator.comparingInt((int[] interval) -> interval[0]));
      int first = intervals.get(0)[0];
      int last = first;
      List<Gap> between = new ArrayList<>(gaps);
      for (int[] interval : intervals) {
        if (interval[0] > last) {
          between.add(Gap.empty(last, interval[0]));
        }
        last = Math.max(last, interval[1]);
      }
      if (lower != null && lower != first || upper != null && upper != last) {
        throw json.fault(
            "lower and upper should be %s and %s, the ends of the intervals, or be left out"
                .formatted(first, last));
      }
      lower = first;
      upper = last;
      gaps = between;
    }

    private void addMemory(List<String> names) {
      String wanted = memoryName();
      if (names.contains(wanted)) {
        throw json.fault("memory \"" + wanted + "\" is defined twice");
      }
      names.add(wanted);
    }
  }

  private void readBuffer() {
    int line = json.line();
    BufferFields fields = new BufferFields();
    json.object(PackingJson.BUFFER_FIELDS, fields::read);
    require(fields.id != null, "id");
    fields.settleLife();
    require(fields.lower != null, "lower");
    require(fields.upper != null, "upper");
    require(fields.size >= 0, "size");
    Integer earlier = indices.putIfAbsent(fields.id, buffers.size());
    if (earlier != null) {
      throw json.fault(
          "id \"%s\" is defined on line %s already; ids are unique"
              .formatted(fields.id, lines[earlier]));
    }
    if ((sum += fields.size + fields.alignment) > PackingProblem.LARGEST_SUM) {
      throw json.fault(
          "size %s takes the sum of all sizes and alignments beyond %s bytes"
              .formatted(fields.size, PackingProblem.LARGEST_SUM));
    }
    if (buffers.size() == lines.length) {
      lines = Arrays.copyOf(lines, 2 * lines.length);
    }
    lines[buffers.size()] = line;
    try {
      buffers.add(
          new Buffer(
              fields.id,
              fields.size,
              new LiveRange(fields.lower, fields.upper),
              fields.alignment,
              ignoreOffsets ? Buffer.NONE : fields.offset,
              fields.hint,
              fields.gaps,
              fields.allowed,
              fields.withinBank,
              fields.holdsPlace));
      for (NamedPair other : fields.others) {
        otherBanks.add(
            new NamedPair(fields.id, other.second(), other.line(), "otherBankThan", 0, ""));
      }
    } catch (InvalidProblemException failure) {
      throw json.fault(failure.getMessage());
    }
  }

  private int step() {
    return (int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** The fields of a gap, as they come. */
  private final class GapFields {
    Integer lower;
    Integer upper;
    final List<Long> window = new ArrayList<>();

    boolean read(String field) {
      switch (field) {
        case "lower" -> lower = step();
        case "upper" -> upper = step();
        default -> {
          json.array(() -> window.add(json.integer(0, Long.MAX_VALUE)));
          if (window.size() != 2) {
            throw json.fault(
                "a window should be two numbers: its first byte and the first one after it");
          }
        }
      }
      return true;
    }
  }

  private Gap gap() {
    GapFields fields = new GapFields();
    json.object(PackingJson.GAP_FIELDS, fields::read);
    require(fields.lower != null, "lower");
    require(fields.upper != null, "upper");
    try {
      LiveRange range = new LiveRange(fields.lower, fields.upper);
      return fields.window.isEmpty()
          ? new Gap(range, 0, 0)
          : new Gap(range, fields.window.get(0), fields.window.get(1));
    } catch (InvalidProblemException failure) {
      throw json.fault(failure.getMessage());
    }
  }

  private void readPair(List<NamedPair> into, String field, String what) {
    List<String> ids = new ArrayList<>(2);
    json.array(() -> ids.add(json.label()));
    if (ids.size() != 2) {
      throw json.fault(what + " should name two buffers, not " + ids.size());
    }
    if (ids.get(0).equals(ids.get(1))) {
      throw json.fault(what + " should name two different buffers");
    }
    into.add(new NamedPair(ids.get(0), ids.get(1), json.line(), field, 0, ""));
  }

  /** The fields of a reuse pair or of a pair kept together, as they come. */
  private final class PairFields {
    String first;
    String second;
    long number;
    String reason = "";

    PairFields(long number) {
      this.number = number;
    }

    boolean read(String field) {
      switch (field) {
        case "a" -> first = json.label();
        case "b" -> second = json.label();
        case "weight" -> number = json.integer(1, Relations.MOST_WEIGHT);
        case "reason" -> reason = json.text();
        default -> number = json.integer(-PackingProblem.LARGEST_SUM, PackingProblem.LARGEST_SUM);
      }
      return true;
    }

    NamedPair pair(String field) {
      require(first != null, "a");
      require(second != null, "b");
      if (first.equals(second)) {
        throw json.fault("a and b should be two different buffers");
      }
      return new NamedPair(first, second, json.line(), field, number, reason);
    }
  }

  private void readReuse() {
    PairFields fields = new PairFields(1);
    json.object(PackingJson.REUSE_FIELDS, fields::read);
    reuse.add(fields.pair("reuse"));
  }

  private void readTogether() {
    PairFields fields = new PairFields(0);
    json.object(PackingJson.TOGETHER_FIELDS, fields::read);
    together.add(fields.pair("together"));
  }

  private void readGoal() {
    String word = json.label();
    Goal goal = Goal.named(word);
    if (goal == null) {
      List<String> known = Arrays.stream(Goal.values()).map(Goal::word).toList();
      throw json.fault("objective \"" + word + "\" is not known" + Suggestion.advice(word, known));
    }
    if (goals.contains(goal)) {
      throw json.fault("objective \"" + word + "\" is defined twice");
    }
    goals.add(goal);
  }

  private Relations relations() {
    List<Relations.Reuse> prices = new ArrayList<>(reuse.size());
    for (NamedPair pair : reuse) {
      int[] ends = resolved(pair);
      prices.add(new Relations.Reuse(ends[0], ends[1], pair.number(), pair.reason()));
    }
    List<Relations.Together> groups = new ArrayList<>(together.size());
    for (NamedPair pair : together) {
      int[] ends = resolved(pair);
      groups.add(new Relations.Together(ends[0], ends[1], pair.number()));
    }
    return Relations.none()
        .withReuse(prices)
        .withTogether(groups)
        .withExclusive(ConflictPairs.of(buffers.size(), resolved(exclusive)))
        .withOtherBank(ConflictPairs.of(buffers.size(), resolved(otherBanks)));
  }

  private List<int[]> resolved(List<NamedPair> named) {
    List<int[]> resolved = new ArrayList<>(named.size());
    for (NamedPair pair : named) {
      resolved.add(resolved(pair));
    }
    return resolved;
  }

  private int[] resolved(NamedPair pair) {
    return new int[] {index(pair, pair.first()), index(pair, pair.second())};
  }

  private int index(NamedPair pair, String id) {
    Integer index = indices.get(id);
    if (index == null) {
      String near = buffers.size() > 10_000 ? null : Suggestion.nearest(id, indices.keySet());
      throw new InputException(
          file,
          "line " + pair.line() + ", field \"" + pair.field() + "\"",
          "no buffer has the id \"%s\"%s"
              .formatted(id, near == null ? "" : "; did you mean \"" + near + "\"?"));
    }
    return index;
  }

  private void checkMemoryNames() {
    List<String> known = memories.stream().map(Memory::name).toList();
    for (List<String> names : memoryLists.values()) {
      for (String wanted : names) {
        if (!known.contains(wanted)) {
          int first = 0;
          while (!buffers.get(first).memories().contains(wanted)) {
            first++;
          }
          throw new InputException(
              file,
              "line " + lines[first] + ", field \"buffers[" + first + "].memories\"",
              "memory \"" + wanted + "\" is not defined" + Suggestion.advice(wanted, known));
        }
      }
    }
  }

  private void require(boolean present, String field) {
    if (!present) {
      throw json.fault("field \"" + field + "\" is missing");
    }
  }
}
