package stowage.report.format;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;

/**
 * Grid of methods against inputs: each cell holds how far a method's result is above what is proven
 * of the input. Lines are sorted by the geometric mean of result / bound, the least first.
 *
 * @param method what a line is, such as {@code planner}
 * @param lines the methods, sorted
 */
public record GapGrid(String method, List<Input> inputs, List<Line> lines) {
  /** Bounds below this many bytes are given in bytes. */
  private static final long LEAST_IN_KIB = 10 << 10;

  /** An input with what is proven of it, in bytes, and whether a result meets that. */
  public record Input(String name, long bound, boolean closed) {}

  /**
   * A method: its distance from each input's bound as a share (NaN: no result), and the geometric
   * mean of 1 + share over the inputs with a result, less 1 (NaN: none has one).
   */
  public record Line(String name, List<Double> shares, double mean) {
    public static Line of(String name, List<Double> shares) {
      double[] logs =
          shares.stream().filter(s -> !s.isNaN()).mapToDouble(s -> Math.log1p(s)).toArray();
      double sum = 0;
      for (double log : logs) {
        sum += log;
      }
      return new Line(
          name,
          Collections.unmodifiableList(new ArrayList<>(shares)),
          logs.length == 0 ? Double.NaN : Math.expm1(sum / logs.length));
    }
  }

  /** Sorts the lines; equal means keep their order, lines without a mean come last. */
  public GapGrid {
    inputs = List.copyOf(inputs);
    lines = lines.stream().sorted(Comparator.comparingDouble(Line::mean)).toList();
  }

  /** The grid in Markdown, distances in percent. */
  public String markdown() {
    Table table = new Table().texts(method);
    inputs.forEach(input -> table.figures(input.name()));
    table.figures("mean");
    boolean small = inputs.stream().anyMatch(input -> input.bound() < LEAST_IN_KIB);
    table.cells("*proven bound, " + (small ? "bytes" : "KiB") + "*");
    for (Input input : inputs) {
      String open = input.closed() ? "" : " (open)";
      table.cells(ByteText.exact(small ? input.bound() : input.bound() >> 10) + open);
    }
    table.cells("");
    for (Line line : lines) {
      table.cells("`" + line.name() + "`");
      line.shares().forEach(share -> table.cells(cell(share)));
      table.cells(cell(line.mean()));
    }
    return table.markdown();
  }

  private static String cell(double share) {
    if (Double.isNaN(share)) {
      return "–";
    }
    String percent =
        share < 0.0005 ? "≤ 0.1 %" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
    return share == 0 ? "**0**" : percent;
  }
}
