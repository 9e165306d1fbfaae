package stowage.heuristic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Refusals;
import stowage.Thorough;
import stowage.exact.RandomProblems;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/** First fit by its definition: offset by offset, each held against every buffer placed before. */
class GapPlacerTest {
  private static final long HIGHEST = 4_000;

  private final List<Integer> placed = new ArrayList<>();
  private long[] offsets;
  private int[] memories;

  @Test
  void eachBufferTakesTheLowestOffsetOfTheMemoryItExceedsLeast() {
    int compared = 0;
    for (long seed = 1; seed <= 3_000; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 9);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < problem.size(); i++) {
        if (problem.buffer(i).isFixed()) {
          order.clear();
          break;
        }
        order.add(i);
      }
      if (order.isEmpty()) {
        continue;
      }
      Collections.shuffle(order, new Random(seed));
      Placement found;
      try {
        int[] plain = order.stream().mapToInt(Integer::intValue).toArray();
        found = GapPlacer.inOrder(problem, plain, Fit.FIRST, RunControl.unlimited());
      } catch (NotPlannableException none) {
        continue;
      }
      placed.clear();
      offsets = new long[problem.size()];
      memories = new int[problem.size()];
      for (int buffer : order) {
        placeByDefinition(problem, buffer);
        assertEquals(offsets[buffer], found.offset(buffer), "seed " + seed + ", b" + buffer);
        assertEquals(memories[buffer], found.memory(buffer), "seed " + seed + ", b" + buffer);
      }
      compared++;
    }
    assertTrue(compared > 800, compared + " compared");
  }

  private void placeByDefinition(PackingProblem problem, int buffer) {
    int[] all = IntStream.range(0, problem.memories().size()).toArray();
    int[] wanted = GapPlacer.preferences(problem, buffer, all);
    if (!problem.buffer(buffer).needsMemory()) {
      memories[buffer] = wanted[0];
      return;
    }
    PackingProblem free =
        problem.withMemories(
            problem.memories().stream().map(m -> m.withCapacity(Memory.UNBOUNDED)).toList());
    int[] there =
        IntStream.concat(placed.stream().mapToInt(i -> i), IntStream.of(buffer)).toArray();
    PackingProblem beside = free.select(there);
    long leastExcess = Long.MAX_VALUE;
    long best = 0;
    int in = 0;
    for (int m : wanted) {
      long offset = 0;
      while (offset < HIGHEST && !isFree(beside, there, m, offset)) {
        offset++;
      }
      long end = offset + problem.buffer(buffer).size();
      long excess = Math.max(0, end - problem.memories().get(m).capacity());
      if (offset < HIGHEST && excess < leastExcess) {
        leastExcess = excess;
        best = offset;
        in = m;
      }
    }
    offsets[buffer] = best;
    memories[buffer] = in;
    placed.add(buffer);
  }

  /** Whether the verifier accepts the last of some buffers there, beside the others. */
  private boolean isFree(PackingProblem problem, int[] there, int memory, long offset) {
    long[] at = IntStream.of(there).mapToLong(i -> offsets[i]).toArray();
    int[] in = IntStream.of(there).map(i -> memories[i]).toArray();
    at[at.length - 1] = offset;
    in[in.length - 1] = memory;
    return Verifier.isValid(problem, Placement.of(at, in));
  }

  /** Lists that the index cuts into several stretches of time, each interval held against all. */
  @Test
  void allFitsTakeTheGapOfTheirDefinitionInLongerLists() {
    int compared = 0;
    int cases = Thorough.of(24, 1_000);
    for (long seed = 1; seed <= cases; seed++) {
      PackingProblem problem = RandomPackingProblems.any(seed, 400);
      List<Integer> order = new ArrayList<>();
      IntStream.range(0, problem.size()).forEach(order::add);
      Collections.shuffle(order, new Random(seed));
      order.sort(Comparator.comparing(i -> !problem.buffer(i).isFixed()));
      for (Fit fit : Fit.values()) {
        GapPlacer placer = new GapPlacer(problem);
        placed.clear();
        offsets = new long[problem.size()];
        memories = new int[problem.size()];
        for (int i : order) {
          offsets[i] = placer.place(i, fit);
          memories[i] = placer.memory(i);
          if (!problem.buffer(i).isFixed() && problem.buffer(i).needsMemory()) {
            assertEquals(byDefinition(problem, i, fit), offsets[i], "seed " + seed + ", b" + i);
            compared++;
          }
          placed.add(i);
        }
      }
    }
    assertTrue(compared > 250 * cases, compared + " compared");
  }

  /** The gap of a buffer in the memory that it was given, from what each placed span forbids. */
  private long byDefinition(PackingProblem problem, int own, Fit fit) {
    List<long[]> forbidden = new ArrayList<>();
    for (int other : placed) {
      if (memories[other] != memories[own]) {
        continue;
      }
      for (Buffer.Span mine : problem.buffer(own).spans()) {
        for (Buffer.Span span : problem.buffer(other).spans()) {
          if (span.start() < mine.end() && mine.start() < span.end()) {
            forbidden.add(
                new long[] {
                  offsets[other] + span.low() - mine.high(),
                  offsets[other] + span.high() - mine.low()
                });
          }
        }
      }
      if (problem.conflicts().contains(own, other) && problem.buffer(other).needsMemory()) {
        forbidden.add(
            new long[] {
              offsets[other] - problem.buffer(own).size(),
              offsets[other] + problem.buffer(other).size()
            });
      }
    }
    long best = -1;
    long least = Long.MAX_VALUE;
    long[][] intervals = forbidden.toArray(long[][]::new);
    TreeSet<Long> begins = new TreeSet<>(List.of(0L));
    forbidden.forEach(interval -> begins.add(interval[1]));
    for (long begin : begins) {
      if (begin < 0 || isInside(intervals, begin)) {
        continue;
      }
      boolean free =
          fit != Fit.BEST_BETWEEN
              || forbidden.isEmpty()
              || forbidden.stream().anyMatch(interval -> interval[0] < begin);
      long last = Long.MAX_VALUE;
      for (long[] interval : intervals) {
        last = interval[0] >= begin ? Math.min(last, interval[0]) : last;
      }
      long offset = free ? problem.roundUp(own, memories[own], begin) : -1;
      long from = fit == Fit.BEST_ABOVE_ALIGNED ? offset : begin;
      if (offset >= 0 && offset <= last && (best < 0 || last - from < least)) {
        best = offset;
        least = fit == Fit.FIRST ? -1 : last - begin;
      }
    }
    return best;
  }

  private static boolean isInside(long[][] intervals, long offset) {
    for (long[] interval : intervals) {
      if (interval[0] < offset && offset < interval[1]) {
        return true;
      }
    }
    return false;
  }

  @Test
  void theTightestGapIsNotTheLowest() {
    PackingProblem problem = Buffers.problem("low:4[0,9)@6 high:4[0,9)@13 b:3[2,5)");
    int[] order = {0, 1, 2};
    assertEquals(0, GapPlacer.inOrder(problem, order, Fit.FIRST, RunControl.unlimited()).offset(2));
    assertEquals(10, GapPlacer.inOrder(problem, order, Fit.BEST, RunControl.unlimited()).offset(2));
  }

  @Test
  void fixedOffsetsThatClashAndStoppedRunsAreRefused() {
    PackingProblem clash = Buffers.problem("left:4[0,3)@0 right:4[2,5)@3");
    Refusals.says(
        NotPlannableException.class, () -> new GapPlacer(clash), "\"right\" is fixed at 3");
    List<Buffer> many = new ArrayList<>();
    int[] order = new int[200];
    for (int i = 0; i < order.length; i++) {
      many.add(new Buffer("b" + i, 1, 0, 1));
      order[i] = i;
    }
    RunControl over = RunControl.ofSeconds(0, 1, 1);
    assertThrows(
        NotPlannableException.class,
        () -> GapPlacer.inOrder(PackingProblem.of("many", many), order, Fit.FIRST, over));
    assertThrows(
        NotPlannableException.class,
        () -> new OrderAnnealing().plan(PackingProblem.of("many", many), over));
  }
}
