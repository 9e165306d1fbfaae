package stowage.onchip.lmem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.onchip.Chips;

class LmemProblemTest {
  private static final int STEPS = 5;

  @Test
  void buffersAreTogetherWhereTheyShareAStep() {
    List<LmemBuffer> buffers = new ArrayList<>();
    for (int start = 0; start < STEPS; start++) {
      for (int end = 0; end <= STEPS; end++) {
        String id = start + "-" + end;
        buffers.add(new LmemBuffer(id, LmemBuffer.Kind.ACTIVATION, start, end, 1, false));
      }
    }
    buffers.add(new LmemBuffer("resident", LmemBuffer.Kind.WEIGHT, 0, STEPS, 1, true));
    LmemProblem problem =
        new LmemProblem(
            Chips.cv184x(),
            STEPS,
            buffers,
            Collections.nCopies(STEPS, new LmemProblem.Step(List.of(), List.of(), List.of())),
            List.of());
    for (int one = 0; one < buffers.size(); one++) {
      for (int other = 0; other < buffers.size(); other++) {
        LmemBuffer first = buffers.get(one);
        LmemBuffer second = buffers.get(other);
        boolean common =
            IntStream.range(0, STEPS).anyMatch(step -> first.isLive(step) && second.isLive(step));
        assertEquals(common, problem.together(one, other), first.id() + " and " + second.id());
      }
    }
  }
}
