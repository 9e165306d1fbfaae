package stowage.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.importer.own.MemoryMapJson;
import stowage.network.memory.MemoryMap;
import stowage.packing.RunControl;
import stowage.residency.memory.Choice;
import stowage.residency.memory.Item;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;
import stowage.residency.verify.ResidencyVerifier;

/** Residency over several memories against all choices, on seeded random problems. */
class MemorySolverTest {
  private static final int MOST_BITS = 13;

  private static ResidencyProblem problem(SplittableRandom random) {
    int steps = 2 + random.nextInt(5);
    MemoryMap map =
        new MemoryMap(
            "random",
            space("sram", 4 + random.nextInt(12), 1000, 0, true),
            List.of(
                space("dram", 1000, 100, random.nextInt(50), true),
                space("flash", 1000, 40, random.nextInt(90), false)),
            random.nextBoolean(),
            random.nextInt(3) == 0 ? List.of(MemoryMap.Kind.SCRATCH) : List.of(),
            List.of());
    List<Item> items = new ArrayList<>();
    int bits = 0;
    while (items.size() < 2 + random.nextInt(5)) {
      TreeSet<Integer> at = new TreeSet<>();
      for (int k = 1 + random.nextInt(3); k > 0; k--) {
        at.add(random.nextInt(steps));
      }
      bits += 2 * at.size() - 1;
      if (bits > MOST_BITS) {
        break;
      }
      MemoryMap.Kind kind = MemoryMap.Kind.values()[random.nextInt(3)];
      boolean weight = kind == MemoryMap.Kind.WEIGHTS;
      boolean given = weight || random.nextInt(4) == 0;
      long bytes = 1 + random.nextInt(6);
      List<Item.Event> events = new ArrayList<>();
      for (int step : at) {
        boolean writes = !weight && (events.isEmpty() && !given || random.nextInt(4) == 0);
        long part = 1 + random.nextInt((int) bytes);
        events.add(new Item.Event(step, events.isEmpty() && !given ? 0 : part, writes ? bytes : 0));
      }
      items.add(
          new Item(
              "b" + items.size(),
              bytes,
              kind,
              weight ? 1 : 0,
              given,
              !weight && random.nextInt(3) == 0,
              events));
    }
    List<String> names = new ArrayList<>();
    for (int t = 0; t < steps; t++) {
      names.add("op" + t);
    }
    return new ResidencyProblem(map, steps, names, items, random.nextBoolean());
  }

  private static MemoryMap.Space space(
      String name, long capacity, double speed, long setup, boolean writable) {
    return new MemoryMap.Space(name, capacity, 1, 0, speed, setup, 1, writable);
  }

  /** The least price over all choices that keep the capacity; -1 where there is none. */
  private static long least(ResidencyProblem problem) {
    int bits = 0;
    for (Item item : problem.items()) {
      bits += 2 * item.events().size() - 1;
    }
    long least = -1;
    for (int set = 0; set < 1 << bits; set++) {
      boolean[][] fast = problem.none();
      boolean[][] kept = problem.none();
      int bit = 0;
      for (int i = 0; i < fast.length; i++) {
        for (int e = 0; e < fast[i].length; e++) {
          fast[i][e] = (set >> bit++ & 1) != 0;
          kept[i][e] = e + 1 < fast[i].length && (set >> bit++ & 1) != 0;
        }
      }
      long price = problem.price(fast, kept);
      if (price >= 0
          && (least < 0 || price < least)
          && Arrays.stream(problem.loads(fast, kept)).max().orElse(0)
              <= problem.map().fast().capacity()) {
        least = price;
      }
    }
    return least;
  }

  @Test
  void theLeastPriceOfAllChoicesIsFoundAndProven() {
    leastPrice(11, 200);
  }

  @Test
  @Tag("thorough")
  void theLeastPriceOfAllChoicesIsFoundAndProvenThoroughly() {
    leastPrice(15, 3000);
  }

  private static void leastPrice(long seed, int cases) {
    SplittableRandom random = new SplittableRandom(seed);
    int optimal = 0;
    int infeasible = 0;
    for (int k = 0; k < cases; k++) {
      ResidencyProblem problem = problem(random);
      long least = least(problem);
      String label = "case " + k + " of seed " + seed;
      if (problem.misfit() != null) {
        assertEquals(-1, least, label);
        infeasible++;
        continue;
      }
      MemorySolver.Answer answer = MemorySolver.solve(problem, RunControl.ofSeconds(20, 1, 1));
      assertNotNull(answer.plan(), label);
      assertEquals(least, answer.bound(), label);
      assertTrue(answer.price() >= least, label);
      optimal += answer.isOptimal() ? 1 : 0;
      if (!problem.byTime()) {
        assertEquals(answer.price(), answer.moved(), label);
      }
    }
    assertTrue(
        optimal > 0.85 * cases && infeasible > 0, optimal + " proven, " + infeasible + " misfits");
  }

