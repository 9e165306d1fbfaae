package stowage.packing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Certificate of a bound of the price of reuse: a sum of {@linkplain ReuseCut cuts}, each times a
 * multiplier. With c(p) the sum of the multiplied coefficients of pair p and w(p) its weight,
 * paying p brings c(p) toward the sum of the right sides and costs w(p); what c(p) has beyond w(p)
 * is given away, once for each pair. So the price is at least the sum of the right sides less the
 * sum of max(0, c(p) - w(p)), and as it is whole, at least that rounded up. Cuts may be of several
 * groups that speak of different pairs; then the sum of each is rounded up by itself.
 *
 * @param cuts the cuts
 * @param multipliers of the cuts, 0 or more, in parts of {@code scale}
 * @param scale what a multiplier of 1 is
 * @param groups the group of each cut, in ascending order
 */
public record ReuseProof(List<ReuseCut> cuts, long[] multipliers, long scale, int[] groups)
    implements Certificate {
  /** Cuts of one group. */
  public ReuseProof(List<ReuseCut> cuts, long[] multipliers, long scale) {
    this(cuts, multipliers, scale, new int[cuts.size()]);
  }

  /** {@return the certificate of the price 0, which needs no cut} */
  public static ReuseProof none() {
    return new ReuseProof(List.of(), new long[0], 1);
  }

  @Override
  public ReuseProof renumbered(IntUnaryOperator number) {
    return new ReuseProof(
        cuts.stream().map(cut -> cut.renumbered(number)).toList(), multipliers, scale, groups);
  }

  @Override
  public long proves(PackingProblem problem, long value) {
    return ReuseCutVerifier.proven(problem, this);
  }

  @Override
  public String explanation(PackingProblem problem, long value) {
    return cuts.isEmpty()
        ? "No price is below 0."
        : ("%s of buffers, of which every two are apart or paid for, are larger "
                + "than their memory. What each has to pay at least, times its "
                + "multiplier, adds up to %s.")
            .formatted(cuts.size() == 1 ? "1 set" : cuts.size() + " sets", ByteText.exact(value));
  }

  @Override
  public Map<String, Object> fields(PackingProblem problem) {
    List<Map<String, Object>> each = new ArrayList<>();
    for (int k = 0; k < cuts.size(); k++) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("multiplier", multipliers[k]);
      fields.put("group", groups[k]);
      fields.putAll(cuts.get(k).fields(problem));
      each.add(fields);
    }
    return CertificateFields.both("scale", scale, "cuts", each);
  }
}
