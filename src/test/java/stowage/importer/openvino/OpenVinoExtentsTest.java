package stowage.importer.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.network.Graphs.values;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.importer.ImporterTest;
import stowage.network.Network;

/** Extents that a file leaves open. */
class OpenVinoExtentsTest extends ImporterTest {
  OpenVinoExtentsTest() {
    super("net.xml");
  }

  private static final String F32 = "<data element_type=\"f32\"/>";
  private static final String CONVOLUTION =
      "<data strides=\"2,2\" pads_begin=\"1,1\" pads_end=\"1,1\" dilations=\"1,1\"/>";

  static IrText classifier() {
    return new IrText(false)
        .layer("Parameter", "x", "<data element_type=\"f32\" shape=\"?,3,?,8\"/>", "-1,3,-1,8")
        .layer("Const", "w", F32, "16,3,3,3")
        .layer("Convolution", "conv", CONVOLUTION, "-1,16,-1,4", "x", "w")
        .layer("ReLU", "relu", "", "-1,16,-1,4", "conv")
        .layer("MaxPool", "pool", "<data kernel=\"4,4\" strides=\"4,4\"/>", "-1,16,-1,1", "relu")
        .layer("Const", "to", "<data element_type=\"i64\"/>", "2")
        .layer("Reshape", "flat", "", "-1,16", "pool", "to")
        .layer("Const", "v", F32, "10,16")
        .layer("MatMul", "y", "<data transpose_b=\"true\"/>", "-1,10", "flat", "v")
        .layer("Result", "r", "", null, "y");
  }

  @Test
  void allFollowsFromWhatTheInputsAreBoundTo() throws IOException {
    Network network = network(classifier().net(11), Map.of("x.0", 5L, "x.2", 8L));
    assertEquals(
        "F32[5, 3, 8, 8] F32[5, 16, 4, 4] F32[5, 16, 4, 4] F32[5, 16, 1, 1] F32[5, 16] F32[5, 10]",
        values(network, "x", "conv", "relu", "pool", "flat", "y"));
    assertTrue(network.notes().toString().contains("extents of 5 values"), "" + network.notes());
  }

  @Test
  void whatIsNotBoundIsNamedWithTheOption() throws IOException {
    refused(
        classifier().net(11),
        Map.of(),
        "layer \"x\": the dimensions x.0, x.2 are free",
        "--dim x.0=VALUE --dim x.2=VALUE");
    refused(classifier().net(11), Map.of("x.2", 8L), "the dimension x.0 is free; give it a value");
    refused(
        classifier().net(11),
        Map.of("x.0", 1L, "x.1", 3L, "x.2", 8L),
        "--dim x.1=3: no dimension has that name");
    String bound = classifier().net(11).replace("-1", "1").replace("<dim>1</dim><dim>1</dim>", "");
    refused(bound, Map.of("x.0", 1L), "has no free dimension");
  }

  @Test
  void missingAndUnknownExtentsAreOpenToo() throws IOException {
    for (String open : new String[] {"<dim></dim>", "<dim> ? </dim>", "<dim/>"}) {
      String text = classifier().net(11).replace("<dim>-1</dim>", open);
      assertEquals(
          List.of(5L, 10L), network(text, Map.of("x.0", 5L, "x.2", 8L)).tensor("y").shape(), open);
    }
    String attribute =
        new IrText(false)
            .layer("Parameter", "x", "<data element_type=\"f32\" shape=\"?,1..9,7\"/>", "")
            .net(11);
    assertEquals(
        List.of(2L, 3L, 7L), network(attribute, Map.of("x.0", 2L, "x.1", 3L)).tensor("x").shape());
    refused(attribute, Map.of("x.0", 2L), "x.1 is free");
    refused(attribute.replace("?,1..9,7", "..."), Map.of(), "number of dimensions");
  }

