package stowage.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Refusals;
import stowage.Thorough;
import stowage.importer.own.MemoryMapJson;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.network.InvalidNetworkException;
import stowage.network.memory.MemoryMap;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.Access;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyChoice;
import stowage.residency.memory.ResidencyDescent;
import stowage.residency.memory.ResidencyGreedy;
import stowage.residency.memory.ResidencyProblem;

/** Residency over several memories against all choices, on seeded random problems. */
class ResidencySolverTest {
  @Test
  void buffersAlikeHaveTheirWaysInCommon() {
    PlanningCase planned =
        Graphs.of("x:64; a:64 = Relu x; b:64 = Relu a; c:64 = Relu b; -> c").planningCase();
    MemoryMap map = MemoryMapJson.read(Path.of("models/memories/l1-l2-dram.json"));
    ResidencyProblem problem = ResidencyProblem.of(planned, map, false);
    AccessTable table = new AccessTable(problem);
    List<String> ids = problem.items().stream().map(HeldBuffer::id).toList();
    for (int event = 0; event < 2; event++) {
      assertSame(table.of(ids.indexOf("a"), event), table.of(ids.indexOf("b"), event), "" + ids);
    }
  }

  /** State and inputs that are kept have their home, and their value in it, to the end. */
  @Test
  void whatLivesThroughoutHasItsHomeThroughout() {
    Graphs net = Graphs.of("x:64; variable s:64; a:64 = Add x s; b:64 = Relu a; -> b");
    MemoryMap map = MemoryMapJson.read(Path.of("models/memories/stm32h7.json"));
    for (PlanningCase planned : List.of(net.planningCase(), net.keepingInputs())) {
      boolean kept = planned.options().inputs() == LivenessOptions.Inputs.KEEP;
      for (HeldBuffer item : ResidencyProblem.of(planned, map, false).items()) {
        String id = item.id();
        assertEquals(id.equals("s") || id.equals("x"), item.given(), id);
        assertEquals(id.equals("s") || id.equals("b") || kept && id.equals("x"), item.wanted(), id);
      }
    }
  }

  static ResidencyProblem problem(SplittableRandom random) {
    return problem(random, 1, 6);
  }

  /** A random problem with some fast memories, flash and DRAM behind them. */
  static ResidencyProblem problem(SplittableRandom random, int fast, int mostEvents) {
    int steps = 2 + random.nextInt(5);
    List<MemoryMap.Space> inner = new ArrayList<>();
    for (int m = 0; m < fast; m++) {
      long capacity = 4 + random.nextInt(12);
      inner.add(space("sram" + m, capacity, 1000 >> m, random.nextInt(1 + 9 * m), true));
    }
    long dram = random.nextInt(8) == 0 ? 8 + random.nextInt(8) : 1000;
    List<MemoryMap.Link> links = new ArrayList<>();
    for (int m = 1; random.nextInt(3) == 0 && m < fast + 2; m++) { // a chain, or all pairs
      links.add(new MemoryMap.Link(m - 1, m, 90, random.nextInt(20), 1 + random.nextInt(3)));
      links.add(new MemoryMap.Link(Math.min(m - 1, fast - 1), fast + 1, 50, 3, 1));
    }
    MemoryMap map =
        new MemoryMap(
            "random",
            inner,
            List.of(
                space("dram", dram, 100, random.nextInt(50), true),
                space("flash", 1000, 40, random.nextInt(90), false)),
            random.nextBoolean(),
            random.nextInt(3) == 0 ? List.of(MemoryMap.Kind.SCRATCH) : List.of(),
            List.of(),
            links,
            List.of());
    List<HeldBuffer> items = new ArrayList<>();
    int events = 0;
    int most = 2 + random.nextInt(5);
    while (items.size() < most) {
      HeldBuffer item = item(random, "b" + items.size(), steps, fast);
      events += item.events().size();
      if (events > mostEvents) {
        break;
      }
      items.add(item);
    }
    List<ResidencyProblem.Step> ops = new ArrayList<>();
    for (int t = 0; t < steps; t++) {
      boolean only = random.nextInt(6) == 0;
      long nanos = random.nextInt(3) == 0 ? random.nextInt(400) : 0;
      ops.add(new ResidencyProblem.Step("op" + t, random.nextInt(fast), only, nanos));
    }
    return new ResidencyProblem(map, ops, items, random.nextBoolean());
  }

