package stowage.importer.own;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/** Writes one file of {@link PackingCsv}: a problem, or a plan where a placement is given. */
final class PackingCsvWriter {
  private final PackingProblem problem;
  private final Placement placement;
  private final IntFunction<String> tensors;
  private final boolean offsets;
  private final boolean gaps;
  private final boolean hints;
  private final boolean memories;
  private final boolean withinBank;
  private final boolean holdsPlace;
  private final byte[] digits = new byte[20];

  PackingCsvWriter(PackingProblem problem, Placement placement, IntFunction<String> tensors) {
    this.problem = problem;
    this.placement = placement;
    this.tensors = tensors;
    boolean anyFixed = false;
    boolean anyGaps = false;
    boolean anyHints = false;
    boolean anyWithinBank = false;
    boolean anyHoldsPlace = false;
    for (Buffer buffer : problem.buffers()) {
      anyFixed |= buffer.isFixed();
      anyGaps |= !buffer.gaps().isEmpty();
      anyHints |= buffer.hint() != Buffer.NONE;
      anyWithinBank |= buffer.withinBank();
      anyHoldsPlace |= buffer.holdsPlace();
    }
    this.offsets = anyFixed || placement != null;
    this.gaps = anyGaps;
    this.hints = anyHints && placement == null;
    this.memories = problem.memories().size() > 1;
    this.withinBank = anyWithinBank;
    this.holdsPlace = anyHoldsPlace;
  }

  void write(OutputStream out) throws IOException {
    text(out, "id,lower,upper,size,alignment");
    text(out, offsets ? ",offset" : "");
    text(out, gaps ? ",gaps" : "");
    text(out, hints ? ",hint" : "");
    text(out, memories ? ",memory" : "");
    text(out, withinBank ? ",within_bank" : "");
    text(out, holdsPlace ? ",holds_place" : "");
    text(out, tensors != null ? ",tensors" : "");
    out.write('\n');
    for (int i = 0; i < problem.size(); i++) {
      row(out, i);
    }
  }

  private void row(OutputStream out, int index) throws IOException {
    Buffer buffer = problem.buffer(index);
    field(out, buffer.id());
    out.write(',');
    number(out, buffer.live().start());
    out.write(',');
    number(out, buffer.live().end());
    out.write(',');
    number(out, buffer.size());
    out.write(',');
    number(out, alignment(buffer, index));
    if (offsets) {
      out.write(',');
      number(out, placement == null ? buffer.fixedOffset() : placement.offset(index));
    }
    if (gaps) {
      out.write(',');
      gaps(out, buffer.gaps());
    }
    if (hints) {
      out.write(',');
      number(out, buffer.hint());
    }
    if (memories) {
      out.write(',');
      field(out, memories(buffer, index));
    }
    if (withinBank) {
      text(out, buffer.withinBank() ? ",1" : ",0");
    }
    if (holdsPlace) {
      text(out, buffer.holdsPlace() ? ",1" : ",0");
    }
    if (tensors != null) {
      out.write(',');
      field(out, tensors.apply(index));
    }
    out.write('\n');
  }

  /**
   * The memory's alignment is written into the buffers wherever it is known which memory; a fixed
   * offset that contradicts it, so that nothing can be placed, keeps the buffer's own.
   */
  private long alignment(Buffer buffer, int index) {
    if (placement != null) {
      return problem.alignment(index, placement.memory(index));
    }
    long common = memories ? buffer.alignment() : problem.alignment(index, 0);
    return buffer.isFixed() && buffer.fixedOffset() % common != 0 ? buffer.alignment() : common;
  }

  private String memories(Buffer buffer, int index) {
    if (placement != null) {
      return memoryName(problem.memories().get(placement.memory(index)).name());
    }
    StringBuilder names = new StringBuilder();
    for (String name : buffer.memories()) {
      names.append(names.length() == 0 ? "" : " ").append(memoryName(name));
    }
    return names.toString();
  }

  private static String memoryName(String name) {
    if (name.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(
          "memory \"" + name + "\" has a blank in its name, which separates names in CSV");
    }
    return name;
  }

  private void gaps(OutputStream out, List<Gap> written) throws IOException {
    for (int k = 0; k < written.size(); k++) {
      Gap gap = written.get(k);
      if (k > 0) {
        out.write(' ');
      }
      number(out, gap.range().start());
      out.write('-');
      number(out, gap.range().end());
      if (gap.hasWindow()) {
        out.write('@');
        number(out, gap.windowStart());
        out.write(':');
        number(out, gap.windowEnd());
      }
    }
  }

  private void number(OutputStream out, long value) throws IOException {
    if (value < 0) {
      text(out, Long.toString(value));
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

  private static void field(OutputStream out, String value) throws IOException {
    boolean quoted = false;
    for (int k = 0; k < value.length() && !quoted; k++) {
      char c = value.charAt(k);
      quoted = c == ',' || c == '"' || c == '\n' || c == '\r';
    }
    text(out, quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
  }

  private static void text(OutputStream out, String value) throws IOException {
    out.write(value.getBytes(StandardCharsets.UTF_8));
  }
}
