package stowage.importer.own;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.importer.io.CsvRows;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.JsonCursor;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/**
 * A plan that was written earlier, by us or by another planner: where each buffer is, by its id.
 *
 * <p>Two forms are read: a CSV with the columns {@code id} and {@code offset} (and {@code memory};
 * {@code lower}, {@code upper} and {@code size} where they are there), which MiniMalloc writes too,
 * and a JSON object with an array {@code placements} of objects with the fields {@code id}, {@code
 * offset}, and perhaps {@code memory}, {@code lower}, {@code upper} and {@code size}. Other fields
 * of the JSON are passed over, since a plan says much more than its placement.
 */
public final class PlanFile {
  /** Marks a figure that the file does not give. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private static final List<String> IDS = List.of("id", "buffer", "buffer_id");
  private static final List<String> LOWERS = List.of("lower", "start", "begin");
  private static final List<String> UPPERS = List.of("upper", "end");

  /** The statuses of answers that may hold no placement. */
  private static final List<String> WITHOUT =
      List.of(Status.INFEASIBLE.name(), Status.UNKNOWN.name());

  private final Path file;
  private final Map<String, Place> places = new LinkedHashMap<>();
  private String status = "";
  private String problem;

  /**
   * Where one buffer is: bytes from the start of its memory, whose name is null where the file has
   * none; the steps of its live range and its bytes, each {@link #UNKNOWN} where the file does not
   * say; and its line.
   */
  public record Place(long offset, String memory, long lower, long upper, long size, long line) {}

  private PlanFile(Path file) {
    this.file = file;
    this.problem = InputFiles.stem(file);
  }

  /** Reads a plan; it is a fault when the file holds no placement. O(file size). */
  public static PlanFile read(Path file) {
    PlanFile plan = readAnswer(file);
    if (plan.isNone()) {
      throw new InputException(file, "", "holds no plan: its status is %s", plan.status);
    }
    return plan;
  }

  /** Reads a plan, or an answer that there is none or that none was found. O(file size). */
  public static PlanFile readAnswer(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    PlanFile plan = new PlanFile(file);
    if (name.endsWith(".json")) {
      plan.readJson();
    } else {
      plan.readCsv();
    }
    return plan;
  }

  /** Whether it is an answer without a placement. */
  public boolean isNone() {
    return places.isEmpty() && WITHOUT.contains(status);
  }

  /** What the problem is called: as the file says, or else the file's stem. */
  public String problem() {
    return problem;
  }

  /** Where each buffer is, in the file's order. */
  public Map<String, Place> places() {
    return Collections.unmodifiableMap(places);
  }

  /** The highest end in any memory, in bytes; {@link #UNKNOWN} where a size is not given. */
  public long peak() {
    long peak = 0;
    for (Place place : places.values()) {
      if (place.size() == UNKNOWN) {
        return UNKNOWN;
      }
      boolean neverAlive = place.lower() == place.upper() && place.lower() != UNKNOWN;
      if (place.size() > 0 && !neverAlive) {
        boolean beyond = place.offset() > Long.MAX_VALUE - place.size();
        peak = Math.max(peak, beyond ? Long.MAX_VALUE : place.offset() + place.size());
      }
    }
    return peak;
  }

  /** The plan as a {@link #placement} that holds; a fault names the first violation. */
  public Placement validPlacement(PackingProblem problem) {
    Placement placement = placement(problem);
    List<Violation> violations = Verifier.violations(problem, placement);
    if (!violations.isEmpty()) {
      throw new InputException(file, "", "is not a valid plan: " + violations.get(0).text());
    }
    return placement;
  }

  /**
   * The plan as a placement of a problem. Whether it is valid is the verifier's to say.
   *
   * @throws InputException when a buffer of the problem is missing, the file has one more, a live
   *     range or size differs, or a memory is not the problem's
   */
  public Placement placement(PackingProblem problem) {
    long[] offsets = new long[problem.size()];
    int[] memories = new int[problem.size()];
    for (int i = 0; i < offsets.length; i++) {
      Buffer buffer = problem.buffer(i);
      Place place = places.get(buffer.id());
      if (place == null) {
        String what =
            "buffer \"%s\" of the problem is missing in the plan; is it that of another problem?";
        throw new InputException(file, "", what, buffer.id());
      }
      checkSame(buffer, "lower", place.lower(), buffer.live().start(), place);
      checkSame(buffer, "upper", place.upper(), buffer.live().end(), place);
      checkSame(buffer, "size", place.size(), buffer.size(), place);
      offsets[i] = place.offset();
      memories[i] = place.memory() == null ? onlyMemory(problem, i, place) : memory(problem, place);
    }
    if (places.size() > offsets.length) {
      checkNoneTooMany(problem);
    }
    return Placement.of(offsets, memories);
  }