  private static HeldBuffer item(SplittableRandom random, String id, int steps, int fast) {
    TreeSet<Integer> at = new TreeSet<>();
    for (int k = 1 + random.nextInt(3); k > 0; k--) {
      at.add(random.nextInt(steps));
    }
    MemoryMap.Kind kind = MemoryMap.Kind.values()[random.nextInt(3)];
    boolean weight = kind == MemoryMap.Kind.WEIGHTS;
    boolean given = weight || random.nextInt(4) == 0;
    boolean pinned = random.nextInt(8) == 0;
    if (pinned && given) {
      at.add(0);
      at.add(steps - 1);
    }
    long bytes = 1 + random.nextInt(6);
    List<HeldBuffer.Event> events = new ArrayList<>();
    for (int step : at) {
      boolean writes = !weight && (events.isEmpty() && !given || random.nextInt(4) == 0);
      long part = 1 + random.nextInt((int) bytes);
      events.add(
          new HeldBuffer.Event(step, events.isEmpty() && !given ? 0 : part, writes ? bytes : 0));
    }
    int home = pinned ? random.nextInt(fast) : weight ? fast + 1 : fast;
    return new HeldBuffer(id, bytes, kind, home, given, !weight && random.nextInt(3) == 0, events);
  }

  static MemoryMap.Space space(
      String name, long capacity, double speed, long setup, boolean writable) {
    return new MemoryMap.Space(name, capacity, 1, 0, speed, setup, 1, writable);
  }

  static MemoryMap map(
      String name,
      List<MemoryMap.Space> inner,
      List<MemoryMap.Space> outer,
      boolean overlap,
      MemoryMap.Link... links) {
    return new MemoryMap(
        name, inner, outer, overlap, List.of(), List.of(), List.of(links), List.of());
  }

  static HeldBuffer held(String id, long bytes, int home, HeldBuffer.Event... events) {
    List<HeldBuffer.Event> all = List.of(events);
    return new HeldBuffer(id, bytes, MemoryMap.Kind.ACTIVATIONS, home, false, false, all);
  }

  static RunControl control() {
    return RunControl.ofSeconds(20, 1, 1);
  }

  @Test
  void timesBeyondALongAreRefused() {
    MemoryMap.Space fast = new MemoryMap.Space("sram", 64, 1, 0, 1e3, 0, 1, true);
    MemoryMap.Space slow = new MemoryMap.Space("dram", 64, 1, 0, 1e-3, 0, 1L << 50, true);
    PlanningCase planned = Graphs.of("x:4; y:4 = Relu x; -> y").planningCase();
    Refusals.says(
        InvalidNetworkException.class,
        () -> ResidencyProblem.of(planned, map("slow", List.of(fast), List.of(slow), true), true),
        "1152921504606846976 nanoseconds");
  }

  @Test
  void whereNoTimeIsLeftARuleStillGivesAPlan() {
    SplittableRandom random = new SplittableRandom(23);
    int found = 0;
    for (int k = 0; k < 30; k++) {
      ResidencyProblem problem = problem(random);
      if (problem.misfit() == null) {
        ResidencySolver.Answer answer =
            ResidencySolver.solve(problem, RunControl.ofSeconds(0, 1, 1));
        found += answer.plan() == null ? 0 : 1;
        assertFalse(answer.infeasible(), "case " + k);
      }
    }
    assertTrue(found >= 10, found + " plans");
  }

  @Test
  void theLeastPriceOfAllChoicesIsFoundAndProven() {
    leastPrice(Thorough.of(11, 15), Thorough.of(100, 3000), 1, 7);
  }