  @Test
  void everyRuleGivesAPlanThatHolds() {
    SplittableRandom random = new SplittableRandom(12);
    int plans = 0;
    for (int k = 0; k < 900; k++) {
      ResidencyProblem problem = problem(random);
      if (problem.misfit() != null) {
        continue;
      }
      for (ResidencyGreedy rule : ResidencyGreedy.values()) {
        Choice choice = rule.choose(problem);
        assertTrue(problem.price(choice.fast(), choice.kept()) >= 0, rule + ", case " + k);
        assertTrue(
            rule.isAllOrNothing()
                || Arrays.stream(problem.loads(choice.fast(), choice.kept())).max().orElse(0)
                    <= problem.map().fast().capacity(),
            rule + ", case " + k);
        MemorySolver.Answer answer =
            MemorySolver.planned(problem, choice, 0, RunControl.ofSeconds(5, 1, 1), 1);
        plans += answer == null ? 0 : 1;
      }
    }
    assertTrue(plans > 3000, plans + " plans");
  }

  @Test
  void theVerifierFindsWhatIsBroken() {
    SplittableRandom random = new SplittableRandom(13);
    int caught = 0;
    int tried = 0;
    for (int k = 0; k < 300; k++) {
      ResidencyProblem problem = problem(random);
      if (problem.misfit() != null) {
        continue;
      }
      ResidencyPlan plan =
          MemorySolver.planned(
                  problem,
                  ResidencyGreedy.NONE.choose(problem),
                  0,
                  RunControl.ofSeconds(5, 1, 1),
                  1)
              .plan();
      for (int m = 0; m < plan.moves().size(); m++) { // a transfer is missing
        List<ResidencyPlan.Move> moves = new ArrayList<>(plan.moves());
        moves.remove(m);
        tried++;
        caught += holds(problem, plan, plan.segments(), moves) ? 0 : 1;
      }
      for (int s = 0; s < plan.segments().size(); s++) { // a segment is out of the memory
        List<ResidencyPlan.Segment> segments = new ArrayList<>(plan.segments());
        ResidencyPlan.Segment old = segments.get(s);
        segments.set(
            s,
            new ResidencyPlan.Segment(
                old.item(), problem.map().fast().capacity(), old.from(), old.to()));
        assertFalse(holds(problem, plan, segments, plan.moves()), "case " + k);
      }
    }
    assertTrue(tried > 20, tried + " transfers");
    assertEquals(tried, caught);
  }

  private static boolean holds(
      ResidencyProblem problem,
      ResidencyPlan plan,
      List<ResidencyPlan.Segment> segments,
      List<ResidencyPlan.Move> moves) {
    return ResidencyVerifier.verify(
            problem,
            new ResidencyPlan(segments, moves, plan.homeOffsets(), plan.starts(), plan.ends()))
        .holds();
  }

  @Test
  void theLeastCapacityIsTheFirstAtWhichThePriceIsKept() {
    SplittableRandom random = new SplittableRandom(14);
    int checked = 0;
    for (int k = 0; k < 40; k++) {
      ResidencyProblem problem = problem(random);
      if (problem.misfit() != null) {
        continue;
      }
      LeastCapacity least = LeastCapacity.of(problem, -1, RunControl.ofSeconds(20, 1, 1));
      long expected = 0;
      while (!keeps(problem, expected, least.limit())) {
        expected++;
      }
      assertEquals(expected, least.bound(), "case " + k);
      assertTrue(least.capacity() >= expected, "case " + k);
      checked++;
    }
    assertTrue(checked > 20, checked + " checked");
  }

  private static boolean keeps(ResidencyProblem problem, long capacity, long limit) {
    long least =
        least(
            new ResidencyProblem(
                problem.map().withFastCapacity(capacity),
                problem.steps(),
                problem.stepNames(),
                problem.items(),
                problem.byTime()));
    return least >= 0 && least <= limit;
  }

  @ParameterizedTest
  @ValueSource(strings = {"stm32h7", "imxrt1170", "esp32s3", "ethosu55", "cv181x"})
  void theMapsOfTheModelsFolderAreRead(String name) {
    MemoryMap map = MemoryMapJson.read(Path.of("models", "memories", name + ".json"));
    assertEquals(name, map.name());
    assertEquals(262_144, map.fast().capacity());
    assertEquals(2, map.homes().size());
  }
}
