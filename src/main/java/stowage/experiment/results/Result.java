package stowage.experiment.results;

import java.util.List;
import java.util.Map;
import stowage.experiment.run.RunRecord;

/**
 * One run of an experiment as reports and tables read it. Sizes are bytes, times seconds; what does
 * not exist is null.
 *
 * @param record the record of the run
 * @param facts what is known of its instance from all runs
 */
public record Result(RunRecord record, InstanceFacts facts) {

  /**
   * The results of a journal's records, in their order.
   *
   * @throws IllegalStateException when a verified peak is below a proven bound
   */
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
}
