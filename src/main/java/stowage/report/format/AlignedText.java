package stowage.report.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.packing.ByteText;

/** Rows of text in aligned columns, for terminals. */
public final class AlignedText {
  /** A narrower last column is not wrapped. */
  private static final int LEAST_ROOM = 20;

  private final boolean[] rightAligned;
  private final List<String[]> rows = new ArrayList<>();

  /** A table with a letter for each column: {@code l} left-aligned, {@code r} right-aligned. */
  public AlignedText(String columns) {
    rightAligned = new boolean[columns.length()];
    for (int c = 0; c < rightAligned.length; c++) {
      rightAligned[c] = columns.charAt(c) == 'r';
    }
  }

  /**
   * Adds a row; missing cells are empty, whole numbers have their digits in groups of three, and
   * nothing in a cell steers the terminal.
   */
  public AlignedText row(Object... cells) {
    rows.add(Arrays.stream(cells).map(AlignedText::text).toArray(String[]::new));
    return this;
  }

  private static String text(Object cell) {
    return cell instanceof Long || cell instanceof Integer
        ? ByteText.exact(((Number) cell).longValue())
        : NameText.plain(cell.toString());
  }

  /** The table without a limit of its width. */
  public String text(String indent) {
    return text(indent, Integer.MAX_VALUE);
  }

  /** The table, each line indented and ended; columns are two spaces apart, the last is wrapped. */
  public String text(String indent, int width) {
    int[] widths = new int[rightAligned.length];
    for (String[] row : rows) {
      for (int c = 0; c < row.length; c++) {
        widths[c] = Math.max(widths[c], width(row[c]));
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int c = 0; c < row.length; c++) {
        String pad = " ".repeat(widths[c] - width(row[c]));
        line.append(rightAligned[c] ? pad + row[c] : row[c] + pad).append("  ");
      }
      int last = line.length() - 2 - widths[row.length - 1];
      text.append(wrapped(line.toString().stripTrailing(), last, width, LEAST_ROOM)).append('\n');
    }
    return text.toString();
  }

  /** A line broken at blanks, its rest from a column on, unless that leaves less than the room. */
  static String wrapped(String line, int column, int width, int room) {
    StringBuilder out = new StringBuilder();
    String left = line;
    int cut = left.lastIndexOf(' ', width);
    while (left.length() > width && width - column >= room && cut > column) {
      out.append(left, 0, cut).append('\n');
      left = " ".repeat(column) + left.substring(cut + 1);
      cut = left.lastIndexOf(' ', width);
    }
    return out.append(left).toString();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