  /**
   * Where a problem's buffers are in the plan of an earlier version of it.
   *
   * @param offsets in bytes, by the problem's buffers; -1 for those that the plan does not have
   * @param memories by index
   * @param changed whether size or live range is another in the plan, as far as it says
   * @param byId how many were found by their id
   * @param byShape how many others by their size and live range
   */
  public record Earlier(long[] offsets, int[] memories, boolean[] changed, int byId, int byShape) {}

  /**
   * Finds a problem's buffers in the plan of an earlier version of it: by id, and those that are
   * left, in the file's order, by size and live range. What the plan has besides is passed over.
   * O(n).
   */
  public Earlier earlier(PackingProblem problem) {
    int count = problem.size();
    Place[] found = new Place[count];
    Map<String, Place> left = new LinkedHashMap<>(places);
    int byId = 0;
    for (int i = 0; i < count; i++) {
      found[i] = left.remove(problem.buffer(i).id());
      byId += found[i] == null ? 0 : 1;
    }
    Map<List<Long>, Deque<Place>> byShape = new HashMap<>();
    for (Place place : left.values()) {
      List<Long> shape = List.of(place.size(), place.lower(), place.upper());
      byShape.computeIfAbsent(shape, k -> new ArrayDeque<>()).add(place);
    }
    int alike = 0;
    long[] offsets = new long[count];
    int[] memories = new int[count];
    boolean[] changed = new boolean[count];
    for (int i = 0; i < count; i++) {
      Buffer buffer = problem.buffer(i);
      List<Long> shape =
          List.of(buffer.size(), (long) buffer.live().start(), (long) buffer.live().end());
      if (found[i] == null && byShape.containsKey(shape)) {
        found[i] = byShape.get(shape).poll();
        alike += found[i] == null ? 0 : 1;
      }
      offsets[i] = Buffer.NONE;
      if (found[i] != null) {
        Place place = found[i];
        memories[i] = memoryOf(problem, i, place);
        boolean usable =
            memories[i] >= 0 && place.offset() >= 0 && place.offset() <= PackingProblem.LARGEST_SUM;
        offsets[i] = usable ? place.offset() : Buffer.NONE;
        changed[i] =
            differs(place.size(), buffer.size())
                || differs(place.lower(), buffer.live().start())
                || differs(place.upper(), buffer.live().end());
      }
    }
    return new Earlier(offsets, memories, changed, byId, alike);
  }

  private static boolean differs(long found, long wanted) {
    return found != UNKNOWN && found != wanted;
  }

  /** The memory a buffer was in, by index; -1 where the problem has none of that name. */
  private static int memoryOf(PackingProblem problem, int buffer, Place place) {
    return place.memory() == null
        ? problem.preferredMemory(buffer)
        : Memory.indexOf(problem.memories(), place.memory());
  }

  private void checkSame(Buffer buffer, String what, long found, long wanted, Place place) {
    if (differs(found, wanted)) {
      throw fault(
          place,
          "%s %s of buffer \"%s\" should be the problem's, %s; is it the plan of another problem?",
          what,
          found,
          buffer.id(),
          wanted);
    }
  }

  private InputException fault(Place place, String what, Object... arguments) {
    return InputException.atLine(file, place.line(), what, arguments);
  }

  private int onlyMemory(PackingProblem problem, int buffer, Place place) {
    long mask = problem.allowedMask(buffer);
    if (Long.bitCount(mask) != 1) {
      String what = "buffer \"%s\" may be in several memories; the plan should name one of %s";
      throw fault(place, what, problem.buffer(buffer).id(), names(problem));
    }
    return Long.numberOfTrailingZeros(mask);
  }

  private int memory(PackingProblem problem, Place place) {
    int index = Memory.indexOf(problem.memories(), place.memory());
    if (index < 0) {
      throw fault(place, "memory \"%s\" should be one of %s", place.memory(), names(problem));
    }
    return index;
  }

  private static List<String> names(PackingProblem problem) {
    return problem.memories().stream().map(Memory::name).toList();
  }

