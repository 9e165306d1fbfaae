package stowage.experiment.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Buffers whose starts are spread evenly, with lengths and sizes drawn independently of each other
 * by a law each. Lives that would pass the last step are cut there. O(n).
 */
final class RandomIntervalsGenerator implements InstanceGenerator {
  @Override
  public String name() {
    return "random-intervals";
  }

  @Override
  public String summary() {
    return "Independent lives and sizes, each uniform, exponential or log-uniform.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        Parameter.SEED,
        new Parameter("buffers", 100L, "0 or more"),
        new Parameter("steps", 200L, "steps of the whole"),
        new Parameter("lifeLaw", "exponential", "uniform, exponential or log-uniform"),
        new Parameter("minLife", 1L, "shortest life, in steps"),
        new Parameter("maxLife", 100L, "longest life, in steps"),
        new Parameter("sizeLaw", "log-uniform", "uniform, exponential or log-uniform"),
        new Parameter("minSize", 1L, "smallest size, in units"),
        new Parameter("maxSize", 256L, "largest size, in units"),
        new Parameter("unit", 1024L, "all sizes are multiples of it, in bytes"),
        new Parameter("alignment", 1L, "of every buffer"));
  }

  @Override
  public PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 0, 10_000_000);
    int steps = values.count("steps", 1, Integer.MAX_VALUE);
    Law lifeLaw = values.oneOf("lifeLaw", Law.class);
    long minLife = values.whole("minLife", 1, Integer.MAX_VALUE);
    long maxLife = values.whole("maxLife", minLife, Integer.MAX_VALUE);
    Law sizeLaw = values.oneOf("sizeLaw", Law.class);
    long minSize = values.whole("minSize", 1, 1L << 30);
    long maxSize = values.whole("maxSize", minSize, 1L << 30);
    long unit = values.whole("unit", 1, 1L << 30);
    long alignment = values.whole("alignment", 1, 1L << 40);
    Draws draws = values.draws();
    List<Buffer> buffers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int start = draws.below(steps);
      int end = (int) Math.min(steps, start + lifeLaw.draw(draws, minLife, maxLife));
      long size = unit * sizeLaw.draw(draws, minSize, maxSize);
      buffers.add(new Buffer(String.valueOf(i), size, start, end).withAlignment(alignment));
    }
    return PackingProblem.of(name(), buffers);
  }
}
