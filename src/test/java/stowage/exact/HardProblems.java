package stowage.exact;

import java.util.HashMap;
import java.util.Map;
import stowage.generator.Generators;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;

/** Problems that take solvers more than a moment. */
public final class HardProblems {
  private HardProblems() {}

  /** One of some 100,000 random problems: its optimum, 25, is above its max load of 24. */
  public static PackingProblem aboveMaxLoad() {
    return PackingProblem.of(
        "above max load",
        Buffers.of(
            "b0:4[3,7) b1:3[4,8) b2:5[7,9) b3:2[7,8) b4:7[2,5) b5:7[3,4) b6:9[8,9) b7:5[1,8)"
                + " b8:9[2,3) b9:9[5,9)"));
  }

  /** Buffers of many sizes whose live ranges overlap in a long row. */
  public static PackingProblem row(int n, long seed) {
    Map<String, Object> sizes = Map.of("sizeLaw", "uniform", "minSize", 17, "maxSize", 1016);
    Map<String, Object> ranges = Map.of("steps", n, "maxLife", n / 2);
    return generated("random-intervals", Map.of("buffers", n, "seed", seed), ranges, sizes);
  }

  /** A rectangle of 100 steps and 1000 bytes cut into n: the optimum, 1000, leaves no hole. */
  public static PackingProblem cut(int n, long seed) {
    Map<String, Object> sides = Map.of("steps", 100, "height", 1000);
    return generated("guillotine", Map.of("buffers", n, "seed", seed), sides);
  }

  /**
   * A memory that is full at every step: at each, two buffers end and others of the same bytes
   * begin.
   *
   * @param live about how many buffers are alive at a step
   */
  public static PackingProblem exchanges(int live, int steps, int capacity, long seed) {
    Map<String, Object> room = Map.of("live", live, "turnover", 2, "capacity", capacity);
    return generated("exchange", Map.of("buffers", 2 * steps, "seed", seed), room);
  }

  @SafeVarargs
  private static PackingProblem generated(String generator, Map<String, Object>... values) {
    Map<String, Object> all = new HashMap<>(Map.of("unit", 1));
    for (Map<String, Object> some : values) {
      all.putAll(some);
    }
    return Generators.generate(generator, all);
  }
}