  private void checkNoneTooMany(PackingProblem problem) {
    Map<String, Place> left = new LinkedHashMap<>(places);
    problem.buffers().forEach(buffer -> left.remove(buffer.id()));
    Map.Entry<String, Place> first = left.entrySet().iterator().next();
    String what = "the problem has no buffer \"%s\"; is it the plan of another problem?";
    throw fault(first.getValue(), what, first.getKey());
  }

  private void put(String id, Place place) {
    for (long step : new long[] {place.lower(), place.upper()}) {
      if (step != UNKNOWN && step != (int) step) {
        throw fault(place, "step %s of buffer \"%s\" should fit 32 bits", step, id);
      }
    }
    boolean known = place.lower() != UNKNOWN && place.upper() != UNKNOWN;
    if (known && place.upper() < place.lower()) {
      String what = "upper %s of buffer \"%s\" should be at least its lower, %s";
      throw fault(place, what, place.upper(), id, place.lower());
    }
    Place earlier = places.putIfAbsent(id, place);
    if (earlier != null) {
      throw fault(
          place, "id \"%s\" is defined on line %s already; ids are unique", id, earlier.line());
    }
  }

  private void readCsv() {
    try (CsvRows rows = new CsvRows(file)) {
      List<String> columns = rows.next() ? rows.names() : List.of();
      String idName = present(columns, IDS);
      String offsetName = present(columns, List.of("offset"));
      String lowerName = firstOf(columns, LOWERS);
      String upperName = firstOf(columns, UPPERS);
      while (rows.next()) {
        if (rows.fields() != columns.size()) {
          String what = "has %s fields, but the first line names %s columns";
          throw rows.fault(what, rows.fields(), columns.size());
        }
        int memory = columns.indexOf("memory");
        String named = memory < 0 ? "" : rows.text(memory, "memory").strip();
        long upper = number(rows, columns, upperName);
        boolean inclusive = "end".equals(upperName) && upper < Long.MAX_VALUE;
        put(
            rows.text(columns.indexOf(idName), idName),
            new Place(
                rows.number(columns.indexOf(offsetName), offsetName),
                named.isEmpty() ? null : named,
                number(rows, columns, lowerName),
                inclusive ? upper + 1 : upper,
                number(rows, columns, "size"),
                rows.line()));
      }
    }
  }

  private static String firstOf(List<String> columns, List<String> names) {
    return names.stream().filter(columns::contains).findFirst().orElse(null);
  }

  private String present(List<String> columns, List<String> names) {
    String found = firstOf(columns, names);
    if (found == null) {
      String what = "column \"%s\" is missing; a plan needs the columns id and offset";
      throw InputException.atLine(file, 1, what, names.get(0));
    }
    return found;
  }

  private static long number(CsvRows rows, List<String> columns, String name) {
    int field = columns.indexOf(name);
    // A number that is given never reads as none.
    return field < 0 ? UNKNOWN : Math.max(UNKNOWN + 1, rows.number(field, name));
  }

  private void readJson() {
    boolean[] listed = new boolean[1];
    try (JsonCursor json = new JsonCursor(file)) {
      json.object(
          null,
          field -> {
            if (field.equals("placements") && !json.isNull()) {
              listed[0] = true;
              places.clear();
              json.array(() -> readPlace(json));
            } else if (field.equals("status")) {
              status = json.tree().asText();
            } else if (field.equals("problem")) {
              problem = json.tree().asText();
            } else {
              json.skip();
            }
            return true;
          });
    }
    if (!listed[0]) {
      throw new InputException(
          file, "", "has no field \"placements\", which should list the buffers' offsets");
    }
  }

  private void readPlace(JsonCursor json) {
    int line = json.line();
    Map<String, Object> read =
        json.fields(
            null,
            field ->
                switch (field) {
                  case "id" -> json.label();
                  case "memory" -> json.isNull() ? null : json.label();
                  case "offset", "lower", "upper", "size" ->
                      json.integer(UNKNOWN + 1, Long.MAX_VALUE);
                  default -> json.skipped();
                });
    json.require(read, "id", "offset");
    put(
        (String) read.get("id"),
        new Place(
            (long) read.get("offset"),
            (String) read.get("memory"),
            (long) read.getOrDefault("lower", UNKNOWN),
            (long) read.getOrDefault("upper", UNKNOWN),
            (long) read.getOrDefault("size", UNKNOWN),
            line));
  }
}
