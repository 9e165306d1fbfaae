package stowage.importer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Damages files in seeded ways: bits, bytes, numbers, pieces that mean something. */
public final class Damage {
  private final String[] pieces;
  private final String[] numbers;

  /**
   * Damage by pieces, and by numbers that a well-formed file may hold in any place, whether they
   * make sense there or not; each with ~ between them, empty for none.
   */
  public Damage(String pieces, String numbers) {
    this.pieces = pieces.split("~");
    this.numbers = numbers.split("~");
  }

  /** The bytes with one to three faults. */
  public byte[] of(byte[] bytes, Random draw) {
    byte[] changed = bytes;
    for (int k = 1 + draw.nextInt(3); k > 0; k--) {
      changed = once(changed, draw);
    }
    return changed;
  }

  private byte[] once(byte[] bytes, Random draw) {
    int at = draw.nextInt(bytes.length + 1);
    if (!numbers[0].isEmpty() && draw.nextInt(3) > 0) {
      return withAnotherNumber(bytes, at, numbers[draw.nextInt(numbers.length)]);
    }
    int to = Math.min(bytes.length, at + 1 + draw.nextInt(16));
    byte[] there = Arrays.copyOfRange(bytes, at, to);
    byte[] piece = pieces[draw.nextInt(pieces.length)].getBytes(StandardCharsets.UTF_8);
    return switch (draw.nextInt(pieces[0].isEmpty() ? 5 : 7)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> joined(bytes, at, new byte[0], to);
      case 2 -> joined(bytes, at, there, at);
      case 3 -> {
        byte[] turned = there.length == 0 ? there : Arrays.copyOf(there, 1);
        for (int k = 0; k < turned.length; k++) {
          int bit = 1 << draw.nextInt(8);
          turned[k] = (byte) (draw.nextBoolean() ? turned[k] ^ bit : draw.nextInt(256));
        }
        yield joined(bytes, at, turned, at + turned.length);
      }
      case 4 -> {
        byte[] extreme = {-1, -1, -1, 127};
        for (int k = 0; k < extreme.length; k++) {
          extreme[k] = draw.nextBoolean() ? extreme[k] : 0;
        }
        int length = Math.min(4, bytes.length - at);
        yield joined(bytes, at, Arrays.copyOf(extreme, length), at + length);
      }
      case 5 -> joined(bytes, at, piece, to);
      default -> joined(bytes, at, piece, at);
    };
  }

  /** Puts a number for the first one after a place, so that the file stays well-formed. */
  private static byte[] withAnotherNumber(byte[] bytes, int from, String number) {
    int start = from;
    while (start < bytes.length && !Character.isDigit(bytes[start])) {
      start++;
    }
    int end = start;
    while (end < bytes.length && Character.isDigit(bytes[end])) {
      end++;
    }
    return joined(bytes, start, number.getBytes(StandardCharsets.UTF_8), end);
  }

  private static byte[] joined(byte[] bytes, int to, byte[] piece, int from) {
    byte[] result = Arrays.copyOf(bytes, to + piece.length + bytes.length - from);
    System.arraycopy(piece, 0, result, to, piece.length);
    System.arraycopy(bytes, from, result, to + piece.length, bytes.length - from);
    return result;
  }
}
