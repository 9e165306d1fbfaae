package stowage.exact.cpsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stowage.exact.BruteForce;
import stowage.exact.reuse.RelatedProblems;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Gap;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** The least change that fits, against all changes of small problems. */
class LeastChangeTest {

  private static PackingProblem problem(long seed, Random random) {
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < 3 + random.nextInt(3); k++) {
      Buffer buffer = Buffers.drawn(random, "b" + k, 5, 4, 4);
      buffers.add(random.nextInt(4) == 0 ? buffer.withAlignment(2) : buffer);
    }
    return PackingProblem.of("seed " + seed, buffers);
  }

  @ParameterizedTest
  @EnumSource(CpSatLeastChange.Kind.class)
  void itIsTheLeastOfAllChanges(CpSatLeastChange.Kind kind) {
    int changed = 0;
    for (long seed = 0; seed < 120; seed++) {
      Random random = new Random(seed);
      PackingProblem open = problem(seed, random);
      long peak = BruteForce.peaks(open)[0];
      if (peak < 2) {
        continue;
      }
      PackingProblem problem = open.withCapacity(0, Math.max(1, peak - 1 - random.nextInt(2)));
      assertLeast(problem, kind);
      changed++;
    }
    assertTrue(changed > 100, "cases " + changed);
  }

  /** Several memories, windows, banks, reserved ranges, and every relation of pairs. */
  @ParameterizedTest
  @EnumSource(CpSatLeastChange.Kind.class)
  void itKeepsEverythingThatAProblemCanSay(CpSatLeastChange.Kind kind) {
    int changed = 0;
    int related = 0;
    int several = 0;
    for (long seed = 0; changed < 150; seed++) {
      PackingProblem open = RelatedProblems.of(seed, 4);
      int last = open.memories().size() - 1;
      long capacity = open.memories().get(last).capacity();
      PackingProblem problem = open.withCapacity(last, 1 + capacity / 3);
      if (!fits(problem)) {
        assertLeast(problem, kind);
        changed++;
        related += problem.isPlain() ? 0 : 1;
        several += last;
      }
    }
    assertTrue(related > 50 && several > 20, related + " related, " + several + " of two memories");
  }

  private static boolean fits(PackingProblem problem) {
    return BruteForce.peaks(problem) != null;
  }

  private static void assertLeast(PackingProblem problem, CpSatLeastChange.Kind kind) {
    CpSatLeastChange.Change found =
        CpSatLeastChange.of(problem, kind, RunControl.unlimited()).orElseThrow();
    assertEquals(found.lowerBound(), found.bytes(), problem.name());
    long[] sizes = new long[problem.size()];
    assertEquals(least(problem, kind, sizes, 0, Long.MAX_VALUE), found.bytes(), problem.name());
    assertTrue(fits(changed(problem, found.sizes())), problem.name());
  }

  /** The buffers that keep bytes, cut off where their new sizes end. */
  private static PackingProblem changed(PackingProblem problem, long[] sizes) {
    int[] stays = IntStream.range(0, sizes.length).filter(i -> sizes[i] > 0).toArray();
    List<Buffer> left = new ArrayList<>();
    for (int i : stays) {
      Buffer buffer = problem.buffer(i);
      List<Gap> gaps = new ArrayList<>();
      for (Gap gap : buffer.gaps()) {
        long low = Math.min(gap.windowStart(), sizes[i]);
        long high = Math.min(gap.windowEnd(), sizes[i]);
        gaps.add(new Gap(gap.range(), low < high ? low : 0, low < high ? high : 0));
      }
      left.add(buffer.withGaps(gaps).withSize(sizes[i]));
    }
    return problem.select(stays).withBuffers(left);
  }

  /** Tries every size of each buffer, or whether it stays. */
  private static long least(
      PackingProblem problem, CpSatLeastChange.Kind kind, long[] sizes, int next, long best) {
    long spent = 0;
    for (int i = 0; i < next; i++) {
      spent += problem.buffer(i).needsMemory() ? problem.buffer(i).size() - sizes[i] : 0;
    }
    if (spent >= best) {
      return best;
    }
    if (next == problem.size()) {
      return fits(changed(problem, sizes)) ? spent : best;
    }
    long least = best;
    long whole = problem.buffer(next).needsMemory() ? problem.buffer(next).size() : 0;
    long step = kind == CpSatLeastChange.Kind.MOVE ? Math.max(1, whole) : 1;
    for (long size = whole; size >= 0; size -= step) {
      sizes[next] = size;
      least = least(problem, kind, sizes, next + 1, least);
    }
    return least;
  }
}
