package stowage.importer.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reader of a CSV file row by row without an object for every field: the bytes of the current row
 * are in one array that is used again, and fields are ranges of it.
 *
 * <p>Fields are separated by commas and quoted by RFC 4180: a field that begins with a quotation
 * mark ends at the next single one, may hold commas and line ends, and doubles its quotation marks.
 * Lines end with LF or CR LF. A UTF-8 byte order mark at the start is skipped. Reading stops at the
 * first empty line, as MiniMalloc's does. A NUL byte means that the file is no text. Not
 * thread-safe.
 */
public final class CsvRows implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int LONGEST_ROW_BYTES = 1 << 26;
  private static final int END_OF_FILE = -1;
  private static final int LONGEST_SHOWN = 60;

  private final Path file;
  private final InputStream in;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkAt;
  private int chunkEnd;

  private byte[] row = new byte[1024];
  private int rowBytes;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private int fields;
  private long nextLine = 1;
  private long line;
  private boolean ended;

  /** Opens a file; it is a fault when that fails. */
  public CsvRows(Path file) {
    this.file = file;
    this.in = InputFiles.open(file);
    try {
      skipByteOrderMark();
    } catch (InputException failure) {
      close();
      throw failure;
    }
  }

  private void skipByteOrderMark() {
    int more = 0;
    while (chunkEnd < 3 && more >= 0) { // a pipe may deliver its first bytes in pieces
      more = readInto(chunkEnd);
      chunkEnd += Math.max(0, more);
    }
    if (chunkEnd >= 3
        && chunk[0] == (byte) 0xef
        && chunk[1] == (byte) 0xbb
        && chunk[2] == (byte) 0xbf) {
      chunkAt = 3;
    }
  }

  private int readInto(int from) {
    try {
      return in.read(chunk, from, CHUNK_BYTES - from);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
  }

  /** Makes sure that the chunk holds an unread byte; false at the end of the file. */
  private boolean hasByte() {
    if (chunkAt < chunkEnd) {
      return true;
    }
    chunkAt = 0;
    chunkEnd = Math.max(0, readInto(0));
    return chunkEnd > 0;
  }

  /**
   * Goes to the next row; false at the end of the file or at an empty line. It is a fault when the
   * bytes are no text or a quotation mark is not closed.
   */
  public boolean next() {
    line = nextLine;
    rowBytes = 0;
    fields = 0;
    if (ended || !hasByte()) {
      ended = true;
      return false;
    }
    boolean quotedFirst = chunk[chunkAt] == '"';
    int separator;
    do {
      int start = rowBytes;
      separator = hasByte() && chunk[chunkAt] == '"' ? readQuoted() : readPlain();
      addField(start);
    } while (separator == ',');
    ended = fields == 1 && rowBytes == 0 && !quotedFirst;
    return !ended;
  }

  /** Whether more than white space follows the last row; no row can be read afterwards. */
  public boolean hasTextBehind() {
    ended = true;
    while (hasByte()) {
      if (!Character.isWhitespace(chunk[chunkAt])) {
        return true;
      }
      chunkAt++;
    }
    return false;
  }

  /** Reads a field without quotation marks; returns what ended it. */
  private int readPlain() {
    int start = rowBytes;
    while (hasByte()) {
      int from = chunkAt;
      while (chunkAt < chunkEnd && !endsPlain(chunk[chunkAt])) {
        chunkAt++;
      }
      append(from, chunkAt);
      if (chunkAt < chunkEnd) {
        byte b = chunk[chunkAt++];
        if (b == 0) {
          throw binary();
        }
        if (b == '\n') {
          nextLine++;
          dropCarriageReturn(start);
        }
        return b;
      }
    }
    dropCarriageReturn(start);
    return END_OF_FILE;
  }

  private static boolean endsPlain(byte b) {
    return b == ',' || b == '\n' || b == 0;
  }

  private void dropCarriageReturn(int start) {
    if (rowBytes > start && row[rowBytes - 1] == '\r') {
      rowBytes--;
    }
  }

  /** Reads a field within quotation marks; returns what ended it. */
  private int readQuoted() {
    chunkAt++;
    while (hasByte()) {
      byte b = chunk[chunkAt++];
      if (b == 0) {
        throw binary();
      }
      if (b == '\n') {
        nextLine++;
      }
      if (b == '"') {
        if (!hasByte() || chunk[chunkAt] != '"') {
          return afterQuote();
        }
        chunkAt++;
      }
      append(b);
    }
    throw fault("a quotation mark is not closed; a field that begins with one should end with one");
  }

  private int afterQuote() {
    boolean carriageReturn = hasByte() && chunk[chunkAt] == '\r';
    if (carriageReturn) {
      chunkAt++;
    }
    if (!hasByte()) {
      return END_OF_FILE;
    }
    byte b = chunk[chunkAt++];
    if (b == '\n') {
      nextLine++;
      return b;
    }
    if (b == ',' && !carriageReturn) {
      return b;
    }
    String what =
        "a closing quotation mark should be followed by a comma or the line's end;"
            + " inside a quoted field it is doubled";
    throw InputException.atLine(file, nextLine, what);
  }

  private InputException binary() {
    return InputException.atLine(
        file,
        nextLine,
        "holds a zero byte, so it is a binary file or UTF-16; a CSV file in UTF-8 was expected");
  }

  private void append(int from, int to) {
    reserve(to - from);
    System.arraycopy(chunk, from, row, rowBytes, to - from);
    rowBytes += to - from;
  }

  private void append(byte b) {
    reserve(1);
    row[rowBytes++] = b;
  }

  private void reserve(int more) {
    int needed = rowBytes + more;
    if (needed > LONGEST_ROW_BYTES) {
      throw fault("is longer than %s bytes; is it a CSV file?", LONGEST_ROW_BYTES);
    }
    if (needed > row.length) {
      row = Arrays.copyOf(row, Math.max(needed, 2 * row.length));
    }
  }

  private void addField(int start) {
    if (fields == starts.length) {
      starts = Arrays.copyOf(starts, 2 * fields);
      ends = Arrays.copyOf(ends, 2 * fields);
    }
    starts[fields] = start;
    ends[fields++] = rowBytes;
  }

  /** The number of fields of the current row. */
  public int fields() {
    return fields;
  }

  /** The fields of the row as names of columns, without blanks around them. */
  public List<String> names() {
    return IntStream.range(0, fields).mapToObj(k -> text(k, "number " + (k + 1)).strip()).toList();
  }

  /** The line on which the current row begins, counted from 1. */
  public long line() {
    return line;
  }

  /** Whether a field holds nothing, or blanks alone. */
  public boolean isBlank(int field) {
    return firstLetter(field) == ends[field];
  }

  private int firstLetter(int field) {
    int at = starts[field];
    while (at < ends[field] && isBlank(row[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Whether a field holds the very bytes. */
  public boolean holds(int field, byte[] bytes) {
    return Arrays.equals(row, starts[field], ends[field], bytes, 0, bytes.length);
  }

  /** A copy of a field's bytes. */
  public byte[] bytes(int field) {
    return Arrays.copyOfRange(row, starts[field], ends[field]);
  }

  /** A field as text; it is a fault when it is no UTF-8. */
  public String text(int field, String column) {
    int length = ends[field] - starts[field];
    for (int k = starts[field]; k < ends[field]; k++) {
      if (row[k] < 0) {
        return decode(field, length, column);
      }
    }
    return new String(row, starts[field], length, StandardCharsets.ISO_8859_1);
  }

  private String decode(int field, int length, String column) {
    ByteBuffer bytes = ByteBuffer.wrap(row, starts[field], length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException failure) {
      throw error(column, "is not UTF-8 text; the file should be UTF-8");
    }
  }

  /** A field as a whole number of a {@code long}; blanks around it and a sign are allowed. */
  public long number(int field, String column) {
    int end = ends[field];
    while (end > starts[field] && isBlank(row[end - 1])) {
      end--;
    }
    int at = firstLetter(field);
    boolean negative = at < end && row[at] == '-';
    if (at < end && (negative || row[at] == '+')) {
      at++;
    }
    if (at >= end) {
      throw noNumber(field, column);
    }
    long value = 0; // kept negative, since the lowest long has no positive twin
    boolean beyond = false;
    for (; at < end; at++) {
      int digit = row[at] - '0';
      if (digit < 0 || digit > 9) {
        throw noNumber(field, column);
      }
      beyond |= value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit;
      value = value * 10 - digit;
    }
    if (beyond || (!negative && value == Long.MIN_VALUE)) {
      String right = "%s does not fit 64 bits; it should be between %s and %s";
      throw error(column, right, shown(field), Long.MIN_VALUE, Long.MAX_VALUE);
    }
    return negative ? value : -value;
  }

  private InputException noNumber(int field, String column) {
    String given = isBlank(field) ? "is empty; it" : shown(field);
    String unit = column.equals("size") ? " of bytes, such as 4096" : "";
    return error(column, "%s should be a whole number%s", given, unit);
  }

  /** A field as it may be in a message: in quotation marks, cut when long. */
  public String shown(int field) {
    int length = ends[field] - starts[field];
    String text =
        new String(row, starts[field], Math.min(length, LONGEST_SHOWN), StandardCharsets.UTF_8);
    return "\"" + text + (length > LONGEST_SHOWN ? "..." : "") + "\"";
  }

  /** An error in a column of the current row; {@code what} is a pattern, as below. */
  public InputException error(String column, String what, Object... arguments) {
    String where = "line " + line + ", column \"" + column + "\"";
    return new InputException(file, where, what, arguments);
  }

  /** An error of the current row; {@code what} is a pattern where there are arguments. */
  public InputException fault(String what, Object... arguments) {
    return InputException.atLine(file, line, what, arguments);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException ignored) {
      // Nothing was written, and what was read is valid; there is nothing to lose.
    }
  }
}
