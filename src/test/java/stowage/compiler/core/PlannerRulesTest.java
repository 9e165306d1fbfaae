package stowage.compiler.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.compiler.CompilerPlanners;
import stowage.compiler.RulesChecks;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.exact.object.ObjectLevels;
import stowage.heuristic.RandomPackingProblems;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Gap;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.ObjectProblem;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/** What planners say of their rules, against what they do. */
class PlannerRulesTest {
  private static final RunControl CONTROL = RunControl.unlimited();

  private static PlannerRules rules(String planner, PackingProblem problem) {
    return CompilerPlanners.named(planner).rules(PlanningCase.ofBuffers(problem));
  }

  @Test
  void noPlanIsBelowTheProvenOptimumOfItsRules() {
    for (long seed = 0; seed < Thorough.of(12, 25); seed++) {
      PackingProblem problem =
          RandomPackingProblems.plain(seed, 9, 8, 20)
              .withMemories(List.of(Memory.main().withAlignment(1 + seed % 4)));
      PlanningCase given = PlanningCase.ofBuffers(problem);
      for (SystemPlanner planner : CompilerPlanners.all()) {
        if (planner.name().equals("openvino")) {
          continue;
        }
        PackingProblem underRules = planner.rules(given).problem();
        Incumbent optimum = new Incumbent(underRules);
        new SearchEngine().run(optimum, CONTROL, EngineOptions.defaults());
        long peak = planner.plan(given, CONTROL).placement().peak(problem, 0);
        assertTrue(optimum.isClosed(), planner.name() + ", seed " + seed);
        assertTrue(peak >= optimum.bound(0).value(), planner.name() + ", seed " + seed);
      }
    }
  }

  @Test
  void plansOfRandomNetworksKeepTheirPlannersRules() {
    for (long seed = 0; seed < Thorough.of(60, 120); seed++) {
      PlanningCase plain = network(seed);
      LivenessOptions options = LivenessOptions.defaults();
      for (LivenessOptions chosen :
          List.of(
              options.withAlignments(1, 1),
              options.withInPlace(LivenessOptions.InPlace.NONE),
              options
                  .withInPlace(LivenessOptions.InPlace.ELEMENTWISE)
                  .withInputs(LivenessOptions.Inputs.KEEP))) {
        PlanningCase given = Liveness.of(plain.network(), chosen);
        for (SystemPlanner planner : CompilerPlanners.all()) {
          if (!planner.name().equals("tpu-mlir-2022") || isSound(planner, given)) {
            RulesChecks.check(planner, given, CONTROL, "network " + seed + ", " + chosen);
          }
        }
      }
    }
  }

  /** The original of tpu-mlir-2022 lets a reshape's result be overwritten in some graphs. */
  private static boolean isSound(SystemPlanner planner, PlanningCase given) {
    return Verifier.violations(given.problem(), planner.plan(given, CONTROL).placement()).isEmpty();
  }

  private static PlanningCase network(long seed) {
    Random random = new Random(seed * 31 + 7);
    Graphs graph = Graphs.of("x0:" + (1 + random.nextInt(64)));
    List<String> tensors = new ArrayList<>(List.of("x0"));
    int ops = 2 + random.nextInt(14);
    for (int k = 0; k < ops; k++) {
      String from = tensors.get(Math.max(0, tensors.size() - 1 - random.nextInt(4)));
      String other = tensors.get(random.nextInt(tensors.size()));
      String made = "t" + k + ":" + (1 + random.nextInt(64));
      switch (random.nextInt(5)) {
        case 0 -> graph.and(made + " = Add " + from + " " + other);
        case 1 -> graph.and(made + " = Conv " + from + " +" + random.nextInt(20));
        default -> graph.and(made + " = Conv " + from);
      }
      tensors.add("t" + k);
    }
    graph.and("-> " + tensors.get(tensors.size() - 1));
    if (random.nextBoolean()) {
      graph.and("-> " + tensors.get(1 + random.nextInt(tensors.size() - 1)));
    }
    return graph.planningCase();
  }

  @Test
  void gapsAreNotUsedAndAlignmentsAreJoined() {
    PackingProblem problem =
        PackingProblem.of(
            "gap",
            List.of(
                new Buffer("a", 5, 0, 9).withGaps(List.of(Gap.empty(2, 5))).withAlignment(2),
                new Buffer("b", 4, 2, 5).withAlignment(3)));
    PlannerRules rules = rules("tflm", problem);
    assertEquals(List.of("gaps not used", "offsets at multiples of 6"), rules.words());
    assertEquals(5, LoadProfile.of(problem).maxLoad());
    assertEquals(9, LoadProfile.of(rules.problem()).maxLoad());
    assertEquals(6, rules.problem().alignment(1, 0));
    assertFalse(rules.wholeObjects());
  }

  @Test
  void whatAsksNothingChangesNothing() {
    PackingProblem plain = RandomPackingProblems.plain(1, 10, 8, 20);
    assertEquals(List.of(), rules("xla", plain).words());
    assertTrue(rules("xla", plain).sameProblem(plain));
    assertTrue(rules("executorch", plain).isLike(rules("tflm", plain)));
    assertFalse(rules("executorch-shared", plain).isLike(rules("tflm", plain)));
  }

  @Test
  void inductorsTreesAlignBy64WhereOnePoolHoldsAll() {
    PackingProblem plain = RandomPackingProblems.plain(1, 10, 8, 20);
    assertEquals(64, rules("inductor-tree", plain).problem().alignment(0, 0));
    assertEquals(64, rules("inductor-tree-combined", plain).problem().alignment(0, 0));
    assertEquals(1, rules("inductor-tree-none", plain).problem().alignment(0, 0));
  }

