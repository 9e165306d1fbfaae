package stowage.generator.networks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.network.Graphs.op;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.Refusals;
import stowage.generator.Generator;
import stowage.generator.InvalidParameterException;
import stowage.generator.Parameter;
import stowage.importer.own.NetworkJson;
import stowage.liveness.BufferUses;
import stowage.liveness.LivenessOptions;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

class NetworkGeneratorsTest {
  /** Values that keep a network small. */
  private static Map<String, Object> small(Generator<Network> generator) {
    Map<String, Object> all =
        Map.of("cells", 1, "nodes", 8, "image", 128, "layers", 2, "modules", 2, "depth", 18);
    Map<String, Object> values = new HashMap<>();
    for (Parameter parameter : generator.parameters()) {
      if (all.containsKey(parameter.name())) {
        values.put(parameter.name(), all.get(parameter.name()));
      }
    }
    return values;
  }

  static Stream<Generator<Network>> generators() {
    return NetworkGenerators.all().stream();
  }

  @ParameterizedTest
  @MethodSource("generators")
  void parametersDecideEverything(Generator<Network> generator) {
    Map<String, Object> values = small(generator);
    Network network = generator.generate(values);
    assertArrayEquals(IntStream.range(0, network.ops().size()).toArray(), network.executionOrder());
    assertEquals(NetworkJson.text(network), NetworkJson.text(generator.generate(values)));
    values.put("batch", 2);
    assertEquals(
        2, generator.generate(values).tensor(network.inputs().get(0)).extent(0), "the batch");
    if (generator.parameters().contains(Parameter.SEED)) {
      values.put("seed", 2);
      assertNotEquals(
          network.ops().stream().map(Op::inputs).toList(),
          generator.generate(values).ops().stream().map(Op::inputs).toList());
    }
    values.put("sede", 1);
    assertThrows(InvalidParameterException.class, () -> generator.generate(values));
    assertTrue(generator.summary().endsWith("."));
  }

  @Test
  void wrongValuesAreNamed() {
    refused("randwier", Map.of(), "is not known; did you mean \"randwire\"");
    refused("randwire", Map.of("neighbours", 3), "neighbours is 3; it should be even");
    refused("detector", Map.of("depth", 20), "depth is 20; it should be 18, 34, 50 or 101");
    refused("transformer", Map.of("heads", 3), "heads is 3; it should be a divisor of the width");
    refused("mlp", Map.of("training", "sdg"), "training is sdg; it should be one of none, ");
  }

  private static void refused(String generator, Map<String, ?> values, String message) {
    Refusals.says(
        InvalidParameterException.class,
        () -> NetworkGenerators.generate(generator, values),
        message);
  }

  /** Every op of a NASNet cell: 5 blocks of 2 ops; the paper counts 3 reductions at 3 sizes. */
  @Test
  void networksHaveTheLayersOfTheirPapers() {
    Network nasnet =
        NetworkGenerators.generate("nasnet", Map.of("channels", 32, "stem", "cifar", "image", 32));
    assertEquals(14 * 5, count(nasnet, "Add"), "5 sums a cell, 3 * 4 normal and 2 halving cells");
    assertEquals(List.of(1L, 6L * 128, 8L, 8L), nasnet.tensor("cell13.concat").shape());
    Network resnet = NetworkGenerators.generate("resnet", Map.of("depth", 50));
    assertEquals(25_557_032 - 26_560, parameters(resnet), "torchvision's, BatchNorm folded");
    Network wired = NetworkGenerators.generate("randwire", Map.of("node", "one-op"));
    long edges =
        wired.ops().stream()
            .filter(op -> op.type().equals("Mix") && !op.inputs().get(0).matches("stem2|.*mean"))
            .mapToLong(op -> op.inputs().size() - 1)
            .sum();
    assertEquals(3 * 32 * 2, edges, "rewiring keeps the edges of three rings of 32 nodes");
    Network detector = NetworkGenerators.generate("detector", Map.of());
    long rows = 9 * (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8 + 4 * 4);
    assertEquals(List.of(1L, rows, 80L), detector.tensor("head0").shape());
    Network hrnet = NetworkGenerators.generate("hrnet", Map.of());
    assertEquals(List.of(1L, 270L, 64L, 64L), hrnet.tensor("head").shape());
  }

  private static long count(Network network, String type) {
    return network.ops().stream().filter(op -> op.type().equals(type)).count();
  }

  static long parameters(Network network) {
    return network.tensors().values().stream()
        .filter(Tensor::isWeight)
        .mapToLong(Tensor::elements)
        .sum();
  }

