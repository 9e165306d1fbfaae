package stowage.importer.flat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables put in front of a FlatBuffers file, which is not taken apart. Offsets in FlatBuffers count
 * forward from where they are, so a table before everything else can point at all that follows, and
 * what follows need not know that it was moved:
 *
 * <pre>
 *   new:  root, identifier | tables, each before what it points at
 *   old:  root, identifier | outermost table (no longer used) | all else, as it was
 * </pre>
 *
 * <p>The new part's length is a multiple of 16 bytes, which keeps the alignment of what follows.
 * FlatBuffers' own builder writes from the end to the front and cannot point at what is there.
 */
public final class FlatFront {
  private static final int ALIGNMENT = 16;

  private ByteBuffer out = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
  private final Map<Node, Integer> places = new IdentityHashMap<>();
  private final Map<Integer, Node> references = new HashMap<>();
  private final Deque<Node> open = new ArrayDeque<>();

  private FlatFront() {}

  /** Something that an offset can point at. */
  public sealed interface Node {}

  /** Something of the old file, by its position there. */
  public record Old(int position) implements Node {
    public Old(FlatTable table) {
      this(table.position());
    }
  }

  /** A table, its fields by number: null where absent, a Byte, an Integer, a Long or a Node. */
  public record Table(Object... fields) implements Node {}

  /** A list of tables. */
  public record Tables(List<? extends Node> tables) implements Node {}

  /** A list of integers of 32 bits. */
  public record Ints(int... values) implements Node {}

  /** A text. */
  public record Text(String text) implements Node {}

  /** Bytes, aligned to 16. */
  public record Data(byte[] bytes) implements Node {}

  /** What a field of an old table points at; null when it is absent. */
  public static Old target(FlatTable table, int field) {
    int place = table.place(field, Integer.BYTES);
    return place == 0 ? null : new Old(place + table.bytes().getInt(place));
  }

  /**
   * Bytes of a file: the new tables under an identifier of four letters, then the old file, which
   * takes up the last {@code old.length} bytes.
   */
  public static byte[] write(Table root, String identifier, byte[] old) {
    FlatFront front = new FlatFront();
    front.reserve(8);
    front.out.put(4, identifier.getBytes(StandardCharsets.US_ASCII));
    front.refer(0, root);
    while (!front.open.isEmpty()) {
      front.place(front.open.remove());
    }
    front.align(ALIGNMENT, 0);
    int length = front.out.position();
    front.references.forEach(
        (from, node) -> {
          int to = node instanceof Old kept ? length + kept.position() : front.places.get(node);
          front.out.putInt(from, to - from);
        });
    byte[] all = Arrays.copyOf(front.out.array(), Math.addExact(length, old.length));
    System.arraycopy(old, 0, all, length, old.length);
    return all;
  }

  /** Has an offset at a place point at a node, which is written later where it is not yet. */
  private void refer(int place, Node node) {
    references.put(place, node);
    if (!(node instanceof Old) && !places.containsKey(node)) {
      open.add(node);
      places.put(node, -1);
    }
  }

  private int reserve(int bytes) {
    int at = out.position();
    if (out.remaining() < bytes) {
      byte[] more = Arrays.copyOf(out.array(), Math.addExact(2 * out.capacity(), bytes));
      out = ByteBuffer.wrap(more).order(ByteOrder.LITTLE_ENDIAN);
    }
    out.position(at + bytes);
    return at;
  }

  /** Goes on to a place from which so many bytes on a multiple of the alignment is. */
  private void align(int alignment, int ahead) {
    reserve(Math.floorMod(-(out.position() + ahead), alignment));
  }

  private void place(Node node) {
    if (node instanceof Table table) {
      table(table);
      return;
    }
    boolean data = node instanceof Data;
    align(data ? ALIGNMENT : Integer.BYTES, data ? Integer.BYTES : 0);
    places.put(node, out.position());
    if (node instanceof Tables list) {
      int at = vector(list.tables.size(), Integer.BYTES);
      for (int k = 0; k < list.tables.size(); k++) {
        refer(at + Integer.BYTES * k, list.tables.get(k));
      }
    } else if (node instanceof Ints ints) {
      int at = vector(ints.values.length, Integer.BYTES);
      for (int k = 0; k < ints.values.length; k++) {
        out.putInt(at + Integer.BYTES * k, ints.values[k]);
      }
    } else if (node instanceof Text text) {
      byte[] bytes = text.text.getBytes(StandardCharsets.UTF_8);
      int at = vector(bytes.length, 1); // which may put the bytes elsewhere
      out.put(at, bytes);
      reserve(1);
    } else if (node instanceof Data bytes) {
      int at = vector(bytes.bytes.length, 1);
      out.put(at, bytes.bytes);
    }
  }

  /** Writes a vector's length; returns where its elements are. */
  private int vector(int count, int elementBytes) {
    int at = reserve(Integer.BYTES);
    out.putInt(at, count);
    return reserve(count * elementBytes);
  }

  /** The table's fields follow its list of fields, the widest first. */
  private void table(Table table) {
    Object[] fields = table.fields;
    List<Integer> order = new ArrayList<>();
    for (int width = Long.BYTES; width > 0; width /= 2) {
      for (int k = 0; k < fields.length; k++) {
        if (fields[k] != null && width(fields[k]) == width) {
          order.add(k);
        }
      }
    }
    int listBytes = 2 * Short.BYTES + Short.BYTES * fields.length;
    boolean wide = !order.isEmpty() && width(fields[order.get(0)]) == Long.BYTES;
    align(wide ? Long.BYTES : Integer.BYTES, listBytes + (wide ? Integer.BYTES : 0));
    int list = reserve(listBytes);
    int at = reserve(Integer.BYTES);
    places.put(table, at);
    for (int k : order) {
      int place = reserve(width(fields[k]));
      out.putShort(list + 2 * Short.BYTES + Short.BYTES * k, (short) (place - at));
      if (fields[k] instanceof Byte value) {
        out.put(place, value);
      } else if (fields[k] instanceof Integer value) {
        out.putInt(place, value);
      } else if (fields[k] instanceof Long value) {
        out.putLong(place, value);
      } else {
        refer(place, (Node) fields[k]);
      }
    }
    out.putShort(list, (short) listBytes);
    out.putShort(list + Short.BYTES, (short) (out.position() - at));
    out.putInt(at, at - list);
  }

  private static int width(Object field) {
    return field instanceof Byte ? 1 : field instanceof Long ? Long.BYTES : Integer.BYTES;
  }
}
