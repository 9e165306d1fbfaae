package stowage.packing;

/**
 * A proven lower bound of one figure of the objective, with the reason it holds.
 *
 * @param figure the figure it bounds: 0 for the first, and so on; a bound of a later figure holds
 *     for placements whose earlier figures are at their optimum
 * @param value no placement has a lower figure, in bytes where the figure is a peak
 * @param certificate why
 */
public record Bound(int figure, long value, Certificate certificate) {
  /** {@return a bound of the first figure, in bytes where that is a peak} */
  public static Bound of(long value, Certificate certificate) {
    return new Bound(0, value, certificate);
  }

  /** {@return the certificate's kind, such as {@code max-load}} */
  public String kind() {
    return certificate.kind();
  }
}