  /** Two layers, worked by hand. */
  @Test
  void gradientsReadWhatTheChainRuleNeeds() {
    Network step =
        NetworkGenerators.generate("mlp", Map.of("layers", 1, "training", "sgd", "batch", 4));
    List<String> said = new ArrayList<>();
    for (Op op : step.ops()) {
      said.add(op.type() + " " + String.join(",", op.inputs()) + " -> " + op.outputs());
    }
    assertEquals(
        List.of(
            "Gemm data,layer0.weight,layer0.bias -> [layer0]",
            "Relu layer0 -> [relu0]",
            "Gemm relu0,classes.weight,classes.bias -> [classes]",
            "Loss classes,target -> [loss]",
            "LossGrad classes,target -> [classes.loss]",
            "ReduceSum classes.loss -> [classes.gradient2]",
            "GemmGrad classes.loss,relu0 -> [classes.gradient1]",
            "GemmGrad classes.loss,classes.weight -> [classes.gradient0]",
            "ReluGrad classes.gradient0,relu0 -> [relu0.gradient0]",
            "ReduceSum relu0.gradient0 -> [layer0.gradient2]",
            "GemmGrad relu0.gradient0,data -> [layer0.gradient1]",
            "SgdUpdate layer0.weight,layer0.gradient1 -> []",
            "SgdUpdate layer0.bias,layer0.gradient2 -> []",
            "SgdUpdate classes.weight,classes.gradient1 -> []",
            "SgdUpdate classes.bias,classes.gradient2 -> []"),
        said);
  }

  /** Of a split's parts one is not used; both results of an op that no rule knows are. */
  @Test
  void gradientsOfSplitsAndUnknownOpsReadThoseOfAllResults() {
    Graphs net =
        Graphs.of(
            ElementType.F32,
            """
            x:2x6; weight w:2x6; m:2x6 = Mul x w; p:2x3 q:2x3 = Split m axis=1;
            y:2x3 z:2x3 = Odd p p; -> y z
            """);
    Network step =
        TrainingGraph.of(
            net.network(), TrainingGraph.Optimizer.GRADIENTS, TrainingGraph.Updates.END);
    List<String> said =
        step.ops().stream()
            .filter(op -> op.name().matches("[a-z]*[.](gradient|zeros).*"))
            .map(op -> op.type() + " " + String.join(",", op.inputs()) + " -> " + op.outputs())
            .toList();
    assertEquals(
        List.of(
            "OddGrad y.loss,z.loss,p,y,z -> [y.gradient0]",
            "ZerosLike y.gradient0 -> [q.zeros]",
            "Concat y.gradient0,q.zeros -> [p.gradient0]",
            "MulGrad p.gradient0,x -> [m.gradient1]"),
        said);
  }

  @ParameterizedTest
  @MethodSource("generators")
  void everyParameterIsUpdatedOnceAfterItsLastReader(Generator<Network> generator) {
    for (String training : List.of("sgd", "momentum", "adam")) {
      for (String updates : List.of("end", "at-once")) {
        Map<String, Object> values = small(generator);
        Network forward = generator.generate(values);
        values.put("training", training);
        values.put("updates", updates);
        Network step = generator.generate(values);
        Set<String> updated = new HashSet<>();
        for (Op op : step.ops()) {
          if (op.type().endsWith("Update")) {
            assertTrue(updated.add(op.inputs().get(0)), op.name());
            assertEquals(
                step.tensor(op.inputs().get(0)).shape(), step.tensor(op.inputs().get(1)).shape());
            assertEquals(
                switch (training) {
                  case "sgd" -> 2;
                  case "momentum" -> 3;
                  default -> 4;
                },
                op.inputs().size());
          } else {
            op.inputs().forEach(in -> assertTrue(!updated.contains(in), in + " is read too late"));
          }
        }
        Set<String> wanted = new HashSet<>();
        step.ops().forEach(op -> op.inputs().forEach(wanted::add));
        wanted.removeIf(
            name ->
                step.tensor(name).kind() != Tensor.Kind.VARIABLE
                    || name.matches(".*\\.(momentum|mean|square)"));
        assertEquals(wanted, updated);
        assertTrue(updated.size() >= 2 && step.ops().size() > 2 * forward.ops().size());
      }
    }
  }

  /** The rule of a tensor's gradient: what is added up has one part a reader that matters. */
  @Test
  void gradientsOfSharedTensorsAreAddedUp() {
    Network step =
        NetworkGenerators.generate("resnet", Map.of("training", "gradients", "image", 64));
    assertEquals(
        8,
        step.ops().stream().filter(op -> op.name().endsWith(".gradient.sum1")).count(),
        "each block's input is read by its convolution and its shortcut");
    assertEquals("loss", step.outputs().get(0));
    long forward = NetworkGenerators.generate("resnet", Map.of("image", 64)).ops().size();
    assertTrue(step.ops().size() > 3 * forward);
  }

  @Test
  void updatesMayRunAsSoonAsGradientsAreThere() {
    Network end = NetworkGenerators.generate("mlp", Map.of("layers", 3, "training", "sgd"));
    Network atOnce =
        NetworkGenerators.generate(
            "mlp", Map.of("layers", 3, "training", "sgd", "updates", "at-once"));
    assertEquals(Set.copyOf(end.ops()), Set.copyOf(atOnce.ops()));
    assertTrue(atOnce.ops().get(atOnce.ops().size() - 1).type().equals("SgdUpdate"));
    assertTrue(
        atOnce.ops().indexOf(op(atOnce, "classes.weight.update"))
            < atOnce.ops().indexOf(op(atOnce, "layer2.gradient1")));
    // What an order may do is the same whichever is written.
    assertEquals(
        BufferUses.of(end, LivenessOptions.defaults()).buffers().size(),
        BufferUses.of(atOnce, LivenessOptions.defaults()).buffers().size());
  }
}
