package stowage.report.svg;

import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A plan with too many buffers to draw each: an image in which a pixel's darkness is the share of
 * its bytes and steps that are in use, and its colour that of the mean size of what is there.
 *
 * <p>A rectangle covers a pixel by the product of how far it covers its column and its row, so
 * every pixel is exact except for rounding. Time: the pixels covered, summed over the buffers.
 */
public record DensityRaster(int columns, int rows, float[] density, float[] colour) {
  private static final int COLOUR_LEVELS = 16;
  private static final int DENSITY_LEVELS = 15;

  /** The image of one memory as PNG; the frame says which steps and bytes it shows. */
  public static byte[] png(
      PackingProblem problem, Placement placement, int memory, Frame shown, int columns, int rows) {
    SizeClasses classes = SizeClasses.of(problem);
    int pixels = columns * rows;
    DensityRaster raster = new DensityRaster(columns, rows, new float[pixels], new float[pixels]);
    double perColumn = (double) columns / (shown.lastStep() - shown.firstStep());
    double perRow = rows / shown.bytes();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (placement.memory(i) != memory || !buffer.needsMemory()) {
        continue;
      }
      int sizeClass = classes.of(buffer.size());
      for (Buffer.Span span : buffer.spans()) {
        double left = (shown.shown(span.start()) - shown.firstStep()) * perColumn;
        double right = (shown.shown(span.end()) - shown.firstStep()) * perColumn;
        double low = (placement.offset(i) + span.low()) * perRow;
        raster.add(left, right, low, (placement.offset(i) + span.high()) * perRow, sizeClass);
      }
    }
    return raster.encoded(classes);
  }

  private void add(double left, double right, double low, double high, int sizeClass) {
    int firstColumn = (int) left;
    int lastColumn = Math.min(columns - 1, (int) right);
    int firstRow = (int) low;
    int lastRow = Math.min(rows - 1, (int) high);
    for (int row = firstRow; row <= lastRow; row++) {
      double tall = Math.min(row + 1, high) - Math.max(row, low);
      int at = (rows - 1 - row) * columns;
      for (int column = firstColumn; column <= lastColumn; column++) {
        double wide = Math.min(column + 1, right) - Math.max(column, left);
        float covered = (float) (tall * wide);
        density[at + column] += covered;
        colour[at + column] += covered * sizeClass;
      }
    }
  }

  private byte[] encoded(SizeClasses classes) {
    byte[] pixels = new byte[density.length];
    double top = Math.max(1, classes.count() - 1);
    for (int k = 0; k < pixels.length; k++) {
      float share = Math.min(1, density[k]);
      int level = (int) Math.round((double) share * DENSITY_LEVELS);
      if (level > 0) {
        double mean = colour[k] / density[k] / top;
        int hue = (int) Math.round(Math.min(1, mean) * (COLOUR_LEVELS - 1));
        pixels[k] = (byte) (hue * (DENSITY_LEVELS + 1) + level);
      }
    }
    return Png.indexed(columns, pixels, palette(classes));
  }

  private static int[] palette(SizeClasses classes) {
    int[] palette = new int[COLOUR_LEVELS * (DENSITY_LEVELS + 1)];
    for (int hue = 0; hue < COLOUR_LEVELS; hue++) {
      double at = (double) hue / (COLOUR_LEVELS - 1) * (classes.count() - 1);
      int below = (int) at;
      int above = Math.min(classes.count() - 1, below + 1);
      int full = mixed(rgb(classes.colour(below)), rgb(classes.colour(above)), at - below);
      for (int level = 0; level <= DENSITY_LEVELS; level++) {
        palette[hue * (DENSITY_LEVELS + 1) + level] =
            mixed(0xFFFFFF, full, (double) level / DENSITY_LEVELS);
      }
    }
    return palette;
  }

  private static int rgb(String colour) {
    return Integer.parseInt(colour.substring(1), 16);
  }

  private static int mixed(int from, int to, double share) {
    int mixed = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int a = from >> shift & 0xFF;
      int b = to >> shift & 0xFF;
      mixed |= (int) Math.round(a + (b - a) * share) << shift;
    }
    return mixed;
  }
}
