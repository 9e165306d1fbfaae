package stowage.experiment.run;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.experiment.suite.ExperimentJson;
import stowage.experiment.suite.RunSpec;
import stowage.onchip.Grouping;
import stowage.onchip.lmem.LmemScore;
import stowage.onchip.partition.BoundScope;

/**
 * What came of one run; one JSON file in the folder of results.
 *
 * @param message why, where it did not end as it should; else null
 * @param status what is known of the plan, in the solver's words
 * @param peak of the best verified plan in bytes; null without one
 * @param lowerBound proven, in bytes; null when nothing was computed
 * @param boundKind why the bound holds
 * @param boundChecked whether its certificate was checked
 * @param nodes branches or nodes of an exact search; null where there is none
 * @param conflicts or failures of an exact search; null where there is none
 * @param peakRssBytes largest resident memory of the worker; null for external planners
 * @param features what the instance is like; null when it was not even read
 * @param trace each improvement of the peak or the bound
 * @param versions of all that took part, by name
 * @param group what layer groups cost; null for runs that place buffers
 */
public record RunRecord(
    RunSpec run,
    Outcome outcome,
    String message,
    String status,
    Long peak,
    Long lowerBound,
    String boundKind,
    boolean boundChecked,
    String finder,
    Times times,
    Long nodes,
    Long conflicts,
    Long peakRssBytes,
    Features features,
    List<TracePoint> trace,
    Machine machine,
    Map<String, String> versions,
    GroupFigures group) {

  /** Refuses a record without what every run has. */
  public RunRecord {
    ExperimentJson.require(
        "run outcome status times trace machine versions",
        run,
        outcome,
        status,
        times,
        trace,
        machine,
        versions);
    trace.forEach(point -> ExperimentJson.require("trace", point));
  }

  /**
   * Times in seconds; null where the moment never came. All but {@code load} and {@code wall} count
   * from the moment at which the problem is ready in memory.
   *
   * @param solve until the planner ended; where it proves nothing, until its plan was verified
   * @param first until the first plan
   * @param best until the last and best plan
   * @param proof until the plan or the infeasibility was proven
   * @param load reading or making the problem
   * @param wall of the whole worker, from its start to its end
   */
  public record Times(
      Double solve, Double first, Double best, Double proof, Double load, Double wall) {}

  /** A moment of improvement: seconds since the start, and peak and bound then, or null. */
  public record TracePoint(double seconds, Long peak, Long lowerBound) {}

  /**
   * A run that left no answer of its own; features are null where the instance was not read, and so
   * is the worker's own time where it is not known yet.
   */
  static RunRecord without(
      RunSpec run,
      Outcome outcome,
      String message,
      Map<String, String> versions,
      Features features,
      Double wall) {
    return new RunRecord(
        run,
        outcome,
        message,
        "UNKNOWN",
        null,
        null,
        null,
        false,
        null,
        new Times(null, null, null, null, null, wall),
        null,
        null,
        null,
        features,
        List.of(),
        Machine.current(),
        versions,
        null);
  }

  /** Whether the bound holds for every plan of the instance, and not for a kind of them. */
  public boolean boundsAll() {
    return group == null || BoundScope.NETWORK.label().equals(boundKind);
  }

  /**
   * What a network in layer groups costs.
   *
   * @param groups groups of more than one op
   * @param alone ops that run by themselves
   * @param trafficBytes bytes moved between GMEM and LMEM
   * @param lmemPeak the most bytes a lane in use
   * @param clashes transfers that share a bank with an op computing in the same step, over all
   *     groups
   * @param operandClashes steps in which two operands of an op share a bank
   * @param bankCrossings buffers no larger than a bank across a border
   * @param provenGroups groups whose addresses are proven the best
   */
  public record GroupFigures(
      int groups,
      int alone,
      long trafficBytes,
      long cycles,
      long lmemPeak,
      long clashes,
      long operandClashes,
      long bankCrossings,
      int provenGroups) {

    static GroupFigures of(Grouping grouping) {
      int real = (int) grouping.grouped().count();
      long proven = grouping.grouped().filter(group -> group.answer().isOptimal()).count();
      return new GroupFigures(
          real,
          grouping.groups().size() - real,
          grouping.trafficBytes(),
          Math.round(grouping.cycles()),
          grouping.lmemPeak(),
          grouping.sum(LmemScore.CLASHES),
          grouping.sum(LmemScore.FIGURES.indexOf("operandClashes")),
          grouping.sum(LmemScore.FIGURES.indexOf("bankCrossings")),
          (int) proven);
    }
  }

  /** How a run ended. What is known of the plan is the status's business. */
  public enum Outcome {
    /** As it should, with a plan or without. */
    DONE,
    /** The planner's rules do not admit the problem. */
    REFUSED,
    /** The planner gave something that is no plan of the problem. */
    INVALID,
    /** An external planner ended well but wrote nothing. */
    NO_OUTPUT,
    /** The planner did not end in its time and had to be stopped from outside. */
    TIMEOUT,
    /** The worker ran out of memory, or took more than it may. */
    OUT_OF_MEMORY,
    /** The worker's process died. */
    CRASHED,
    /** The planner ended with an error. */
    FAILED;

    /** Whether something is wrong with the planner, or with the machine. */
    public boolean isFailure() {
      return this != DONE && this != REFUSED;
    }

    /** As tables write it: lower case, with hyphens. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
