package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/** Lists whose buffers are drawn one by one, whatever the others are. */
final class DrawnGenerators {
  private DrawnGenerators() {}

  /**
   * Buffers whose starts are spread evenly, with lengths and sizes drawn independently of each
   * other by a law each. Lives that would pass the last step are cut there. O(n).
   */
  static PackingProblem randomIntervals(ParameterValues values) {
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

  private static final int STEPS_PER_BUFFER = 64;
  private static final int LONGEST_OVER_MEAN = 16;
  private static final long LARGE_UNIT = 512;
  private static final long MOST_LARGE_UNITS = 32_768;

  /**
   * Large instances of about the same load throughout: sizes are 512 bytes times log-uniform 1 to
   * 32768, starts are uniform over 64 steps a buffer, and live ranges are log-uniform from 1 to
   * 1024 times {@code live}, so that somewhat more than {@code live} buffers are alive at a time.
   * O(n).
   */
  static PackingProblem logUniformLarge(ParameterValues values) {
    int count = values.count("buffers", 1, 20_000_000);
    int live = values.count("live", 1, 500_000);
    int horizon = count * STEPS_PER_BUFFER;
    long longest = (long) LONGEST_OVER_MEAN * STEPS_PER_BUFFER * live;
    Draws draws = values.draws();
    List<Buffer> buffers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long life = draws.logUniform(1, longest);
      int start = draws.below(horizon);
      long size = LARGE_UNIT * draws.logUniform(1, MOST_LARGE_UNITS);
      buffers.add(new Buffer(String.valueOf(i), size, start, (int) (start + life)));
    }
    return PackingProblem.of("log-uniform-large", buffers);
  }

  private static final int MOST_SHARES = 8;

  /**
   * Buffers over memories of which each but the last holds a share of the max load. Starts, live
   * ranges and sizes are uniform and independent. O(n).
   */
  static PackingProblem severalMemories(ParameterValues values) {
    int count = values.count("buffers", 1, 1_000_000);
    int steps = values.count("steps", 1, 1_000_000);
    long maxLife = values.whole("maxLife", 1, 1_000_000);
    long maxSize = values.whole("maxSize", 1, 1L << 30);
    long alignment = values.whole("alignment", 1, 1L << 20);
    double[] shares = shares(values);
    double bound = values.real("bound", 0, 1);
    Draws draws = values.draws();
    List<Buffer> buffers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int start = draws.below(steps);
      int end = (int) (start + draws.uniform(1, maxLife));
      long size = draws.uniform(Math.max(1, maxSize / 16), maxSize);
      buffers.add(new Buffer(String.valueOf(i), size, start, end).withAlignment(alignment));
    }
    long load = LoadProfile.of(PackingProblem.of("buffers", buffers)).maxLoad();
    List<Memory> memories = new ArrayList<>();
    for (int m = 0; m <= shares.length; m++) {
      long capacity =
          m == shares.length ? Memory.UNBOUNDED : (long) (shares[m] * load) / alignment * alignment;
      memories.add(new Memory("m" + m, capacity, alignment, 0, 0));
    }
    for (int i = 0; i < count && bound > 0; i++) {
      if (draws.happens(bound)) {
        List<String> allowed = new ArrayList<>(List.of("m" + shares.length));
        for (int m = shares.length - 1; m >= 0; m--) {
          if (draws.happens(0.5)) {
            allowed.add(0, "m" + m);
          }
        }
        buffers.set(i, buffers.get(i).withMemories(allowed));
      }
    }
    return new PackingProblem("memories", buffers, memories, ConflictPairs.none());
  }

  private static double[] shares(ParameterValues values) {
    String[] parts = values.text("shares").split("/");
    double[] shares = new double[parts.length];
    for (int m = 0; m < parts.length; m++) {
      try {
        shares[m] = parts[m].matches("[0-9.]+") ? Double.parseDouble(parts[m]) : -1;
      } catch (NumberFormatException wrong) {
        shares[m] = -1;
      }
      if (!(shares[m] > 0 && shares[m] <= 1) || parts.length > MOST_SHARES) {
        throw values.contradiction("shares", "1 to 8 numbers above 0, up to 1, with / between");
      }
    }
    return shares;
  }

  private static final int TRIES_PER_BUFFER = 20;
  private static final int FEWEST_UNITS_OF_BANK = 4;

  /**
   * Problems as layer groups give them for a small on-chip memory with banks. A group runs its ops
   * once a slice; an op's operands are loaded one step before it and its result is stored one step
   * after it, so that most buffers live for two or three steps; weights that all slices share live
   * throughout. A share of the buffers must stay within one bank.
   *
   * <p>Buffers are drawn until the wanted number is reached or {@code fill} of the banks' bytes is
   * live at every step where more are tried, so that most instances fit into their banks; whether
   * one does is not known beforehand. O(n * live range).
   */
  static PackingProblem banked(ParameterValues values) {
    int most = values.count("buffers", 1, 1_000_000);
    int steps = values.count("steps", 1, 1_000_000);
    int banks = values.count("banks", 1, 1_000_000);
    long alignment = values.whole("alignment", 1, 1L << 20);
    long least = FEWEST_UNITS_OF_BANK * alignment;
    long bankSize =
        values.multiple("bankSize", "the alignment " + alignment, alignment, least, 1L << 40);
    double throughout = values.real("throughout", 0, 1);
    double bound = values.real("withinBank", 0, 1);
    long limit = (long) (values.real("fill", 0, 1) * banks * bankSize);
    Draws draws = values.draws();
    long[] load = new long[steps];
    List<Buffer> buffers = new ArrayList<>();
    for (long left = (long) most * TRIES_PER_BUFFER; left > 0 && buffers.size() < most; left--) {
      boolean whole = draws.happens(throughout);
      int life = whole ? steps : (int) Math.min(steps, 2 + draws.logUniform(1, 4) - 1);
      int start = draws.below(steps - life + 1);
      boolean kept = draws.happens(bound);
      long units = (kept || banks == 1 ? bankSize : 2 * bankSize) / alignment;
      long size = alignment * draws.logUniform(1, whole ? Math.max(1, units / 4) : units);
      if (addsUpTo(load, start, life, size, limit)) {
        buffers.add(
            new Buffer(String.valueOf(buffers.size()), size, start, start + life).withinBank(kept));
      }
    }
    long capacity = values.flag("bounded") ? banks * bankSize : Memory.UNBOUNDED;
    Memory memory = new Memory("lmem", capacity, alignment, 0, bankSize);
    return new PackingProblem("banked", buffers, List.of(memory), ConflictPairs.none());
  }

  /** Adds a load where it stays within a limit at every step; says whether it did. */
  private static boolean addsUpTo(long[] load, int start, int life, long size, long limit) {
    for (int step = start; step < start + life; step++) {
      if (load[step] + size > limit) {
        return false;
      }
    }
    for (int step = start; step < start + life; step++) {
      load[step] += size;
    }
    return true;
  }
}
