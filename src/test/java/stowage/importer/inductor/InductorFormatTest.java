package stowage.importer.inductor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.LoadProfile;

class InductorFormatTest extends ImporterTest {
  InductorFormatTest() {
    super("graph_fused.json");
  }

  private static final List<String> NODES =
      InductorSamples.nodes("op0=buf0 op1_op2=gone,buf2 op3=buf3");
  private static final List<String> BUFFERS =
      InductorSamples.buffers(
          "primals_3 64 64 in; buf0 256 256 - primals_3 arg0_1; buf2 100 100 - buf0;"
              + " buf3 8 8 out buf2 primals_3");

  @Test
  void nodesBecomeOpsAndBuffersTensors() throws IOException {
    Network network = network(InductorSamples.graph(NODES, BUFFERS));
    assertEquals("graph_fused", network.name());
    assertEquals("inductor", network.format());
    assertEquals(List.of("primals_3"), network.inputs());
    assertEquals(List.of("buf3"), network.outputs());
    assertEquals(
        List.of("op0", "op1_op2", "op3"), network.ops().stream().map(o -> o.name()).toList());
    // arg0_1 is an input that is never freed; "gone" was fused away.
    assertEquals(List.of("primals_3"), network.ops().get(0).inputs());
    assertEquals(List.of("buf2"), network.ops().get(1).outputs());
    assertEquals(List.of("buf2", "primals_3"), network.ops().get(2).inputs());
    assertEquals(256, network.tensor("buf0").bytes());
  }

  @Test
  void fieldsMayStandInAnyOrder() throws IOException {
    String turned =
        "{\"buffers\": [%s], \"nodes\": [%s], \"later\": 1}"
            .formatted(String.join(",", BUFFERS), String.join(",", NODES));
    assertEquals(
        NetworkJson.text(network(InductorSamples.graph(NODES, BUFFERS))),
        NetworkJson.text(network(turned)));
  }

  @Test
  void severalResultsOfAKernelAreMadeByItAndFreedOneByOne() throws IOException {
    Network network =
        network(
            InductorSamples.graph(
                InductorSamples.nodes("op0=k op1=a op2=b op3=c op4=d"),
                InductorSamples.buffers(
                    "x 2 2 in; k 13 0 - x; a 0 8 - k; b 0 4 - k; c 3 3 - a; d 5 5 out b c")));
    assertEquals(List.of("k", "a", "b"), network.ops().get(0).outputs());
    assertEquals(List.of("k", "a"), network.ops().get(1).inputs());
    assertEquals(List.of("a#made"), network.ops().get(1).outputs());
    assertEquals(List.of("a", "a#made"), network.ops().get(3).inputs());
    assertEquals(1, network.tensor("k").bytes());
    // Live bytes while each op runs: x 2 and k's 13; k is over after b is picked; c 3 beside a 8
    // and b 4; d 5 beside b and c.
    LoadProfile load =
        LoadProfile.of(
            Liveness.of(network, LivenessOptions.defaults().withAlignments(1, 1)).problem());
    assertEquals(
        List.of(15L, 13L, 13L, 15L, 12L), IntStream.range(0, 5).mapToObj(load::loadAt).toList());
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    refused(
        InductorSamples.graph(NODES, List.of(BUFFERS.get(1), BUFFERS.get(1))),
        "buffer \"buf0\" is defined twice");
    refused(
        InductorSamples.graph(InductorSamples.nodes("op0=buf0 op9=buf0"), BUFFERS),
        "buffer \"buf0\" is made by node \"op0\" already");
    refused(
        InductorSamples.graph(NODES.subList(0, 2), BUFFERS),
        "\"buf3\" is not an input and is in no node's buffer_names");
    refused(
        InductorSamples.graph(
            InductorSamples.nodes("p=a q=b"), InductorSamples.buffers("a 1 1 - b; b 1 1 - a")),
        "cycle");
    refused(InductorSamples.graph(NODES, InductorSamples.buffers("buf0 -1 0 -")), "size_alloc");
    refused(InductorSamples.graph(NODES, BUFFERS).replace("\"deps\"", "\"dips\""), "deps");
  }
}
