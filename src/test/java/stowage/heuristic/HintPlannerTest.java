package stowage.heuristic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

class HintPlannerTest {
  private static long[] offsets(Buffer... buffers) {
    PackingProblem problem = PackingProblem.of("p", List.of(buffers));
    return new HintPlanner().plan(problem, RunControl.unlimited()).offsets();
  }

  @Test
  void hintsAreTriedFirst() {
    Buffer a = new Buffer("a", 4, 0, 4).withHint(8);
    Buffer b = new Buffer("b", 8, 2, 6);
    assertArrayEquals(new long[] {8, 0}, offsets(a, b));
  }

  @Test
  void aHintThatIsTakenOrNotAlignedBindsNothing() {
    Buffer a = new Buffer("a", 4, 0, 4).withHint(0);
    Buffer b = new Buffer("b", 8, 2, 6).withHint(2);
    Buffer c = new Buffer("c", 8, 2, 6).withAlignment(4).withHint(14);
    assertArrayEquals(new long[] {0, 4, 12}, offsets(a, b, c));
  }

  @Test
  void withoutHintsItIsTheGreedyBySize() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      PackingProblem problem = PackingProblem.of("p", Buffers.drawn(random, 12, 9, 9, 5));
      assertEquals(
          new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST)
              .plan(problem, RunControl.unlimited()),
          new HintPlanner().plan(problem, RunControl.unlimited()));
    }
  }
}
