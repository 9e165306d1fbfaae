package stowage.experiment.results;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.experiment.run.Features;
import stowage.experiment.run.RunRecord;
import stowage.experiment.suite.RunSpec;
import stowage.importer.io.InputException;

/**
 * One run of an experiment as reports and tables read it, with what all runs say of its instance.
 * Sizes are bytes, times seconds; what does not exist is null.
 */
public record Result(RunRecord record, InstanceFacts facts) {
  /** Results of records in order; a peak below a bound is a fault. */
  public static List<Result> of(List<RunRecord> records) {
    Map<String, InstanceFacts> facts = InstanceFacts.of(records);
    return records.stream()
        .map(record -> new Result(record, facts.get(record.run().instance().digest())))
        .toList();
  }

  /** The instance's name. */
  public String instance() {
    return record.run().instance().name();
  }

  /** What the instance is summed up with. */
  public String family() {
    return record.run().instance().family();
  }

  /** What the instance is, whatever its name. */
  public String digest() {
    return record.run().instance().digest();
  }

  /** The planner's label. */
  public String planner() {
    return record.run().planner().label();
  }

  /** The peak of the run's plan. */
  public Long peak() {
    return record.peak();
  }

  /** Until the planner ended. */
  public Double seconds() {
    return record.times().solve();
  }

  /** Until the plan was proven. */
  public Double proofSeconds() {
    return record.times().proof();
  }

  /** The instance's buffers. */
  public Long buffers() {
    return facts.features() == null ? null : (Long) facts.features().buffers();
  }

  /** Whether the plan, or that there is none, was proven. */
  public boolean isProven() {
    return record.status().equals("OPTIMAL") || record.status().equals("INFEASIBLE");
  }

  /** peak / optimum - 1; NaN where the run has no plan or no one proved the optimum. */
  public double gapToOptimum() {
    Long optimum = facts.optimum();
    return peak() == null || optimum == null || (optimum == 0 && peak() != 0)
        ? Double.NaN
        : optimum == 0 ? 0 : (double) peak() / optimum - 1;
  }

  /**
   * What all runs know of one instance: the lowest peak of a verified plan and the highest proven
   * bound, in bytes, and what it is like; null where no run says.
   */
  public record InstanceFacts(Long bestPeak, Long bestBound, Features features) {
    private static final InstanceFacts NOTHING = new InstanceFacts(null, null, null);

    /** The proven optimum in bytes: the lowest peak where it meets the highest bound; else null. */
    public Long optimum() {
      return bestPeak != null && bestPeak.equals(bestBound) ? bestPeak : null;
    }

    /** Facts by digest; a verified peak below a bound is a fault. */
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
          String what =
              "run %s claims a bound of %s bytes, but a verified plan needs only %s; if neither"
                  + " record was changed, please report it";
          RunSpec run = record.run();
          throw new InputException(
              Path.of(run.id() + ".json"),
              "field \"lowerBound\"",
              what,
              run.label(),
              record.lowerBound(),
              known.bestPeak());
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
}
