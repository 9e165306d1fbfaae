package stowage.importer.pytorch;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;

/**
 * Reader of pickles that hold lists, tuples, dicts, texts, numbers, True, False and None. Pickle is
 * a language of a stack machine (CPython, Lib/pickletools.py); its instructions that look up or
 * call something are refused, so a file cannot make this program do anything.
 *
 * <p>The file is read as a stream. Of dicts the fields are kept that were asked for, of texts those
 * up to a length, and elements of lists may be replaced by smaller ones; what is dropped, such as
 * the stack frames that most of a snapshot is made of, leaves only the few bytes of its entry in
 * the memo.
 */
final class PickleReader {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int LONGEST_TEXT = 64;

  private final Path file;
  private final DataInputStream in;
  private final List<String> kept;
  private final UnaryOperator<Object> element;
  private Object[] stack = new Object[64];
  private int height;
  private int[] marks = new int[16];
  private int marked;
  private Object[] memo = new Object[256];
  private int memoized;
  private long position;
  private boolean begun;

  /** A dict, of which some fields are kept. */
  static final class Dict {
    private final List<String> names;
    private Object[] values;

    private Dict(List<String> names) {
      this.names = names;
    }

    private void put(Object name, Object value) {
      int index = name instanceof String text ? names.indexOf(text) : -1;
      if (index >= 0) {
        values = values == null ? new Object[names.size()] : values;
        values[index] = value;
      }
    }

    /** A field, null where it is absent or None. */
    Object get(String name) {
      return values == null ? null : values[names.indexOf(name)];
    }

    /** A field that is an integer, else a default. */
    long integer(String name, long otherwise) {
      return get(name) instanceof Long number ? number : otherwise;
    }

    /** A field that is a text, else an empty one. */
    String text(String name) {
      return get(name) instanceof String text ? text : "";
    }

    /** A field that is a list or tuple, else an empty one. */
    List<?> list(String name) {
      return get(name) instanceof List<?> list ? list : List.of();
    }

    void clear() {
      values = null;
    }
  }

  private PickleReader(
      Path file, InputStream in, List<String> kept, UnaryOperator<Object> element) {
    this.file = file;
    this.in = new DataInputStream(new BufferedInputStream(in, BUFFER_BYTES));
    this.kept = kept;
    this.element = element;
  }

