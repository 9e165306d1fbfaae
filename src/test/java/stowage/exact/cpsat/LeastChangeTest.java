package stowage.exact.cpsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stowage.exact.BruteForce;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** The least change that fits, against all changes of small problems. */
class LeastChangeTest {

  private static PackingProblem problem(long seed, Random random) {
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < 3 + random.nextInt(3); k++) {
      int start = random.nextInt(5);
      Buffer buffer =
          new Buffer("b" + k, 1 + random.nextInt(4), start, start + 1 + random.nextInt(4));
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
      long capacity = Math.max(1, peak - 1 - random.nextInt(2));
      PackingProblem problem = open.withCapacity(0, capacity);
      CpSatLeastChange.Change found =
          CpSatLeastChange.of(problem, kind, RunControl.unlimited()).orElseThrow();
      assertTrue(found.isLeast(), "seed " + seed);
      long[] sizes = new long[open.size()];
      assertEquals(
          least(open, kind, capacity, sizes, 0, Long.MAX_VALUE), found.bytes(), "seed " + seed);
      changed++;
    }
    assertTrue(changed > 100, "cases " + changed);
  }

  /** Tries every size of each buffer, or whether it stays. */
  private static long least(
      PackingProblem open,
      CpSatLeastChange.Kind kind,
      long capacity,
      long[] sizes,
      int next,
      long best) {
    long spent = 0;
    for (int i = 0; i < next; i++) {
      spent += open.buffer(i).size() - sizes[i];
    }
    if (spent >= best) {
      return best;
    }
    if (next == open.size()) {
      List<Buffer> left = new ArrayList<>();
      for (int i = 0; i < next; i++) {
        if (sizes[i] > 0) {
          left.add(open.buffer(i).withSize(sizes[i]));
        }
      }
      boolean fits =
          left.isEmpty() || BruteForce.peaks(PackingProblem.of(open.name(), left))[0] <= capacity;
      return fits ? spent : best;
    }
    long least = best;
    long whole = open.buffer(next).size();
    for (long size = whole; size >= 0; size -= kind == CpSatLeastChange.Kind.MOVE ? whole : 1) {
      sizes[next] = size;
      least = least(open, kind, capacity, sizes, next + 1, least);
    }
    return least;
  }
}
