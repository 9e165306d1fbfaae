package stowage.experiment.results;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import stowage.experiment.run.Features;
import stowage.experiment.run.GroupFigures;
import stowage.experiment.run.Machine;
import stowage.experiment.run.RunRecord;
import stowage.experiment.suite.RunSpec;

/**
 * The results of an experiment as a report reads them.
 *
 * @param runs a row each, in the manifest's order
 * @param traces the improvements of each run in order, by its id
 */
public record Results(List<Run> runs, Map<String, List<RunRecord.TracePoint>> traces) {

  /**
   * The results that a journal's records say, in their order.
   *
   * @throws IllegalStateException when a verified peak is below a proven bound
   */
  public static Results of(List<RunRecord> records) {
    Map<String, InstanceFacts> facts = InstanceFacts.of(records);
    return new Results(
        records.stream().map(r -> run(r, facts.get(r.run().instance().digest()))).toList(),
        records.stream().collect(Collectors.toMap(r -> r.run().id(), RunRecord::trace)));
  }

  private static Run run(RunRecord record, InstanceFacts facts) {
    RunSpec run = record.run();
    Features features = facts.features();
    return new Run(
        run.id(),
        run.suite(),
        run.instance().name(),
        run.instance().family(),
        run.planner().label(),
        run.seed(),
        run.repetition(),
        run.threads(),
        run.limits().seconds(),
        run.limits().work(),
        record.outcome().text(),
        record.status(),
        record.peak(),
        record.lowerBound(),
        facts.optimum(),
        facts.bestPeak(),
        facts.bestBound(),
        record.times().solve(),
        record.times().first(),
        record.times().proof(),
        features == null ? null : (Long) (long) features.buffers(),
        place(record),
        run.instance().digest(),
        grouping(record));
  }

  private static Place place(RunRecord record) {
    Machine machine = record.machine();
    Function<String, String> version = name -> record.versions().get(name);
    return new Place(
        machine.host(),
        machine.processor(),
        machine.cores(),
        machine.system(),
        version.apply("stowage"),
        version.apply("commit"),
        version.apply("java"));
  }

  private static Grouping grouping(RunRecord record) {
    GroupFigures figures = record.group();
    return figures == null
        ? null
        : new Grouping(
            record.run().instance().group().objective().label(),
            record.boundKind(),
            figures.groups(),
            figures.trafficBytes(),
            figures.cycles(),
            figures.lmemPeak(),
            figures.clashes());
  }

  /**
   * One run. Sizes are bytes, times seconds; what does not exist is null.
   *
   * @param id its stable name
   * @param suite the suite's name
   * @param instance the problem's name
   * @param family what the problem is summed up with
   * @param planner its label
   * @param seed of its random choices
   * @param repetition 0 for the first
   * @param threads that it might use
   * @param limitSeconds its limit in time
   * @param limitWork its limit in work units
   * @param outcome how it ended, as tables write it
   * @param status what is known of the plan
   * @param peak of its plan
   * @param lowerBound that it proved
   * @param optimum of the instance, where some run proved it
   * @param bestPeak lowest peak of all runs on the instance
   * @param bestBound highest bound of all runs on the instance
   * @param seconds until it ended
   * @param firstSeconds until its first plan
   * @param proofSeconds until its plan was proven
   * @param buffers of the instance
   * @param place where and with what it ran
   * @param digest what the instance is
   * @param grouping what layer groups cost; null for runs that place buffers or found no groups
   */
  public record Run(
      String id,
      String suite,
      String instance,
      String family,
      String planner,
      long seed,
      long repetition,
      long threads,
      Double limitSeconds,
      Double limitWork,
      String outcome,
      String status,
      Long peak,
      Long lowerBound,
      Long optimum,
      Long bestPeak,
      Long bestBound,
      Double seconds,
      Double firstSeconds,
      Double proofSeconds,
      Long buffers,
      Place place,
      String digest,
      Grouping grouping) {

    /** Whether the plan, or that there is none, was proven. */
    public boolean isProven() {
      return status.equals("OPTIMAL") || status.equals("INFEASIBLE");
    }

    /** peak / optimum - 1; NaN where the run has no plan or no one proved the optimum. */
    public double gapToOptimum() {
      return peak == null || optimum == null || (optimum == 0 && peak != 0)
          ? Double.NaN
          : optimum == 0 ? 0 : (double) peak / optimum - 1;
    }
  }

  /** Where runs were done and with what. */
  public record Place(
      String host,
      String processor,
      long cores,
      String system,
      String stowageVersion,
      String commit,
      String javaVersion) {}

  /**
   * A network in layer groups.
   *
   * @param objective which figure was to be low
   * @param boundKind for which groupings the run's bound holds
   * @param groups of more than one op
   * @param trafficBytes bytes moved
   * @param cycles of the cost model
   * @param lmemPeak the most bytes a lane
   * @param clashes transfers that share a bank with an op computing then
   */
  public record Grouping(
      String objective,
      String boundKind,
      long groups,
      long trafficBytes,
      long cycles,
      long lmemPeak,
      long clashes) {}
}
