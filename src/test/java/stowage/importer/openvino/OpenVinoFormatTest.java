package stowage.importer.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Tensor;

class OpenVinoFormatTest extends ImporterTest {
  OpenVinoFormatTest() {
    super("net.xml");
  }

  /** Version 11: compressed weights, a shape computed from a shape, two outputs. */
  static final String SMALL =
      """
      <?xml version="1.0"?>
      <net name="small" version="11">
        <layers>
          <layer id="0" name="x" type="Parameter" version="opset1">
            <data shape="1,4" element_type="f32"/>
            <output><port id="0" precision="FP32" names="x"><dim>1</dim><dim>4</dim></port></output>
          </layer>
          <layer id="1" name="packed" type="Const" version="opset1">
            <data element_type="u8" shape="4, 6" offset="0" size="24"/>
            <output><port id="0" precision="U8"><dim>4</dim><dim>6</dim></port></output>
          </layer>
          <layer id="2" name="wide" type="Convert" version="opset1">
            <data destination_type="f32"/>
            <input><port id="0" precision="U8"><dim>4</dim><dim>6</dim></port></input>
            <output><port id="1" precision="FP32"><dim>4</dim><dim>6</dim></port></output>
          </layer>
          <layer id="3" name="scale" type="Const" version="opset1">
            <data element_type="f32" shape="" offset="24" size="4"/>
            <output><port id="0" precision="FP32"/></output>
          </layer>
          <layer id="4" name="scaled" type="Multiply" version="opset1">
            <data auto_broadcast="numpy"/>
            <input><port id="0"><dim>4</dim><dim>6</dim></port><port id="1"/></input>
            <output><port id="2" precision="FP32"><dim>4</dim><dim>6</dim></port></output>
          </layer>
          <layer id="5" name="product" type="MatMul" version="opset1">
            <data transpose_a="false" transpose_b="false"/>
            <input><port id="0"><dim>1</dim><dim>4</dim></port><port id="1"><dim>4</dim><dim>6</dim></port></input>
            <output><port id="2" precision="FP32"><dim>1</dim><dim>6</dim></port></output>
          </layer>
          <layer id="6" name="shape" type="ShapeOf" version="opset3">
            <data output_type="i64"/>
            <input><port id="0"><dim>1</dim><dim>4</dim></port></input>
            <output><port id="1" precision="I64"><dim>2</dim></port></output>
          </layer>
          <layer id="7" name="halves" type="VariadicSplit" version="opset1">
            <input><port id="0"><dim>1</dim><dim>6</dim></port><port id="1"><dim>2</dim></port></input>
            <output>
              <port id="2" precision="FP32"><dim>1</dim><dim>2</dim></port>
              <port id="3" precision="FP32"><dim>1</dim><dim>4</dim></port>
            </output>
          </layer>
          <layer id="8" name="x/sink" type="Result" version="opset1">
            <input><port id="0"><dim>1</dim><dim>4</dim></port></input>
          </layer>
        </layers>
        <edges>
          <edge from-layer="0" from-port="0" to-layer="5" to-port="0"/>
          <edge from-layer="0" from-port="0" to-layer="6" to-port="0"/>
          <edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
          <edge from-layer="2" from-port="1" to-layer="4" to-port="0"/>
          <edge from-layer="3" from-port="0" to-layer="4" to-port="1"/>
          <edge from-layer="4" from-port="2" to-layer="5" to-port="1"/>
          <edge from-layer="5" from-port="2" to-layer="7" to-port="0"/>
          <edge from-layer="6" from-port="1" to-layer="7" to-port="1"/>
          <edge from-layer="7" from-port="3" to-layer="8" to-port="0"/>
        </edges>
      </net>
      """;

  static final String OLD =
      """
      <?xml version="1.0" ?>
      <net batch="1" name="old" version="%d">
        <layers>
          <layer id="0" name="data" precision="FP16" type="Input">
            <output><port id="0"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output>
          </layer>
          <layer id="1" name="conv" precision="FP16" type="Convolution">
            <data dilations="1,1" group="1" kernel="3,3" output="16" pads_begin="1,1" strides="2,2"/>
            <input><port id="0"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></input>
            <output><port id="3"><dim>1</dim><dim>16</dim><dim>4</dim><dim>4</dim></port></output>
            %s
          </layer>
          <layer id="2" name="relu" precision="FP16" type="ReLU">
            <input><port id="0"><dim>1</dim><dim>16</dim><dim>4</dim><dim>4</dim></port></input>
            <output><port id="1"><dim>1</dim><dim>16</dim><dim>4</dim><dim>4</dim></port></output>
          </layer>
        </layers>
        <edges>
          <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
          <edge from-layer="1" from-port="3" to-layer="2" to-port="0"/>
        </edges>
        <pre-process mean-precision="FP32"/>
      </net>
      """;