  @Test
  void inductorReusesWithinOneSizeAlone() {
    PackingProblem problem = Buffers.problem("a:8[0,1) b:6[1,2) c:8[2,3)");
    PlannerRules rules = rules("inductor-reuse", problem);
    assertTrue(rules.wholeObjects());
    assertEquals(rules.kinds()[0], rules.kinds()[2]);
    assertEquals(14, ObjectLevels.of(ObjectProblem.of(problem, rules.kinds())).value());
    assertNull(rules("tflite-gpu-size-distance", problem).kinds());
  }

  @Test
  void inductorReusesNothingOverAFullStep() {
    List<Buffer> loads4and8and4 = Buffers.of("p:4[0,1) x:4[0,2) y:4[1,2) q:4[2,3)");
    // Step 1 is full. y starts and ends between p and q, and may carry the object over it.
    assertEquals(0, rules("inductor-reuse", list(loads4and8and4)).problem().conflicts().count());
    List<Buffer> without = new ArrayList<>(loads4and8and4);
    without.set(2, new Buffer("y", 5, 1, 2));
    ConflictPairs apart = rules("inductor-reuse", list(without)).problem().conflicts();
    assertEquals(1, apart.count());
    assertTrue(apart.contains(0, 3));
  }

  @Test
  void pairsOverAFullStepAreThoseThatNothingBetweenBridges() {
    long found = 0;
    for (long seed = 0; seed < 150; seed++) {
      PackingProblem problem = RandomPackingProblems.plain(seed, 14, 9, 3);
      ConflictPairs apart = rules("inductor-reuse", problem).problem().conflicts();
      for (int p = 0; p < problem.size(); p++) {
        for (int q = 0; q < problem.size(); q++) {
          Buffer first = problem.buffer(p);
          Buffer last = problem.buffer(q);
          if (first.size() == last.size() && first.live().end() <= last.live().start()) {
            assertEquals(overAFullStep(problem, first, last), apart.contains(p, q), "seed " + seed);
          }
        }
      }
      found += apart.count();
    }
    assertTrue(found > 100, "only " + found + " pairs");
  }

  private static boolean overAFullStep(PackingProblem problem, Buffer first, Buffer last) {
    LoadProfile profile = LoadProfile.of(problem);
    for (int step = first.live().end(); step < last.live().start(); step++) {
      int now = step;
      long load =
          problem.buffers().stream()
              .filter(b -> b.live().contains(now))
              .mapToLong(Buffer::size)
              .sum();
      boolean bridged =
          problem.buffers().stream()
              .filter(b -> b.size() == first.size() && b.live().contains(now))
              .anyMatch(
                  b ->
                      b.live().start() >= first.live().end()
                          && b.live().end() <= last.live().start());
      if (load + first.size() > profile.maxLoad() && !bridged) {
        return true;
      }
    }
    return false;
  }

  private static PackingProblem list(List<Buffer> buffers) {
    return PackingProblem.of("list", buffers);
  }

  @Test
  void tpuMlir2022HoldsWhatNoOpReads() {
    // a is made at step 0 and never read, so its block is never free for b or c.
    PackingProblem problem = Buffers.problem("a:8[0,1) b:4[1,3) c:4[2,4)");
    PlannerRules rules = rules("tpu-mlir-2022", problem);
    assertEquals(new LiveRange(0, 4), rules.problem().buffer(0).live());
    assertEquals(new LiveRange(1, 3), rules.problem().buffer(1).live());
    assertEquals(16, LoadProfile.of(rules.problem()).maxLoad());
  }

  @Test
  void tpuMlirsRegionHoldsInputsAndOutputsThroughout() {
    PlanningCase given =
        Graphs.of("x:4; a:8 = Conv x; b:8 = Conv a; y:4 = Conv b; -> y").planningCase();
    assertEquals(List.of(), CompilerPlanners.named("tpu-mlir").rules(given).words());
    PlannerRules apart = CompilerPlanners.named("tpu-mlir-io-alone").rules(given);
    assertEquals(List.of("inputs and outputs in a region of their own"), apart.words());
    assertEquals(
        LoadProfile.of(given.problem()).maxLoad() + given.problem().buffer(0).size() * 2,
        LoadProfile.of(apart.problem()).maxLoad());
  }

  @Test
  void openVinoKeepsBranchesApart() {
    PlanningCase given =
        Graphs.of(
                "x:4; a:4 = Conv x; p:4 = Conv a; b:4 = Conv x; q:4 = Conv b; "
                    + "y:4 = Add p q; -> y")
            .planningCase();
    PlannerRules rules = CompilerPlanners.named("openvino").rules(given);
    assertEquals(List.of("whole objects", "restriction sets"), rules.words());
    assertTrue(rules.problem().conflicts().count() > 0);
    RulesChecks.check(CompilerPlanners.named("openvino"), given, CONTROL, "branches");
  }

  @Test
  void ownAlignmentsStay() {
    PackingProblem problem =
        PackingProblem.of(
            "p",
            List.of(
                new Buffer("a", 8, 0, 2).withAlignment(256),
                new Buffer("b", 8, 0, 2).withAlignment(1)));
    PackingProblem aligned = PlannerRules.withoutGaps(problem).aligned(64).problem();
    assertEquals(256, aligned.buffer(0).alignment());
    assertEquals(64, aligned.buffer(1).alignment());
  }
}
