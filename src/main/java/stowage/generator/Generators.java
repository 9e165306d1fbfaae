package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.Planner;
import stowage.packing.PackingProblem;

/** All generators of lists of buffers, by name; a new one is one more row. */
public final class Generators {
  private static final Parameter UNIT =
      new Parameter("unit", 1024L, "all sizes are multiples of it, in bytes");

  private static final List<Generator<PackingProblem>> ALL =
      List.of(
          row(
              "guillotine",
              "A rectangle cut into pieces from edge to edge; the optimum is its height, known.",
              GuillotineGenerator::generate,
              new Parameter("buffers", 100L, "pieces, 1 or more"),
              new Parameter("steps", 1000L, "length of the rectangle"),
              new Parameter("height", 1L << 20, "bytes: the optimum; a multiple of the unit"),
              new Parameter("unit", 1024L, "all sizes are multiples of it")),
          row(
              "random-intervals",
              "Independent live ranges and sizes, each uniform, exponential or log-uniform.",
              DrawnGenerators::randomIntervals,
              new Parameter("buffers", 100L, "0 or more"),
              new Parameter("steps", 200L, "steps of the whole"),
              new Parameter("lifeLaw", "exponential", "uniform, exponential or log-uniform"),
              new Parameter("minLife", 1L, "shortest live range, in steps"),
              new Parameter("maxLife", 100L, "longest live range, in steps"),
              new Parameter("sizeLaw", "log-uniform", "uniform, exponential or log-uniform"),
              new Parameter("minSize", 1L, "smallest size, in units"),
              new Parameter("maxSize", 256L, "largest size, in units"),
              UNIT,
              new Parameter("alignment", 1L, "of every buffer")),
          row(
              "near-capacity",
              "Mixed sizes that nearly fill a capacity; the optimum is the capacity, known.",
              NearCapacityGenerator::generate,
              new Parameter("buffers", 200L, "about so many, 1 or more"),
              new Parameter("steps", 100L, "1 to 100000"),
              new Parameter("capacity", 1L << 20, "bytes: the optimum; a multiple of the unit"),
              UNIT,
              new Parameter("fill", 0.95, "share of the area that is filled at most, 0 to 1"),
              new Parameter(
                  "largest", 0.6, "largest size drawn, as a share of the capacity, 0 to 1"),
              new Parameter(
                  "longest", 1.0, "longest live range drawn, as a share of the steps, 0 to 1")),
          row(
              "exchange",
              "A full memory in which a few buffers take others' room at every step; most optima"
                  + " lie above the max load.",
              FullMemoryGenerators::exchange,
              new Parameter("buffers", 80L, "about so many, 1 or more"),
              new Parameter("live", 8L, "about so many buffers are alive at a step, 2 to 1000"),
              new Parameter("turnover", 3L, "at most so many end at a step, 2 or more"),
              new Parameter("capacity", 200L, "bytes at most live, a multiple of the unit"),
              new Parameter("unit", 1L, "all sizes are multiples of it, in bytes"),
              new Parameter(
                  "fill", 1.0, "least share of the capacity that is live at a step, 0 to 1")),
          row(
              "recut",
              "A full memory whose neighbouring segments end together and are cut into new ones.",
              FullMemoryGenerators::recut,
              new Parameter("buffers", 200L, "about so many, 1 or more"),
              new Parameter("segments", 0L, "at the first step, 5 to 200; 0 draws 6 to 24"),
              new Parameter("capacity", 1L << 20, "bytes, a multiple of the unit"),
              UNIT,
              new Parameter("dropped", 0.05, "share of the buffers left out at most, 0 to 1")),
          row(
              "network-like",
              "Activations of chains, residual and dense blocks, encoder-decoders, or branches.",
              NetworkLikeGenerator::generate,
              new Parameter("buffers", 60L, "ops, and tensors as many, 2 or more"),
              new Parameter(
                  "shape", "residual", "chain, residual, dense, encoder-decoder or branches"),
              new Parameter("block", 4L, "ops of a block, or of a branch, 1 or more"),
              new Parameter("branches", 3L, "branches of a block, 2 or more; for branches alone"),
              new Parameter(
                  "parallel",
                  false,
                  "whether branches run side by side, so that all tensors of two of them conflict"),
              new Parameter("largest", 1L << 20, "bytes of a tensor of the first level"),
              new Parameter(
                  "unit", 64L, "sizes are rounded up to it, and offsets are multiples of it")),
          row(
              "banked",
              "Short-lived operands in an on-chip memory whose banks some buffers must not cross.",
              DrawnGenerators::banked,
              new Parameter("buffers", 80L, "at most so many, 1 or more"),
              new Parameter("steps", 40L, "1 to 1000000"),
              new Parameter("banks", 16L, "1 or more"),
              new Parameter("bankSize", 16_384L, "bytes; a multiple of the alignment"),
              new Parameter("alignment", 64L, "of all offsets and sizes"),
              new Parameter("fill", 0.85, "largest share of the memory that is live, 0 to 1"),
              new Parameter("withinBank", 0.6, "share of the buffers kept within a bank, 0 to 1"),
              new Parameter("throughout", 0.05, "share of the buffers alive throughout, 0 to 1"),
              new Parameter(
                  "bounded", false, "whether the memory's capacity is that of its banks")),
          row(
              "memories",
              "Buffers that may be in any of several memories, of which each but the last is"
                  + " small.",
              DrawnGenerators::severalMemories,
              new Parameter("buffers", 80L, "1 or more"),
              new Parameter("steps", 100L, "steps at which live ranges begin"),
              new Parameter("maxLife", 20L, "longest live range, in steps; the shortest is 1"),
              new Parameter("maxSize", 8192L, "largest size; the smallest is a sixteenth of it"),
              new Parameter("alignment", 64L, "of all offsets"),
              new Parameter(
                  "shares",
                  "0.6",
                  "of the max load: capacities, such as 0.2/0.4; the last has none"),
              new Parameter("bound", 0.0, "share of buffers that may not be everywhere, 0 to 1")),
          row(
              "log-uniform-large",
              "Up to millions of buffers with log-uniform sizes and live ranges and a steady load.",
              DrawnGenerators::logUniformLarge,
              new Parameter("buffers", 1_000_000L, "1 or more"),
              new Parameter("live", 10_000L, "scale of the number of buffers alive at a time")),
          hard(HeuristicPlanners::named));

