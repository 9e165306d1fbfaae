package stowage.importer;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.List;
import java.util.function.IntConsumer;

/** Tables and vectors of FlatBuffers for tests; each is named by the offset that it is given. */
public final class FlatWriter {
  private final FlatBufferBuilder out = new FlatBufferBuilder(1024);

  /** A field that names what was written before; 0 for nothing. */
  public record At(int offset) {}

  /** A table from field 0 on; null and zeros leave a field out. */
  public int table(Object... fields) {
    return table(fields, 0);
  }

  /** A table in which integers of 0 are written. */
  public int options(Object... fields) {
    return table(fields, -1);
  }

  private int table(Object[] fields, int absent) {
    out.startTable(fields.length);
    for (int k = 0; k < fields.length; k++) {
      if (fields[k] instanceof At at) {
        out.addOffset(k, at.offset, 0);
      } else if (fields[k] instanceof Integer value) {
        out.addInt(k, value, absent);
      } else if (fields[k] instanceof Long value) {
        out.addLong(k, value, 0);
      } else if (fields[k] instanceof Float value) {
        out.addFloat(k, value, 0);
      } else if (fields[k] instanceof Byte value) {
        out.addByte(k, value, 0);
      } else if (fields[k] instanceof Boolean value) {
        out.addBoolean(k, value, false);
      }
    }
    return out.endTable();
  }

  public At text(String text) {
    return new At(out.createString(text));
  }

  /** A vector, which is written from its end. */
  private At vector(int bytes, int length, int alignment, IntConsumer write) {
    out.startVector(bytes, length, alignment);
    for (int k = length - 1; k >= 0; k--) {
      write.accept(k);
    }
    return new At(out.endVector());
  }

  /** Data, which begin at a multiple of 16 bytes. */
  public At data(byte[] data) {
    return vector(1, data.length, 16, k -> out.addByte(data[k]));
  }

  /** A vector of integers. */
  public At ints(int... values) {
    return vector(4, values.length, 4, k -> out.addInt(values[k]));
  }

  /** A vector of long integers. */
  public At longs(long... values) {
    return vector(8, values.length, 8, k -> out.addLong(values[k]));
  }

  /** A vector of reals. */
  public At floats(float... values) {
    return vector(4, values.length, 4, k -> out.addFloat(values[k]));
  }

  /** A vector of tables. */
  public At tables(List<Integer> tables) {
    return new At(out.createVectorOfTables(tables.stream().mapToInt(t -> t).toArray()));
  }

  /** The file. */
  public byte[] finish(int root, String identifier) {
    out.finish(root, identifier);
    return out.sizedByteArray();
  }
}
