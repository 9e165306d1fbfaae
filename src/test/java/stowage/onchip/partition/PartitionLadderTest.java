package stowage.onchip.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.network.Chip;
import stowage.onchip.Chips;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.RandomNets;
import stowage.onchip.cpsat.ConvexPartitioner;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.onchip.search.GroupOptions.SlicingSearch;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupSearch;
import stowage.onchip.search.GroupSearches;
import stowage.packing.RunControl;

class PartitionLadderTest {
  private static final List<Chip> CHIPS =
      List.of(
          Chips.chip("small", 4, 16, 8192, 4, 1, true),
          Chips.chip("tight", 8, 16, 3072, 2, 1, false));

  private static final List<GroupObjective> COSTS =
      List.of(GroupObjective.TRAFFIC, GroupObjective.CYCLES);

  /** A way of grouping with what it came to. */
  private record Result(Partitioner partitioner, GroupOptions options, Grouping grouping) {

    /** Whether all that another way may find is among what this one may find. */
    boolean includes(Result other) {
      boolean partitions =
          partitioner.name().equals(other.partitioner.name())
              || partitioner.included().stream()
                  .anyMatch(weaker -> weaker.name().equals(other.partitioner.name()));
      return partitions && options.include(other.options);
    }

    String name() {
      return partitioner.name() + " " + options;
    }
  }

  private static List<GroupOptions> ways(GroupObjective objective) {
    List<GroupOptions> ways = new ArrayList<>();
    for (Lmem lmem : Lmem.values()) {
      for (SlicingSearch slicing : SlicingSearch.values()) {
        boolean limited = lmem == Lmem.DOCUMENT;
        ways.add(new GroupOptions(lmem, slicing, objective, limited));
      }
    }
    return ways;
  }

  /** Every way on a graph, weaker ones first, each in a run of its own or all on one ladder. */
  private static List<Result> all(
      LayerGraph graph, GroupObjective objective, long units, boolean together) {
    PartitionLadder shared =
        new PartitionLadder(
            graph, objective, new CpSatLmem(), RunControl.ofWork(units, 1, 1).counting());
    List<Result> results = new ArrayList<>();
    for (Partitioner partitioner :
        List.of(new TailPartitioner(), new IntervalPartitioner(), new ConvexPartitioner())) {
      for (GroupOptions options : ways(objective)) {
        RunControl control = RunControl.ofWork(units, 1, 1).counting();
        GroupPlanner planner =
            together
                ? new GroupPlanner(graph, options, new CpSatLmem(), control, shared)
                : new GroupPlanner(graph, options, new CpSatLmem(), control);
        results.add(new Result(partitioner, options, planner.divide(partitioner)));
      }
    }
    return results;
  }

  /** Checks the order of every pair; says how many are strictly better. */
  private static int assertOrder(List<Result> results, String what) {
    int better = 0;
    for (Result strong : results) {
      double figure = strong.grouping().objective();
      assertTrue(strong.grouping().lowerBound() <= figure * (1 + 1e-9), what + strong.name());
      for (Result weak : results) {
        if (strong.includes(weak)) {
          double other = weak.grouping().objective();
          assertTrue(
              figure <= other * (1 + 1e-12),
              what + ": " + strong.name() + " " + figure + ", " + weak.name() + " " + other);
          better += figure < other ? 1 : 0;
        }
      }
    }
    return better;
  }

  /** Both rules of both ways together, not each of the four, where the limit is less. */
  @Test
  void rulesShareTheirLeastTime() {
    long[] done = new long[1];
    class Patient implements Partitioner {
      private final List<Partitioner> included;

      Patient(Partitioner... included) {
        this.included = List.of(included);
      }

      @Override
      public String name() {
        return "patient" + included.size();
      }

      @Override
      public List<Partitioner> included() {
        return included;
      }

      @Override
      public Partition partition(GroupSearch search, List<List<int[]>> starts) {
        while (!search.limits().isStopped()) {
          search.limits().did(10_000);
          done[0] += 10_000;
        }
        return Partitioner.singletons().partition(search, starts);
      }
    }
    LayerGraph graph = RandomNets.layers(1, CHIPS.get(0));
    RunControl control = RunControl.ofWork(100_000, 1, 1).counting();
    new PartitionLadder(graph, GroupObjective.TRAFFIC, new CpSatLmem(), control)
        .climb(
            new Patient(new Patient()),
            RandomNets.traffic(Lmem.TODAY, SlicingSearch.QUICK),
            control);
    assertTrue(done[0] > 1_900_000 && done[0] < 2_100_000, done[0] + " units");
  }

  @Test
  void aStrongerWayIsNeverWorseWithNoTimeAtAll() {
    int better = 0;
    for (Chip chip : CHIPS) {
      for (long seed = 1; seed <= Thorough.of(2, 4); seed++) {
        LayerGraph graph = RandomNets.layers(seed, chip);
        for (GroupObjective objective : COSTS) {
          String what = chip.name() + ", seed " + seed;
          better += assertOrder(all(graph, objective, 0, false), what);
        }
      }
    }
    assertTrue(better > 0, "all ways are always equal: the chips are too large for the test");
  }

  @Test
  void aStrongerWayIsNeverWorseOnOneLadderHoweverShortItsTime() {
    for (Chip chip : CHIPS) {
      for (long seed = 7; seed <= 8; seed++) {
        LayerGraph graph = RandomNets.layers(seed, chip);
        for (long units : new long[] {1_000, 50_000}) {
          String what = chip.name() + ", seed " + seed + ", " + units + " units";
          for (GroupObjective objective : COSTS) {
            assertOrder(all(graph, objective, units, true), what);
          }
        }
      }
    }
  }

