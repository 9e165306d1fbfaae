package stowage.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes kept in memory as they are written. Unlike {@link java.io.ByteArrayOutputStream} it never
 * copies what it holds, which for a hundred megabytes would need as much again and a half.
 */
public final class ChunkedBytes extends OutputStream {
  private static final int CHUNK_BYTES = 1 << 18;

  private final List<byte[]> full = new ArrayList<>();
  private byte[] last = new byte[CHUNK_BYTES];
  private int used;

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    int at = from;
    int left = count;
    while (left > 0) {
      if (used == CHUNK_BYTES) {
        full.add(last);
        last = new byte[CHUNK_BYTES];
        used = 0;
      }
      int taken = Math.min(left, CHUNK_BYTES - used);
      System.arraycopy(bytes, at, last, used, taken);
      used += taken;
      at += taken;
      left -= taken;
    }
  }

  /** Writes everything to a stream, which stays open. */
  public void writeTo(OutputStream out) throws IOException {
    for (byte[] chunk : full) {
      out.write(chunk);
    }
    out.write(last, 0, used);
  }
}
