package stowage.rewrite.recompute.model;

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

  /** The certificate's contents for reports, by the names of the problem's ops. */
  Map<String, Object> fields(RecomputeProblem problem, List<String> ops);
}
