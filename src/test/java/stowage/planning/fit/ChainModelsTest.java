package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.LivenessOptions;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.rewrite.MacCount;

/**
 * The chain models of msf-CNN (Huang et al., NeurIPS 2025, <a
 * href="https://arxiv.org/abs/2505.11483">arXiv 2505.11483</a>; residual adds and heads are left
 * out there): at each limit of memory of its table the extra compute that it publishes beside ours.
 * As there the network's input and output are not counted, and a tensor has a byte an element.
 */
class ChainModelsTest {
  /** Units of work for each question, of about a microsecond. */
  private static final long WORK = 60_000_000;

  /**
   * A row a layer: kind (c convolution, d depthwise), channels, kernel, stride. A row {@code b} is
   * an inverted bottleneck: channels, expansion, stride, kernel.
   */
  private static final Map<String, String> MODELS =
      Map.of(
          "MBV2-w0.35",
          """
          144; c 11 3 2; b 5 1 1 3; b 8 6 2 3; b 8 6 1 3; b 11 6 2 3; b 11 6 1 3; b 11 6 1 3;
          b 22 6 2 3; b 22 6 1 3; b 22 6 1 3; b 22 6 1 3; b 33 6 1 3; b 33 6 1 3; b 33 6 1 3;
          b 56 6 2 3; b 56 6 1 3; b 56 6 1 3; b 112 6 1 3; c 448 1 1
          """,
          "MN2-vww5",
          """
          80; c 16 3 2; d 16 3 1; c 8 1 1; b 16 6 2 3; b 16 3 1 3; b 16 3 1 3; b 24 3 2 7;
          b 24 6 1 3; b 24 5 1 5; b 40 6 2 7; b 40 6 1 7; b 48 6 1 3; b 48 4 1 3; b 96 5 2 5;
          b 96 5 1 3; b 96 4 1 3; b 160 3 1 7
          """,
          "MN2-320K",
          """
          176; c 16 3 2; d 16 3 1; c 8 1 1; b 16 3 2 7; b 16 5 1 3; b 16 5 1 7; b 16 4 1 5;
          b 24 5 2 5; b 24 5 1 5; b 24 5 1 5; b 40 5 2 3; b 40 6 1 7; b 40 4 1 5; b 48 5 1 5;
          b 48 5 1 7; b 48 5 1 3; b 96 6 2 3; b 96 5 1 7; b 96 4 1 3; b 160 5 1 7
          """);

  private final Graphs graph = Graphs.of(ElementType.I8, "format json");
  private int layers;

  /** Adds a layer behind a tensor; its result. */
  private String layer(String from, boolean depthwise, long channels, long kernel, long stride) {
    String name = "layer" + layers++;
    long read = graph.tensor(from).extent(3);
    long side = (graph.tensor(from).extent(1) + stride - 1) / stride;
    String filter = depthwise ? "1x%1$dx%1$dx%2$d" : "%3$dx%1$dx%1$dx%2$d";
    graph.and("weight " + name + ".w:" + filter.formatted(kernel, read, channels));
    String op = "%s:1x%dx%2$dx%d = %s %s %1$s.w padding=SAME stride_h=%d stride_w=%6$d";
    String type = depthwise ? "DEPTHWISE_CONV_2D" : "CONV_2D";
    graph.and(op.formatted(name, side, channels, type, from, stride) + " depth_multiplier=1");
    return name;
  }

  private Network model(String name) {
    String[] rows = MODELS.get(name).strip().split("\\s*;\\s*");
    graph.and("image:1x%1$sx%1$sx3".formatted(rows[0]));
    String at = "image";
    for (int k = 1; k < rows.length; k++) {
      String[] words = rows[k].split(" ");
      long channels = Long.parseLong(words[1]);
      long second = Long.parseLong(words[2]);
      long third = Long.parseLong(words[3]);
      if (words[0].equals("b")) {
        long wide = graph.tensor(at).extent(3) * second;
        at = layer(layer(at, false, wide, 1, 1), true, wide, Long.parseLong(words[4]), third);
        at = layer(at, false, channels, 1, 1);
      } else {
        at = layer(at, words[0].equals("d"), channels, second, third);
      }
    }
    return graph.and("-> " + at).network();
  }

  @ParameterizedTest
  @CsvSource({"MBV2-w0.35, 53, 18909490", "MN2-vww5, 45, 11578496", "MN2-320K, 54, 81625520"})
  void layersAndProductsAreThosePublished(String name, int layers, long products) {
    Network network = model(name);
    assertEquals(layers, network.ops().size());
    assertEquals(products, MacCount.of(network));
  }

  @Tag("thorough")
  @ParameterizedTest
  @CsvSource({
    "MBV2-w0.35, 256000, 1.0", "MBV2-w0.35, 128000, 1.0188", "MBV2-w0.35, 64000, 1.2295",
    "MBV2-w0.35, 32000, 1.2534", "MBV2-w0.35, 16000, 1.3820", "MN2-vww5, 128000, 1.0",
    "MN2-vww5, 64000, 1.0226", "MN2-vww5, 32000, 1.1131", "MN2-vww5, 16000, 1.3453",
    "MN2-320K, 256000, 1.0", "MN2-320K, 128000, 1.4549", "MN2-320K, 64000, 2.0195"
  })
  void noDearerThanPublished(String name, long limit, double factor) {
    Network network = model(name);
    LivenessOptions options =
        LivenessOptions.defaults()
            .withInPlace(LivenessOptions.InPlace.OPTIMAL)
            .withInputs(LivenessOptions.Inputs.CALLER)
            .withAlignments(1, 1);
    FitRequest request =
        new FitRequest(
            network,
            options,
            EnumSet.of(Lever.ORDER, Lever.SHARING, Lever.SPLIT),
            limit,
            -1,
            -1,
            false,
            EngineOptions.defaults());
    FitAnswer answer = FitRun.of(request, RunControl.ofWork(WORK, 2, 1), line -> {});
    double ours = 1 + (double) answer.extra() / answer.compute();
    double least = 1 + (double) answer.extraBound() / answer.compute();
    String row =
        "| %s | %,d | %,d | %.4f | %.4f | %.4f |"
            .formatted(name, limit, answer.plan().peak(), ours, least, factor);
    System.out.println(row);
    assertTrue(answer.fits() && ours <= factor + 1e-4, row);
  }
}
