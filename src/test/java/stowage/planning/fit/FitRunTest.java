package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.engine.EngineOptions;
import stowage.generator.networks.NetworkGenerators;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.importer.ImporterTest;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.fit.piece.FitReplay;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.PadForm;

/** Runs over random chains beside all ways to cut them. */
class FitRunTest {
  private static final Set<Lever> LEVERS = Set.of(Lever.ORDER, Lever.SHARING, Lever.SPLIT);

  /** Units of work of a run. */
  private static final long WORK = 2_000_000;

  static FitRequest request(Network network, long capacity, boolean curve) {
    LivenessOptions options =
        LivenessOptions.defaultsOf(network.format())
            .withInPlace(LivenessOptions.InPlace.OPTIMAL)
            .withAlignments(1, 1);
    return new FitRequest(
        network, options, LEVERS, capacity, -1, -1, curve, EngineOptions.defaults());
  }

  /** The placement of all buffers, the largest first. */
  static Placement greedy(PackingProblem problem) {
    return new GreedyPlanner(GreedyPlanner.Order.SIZE, Fit.FIRST)
        .plan(problem, RunControl.unlimited());
  }

  /** A network with runs in pieces; null where a run cannot be cut. */
  static Rewriting split(Network network, List<RunSplit> runs) {
    try {
      return Splitter.split(new SplitModel(network), runs);
    } catch (BarrierException barrier) {
      return null;
    }
  }

  /** The most bytes that are needed at a step. */
  static long load(FitRequest request, Network network) {
    return LoadProfile.of(request.buffers(network).problem()).maxLoad();
  }

  private static FitAnswer run(FitRequest asked) {
    return run(asked, WORK);
  }

  private static FitAnswer run(FitRequest asked, long work) {
    return FitRun.of(asked, RunControl.ofWork(work, 1, 1), line -> {});
  }

