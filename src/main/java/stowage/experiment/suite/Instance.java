package stowage.experiment.suite;

import java.nio.file.Path;
import java.util.Map;
import stowage.experiment.generator.Generators;
import stowage.importer.Inputs;
import stowage.importer.io.Input;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;

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
 */
public record Instance(
    String name,
    String family,
    String file,
    String generator,
    Map<String, Object> parameters,
    String digest,
    GroupTask group) {

  /** A problem of buffers. */
  static Instance ofBuffers(
      String name,
      String family,
      String file,
      String generator,
      Map<String, Object> parameters,
      String digest) {
    return new Instance(name, family, file, generator, parameters, digest, null);
  }

  /**
   * Reads or makes the problem. A network becomes the problem of its activations, run in order,
   * with views sharing buffers and offsets aligned to 4096 bytes.
   *
   * @throws stowage.importer.io.InputException when the file cannot be used
   */
  public PlanningCase load() {
    if (generator != null) {
      return PlanningCase.ofBuffers(Generators.generate(generator, parameters).withName(name));
    }
    Input input = Inputs.read(Path.of(file));
    if (input instanceof Input.Packing packing) {
      return PlanningCase.ofBuffers(packing.problem());
    }
    return Liveness.of(((Input.Graph) input).network(), LivenessOptions.defaults());
  }

  /** Where it comes from, for people: the file, or the generator's call. */
  public String origin() {
    return generator == null ? file : generator + " " + parameters;
  }

  Instance called(String other) {
    return new Instance(other, family, file, generator, parameters, digest, group);
  }

  /** The network of this instance, to be grouped. */
  Instance grouped(GroupTask task) {
    return new Instance(
        name + "-" + task.label(),
        family,
        file,
        generator,
        parameters,
        Digests.of(digest + " " + task.identity()),
        task);
  }
}
