package stowage.importer.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Code inside of layers, state, and files that contradict themselves. */
class OpenVinoBodiesTest extends ImporterTest {
  OpenVinoBodiesTest() {
    super("net.xml");
  }

  /** A recurrent layer of version 5: ports inside without an edge take what the map brings. */
  static String iterator() {
    String body =
        new IrText(true)
            .layer("Reshape", "squeeze", "", "1,8", ":1,1,8")
            .layer("Eltwise", "sum", "", "1,8", "squeeze", ":1,8")
            .body();
    String map =
        """
        <port_map>
          <input axis="0" external_port_id="0" internal_layer_id="0" internal_port_id="0" part_size="1"/>
          <input external_port_id="1" internal_layer_id="1" internal_port_id="1"/>
          <output axis="0" external_port_id="2" internal_layer_id="1" internal_port_id="2"/>
        </port_map>
        <back_edges><edge from-layer="1" from-port="2" to-layer="1" to-port="1"/></back_edges>
        """;
    return new IrText(true)
        .layer("Input", "x", "", "4,1,8")
        .layer("Input", "h", "", "1,8")
        .layer("TensorIterator", "ti", map + "<body>" + body + "</body>", "4,8", "x", "h")
        .layer("ReLU", "relu", "", "4,8", "ti")
        .net(5);
  }

  @Test
  void portsInsideTakeWhatTheMapBringsInOldVersions() throws IOException {
    Network network = network(iterator());
    assertEquals("TensorIterator.enter Reshape Eltwise TensorIterator ReLU", types(network));
    assertEquals(List.of("x", "h"), network.ops().get(0).inputs());
    assertEquals(List.of("ti/squeeze.0", "ti/sum.1", "ti#growing"), network.ops().get(0).outputs());
    assertEquals(List.of("ti/squeeze.0"), network.ops().get(1).inputs());
    assertEquals(List.of("squeeze", "ti/sum.1"), network.ops().get(2).inputs());
    assertEquals(
        new TreeSet<>(List.of("x", "h", "sum", "ti/squeeze.0", "ti/sum.1", "ti#growing")),
        new TreeSet<>(network.ops().get(3).inputs()));
    assertEquals("F32[1, 1, 8]", values(network, "ti/squeeze.0"));
    assertEquals(List.of("relu"), network.outputs());
    assertEquals(9, network.tensors().size());
  }

  @Test
  void portMapsThatLeadNowhereAreRefused() throws IOException {
    refused(
        iterator().replace("internal_layer_id=\"0\"", "internal_layer_id=\"7\""),
        "names layer 7 inside, which does not exist");
    refused(
        iterator().replace("internal_port_id=\"0\"", "internal_port_id=\"5\""),
        "has no free input port 5");
    refused(
        iterator().replace("internal_layer_id=\"1\" internal_port_id=\"1\"", "a=\"b\""),
        "names layer -1 inside");
  }

  /** Version 11, with an open batch and an open number of turns. */
  static String open() {
    String body =
        new IrText(false)
            .layer("Parameter", "part", "<data element_type=\"f32\"/>", "-1,1,8")
            .layer("Parameter", "state", "<data element_type=\"f32\"/>", "-1,1,8")
            .layer("Add", "sum", "", "-1,1,8", "part", "state")
            .layer("Result", "next", "", null, "sum")
            .layer("Result", "out", "", null, "sum")
            .body();
    String map =
        """
        <port_map>
          <input axis="1" external_port_id="0" internal_layer_id="0" part_size="1"/>
          <input external_port_id="1" internal_layer_id="1"/>
          <output axis="1" external_port_id="2" internal_layer_id="4"/>
        </port_map>
        <back_edges><edge from-layer="3" to-layer="1"/></back_edges>
        """;
    return new IrText(false)
        .layer("Parameter", "x", "<data element_type=\"f32\"/>", "-1,-1,8")
        .layer("Parameter", "h", "<data element_type=\"f32\"/>", "-1,1,8")
        .layer("TensorIterator", "ti", map + "<body>" + body + "</body>", "-1,-1,8", "x", "h")
        .layer("Result", "y", "", null, "ti")
        .net(11);
  }

  @Test
  void extentsAreHandedThroughCodeInside() throws IOException {
    Network network = network(open(), Map.of("x.0", 2L, "x.1", 5L, "h.0", 2L));
    assertEquals(
        "F32[2, 1, 8] F32[2, 1, 8] F32[2, 5, 8] F32[2, 5, 8]",
        values(network, "part", "sum", "ti", "ti#growing"));
    refused(open(), Map.of("h.0", 2L), "the dimensions x.0, x.1 are free");
  }

  /** Both branches of an If, the condition given. */
  static String branches() {
    String parameter = "<data element_type=\"f32\"/>";
    String then =
        new IrText(false)
            .layer("Parameter", "a", parameter, "2,3")
            .layer("ReLU", "b", "", "2,3", "a")
            .layer("Result", "c", "", null, "b")
            .body();
    String otherwise = then.replace("ReLU", "Exp").replace("name=\"b\"", "name=\"d\"");
    String code =
        """
        <then_port_map><input external_port_id="1" internal_layer_id="0"/>\
        <output external_port_id="2" internal_layer_id="2"/></then_port_map>
        <else_port_map><input external_port_id="1" internal_layer_id="0"/>\
        <output external_port_id="2" internal_layer_id="2"/></else_port_map>
        """
            + "<then_body>%s</then_body><else_body>%s</else_body>".formatted(then, otherwise);
    return new IrText(false)
        .layer("Parameter", "p", "<data element_type=\"boolean\"/>", "")
        .layer("Parameter", "x", parameter, "2,3")
        .layer("If", "if", code, "2,3", "p", "x")
        .layer("Result", "y", "", null, "if")
        .net(11);
  }

