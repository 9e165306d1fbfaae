package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stowage.heuristic.HeuristicPlanners;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** What the check of runs says of random programs, against every run of them. */
class RunCheckTest {

  private static PlanningCase given(RandomProgram program, LivenessOptions.Order order) {
    LivenessOptions options =
        new LivenessOptions(LivenessOptions.InPlace.NONE, LivenessOptions.Inputs.FREE, order, 1, 1);
    return Liveness.of(program.network(), options);
  }

  private static Set<Set<String>> said(PlanningCase given, Placement placement) {
    Set<Set<String>> pairs = new HashSet<>();
    for (RunCheck.Clash clash : RunCheck.of(given, placement)) {
      pairs.add(
          Set.of(
              given.problem().buffer(clash.buffers().get(0)).id(),
              given.problem().buffer(clash.buffers().get(1)).id()));
      assertEquals(2, clash.paths().size());
      assertTrue(clash.low() < clash.high());
    }
    return pairs;
  }

  @ParameterizedTest
  @EnumSource(names = {"IN_ORDER", "OUT_OF_ORDER"})
  void itFindsWhatTheRunsFindAndNothingElse(LivenessOptions.Order order) {
    int clashing = 0;
    int holding = 0;
    int large = 0;
    int turned = 0;
    for (long seed = 0; seed < 6000; seed++) {
      RandomProgram program = new RandomProgram(seed);
      EveryRun runs = EveryRun.of(program, order == LivenessOptions.Order.OUT_OF_ORDER);
      if (runs == null) {
        large++;
        continue;
      }
      PlanningCase given = given(program, order);
      Random random = new Random(seed);
      for (int k = 0; k < 3; k++) {
        int arena = 2 + random.nextInt(16);
        long[] offsets = new long[given.problem().size()];
        for (int b = 0; b < offsets.length; b++) {
          offsets[b] = random.nextInt(arena);
        }
        Placement placement = Placement.of(offsets);
        Set<Set<String>> found = runs.clobbered(given, placement);
        assertEquals(
            text(found), text(said(given, placement)), "seed " + seed + "\n" + program.text());
        clashing += found.isEmpty() ? 0 : 1;
        holding += found.isEmpty() ? 1 : 0;
        turned += program.loops() > 0 ? 1 : 0;
      }
    }
    assertTrue(clashing > 3000, "clashes in " + clashing);
    assertTrue(holding > 300, "none in " + holding);
    assertTrue(turned > 3000, "loops in " + turned);
    assertTrue(large < 600, "too large " + large);
  }

  private static Set<String> text(Set<Set<String>> pairs) {
    Set<String> text = new TreeSet<>();
    pairs.forEach(pair -> text.add(new TreeSet<>(pair).toString()));
    return text;
  }

  /** Planning keeps the rule: whatever it places holds in every run. */
  @ParameterizedTest
  @EnumSource(names = {"IN_ORDER", "OUT_OF_ORDER", "BRANCHES"})
  void whatIsPlannedHoldsInEveryRun(LivenessOptions.Order order) {
    for (long seed = 0; seed < 3000; seed++) {
      RandomProgram program = new RandomProgram(seed);
      PlanningCase given = given(program, order);
      Placement placement =
          HeuristicPlanners.simple()
              .get((int) (seed % HeuristicPlanners.simple().size()))
              .plan(given.problem(), RunControl.unlimited());
      List<String> texts = new ArrayList<>();
      RunCheck.of(given, placement).forEach(clash -> texts.add(clash.text()));
      assertEquals(List.of(), texts, "seed " + seed + "\n" + program.text());
      EveryRun runs = EveryRun.of(program, order != LivenessOptions.Order.IN_ORDER);
      if (runs != null && order != LivenessOptions.Order.BRANCHES) {
        assertEquals(Set.of(), runs.clobbered(given, placement), "seed " + seed);
      }
    }
  }
}
