package stowage.importer.inductor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.Refusals;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.LoadProfile;

class InductorFormatTest {
  @TempDir Path folder;

  static String buffer(String name, long alloc, long free, String flags, String... deps) {
    String list = deps.length == 0 ? "" : "\"" + String.join("\", \"", deps) + "\"";
    return String.format(
        "{\"name\": \"%s\", \"size_alloc\": %d, \"size_free\": %d, \"size\": %d, \"is_input\": %s,"
            + " \"is_output\": %s, \"deps\": [%s], \"unmet_deps\": []}",
        name, alloc, free, free, flags.contains("i"), flags.contains("o"), list);
  }

  static String node(String name, String... buffers) {
    return "{\"name\": \"%s\", \"buffer_names\": [\"%s\"]}"
        .formatted(name, String.join("\", \"", buffers));
  }

  static String graph(List<String> nodes, List<String> buffers) {
    return "{\n\"nodes\": [%s],\n\"buffers\": [%s]}"
        .formatted(String.join(",\n", nodes), String.join(",\n", buffers));
  }

  private Network read(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("graph_fused.json"), text);
    return assertInstanceOf(Input.Graph.class, InputFormats.read(file)).network();
  }

  private static final List<String> NODES =
      List.of(node("op0", "buf0"), node("op1_op2", "gone", "buf2"), node("op3", "buf3"));
  private static final List<String> BUFFERS =
      List.of(
          buffer("primals_3", 64, 64, "i"),
          buffer("buf0", 256, 256, "", "primals_3", "arg0_1"),
          buffer("buf2", 100, 100, "", "buf0"),
          buffer("buf3", 8, 8, "o", "buf2", "primals_3"));

  @Test
  void nodesBecomeOpsAndBuffersTensors() throws IOException {
    Network network = read(graph(NODES, BUFFERS));
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
    assertEquals(NetworkJson.text(read(graph(NODES, BUFFERS))), NetworkJson.text(read(turned)));
  }

  @Test
  void severalResultsOfAKernelAreMadeByItAndFreedOneByOne() throws IOException {
    Network network =
        read(
            graph(
                List.of(
                    node("op0", "k"),
                    node("op1", "a"),
                    node("op2", "b"),
                    node("op3", "c"),
                    node("op4", "d")),
                List.of(
                    buffer("x", 2, 2, "i"),
                    buffer("k", 13, 0, "", "x"),
                    buffer("a", 0, 8, "", "k"),
                    buffer("b", 0, 4, "", "k"),
                    buffer("c", 3, 3, "", "a"),
                    buffer("d", 5, 5, "o", "b", "c"))));
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
    assertEquals(List.of(15L, 13L, 13L, 15L, 12L), loads(load));
  }

  private static List<Long> loads(LoadProfile profile) {
    return java.util.stream.IntStream.range(0, 5).mapToObj(profile::loadAt).toList();
  }

  @Test
  void whatIsWrongIsNamed() {
    refused(
        "buffer \"buf0\" is defined twice", graph(NODES, List.of(BUFFERS.get(1), BUFFERS.get(1))));
    refused(
        "buffer \"buf0\" is made by node \"op0\" already",
        graph(List.of(NODES.get(0), node("op9", "buf0")), BUFFERS));
    refused(
        "\"buf3\" is not an input and is in no node's buffer_names",
        graph(NODES.subList(0, 2), BUFFERS));
    refused(
        "cycle",
        graph(
            List.of(node("p", "a"), node("q", "b")),
            List.of(buffer("a", 1, 1, "", "b"), buffer("b", 1, 1, "", "a"))));
    refused("size_alloc", graph(NODES, List.of(buffer("buf0", -1, 0, ""))));
    refused("deps", graph(NODES, BUFFERS).replace("\"deps\"", "\"dips\""));
  }

  private void refused(String what, String text) {
    Refusals.says(InputException.class, () -> read(text), what, "graph_fused.json");
  }
}
