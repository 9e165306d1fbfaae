package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoadProfileTest {

  @Test
  void anEmptyProblemHasNoLoad() {
    LoadProfile profile = LoadProfile.of(PackingProblem.of("empty", List.of()));
    assertEquals(0, profile.maxLoad());
    assertEquals(0, profile.loadAt(3));
  }

  @Test
  void agreesWithAddingUpAtEveryStep() {
    long seed = 7;
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<Buffer> buffers = new ArrayList<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        int start = random.nextInt(30) - 10;
        int end = start + random.nextInt(15);
        Buffer buffer = new Buffer("b" + i, random.nextInt(50), start, end);
        if (end - start > 3 && random.nextBoolean()) {
          buffer = buffer.withGaps(List.of(Gap.empty(start + 1, end - 1)));
        }
        buffers.add(buffer);
      }
      LoadProfile profile = LoadProfile.of(PackingProblem.of("random", buffers));
      long top = 0;
      for (int step = -12; step < 40; step++) {
        long sum = 0;
        for (Buffer buffer : buffers) {
          sum += buffer.bytesAt(step);
        }
        top = Math.max(top, sum);
        assertEquals(sum, profile.loadAt(step), "seed " + seed + ", round " + round);
      }
      assertEquals(top, profile.maxLoad());
      assertEquals(top, profile.loadAt(profile.maxLoadStep()));
    }
  }
}
