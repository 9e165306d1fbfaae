package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import stowage.importer.io.CsvRows;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.InvalidProblemException;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/** Reader of one file of {@link PackingCsv}; used once. */
final class PackingCsvReader {
  private static final int ABSENT = -1;
  private static final List<String> OPTIONAL =
      List.of("alignment", "offset", "gaps", "hint", "memory", "within_bank", "holds_place");
  private static final List<String> NAMES =
      Stream.concat(
              Stream.of("id", "lower", "upper", "size"),
              Stream.concat(
                  OPTIONAL.stream(), Stream.of("buffer", "buffer_id", "start", "begin", "end")))
          .toList();

  private final Path file;
  private final CsvRows rows;
  private final boolean ignoreOffsets;

  private int columns;
  private int id;
  private int lower;
  private int upper;
  private int size;
  private int alignment;
  private int offset;
  private int gaps;
  private int hint;
  private int memory;
  private int withinBank;
  private int holdsPlace;
  private boolean inclusive;
  private String idName;
  private String lowerName;
  private String upperName;

  private final List<Buffer> buffers = new ArrayList<>();
  private int[] lines = new int[1024];
  private long sum;
  private byte[] lastMemoryBytes = {};
  private List<String> lastMemories = List.of();
  private final Map<String, List<String>> memoryLists = new HashMap<>();
  private final MemoryOrder memoryOrder = new MemoryOrder();

  PackingCsvReader(Path file, CsvRows rows, boolean ignoreOffsets) {
    this.file = file;
    this.rows = rows;
    this.ignoreOffsets = ignoreOffsets;
  }

  PackingProblem read() {
    readHeader();
    while (rows.next()) {
      if (rows.fields() != columns) {
        throw wrongLength();
      }
      if (buffers.size() == lines.length) {
        lines = Arrays.copyOf(lines, 2 * lines.length);
      }
      lines[buffers.size()] = (int) Math.min(rows.line(), Integer.MAX_VALUE);
      buffers.add(buffer());
    }
    List<Memory> memories = memoryOrder.memories();
    try {
      return new PackingProblem(InputFiles.stem(file), buffers, memories, ConflictPairs.none());
    } catch (InvalidProblemException failure) {
      checkIds();
      throw new InputException(file, "", failure.getMessage(), failure);
    }
  }

  private InputException wrongLength() {
    int found = rows.fields();
    return rows.fault(
        "has %s%s, but the first line names %s columns%s",
        found,
        found == 1 ? " field" : " fields",
        columns,
        found < columns ? "; is the file cut off there?" : "; commas within an id need quoting");
  }

  private void readHeader() {
    if (!rows.next()) {
      throw rows.fault(
          "is empty; the first line should name the columns, such as id,lower,upper,size");
    }
    Map<String, Integer> found = new HashMap<>();
    for (String name : rows.names()) {
      if (found.put(name, columns++) != null && !name.isEmpty()) {
        throw rows.fault("column \"%s\" is defined twice", name);
      }
    }
    idName = one(found, "id", "buffer", "buffer_id");
    lowerName = one(found, "lower", "start", "begin");
    upperName = one(found, "upper", "end");
    inclusive = "end".equals(upperName);
    refuseMissing(found);
    id = found.get(idName);
    lower = found.get(lowerName);
    upper = found.get(upperName);
    size = found.get("size");
    alignment = found.getOrDefault("alignment", ABSENT);
    offset = found.getOrDefault("offset", ABSENT);
    gaps = found.getOrDefault("gaps", ABSENT);
    hint = found.getOrDefault("hint", ABSENT);
    memory = found.getOrDefault("memory", ABSENT);
    withinBank = found.getOrDefault("within_bank", ABSENT);
    holdsPlace = found.getOrDefault("holds_place", ABSENT);
    refuseMistyped(found);
  }

  /** The one of several names that is there, or the first. */
  private String one(Map<String, Integer> found, String... names) {
    String present = null;
    for (String name : names) {
      if (found.containsKey(name)) {
        if (present != null) {
          throw rows.fault("columns \"%s\" and \"%s\" mean the same; one should go", present, name);
        }
        present = name;
      }
    }
    return present == null ? names[0] : present;
  }

