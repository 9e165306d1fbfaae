package stowage.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * Small random packing problems that use every kind of constraint: alignment, gaps, windows, fixed
 * offsets, banks, several memories, extra conflicts, capacities. A seed always gives the same one.
 */
public final class RandomProblems {
  private RandomProblems() {}

  /** A problem of up to {@code largest} buffers; each kind of constraint is on or off by chance. */
  public static PackingProblem of(long seed, int largest) {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L + 17);
    int n = 1 + random.nextInt(largest);
    long scale = random.nextInt(3) == 0 ? 1 + random.nextInt(n <= 3 ? 12 : 3) : 1;
    boolean aligned = random.nextInt(3) == 0;
    boolean gaps = random.nextInt(3) == 0;
    boolean windows = random.nextInt(3) == 0;
    boolean fixed = random.nextInt(4) == 0;
    boolean banks = random.nextInt(3) == 0;
    int memories = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
    boolean choice = random.nextBoolean();
    boolean pairs = random.nextInt(3) == 0;
    boolean bounded = random.nextInt(4) == 0;
    int horizon = 2 + random.nextInt(8);
    long bank = banks ? scale * (4 + random.nextInt(5)) : 0;

    List<Memory> spaces = new ArrayList<>();
    for (int m = 0; m < memories; m++) {
      boolean limited = bounded || (memories > 1 && m == 0 && random.nextBoolean());
      long capacity = limited ? scale * (3 + random.nextInt(14)) : Memory.UNBOUNDED;
      long alignment = aligned && random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
      boolean banked = banks && (m == 0 || random.nextBoolean());
      spaces.add(
          new Memory(
              memories == 1 ? Memory.MAIN : "m" + m, capacity, alignment, 0, banked ? bank : 0));
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      buffers.add(
          buffer(random, i, horizon, scale, bank, spaces, aligned, gaps, windows, fixed, choice));
    }
    List<int[]> conflicts = pairs ? Buffers.pairs(n, () -> random.nextInt(4) == 0) : List.of();
    return new PackingProblem("random " + seed, buffers, spaces, ConflictPairs.of(n, conflicts));
  }

  private static Buffer buffer(
      Random random,
      int i,
      int horizon,
      long scale,
      long bank,
      List<Memory> spaces,
      boolean aligned,
      boolean gaps,
      boolean windows,
      boolean fixed,
      boolean choice) {
    int start = random.nextInt(horizon);
    int end = start + (random.nextInt(15) == 0 ? 0 : 1 + random.nextInt(horizon - start + 1));
    long size = random.nextInt(20) == 0 ? 0 : scale * (1 + random.nextInt(bank > 0 ? 4 : 6));
    long[] wanted = {1, 2, 3, 4, 6};
    long alignment = aligned && random.nextBoolean() ? wanted[random.nextInt(5)] : 1;
    long offset =
        fixed && random.nextInt(3) == 0 ? alignment * random.nextInt(4) * scale : Buffer.NONE;
    List<String> names = new ArrayList<>();
    for (Memory memory : spaces) {
      if (random.nextBoolean() && (choice || names.isEmpty())) {
        names.add(memory.name());
      }
    }
    return new Buffer(
        "b" + i,
        size,
        new LiveRange(start, end),
        alignment,
        offset,
        Buffer.NONE,
        gaps(random, start, end, size, gaps, windows),
        names,
        bank > 0 && random.nextBoolean());
  }

  private static List<Gap> gaps(
      Random random, int start, int end, long size, boolean gaps, boolean windows) {
    List<Gap> chosen = new ArrayList<>();
    int at = start;
    while ((gaps || windows) && at < end) {
      int from = at + random.nextInt(3);
      int to = from + 1 + random.nextInt(2);
      if (to > end || random.nextInt(4) == 0) {
        break;
      }
      long low = windows && size > 0 ? random.nextInt((int) size) : 0;
      long high = windows && size > 0 ? low + random.nextInt((int) (size - low) + 1) : 0;
      if (windows && (!gaps || random.nextBoolean())) {
        chosen.add(new Gap(new LiveRange(from, to), low, high));
      } else if (gaps) {
        chosen.add(Gap.empty(from, to));
      }
      at = to;
    }
    return chosen;
  }
}
