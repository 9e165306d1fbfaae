package stowage.exact.presolve;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * The orders in which bottom-left searches do well to take the buffers of a component.
 *
 * <p>Which order leads to a placement soon differs from problem to problem, and a search that began
 * badly rarely recovers. So besides one order that is good on the whole there are orders drawn at
 * random around four rules: by size, by the most loaded section of the live range and then its
 * length, by live range, and by area.
 */
public final class BottomLeftOrder {
  private static final int RULES = 4;

  /** How far a drawn order strays from its rule: the deviation of the logarithm of the key. */
  private static final double[] NOISE = {0.1, 0.3, 0.8};

  /** Of the load of the section, of which a thousandth matters, so much of the noise is taken. */
  private static final double LOAD_NOISE = 0.02;

  private final long[] size;

  /** The largest load of a section in which the buffer is live. */
  private final long[] top;

  /** Sections in which it is live. */
  private final long[] width;

  private BottomLeftOrder(Component part) {
    int count = part.count();
    size = part.sizes();
    top = new long[count];
    width = new long[count];
    int[] first = part.firstSpans();
    int[] starts = part.spanStarts();
    int[] ends = part.spanEnds();
    long[] load = part.loads();
    for (int i = 0; i < count; i++) {
      for (int s = first[i]; s < first[i + 1]; s++) {
        width[i] += ends[s] - starts[s];
        for (int section = starts[s]; section < ends[s]; section++) {
          top[i] = Math.max(top[i], load[section]);
        }
      }
    }
  }

  /**
   * Every buffer's index: those that live through the most loaded section first, then the longest
   * lived, then the largest area (the ordering TWA of Moffitt, "MiniMalloc", ASPLOS 2023, doi
   * 10.1145/3623278.3624752). O(n log n + lengths of all spans in sections).
   */
  public static int[] of(Component part) {
    BottomLeftOrder keys = new BottomLeftOrder(part);
    return IndexOrder.of(
        IntStream.range(0, part.count()),
        Comparator.comparingLong((Integer i) -> -keys.top[i])
            .thenComparingLong(i -> -keys.width[i])
            .thenComparingLong(i -> -keys.size[i] * keys.width[i]));
  }

  /** Every buffer once, in an order drawn at random; rule and noise repeat after twelve draws. */
  public static int[] drawn(Component part, int draw, SplittableRandom random) {
    BottomLeftOrder keys = new BottomLeftOrder(part);
    double noise = NOISE[Math.floorMod(draw / RULES, NOISE.length)];
    double[] key = new double[part.count()];
    for (int i = 0; i < key.length; i++) {
      double strayed = StrictMath.exp(noise * random.nextGaussian());
      key[i] =
          switch (Math.floorMod(draw, RULES)) {
            case 0 -> keys.size[i] * strayed;
            case 1 -> keys.top[i] * 1e6 * StrictMath.pow(strayed, LOAD_NOISE) + keys.width[i];
            case 2 -> keys.width[i] * strayed;
            default -> (double) keys.size[i] * keys.width[i] * strayed;
          };
    }
    return IndexOrder.of(
        IntStream.range(0, key.length), Comparator.comparingDouble((Integer i) -> -key[i]));
  }
}
