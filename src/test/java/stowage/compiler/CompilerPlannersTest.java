package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.Thorough;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.SystemPlanner;
import stowage.compiler.tflite.TfliteArena;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.heuristic.RandomPackingProblems;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class CompilerPlannersTest {
  private static final RunControl CONTROL = RunControl.unlimited();

  /** Those that plan a list of buffers. */
  private static List<SystemPlanner> ofLists() {
    return CompilerPlanners.all().stream()
        .filter(planner -> !planner.name().equals("openvino"))
        .toList();
  }

  @Test
  void namesAreUniqueAndNotThoseOfHeuristics() {
    HashSet<String> names = new HashSet<>();
    for (SystemPlanner planner : CompilerPlanners.all()) {
      assertTrue(names.add(planner.name()), planner.name());
      assertEquals(planner, CompilerPlanners.named(planner.name()));
      assertTrue(planner.summary().length() > 20, planner.summary());
    }
    HeuristicPlanners.all().forEach(planner -> assertFalse(names.contains(planner.name())));
  }

  @Test
  void everyPlannerSaysWhichStateItFollowsAndLinksToItsSource() throws IOException {
    Pattern link =
        Pattern.compile(
            "@see <a\\s+(\\* +)?href=\"https://github.com/\\S+/blob/(\\p{XDigit}{8,40}|v[0-9.]+)/");
    for (SystemPlanner planner : CompilerPlanners.all()) {
      assertTrue(
          planner.version().matches(".*(since|until|as of) .+"),
          planner.name() + planner.version());
      String file = planner.getClass().getName().replace('.', '/') + ".java";
      String source = Files.readString(Path.of("src/main/java", file));
      assertTrue(link.matcher(source).find(), file + " has no permanent link to a source");
    }
  }

  /** Holds that plans of all planners of lists are valid and keep what the planners' rules are. */
  private static void allPlan(PackingProblem problem) {
    for (SystemPlanner planner : ofLists()) {
      RulesChecks.check(planner, PlanningCase.ofBuffers(problem), CONTROL, problem.name());
    }
  }

  @Test
  void everyPlannerPlansPlainBuffers() {
    for (long seed = 0; seed < Thorough.of(35, 70); seed++) {
      allPlan(RandomPackingProblems.plain(seed, 2 + (int) seed, 40, 50));
    }
  }

  @Test
  void stepsMayBeTheFirstAndTheLastOfAll() {
    for (long seed = 0; seed < 20; seed++) {
      PackingProblem plain = RandomPackingProblems.plain(seed, 20, 40, 50);
      List<Buffer> buffers = new ArrayList<>();
      for (Buffer buffer : plain.buffers()) {
        int start = Integer.MIN_VALUE + buffer.live().start();
        boolean last = buffer.size() % 3 == 0;
        buffers.add(
            buffer.withLive(
                start, last ? Integer.MAX_VALUE : start + (int) buffer.live().length()));
      }
      allPlan(plain.withBuffers(buffers).withName("steps " + seed));
    }
  }

  @Test
  void whoIsStoppedHasAWholePlanOrSaysHowFarItCame() {
    PackingProblem problem = RandomPackingProblems.plain(5, 300, 60, 50);
    PlanningCase given = PlanningCase.ofBuffers(problem);
    RunControl stopped = RunControl.unlimited();
    stopped.stop();
    HashSet<String> cutShort = new HashSet<>();
    HashSet<String> without = new HashSet<>();
    for (SystemPlanner planner : ofLists()) {
      try {
        CasePlan plan = planner.plan(given, stopped);
        assertEquals(List.of(), Verifier.violations(problem, plan.placement()), planner.name());
        if (plan.cutShort()) {
          cutShort.add(planner.name());
        }
      } catch (NotPlannableException refused) {
        assertEquals("the run ended with 63 of 300 buffers placed", refused.getMessage());
        without.add(planner.name());
      }
    }
    assertTrue(
        cutShort.containsAll(
            List.of("inductor-tree", "inductor-tree-none", "inductor-tree-combined", "vela")),
        cutShort.toString());
    for (String list : List.of("tflm tflite iree xla somas executorch", "tpu-mlir onnxruntime")) {
      assertTrue(without.containsAll(List.of(list.split(" "))), without.toString());
    }
    assertTrue(without.containsAll(List.of("dsa-promote-repair", "dsa-cypress")));
  }

  @Test
  void aSearchThatIsStoppedSaysSo() {
    RunControl stopped = RunControl.unlimited();
    stopped.stop();
    for (String planner : List.of("vela", "tvm", "idealloc")) {
      SystemPlanner named = CompilerPlanners.named(planner);
      int cut = 0;
      for (long seed = 0; seed < 20; seed++) {
        PackingProblem problem = PlainRulesTest.withTies(seed);
        PlanningCase given = PlanningCase.ofBuffers(problem);
        assertFalse(named.plan(given, CONTROL).cutShort(), planner);
        CasePlan plan = named.plan(given, stopped);
        assertEquals(List.of(), Verifier.violations(problem, plan.placement()), planner);
        cut += plan.cutShort() ? 1 : 0;
      }
      // Where the first order is optimal there is nothing to cut.
      assertTrue(cut > 0, planner);
    }
  }

  @Test
  void alignmentsAndGapsAreRespected() {
    for (long seed = 0; seed < Thorough.of(60, 120); seed++) {
      PackingProblem any = RandomPackingProblems.any(seed, 20);
      List<Buffer> buffers =
          any.buffers().stream()
              .map(buffer -> buffer.withFixedOffset(Buffer.NONE).withinBank(false))
              .map(buffer -> buffer.withMemories(List.of()))
              .toList();
      Memory memory = Memory.main().withAlignment(1 + seed % 3);
      allPlan(PackingProblem.of("aligned " + seed, buffers).withMemories(List.of(memory)));
    }
  }

  @Test
  void aConstraintThatASystemDoesNotKnowIsRefusedWithTheReason() {
    for (long seed = 0; seed < Thorough.of(64, 160); seed++) {
      for (PackingProblem problem :
          List.of(
              RandomPackingProblems.any(seed, 16),
              RandomPackingProblems.any(seed, 20),
              RandomPackingProblems.plain(seed, 14, 12, 30))) {
        for (SystemPlanner planner : CompilerPlanners.all()) {
          try {
            RulesChecks.check(planner, PlanningCase.ofBuffers(problem), CONTROL, problem.name());
          } catch (NotPlannableException refused) {
            assertTrue(refused.getMessage().length() > 15, refused.getMessage());
            assertFalse(refused.getMessage().contains("\n"), refused.getMessage());
          }
        }
      }
    }
    PackingProblem banked =
        PackingProblem.of("banked", List.of(new Buffer("a", 4, 0, 2).withinBank(true)));
    Refusals.says(
        NotPlannableException.class,
        () -> new TfliteArena().plan(PlanningCase.ofBuffers(banked), CONTROL),
        "\"a\"");
  }

  @Test
  void anEmptyProblemHasAnEmptyPlan() {
    PackingProblem nothing =
        PackingProblem.of("nothing", List.of(new Buffer("a", 0, 0, 5), new Buffer("b", 5, 3, 3)));
    for (SystemPlanner planner : ofLists()) {
      CasePlan plan = planner.plan(PlanningCase.ofBuffers(nothing), CONTROL);
      assertEquals(0, plan.placement().peak(nothing, 0), planner.name());
    }
  }

  @Test
  void eachPlannerDiffersFromEveryOtherSomewhere() {
    List<SystemPlanner> planners = ofLists();
    List<PackingProblem> problems = new ArrayList<>();
    for (long seed = 1; seed <= 10; seed++) {
      problems.add(RandomPackingProblems.plain(seed, 60, 40, 40));
    }
    // Small ones, in which boxes sometimes beat first fit.
    for (long seed = 1; seed <= 60; seed++) {
      problems.add(RandomPackingProblems.plain(seed, 8, 30, 30));
    }
    List<String> names = new ArrayList<>();
    List<List<Placement>> plans = new ArrayList<>();
    for (SystemPlanner planner : planners) {
      List<Placement> own = new ArrayList<>();
      for (PackingProblem problem : problems) {
        own.add(planner.plan(PlanningCase.ofBuffers(problem), CONTROL).placement());
      }
      names.add(planner.name());
      plans.add(own);
    }
    for (Planner planner : HeuristicPlanners.simple()) {
      names.add(planner.name());
      plans.add(problems.stream().map(problem -> planner.plan(problem, CONTROL)).toList());
    }
    for (int a = 0; a < planners.size(); a++) {
      for (int b = 0; b < names.size(); b++) {
        if (a != b && !sameByDesign(names.get(a), names.get(b))) {
          assertNotEquals(plans.get(b), plans.get(a), names.get(a) + " and " + names.get(b));
        }
      }
    }
  }

  /**
   * Modes of one system that differ only where a graph says inputs and outputs, and those of
   * dsa-solver, which differ from first fit only where reuse has a price.
   */
  private static boolean sameByDesign(String a, String b) {
    if (a.startsWith("dsa-") || b.startsWith("dsa-")) {
      return true;
    }
    if (Set.of("xnnpack", "tflite-gpu-greedy-by-size").containsAll(List.of(a, b))) {
      return true; // the same rule, except for padding on networks
    }
    List<String> growing =
        List.of("inductor-tree", "inductor-tree-outputs", "inductor-tree-combined");
    List<String> modes = List.of("tpu-mlir", "tpu-mlir-io-alone", "tpu-mlir-io-tag");
    return (growing.contains(a) && growing.contains(b)) || (modes.contains(a) && modes.contains(b));
  }
}
