package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Buffers whose starts are spread evenly, with lengths and sizes drawn independently of each other
 * by a law each. Lives that would pass the last step are cut there. O(n).
 */
final class RandomIntervalsGenerator {
  private RandomIntervalsGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 0, 10_000_000);
    int steps = values.count("steps", 1, Integer.MAX_VALUE);
    DrawLaw lifeLaw = values.oneOf("lifeLaw", DrawLaw.class);
    long minLife = values.whole("minLife", 1, Integer.MAX_VALUE);
    long maxLife = values.whole("maxLife", minLife, Integer.MAX_VALUE);
    DrawLaw sizeLaw = values.oneOf("sizeLaw", DrawLaw.class);
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
    return PackingProblem.of("random-intervals", buffers);
  }

  /** How random lengths and sizes are spread over a range. */
  enum DrawLaw {
    /** Every number alike. */
    UNIFORM,
    /** Small ones more often: the excess over the least has a mean of a fifth of the range. */
    EXPONENTIAL,
    /** Every power alike. */
    LOG_UNIFORM;

    /** A number of a range, both ends included. */
    long draw(Draws draws, long least, long most) {
      return switch (this) {
        case UNIFORM -> draws.uniform(least, most);
        case EXPONENTIAL -> draws.exponential(least, most, (most - least) / 5.0);
        case LOG_UNIFORM -> draws.logUniform(least, most);
      };
    }
  }
}
