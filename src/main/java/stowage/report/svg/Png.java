package stowage.report.svg;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/**
 * Writer of indexed images as PNG (ISO/IEC 15948): a palette of up to 256 colours, one byte a
 * pixel. The JDK's own writer would start its whole windowing library for it.
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

  private static byte[] compressed(int width, int height, byte[] pixels) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream rows = new DeflaterOutputStream(packed)) {
      for (int row = 0; row < height; row++) {
        // Each row begins with its filter; 0 is none, which suits palettes best.
        rows.write(0);
        rows.write(pixels, row * width, width);
      }
    }
    return packed.toByteArray();
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
