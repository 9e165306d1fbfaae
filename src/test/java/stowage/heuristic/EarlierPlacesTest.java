package stowage.heuristic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

class EarlierPlacesTest {
  /** Buffers of the second memory are there, although the same bytes of the first are free too. */
  @Test
  void aPlaceIsOneOfItsMemory() {
    PackingProblem problem =
        PackingProblem.of("both", List.of(new Buffer("a", 4, 0, 2), new Buffer("b", 4, 0, 2)))
            .withMemories(List.of(new Memory("fast", 8, 1, 0, 0), new Memory("slow", 8, 1, 0, 0)));
    EarlierPlaces earlier = new EarlierPlaces(new long[2], new int[] {1, 0}, new boolean[2]);
    assertArrayEquals(new boolean[] {true, true}, earlier.inGaps(problem));
  }
}
