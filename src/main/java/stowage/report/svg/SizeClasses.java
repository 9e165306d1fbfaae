package stowage.report.svg;

import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.PackingProblem;

/**
 * Buffers by size: up to six classes whose borders are powers of two, each with a colour.
 *
 * <p>The colours are six of ColorBrewer's sequential scale YlGnBu (Harrower and Brewer 2003, DOI
 * 10.1179/000870403235002042). They differ in lightness, so they are given apart without colour
 * vision and in print.
 */
public final class SizeClasses {
  private static final String[] COLOURS = {
    "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#0c2c84"
  };

  /** Which colours few classes take: neighbours far apart, the extremes only when needed. */
  private static final int[][] CHOICES = {
    {2}, {1, 4}, {1, 3, 4}, {0, 1, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}
  };

  private static final String DARK_INK = "#10222e";
  private static final String LIGHT_INK = "#ffffff";
  private static final int FIRST_DARK_COLOUR = 3;

  private final long smallest;
  private final long largest;
  private final int lowBit;
  private final int bitsEach;
  private final int count;

  private SizeClasses(long smallest, long largest) {
    this.smallest = smallest;
    this.largest = largest;
    lowBit = log2(smallest);
    int bits = log2(largest) - lowBit + 1;
    bitsEach = (bits + COLOURS.length - 1) / COLOURS.length;
    count = (bits + bitsEach - 1) / bitsEach;
  }

  /** The classes of a problem's buffers that need memory. O(n). */
  public static SizeClasses of(PackingProblem problem) {
    long smallest = Long.MAX_VALUE;
    long largest = 1;
    for (Buffer buffer : problem.buffers()) {
      if (buffer.needsMemory()) {
        smallest = Math.min(smallest, buffer.size());
        largest = Math.max(largest, buffer.size());
      }
    }
    return new SizeClasses(Math.min(smallest, largest), largest);
  }

  private static int log2(long size) {
    return 63 - Long.numberOfLeadingZeros(Math.max(1, size));
  }

  /** The number of classes, 1 to 6. */
  public int count() {
    return count;
  }

  public int of(long size) {
    return Math.min(count - 1, (log2(size) - lowBit) / bitsEach);
  }

  /** A class's colour. */
  public String colour(int index) {
    return COLOURS[colourIndex(index)];
  }

  /** The colour of text on a class's colour. */
  public String ink(int index) {
    return inkOn(colourIndex(index));
  }

  /** All colours from light to dark, each with the colour of text on it. */
  public static List<List<String>> palette() {
    return IntStream.range(0, COLOURS.length).mapToObj(k -> List.of(COLOURS[k], inkOn(k))).toList();
  }

  private int colourIndex(int index) {
    return CHOICES[count - 1][index];
  }

  private static String inkOn(int index) {
    return index < FIRST_DARK_COLOUR ? DARK_INK : LIGHT_INK;
  }

  /** The smallest size of a class, in bytes. */
  public long from(int index) {
    return index == 0 ? 0 : 1L << (lowBit + index * bitsEach);
  }

  /** What a class holds, in words: {@code 4 to 16 KiB}. */
  public String label(int index) {
    long low = index == 0 ? smallest : from(index);
    if (index == count - 1) {
      return (low == largest ? "" : ByteText.human(low) + " to ") + ByteText.human(largest);
    }
    return ByteText.human(low) + " to < " + ByteText.human(1L << (lowBit + (index + 1) * bitsEach));
  }

  /** All labels in order. */
  public List<String> labels() {
    return IntStream.range(0, count).mapToObj(this::label).toList();
  }
}
