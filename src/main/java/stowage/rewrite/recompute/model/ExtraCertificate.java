package stowage.rewrite.recompute.model;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** A proof of a least extra cost that is checked by working it out again. */
public interface ExtraCertificate {
  /**
   * The extra cost that is proven of all sequences within a limit; {@link Long#MAX_VALUE} where
   * there are none.
   *
   * @throws IllegalArgumentException when the certificate has not the form of a proof
   */
  long bound(RecomputeProblem problem, long limit);

  /** A proven extra cost rounded up to the unit of all costs, and {@code below} at most. */
  static long rounded(BigInteger proven, RecomputeProblem problem, long below) {
    BigInteger unit = BigInteger.valueOf(problem.unit());
    BigInteger steps = proven.add(unit).subtract(BigInteger.ONE).divide(unit);
    return steps.multiply(unit).min(BigInteger.valueOf(below)).longValue();
  }

  /** The certificate's contents for reports, by the names of the problem's ops. */
  Map<String, Object> fields(RecomputeProblem problem, List<String> ops);
}
