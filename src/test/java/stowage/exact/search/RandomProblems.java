package stowage.exact.search;

import java.util.Random;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.presolve.Demands;
import stowage.heuristic.RandomPackingProblems;

/** Seeded small problems of every kind of constraint. */
public final class RandomProblems {
  private RandomProblems() {}

  /**
   * A problem of 1 to {@code most} buffers; about half of them carry no special constraint at all.
   *
   * @param windows whether gaps may leave a window
   */
  public static Component any(long seed, int most, boolean windows) {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L + 1);
    int count = 1 + random.nextInt(most);
    int horizon = 2 + random.nextInt(9);
    int largest = 1 + random.nextInt(9);
    boolean plain = random.nextInt(3) == 0;
    boolean aligned = !plain && random.nextInt(2) == 0;
    boolean gaps = !plain && (windows || random.nextInt(2) == 0);
    boolean fixed = !plain && random.nextInt(3) == 0;
    boolean banks = !plain && random.nextInt(3) == 0;
    boolean extras = !plain && random.nextInt(3) == 0;
    long scale = random.nextInt(4) == 0 ? 4 : 1;
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    long bank = banks ? largest + random.nextInt(6) : 0;
    Demands.banks(builder, bank * scale);
    for (int k = 0; k < count; k++) {
      int start = random.nextInt(horizon);
      int end = start + 1 + random.nextInt(horizon);
      long size = scale * (1 + random.nextInt(largest));
      int buffer = builder.add(size, start, end);
      if (gaps && end - start > 2 && random.nextInt(2) == 0) {
        addGap(builder, random, start + 1, end - 1, size, windows);
      }
      if (aligned && random.nextInt(2) == 0) {
        Demands.align(builder, buffer, 1 + random.nextInt(5));
      }
      if (banks && random.nextInt(2) == 0) {
        Demands.withinBank(builder, buffer);
      }
      if (fixed && random.nextInt(4) == 0) {
        Demands.fix(builder, buffer, random.nextInt(12));
      }
      if (extras && k > 0 && random.nextInt(3) == 0) {
        builder.conflict(buffer, random.nextInt(k));
      }
    }
    return builder.build();
  }

  /** A problem without special constraints whose sections are nearly full: hard for its size. */
  public static Component plain(long seed, int count, int horizon, int largest) {
    return Searches.component(RandomPackingProblems.plain(seed, count, horizon, largest).buffers());
  }

  private static void addGap(
      ComponentBuilder builder, Random random, int from, int to, long size, boolean windows) {
    int start = from + random.nextInt(to - from);
    int end = start + 1 + random.nextInt(to - start);
    if (windows && random.nextInt(3) > 0) {
      long low = random.nextInt((int) size);
      builder.window(start, end, low, low + 1 + random.nextInt((int) (size - low)));
    } else {
      builder.gap(start, end);
    }
    if (end + 1 < to && random.nextInt(2) == 0) {
      builder.gap(end, end + 1);
    }
  }
}
