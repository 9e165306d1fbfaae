package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Large instances of about the same load throughout: sizes are 512 bytes times log-uniform 1 to
 * 32768, starts are uniform over 64 steps a buffer, and lives are log-uniform from 1 to 1024 times
 * {@code live}, so that somewhat more than {@code live} buffers are alive at a time. O(n).
 */
final class LogUniformLargeGenerator {
  private static final int STEPS_PER_BUFFER = 64;
  private static final int LONGEST_OVER_MEAN = 16;
  private static final long UNIT = 512;
  private static final long MOST_UNITS = 32_768;

  private LogUniformLargeGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
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
    return PackingProblem.of("log-uniform-large", buffers);
  }
}
