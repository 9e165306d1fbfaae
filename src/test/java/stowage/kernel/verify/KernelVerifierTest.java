package stowage.kernel.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelPlan;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.network.kernel.KernelNode;

/** Each rule of the verifier, on a kernel of three ops and two buffers worked out by hand. */
class KernelVerifierTest {
  // 0 ALLOC a, 1 ALLOC b, 2 COPY_IN a, 3 ADD b, 4 EXP a, 5 FREE a, 6 FREE b
  private static final KernelGraph GRAPH =
      new KernelGraph(
          List.of(
              node(KernelNode.Kind.ALLOC, 0),
              node(KernelNode.Kind.ALLOC, 1),
              op("COPY_IN", "MTE2", 10, 0),
              op("ADD", "VECTOR", 20, 1),
              op("EXP", "VECTOR", 30, 0),
              node(KernelNode.Kind.FREE, 0),
              node(KernelNode.Kind.FREE, 1)),
          List.of(
              new KernelBuffer(7, 4, "UB", 0, 5, true), new KernelBuffer(8, 3, "UB", 1, 6, false)),
          new int[] {0, 1, 2, 2, 3, 4, 3},
          new int[] {2, 3, 3, 4, 6, 5, 4});

  private static KernelNode node(KernelNode.Kind kind, int buffer) {
    return new KernelNode(kind, kind.name(), buffer, null, 0, List.of());
  }

  private static KernelNode op(String name, String pipe, long cycles, int buffer) {
    return new KernelNode(KernelNode.Kind.OPERATION, name, -1, pipe, cycles, List.of(buffer));
  }

  private static KernelVerifier.Result verify(long capacity, KernelPlan plan) {
    return KernelVerifier.verify(GRAPH, Caches.DEFAULT.with(Map.of("UB", capacity)).units(), plan);
  }

  private static KernelPlan plan(int[] schedule, long a, long b) {
    return new KernelPlan(schedule, new long[] {a, b}, new int[0], new long[0]);
  }

  private static KernelPlan spilled(int[] schedule, long a, long b, long back) {
    return new KernelPlan(schedule, new long[] {a, b}, new int[] {0}, new long[] {back});
  }

  @Test
  void sideBySideWithoutSpill() {
    KernelVerifier.Result result = verify(7, plan(new int[] {0, 2, 1, 3, 6, 4, 5}, 0, 4));
    assertTrue(result.holds(), result.violation());
    assertEquals(7, result.figures().residency());
    assertEquals(0, result.figures().traffic());
    assertEquals(60, result.figures().cycles());
  }

  @Test
  void aSpillOfABackedBufferCostsItsSizeAndWaitsForTheReuse() {
    // out of a takes 0 cycles; b at a's addresses; a back after b: 10 + 20 + (2 * 4 + 150) + 30
    KernelVerifier.Result result =
        verify(4, spilled(new int[] {0, 2, 7, 1, 3, 6, 8, 4, 5}, 0, 0, 0));
    assertTrue(result.holds(), result.violation());
    assertEquals(4, result.figures().traffic());
    assertEquals(218, result.figures().cycles());
    assertEquals(1, result.figures().spills());
  }

  @Test
  void violationsAreNamed() {
    assertViolation("share address", verify(7, plan(new int[] {0, 2, 1, 3, 6, 4, 5}, 0, 3)));
    assertViolation("leaves UB", verify(6, plan(new int[] {0, 2, 1, 3, 6, 4, 5}, 0, 4)));
    assertViolation("leaves UB", verify(7, plan(new int[] {0, 2, 1, 3, 6, 4, 5}, -1, 4)));
    assertViolation("runs before", verify(7, plan(new int[] {0, 1, 3, 2, 6, 4, 5}, 0, 4)));
    assertViolation("twice", verify(7, plan(new int[] {0, 2, 2, 3, 6, 4, 5}, 0, 4)));
    assertViolation("of 7", verify(7, plan(new int[] {0, 2, 1}, 0, 4)));
    assertViolation(
        "while it is spilled", verify(7, spilled(new int[] {0, 2, 7, 1, 3, 6, 4, 8, 5}, 0, 4, 0)));
    assertViolation(
        "runs before", verify(7, spilled(new int[] {0, 2, 1, 3, 6, 4, 5, 7, 8}, 0, 4, 0)));
    assertViolation(
        "share address", verify(4, spilled(new int[] {0, 2, 7, 1, 3, 8, 6, 4, 5}, 0, 0, 0)));
  }

  private static void assertViolation(String part, KernelVerifier.Result result) {
    assertFalse(result.holds());
    assertTrue(result.violation().contains(part), result.violation());
  }
}
