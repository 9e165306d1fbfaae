package stowage.report.svg;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Writes indexed images as PNG (ISO/IEC 15948): a palette of up to 256 colours, one byte a pixel.
 * The JDK's own writer would start its whole windowing library for it.
 */
final class Png {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  private static final int BITS = 8;
  private static final int INDEXED = 3;

  private Png() {}

  /** Encodes palette indices, row by row from the top, of at most 256 colours as 0xRRGGBB. */
  static byte[] indexed(int width, byte[] pixels, int[] palette) {
    int height = pixels.length / width;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.write(SIGNATURE);
      ByteArrayOutputStream header = new ByteArrayOutputStream();
      DataOutputStream fields = new DataOutputStream(header);
      fields.writeInt(width);
      fields.writeInt(height);
      fields.write(new byte[] {BITS, INDEXED, 0, 0, 0});
      chunk(out, "IHDR", header.toByteArray());
      byte[] colours = new byte[palette.length * 3];
      for (int k = 0; k < palette.length; k++) {
        colours[3 * k] = (byte) (palette[k] >> 16);
        colours[3 * k + 1] = (byte) (palette[k] >> 8);
        colours[3 * k + 2] = (byte) palette[k];
      }
      chunk(out, "PLTE", colours);
      chunk(out, "IDAT", compressed(width, height, pixels));
      chunk(out, "IEND", new byte[0]);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static byte[] compressed(int width, int height, byte[] pixels) {
    byte[] rows = new byte[height * (width + 1)];
    for (int row = 0; row < height; row++) {
      // Each row begins with its filter; 0 is none, which suits palettes best.
      System.arraycopy(pixels, row * width, rows, row * (width + 1) + 1, width);
    }
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION);
    try {
      deflater.setInput(rows);
      deflater.finish();
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 16];
      while (!deflater.finished()) {
        packed.write(buffer, 0, deflater.deflate(buffer));
      }
      return packed.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private static void chunk(DataOutputStream out, String type, byte[] data) throws IOException {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 checksum = new CRC32();
    checksum.update(name);
    checksum.update(data);
    out.writeInt(data.length);
    out.write(name);
    out.write(data);
    out.writeInt((int) checksum.getValue());
  }
}
