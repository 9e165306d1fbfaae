package stowage.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

class IndependentPartsTest {
  @Test
  void partsAreTheComponentsOfWhatIsLiveAtOnce() {
    for (int seed = 0; seed < 2000; seed++) {
      Random random = new Random(seed);
      List<Buffer> buffers = new ArrayList<>();
      int count = random.nextInt(9);
      for (int i = 0; i < count; i++) {
        int start = random.nextInt(30);
        buffers.add(new Buffer("b" + i, random.nextInt(4), start, start + random.nextInt(6)));
      }
      PackingProblem problem = PackingProblem.of("p", buffers);
      assertEquals(components(buffers), IndependentParts.of(problem), "seed " + seed);
    }
  }

  private static int components(List<Buffer> buffers) {
    List<List<Buffer>> parts = new ArrayList<>();
    for (Buffer buffer : buffers) {
      if (!buffer.needsMemory()) {
        continue;
      }
      List<Buffer> joined = new ArrayList<>(List.of(buffer));
      for (List<Buffer> part : List.copyOf(parts)) {
        if (part.stream().anyMatch(other -> other.live().overlaps(buffer.live()))) {
          parts.remove(part);
          joined.addAll(part);
        }
      }
      parts.add(joined);
    }
    return parts.size();
  }
}
