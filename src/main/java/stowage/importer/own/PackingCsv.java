package stowage.importer.own;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.CsvRows;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;

/**
 * Packing problems and plans as CSV, in the format of MiniMalloc (github.com/google/minimalloc,
 * converter.cc) with columns of our own, as {@code docs/packing-format.md} describes them.
 *
 * <p>Other columns are ignored, as MiniMalloc does, so that notes and our own {@code tensors} can
 * be there; but a column whose name is nearly that of a known one that is absent is refused, since
 * ignoring a mistyped {@code aligment} would change the problem in silence.
 *
 * <p>Reading and writing take linear time and memory: about a second for a million buffers.
 */
public final class PackingCsv {
  /** What a plan says again of its problem. */
  private static final List<String> CLAIMED =
      List.of("alignment", "gaps", "within_bank", "holds_place", "tensors");

  private PackingCsv() {}

  /** Reads a problem, named after the file, with everything that is there. */
  public static PackingProblem read(Path file) {
    return read(file, false);
  }

  /**
   * Reads a problem, named after the file.
   *
   * <p>Without a column {@code memory} there is one unbounded memory {@code main}. With it, the
   * memories are those it names, unbounded: one that some row prefers to another is before it, and
   * otherwise the one that is named first.
   *
   * @param ignoreOffsets whether the column {@code offset} is dropped, so that nothing is fixed and
   *     a plan can be planned again
   * @throws InputException with one line that names the file, line, column, value and what is right
   */
  public static PackingProblem read(Path file, boolean ignoreOffsets) {
    return readInput(file, ignoreOffsets).problem();
  }

  /** The same, with a remark where an empty line keeps rows from being read. */
  public static Input.Packing readInput(Path file, boolean ignoreOffsets) {
    try (CsvRows rows = new CsvRows(file)) {
      PackingProblem problem = new PackingCsvReader(file, rows, ignoreOffsets).read();
      List<String> remarks =
          rows.hasTextBehind()
              ? List.of("line " + rows.line() + " is empty, and what follows it was not read")
              : List.of();
      return new Input.Packing(problem, remarks);
    }
  }

  /** Writes a problem under the canonical names; {@link #omissions} says what CSV cannot hold. */
  public static void write(Path file, PackingProblem problem) throws IOException {
    AtomicFiles.write(file, out -> write(out, problem));
  }

  /** The same to a stream, which stays open. */
  public static void write(OutputStream out, PackingProblem problem) throws IOException {
    write(out, problem, null, null);
  }

  /** Writes a plan: the problem with every buffer's offset, and its memory if there are several. */
  public static void write(Path file, PackingProblem problem, Placement placement)
      throws IOException {
    AtomicFiles.write(file, out -> write(out, problem, placement, null));
  }

  /**
   * The same to a stream, which stays open, with a last column of what each buffer carries; null
   * for no such column.
   */
  public static void write(
      OutputStream out, PackingProblem problem, Placement placement, IntFunction<String> tensors)
      throws IOException {
    new PackingCsvWriter(out, problem, placement, tensors).write();
  }

  /**
   * False statements of a plan's CSV about its buffers, other than their places, one sentence each;
   * an empty cell states nothing. O(file size).
   *
   * @param tensors what each buffer carries; null where that is not known
   */
  public static List<String> contradictions(
      Path plan, PackingProblem problem, Placement placement, IntFunction<String> tensors) {
    List<String> found = new ArrayList<>();
    ByteArrayOutputStream cell = new ByteArrayOutputStream();
    PackingCsvWriter writer = new PackingCsvWriter(cell, problem, placement, tensors);
    Map<String, Integer> numbers = new HashMap<>();
    problem.buffers().forEach(buffer -> numbers.put(buffer.id(), numbers.size()));
    try (CsvRows rows = new CsvRows(plan)) {
      rows.next();
      List<String> names = rows.names();
      while (names.contains("id") && rows.next()) {
        int buffer = numbers.getOrDefault(rows.text(names.indexOf("id"), "id"), -1);
        for (String column : buffer < 0 ? List.<String>of() : CLAIMED) {
          int field = names.indexOf(column);
          String said = field < 0 ? "" : rows.text(field, column).strip();
          String is = writer.cell(column, buffer, cell);
          boolean flag = column.equals("within_bank") || column.equals("holds_place");
          said = flag ? said.replace("true", "1").replaceFirst("^(false|0)$", "") : said;
          is = flag ? is.replace("0", "") : is;
          boolean known = !column.equals("tensors") || tensors != null;
          boolean stricter = column.equals("alignment") && isStricter(said, is, placement, buffer);
          if (known && !said.isEmpty() && !said.equals(is) && !stricter) {
            String what = "the plan says that %s of buffer \"%s\" is %s; it is %s";
            String right = is.isEmpty() ? "none" : is;
            found.add(what.formatted(column, problem.buffer(buffer).id(), said, right));
          }
        }
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return found;
  }

  /** Whether an offset has more than the alignment asked for, as a plan made with more says. */
  private static boolean isStricter(String said, String is, Placement placement, int buffer) {
    long more = said.matches("[1-9]\\d{0,17}") ? Long.parseLong(said) : 0;
    return more > 0 && more % Long.parseLong(is) == 0 && placement.offset(buffer) % more == 0;
  }

  /**
   * What of a problem is lost in CSV: one phrase each, empty when it goes round trip. The alignment
   * of the only memory is not lost; it is written as every buffer's own.
   */
  public static List<String> omissions(PackingProblem problem) {
    List<String> lost = new ArrayList<>();
    boolean one = problem.memories().size() == 1;
    for (Memory memory : problem.memories()) {
      String of = " of memory \"" + memory.name() + "\"";
      add(lost, memory.isBounded(), "the capacity " + memory.capacity() + of);
      add(lost, memory.base() != 0, "the base " + memory.base() + of);
      add(lost, memory.bankSize() != 0, "the bank size " + memory.bankSize() + of);
      add(lost, !memory.reserved().isEmpty(), "the reserved ranges" + of);
      add(lost, memory.alignment() != 1 && !one, "the alignment " + memory.alignment() + of);
      boolean named = one && !memory.name().equals(Memory.MAIN);
      add(lost, named, "the name of memory \"" + memory.name() + "\"");
    }
    Relations relations = problem.relations();
    count(lost, problem.conflicts().count(), "extra conflicts");
    count(lost, relations.reuse().size(), "reuse pairs");
    count(lost, relations.together().size(), "pairs kept together");
    count(lost, relations.exclusive().count(), "exclusive pairs");
    count(lost, relations.otherBank().count(), "pairs in different banks");
    add(lost, !problem.goals().isEmpty(), "the objective");
    return lost;
  }

  private static void count(List<String> lost, long count, String what) {
    add(lost, count > 0, count + " " + what);
  }

  private static void add(List<String> lost, boolean applies, String what) {
    if (applies) {
      lost.add(what);
    }
  }
}
