package stowage.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Verifier;

/** Several models in one memory: no model touches what another needs, by a run of their steps. */
class SharedArenaTest {
  private static final int ROUNDS = 60;

  /** A network of byte tensors: each op reads some earlier tensors; with or without state. */
  private static PlanningCase model(Random draw) {
    Graphs graph = Graphs.of("x:" + size(draw));
    boolean state = draw.nextBoolean();
    if (state) {
      graph.and("variable state:" + size(draw));
    }
    List<String> made = new ArrayList<>(List.of("x"));
    int count = 2 + draw.nextInt(4);
    for (int k = 0; k < count; k++) {
      String reads = made.get(draw.nextInt(made.size()));
      reads += state && draw.nextInt(3) == 0 ? " state" : "";
      graph.and("t" + k + ":" + size(draw) + " = Any " + reads);
      made.add("t" + k);
    }
    Network network = graph.and("-> " + made.get(count)).network();
    return Liveness.of(network, LivenessOptions.defaults().withAlignments(4, 4));
  }

  private static int size(Random draw) {
    return 1 + draw.nextInt(20);
  }

  private static Incumbent solved(PackingProblem problem, Incumbent incumbent) {
    PlannerRun.of(
        PlanningCase.ofBuffers(problem),
        incumbent,
        RunControl.ofWork(100_000, 1, 1),
        List.of(PlannerCatalogue.named("search")),
        EngineOptions.defaults());
    return incumbent;
  }

  @Test
  void modelsOfOneArenaDoNotTouchEachOther() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random draw = new Random(seed);
      List<SharedArena.Model> models = new ArrayList<>();
      for (int m = 0; m < 2 + draw.nextInt(2); m++) {
        models.add(new SharedArena.Model("m" + m, "m", model(draw)));
      }
      for (SharedArena.Run run : SharedArena.Run.values()) {
        String what = "seed " + seed + ", " + run;
        SharedArena arena = new SharedArena(models, run);
        List<Placement> own = new ArrayList<>();
        long most = 0;
        long sum = 0;
        for (int m = 0; m < models.size(); m++) {
          Incumbent alone = solved(arena.shared(m), new Incumbent(arena.shared(m)));
          assertEquals(Status.OPTIMAL, alone.status(), what);
          own.add(alone.placement());
          most = Math.max(most, alone.bestFigure());
          sum += alone.bestFigure();
        }
        Placement stacked = arena.stacked(own);
        assertTrue(Verifier.isValid(arena.problem(), stacked), what);
        Incumbent whole = new Incumbent(arena.problem());
        assertTrue(whole.offer(stacked, "stacked"));
        long start = whole.bestFigure();
        solved(arena.problem(), whole);
        long state = 0;
        for (int m = 0; m < models.size(); m++) {
          state += arena.stateBytes(m);
        }
        if (run == SharedArena.Run.CONCURRENT) {
          assertEquals(sum, start, what);
          // Laid end to end the parts are optimal: no search finds less.
          assertEquals(sum, whole.bestFigure(), what);
        } else {
          assertEquals(state + most, start, what);
          assertTrue(whole.bestFigure() <= start, what);
        }
        checkParts(arena, whole.placement(), what);
        simulate(arena, whole.placement(), draw, what);
      }
    }
  }

  private static void checkParts(SharedArena arena, Placement whole, String what) {
    for (int m = 0; m < arena.models().size(); m++) {
      PackingProblem own = arena.models().get(m).planningCase().problem();
      assertTrue(Verifier.isValid(own, arena.part(m, whole)), what);
    }
  }

  /**
   * Runs the models byte by byte: at each step what is alive is found as it was left. Steps of
   * different models are drawn at random side by side, and whole runs one after the other.
   */
  private static void simulate(SharedArena arena, Placement whole, Random draw, String what) {
    int count = arena.models().size();
    int[][] owner = new int[(int) whole.peak(arena.problem(), 0)][2];
    int[] at = new int[count];
    boolean concurrent = arena.run() == SharedArena.Run.CONCURRENT;
    int running = 0;
    for (int moves = 0; moves < 200; moves++) {
      int m = concurrent ? draw.nextInt(count) : running;
      PlanningCase planned = arena.models().get(m).planningCase();
      Placement part = arena.part(m, whole);
      for (int b = 0; b < planned.problem().size(); b++) {
        Buffer buffer = planned.problem().buffer(b);
        boolean state = isState(planned, b);
        boolean begins = buffer.live().start() == at[m] && (!state || moves < count);
        boolean alive = buffer.live().start() <= at[m] && at[m] < buffer.live().end();
        for (long k = 0; k < buffer.size() && alive; k++) {
          int[] cell = owner[(int) (part.offset(b) + k)];
          if (begins || (state && cell[0] == 0)) {
            cell[0] = m + 1;
            cell[1] = b;
          }
          assertTrue(cell[0] == m + 1 && cell[1] == b, what + ": " + buffer.id());
        }
      }
      at[m]++;
      if (at[m] == planned.order().length) {
        at[m] = 0;
        running = draw.nextInt(count);
      }
    }
  }

  private static boolean isState(PlanningCase planned, int buffer) {
    return planned.contents().get(buffer).parts().stream()
        .anyMatch(part -> planned.network().tensor(part.tensor()).kind() == Tensor.Kind.VARIABLE);
  }

  @Test
  void idsBeginWithTheModelsName() {
    PlanningCase planned = model(new Random(1));
    List<SharedArena.Model> models =
        Stream.of("a", "b").map(name -> new SharedArena.Model(name, name, planned)).toList();
    SharedArena arena = new SharedArena(models, SharedArena.Run.SEQUENTIAL);
    assertEquals("a/x", arena.problem().buffer(0).id());
    assertEquals("b/x", arena.problem().buffer(planned.problem().size()).id());
    LiveRange second = arena.problem().buffer(planned.problem().size()).live();
    assertFalse(arena.problem().buffer(0).live().overlaps(second));
  }
}
