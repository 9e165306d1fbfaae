package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.importer.ImporterTest.network;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.rewrite.SplitModel;

class RunShapesTest extends FolderTest {
  /** Where ONNX Runtime infers other shapes, it may refuse pieces, and ops computed again. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "12 | AveragePool x kernel_shape=[2,2] auto_pad='SAME_UPPER' pads=[0,0,0,0] | 8, 10, 8 |"
            + " whole",
        "13 | MaxPool x kernel_shape=[1,1] strides=[3,3] auto_pad='SAME_UPPER' ceil_mode=1 | 8, 4,"
            + " 3 | whole",
        "13 | MaxPool x kernel_shape=[1,1] strides=[1,4] ceil_mode=1 | 8, 10, 2 | whole",
        "20 | AveragePool x kernel_shape=[1,2] dilations=[1,2] auto_pad='SAME_LOWER' | 8, 10, 7 |"
            + " whole",
        "13 | ConvTranspose x w strides=[1,3] auto_pad='SAME_UPPER' output_padding=[0,1] | 40, 10,"
            + " 24 | whole",
        "13 | ConvTranspose x w output_shape=[10,7] | 40, 10, 7 | whole",
        "13 | Resize x _ s coordinate_transformation_mode='half_pixel_symmetric' | 8, 7, 8 | whole",
        "18 | Resize x _ _ e axes=[-2,3] keep_aspect_ratio_policy='not_smaller' | 8, 10, 32 |"
            + " whole",
        "13 | MaxPool x kernel_shape=[2,2] strides=[2,2] ceil_mode=1 | 8, 5, 4 | ",
      })
  void shapesAreThoseThatAreComputed(int opset, String op, String extents, String whole)
      throws Exception {
    OnnxBuilder builder =
        OnnxBuilder.of("x:float[1,8,10,8]; y = " + op + "; z = Relu y; -> y z").opset("", opset);
    builder.and("weight w:float[8,40,3,4] e:int64[2]=20,32 s:float[4]=1,1,0.7,1");
    Path file = builder.write(folder.resolve("model.onnx"));
    Network network = network(file);
    assertEquals("F32[1, " + extents + "]", Graphs.values(network, "y"));
    int computed = OrtRun.outputs(file, Random::nextFloat).get("y").length;
    assertEquals(computed, network.tensor("y").elements());
    SplitModel model = new SplitModel(network);
    for (int node = 0; node < 2; node++) {
      assertEquals(whole == null, model.barrier(node) == null, model.barrier(node));
      assertEquals(whole == null, network.ops().get(node).repeatable());
    }
  }
}