  @Test
  void theLeastPriceOverSeveralFastMemoriesIsFoundAndProven() {
    leastPrice(Thorough.of(16, 17), Thorough.of(50, 3000), 2, Thorough.of(5, 6));
    leastPrice(18, Thorough.of(4, 300), 3, 4);
  }

  private static void leastPrice(long seed, int cases, int fast, int mostEvents) {
    SplittableRandom random = new SplittableRandom(seed);
    int optimal = 0;
    int exact = 0;
    int infeasible = 0;
    for (int k = 0; k < cases; k++) {
      ResidencyProblem problem = problem(random, fast, mostEvents);
      long least = MemoryBruteForce.least(problem);
      String label = "case " + k + " of seed " + seed;
      if (problem.misfit() != null) {
        assertEquals(-1, least, label);
        infeasible++;
        continue;
      }
      ResidencySolver.Answer answer = ResidencySolver.solve(problem, control());
      assertEquals(least < 0, answer.infeasible(), label);
      if (least < 0) {
        assertIrreducible(problem, label);
        infeasible++;
        continue;
      }
      if (problem.byTime() && problem.map().overlap()) { // transfers beside ops cost less
        assertTrue(answer.bound() <= least, label);
        assertTrue(answer.plan() == null || answer.price() >= answer.bound(), label);
        continue;
      }
      exact++;
      assertTrue(answer.plan() == null || answer.price() >= least, label);
      assertEquals(least, answer.bound(), label);
      optimal += answer.isOptimal() ? 1 : 0;
    }
    assertTrue(
        optimal > 0.85 * exact && infeasible > 0,
        optimal + " proven of " + exact + ", " + infeasible + " infeasible");
  }

  private static void assertIrreducible(ResidencyProblem problem, String label) {
    RunControl control = control();
    ResidencyProblem.Misfit misfit = MisfitSet.of(problem, control);
    assertTrue(misfit.irreducible(), label);
    RunControl stopped = control();
    stopped.stop();
    assertFalse(MisfitSet.of(problem, stopped).irreducible(), label);
    List<String> names = misfit.buffers();
    List<HeldBuffer> set =
        problem.items().stream()
            .filter(item -> names.contains(item.id() + " (" + item.bytes() + ")"))
            .toList();
    assertEquals(-1, leastOf(problem, set), label);
    for (HeldBuffer one : set) {
      List<HeldBuffer> others = set.stream().filter(item -> item != one).toList();
      assertTrue(leastOf(problem, others) >= 0, label + " without " + one.id());
    }
  }

  private static long leastOf(ResidencyProblem problem, List<HeldBuffer> items) {
    return MemoryBruteForce.least(
        new ResidencyProblem(problem.map(), problem.ops(), items, problem.byTime()));
  }

  @Test
  void aFasterHomeThatIsFullLeavesItsBuffersToTheFastMemory() {
    List<MemoryMap.Space> inner = List.of(space("sram", 4, 10, 0, true));
    List<MemoryMap.Space> outer = List.of(space("dram", 4, 100, 0, true));
    MemoryMap map = map("slow", inner, outer, false);
    HeldBuffer.Event made = new HeldBuffer.Event(0, 0, 4);
    ResidencyProblem.Step op = new ResidencyProblem.Step("op", 0, false, 0);
    List<HeldBuffer> items = List.of(held("b0", 4, 1, made), held("b1", 4, 1, made));
    ResidencyProblem problem = new ResidencyProblem(map, List.of(op), items, true);
    ResidencySolver.Answer answer = ResidencySolver.solve(problem, control());
    assertFalse(answer.infeasible());
    assertEquals(MemoryBruteForce.least(problem), answer.bound());
    assertTrue(answer.isOptimal());
  }