  @Test
  void constantsVanishAndCompressedWeightsStayCompressed() throws IOException {
    Network network = network(SMALL);
    assertEquals("MatMul VariadicSplit", types(network));
    assertEquals(List.of("x", "packed", "scale"), network.ops().get(0).inputs());
    assertEquals(List.of("product", "shape"), network.ops().get(1).inputs());
    assertEquals(List.of("halves.2", "halves.3"), network.ops().get(1).outputs());
    assertEquals(List.of("halves.3"), network.outputs());
    assertEquals(24 + 4 + 16, network.weightBytes());
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("shape").kind());
    assertEquals(Boolean.FALSE, network.ops().get(0).attributes().get("transpose_a"));
  }

  @Test
  void oldVersionsHavePrecisionOnTheLayerAndBlobs() throws IOException {
    String direct = "<weights offset=\"0\" size=\"864\"/><biases offset=\"864\" size=\"32\"/>";
    for (int version = 3; version <= 6; version++) {
      String blobs = version == 6 ? "<blobs>" + direct + "</blobs>" : direct;
      Network network = network(OLD.formatted(version, blobs));
      assertEquals(List.of("data"), network.inputs());
      assertEquals(List.of("relu"), network.outputs());
      assertEquals(ElementType.F16, network.tensor("conv").type());
      assertEquals(864 + 32, network.weightBytes());
      assertEquals("F16[432]", values(network, "conv.weights"));
      assertEquals(List.of(3L, 3L), network.ops().get(0).integers("kernel"));
    }
  }

  @Test
  void codeInsideIsLaidOutBeforeItsLayer() throws IOException {
    String f32 = "<data element_type=\"f32\"/>";
    String body =
        new IrText(false)
            .layer("Parameter", "state", "", "2,5")
            .layer("ReLU", "relu", "", "2,5", "state")
            .layer("Result", "r", "", null, "relu")
            .body();
    String map =
        """
        <port_map>
          <input external_port_id="0" internal_layer_id="0"/>
          <output axis="0" external_port_id="1" internal_layer_id="2"/>
        </port_map>
        <back_edges><edge from-layer="1" to-layer="0"/></back_edges>
        """;
    String text =
        new IrText(false)
            .layer("Parameter", "x", f32, "2,5")
            .layer("TensorIterator", "ti", map + "<body>" + body + "</body>", "6,5", "x")
            .layer("Result", "y", "", null, "ti")
            .net(10);
    Network network = network(text);
    assertEquals("TensorIterator.enter ReLU TensorIterator", types(network));
    assertEquals(List.of("state", "ti#growing"), network.ops().get(0).outputs());
    assertEquals(List.of("x", "relu", "state", "ti#growing"), network.ops().get(2).inputs());
    assertEquals(List.of("ti"), network.outputs());
  }

  @Test
  void faultsNameTheLine() throws IOException {
    refusedSaying(
        SMALL.replace("from-layer=\"1\"", "from-layer=\"9\""),
        "line 50: the edge names layer 9, which does not exist");
    refused(
        SMALL.replace("<dim>6</dim></port></output>", "<dim>7</dim></port></output>"),
        "should be 28");
    refused(
        SMALL.replace(
            "<port id=\"0\" precision=\"FP32\" names=\"x\"><dim>1</dim>",
            "<port id=\"0\" precision=\"FP32\" names=\"x\"><dim>-1</dim>"),
        "the dimension x.0 is free; give it a value with --dim x.0=VALUE");
    refused(SMALL.replace("precision=\"I64\"", "precision=\"I65\""), "I65");
    refused(SMALL.replace("version=\"11\"", "version=\"12\""), "version 12");
    refused("<a/>", "should be <net>");
    refused("", "not well-formed XML");
    refusedSaying(
        SMALL.replace("<port id=\"0\" precision=\"FP32\"/>", "<por/>"), "<port> should end");
    refused(
        SMALL.replace("to-layer=\"8\" to-port=\"0\"", "to-layer=\"8\" to-port=\"4\""),
        "input port 4 of layer \"x/sink\" does not exist");
  }

  @Test
  void cyclesAreRefused() throws IOException {
    String image = "<dim>3</dim><dim>8</dim><dim>8</dim></port></input>";
    refused(
        OLD.formatted(6, "")
            .replace("from-layer=\"0\" from-port=\"0\"", "from-layer=\"2\" from-port=\"1\"")
            .replace(image, image.replace("8", "4").replace("3", "16")),
        "cycle");
  }

  @Test
  void noEntityIsRead() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "7");
    String external =
        "<!DOCTYPE net [<!ENTITY e SYSTEM \"%s\">]><net name=\"a\" version=\"&e;\"/>"
            .formatted(secret.toUri());
    refused(external);
    refused(external.replace("&e;", "11"));
    String declared = "<!DOCTYPE net SYSTEM \"%s\">\n".formatted(secret.toUri());
    refused(declared + SMALL.substring(SMALL.indexOf("<net")));
    refused(SMALL.replace("<dim>6</dim>", "<dim>&e;</dim>"));
    StringBuilder bomb = new StringBuilder("<!DOCTYPE net [<!ENTITY a0 \"aaaaaaaaaa\">");
    for (int k = 1; k < 20; k++) {
      bomb.append("<!ENTITY a").append(k).append(" \"");
      bomb.append(("&a" + (k - 1) + ";").repeat(10)).append("\">");
    }
    refused(bomb + "]><net name=\"&a19;\" version=\"11\"/>");
  }

  @Test
  void aFileCutShortIsRefusedWhereverItIsCut() throws IOException {
    cutShort(SMALL.strip().getBytes(StandardCharsets.UTF_8), 13);
  }
}
