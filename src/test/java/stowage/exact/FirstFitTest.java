package stowage.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Status;

/** The search alone, told to end at the first placement, without a capacity. */
class FirstFitTest {
  @Test
  void offsetsThatClashAreProvenInfeasibleWithoutACapacityToo() {
    long seed = 676;
    Random random = new Random(seed);
    int infeasible = 0;
    for (int round = 0; round < 300; round++) {
      PackingProblem problem = problem(random);
      Status whole = status(problem, false);
      Status first = status(problem, true);
      String where = "seed " + seed + ", round " + round;
      assertTrue(whole == Status.OPTIMAL || whole == Status.INFEASIBLE, where + ": " + whole);
      assertEquals(whole == Status.INFEASIBLE, first == Status.INFEASIBLE, where + ": " + first);
      assertTrue(first != Status.UNKNOWN, where);
      infeasible += whole == Status.INFEASIBLE ? 1 : 0;
    }
    assertTrue(infeasible > 30 && infeasible < 270, infeasible + " of 300 are infeasible");
  }

  private static Status status(PackingProblem problem, boolean firstFit) {
    EngineOptions options = EngineOptions.defaults().withFirstFit(firstFit);
    RunControl control = RunControl.ofSeconds(60, 1, 1);
    return EngineChecks.alone(new SearchEngine(), problem, control, options).status();
  }

  /** Up to seven buffers, some at given offsets that may clash, some in banks. */
  private static PackingProblem problem(Random random) {
    List<Buffer> buffers = new ArrayList<>();
    int count = 3 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Buffer buffer = Buffers.drawn(random, "b" + i, 6, 8, 4).withinBank(random.nextBoolean());
      boolean fixed = random.nextInt(3) == 0;
      long offset = 8L * random.nextInt(3) + random.nextInt(4);
      boolean crosses = buffer.withinBank() && offset % 8 + buffer.size() > 8;
      buffers.add(fixed && !crosses ? buffer.withFixedOffset(offset) : buffer);
    }
    Memory memory = new Memory("m", Memory.UNBOUNDED, 1, 0, 8);
    return new PackingProblem("clash", buffers, List.of(memory), ConflictPairs.none());
  }
}