  /** Two of three fit, one in each memory; one of another step needs no room of theirs. */
  @Test
  void aMisfitSetHasNoBufferOfAnotherStep() {
    List<MemoryMap.Space> outer = List.of(space("dram", 4, 10, 0, true));
    MemoryMap map = map("full", List.of(space("sram", 4, 100, 0, true)), outer, false);
    List<HeldBuffer> items = new ArrayList<>();
    for (int step : new int[] {1, 0, 0, 0}) {
      HeldBuffer.Event made = new HeldBuffer.Event(step, 0, 4);
      items.add(held("b" + items.size(), 4, 1, made));
    }
    ResidencyProblem.Step op = new ResidencyProblem.Step("op", 0, false, 0);
    ResidencyProblem problem = new ResidencyProblem(map, List.of(op, op), items, false);
    assertNull(problem.misfit());
    assertTrue(ResidencySolver.solve(problem, control()).infeasible());
    ResidencyProblem.Misfit misfit = MisfitSet.of(problem, control());
    assertEquals(List.of("b1 (4)", "b2 (4)", "b3 (4)"), misfit.buffers());
    assertIrreducible(problem, "three");
  }

  /** Its op computes from the fast memory alone, which is too small for it. */
  @Test
  void aGivenBufferThatNoOpReadsNeedNotBeFast() {
    MemoryMap map =
        map(
            "small",
            List.of(space("sram", 4, 10, 0, true)),
            List.of(space("dram", 9, 100, 0, true)),
            false);
    List<HeldBuffer.Event> there = List.of(new HeldBuffer.Event(0, 0, 0));
    HeldBuffer unread = new HeldBuffer("in", 8, MemoryMap.Kind.ACTIVATIONS, 1, true, false, there);
    ResidencyProblem.Step op = new ResidencyProblem.Step("op", 0, true, 0);
    ResidencyProblem problem = new ResidencyProblem(map, List.of(op), List.of(unread), false);
    ResidencySolver.Answer answer = ResidencySolver.solve(problem, control());
    assertTrue(answer.isOptimal());
    assertEquals(0, answer.bound());
  }

  @Test
  void executorchFillsTheFirstBankThatHoldsABuffer() {
    List<MemoryMap.Space> inner =
        List.of(space("fast", 10, 100, 0, true), space("middle", 10, 50, 0, true));
    MemoryMap map = map("banks", inner, List.of(space("slow", 100, 10, 0, true)), true);
    List<HeldBuffer> items = new ArrayList<>();
    long[] sizes = {8, 6, 5, 2};
    for (int i = 0; i < sizes.length; i++) { // all live together
      HeldBuffer.Event made = new HeldBuffer.Event(0, 0, sizes[i]);
      items.add(held("b" + i, sizes[i], 2, made, new HeldBuffer.Event(2, sizes[i], 0)));
    }
    ResidencyProblem.Step op = new ResidencyProblem.Step("op", 0, false, 0);
    ResidencyProblem problem = new ResidencyProblem(map, List.of(op, op, op), items, false);
    ResidencyChoice choice = ResidencyGreedy.EXECUTORCH_BANKS.choose(new AccessTable(problem));
    int[] banks = Arrays.stream(choice.access()).mapToInt(access -> access[0]).toArray();
    assertEquals("[0, 1, 2, 0]", Arrays.toString(banks), "8 and 2 in 10, 6 in 10, 5 in neither");
  }

  @Test
  void randomPlansHoldAndNoneIsFasterThanTheBound() {
    SplittableRandom random = new SplittableRandom(19);
    int plans = 0;
    for (int k = 0; k < Thorough.of(25, 60); k++) {
      ResidencyProblem problem = problem(random, 1 + k % 3, 6);
      if (problem.misfit() != null) {
        continue;
      }
      RunControl control = control();
      AccessTable table = new AccessTable(problem);
      long bound =
          ResidencyModel.solve(table, problem.map().fast().capacity(), null, control, 20).bound();
      for (int trial = 0; trial < 30; trial++) {
        Access[][] uses = new Access[problem.items().size()][];
        for (int i = 0; i < uses.length; i++) {
          uses[i] = table.cheapest(i, (e, use) -> random.nextInt(1000) + 400 * use.before());
        }
        ResidencySolver.Answer answer =
            ResidencySolver.planned(problem, ResidencyChoice.of(uses), 0, control, 1);
        if (answer != null) {
          plans++;
          assertTrue(answer.price() >= bound, "case " + k + " of seed 19");
        }
      }
    }
    assertTrue(plans > 250, plans + " plans");
  }

