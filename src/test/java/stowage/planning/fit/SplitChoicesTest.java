package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.piece.StretchChain;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;

/** Kinds of cuts evaluated one after the other, and the cheapest choices of falling loads. */
class SplitChoicesTest {
  private static final long ANY = Long.MAX_VALUE;

  /** Cuts for a limit are made although even ones of all loads are known, and once for a limit. */
  @Test
  void eachKindOfCutsIsEvaluatedForItself() {
    int lower = 0;
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      Network network =
          RandomChains.of(random, seed % 2 == 0, 1 + random.nextInt(4), 8 + random.nextInt(8));
      long whole = FitRunTest.load(FitRunTest.request(network, -1, true), network);
      long capacity = whole * (5 + random.nextInt(4)) / 10;
      FitRequest request = FitRunTest.request(network, capacity, false);
      Rewriting base = Rewriting.reordered(network, network.executionOrder());
      SplitChoices choices = new SplitChoices(request, base, RunControl.unlimited());
      long limit = request.limit();
      int ops = network.ops().size();
      for (Stretches.Cuts cuts : Stretches.Cuts.values()) {
        long below = cuts == Stretches.Cuts.EVEN ? choices.whole() : limit + 1;
        List<Stretch> before = choices.cheapest(limit);
        assertEquals(
            1, choices.explore(limit, ops, ANY, below, cuts, () -> false), cuts + " " + seed);
        assertEquals(
            0, choices.explore(limit, ops, ANY, below, cuts, () -> false), cuts + " " + seed);
        List<Stretch> after = choices.cheapest(limit);
        boolean known = cuts != Stretches.Cuts.EVEN && after != null;
        lower += known && (before == null || extra(after) < extra(before)) ? 1 : 0;
      }
      assertEquals(
          0, choices.explore(limit, ops, ANY, limit, Stretches.Cuts.EVEN, () -> false), "" + seed);
      assertFalling(choices);
    }
    assertTrue(lower > 2, lower + " prices are lowered by cuts at any places");
  }

  @Test
  void droppedRunsAreNotChosenAgain() {
    int dropped = 0;
    for (int seed = 0; seed < 10; seed++) {
      Network network = RandomChains.of(new Random(seed), seed % 2 == 0, 2, 10);
      long whole = FitRunTest.load(FitRunTest.request(network, -1, true), network);
      FitRequest request = FitRunTest.request(network, whole * 7 / 10, false);
      Rewriting base = Rewriting.reordered(network, network.executionOrder());
      SplitChoices choices = new SplitChoices(request, base, RunControl.unlimited());
      long limit = request.limit();
      for (Stretches.Cuts cuts : Stretches.Cuts.values()) {
        choices.explore(limit, network.ops().size(), ANY, choices.whole(), cuts, () -> false);
      }
      for (List<Stretch> path; (path = choices.cheapest(limit)) != null; dropped++) {
        List<RunSplit> wrong = StretchChain.runs(path);
        assertFalse(wrong.isEmpty(), "the whole network is above the limit");
        choices.drop(path);
        List<Stretch> next = choices.cheapest(limit);
        assertTrue(
            next == null || Collections.disjoint(wrong, StretchChain.runs(next)), "seed " + seed);
      }
    }
    assertTrue(dropped > 2, dropped + " choices dropped");
  }

  private static long extra(List<Stretch> path) {
    return StretchChain.extra(path);
  }

  private static void assertFalling(SplitChoices choices) {
    List<List<Stretch>> steps = choices.staircase(ANY, () -> false);
    assertEquals(choices.cheapest(choices.whole()), steps.get(steps.size() - 1));
    for (int k = 1; k < steps.size(); k++) {
      List<Stretch> low = steps.get(k - 1);
      List<Stretch> high = steps.get(k);
      assertTrue(StretchChain.load(low) < StretchChain.load(high), low + " " + high);
      assertTrue(extra(low) >= extra(high), low + " " + high);
      assertEquals(high, choices.cheapest(StretchChain.load(high)));
    }
    assertTrue(choices.staircase(ANY, () -> true).isEmpty());
  }
}
