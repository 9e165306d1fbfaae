package stowage.experiment.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Large instances of about the same load throughout: sizes are 512 bytes times log-uniform 1 to
 * 32768, starts are uniform over 64 steps a buffer, and lives are log-uniform from 1 to 1024 times
 * {@code live}, so that somewhat more than {@code live} buffers are alive at a time. O(n).
 */
final class LogUniformLargeGenerator implements InstanceGenerator {
  private static final int STEPS_PER_BUFFER = 64;
  private static final int LONGEST_OVER_MEAN = 16;
  private static final long UNIT = 512;
  private static final long MOST_UNITS = 32_768;

  @Override
  public String name() {
    return "log-uniform-large";
  }

  @Override
  public String summary() {
    return "Up to millions of buffers with log-uniform sizes and lives and a steady load.";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        Parameter.SEED,
        new Parameter("buffers", 1_000_000L, "1 or more"),
        new Parameter("live", 10_000L, "scale of the number of buffers alive at a time"));
  }

  @Override
  public PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 1, 20_000_000);
    int live = values.count("live", 1, 500_000);
    int horizon = count * STEPS_PER_BUFFER;
    long longest = (long) LONGEST_OVER_MEAN * STEPS_PER_BUFFER * live;
    Draws draws = values.draws();
    List<Buffer> buffers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long life = draws.logUniform(1, longest);
      int start = draws.below(horizon);
      long size = UNIT * draws.logUniform(1, MOST_UNITS);
      buffers.add(new Buffer(String.valueOf(i), size, start, (int) (start + life)));
    }
    return PackingProblem.of(name(), buffers);
  }
}