  /** Refuses a first line that lacks columns which are needed, and says what it may be instead. */
  private void refuseMissing(Map<String, Integer> found) {
    List<String> missing =
        Stream.of(idName, lowerName, upperName, "size").filter(x -> !found.containsKey(x)).toList();
    if (missing.isEmpty()) {
      return;
    }
    String only = found.size() == 1 ? found.keySet().iterator().next() : "";
    String other = only.indexOf(';') >= 0 ? "semicolons" : only.indexOf('\t') >= 0 ? "tabs" : "";
    String why =
        !other.isEmpty()
            ? "; the columns are separated by " + other + " and should be by commas"
            : missing.size() == 4
                ? "; the first line should name the columns, such as id,lower,upper,size"
                : "";
    for (String given : found.keySet()) {
      String near = NAMES.contains(given) ? null : Suggestion.nearest(given, NAMES);
      if (near != null && missing.contains(near)) {
        why = "; is \"" + given + "\" meant to be \"" + near + "\"?";
      }
    }
    throw rows.fault(
        "%s \"%s\" %s missing; id, lower, upper and size are needed%s",
        missing.size() == 1 ? "column" : "columns",
        String.join("\", \"", missing),
        missing.size() == 1 ? "is" : "are",
        why);
  }

  private void refuseMistyped(Map<String, Integer> found) {
    for (String given : found.keySet()) {
      String near = NAMES.contains(given) ? null : Suggestion.nearest(given, OPTIONAL);
      if (near != null && !found.containsKey(near)) {
        throw rows.fault("column \"%s\" is not known; did you mean \"%s\"?", given, near);
      }
    }
  }

  private Buffer buffer() {
    String name = rows.text(id, idName);
    if (name.isEmpty()) {
      throw rows.error(idName, "is empty; every buffer needs an id");
    }
    LiveRange live = live();
    long bytes = atLeast(size, "size", 0, "0 or more");
    long multiple =
        alignment == ABSENT || rows.isBlank(alignment)
            ? 1
            : atLeast(alignment, "alignment", 1, "1 or more");
    if (bytes > PackingProblem.LARGEST_SUM
        || multiple > PackingProblem.LARGEST_SUM
        || (sum += bytes + multiple) > PackingProblem.LARGEST_SUM) {
      String what = "%s takes the sum of all sizes and alignments beyond %s bytes";
      throw rows.error("size", what, bytes, PackingProblem.LARGEST_SUM);
    }
    long fixed = ignoreOffsets ? Buffer.NONE : offsetOrNone(offset, "offset");
    if (fixed != Buffer.NONE && fixed % multiple != 0) {
      throw rows.error("offset", fixed + " should be a multiple of the alignment " + multiple);
    }
    if (fixed > Long.MAX_VALUE / 2 - bytes) {
      throw rows.error("offset", fixed + " should be below 2^62 - size");
    }
    long wish = offsetOrNone(hint, "hint");
    List<String> allowed = memory == ABSENT ? List.of() : memories();
    boolean bound = flag(withinBank, "within_bank");
    boolean always = flag(holdsPlace, "holds_place");
    try {
      return new Buffer(name, bytes, live, multiple, fixed, wish, gaps(), allowed, bound, always);
    } catch (InvalidProblemException failure) {
      throw gaps == ABSENT || rows.isBlank(gaps)
          ? failure
          : rows.error("gaps", failure.getMessage());
    }
  }

  private LiveRange live() {
    long start = rows.number(lower, lowerName);
    long end = rows.number(upper, upperName);
    int first = step(start, lowerName, 0);
    int after = step(end, upperName, inclusive ? 1 : 0);
    if (after < first) {
      String least =
          inclusive ? "the step before the start, " + (start - 1) : "the start, " + start;
      throw rows.error(upperName, "%s should not be before %s", end, least);
    }
    return new LiveRange(first, after);
  }

  private int step(long value, String column, int more) {
    if (value > Integer.MAX_VALUE - more || value < Integer.MIN_VALUE) {
      String what = "%s is not a valid step; steps are between %s and %s";
      throw rows.error(column, what, value, Integer.MIN_VALUE, Integer.MAX_VALUE - more);
    }
    return (int) value + more;
  }

  private long atLeast(int field, String column, long least, String right) {
    long value = rows.number(field, column);
    if (value < least) {
      throw rows.error(column, value + " should be " + right);
    }
    return value;
  }

  private long offsetOrNone(int field, String column) {
    return field == ABSENT || rows.isBlank(field)
        ? Buffer.NONE
        : atLeast(field, column, Buffer.NONE, "0 or more, or -1 for none");
  }

  private boolean flag(int field, String column) {
    if (field == ABSENT || rows.isBlank(field)) {
      return false;
    }
    return switch (rows.text(field, column).strip()) {
      case "1", "true" -> true;
      case "0", "false" -> false;
      default -> throw rows.error(column, "%s should be 1, 0 or empty", rows.shown(field));
    };
  }

