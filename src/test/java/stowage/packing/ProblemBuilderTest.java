package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import stowage.Refusals;

class ProblemBuilderTest {

  @Test
  void everyCallReachesTheBufferOfItsHandle() {
    ProblemBuilder builder = PackingProblem.builder("all");
    int fast = builder.memory("fast", 4096);
    int slow = builder.memory(new Memory("slow", Memory.UNBOUNDED, 64, 0, 1024));
    int a = builder.buffer(100, 0, 9);
    int b = builder.buffer("second", 200, 2, 4);
    int c = builder.buffers(new long[] {7, 8}, new int[] {0, 1}, new int[] {1, 2});
    builder.align(a, 32).gap(a, 2, 4).gap(a, 5, 6, 10, 20).hint(b, 64).withinBank(b);
    builder.fix(c, 128).conflict(b, c).allow(a, slow, fast).allow(b, slow);
    PackingProblem problem = builder.build();

    assertEquals("all", problem.name());
    assertEquals(List.of("fast", "slow"), problem.memories().stream().map(Memory::name).toList());
    assertEquals(
        List.of("b0", "second", "b2", "b3"), problem.buffers().stream().map(Buffer::id).toList());
    assertEquals(32, problem.buffer(a).alignment());
    assertEquals(
        List.of(Gap.empty(2, 4), new Gap(new LiveRange(5, 6), 10, 20)), problem.buffer(a).gaps());
    assertEquals(64, problem.buffer(b).hint());
    assertTrue(problem.buffer(b).withinBank());
    assertEquals(128, problem.buffer(c).fixedOffset());
    assertEquals(new Buffer("b3", 8, 1, 2), problem.buffer(c + 1));
    assertTrue(problem.conflicts().contains(c, b));
    assertEquals(slow, problem.preferredMemory(a));
    assertEquals(0b10, problem.allowedMask(b));
    assertEquals(b, problem.indexOf("second"));
  }

  @Test
  void aProblemWithoutMemoriesHasOne() {
    assertEquals(List.of(Memory.main()), PackingProblem.builder("none").build().memories());
  }

  @Test
  void whatIsWrongIsRefusedByTheBuffersName() {
    refused("buffer \"b0\"", () -> PackingProblem.builder("p").buffer(-1, 0, 1));
    refused("buffer \"x\": upper 2", () -> PackingProblem.builder("p").buffer("x", 1, 3, 2));
    ProblemBuilder builder = PackingProblem.builder("p");
    int a = builder.buffer("first", 10, 0, 4);
    refused("buffer \"first\": alignment 0", () -> builder.align(a, 0));
    refused("buffer \"first\": offset -3", () -> builder.fix(a, -3));
    refused("buffer \"first\": gap", () -> builder.gap(a, 3, 9));
    refused("buffer \"first\": live range", () -> builder.gap(a, 3, 2));
    refused("buffer \"first\": window", () -> builder.gap(a, 1, 2, 0, 11));
    refused("buffer \"first\"", () -> builder.conflict(a, a));
    refused("buffer 1 ", () -> builder.conflict(a, 1));
    refused("buffer -1 ", () -> builder.align(-1, 2));
    refused("buffer \"first\": memory 0", () -> builder.allow(a, 0));
    refused("3 sizes", () -> builder.buffers(new long[3], new int[3], new int[2]));
    builder.buffer("first", 1, 0, 1);
    refused("buffer id \"first\"", builder::build);
    refused("\"other\"", () -> PackingProblem.builder("p").build().indexOf("other"));
  }

  private static void refused(String part, Executable call) {
    Refusals.says(IllegalArgumentException.class, call, part);
  }
}
