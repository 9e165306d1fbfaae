package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.cpsat.CpSatEngine;
import stowage.exact.engine.Engine;
import stowage.exact.engine.Engines;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * The portfolio and CP-SAT on problems of two and three memories with up to nine buffers, against
 * the best of all assignments: the least peak of every set of buffers is found by trying every
 * offset, and every way of dividing the buffers among the memories is added up.
 */
class SeveralMemoriesTest {
  private static final int MOST_BUFFERS = 9;

  @Test
  void agreesWithEveryAssignment() {
    compare(Thorough.of(0, 100_000), Thorough.of(12, 2_000), true);
  }

  @Test
  void cpSatAloneAgreesWithEveryAssignment() {
    compare(Thorough.of(10_000, 200_000), Thorough.of(60, 5_000), false);
  }

  private static void compare(long from, int problems, boolean all) {
    int infeasible = 0;
    for (long seed = from; seed < from + problems; seed++) {
      PackingProblem problem = problem(seed);
      long[] expected = new Assignments(problem).best();
      List<Engine> engines = all ? Engines.all() : List.of(new CpSatEngine());
      Incumbent incumbent =
          EngineChecks.portfolio(
              new Incumbent(problem),
              RunControl.unlimited(),
              all ? Openings.of(problem) : List.of(),
              engines.toArray(Engine[]::new));
      String about = "seed " + seed + ", expected " + Arrays.toString(expected);
      infeasible += expected == null ? 1 : 0;
      EngineChecks.holds(expected, incumbent, about);
    }
    assertTrue(infeasible < problems / 2, infeasible + " are infeasible");
  }

  /** Two or three memories, the last one unbounded or not; like memories now and then. */
  private static PackingProblem problem(long seed) {
    Random random = new Random(seed * 0x9e3779b97f4a7c15L + 3);
    int count = 5 + random.nextInt(MOST_BUFFERS - 4);
    int memories = 2 + random.nextInt(2);
    boolean like = random.nextInt(3) == 0;
    long first = 3 + random.nextInt(6);
    List<Memory> spaces = new ArrayList<>();
    for (int m = 0; m < memories; m++) {
      boolean last = m == memories - 1;
      long capacity = like ? first : 3 + random.nextInt(6);
      spaces.add(
          new Memory(
              "m" + m, last && random.nextInt(4) > 0 ? Memory.UNBOUNDED : capacity, 1, 0, 0));
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> names = new ArrayList<>();
      for (Memory memory : spaces) {
        if (random.nextInt(4) > 0) {
          names.add(memory.name());
        }
      }
      Buffer buffer = Buffers.drawn(random, "b" + i, 6, 5, 4);
      buffers.add(names.isEmpty() ? buffer : buffer.withMemories(names));
    }
    return new PackingProblem("memories " + seed, buffers, spaces, ConflictPairs.none());
  }

  /** Every division of the buffers among the memories; shares no code with the planners. */
  private static final class Assignments {
    private final PackingProblem problem;
    private final int count;
    private final long[] peakOfSet;
    private final int[] sets;
    private long[] best;

    Assignments(PackingProblem problem) {
      this.problem = problem;
      this.count = problem.size();
      this.peakOfSet = new long[1 << count];
      Arrays.fill(peakOfSet, -1);
      this.sets = new int[problem.memories().size()];
    }

    /** The lexicographically least peaks, the last memory's first; null without a placement. */
    long[] best() {
      assign(0);
      return best;
    }

    private void assign(int buffer) {
      if (buffer == count) {
        judge();
        return;
      }
      for (int m = 0; m < sets.length; m++) {
        if (problem.allows(buffer, m)) {
          sets[m] |= 1 << buffer;
          assign(buffer + 1);
          sets[m] &= ~(1 << buffer);
        }
      }
    }

    private void judge() {
      long[] peaks = new long[sets.length];
      for (int m = 0; m < sets.length; m++) {
        long peak = peak(sets[m]);
        if (peak > problem.memories().get(m).capacity()) {
          return;
        }
        peaks[sets.length - 1 - m] = peak;
      }
      if (best == null || Arrays.compare(peaks, best) < 0) {
        best = peaks;
      }
    }

    private long peak(int set) {
      if (peakOfSet[set] < 0) {
        List<Buffer> alone = new ArrayList<>();
        for (int buffer = 0; buffer < count; buffer++) {
          if ((set >> buffer & 1) != 0) {
            alone.add(problem.buffer(buffer).withMemories(List.of()));
          }
        }
        peakOfSet[set] = BruteForce.peaks(PackingProblem.of("set " + set, alone))[0];
      }
      return peakOfSet[set];
    }
  }
}
