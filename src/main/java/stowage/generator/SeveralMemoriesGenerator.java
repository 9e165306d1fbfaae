package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * Buffers over memories of which each but the last holds a share of the max load. Starts, lives and
 * sizes are uniform and independent. O(n).
 */
final class SeveralMemoriesGenerator {
  private static final int MOST_SHARES = 8;

  private SeveralMemoriesGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
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
        shares[m] = Double.parseDouble(parts[m]);
      } catch (NumberFormatException wrong) {
        shares[m] = -1;
      }
      if (!(shares[m] > 0 && shares[m] <= 1) || parts.length > MOST_SHARES) {
        throw values.contradiction("shares", "1 to 8 numbers above 0, up to 1, with / between");
      }
    }
    return shares;
  }
}
