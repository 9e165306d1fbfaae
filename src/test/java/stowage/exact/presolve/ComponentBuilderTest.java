package stowage.exact.presolve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ComponentBuilderTest {
  @Test
  void timeIsCompressedToTheMaximalLiveSets() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    builder.add(1, -10, 20);
    builder.add(2, 0, 5);
    builder.add(3, 3, 5);
    builder.add(4, 5, 6);
    Component problem = builder.build();
    assertEquals(2, problem.sections());
    assertArrayEquals(new int[] {0, 0, 0, 1}, problem.spanStarts());
    assertArrayEquals(new int[] {2, 1, 1, 2}, problem.spanEnds());
    assertArrayEquals(new long[] {6, 5}, problem.loads());
    assertEquals(6, problem.maxLoad());
  }

  @Test
  void compressionKeepsExactlyTheConflicts() {
    Random random = new Random(7);
    for (int seed = 0; seed < 300; seed++) {
      int count = 2 + random.nextInt(12);
      int[] start = new int[count];
      int[] end = new int[count];
      ComponentBuilder builder = ComponentBuilder.ofOneMemory();
      for (int k = 0; k < count; k++) {
        start[k] = random.nextInt(12) - 6;
        end[k] = start[k] + 1 + random.nextInt(6);
        builder.add(1, start[k], end[k]);
      }
      Component problem = builder.build();
      for (int one = 0; one < count; one++) {
        for (int other = 0; other < one; other++) {
          boolean meet = start[one] < end[other] && start[other] < end[one];
          assertEquals(meet, problem.conflict(one, other), "seed " + seed);
        }
      }
    }
  }

  @Test
  void gapsLeavePieces() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    builder.add(8, 0, 10);
    builder.gap(2, 4).window(6, 7, 1, 3);
    builder.add(8, 2, 4);
    Component problem = builder.build();
    assertArrayEquals(new int[] {0, 4, 5}, problem.firstSpans());
    assertArrayEquals(new long[] {8, 8, 2, 8, 8}, widths(problem));
    assertFalse(problem.conflict(0, 1));
    assertTrue(problem.hasWindows());
  }

  @Test
  void offsetsAreRoundedUpToAlignmentBanksAndFixedOffsets() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    Demands.banks(builder, 10);
    int aligned = builder.add(4, 0, 1);
    Demands.align(builder, aligned, 3);
    Demands.withinBank(builder, aligned);
    int fixed = builder.add(4, 0, 1);
    Demands.fix(builder, fixed, 7);
    int large = builder.add(11, 0, 1);
    Demands.withinBank(builder, large);
    Component problem = builder.build();
    assertEquals(6, problem.roundUp(aligned, 4));
    assertEquals(12, problem.roundUp(aligned, 7));
    assertEquals(7, problem.roundUp(fixed, 7));
    assertEquals(-1, problem.roundUp(fixed, 8));
    assertEquals(-1, problem.roundUp(large, 0));
  }

  @Test
  void wrongInputIsRefused() {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    assertThrows(IllegalArgumentException.class, () -> builder.add(0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> builder.add(1, 1, 1));
    builder.add(5, 0, 4);
    assertThrows(IllegalArgumentException.class, () -> builder.gap(3, 5));
    assertThrows(IllegalArgumentException.class, () -> builder.window(1, 2, 0, 6));
    assertThrows(IllegalArgumentException.class, () -> builder.conflict(0, 0));
  }

  private static long[] widths(Component problem) {
    long[] widths = new long[problem.spanLows().length];
    for (int piece = 0; piece < widths.length; piece++) {
      widths[piece] = problem.spanHighs()[piece] - problem.spanLows()[piece];
    }
    return widths;
  }
}
