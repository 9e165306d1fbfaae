package stowage.compiler.tpumlir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.WorkedCases;
import stowage.compiler.core.CasePlan;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * Traces worked by hand. After each op the tables read {@code rec value@address+bytes*uses to come;
 * hold values; use addresses}.
 */
class TpuMlir2022Test {

  static Stream<Arguments> workedByHand() throws IOException {
    return WorkedCases.of("compiler/tpu-mlir-2022.txt");
  }

  /** A graph, the line after each step and what it comes to. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void workedByHand(String name, List<String> lines) {
    String graph = lines.get(0);
    PlanningCase given =
        graph.startsWith("buffers ")
            ? PlanningCase.ofBuffers(PackingProblem.of("list", Buffers.of(graph.substring(8))))
            : graph.startsWith("without views: ")
                ? Graphs.of(graph.substring(15)).withoutViews()
                : Graphs.of(graph).planningCase();
    assertEquals(lines.subList(1, lines.size() - 1), new TpuMlir2022().trace(given));
    CasePlan plan = new TpuMlir2022().plan(given, RunControl.unlimited());
    long peak = plan.placement().peak(given.problem(), 0);
    assertEquals(
        lines.get(lines.size() - 1), "peak %s, objects %s".formatted(peak, plan.objects()));
    assertEquals(List.of(), Verifier.violations(given.problem(), plan.placement()));
  }

  @Test
  void theOriginalOverlapsAReshapeWhoseSourceIsFreedByAnother() {
    PlanningCase given =
        Graphs.of(
                "x:4; a:4 = Conv x; v:4 = Reshape a; b:4 = Conv a; c:4 = Conv b; "
                    + "d:4 = Add c v; -> d")
            .planningCase();
    assertEquals(
        List.of(
            "x: rec x@0+4*1; hold x; use 0",
            "a: rec x@0+4*0 a@4+4*2; hold a; use 4",
            "v: rec x@0+4*0 a@4+4*1 v@4+4*1; hold a v; use 4",
            // b's op frees a, and with it the address 4, although v is there and waits for d.
            "b: rec x@0+4*0 a@4+4*0 v@4+4*1 b@0+4*1; hold v b; use 0",
            // a's entry passes all conditions: c is put on v.
            "c: rec x@0+4*0 a@4+4*0 v@4+4*1 b@0+4*0 c@4+4*1; hold v c; use 4",
            "d: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*1; hold d; use 0",
            "return: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*0; hold d; use 0"),
        new TpuMlir2022().trace(given));
    CasePlan plan = new TpuMlir2022().plan(given, RunControl.unlimited());
    String fault = Verifier.violations(given.problem(), plan.placement()).get(0).text();
    assertTrue(fault.contains("overlap at step 3"), fault);
  }
}
