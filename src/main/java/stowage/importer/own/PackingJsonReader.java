package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonCursor;
import stowage.importer.io.Suggestion;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ReservedRange;

/** Reader of one file of {@link PackingJson}; used once. */
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
  private final PackingJsonPairs pairs;
  private final List<Goal> goals = new ArrayList<>();
  private final Map<List<String>, List<String>> memoryLists = new HashMap<>();

  PackingJsonReader(Path file, JsonCursor json, boolean ignoreOffsets) {
    this.file = file;
    this.json = json;
    this.ignoreOffsets = ignoreOffsets;
    this.pairs = new PackingJsonPairs(file, json, indices, new HashMap<>());
  }

  PackingProblem read() {
    json.object(PackingJson.PROBLEM_FIELDS, this::readProblemField);
    if (!buffersSeen) {
      throw new InputException(file, "", "field \"" + PackingJson.MARK + "\" is missing");
    }
    if (memories == null) {
      memories = List.of(Memory.main());
    }
    checkMemoryNames();
    return InputException.checked(file, "", this::problem);
  }

  private PackingProblem problem() {
    return new PackingProblem(
            name == null ? InputFiles.stem(file) : name,
            buffers,
            memories,
            pairs.conflicts(),
            pairs.relations())
        .withGoals(goals);
  }

  private boolean readProblemField(String field) {
    switch (field) {
      case "$schema" -> json.text();
      case "schemaVersion" -> json.integer(1, PackingJson.SCHEMA_VERSION);
      case "name" -> name = json.label();
      case "memories" -> {
        memories = new ArrayList<>();
        json.array(() -> memories.add(memory()));
        if (memories.isEmpty()) {
          throw json.fault("it should have 1 to 63 memories");
        }
      }
      case "conflicts", "apart", "exclusive", "reuse", "together" -> pairs.read(field);
      case "objective" -> json.array(this::readGoal);
      default -> {
        buffersSeen = true;
        json.array(this::readBuffer);
      }
    }
    return true;
  }

  private Memory memory() {
    List<ReservedRange> reserved = new ArrayList<>();
    Map<String, Object> read =
        json.fields(
            PackingJson.MEMORY_FIELDS,
            field -> {
              if (field.equals("reserved")) {
                json.array(() -> reserved.add(reservedRange()));
                return null;
              }
              return switch (field) {
                case "name" -> memoryName();
                case "capacity" -> json.isNull() ? null : json.integer(0, Long.MAX_VALUE - 1);
                case "alignment" -> json.integer(1, PackingProblem.LARGEST_SUM);
                case "base" -> json.integer(0, PackingProblem.LARGEST_SUM);
                default -> json.integer(0, Long.MAX_VALUE);
              };
            });
    json.require(read, "name");
    String wanted = (String) read.get("name");
    if (memories.stream().anyMatch(other -> other.name().equals(wanted))) {
      throw json.fault("memory \"%s\" is defined twice", wanted);
    }
    return json.checked(
        () ->
            new Memory(
                wanted,
                (long) read.getOrDefault("capacity", Memory.UNBOUNDED),
                (long) read.getOrDefault("alignment", 1L),
                (long) read.getOrDefault("base", 0L),
                (long) read.getOrDefault("bankSize", 0L),
                reserved));
  }

  private ReservedRange reservedRange() {
    Map<String, Object> read =
        json.fields(PackingJson.RANGE_FIELDS, field -> json.integer(0, PackingProblem.LARGEST_SUM));
    json.require(read, "from", "to");
    return json.checked(() -> new ReservedRange((long) read.get("from"), (long) read.get("to")));
  }

  private String memoryName() {
    String text = json.label();
    if (text.chars().anyMatch(Character::isWhitespace)) {
      throw json.fault(
          "memory \"%s\" should have no blank in its name, since CSV separates by them", text);
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
    final Map<String, Integer> otherBankThan = new LinkedHashMap<>();

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
        case "otherBankThan" -> json.array(() -> otherBankThan.put(json.label(), json.line()));
        case "holdsPlace" -> holdsPlace = json.flag();
        default -> withinBank = json.flag();
      }
      return true;
    }

    private int[] interval() {
      List<Integer> ends = new ArrayList<>(2);
      json.array(() -> ends.add(step()));
      if (ends.size() != 2 || ends.get(0) >= ends.get(1)) {
        String what = "an interval should be two steps, its first and the first one after it, not ";
        throw json.fault(what + ends);
      }
      return new int[] {ends.get(0), ends.get(1)};
    }

    /** Takes the live range from the intervals: their hull, with a gap between every two. */
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
        String what =
            "lower and upper should be %s and %s, the ends of the intervals, or be left out";
        throw json.fault(what, first, last);
      }
      lower = first;
      upper = last;
      gaps = between;
    }

    Buffer buffer() {
      return new Buffer(
          id,
          size,
          new LiveRange(lower, upper),
          alignment,
          ignoreOffsets ? Buffer.NONE : offset,
          hint,
          gaps,
          allowed,
          withinBank,
          holdsPlace);
    }

    private void addMemory(List<String> names) {
      String wanted = memoryName();
      if (names.contains(wanted)) {
        throw json.fault("memory \"%s\" is defined twice", wanted);
      }
      names.add(wanted);
    }
  }

  private void readBuffer() {
    int line = json.line();
    BufferFields fields = new BufferFields();
    json.object(PackingJson.BUFFER_FIELDS, fields::read);
    json.require(fields.id != null, "id");
    fields.settleLife();
    json.require(fields.lower != null, "lower");
    json.require(fields.upper != null, "upper");
    json.require(fields.size >= 0, "size");
    Integer earlier = indices.putIfAbsent(fields.id, buffers.size());
    if (earlier != null) {
      String what = "id \"%s\" is defined on line %s already; ids are unique";
      throw json.fault(what, fields.id, lines[earlier]);
    }
    if ((sum += fields.size + fields.alignment) > PackingProblem.LARGEST_SUM) {
      String what = "size %s takes the sum of all sizes and alignments beyond %s bytes";
      throw json.fault(what, fields.size, PackingProblem.LARGEST_SUM);
    }
    if (buffers.size() == lines.length) {
      lines = Arrays.copyOf(lines, 2 * lines.length);
    }
    lines[buffers.size()] = line;
    buffers.add(json.checked(fields::buffer));
    fields.otherBankThan.forEach((other, at) -> pairs.otherBank(fields.id, other, at));
  }

  private int step() {
    return (int) json.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private Gap gap() {
    List<Long> window = new ArrayList<>();
    Map<String, Object> read =
        json.fields(
            PackingJson.GAP_FIELDS,
            field -> {
              if (!field.equals("window")) {
                return step();
              }
              json.array(() -> window.add(json.integer(0, Long.MAX_VALUE)));
              if (window.size() != 2) {
                throw json.fault(
                    "a window should be two numbers: its first byte and the first one after it");
              }
              return window;
            });
    json.require(read, "lower", "upper");
    return json.checked(
        () ->
            new Gap(
                new LiveRange((int) read.get("lower"), (int) read.get("upper")),
                window.isEmpty() ? 0 : window.get(0),
                window.isEmpty() ? 0 : window.get(1)));
  }

  private void readGoal() {
    String word = json.label();
    Goal goal = Goal.named(word);
    if (goal == null) {
      List<String> known = Arrays.stream(Goal.values()).map(Goal::word).toList();
      throw json.fault("objective \"%s\" is not known%s", word, Suggestion.advice(word, known));
    }
    if (goals.contains(goal)) {
      throw json.fault("objective \"%s\" is defined twice", word);
    }
    goals.add(goal);
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
          String where = "line " + lines[first] + ", field \"buffers[" + first + "].memories\"";
          String advice = Suggestion.advice(wanted, known);
          throw new InputException(file, where, "memory \"%s\" is not defined%s", wanted, advice);
        }
      }
    }
  }
}
