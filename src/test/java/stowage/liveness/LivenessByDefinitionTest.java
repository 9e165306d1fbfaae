package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.liveness.LivenessOptions.Order;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Lifetimes are exactly what their definitions say, which are followed here word by word: asking of
 * every tensor at every step, and walking through every way in which ops may start and end.
 */
class LivenessByDefinitionTest {
  @Test
  void inOrderEachTensorIsAliveExactlyWhileItIsNeeded() {
    for (int seed = 0; seed < RandomNetworks.rounds(2000); seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, random.nextInt(12));
      LivenessOptions options =
          RandomNetworks.options(random, network)
              .withOrder(Order.IN_ORDER)
              .withInPlace(InPlace.NONE);
      PlanningCase planning = Liveness.of(network, options);
      Map<String, List<Integer>> needed = neededSteps(network, options.inputs());
      for (Buffer buffer : planning.problem().buffers()) {
        List<Integer> alive = new ArrayList<>();
        for (int step = 0; step < Math.max(1, network.ops().size()); step++) {
          if (buffer.live().contains(step)) {
            alive.add(step);
          }
        }
        if (needed.containsKey(buffer.id())) {
          assertEquals(needed.get(buffer.id()), alive, "seed " + seed + ", " + buffer.id());
        }
      }
    }
  }

  /** By asking of every tensor at every step whether it is there and someone may still want it. */
  private static Map<String, List<Integer>> neededSteps(Network network, Inputs inputs) {
    int steps = Math.max(1, network.ops().size());
    Map<String, List<Integer>> needed = new LinkedHashMap<>();
    for (Tensor tensor : network.tensors().values()) {
      String name = tensor.name();
      boolean given = network.inputs().contains(name);
      boolean state = tensor.kind() == Tensor.Kind.VARIABLE;
      boolean kept = given && inputs == Inputs.KEEP;
      List<Integer> alive = new ArrayList<>();
      boolean there = given || state;
      for (int step = 0; step < steps; step++) {
        boolean made =
            step < network.ops().size() && network.ops().get(step).outputs().contains(name);
        there |= made;
        boolean wanted = network.outputs().contains(name) || state || kept || made;
        wanted |= given && step == 0;
        for (int later = step; later < network.ops().size(); later++) {
          wanted |= network.ops().get(later).inputs().contains(name);
        }
        if (there && wanted && !tensor.isWeight()) {
          alive.add(step);
        }
      }
      needed.put(name, alive);
    }
    return needed;
  }

  @Test
  void outOfOrderExactlyThosePairsAreKeptApartThatCanMeet() {
    for (int seed = 0; seed < RandomNetworks.rounds(300); seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, 1 + random.nextInt(4));
      LivenessOptions options =
          LivenessOptions.defaults()
              .withInPlace(InPlace.NONE)
              .withOrder(Order.OUT_OF_ORDER)
              .withAlignments(1, 1);
      PackingProblem problem = Liveness.of(network, options).problem();
      boolean[][] meet = new boolean[problem.size()][problem.size()];
      new Meetings(network, problem, meet).explore(new int[network.ops().size()]);
      for (int i = 0; i < problem.size(); i++) {
        for (int j = 0; j < i; j++) {
          Buffer a = problem.buffer(i);
          Buffer b = problem.buffer(j);
          // What is given and never read is there before the run; in order that counts as step 0.
          boolean idle = isIdle(network, a.id()) || isIdle(network, b.id());
          if (a.needsMemory() && b.needsMemory() && !idle) {
            boolean apart = a.live().overlaps(b.live()) || problem.conflicts().contains(i, j);
            assertEquals(meet[i][j], apart, "seed " + seed + ", " + a.id() + " and " + b.id());
          }
        }
      }
    }
  }

  private static boolean isIdle(Network network, String tensor) {
    return network.inputs().contains(tensor)
        && network.ops().stream().noneMatch(op -> op.inputs().contains(tensor));
  }

  /** Walks through all ways to start and end ops, and notes which buffers are alive together. */
  private record Meetings(Network network, PackingProblem problem, boolean[][] meet) {
    void explore(int[] state) {
      note(state);
      for (int op = 0; op < state.length; op++) {
        if (state[op] == 1 || (state[op] == 0 && mayStart(op, state))) {
          state[op]++;
          explore(state);
          state[op]--;
        }
      }
    }

    private boolean mayStart(int op, int[] state) {
      Op next = network.ops().get(op);
      for (int other = 0; other < state.length; other++) {
        boolean flows =
            network.ops().get(other).outputs().stream().anyMatch(next.inputs()::contains);
        boolean ordered =
            other < op
                && next.inputs().contains("state")
                && network.ops().get(other).inputs().contains("state");
        if ((flows || ordered) && state[other] < 2) {
          return false;
        }
      }
      return true;
    }

    private void note(int[] state) {
      List<Integer> alive = new ArrayList<>();
      for (int i = 0; i < problem.size(); i++) {
        if (isAlive(problem.buffer(i).id(), state)) {
          alive.add(i);
        }
      }
      for (int i : alive) {
        for (int j : alive) {
          meet[i][j] = true;
        }
      }
    }

    private boolean isAlive(String id, int[] state) {
      boolean scratch = !network.tensors().containsKey(id);
      boolean given = !scratch && network.producer(id) < 0;
      boolean wanted = network.outputs().contains(id);
      boolean made = given;
      boolean fresh = given && Arrays.stream(state).allMatch(s -> s == 0);
      for (int op = 0; op < state.length; op++) {
        Op at = network.ops().get(op);
        if (scratch ? id.equals(at.name() + "#scratch") : at.outputs().contains(id)) {
          made = state[op] > 0;
          fresh = state[op] == 1;
        }
        wanted |= at.inputs().contains(id) && state[op] < 2;
      }
      boolean kept = !scratch && network.tensor(id).kind() == Tensor.Kind.VARIABLE;
      return kept || (made && (wanted || fresh));
    }
  }
}