  @Test
  void branchesReadTheirInputsOnce() throws IOException {
    Network network = network(branches());
    assertEquals("If.enter ReLU If.call Exp If", types(network));
    assertEquals(List.of("p", "x", "b", "d"), network.ops().get(4).inputs());
  }

  /** State of the newer and of the older kind. */
  static String state() {
    return new IrText(false)
        .layer("Parameter", "x", "<data element_type=\"f32\"/>", "1,4")
        .layer("Const", "zero", "<data element_type=\"f32\"/>", "1,4")
        .layer("Assign", "late", "<data variable_id=\"s\"/>", "1,4", "x")
        .layer("ReadValue", "now", "<data variable_id=\"s\"/>", "1,4", "zero")
        .layer("Add", "y", "", "1,4", "x", "now")
        .layer("Result", "r", "", null, "y")
        .net(11);
  }

  @Test
  void stateIsAVariableReadBeforeItIsReplaced() throws IOException {
    Network network = network(state());
    assertEquals(
        List.of("ReadValue", "Assign", "Add"),
        network.ops().stream().map(Op::type).filter(type -> !type.equals("Const")).toList());
    assertEquals(Tensor.Kind.VARIABLE, network.tensor("s").kind());
    assertEquals("F32[1, 4]", values(network, "s"));
    assertEquals(List.of("zero", "s"), network.ops().get(0).inputs());
    assertEquals(List.of("x", "s"), network.ops().get(1).inputs());
    assertEquals(List.of("y"), network.outputs());
    assertTrue(network.notes().toString().contains("1 variables keep"), "" + network.notes());

    String old =
        new IrText(true)
            .layer("Input", "x", "", "1,4")
            .layer("Memory", "give", "<data id=\"m\" index=\"1\" size=\"2\"/>", "1,4")
            .layer("Eltwise", "y", "", "1,4", "x", "give")
            .layer("Memory", "take", "<data id=\"m\" index=\"0\" size=\"2\"/>", null, "y")
            .net(6);
    network = network(old);
    assertEquals(Tensor.Kind.VARIABLE, network.tensor("m").kind());
    assertEquals(List.of("y", "m"), network.ops().get(2).inputs());
  }

  @Test
  void portsNeedEdgesAndNumbersMustFit() throws IOException {
    String text = state();
    int edge = text.indexOf("<edge ");
    String without = text.substring(0, edge) + text.substring(text.indexOf("/>", edge) + 2);
    refused(without, "input port 0 has no edge");
    refused(
        text.replace("layer id=\"5\"", "layer id=\"4294967301\""),
        "id 4294967301 should be 2147483647 or less");
    refused(text.replace("to-layer=\"5\"", "to-layer=\"4294967301\""), "4294967301");
    refused(text.replace("layer id=\"5\"", "layer id=\"-2\""), "id -2");
  }

  @Test
  void whatIsNoUtf8IsRefusedInOneLine() throws IOException {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      byte[] bytes = state().getBytes(StandardCharsets.UTF_8);
      for (int at : new int[] {0, 8, bytes.length / 2, bytes.length - 3}) {
        byte[] damaged = bytes.clone();
        damaged[at] = (byte) 0xFF;
        String line =
            "line " + (1 + state().substring(0, at).chars().filter(c -> c == '\n').count());
        refused(damaged, line + ": byte " + (at + 1) + " (0xff) is not UTF-8 text");
      }
    } finally {
      System.setErr(before);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
    assertFalse(network("\uFEFF" + state(), Map.of()).ops().isEmpty());
  }

  @Test
  void manyLayersMayHaveOneName() throws IOException {
    StringBuilder layers = new StringBuilder();
    StringBuilder edges = new StringBuilder();
    String port = "<dim>1</dim></port>";
    for (int k = 0; k <= 11_000; k++) {
      layers.append(
          "<layer id=\"%d\" name=\"same\" type=\"%s\">"
              .formatted(k, k == 0 ? "Parameter" : "ReLU"));
      layers.append(k == 0 ? "" : "<input><port id=\"0\">" + port + "</input>");
      layers.append("<output><port id=\"1\" precision=\"FP32\">" + port + "</output></layer>");
      if (k > 0) {
        edges.append(
            "<edge from-layer=\"%d\" from-port=\"1\" to-layer=\"%d\" to-port=\"0\"/>"
                .formatted(k - 1, k));
      }
    }
    Network network =
        network(
            "<net name=\"n\" version=\"11\"><layers>%s</layers><edges>%s</edges></net>"
                .formatted(layers, edges),
            Map.of());
    assertEquals(11_001, network.tensors().size());
    assertEquals("same#11001", network.ops().get(10_999).outputs().get(0));
  }
}
