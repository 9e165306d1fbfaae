package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.engine.EngineOptions;
import stowage.generator.networks.NetworkGenerators;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.liveness.LivenessOptions;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.RunControl;
import stowage.packing.Status;

/** Runs over random chains beside all ways to cut them. */
class FitRunTest {
  private static final Set<Lever> LEVERS = Set.of(Lever.ORDER, Lever.SHARING, Lever.SPLIT);

  static FitRequest request(Network network, long capacity, boolean curve) {
    LivenessOptions options =
        LivenessOptions.defaultsOf(network.format())
            .withInPlace(LivenessOptions.InPlace.OPTIMAL)
            .withAlignments(1, 1);
    return new FitRequest(
        network, options, LEVERS, capacity, -1, -1, curve, EngineOptions.defaults());
  }

  private static Network network(String file) {
    return ((Input.Graph) InputFormats.read(Path.of(file))).network();
  }

  @Test
  void whatIsFoundIsAsCheapAsAnySetOfRunsInEvenPieces() {
    int priced = 0;
    for (int seed = Thorough.of(9, 0); seed < 12; seed++) {
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

  /** A search ends on its own where nothing better comes, and its curve has what is found. */
  @Test
  void searchesEndOnTheirOwnAndTheCurveHasWhatACapacityFinds() {
    Network network = network("models/examples/keywords.tflite");
    FitAnswer curve = patient(request(network, -1, true));
    assertTrue(curve.curve().size() > 2, curve.curve().toString());
    long[] capacities = {10_000, 12_288, 8_500};
    for (long capacity : Arrays.copyOf(capacities, Thorough.of(1, 3))) {
      FitRequest asked = request(network, capacity, false);
      FitAnswer fitted = Thorough.on() ? patient(asked) : limited(asked);
      assertTrue(fitted.fits(), capacity + " bytes");
      assertTrue(
          curve.curve().stream()
              .anyMatch(
                  point -> point.peak() <= capacity && point.extra() <= fitted.plan().extra()),
          capacity + " bytes at " + fitted.plan().extra() + ": " + curve.curve());
    }
  }

  private static FitAnswer patient(FitRequest asked) {
    FitAnswer patient = FitRun.of(asked, RunControl.ofWork(2_000_000_000L, 2, 1), line -> {});
    assertEquals(Status.FEASIBLE, patient.status());
    assertTrue(patient.idle() > 1 && patient.idle() < 2_000, patient.idle() + " million units");
    limited(asked);
    return patient;
  }

  private static FitAnswer limited(FitRequest asked) {
    FitAnswer limited = FitRun.of(asked, RunControl.ofWork(3_000_000, 2, 1), line -> {});
    assertEquals(0, limited.idle());
    return limited;
  }

  @Test
  void keysAndValuesOfADecoderAreCutAlongHeadsAtNoPrice() {
    Network network = network("models/networks/gpt_block.json");
    FitAnswer answer =
        FitRun.of(request(network, 13_500_000, false), RunControl.ofSeconds(60, 1, 1), line -> {});
    assertEquals(Status.OPTIMAL, answer.status());
    assertEquals(0, answer.extra());
    assertTrue(answer.plan().runs().stream().anyMatch(run -> run.axes().contains("batch")));
    assertEquals(
        Optional.empty(),
        FitReplay.fault(answer.plan().planned(), answer.plan().plan().placement()));
  }

  /** Rows of an image are another dimension behind a transposition. */
  @Test
  void aHeadThatIsTransposedIsCutAlongItsRowsAtNoPrice() {
    List<Tensor> tensors =
        List.of(
            activation("x", 1, 8, 16, 16),
            new Tensor("w", List.of(48L, 8L, 1L, 1L), ElementType.I8, Tensor.Kind.WEIGHT),
            activation("y", 1, 48, 16, 16),
            activation("z", 1, 16, 16, 48),
            activation("boxes", 1, 1024, 12));
    Map<String, Object> window = Map.of("kernel_shape", List.of(1L, 1L));
    Map<String, Object> turned = Map.of("perm", List.of(0L, 2L, 3L, 1L));
    List<Op> ops =
        List.of(
            new Op("conv", "Conv", window, List.of("x", "w"), List.of("y"), 0),
            new Op("turn", "Transpose", turned, List.of("y"), List.of("z"), 0),
            new Op("rows", "Reshape", Map.of(), List.of("z"), List.of("boxes"), 0));
    Network network =
        new Network("head", "json", tensors, ops, List.of("x"), List.of("boxes"), List.of());
    FitAnswer answer =
        FitRun.of(request(network, 16_000, false), RunControl.ofSeconds(20, 1, 1), line -> {});
    assertEquals(0, answer.extra());
    assertEquals(Status.OPTIMAL, answer.status());
    assertEquals(
        Optional.empty(),
        FitReplay.fault(answer.plan().planned(), answer.plan().plan().placement()));
  }

  private static Tensor activation(String name, long... shape) {
    List<Long> extents = Arrays.stream(shape).boxed().toList();
    return new Tensor(name, extents, ElementType.I8, Tensor.Kind.ACTIVATION);
  }

  @Test
  void attentionAndTheWideLayerAreCutAlongTokensAtNoPrice() {
    Network network =
        NetworkGenerators.generate(
            "transformer",
            Map.of("layers", 1, "width", 64, "heads", 4, "tokens", 64, "vocabulary", 64));
    FitRequest lowest =
        new FitRequest(
            network,
            LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.OPTIMAL),
            LEVERS,
            -1,
            -1,
            0,
            false,
            EngineOptions.defaults());
    FitAnswer answer = FitRun.of(lowest, RunControl.ofSeconds(60, 1, 1), line -> {});
    assertEquals(0, answer.extra());
    assertEquals(Status.OPTIMAL, answer.status());
    assertTrue(
        answer.plan().peak() < 0.6 * answer.before().peak(),
        answer.plan().peak() + " of " + answer.before().peak());
    for (String op : List.of("layer0.shares", "layer0.gelu")) {
      assertTrue(
          answer.plan().runs().stream().anyMatch(run -> run.ops().contains(op)),
          op + " is whole: " + answer.plan().runs());
    }
    assertEquals(
        Optional.empty(),
        FitReplay.fault(answer.plan().planned(), answer.plan().plan().placement()));
  }
}