  /**
   * Reads a file.
   *
   * @param kept the names of the fields of dicts that are kept
   * @param element makes what is put into a list of what the file puts there
   * @return a Dict, a List, a String, a Long, a Double, a Boolean or null
   */
  static Object read(Path file, List<String> kept, UnaryOperator<Object> element) {
    try (InputStream in = InputFiles.open(file)) {
      PickleReader reader = new PickleReader(file, in, kept, element);
      try {
        return reader.run();
      } catch (EOFException end) {
        throw new InputException(
            file, "byte " + reader.position, "is cut short: the pickle does not end", end);
      }
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
  }

  private Object run() throws IOException {
    while (true) {
      int code = in.readUnsignedByte();
      position++;
      begun |= code == 0x80;
      switch (code) {
        case '.' -> {
          return pop();
        }
        case 0x80 -> skip(1); // PROTO
        case 0x95 -> skip(8); // FRAME
        case '(' -> mark();
        case '0' -> pop();
        case '1' -> cut();
        case '2' -> push(top());
        case 'N' -> push(null);
        case 0x88 -> push(Boolean.TRUE);
        case 0x89 -> push(Boolean.FALSE);
        case 'J' -> push((long) (int) little(4));
        case 'K' -> push(little(1));
        case 'M' -> push(little(2));
        case 0x8a -> push(integer((int) little(1)));
        case 0x8b -> {
          long bytes = length(4);
          if (bytes > 255) {
            throw fault("an integer of " + bytes + " bytes");
          }
          push(integer((int) bytes));
        }
        case 'G' -> {
          push(in.readDouble());
          position += 8;
        }
        case 'X', 'T' -> push(text(length(4)));
        case 0x8c, 'U' -> push(text(length(1)));
        case 0x8d -> push(text(length(8)));
        case 'B' -> bytes(length(4));
        case 'C' -> bytes(length(1));
        case 0x8e -> bytes(length(8));
        case ')', ']' -> push(new ArrayList<>(0));
        case '}' -> push(new Dict(kept));
        case 't', 'l' -> push(new ArrayList<>(Arrays.asList(cut())));
        case 0x85, 0x86, 0x87 -> tuple(code - 0x84);
        case 'a' -> append(new Object[] {pop()});
        case 'e' -> append(cut());
        case 's' -> {
          Object value = pop();
          set(new Object[] {pop(), value});
        }
        case 'u' -> set(cut());
        case 'q' -> put(little(1));
        case 'r' -> put(length(4));
        case 0x94 -> put(memoized);
        case 'h' -> push(memo(little(1)));
        case 'j' -> push(memo(length(4)));
        case 'c', 0x93, 'R', 'b', 'i', 'o', 0x81, 0x92, 'P', 'Q', 0x82, 0x83, 0x84 ->
            throw fault(
                "contains a class or function reference; a memory snapshot has only lists, dicts,"
                    + " numbers and strings (nothing was executed)");
        default ->
            throw fault(
                String.format("0x%02x is no instruction of a pickle of protocol 2 or later", code));
      }
    }
  }

  private InputException fault(String what, Object... arguments) {
    String why = begun ? "" : "; a pickle of protocol 2 or later begins with byte 0x80";
    return new InputException(file, "byte " + (position - 1), what + why, arguments);
  }

  private void skip(long count) throws IOException {
    in.skipNBytes(count);
    position += count;
  }

  /** A little-endian number, unsigned. */
  private long little(int count) throws IOException {
    long value = 0;
    for (int k = 0; k < count; k++) {
      value |= (long) in.readUnsignedByte() << 8 * k;
    }
    position += count;
    return value;
  }

  private long length(int count) throws IOException {
    long length = little(count);
    if (length < 0) {
      throw fault("a length should be below 2^63");
    }
    return length;
  }

  /** An integer of some bytes in two's complement; the largest long where it has more than 8. */
  private long integer(int count) throws IOException {
    if (count > 8) {
      // Addresses have up to 64 bits, which take 9 bytes with a sign; none needs more.
      long low = little(8);
      boolean zero = true;
      for (int k = 8; k < count; k++) {
        zero &= in.readUnsignedByte() == 0;
        position++;
      }
      return zero && low >= 0 ? low : Long.MAX_VALUE;
    }
    long value = little(count);
    int unused = 64 - 8 * count;
    return count == 0 ? 0 : value << unused >> unused;
  }

  private String text(long length) throws IOException {
    if (length > LONGEST_TEXT) {
      skip(length);
      return "";
    }
    byte[] bytes = new byte[(int) length];
    in.readFully(bytes);
    position += length;
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void bytes(long length) throws IOException {
    skip(length);
    push("");
  }

  private void push(Object value) {
    if (height == stack.length) {
      stack = Arrays.copyOf(stack, 2 * height);
    }
    stack[height++] = value;
  }

  private Object top() {
    if (height == (marked == 0 ? 0 : marks[marked - 1])) {
      throw fault("takes a value from an empty stack");
    }
    return stack[height - 1];
  }

  private Object pop() {
    Object value = top();
    stack[--height] = null;
    return value;
  }

  private void mark() {
    if (marked == marks.length) {
      marks = Arrays.copyOf(marks, 2 * marked);
    }
    marks[marked++] = height;
  }

  /** Takes all values above the last mark, and the mark. */
  private Object[] cut() {
    if (marked == 0) {
      throw fault("goes back to a mark that was not set");
    }
    int from = marks[--marked];
    Object[] values = Arrays.copyOfRange(stack, from, height);
    Arrays.fill(stack, from, height, null);
    height = from;
    return values;
  }

  private void tuple(int count) {
    Object[] values = new Object[count];
    for (int k = count - 1; k >= 0; k--) {
      values[k] = pop();
    }
    push(new ArrayList<>(Arrays.asList(values)));
  }

  @SuppressWarnings("unchecked")
  private void append(Object[] values) {
    if (!(top() instanceof List<?> list)) {
      throw fault("appends to what is no list");
    }
    for (Object value : values) {
      ((List<Object>) list).add(element.apply(value));
    }
  }

  private void set(Object[] pairs) {
    if (!(top() instanceof Dict dict) || pairs.length % 2 != 0) {
      throw fault("sets fields of what is no dict");
    }
    for (int k = 0; k < pairs.length; k += 2) {
      dict.put(pairs[k], pairs[k + 1]);
      if (pairs[k + 1] instanceof ArrayList<?> list && !kept.contains(pairs[k])) {
        list.clear();
        list.trimToSize();
      }
    }
  }

  private void put(long index) {
    if (index > memoized) {
      throw fault("numbers a value " + index + "; the next number is " + memoized);
    }
    if (index == memo.length) {
      memo = Arrays.copyOf(memo, 2 * memo.length);
    }
    memo[(int) index] = top();
    memoized = Math.max(memoized, (int) index + 1);
  }

  private Object memo(long index) {
    if (index >= memoized) {
      throw fault("asks for value " + index + " of " + memoized);
    }
    return memo[(int) index];
  }
}
