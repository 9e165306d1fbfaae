package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import stowage.liveness.PlanningCase;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * Planners give what their rules give when these are followed word by word, buffer by buffer, on
 * many problems full of ties.
 */
class PlainRulesTest {

  private static final Map<String, Function<PlainRules, long[]>> RULES = rules();

  private static Map<String, Function<PlainRules, long[]>> rules() {
    Map<String, Function<PlainRules, long[]>> rules = new LinkedHashMap<>();
    rules.put("tflm", PlainRules::tflm);
    rules.put("tflite", PlainRules::tflite);
    rules.put("iree", PlainRules::iree);
    rules.put("tflite-gpu-greedy-by-size", PlainRules::greedyBySize);
    rules.put("tvm-size", plain -> plain.tvm(false));
    rules.put("tvm-conflicts", plain -> plain.tvm(true));
    rules.put("executorch", plain -> plain.executorch(true));
    rules.put("executorch-shared", plain -> plain.executorch(false));
    rules.put("xla-spatial", plain -> plain.xla(false));
    rules.put("xla-temporal", plain -> plain.xla(true));
    rules.put("vela-greedy", PlainRules::velaGreedy);
    return rules;
  }

  @Test
  void everyBufferLiesWhereTheRulePutsIt() {
    for (long seed = 0; seed < 200; seed++) {
      PackingProblem problem = ClimbsStepByStepTest.problem(seed);
      for (Map.Entry<String, Function<PlainRules, long[]>> rule : RULES.entrySet()) {
        long[] planned =
            CompilerPlanners.named(rule.getKey())
                .plan(PlanningCase.ofBuffers(problem), RunControl.unlimited())
                .placement()
                .offsets();
        long[] expected = rule.getValue().apply(new PlainRules(problem));
        assertArrayEquals(expected, planned, rule.getKey() + ", seed " + seed);
      }
    }
  }
}
