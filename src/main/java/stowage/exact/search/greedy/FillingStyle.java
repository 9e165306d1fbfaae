package stowage.exact.search.greedy;

import java.util.Locale;
import java.util.SplittableRandom;
import stowage.exact.search.greedy.SkylineBestFit.Preference;

/**
 * A way to fill valleys.
 *
 * @param tolerance see {@link SkylineBestFit}
 * @param fineShift buffers below the max load over two to this wait; 0 for none
 */
record FillingStyle(Preference preference, double tolerance, int fineShift) {
  /** The share of the mean size below which a valley is lifted that does well on most problems. */
  static final double USUAL_TOLERANCE = 0.115;

  /** How far the tolerances for the top are spread: the logarithm of largest by least. */
  private static final double TOP_SPREAD = 1.2;

  /** Sizes that wait: between these powers of a half of the max load. */
  private static final int COARSEST = 10;

  private static final int FINEST = 30;

  /** One for the top of a placement in this style: as wide, or somewhat less lifted at once. */
  FillingStyle forTop(SplittableRandom random) {
    double factor = StrictMath.exp(-TOP_SPREAD * random.nextDouble());
    Preference other = random.nextInt(3) == 0 ? Preference.WIDE : preference;
    return new FillingStyle(other, Math.max(tolerance, USUAL_TOLERANCE) * 1.1 * factor, fineShift);
  }

  /** Another one, near this in two of its three traits. */
  FillingStyle varied(SplittableRandom random) {
    Preference[] all = Preference.values();
    double factor = StrictMath.exp(2 * random.nextDouble() - 1);
    return switch (random.nextInt(4)) {
      case 0 -> new FillingStyle(all[random.nextInt(all.length)], tolerance * factor, fineShift);
      case 1 -> new FillingStyle(preference, USUAL_TOLERANCE * factor * factor, fineShift);
      case 2 ->
          new FillingStyle(
              preference, tolerance * factor, COARSEST + random.nextInt(FINEST - COARSEST));
      default -> new FillingStyle(preference, tolerance * factor, fineShift);
    };
  }

  long fine(long maxLoad) {
    return fineShift == 0 ? 0 : maxLoad >> fineShift;
  }

  @Override
  public String toString() {
    return "valleys " + preference.name().toLowerCase(Locale.ROOT);
  }
}
