package stowage.onchip.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.RandomNets;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;

class LmemBuilderTest {

  @Test
  void buffersLiveFromTheirFirstUseToTheirLast() {
    int built = 0;
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      LayerGraph graph = LayerGraph.of(RandomNets.chain(random), Chips.bm1684x());
      GroupModel group = Groups.whole(graph);
      SlicedGroup sliced = Groups.rows(group, 1 + random.nextInt(3));
      if (sliced == null) {
        continue;
      }
      TimeSteps steps = new TimeSteps(sliced, new CostModel(graph.chip()));
      TimeTable table = random.nextBoolean() ? steps.linear() : steps.balanced(steps.linear());
      boolean[] weights = new boolean[group.weightCount()];
      for (int w = 0; w < weights.length; w++) {
        weights[w] = random.nextBoolean();
      }
      LmemProblem problem =
          new GroupRun(sliced, table, Staying.nothing(sliced).withWeights(weights)).problem();
      check("seed " + seed, graph, sliced, table, weights, problem);
      built++;
    }
    assertTrue(built > 30, built + " were built");
  }

  private static void check(
      String what,
      LayerGraph graph,
      SlicedGroup sliced,
      TimeTable table,
      boolean[] weights,
      LmemProblem problem) {
    GroupModel group = sliced.group();
    assertEquals(table.rows(), problem.steps(), what);
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < problem.size(); i++) {
      LmemBuffer buffer = problem.buffer(i);
      assertTrue(ids.add(buffer.id()), what + ": two are called " + buffer.id());
      TreeSet<Integer> used = used(problem, i);
      if (buffer.resident()) {
        assertEquals(problem.steps(), buffer.length(problem.steps()), what + " " + buffer);
      } else {
        assertEquals(used.first(), buffer.start(), what + " " + buffer);
        assertEquals(used.last() + 1, buffer.end(), what + " " + buffer);
      }
    }
    for (int t = 0; t < group.tensorCount(); t++) {
      String name = graph.tensor(group.tensor(t)).name();
      assertEquals(sliced.laneBytes(t), sizeOf(problem, name), what + " " + name);
    }
    for (int w = 0; w < group.weightCount(); w++) {
      String name = graph.tensor(group.weight(w).tensor()).name();
      assertEquals(sliced.group().weightLaneBytes(w), sizeOf(problem, name), what + " " + name);
      assertEquals(weights[w], Groups.buffer(problem, name).resident(), what + " " + name);
    }
    int computed = 0;
    for (int s = 0; s < problem.steps(); s++) {
      assertEquals(table.opsIn(s).length, problem.step(s).computes().size(), what + ", step " + s);
      computed += problem.step(s).computes().size();
    }
    assertEquals(group.size(), computed, what);
  }

  /** The steps that read, write, load or store a buffer. */
  private static TreeSet<Integer> used(LmemProblem problem, int buffer) {
    TreeSet<Integer> used = new TreeSet<>();
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      boolean here =
          step.computes().stream()
              .anyMatch(
                  compute ->
                      compute.reads().contains(buffer)
                          || compute.writes().contains(buffer)
                          || compute.scratch() == buffer);
      here |= step.loads().stream().anyMatch(move -> move.buffer() == buffer);
      here |= step.stores().stream().anyMatch(move -> move.buffer() == buffer);
      if (here) {
        used.add(s);
      }
    }
    return used;
  }

  private static long sizeOf(LmemProblem problem, String id) {
    return Groups.buffer(problem, id).size();
  }

  @Test
  void inputsThatStayLiveInEveryStep() throws SlicingException {
    LayerGraph graph = RandomNets.layers(5, Chips.bm1684x());
    GroupModel group = Groups.whole(graph);
    SlicedGroup sliced = Groups.sliced(group, Slicing.WHOLE.with(Axis.H, 2));
    TimeTable table = new TimeSteps(sliced, new CostModel(graph.chip())).table(true);
    Staying inputs = new Staying(Groups.all(group.tensorCount()), new boolean[group.weightCount()]);
    LmemProblem problem = new GroupRun(sliced, table, inputs).problem();
    int first =
        IntStream.range(0, group.tensorCount()).filter(group::isInput).findFirst().orElse(-1);
    LmemBuffer input = Groups.buffer(problem, graph.tensor(group.tensor(first)).name());
    assertEquals(table.rows(), input.length(table.rows()));
  }
}
