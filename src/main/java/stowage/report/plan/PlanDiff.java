package stowage.report.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.report.RunReport;
import stowage.report.format.AlignedText;
import stowage.report.format.NameText;
import stowage.text.JsonWriter;

/**
 * How two plans of one problem differ: their peaks, what is wrong with either, which buffers moved
 * and whose place they take.
 *
 * <p>A buffer <em>takes the place of</em> another when its new bytes, at some step of its live
 * range, are bytes that the other has in the first plan. That is looked up for problems of up to
 * 20,000 buffers, in O(moved x buffers).
 */
public final class PlanDiff {
  private static final int MOST_LOOKED_UP = 20_000;
  private static final int ROWS_SHOWN = 20;
  private static final int PLACES_SHOWN = 3;

  private final PackingProblem problem;
  private final Side first;
  private final Side second;
  private final List<Move> moves = new ArrayList<>();
  private final long bytesMoved;

  private record Side(String name, Placement placement, List<Violation> violations) {}

  /**
   * A buffer that is elsewhere in the second plan, and the buffers whose places in the first plan
   * it takes.
   */
  private record Move(int buffer, List<Integer> takesPlaceOf) {}

  private PlanDiff(PackingProblem problem, Side first, Side second) {
    this.problem = problem;
    this.first = first;
    this.second = second;
    long moved = 0;
    for (int i = 0; i < problem.size(); i++) {
      if (first.placement.offset(i) != second.placement.offset(i)
          || first.placement.memory(i) != second.placement.memory(i)) {
        moves.add(new Move(i, problem.size() <= MOST_LOOKED_UP ? takesPlaceOf(i) : List.of()));
        moved += problem.buffer(i).size();
      }
    }
    bytesMoved = moved;
    moves.sort(Comparator.comparingLong(move -> -problem.buffer(move.buffer).size()));
  }

  /** Compares two placements of a problem, valid or not, each by a name such as its file's. */
  public static PlanDiff of(
      PackingProblem problem,
      String firstName,
      Placement first,
      String secondName,
      Placement second) {
    return new PlanDiff(
        problem,
        new Side(firstName, first, Verifier.violations(problem, first)),
        new Side(secondName, second, Verifier.violations(problem, second)));
  }

  private List<Integer> takesPlaceOf(int index) {
    Buffer mover = problem.buffer(index);
    int memory = second.placement.memory(index);
    long low = second.placement.offset(index);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < problem.size(); i++) {
      Buffer other = problem.buffer(i);
      long there = first.placement.offset(i);
      if (i != index
          && first.placement.memory(i) == memory
          && mover.live().overlaps(other.live())
          && Math.max(low, there) < Math.min(low + mover.size(), there + other.size())
          && mover.clashes(low, other, there)) {
        found.add(i);
      }
    }
    return found;
  }

  /** Whether both plans place every buffer alike. */
  public boolean isSame() {
    return moves.isEmpty();
  }

  /** The comparison for a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(NameText.plain(problem.name())).append(": ");
    text.append(first.name).append(" -> ").append(second.name).append('\n');
    AlignedText facts = new AlignedText("lrrr");
    for (int m = 0; m < problem.memories().size(); m++) {
      long before = first.placement.peak(problem, m);
      long after = second.placement.peak(problem, m);
      String of = problem.memories().size() == 1 ? "" : " of " + problem.memories().get(m).name();
      facts.row("peak" + of, before, after, change(before, after));
    }
    text.append(facts.text("  "));
    appendFaults(text, first);
    appendFaults(text, second);
    if (isSame()) {
      return text.append("  both place every buffer alike\n").toString();
    }
    text.append("  moved: ").append(ByteText.exact(moves.size())).append(" of ");
    text.append(ByteText.exact(problem.size())).append(" buffers, ");
    text.append(ByteText.both(bytesMoved)).append("\n\n");
    AlignedText table = new AlignedText("lrrrrl");
    table.row("id", "bytes", "alive", "was at", "is at", "overlaps old place of");
    for (Move move : moves.subList(0, Math.min(ROWS_SHOWN, moves.size()))) {
      Buffer buffer = problem.buffer(move.buffer);
      String was = place(first, move.buffer);
      String is = place(second, move.buffer);
      table.row(buffer.id(), buffer.size(), buffer.live(), was, is, names(move.takesPlaceOf));
    }
    text.append(table.text("  "));
    int more = moves.size() - ROWS_SHOWN;
    return text.append(more > 0 ? "  and " + ByteText.exact(more) + " more\n" : "").toString();
  }

  private static String change(long before, long after) {
    String sign = after > before ? "+" : "";
    String share = sign + ByteText.percent(RunReport.gap(after, before));
    return after == before
        ? "the same"
        : sign + ByteText.exact(after - before) + " (" + share + ")";
  }

  private void appendFaults(StringBuilder text, Side side) {
    side.violations.forEach(
        one -> text.append("  not valid: %s: %s\n".formatted(side.name, one.text())));
  }

  private String place(Side side, int buffer) {
    String offset = ByteText.exact(side.placement.offset(buffer));
    return problem.memories().size() == 1
        ? offset
        : problem.memories().get(side.placement.memory(buffer)).name() + " " + offset;
  }

  private String names(List<Integer> buffers) {
    int more = buffers.size() - PLACES_SHOWN;
    return buffers.stream()
            .limit(PLACES_SHOWN)
            .map(i -> problem.buffer(i).id())
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** The comparison as one JSON object; see {@code docs/answer-format.md}. */
  public String json() {
    return JsonWriter.text(
        json -> {
          json.object().put("schemaVersion", PlanJson.SCHEMA_VERSION);
          json.put("problem", problem.name()).put("buffers", problem.size());
          writeSide(json, "first", first);
          writeSide(json, "second", second);
          json.put("same", isSame()).put("moved", moves.size()).put("bytesMoved", bytesMoved);
          json.array("moves", moves, move -> writeMove(json, move)).end();
        });
  }

  private void writeSide(JsonWriter json, String field, Side side) {
    json.object(field).put("name", side.name).put("valid", side.violations.isEmpty());
    json.object("peaks");
    for (int m = 0; m < problem.memories().size(); m++) {
      json.put(problem.memories().get(m).name(), side.placement.peak(problem, m));
    }
    json.end().list("violations", side.violations.stream().map(Violation::text).toList()).end();
  }

  private void writeMove(JsonWriter json, Move move) {
    Buffer buffer = problem.buffer(move.buffer);
    json.object().put("id", buffer.id()).put("size", buffer.size());
    json.put("from", first.placement.offset(move.buffer));
    json.put("to", second.placement.offset(move.buffer));
    if (problem.memories().size() > 1) {
      int before = first.placement.memory(move.buffer);
      int after = second.placement.memory(move.buffer);
      json.put("fromMemory", problem.memories().get(before).name());
      json.put("toMemory", problem.memories().get(after).name());
    }
    json.list("takesPlaceOf", move.takesPlaceOf.stream().map(i -> problem.buffer(i).id()).toList());
    json.end();
  }
}
