package stowage.experiment.networks;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import stowage.experiment.generator.InvalidParameterException;
import stowage.experiment.generator.Parameter;
import stowage.experiment.generator.ParameterValues;
import stowage.network.Network;

/**
 * A family of networks that is built from parameters. The same parameters give the same network on
 * every machine.
 *
 * @param name by which it is asked for: lower case, with hyphens
 * @param summary one sentence: what is built, and its source
 * @param parameters with their standard values
 * @param maker builds a network of a name from checked values
 */
public record NetworkGenerator(
    String name,
    String summary,
    List<Parameter> parameters,
    BiFunction<String, ParameterValues, Network> maker) {

  /** Copies the parameters. */
  public NetworkGenerator {
    parameters = List.copyOf(parameters);
  }

  /**
   * Builds a network.
   *
   * @param label what the network is called
   * @param given values by parameter name; those that are absent have their standard value
   * @throws InvalidParameterException when a name is unknown or a value is out of its range
   */
  public Network generate(String label, Map<String, ?> given) {
    return maker.apply(label, new ParameterValues(name, parameters, given));
  }

  /** Builds a network that is called like its generator, and by its seed where it has one. */
  public Network generate(Map<String, ?> given) {
    ParameterValues values = new ParameterValues(name, parameters, given);
    boolean seeded = parameters.contains(Parameter.SEED);
    String label = seeded ? name + "-s" + values.whole("seed", Long.MIN_VALUE) : name;
    return maker.apply(label, values);
  }
}
