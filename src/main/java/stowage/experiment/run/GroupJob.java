package stowage.experiment.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.experiment.suite.GroupTask;
import stowage.experiment.suite.RunSpec;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.tpumlir.TpuMlirFile;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.Chip;
import stowage.network.CompiledNetwork;
import stowage.network.Network;
import stowage.onchip.FileGroup;
import stowage.onchip.GroupMethod;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemVerifier;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.report.PeakMemory;

/**
 * Job that divides a network into layer groups. The record's peak and bound are those of the
 * objective: bytes moved, cycles, or bytes of a lane. A grouping comes whole, at the end, so there
 * is no trace between.
 */
final class GroupJob extends Job {
  private LayerGraph graph;
  private CompiledNetwork compiled;
  private Features features;
  private volatile Grouping grouping;
  private volatile double seconds;

  GroupJob(RunSpec run, Map<String, String> versions) {
    super(run, versions);
  }

  @Override
  void read() {
    GroupTask task = run.instance().group();
    Chip chip = task.loadChip();
    Network network = network(Path.of(run.instance().file()));
    if (task.precision() != null && compiled == null) {
      network = task.precision().apply(network);
    }
    graph = LayerGraph.of(network, chip);
    features = Features.of(Liveness.of(network, LivenessOptions.defaults()).problem());
  }

  private Network network(Path file) {
    if (file.toString().toLowerCase(Locale.ROOT).endsWith(".mlir")) {
      compiled = TpuMlirFile.open(file).compiled();
    }
    if (compiled != null) {
      return compiled.network();
    }
    if (InputFormats.read(file) instanceof Input.Graph read) {
      return read.network();
    }
    throw new InputException(file, "", "holds buffers without a network; groups need its ops");
  }

  @Override
  void solve(Path scratch) {
    GroupMethod method = run.planner().group();
    control = RunControl.ofSeconds(run.limits().seconds(), run.threads(), run.seed());
    GroupPlanner planner =
        new GroupPlanner(
            graph, method.options(run.instance().group().objective()), new CpSatLmem(), control);
    long start = System.nanoTime();
    Grouping found;
    if (method.division() == GroupMethod.Division.FILE) {
      if (compiled == null || !compiled.chip().equals(graph.chip().name())) {
        finish(RunRecord.Outcome.REFUSED, "the file carries no groups for " + graph.chip().name());
        return;
      }
      found = planner.plan(FileGroup.all(graph, compiled));
    } else {
      found = planner.plan(method.newPartitioner());
    }
    double taken = (System.nanoTime() - start) / 1e9;
    String fault = fault(found);
    if (fault != null) {
      finish(RunRecord.Outcome.INVALID, fault);
      return;
    }
    seconds = taken;
    grouping = found;
  }

  /** What is wrong with the addresses of a grouping, or null. */
  private static String fault(Grouping grouping) {
    for (PlannedGroup group : grouping.groups()) {
      if (group.isGrouped()) {
        List<String> wrong =
            LmemVerifier.violations(group.plan().problem(), group.answer().placement());
        if (!wrong.isEmpty()) {
          return "group of ops " + group.first() + " to " + group.last() + ": " + wrong.get(0);
        }
      }
    }
    return null;
  }

  @Override
  RunRecord record() {
    Grouping found = grouping;
    if (found == null) {
      return RunRecord.without(run, outcome, message, versions, features, null);
    }
    long peak = Math.round(found.objective());
    long bound = Math.min(peak, Math.round(found.lowerBound()));
    boolean proven = found.status() == Status.OPTIMAL;
    return new RunRecord(
        run,
        outcome,
        message,
        found.status().name(),
        peak,
        bound,
        found.scope().label(),
        false,
        run.planner().label(),
        new RunRecord.Times(
            seconds, seconds, seconds, proven ? (Double) seconds : null, loadSeconds, null),
        null,
        null,
        PeakMemory.bytes(),
        features,
        List.of(new RunRecord.TracePoint(seconds, peak, bound)),
        Machine.current(),
        versions,
        RunRecord.GroupFigures.of(found));
  }
}
