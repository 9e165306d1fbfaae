package stowage.compiler.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

class ImplicitDependenciesTest {
  /** Ops 0: a from x, 1: p from a, 2: b from x, 3: q from b; p and q are outputs. */
  private static final String BRANCHES =
      "x:4; a:4 = Conv x; p:4 = Conv a; b:4 = Conv x; q:4 = Conv b; -> p q";

  /** A network, where its buffers are, the ops that wait, and paths and widths before and after. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Memory of its own adds nothing.
        BRANCHES + "| x@0 a@4 p@8 b@12 q@16 | '' | 2 2 2 2",
        // b is where a were: ops 0 (writes a) and 1 (reads a) before op 2 (writes b).
        BRANCHES + "| x@0 a@4 p@8 b@4 q@12 | 0>2 1>2 | 2 4 2 1",
        // What the graph orders is not implicit.
        "x:4; a:4 = Conv x; b:4 = Conv a; c:4 = Conv b; -> c | x@0 a@4 b@0 c@4 | '' | 3 3 1 1",
        // q is where x were: op 3 waits for op 0, which reads x; op 2 leads to it anyway.
        BRANCHES + "| x@0 a@4 p@8 b@12 q@0 | 0>3 | 2 2 2 2",
        // Ops 0: a, 1: p from a, 2: b, 3: q from b, 4: c of 8 bytes, 5: r from c. c at 4 is on a
        // (4 to 8) and b (8 to 12), not on p, q or r: op 4 waits for ops 0 to 3.
        "x:4; a:4 = Conv x; p:4 = Conv a; b:4 = Conv x; q:4 = Conv b; c:8 = Conv x; r:4 = Conv c;"
            + " -> p q r | x@0 a@4 b@8 p@12 q@16 c@4 r@20 | 0>4 1>4 2>4 3>4 | 2 4 3 2",
        // b begins below a and reaches into it: 2 to 6, 4 to 8. Ops 0 and 1 touch a, op 2 writes b.
        BRANCHES + "| x@20 a@4 p@8 b@2 q@12 | 0>2 1>2 | 2 4 2 1"
      })
  void opsWaitForThoseWhoseMemoryTheyTake(
      String network, String places, String waits, String figures) {
    PlanningCase given = Graphs.of(network).planningCase();
    Map<String, Long> offsets = new HashMap<>();
    for (String place : places.split(" ")) {
      offsets.put(place.split("@")[0], Long.valueOf(place.split("@")[1]));
    }
    long[] placed =
        given.problem().buffers().stream().mapToLong(b -> offsets.get(b.id())).toArray();
    ImplicitDependencies found = ImplicitDependencies.of(given, Placement.of(placed));
    assertEquals(
        waits,
        String.join(
            " ", found.pairs().stream().map(pair -> pair.earlier() + ">" + pair.later()).toList()));
    assertEquals(
        figures,
        "%d %d %d %d"
            .formatted(
                found.criticalPathBefore(),
                found.criticalPathAfter(),
                found.widthBefore(),
                found.widthAfter()));
  }

  /** a is not needed at steps 1 and 2, where p is in its place: op 1 waits for op 0. */
  @Test
  void opsWaitForThoseWhoseMemoryTheyTakeInAGap() {
    PlanningCase given =
        Graphs.of("x:4; a:4 = Conv x; p:4 = Conv x; q:4 = Conv p; r:4 = Conv a q; -> r")
            .planningCase();
    List<Buffer> buffers = new ArrayList<>(given.problem().buffers());
    long[] offsets = IntStream.range(0, buffers.size()).mapToLong(b -> 4L * b).toArray();
    int a = given.bufferOf().get("a");
    buffers.set(a, buffers.get(a).withGaps(List.of(Gap.empty(1, 3))));
    offsets[given.bufferOf().get("p")] = offsets[a];
    ImplicitDependencies found =
        ImplicitDependencies.of(
            given.withProblem(PackingProblem.of("gap", buffers)), Placement.of(offsets));
    assertEquals(
        List.of(new ImplicitDependencies.Pair(0, 1, a, given.bufferOf().get("p"))), found.pairs());
  }

  @Test
  void aListOfBuffersHasNoOps() {
    PackingProblem list = PackingProblem.of("list", List.of(new Buffer("a", 1, 0, 1)));
    assertThrows(
        NotPlannableException.class,
        () -> ImplicitDependencies.of(PlanningCase.ofBuffers(list), Placement.of(new long[] {0})));
  }
}