  /** An engine that takes 40 ms a question, and notes where it was given more than is left. */
  private static final class SlowEngine implements LmemEngine {
    private static final long WORK = 40_000;
    private final LmemEngine engine = new CpSatLmem();
    private final RunControl run;
    private int asked;
    private int givenMore;

    SlowEngine(RunControl run) {
      this.run = run;
    }

    private void ask(RunControl control) {
      double left = run.secondsLeft();
      asked++;
      control.did(WORK);
      givenMore += control.secondsLeft() > left ? 1 : 0;
      try {
        Thread.sleep(40);
      } catch (InterruptedException unexpected) {
        throw new AssertionError(unexpected);
      }
    }

    @Override
    public Fit fit(LmemProblem problem, RunControl control) {
      ask(control);
      return engine.fit(problem, control);
    }

    @Override
    public HeldChoice hold(LmemProblem problem, long[] reloads, RunControl control) {
      ask(control);
      return engine.hold(problem, reloads, control);
    }

    @Override
    public LmemAnswer improve(LmemProblem problem, LmemPlacement start, RunControl control) {
      ask(control);
      return engine.improve(problem, start, control);
    }
  }

  @Test
  void sharesOfManyStepsDoNotAddUpBeyondTheLimit() {
    int asked = 0;
    for (long seed = 1; seed <= Thorough.of(6, 12); seed++) {
      LayerGraph graph = RandomNets.layers(seed, CHIPS.get(0));
      RunControl control = RunControl.ofSeconds(seed % 2 == 0 ? 0.1 : 0.4, 1, 1);
      SlowEngine engine = new SlowEngine(control);
      GroupOptions options = RandomNets.traffic(Lmem.EXACT, SlicingSearch.EXACT);
      new GroupPlanner(graph, options, engine, control).plan(new ConvexPartitioner());
      assertEquals(0, engine.givenMore, "seed " + seed);
      asked += engine.asked;
    }
    assertTrue(asked > 0, "the engine was never asked");
  }

  @Test
  void aLimitOfWorkIsSharedByAllQuestionsOfARun() {
    LayerGraph graph = RandomNets.layers(3, CHIPS.get(0));
    GroupOptions options = RandomNets.traffic(Lmem.EXACT, SlicingSearch.EXACT);
    Set<String> answers = new HashSet<>();
    for (int run = 0; run < 2; run++) {
      RunControl control = RunControl.ofWork(400_000, 1, 1).counting();
      SlowEngine engine = new SlowEngine(control);
      Grouping found =
          new GroupPlanner(graph, options, engine, control).plan(new ConvexPartitioner());
      long work = engine.asked * SlowEngine.WORK;
      assertTrue(engine.asked > 4 && work <= 400_000 + SlowEngine.WORK, engine.asked + " asked");
      assertEquals(0, engine.givenMore);
      answers.add(found.objective() + " " + found.lowerBound() + " " + engine.asked);
    }
    assertEquals(1, answers.size(), answers.toString());
  }

  @Test
  void withTimeEnoughTheStrongestWayIsProvenWhetherOrNotOthersWereRunBefore() {
    LayerGraph graph = RandomNets.layers(3, CHIPS.get(0));
    GroupObjective objective = GroupObjective.TRAFFIC;
    List<Result> results = all(graph, objective, 600_000_000, true);
    assertTrue(assertOrder(results, "seed 3") > 0);
    Result last = results.get(results.size() - 1);
    assertEquals(last.grouping().lowerBound(), last.grouping().objective(), 1e-6);
    Grouping alone =
        new GroupPlanner(graph, last.options(), new CpSatLmem(), RunControl.ofSeconds(600, 1, 1))
            .divide(last.partitioner());
    assertEquals(last.grouping().objective(), alone.objective());
  }

  @Test
  void whatRulesFindDoesNotDependOnTheTime() {
    LayerGraph graph = RandomNets.layers(5, CHIPS.get(1));
    for (GroupOptions options : ways(GroupObjective.TRAFFIC)) {
      boolean ruled = options.lmem() != Lmem.EXACT;
      if (ruled && options.slicing() == SlicingSearch.QUICK) {
        for (Partitioner partitioner : List.of(new TailPartitioner(), new IntervalPartitioner())) {
          double[] figures = new double[2];
          for (int k = 0; k < 2; k++) {
            RunControl control = RunControl.ofSeconds(k == 0 ? 0 : 60, 1, 1);
            GroupPlanner planner = new GroupPlanner(graph, options, new CpSatLmem(), control);
            figures[k] = planner.plan(partitioner).objective();
          }
          assertEquals(figures[1], figures[0], partitioner.name() + " " + options);
        }
      }
    }
  }

  @Test
  void noGroupNeedsAHigherPeakUnderAStrongerWay() {
    int lower = 0;
    for (long seed = 1; seed <= 2; seed++) {
      LayerGraph graph = RandomNets.layers(seed, CHIPS.get(0));
      RunControl control = RunControl.ofSeconds(60, 1, 1);
      GroupSearches searches = new GroupSearches(graph, new CpSatLmem(), control, 0.05);
      for (int first = 0; first + 3 <= graph.size(); first += 2) {
        int[] members = Partitioner.interval(first, first + 2);
        for (GroupOptions weak : ways(GroupObjective.LMEM_PEAK)) {
          GroupOutcome before = searches.of(weak).search(members);
          for (GroupOptions strong : ways(GroupObjective.LMEM_PEAK)) {
            if (before.fits() && strong.include(weak)) {
              GroupOutcome outcome = searches.of(strong).search(members);
              assertTrue(outcome.fits() && outcome.peak() <= before.peak(), strong + " " + weak);
              lower += outcome.peak() < before.peak() ? 1 : 0;
            }
          }
        }
      }
    }
    assertTrue(lower > 0, "all ways need the same");
  }
}