  /** Rules that may choose more than fits, and then have no answer. */
  private static final Set<ResidencyGreedy> ALL_OR_NOTHING =
      Set.of(
          ResidencyGreedy.SRAM_ONLY, ResidencyGreedy.SHARED_SRAM, ResidencyGreedy.EXECUTORCH_BANKS);

  @Test
  void everyRuleGivesAPlanThatHolds() {
    SplittableRandom random = new SplittableRandom(12);
    int plans = 0;
    for (int k = 0; k < 400; k++) {
      ResidencyProblem problem = problem(random, 1 + k / 300, 6);
      if (problem.misfit() != null) {
        continue;
      }
      AccessTable table = new AccessTable(problem);
      for (ResidencyGreedy rule : ResidencyGreedy.values()) {
        ResidencyChoice choice = rule.choose(table);
        long peak = Arrays.stream(choice.loads(problem)[0]).max().orElse(0);
        assertTrue(
            ALL_OR_NOTHING.contains(rule) || k >= 300 || peak <= problem.map().fast().capacity(),
            rule + ", case " + k);
        ResidencySolver.Answer answer =
            ResidencySolver.planned(problem, choice, 0, RunControl.ofSeconds(5, 1, 1), 1);
        plans += answer == null ? 0 : 1;
        if (answer != null) {
          ResidencyChoice better = ResidencyDescent.improved(table, choice);
          assertTrue(better.fits(problem), rule + ", case " + k);
          assertTrue(problem.byTime() || better.bytes() <= choice.bytes(), rule + ", case " + k);
        }
      }
    }
    assertTrue(plans > 900, plans + " plans");
  }

  @Test
  void theLeastCapacityIsTheFirstAtWhichThePriceIsKept() {
    SplittableRandom random = new SplittableRandom(14);
    int checked = 0;
    for (int k = 0; k < 40; k++) {
      ResidencyProblem problem = problem(random);
      if (problem.misfit() != null || problem.byTime() && problem.map().overlap()) {
        continue;
      }
      LeastCapacity least = LeastCapacity.of(problem, -1, control());
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

  @Test
  void theCapacityOfAPriceThatMayFallIsNotProven() {
    assertTrue(new LeastCapacity(64, 64, 100, 90).isProven(100));
    assertTrue(new LeastCapacity(64, 64, 90, 90).isProven(-1));
    assertFalse(new LeastCapacity(64, 64, 100, 90).isProven(-1), "90 may need more");
    assertFalse(new LeastCapacity(64, 63, 90, 90).isProven(-1));
  }

  @Test
  void noCapacityGivesLessTimeBesideAChannelThanTheLeast() {
    SplittableRandom random = new SplittableRandom(20);
    int checked = 0;
    for (int k = 0; k < 120; k++) {
      ResidencyProblem problem = problem(random);
      if (problem.misfit() != null || !problem.byTime() || !problem.map().overlap()) {
        continue;
      }
      RunControl control = control();
      LeastCapacity least = LeastCapacity.of(problem, 0, control);
      ResidencySolver.Answer ample = ResidencySolver.solve(problem.withFastCapacity(1000), control);
      assertTrue(least.leastPrice() <= ample.price(), "case " + k);
      checked++;
    }
    assertTrue(checked > 10, checked + " checked");
  }

  private static boolean keeps(ResidencyProblem problem, long capacity, long limit) {
    long least = MemoryBruteForce.least(problem.withFastCapacity(capacity));
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
