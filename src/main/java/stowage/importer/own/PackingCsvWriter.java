package stowage.importer.own;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/** Writer of one file of {@link PackingCsv}: a problem, or a plan where a placement is given. */
final class PackingCsvWriter {
  private final OutputStream out;
  private final PackingProblem problem;
  private final Placement placement;
  private final Map<String, Cell> columns = new LinkedHashMap<>();
  private final byte[] digits = new byte[20];

  private interface Cell {
    void write(Buffer buffer, int index) throws IOException;
  }

  PackingCsvWriter(
      OutputStream out, PackingProblem problem, Placement placement, IntFunction<String> tensors) {
    this.out = out;
    this.problem = problem;
    this.placement = placement;
    boolean plan = placement != null;
    column(true, "id", (buffer, i) -> field(buffer.id()));
    column(true, "lower", (buffer, i) -> number(buffer.live().start()));
    column(true, "upper", (buffer, i) -> number(buffer.live().end()));
    column(true, "size", (buffer, i) -> number(buffer.size()));
    column(true, "alignment", (buffer, i) -> number(alignment(buffer, i)));
    column(
        plan || any(Buffer::isFixed),
        "offset",
        (buffer, i) -> number(plan ? placement.offset(i) : buffer.fixedOffset()));
    column(any(buffer -> !buffer.gaps().isEmpty()), "gaps", (buffer, i) -> gaps(buffer.gaps()));
    column(
        !plan && any(buffer -> buffer.hint() != Buffer.NONE),
        "hint",
        (buffer, i) -> number(buffer.hint()));
    column(severalMemories(), "memory", (buffer, i) -> field(memories(buffer, i)));
    column(any(Buffer::withinBank), "within_bank", (buffer, i) -> flag(buffer.withinBank()));
    column(any(Buffer::holdsPlace), "holds_place", (buffer, i) -> flag(buffer.holdsPlace()));
    column(tensors != null, "tensors", (buffer, i) -> field(tensors.apply(i)));
  }

  private void column(boolean wanted, String name, Cell cell) {
    if (wanted) {
      columns.put(name, cell);
    }
  }

  private boolean any(Predicate<Buffer> having) {
    return problem.buffers().stream().anyMatch(having);
  }

  private boolean severalMemories() {
    return problem.memories().size() > 1;
  }

  void write() throws IOException {
    text(String.join(",", columns.keySet()));
    Cell[] cells = columns.values().toArray(Cell[]::new);
    out.write('\n');
    for (int i = 0; i < problem.size(); i++) {
      for (int c = 0; c < cells.length; c++) {
        if (c > 0) {
          out.write(',');
        }
        cells[c].write(problem.buffer(i), i);
      }
      out.write('\n');
    }
  }

  /** What a column has for a buffer, without quotes; empty for a column that is not written. */
  String cell(String column, int index, ByteArrayOutputStream into) throws IOException {
    into.reset();
    columns.getOrDefault(column, (buffer, i) -> {}).write(problem.buffer(index), index);
    String text = into.toString(StandardCharsets.UTF_8);
    return text.startsWith("\"")
        ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
        : text;
  }

  /**
   * The memory's alignment is written into the buffers wherever it is known which memory; a fixed
   * offset that contradicts it, so that nothing can be placed, keeps the buffer's own.
   */
  private long alignment(Buffer buffer, int index) {
    if (placement != null) {
      return problem.alignment(index, placement.memory(index));
    }
    long common = severalMemories() ? buffer.alignment() : problem.alignment(index, 0);
    return buffer.isFixed() && buffer.fixedOffset() % common != 0 ? buffer.alignment() : common;
  }

  private String memories(Buffer buffer, int index) {
    return placement != null
        ? memoryName(problem.memories().get(placement.memory(index)).name())
        : buffer.memories().stream()
            .map(PackingCsvWriter::memoryName)
            .collect(Collectors.joining(" "));
  }

  private static String memoryName(String name) {
    if (name.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(
          "memory \"" + name + "\" has a blank in its name, which separates names in CSV");
    }
    return name;
  }

  private void gaps(List<Gap> written) throws IOException {
    for (int k = 0; k < written.size(); k++) {
      Gap gap = written.get(k);
      text((k > 0 ? " " : "") + gap.range().start() + "-" + gap.range().end());
      text(gap.hasWindow() ? "@" + gap.windowStart() + ":" + gap.windowEnd() : "");
    }
  }

  private void number(long value) throws IOException {
    if (value < 0) {
      text(Long.toString(value));
      return;
    }
    int at = digits.length;
    long rest = value;
    do {
      digits[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    out.write(digits, at, digits.length - at);
  }

  private void flag(boolean set) throws IOException {
    out.write(set ? '1' : '0');
  }

  private void field(String value) throws IOException {
    boolean quoted = false;
    for (int k = 0; k < value.length() && !quoted; k++) {
      quoted = ",\"\n\r".indexOf(value.charAt(k)) >= 0;
    }
    text(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
  }

  private void text(String value) throws IOException {
    out.write(value.getBytes(StandardCharsets.UTF_8));
  }
}
