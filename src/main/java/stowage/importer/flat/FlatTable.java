package stowage.importer.flat;

import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.importer.io.InputException;

/**
 * A table of a FlatBuffers file whose content no one vouches for. FlatBuffers' own accessors follow
 * offsets wherever they lead; here every offset, length and string is checked to be in the file.
 *
 * <p>A file may point to one table from many places and so be made to look much larger than it is;
 * no real file does, so what is read in all is bounded by a multiple of the file's size.
 */
public final class FlatTable extends Table {
  private static final int OFFSET_BYTES = 4;

  private final FlatFile file;
  private final int fields;

  public FlatTable(FlatFile file, int position) {
    this.file = file;
    file.spend(1);
    file.check(position, OFFSET_BYTES);
    ByteBuffer bytes = file.bytes();
    long vtable = (long) position - bytes.getInt(position);
    file.check(vtable, 2 * Short.BYTES);
    int fieldBytes = Short.toUnsignedInt(bytes.getShort((int) vtable));
    int tableBytes = Short.toUnsignedInt(bytes.getShort((int) vtable + Short.BYTES));
    if (fieldBytes < 2 * Short.BYTES || tableBytes < OFFSET_BYTES) {
      throw file.damaged(position);
    }
    file.check(vtable, fieldBytes);
    file.check(position, tableBytes);
    this.fields = (fieldBytes - 2 * Short.BYTES) / Short.BYTES;
    __reset(position, bytes);
  }

  /** Where the table starts in the file. */
  public int position() {
    return bb_pos;
  }

  /** How many fields its vtable knows. */
  public int fields() {
    return fields;
  }

  /** The whole file, little-endian. */
  ByteBuffer bytes() {
    return file.bytes();
  }

  /** Where a field's value is in the file, 0 when it is absent. */
  public int place(int field, int bytes) {
    int offset = __offset(2 * Short.BYTES + field * Short.BYTES);
    if (offset == 0) {
      return 0;
    }
    file.check((long) bb_pos + offset, bytes);
    return bb_pos + offset;
  }

  /** An integer of 32 bits. */
  public int int32(int field, int otherwise) {
    int place = place(field, Integer.BYTES);
    return place == 0 ? otherwise : bb.getInt(place);
  }

  /** An integer of 64 bits. */
  public long int64(int field, long otherwise) {
    int place = place(field, Long.BYTES);
    return place == 0 ? otherwise : bb.getLong(place);
  }

  /** An integer of 8 bits. */
  public int int8(int field, int otherwise) {
    int place = place(field, Byte.BYTES);
    return place == 0 ? otherwise : bb.get(place);
  }

  public boolean flag(int field) {
    return int8(field, 0) != 0;
  }

  /** What a field points to, 0 when it is absent. */
  private int target(int field) {
    int place = place(field, OFFSET_BYTES);
    return place == 0 ? 0 : file.follow(place);
  }

  /** A table, or null. */
  public FlatTable table(int field) {
    int target = target(field);
    return target == 0 ? null : new FlatTable(file, target);
  }

  /** A text; empty when absent. */
  public String text(int field) {
    int target = target(field);
    if (target == 0) {
      return "";
    }
    int length = file.length(target, 1, 1);
    file.spend(length);
    byte[] text = new byte[length];
    bb.get(target + OFFSET_BYTES, text);
    return new String(text, StandardCharsets.UTF_8).replace('\0', '\uFFFD'); // as JSON's names
  }

  /** Where a vector's first element is, 0 when it is absent. */
  public int vector(int field, int elementBytes) {
    int target = target(field);
    if (target == 0) {
      return 0;
    }
    file.length(target, elementBytes, 0);
    return target + OFFSET_BYTES;
  }

  public int count(int field, int elementBytes) {
    int target = target(field);
    return target == 0 ? 0 : file.length(target, elementBytes, 0);
  }

  /** Integers of 32 bits; empty when absent. */
  public int[] ints(int field) {
    int count = count(field, Integer.BYTES);
    file.spend(count);
    int[] values = new int[count];
    int first = vector(field, Integer.BYTES);
    Arrays.setAll(values, k -> bb.getInt(first + k * Integer.BYTES));
    return values;
  }

  /** Integers of 64 bits; empty when absent. */
  public long[] longs(int field) {
    int count = count(field, Long.BYTES);
    file.spend(count);
    long[] values = new long[count];
    int first = vector(field, Long.BYTES);
    Arrays.setAll(values, k -> bb.getLong(first + k * Long.BYTES));
    return values;
  }

  /** Tables; empty when absent. */
  public List<FlatTable> tables(int field) {
    int count = count(field, OFFSET_BYTES);
    int first = vector(field, OFFSET_BYTES);
    return IntStream.range(0, count)
        .mapToObj(k -> new FlatTable(file, file.follow(first + k * OFFSET_BYTES)))
        .toList();
  }

  /** A file of FlatBuffers: its bytes, and how far what was seen of it reaches. */
  public static final class FlatFile {
    private final Path path;
    private final ByteBuffer bytes;
    private long spent;
    private long extent;

    public FlatFile(Path path, byte[] content) {
      this.path = path;
      this.bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The whole file, little-endian. */
    public ByteBuffer bytes() {
      return bytes;
    }

    /** The first byte after all that was looked at. */
    public long extent() {
      return extent;
    }

    public FlatTable root() {
      check(0, OFFSET_BYTES);
      return new FlatTable(this, follow(0));
    }

    private int follow(int place) {
      long target = place + Integer.toUnsignedLong(bytes.getInt(place));
      check(target, OFFSET_BYTES, place);
      return (int) target;
    }

    private int length(int target, int elementBytes, int terminator) {
      long count = Integer.toUnsignedLong(bytes.getInt(target));
      check((long) target + OFFSET_BYTES, count * elementBytes + terminator, target);
      return (int) count;
    }

    private void check(long position, long count) {
      check(position, count, position);
    }

    /** Checks that bytes are in the file which the one at a place speaks of. */
    private void check(long position, long count, long place) {
      if (position < 0 || position + count > bytes.limit()) {
        throw damaged(place);
      }
      extent = Math.max(extent, position + count);
    }

    private void spend(long units) {
      spent += units;
      if (spent > 4L * bytes.limit()) {
        throw new InputException(path, "", "is damaged: its tables are used over and over");
      }
    }

    /** The failure for an offset that leads out of the file. */
    private InputException damaged(long place) {
      return new InputException(
          path,
          "byte " + Math.max(0, Math.min(place, bytes.limit())),
          "is cut short or damaged: an offset leads out of its " + bytes.limit() + " bytes");
    }
  }
}
