package stowage.generator;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import stowage.importer.io.Suggestion;

/**
 * A family of problems or networks that is made from parameters.
 *
 * <p>The same parameters, among them {@code seed} where anything is random, give the same thing on
 * every machine and every Java version: makers draw from {@link Draws} alone and use {@link
 * StrictMath}.
 *
 * @param name by which suites and the command line know it: lower case, with hyphens
 * @param summary one sentence: what is made, and what is known of it or its source
 * @param parameters with their standard values
 * @param maker makes one of a label from checked values
 */
public record Generator<T>(
    String name,
    String summary,
    List<Parameter> parameters,
    BiFunction<String, ParameterValues, T> maker) {

  public Generator {
    parameters = List.copyOf(parameters);
  }

  /**
   * Makes one; a network is called by the label, a list of buffers as in {@link #generate(Map)}.
   * Values that are absent are standard; a fault names unknown ones and those out of range.
   */
  public T generate(String label, Map<String, ?> given) {
    return maker.apply(label, new ParameterValues(name, parameters, given));
  }

  /** Makes one that is called like its generator, and by its seed where it has one. */
  public T generate(Map<String, ?> given) {
    ParameterValues values = new ParameterValues(name, parameters, given);
    boolean seeded = parameters.contains(Parameter.SEED);
    String label = seeded ? name + "-s" + values.whole("seed", Long.MIN_VALUE) : name;
    return maker.apply(label, values);
  }

  /** The generator of a name; a fault names those there are. */
  public static <T> Generator<T> named(List<Generator<T>> all, String name) {
    for (Generator<T> generator : all) {
      if (generator.name().equals(name)) {
        return generator;
      }
    }
    throw new InvalidParameterException(
        name, "is not known" + Suggestion.advice(name, all.stream().map(Generator::name).toList()));
  }
}