  private Generators() {}

  /**
   * One row of the table, whose first parameter is the seed. The problem's name is that of the
   * generator with the number of buffers and the seed; the label does not count.
   */
  private static Generator<PackingProblem> row(
      String name,
      String summary,
      Function<ParameterValues, PackingProblem> maker,
      Parameter... own) {
    List<Parameter> parameters = new ArrayList<>(List.of(Parameter.SEED));
    parameters.addAll(List.of(own));
    return new Generator<>(
        name,
        summary,
        parameters,
        (label, values) -> {
          PackingProblem problem = maker.apply(values);
          long seed = values.whole("seed", Long.MIN_VALUE);
          return problem.withName(name + "-n" + problem.size() + "-s" + seed);
        });
  }

  /** The search of hard instances, with the planner of a name, or null. */
  static Generator<PackingProblem> hard(Function<String, Planner> planners) {
    return row(
        "hard",
        "Small instances, found by climbing, with an optimum above the max load or a planner's"
            + " largest gap.",
        new HardGenerator(planners)::generate,
        new Parameter(
            "target",
            HardGenerator.ABOVE_MAX_LOAD,
            HardGenerator.ABOVE_MAX_LOAD + ", or the name of a planner"),
        new Parameter("buffers", 14L, "of the instances looked at, 2 to 60; the result has fewer"),
        new Parameter("steps", 10L, "1 to 1000"),
        new Parameter("maxSize", 9L, "largest size, in units, 1 to 65536"),
        new Parameter("unit", 1L, "all sizes are multiples of it, in bytes"),
        new Parameter("rounds", 100_000L, "changes tried at most"));
  }

  public static List<Generator<PackingProblem>> all() {
    return ALL;
  }

  /** The generator of a name; a fault names those there are. */
  public static Generator<PackingProblem> named(String name) {
    return Generator.named(ALL, name);
  }

  /**
   * Makes a problem by a generator's name; parameters that are absent have their standard value,
   * and a fault names unknown ones and those out of range.
   */
  public static PackingProblem generate(String generator, Map<String, ?> parameters) {
    return named(generator).generate(parameters);
  }
}
