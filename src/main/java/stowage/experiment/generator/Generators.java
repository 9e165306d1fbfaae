package stowage.experiment.generator;

import java.util.List;
import java.util.Map;
import stowage.heuristic.HeuristicPlanners;
import stowage.importer.io.Suggestion;
import stowage.packing.PackingProblem;

/** All generators by name; a new one is one more entry here. */
public final class Generators {
  private static final List<InstanceGenerator> ALL =
      List.of(
          new GuillotineGenerator(),
          new RandomIntervalsGenerator(),
          new NearCapacityGenerator(),
          new ExchangeGenerator(),
          new RecutGenerator(),
          new NetworkLikeGenerator(),
          new BankedGenerator(),
          new LogUniformLargeGenerator(),
          new HardGenerator(HeuristicPlanners::named));

  private Generators() {}

  /** All generators. */
  public static List<InstanceGenerator> all() {
    return ALL;
  }

  /**
   * The generator of a name.
   *
   * @throws InvalidParameterException when there is none
   */
  public static InstanceGenerator named(String name) {
    for (InstanceGenerator generator : ALL) {
      if (generator.name().equals(name)) {
        return generator;
      }
    }
    throw new InvalidParameterException(
        name,
        "is not known"
            + Suggestion.advice(name, ALL.stream().map(InstanceGenerator::name).toList()));
  }

  /**
   * Makes a problem.
   *
   * @param generator a generator's name
   * @param parameters values by parameter name; those that are absent have their standard value
   * @throws InvalidParameterException when a name is not known or a value is out of its range
   */
  public static PackingProblem generate(String generator, Map<String, ?> parameters) {
    return named(generator).generate(parameters);
  }
}
