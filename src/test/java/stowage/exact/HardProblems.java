package stowage.exact;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/** Generated problems that take solvers more than a moment. */
public final class HardProblems {
  private HardProblems() {}

  /** Start, end and size of each buffer; the max load is 24, and no plan of 24 exists. */
  private static final int[][] ABOVE_MAX_LOAD = {
    {3, 7, 4}, {4, 8, 3}, {7, 9, 5}, {7, 8, 2}, {2, 5, 7},
    {3, 4, 7}, {8, 9, 9}, {1, 8, 5}, {2, 3, 9}, {5, 9, 9}
  };

  /** One of some 100,000 random problems: its optimum, 25, is above its max load of 24. */
  public static PackingProblem aboveMaxLoad() {
    List<Buffer> buffers = new ArrayList<>();
    for (int[] row : ABOVE_MAX_LOAD) {
      buffers.add(new Buffer("b" + buffers.size(), row[2], row[0], row[1]));
    }
    return PackingProblem.of("above max load", buffers);
  }

  /** Buffers of many sizes whose lives overlap in a long row. */
  public static PackingProblem row(int n, long seed) {
    Random random = new Random(seed);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int start = random.nextInt(n);
      int end = start + 1 + (int) Math.min(n, -Math.log(random.nextDouble()) * n / 6);
      buffers.add(new Buffer("b" + i, 17 + random.nextInt(1000), start, end));
    }
    return PackingProblem.of("row of " + n, buffers);
  }

  /** A rectangle of 100 steps and 1000 bytes cut into n: the optimum, 1000, leaves no hole. */
  public static PackingProblem cut(int n, long seed) {
    Random random = new Random(seed);
    List<int[]> pieces = new ArrayList<>(List.of(new int[] {0, 100, 1000}));
    while (pieces.size() < n) {
      pieces.sort(Comparator.comparingInt(p -> -p[2] * (p[1] - p[0])));
      int[] piece = pieces.remove(random.nextInt(Math.min(3, pieces.size())));
      if (random.nextBoolean() && piece[1] - piece[0] > 1) {
        int at = piece[0] + 1 + random.nextInt(piece[1] - piece[0] - 1);
        pieces.add(new int[] {piece[0], at, piece[2]});
        pieces.add(new int[] {at, piece[1], piece[2]});
      } else {
        int low = 1 + random.nextInt(Math.max(1, piece[2] - 1));
        pieces.add(new int[] {piece[0], piece[1], low});
        if (piece[2] > low) {
          pieces.add(new int[] {piece[0], piece[1], piece[2] - low});
        }
      }
    }
    Collections.shuffle(pieces, random);
    List<Buffer> buffers = new ArrayList<>();
    for (int[] piece : pieces) {
      buffers.add(new Buffer("b" + buffers.size(), piece[2], piece[0], piece[1]));
    }
    return PackingProblem.of("cut into " + n, buffers);
  }

  /**
   * A memory that is full at every step: at each, two buffers end and others of the same bytes
   * begin. The bytes that become free are apart, so that most such rows need more than their load.
   *
   * @param live about how many buffers are alive at a step
   */
  public static PackingProblem exchanges(int live, int steps, int capacity, long seed) {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L + 1);
    List<int[]> alive = new ArrayList<>();
    List<Buffer> buffers = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      int freed = step == 0 ? capacity : 0;
      for (int k = 0; k < 2 && step > 0; k++) {
        int[] gone = alive.remove(random.nextInt(alive.size()));
        freed += gone[1];
        buffers.add(new Buffer("b" + buffers.size(), gone[1], gone[0], step));
      }
      int parts = Math.max(1, live - alive.size());
      for (int k = parts; k > 0; k--) {
        int size = k == 1 ? freed : 1 + random.nextInt(Math.max(1, 2 * freed / k - 1));
        size = Math.min(size, freed - k + 1);
        if (size > 0) {
          alive.add(new int[] {step, size});
          freed -= size;
        }
      }
    }
    for (int[] left : alive) {
      buffers.add(new Buffer("b" + buffers.size(), left[1], left[0], steps));
    }
    return PackingProblem.of("exchanges " + seed, buffers);
  }
}
