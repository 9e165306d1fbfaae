package stowage.planning.fit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import stowage.network.Network;
import stowage.packing.Status;
import stowage.planning.fit.price.PriceProof;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.recompute.RecomputeAnswer;

/**
 * What a run found.
 *
 * @param status of the price: OPTIMAL where the extra compute is its bound, with a curve where
 *     every point's is; INFEASIBLE where it is proven that nothing allowed meets the limits;
 *     UNKNOWN where nothing was found that does
 * @param before the best plan found of whole ops, each run once; null where none was made
 * @param plan the plan of least price within the limits; where there is none the lowest one found;
 *     null where none was made
 * @param compute of the given network, in {@code unit}
 * @param unit {@code macs} or {@code cost}
 * @param extraBound no plan within {@code boundScope} adds less compute
 * @param boundScope what the bound and a proof that nothing fits range over, in a sentence
 * @param ladder what each step of levers reached
 * @param curve least extra compute for falling peaks; empty where it was not asked for
 * @param reason what cannot get smaller; null where it is not proven that nothing fits
 * @param proof of {@code extraBound}; null where it is 0, or with ops computed again
 * @param recompute what there is to say of ops computed again; null without that lever
 * @param idle seconds, in deterministic runs millions of work units, for which nothing better came
 *     when the search ended before its limit; 0 where it did not
 * @param seconds of the whole run, without start-up, reading and writing
 */
public record FitAnswer(
    FitRequest request,
    Status status,
    FitPlan before,
    FitPlan plan,
    long compute,
    String unit,
    long extraBound,
    String boundScope,
    List<Step> ladder,
    List<Point> curve,
    String reason,
    PriceProof proof,
    RecomputeFacts recompute,
    double idle,
    double seconds) {

  /**
   * A step of the ladder.
   *
   * @param levers the means allowed so far
   * @param peak of the best plan, in bytes; -1 where there is none
   * @param lowerBound no plan by these means has a lower peak
   * @param extra compute added
   * @param runs how many runs of ops are executed piece by piece
   */
  public record Step(Set<Lever> levers, long peak, long lowerBound, long extra, int runs) {
    /** Refuses a bound that the step's own plan refutes. */
    public Step {
      if (peak >= 0 && lowerBound > peak) {
        throw new IllegalStateException(
            "by %s the peak is %d bytes, below its bound of %d"
                .formatted(FitWords.levers(levers), peak, lowerBound));
      }
    }
  }

  /**
   * A step of the curve.
   *
   * @param peak in bytes
   * @param extra compute added
   * @param extraBound no plan with a peak at most this one's adds less
   * @param boundKind what that rests on; null where the answer's proof says so
   */
  public record Point(long peak, long extra, long extraBound, String boundKind) {
    /** OPTIMAL where the extra compute is its bound. */
    public Status status() {
      return extra == extraBound ? Status.OPTIMAL : Status.FEASIBLE;
    }
  }

  /** Copies the lists. */
  public FitAnswer {
    ladder = List.copyOf(ladder);
    curve = List.copyOf(curve);
  }

  /** Whether there is a plan within the limits. */
  public boolean fits() {
    return plan != null
        && request.admits(plan.peak(), plan.load())
        && (request.maxExtra() < 0 || plan.extra() <= request.maxExtra());
  }

  /** Compute added by the plan; 0 where there is none. */
  public long extra() {
    return plan == null ? 0 : plan.extra();
  }

  /**
   * The same answer to a request with more levers, of whose price so much is proven.
   *
   * @param proven the answer by all levers, whose bound holds for the request; null for no bound
   * @param fixed why ops are never computed again, by name
   * @param more points of other curves, of which those below this one's are taken
   * @param all seconds of all answers
   */
  FitAnswer of(
      FitRequest wider,
      FitAnswer proven,
      Map<String, String> fixed,
      List<Step> steps,
      List<Point> more,
      double all) {
    List<RecomputeFacts.Checkpointing> checkpoints =
        recompute == null ? List.of() : recompute.checkpoints();
    long proved = proven == null ? 0 : proven.extraBound;
    long least = fits() ? Math.min(proved, extra()) : proved;
    List<Point> points = lower(curve, more);
    boolean closed =
        extra() == least && points.stream().allMatch(point -> point.status() == Status.OPTIMAL);
    return new FitAnswer(
        wider,
        fits() ? closed ? Status.OPTIMAL : Status.FEASIBLE : Status.UNKNOWN,
        before,
        plan,
        compute,
        unit,
        least,
        proven == null ? FitWords.scope(wider) : proven.boundScope,
        steps,
        points,
        null,
        null,
        proven == null ? RecomputeFacts.unproven(fixed, checkpoints) : proven.recompute,
        0,
        all);
  }

  /** The points of two curves that no other one betters, for more levers: without bounds. */
  private static List<Point> lower(List<Point> one, List<Point> other) {
    List<Point> all =
        Stream.concat(one.stream(), other.stream())
            .sorted(Comparator.comparingLong(Point::extra).thenComparingLong(Point::peak))
            .toList();
    List<Point> curve = new ArrayList<>();
    for (Point point : all) {
      if (curve.isEmpty() || point.peak() < curve.get(curve.size() - 1).peak()) {
        curve.add(new Point(point.peak(), point.extra(), 0, null));
      }
    }
    return curve;
  }

  /**
   * What an answer says of ops that are computed again.
   *
   * @param fixed why ops are never computed again, by name
   * @param proof what the bound of the extra compute rests on: {@code kind}, a word, and the
   *     contents of a certificate
   * @param checkpoints what checkpointing by rules reaches; empty with a limit
   */
  public record RecomputeFacts(
      Map<String, String> fixed, Map<String, Object> proof, List<Checkpointing> checkpoints) {

    /**
     * A plan in which values are kept at checkpoints alone.
     *
     * @param rule how the checkpoints are chosen
     * @param peak in bytes
     * @param extra compute added
     */
    public record Checkpointing(String rule, long peak, long extra) {}

    /** The same facts where no extra compute is proven to be needed. */
    static RecomputeFacts unproven(Map<String, String> fixed, List<Checkpointing> checkpoints) {
      Map<String, Object> proof = Map.of("kind", RecomputeAnswer.Proof.NONE.word());
      return new RecomputeFacts(fixed, proof, checkpoints);
    }

    /** How often ops of a rewriting's given network run again, by name; those that do. */
    public static Map<String, Integer> again(Rewriting rewriting) {
      Network given = rewriting.given();
      Map<String, Integer> times = new LinkedHashMap<>();
      for (OpOrigin origin : rewriting.ops()) {
        if (origin.copy() > 1) {
          times.merge(given.ops().get(origin.op()).name(), 1, Integer::sum);
        }
      }
      return times;
    }
  }
}
