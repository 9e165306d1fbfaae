package stowage.experiment.generator;

import java.util.List;
import java.util.Map;
import stowage.packing.PackingProblem;

/**
 * Makes packing problems from parameters.
 *
 * <p>Implementations are stateless. The same parameters, among them {@code seed}, give the same
 * problem on every machine and every Java version: they draw from {@link Draws} alone and use
 * {@link StrictMath}.
 */
public interface InstanceGenerator {

  /** The name by which suites and the command line know it: lower case, with hyphens. */
  String name();

  /** One sentence: what kind of problems it makes, and what is known of them. */
  String summary();

  /** The parameters, with their standard values; {@code seed} is one of them. */
  List<Parameter> parameters();

  /** Makes a problem of checked parameters; {@link #generate(Map)} checks them. */
  PackingProblem generate(ParameterValues values);

  /**
   * Makes a problem, named after the generator, its number of buffers and its seed.
   *
   * @param given values by parameter name; those that are absent have their standard value
   * @throws InvalidParameterException when a name is not known or a value is out of its range
   */
  default PackingProblem generate(Map<String, ?> given) {
    ParameterValues values = new ParameterValues(name(), parameters(), given);
    PackingProblem problem = generate(values);
    return problem.withName(
        name() + "-n" + problem.size() + "-s" + values.whole("seed", Long.MIN_VALUE));
  }
}