  /** The row's memories; rows mostly repeat each other, so that lists are shared. */
  private List<String> memories() {
    if (rows.holds(memory, lastMemoryBytes)) {
      return lastMemories;
    }
    String text = rows.text(memory, "memory").strip();
    List<String> named = memoryLists.get(text);
    if (named == null) {
      Set<String> names = new LinkedHashSet<>();
      for (String name : text.isEmpty() ? new String[0] : text.split("\\s+")) {
        if (!names.add(name)) {
          throw rows.error("memory", "\"" + name + "\" is defined twice");
        }
      }
      named = List.copyOf(names);
      if (!memoryOrder.add(named)) {
        throw rows.error("memory", "names a 64th memory; a problem has at most 63");
      }
      memoryLists.put(text, named);
    }
    lastMemoryBytes = rows.bytes(memory);
    lastMemories = named;
    return named;
  }

  private List<Gap> gaps() {
    return gaps == ABSENT || rows.isBlank(gaps)
        ? List.of()
        : Stream.of(rows.text(gaps, "gaps").strip().split("\\s+")).map(this::gap).toList();
  }

  /** Reads {@code lower-upper} or {@code lower-upper@low:high}; steps may have a sign. */
  private Gap gap(String text) {
    int at = text.indexOf('@');
    String range = at < 0 ? text : text.substring(0, at);
    int dash = range.indexOf('-', 1);
    int colon = at < 0 ? -1 : text.indexOf(':', at);
    if (dash < 0 || (at >= 0 && colon < 0)) {
      throw brokenGap(text);
    }
    int start = step(gapNumber(text, range.substring(0, dash)), "gaps", 0);
    int end = step(gapNumber(text, range.substring(dash + 1)), "gaps", inclusive ? 1 : 0);
    if (end <= start) {
      String hint = inclusive ? "" : " (its upper end is the first step after it)";
      throw rows.error("gaps", "gap %s should end after it starts%s", text, hint);
    }
    if (at < 0) {
      return Gap.empty(start, end);
    }
    return new Gap(
        new LiveRange(start, end),
        gapNumber(text, text.substring(at + 1, colon)),
        gapNumber(text, text.substring(colon + 1)));
  }

  private long gapNumber(String gap, String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException failure) {
      throw brokenGap(gap);
    }
  }

  private InputException brokenGap(String text) {
    return rows.error(
        "gaps",
        "\"%s\" should be lower-upper, or lower-upper@low:high with a window of bytes,"
            + " such as 7-9 or 9-11@1:17",
        text);
  }

  private void checkIds() {
    Map<String, Integer> seen = new HashMap<>();
    for (int i = 0; i < buffers.size(); i++) {
      Integer earlier = seen.putIfAbsent(buffers.get(i).id(), i);
      if (earlier != null) {
        String where = "line " + lines[i] + ", column \"" + idName + "\"";
        String what = "id \"%s\" is defined on line %s already; ids should be unique";
        throw new InputException(file, where, what, buffers.get(i).id(), lines[earlier]);
      }
    }
  }

  /**
   * Order of memories that the buffers' preferences suggest, for files that name memories in their
   * rows alone: one that some row prefers to another is before it; else the one named first does.
   * Where preferences contradict each other, the order of naming decides.
   *
   * <p>Example: rows {@code dram} and {@code sram dram} give sram, dram.
   */
  private static final class MemoryOrder {
    private static final int MOST = 63;

    private final Map<String, Integer> indices = new LinkedHashMap<>();
    private final long[] before =
        new long[MOST]; // bit a of before[b]: a is preferred to b somewhere

    /** Takes in one row's names, most wanted first; false when there are too many memories. */
    boolean add(List<String> names) {
      long earlier = 0;
      for (String name : names) {
        Integer index = indices.get(name);
        if (index == null) {
          if (indices.size() == MOST) {
            return false;
          }
          index = indices.size();
          indices.put(name, index);
        }
        before[index] |= earlier;
        earlier |= 1L << index;
      }
      return true;
    }

    /** The memories, unbounded; {@code main} alone when none was named. */
    List<Memory> memories() {
      if (indices.isEmpty()) {
        return List.of(Memory.main());
      }
      List<String> names = new ArrayList<>(indices.keySet());
      List<Memory> ordered = new ArrayList<>();
      long left = (1L << names.size()) - 1;
      while (left != 0) {
        int next = Long.numberOfTrailingZeros(left);
        for (int m = 0; m < names.size(); m++) {
          if ((left >> m & 1) != 0 && (before[m] & left) == 0) {
            next = m;
            break;
          }
        }
        left &= ~(1L << next);
        ordered.add(new Memory(names.get(next), Memory.UNBOUNDED, 1, 0, 0));
      }
      return ordered;
    }
  }
}
