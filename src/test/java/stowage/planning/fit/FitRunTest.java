package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.PadForm;

/** Runs over random chains beside all ways to cut them. */
class FitRunTest {
  private static final Set<Lever> LEVERS = Set.of(Lever.ORDER, Lever.SHARING, Lever.SPLIT);

  private static FitRequest request(Network network, long capacity, boolean curve) {
    LivenessOptions options =
        LivenessOptions.defaultsOf(network.format())
            .withInPlace(LivenessOptions.InPlace.OPTIMAL)
            .withAlignments(1, 1);
    return new FitRequest(
        network, options, LEVERS, capacity, -1, -1, curve, EngineOptions.defaults());
  }

  /** A rewriting's largest load and extra compute. */
  private record Choice(long load, long extra) {}

  /** All ways to cut a chain into runs of one stretch each, in even pieces; and uneven ones. */
  private static List<Choice> choices(FitRequest request, Random random) {
    List<Choice> found = new ArrayList<>();
    collect(request, 0, new ArrayList<>(), found, random);
    return found;
  }

  private static void collect(
      FitRequest request, int at, List<RunSplit> runs, List<Choice> found, Random random) {
    Network network = request.network();
    int ops = network.ops().size();
    if (at == ops) {
      try {
        Rewriting made = Splitter.split(network, runs);
        long load = LoadProfile.of(request.buffers(made.network()).problem()).maxLoad();
        found.add(new Choice(load, Math.max(0, FitCompute.extra(made))));
      } catch (BarrierException barrier) {
        return;
      }
      return;
    }
    collect(request, at + 1, runs, found, random);
    for (int to = at + 1; to <= ops; to++) {
      int rows = (int) network.tensor(network.ops().get(to - 1).outputs().get(0)).extent(1);
      for (int pieces = 2; pieces <= Math.min(rows, 6); pieces++) {
        AxisSplit split = AxisSplit.even(SplitAxis.ROWS, rows, pieces);
        if (random.nextInt(3) == 0) {
          split = new AxisSplit(SplitAxis.ROWS, new int[] {1 + random.nextInt(rows - 1)});
        }
        PadForm form = random.nextBoolean() ? PadForm.CROP : PadForm.PAD;
        runs.add(
            new RunSplit(
                IntStream.range(at, to).toArray(), List.of(split), random.nextBoolean(), form));
        collect(request, to, runs, found, random);
        runs.remove(runs.size() - 1);
      }
    }
  }

  @Test
  void boundsAreNeverAboveWhatAllCutsReach() {
    int above = 0;
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Network network = RandomChains.tflite(random, 2 + random.nextInt(2), 8 + random.nextInt(5));
      FitRequest request = request(network, -1, true);
      FitBound bound = new FitBound(request);
      for (Choice choice : choices(request, random)) {
        assertTrue(bound.peak() <= choice.load, "seed " + seed + ": peak of " + choice);
        long extra = bound.extra(choice.load);
        assertTrue(extra <= choice.extra, "seed " + seed + ": " + extra + " above " + choice);
        above += extra > 0 ? 1 : 0;
      }
    }
    assertTrue(above > 20, above + " bounds say something");
  }

  @Test
  void whatIsFoundIsAsCheapAsAnySetOfRunsInEvenPieces() {
    int priced = 0;
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      Network network = RandomChains.onnx(random, 2 + random.nextInt(2), 9);
      FitRequest curve = request(network, -1, true);
      FitAnswer answer = FitRun.of(curve, RunControl.ofSeconds(20, 1, 1), line -> {});
      assertTrue(answer.curve().size() > 0, "seed " + seed);
      for (int k = 1; k < answer.curve().size(); k++) {
        FitAnswer.Point one = answer.curve().get(k - 1);
        FitAnswer.Point next = answer.curve().get(k);
        assertTrue(
            one.peak() > next.peak() && one.extra() < next.extra(),
            "seed " + seed + answer.curve());
        assertTrue(next.extraBound() <= next.extra(), "seed " + seed + answer.curve());
      }
      FitAnswer.Point last = answer.curve().get(answer.curve().size() - 1);
      FitAnswer fitted =
          FitRun.of(
              request(network, last.peak(), false), RunControl.ofSeconds(20, 1, 1), line -> {});
      assertTrue(fitted.fits(), "seed " + seed);
      assertTrue(fitted.plan().extra() <= last.extra(), "seed " + seed);
      priced += fitted.plan().extra() > 0 ? 1 : 0;
      assertEquals(
          Optional.empty(),
          FitReplay.fault(fitted.plan().planned(), fitted.plan().plan().placement()));
      assertEquals(fitted.status() == Status.OPTIMAL, fitted.plan().extra() == fitted.extraBound());
      FitAnswer none =
          FitRun.of(request(network, 0, false), RunControl.ofSeconds(20, 1, 1), line -> {});
      assertEquals(Status.INFEASIBLE, none.status());
      assertTrue(none.reason().contains("needed"), none.reason());
    }
    assertTrue(priced > 0, priced + " fits have a price");
  }
}
