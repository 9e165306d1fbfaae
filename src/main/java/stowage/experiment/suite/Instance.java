package stowage.experiment.suite;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import stowage.generator.Generators;
import stowage.generator.networks.NetworkGenerators;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.planning.schedule.ScheduleRun;
import stowage.schedule.order.SystemOrders;

/**
 * One problem of a suite: a file, or a generator with parameters. A network is a problem of its
 * GMEM or, with a task, one of layer groups.
 *
 * @param name what tables call it; unique in its suite
 * @param family what it is summed up with
 * @param file its path; null for a generated one
 * @param generator the generator's name; null for a file
 * @param parameters the generator's parameters that are not standard
 * @param digest what it is, whatever it is called: a hash of the file's bytes or of the generator
 *     and its parameters, in hexadecimal
 * @param group what a network is to be grouped for; null for a problem of buffers
 * @param schedule in which order a network's ops run: {@code optimal}, or a system's as {@code
 *     stowage schedule} names it; null for the network's own
 */
public record Instance(
    String name,
    String family,
    String file,
    String generator,
    Map<String, Object> parameters,
    String digest,
    GroupTask group,
    String schedule) {
  /** The order of least load, searched for. */
  static final String OPTIMAL = "optimal";

  private static final double ORDER_SECONDS = 60;

  /** Refuses an instance without what every one has. */
  public Instance {
    ExperimentJson.require("name family digest", name, family, digest);
    ExperimentJson.require("file", generator == null ? file : generator);
  }

  /**
   * Reads or makes the problem. A network becomes the problem of its activations, run in its own
   * order or the one asked for, with views sharing buffers and offsets aligned to 4096 bytes. The
   * order of least load is searched for at most a minute.
   *
   * @throws stowage.importer.io.InputException when the file cannot be used
   */
  public PlanningCase load() {
    if (generator != null && NetworkGenerators.isKnown(generator)) {
      return scheduled(NetworkGenerators.named(generator).generate(name, parameters));
    }
    if (generator != null) {
      return PlanningCase.ofBuffers(Generators.generate(generator, parameters).withName(name));
    }
    Input input = InputFormats.read(Path.of(file));
    if (input instanceof Input.Packing packing) {
      if (schedule != null) {
        throw new InputException(
            Path.of(file), "", "has buffers, but no ops; schedule is for networks");
      }
      return PlanningCase.ofBuffers(packing.problem());
    }
    return scheduled(((Input.Graph) input).network());
  }

  private PlanningCase scheduled(Network network) {
    LivenessOptions options = LivenessOptions.defaults();
    int[] order;
    if (schedule == null) {
      order = network.executionOrder();
    } else if (schedule.equals(OPTIMAL)) {
      ScheduleRun run = new ScheduleRun(network, options, List.of(), -1);
      run.findOrder(RunControl.ofSeconds(ORDER_SECONDS, 1, 1));
      order = run.bestOrder();
    } else {
      order = SystemOrders.of(network, schedule);
    }
    return Liveness.of(network, order, options);
  }

  /**
   * Refuses a file that is not as it was when the run was planned, since the run's id names its
   * bytes. O(bytes).
   */
  public void checkUnchanged() {
    if (file == null) {
      return;
    }
    String now = Digests.of(InputFiles.readAllBytes(Path.of(file)));
    now = schedule == null ? now : inOrder(now, schedule);
    now = group == null ? now : inGroups(now, group);
    if (!now.equals(digest)) {
      throw new InputException(
          Path.of(file), "", "has changed since its runs were planned; --resume plans them again");
    }
  }

  private static String inOrder(String digest, String order) {
    return Digests.of(digest + " in order " + order);
  }

  private static String inGroups(String digest, GroupTask task) {
    return Digests.of(digest + " " + task.identity());
  }

  /** Where it comes from, for people: the file, or the generator's call. */
  public String origin() {
    return generator == null ? file : generator + " " + parameters;
  }

  Instance called(String other) {
    return with(other, digest, group, schedule);
  }

  /** The network of this instance in another order of its ops. */
  Instance scheduled(String order) {
    return with(name + "-" + order, inOrder(digest, order), group, order);
  }

  Instance grouped(GroupTask task) {
    return with(name + "-" + task.label(), inGroups(digest, task), task, schedule);
  }

  private Instance with(String called, String hash, GroupTask task, String order) {
    return new Instance(called, family, file, generator, parameters, hash, task, order);
  }
}
