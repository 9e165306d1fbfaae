package stowage.onchip.lmem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.onchip.Chips;
import stowage.onchip.RandomLmem;
import stowage.onchip.layer.LaneSize;

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

  @Test
  void loadsAndTheBoundOfThePeakAreThoseOfEachStep() {
    int shared = 0;
    for (long seed = 1; seed <= 300; seed++) {
      LmemProblem problem = random(seed);
      int unit = problem.chip().vectorBytes();
      long bound = 0;
      for (int s = 0; s < problem.steps(); s++) {
        int step = s;
        long load = 0;
        long over = 0;
        for (LmemBuffer buffer : problem.buffers()) {
          long size = buffer.isLive(step) ? LaneSize.alignUp(buffer.size(), unit) : 0;
          load += size;
          over = Math.max(over, size - Math.min(size, buffer.size()));
        }
        for (LmemProblem.Sharing one : problem.sharings()) {
          LmemBuffer result = problem.buffer(one.result());
          boolean both = result.isLive(step) && problem.buffer(one.operand()).isLive(step);
          load -= both ? LaneSize.alignUp(result.size(), unit) : 0;
          shared += both ? 1 : 0;
        }
        assertEquals(load, problem.load(step), "seed " + seed + ", step " + step);
        bound = Math.max(bound, load - over);
      }
      assertEquals(bound, problem.peakBound(), "seed " + seed);
    }
    assertTrue(shared > 50, shared + " share");
  }

  @Test
  void buffersAliveTogetherAreFoundOnceEachUntilTheyAreLeftOut() {
    for (long seed = 1; seed <= 300; seed++) {
      LmemProblem problem = random(seed);
      LiveBuffers live = new LiveBuffers(problem);
      boolean[] left = new boolean[problem.size()];
      for (int b = 0; b < left.length; b++) {
        int one = b;
        left[one] = true;
        List<Integer> expected =
            IntStream.range(0, left.length)
                .filter(other -> !left[other] && problem.together(one, other))
                .boxed()
                .toList();
        List<Integer> found = live.with(one, left).stream().sorted().toList();
        assertEquals(expected, found, "seed " + seed + ", buffer " + one);
      }
    }
  }

  private static LmemProblem random(long seed) {
    Random random = new Random(seed);
    return RandomLmem.of(
        random, Chips.bm1684x(), 3 + random.nextInt(8), 4 + random.nextInt(14), 280);
  }
}
