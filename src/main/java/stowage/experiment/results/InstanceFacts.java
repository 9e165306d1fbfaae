package stowage.experiment.results;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.experiment.run.Features;
import stowage.experiment.run.RunRecord;

/**
 * What all runs together know of one instance.
 *
 * @param bestPeak the lowest peak of a verified plan, in bytes; null without one
 * @param bestBound the highest proven bound, in bytes; null without one
 * @param features what it is like; null when no run could read it
 */
public record InstanceFacts(Long bestPeak, Long bestBound, Features features) {
  private static final InstanceFacts NOTHING = new InstanceFacts(null, null, null);

  /** The proven optimum in bytes: the lowest peak where it meets the highest bound; else null. */
  public Long optimum() {
    return bestPeak != null && bestPeak.equals(bestBound) ? bestPeak : null;
  }

  /**
   * Gathers the facts of all instances, by digest.
   *
   * @throws IllegalStateException when a verified peak is below a proven bound: then a proof is
   *     wrong, and no figure should be made of these runs
   */
  static Map<String, InstanceFacts> of(List<RunRecord> records) {
    Map<String, InstanceFacts> facts = new HashMap<>();
    for (RunRecord record : records) {
      facts.merge(
          record.run().instance().digest(),
          new InstanceFacts(record.peak(), bound(record), record.features()),
          InstanceFacts::with);
    }
    for (RunRecord record : records) {
      InstanceFacts known = facts.getOrDefault(record.run().instance().digest(), NOTHING);
      if (bound(record) != null && known.bestPeak() != null && bound(record) > known.bestPeak()) {
        throw new IllegalStateException(
            ("run %s (%s) claims a bound of %s bytes, but a verified plan needs only %s; please"
                    + " report it")
                .formatted(
                    record.run().id(),
                    record.run().label(),
                    record.lowerBound(),
                    known.bestPeak()));
      }
    }
    return facts;
  }

  /** The bound that a run proved for every plan of its instance. */
  private static Long bound(RunRecord record) {
    return record.boundsAll() ? record.lowerBound() : null;
  }

  private InstanceFacts with(InstanceFacts other) {
    return new InstanceFacts(
        bestPeak == null || (other.bestPeak != null && other.bestPeak < bestPeak)
            ? other.bestPeak
            : bestPeak,
        bestBound == null || (other.bestBound != null && other.bestBound > bestBound)
            ? other.bestBound
            : bestBound,
        features == null ? other.features : features);
  }
}