  /**
   * s takes a piece as it is and t rows of both. They are paid for as before, and of what does t's
   * work only the parts are more than before. The costs are those of the ops that are written.
   */
  @Test
  void aSliceOfPiecesCostsWhatItCost() {
    Network network =
        Graphs.of(
                ElementType.I8,
                "x:1x2x8x8; a:1x2x8x8 = Relu x cost=8;"
                    + " s:1x2x4x8 = Slice a starts=[0] ends=[4] axes=[2] cost=7;"
                    + " t:1x2x4x8 = Slice a starts=[3] ends=[7] axes=[2] cost=5;"
                    + " y:1x2x4x8 = Add s t cost=1; -> y")
            .network();
    RunSplit half =
        new RunSplit(
            new int[] {0}, List.of(AxisSplit.even(SplitAxis.ROWS, 8, 2)), true, PadForm.CROP);
    Rewriting rewriting = split(network, List.of(half));
    assertEquals(0, FitCompute.extra(rewriting));
    LivenessOptions alone =
        LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE).withAlignments(1, 1);
    long moved = FitCompute.moved(rewriting, Liveness.of(rewriting.network(), alone));
    long halves = 128; // of x, which are cut out of it
    assertEquals(halves + 64, moved, rewriting.network().ops().toString());
    long[] costs = rewriting.network().ops().stream().mapToLong(Op::cost).toArray();
    assertEquals(21, LongStream.of(costs).sum());
    assertTrue(LongStream.of(costs).noneMatch(cost -> cost < 0), "written without a cost");
  }

  /** Neighbouring pieces would compute rows of it twice, each time with another result. */
  @Test
  void anOpMarkedAsNotRepeatableRunsWhole() {
    Network network =
        Graphs.of("x:1x2x8x8; a:1x2x8x8 = Relu x; y:1x2x8x8 = Relu a; -> y").network();
    List<Op> ops = List.of(network.ops().get(0).once(), network.ops().get(1));
    SplitModel marked = new SplitModel(network.with(network.tensors().values(), ops));
    assertNotNull(marked.barrier(0));
    assertNull(marked.barrier(1));
    assertNull(new SplitModel(network).barrier(0));
  }

  /** In a concat's place a's 50 bytes take 100 while b is made; alone they take 50. */
  @Test
  void sharingByARuleIsLeftOutWhereItTakesMore() {
    Network network =
        Graphs.of("x:50; a:50 = Exp x; b:200 = Foo x; c:50 = Bar b; y:100 = Concat a c; -> y")
            .network();
    LivenessOptions views =
        LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.VIEWS).withAlignments(1, 1);
    for (Set<Lever> levers : List.of(Set.of(Lever.SHARING), LEVERS)) {
      FitAnswer answer =
          run(new FitRequest(network, views, levers, 320, -1, -1, false, EngineOptions.defaults()));
      assertEquals(Status.OPTIMAL, answer.status(), levers.toString());
      assertEquals(300, answer.plan().peak(), levers.toString());
    }
  }

  /** Computing again has one way by all levers; the others are left out. */
  @Test
  void aRunThatIsToStopBeginsNothingThatItCanLeaveOut() {
    Network network = RandomChains.of(new Random(1), true, 6, 9);
    FitRequest asked = request(network, -1, false);
    long peak = run(asked).plan().peak();
    Set<Lever> all = Set.of(Lever.values());
    FitRequest limited =
        new FitRequest(
            network, asked.liveness(), all, peak - 1, -1, -1, false, EngineOptions.defaults());
    RunControl stopped = RunControl.unlimited();
    stopped.stop();
    List<Set<Lever>> again =
        FitRun.of(limited, stopped, line -> {}).ladder().stream()
            .map(FitAnswer.Step::levers)
            .filter(levers -> levers.contains(Lever.RECOMPUTE))
            .toList();
    assertEquals(List.of(Set.of(Lever.ORDER, Lever.SHARING, Lever.RECOMPUTE)), again);
  }

  /** Where nothing fits without pieces, splitting has half the work. */
  @Test
  void moreRowsThanAnIntHoldsAreNotCut() {
    Network network =
        Graphs.of(
                "x:1x1x9007199254740992x1; y:1x1x9007199254740992x1 = Conv x window=3,1,1;"
                    + " z:1x1x9007199254740992x1 = Relu y; -> z")
            .network();
    assertTrue(run(request(network, -1, true), 1000).plan().runs().isEmpty());
  }

  @Test
  void computingAgainMissesNothingThatPiecesFind() {
    for (int seed = 3; seed <= 4; seed++) {
      Network network = RandomChains.of(new Random(seed), false, 8, 24);
      FitRequest open = request(network, -1, false);
      long whole = new FitBound(open.without(Lever.SPLIT)).peak();
      FitRequest asked = request(network, whole - 1, false);
      long work = 20_000;
      while (work < WORK && !run(asked, work).fits()) {
        work *= 2;
      }
      FitRequest all =
          new FitRequest(
              network,
              asked.liveness(),
              Set.of(Lever.values()),
              asked.capacity(),
              -1,
              -1,
              false,
              EngineOptions.defaults());
      assertTrue(run(asked, work).fits() && run(all, 2 * work).fits(), "seed " + seed);
    }
  }

  private static void assertReplayed(FitAnswer answer) {
    PlanningCase planned = answer.plan().planned();
    assertEquals(Optional.empty(), FitReplay.fault(planned, answer.plan().plan().placement()));
  }

  private static void assertOptimalAtNoPrice(FitAnswer answer) {
    assertEquals(Status.OPTIMAL, answer.status());
    assertEquals(0, answer.extra());
    assertReplayed(answer);
  }

  private static Network network(String file) {
    return ImporterTest.network(Path.of(file));
  }

  @Test
  void whatIsFoundIsAsCheapAsAnySetOfRunsInEvenPieces() {
    int priced = 0;
    for (int seed = Thorough.of(10, 0); seed < 12; seed++) {
      Random random = new Random(seed);
      Network network = RandomChains.of(random, false, 2 + random.nextInt(2), 9);
      FitRequest curve = request(network, -1, true);
      FitAnswer answer = run(curve);
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
      FitAnswer fitted = run(request(network, last.peak(), false));
      assertTrue(fitted.fits(), "seed " + seed);
      assertTrue(fitted.plan().extra() <= last.extra(), "seed " + seed);
      priced += fitted.plan().extra() > 0 ? 1 : 0;
      assertReplayed(fitted);
      assertEquals(fitted.status() == Status.OPTIMAL, fitted.plan().extra() == fitted.extraBound());
      FitAnswer none = run(request(network, 0, false));
      assertEquals(Status.INFEASIBLE, none.status());
      assertTrue(none.reason().contains("needed"), none.reason());
    }
    assertTrue(priced > 0, priced + " fits have a price");
  }

  /** Even pieces cost 7 % here, so walks have to begin at plans above the price. */
  @Test
  void aPriceBelowThatOfEvenPiecesIsReachedFromDearerPlans() {
    FitRequest any = request(network("models/examples/keywords.tflite"), -1, false);
    long most = FitCompute.of(any.network()) / 20;
    FitRequest priced =
        new FitRequest(
            any.network(), any.liveness(), LEVERS, -1, -1, most, false, EngineOptions.defaults());
    FitAnswer answer = run(priced);
    assertFalse(answer.plan().runs().isEmpty(), "no run within " + most);
    assertTrue(answer.plan().peak() < answer.before().peak(), answer.plan().peak() + " bytes");
    assertTrue(answer.plan().extra() <= most, answer.plan().extra() + " more");
    assertReplayed(answer);
  }

  /**
   * A search ends on its own where nothing better comes, by a curve where it does by a capacity.
   */
  @Test
  void searchesEndOnTheirOwnAndTheCurveHasWhatACapacityFinds() {
    Random random = new Random(10);
    Network network =
        Thorough.on()
            ? network("models/examples/keywords.tflite")
            : RandomChains.of(random, false, 2 + random.nextInt(2), 9);
    FitAnswer curve = patient(request(network, -1, true));
    assertTrue(curve.curve().size() > 1, curve.curve().toString());
    long lowest = curve.curve().get(curve.curve().size() - 1).peak();
    for (long capacity : Thorough.on() ? new long[] {10_240, 12_288, 8_500} : new long[] {lowest}) {
      FitAnswer fitted = patient(request(network, capacity, false));
      assertTrue(fitted.fits(), capacity + " bytes");
      assertEquals(
          fitted.plan().extra(),
          curve.curve().stream()
              .filter(point -> point.peak() <= capacity)
              .mapToLong(FitAnswer.Point::extra)
              .min()
              .orElseThrow(),
          capacity + " bytes: " + curve.curve());
    }
  }

  private static FitAnswer patient(FitRequest asked) {
    FitAnswer patient = FitRun.of(asked, RunControl.ofWork(2_000_000_000L, 2, 1), line -> {});
    assertEquals(Status.FEASIBLE, patient.status());
    assertTrue(patient.idle() > 0 && patient.idle() < 2_000, patient.idle() + " million units");
    limited(asked);
    return patient;
  }

  private static FitAnswer limited(FitRequest asked) {
    FitAnswer limited = FitRun.of(asked, RunControl.ofWork(300_000, 2, 1), line -> {});
    assertEquals(0, limited.idle());
    return limited;
  }

  @Test
  void keysAndValuesOfADecoderAreCutAlongHeadsAtNoPrice() {
    Network network = network("models/networks/gpt_block.json");
    FitAnswer answer = run(request(network, 13_500_000, false));
    assertOptimalAtNoPrice(answer);
    assertTrue(answer.plan().runs().stream().anyMatch(run -> run.axes().contains("batch")));
  }

  /** Rows of an image are another dimension behind a transposition. */
  @Test
  void aHeadThatIsTransposedIsCutAlongItsRowsAtNoPrice() {
    Network network =
        Graphs.of(
                ElementType.I8,
                "x:1x8x16x16; weight w:48x8x1x1; y:1x48x16x16 = Conv x w kernel_shape=[1,1];"
                    + " z:1x16x16x48 = Transpose y perm=[0,2,3,1]; boxes:1x1024x12 = Reshape z;"
                    + " -> boxes")
            .network();
    assertOptimalAtNoPrice(run(request(network, 16_000, false)));
  }

  @Test
  void attentionAndTheWideLayerAreCutAlongTokensAtNoPrice() {
    Map<String, Object> values =
        Map.of("layers", 1, "width", 64, "heads", 4, "tokens", 64, "vocabulary", 64);
    Network network = NetworkGenerators.generate("transformer", values);
    LivenessOptions options =
        LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.OPTIMAL);
    EngineOptions engines = EngineOptions.defaults();
    FitRequest lowest = new FitRequest(network, options, LEVERS, -1, -1, 0, false, engines);
    FitAnswer answer = run(lowest, 3 * WORK);
    assertOptimalAtNoPrice(answer);
    assertTrue(
        answer.plan().peak() < 0.6 * answer.before().peak(),
        answer.plan().peak() + " of " + answer.before().peak());
    for (String op : List.of("layer0.shares", "layer0.gelu")) {
      assertTrue(
          answer.plan().runs().stream().anyMatch(run -> run.ops().contains(op)),
          op + " is whole: " + answer.plan().runs());
    }
  }

  /**
   * Of x only the row that the slice shows is needed once a is made, although the slice is last.
   */
  @Test
  void whatNoViewShowsTakesNothingUntilTheViewsOpRuns() {
    Network network =
        Graphs.of(ElementType.I8, "x:1x1x4x3; a:1x1x4x3 = Softmax x; b:1x2x1x1 = Unknown a")
            .and("s:1x1x1x3 = Slice x axes=[2] starts=[2] ends=[3]; -> b s")
            .network();
    LivenessOptions options =
        LivenessOptions.defaults()
            .withInPlace(LivenessOptions.InPlace.OPTIMAL)
            .withAlignments(1, 1);
    FitRequest asked =
        new FitRequest(
            network, options, Set.of(Lever.SHARING), 24, -1, -1, false, EngineOptions.defaults());
    FitAnswer answer = run(asked);
    assertOptimalAtNoPrice(answer);
    assertEquals(24, answer.plan().peak());
  }

  /** When time is over the steps of a network of many ops that may be left out are. */
  @Test
  void whenTimeIsOverManyOpsAreArrangedOnce() {
    RunControl over = RunControl.unlimited();
    over.stop();
    for (int ops : new int[] {10, 1001}) {
      StringBuilder text = new StringBuilder("n0:4; ");
      for (int k = 1; k <= ops; k++) {
        text.append("n%d:4 = Conv n%d; ".formatted(k, k - 1));
      }
      Network network = Graphs.of(text + "-> n" + ops).network();
      FitRequest free = request(network, -1, true).without(Lever.RECOMPUTE).without(Lever.SPLIT);
      FitAnswer answer = FitRun.of(free, over, line -> {});
      assertEquals(ops > 1000 ? 1 : 2, answer.ladder().size());
      assertEquals(8, answer.plan().peak());
      FitAnswer again =
          RecomputeFit.of(
              new FitRequest(
                  network,
                  free.liveness(),
                  Set.of(Lever.RECOMPUTE),
                  -1,
                  -1,
                  -1,
                  true,
                  EngineOptions.defaults()),
              over,
              line -> {});
      assertEquals(ops > 1000, again.recompute().checkpoints().isEmpty());
    }
  }
}