  @Test
  void whatDependsOnDataIsBoundWhereItArises() throws IOException {
    String text =
        new IrText(false)
            .layer("Parameter", "x", F32, "1,8")
            .layer("NonZero", "found", "", "2,-1", "x")
            .layer("ReLU", "relu", "", "2,-1", "found")
            .layer("Result", "r", "", null, "relu")
            .net(11);
    refused(text, Map.of(), "layer \"found\": the dimension found.1 is free");
    assertEquals(List.of(2L, 8L), network(text, Map.of("found.1", 8L)).tensor("relu").shape());
  }

  /** One layer over x, whose batch is bound to 2 and whose other free extent to 5, and z. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tokens|Reshape|<data/>|-1,-1,4,16|2,5,4,16",
        "tokens|Reshape|<data/>|-1,64|10,64",
        "tokens|Unsqueeze|<data/>|-1,1,-1,64|2,1,5,64",
        "tokens|Transpose|<data/>|-1,64,-1|2,64,5",
        "tokens|OneHot|<data axis='1'/>|-1,7,-1,64|2,7,5,64",
        "tokens|OneHot|<data axis='-1'/>|-1,-1,64,7|2,5,64,7",
        "tokens|PReLU|<data/>|-1,-1,64|2,5,64",
        "tokens|Softmax|<data axis='2'/>|-1,-1,64|2,5,64",
        "tokens|Add|<data/>|-1,-1,64|2,5,64",
        "tokens|Gather|<data axis='0'/>|-1,-1,3,64|2,5,3,64",
        "tokens|ReduceMean|<data keep_dims='true'/>|-1,-1,1|2,5,1",
        "tokens|ReduceMean|<data keep_dims='false'/>|-1,-1|2,5",
        "tokens|Split|<data num_splits='1'/>|-1,-1,32|2,5,32",
        "tokens|StridedSlice|<data begin_mask='1,1,1' end_mask='1,1,0'/>|-1,-1,9|2,5,9",
        "tokens|StridedSlice|<data begin_mask='1,0,1' end_mask='1,0,1'"
            + " shrink_axis_mask='0,1,0'/>|-1,64|2,64",
        "tokens|LSTMSequence|<data hidden_size='7'/>|-1,1,-1,7|2,1,5,7",
        "tokens|MatMul|<data transpose_b='true'/>|-1,-1,3|2,5,3",
        "image|Convolution|<data strides='2,2' auto_pad='same_upper'/>|-1,8,-1,3|2,8,3,3",
        "image|Convolution|<data strides='1,1' auto_pad='valid'/>|-1,8,-1,4|2,8,3,4",
        "image|ConvolutionBackpropData|<data strides='2,2' pads_begin='1,1'"
            + " pads_end='1,1'/>|-1,8,-1,11|2,8,9,11",
        "image|DepthToSpace|<data block_size='2'/>|-1,1,-1,12|2,1,10,12",
        "image|Concat|<data axis='2'/>|-1,4,-1,6|2,4,8,6",
      })
  void layersTellWhatFollows(String over, String type, String data, String open, String told)
      throws IOException {
    boolean image = over.equals("image");
    String text =
        new IrText(false)
            .layer("Parameter", "x", F32, image ? "-1,4,-1,6" : "-1,-1,64")
            .layer("Parameter", "z", F32, image ? "8,4,3,3" : "3,64")
            .layer(type, "y", data.replace('\'', '"'), open, "x", "z")
            .net(11);
    Network network = network(text, Map.of("x.0", 2L, image ? "x.2" : "x.1", 5L));
    assertEquals("F32[" + told.replace(",", ", ") + "]", values(network, "y"));
  }

  @Test
  void onlyWhatIsClearIsTold() throws IOException {
    IrText ir =
        new IrText(false)
            .layer("Parameter", "x", F32, "-1,-1,64")
            .layer("Const", "at", "<data element_type=\"i64\"/>", "");
    // Without its axis, which is another file's, this may be the batch or the length.
    String text = ir.layer("Gather", "y", "", "-1,64", "x", "at").net(11);
    refused(text, Map.of("x.0", 2L, "x.1", 5L), "layer \"y\": the dimension y.0 is free");
  }
}
