package stowage.importer.tflite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.tflite.TfliteBuilder.BOOL;
import static stowage.importer.tflite.TfliteBuilder.FLOAT32;
import static stowage.importer.tflite.TfliteBuilder.INT4;
import static stowage.importer.tflite.TfliteBuilder.STRING;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;

/** Files with what only some converters write. */
class TfliteVariantsTest extends ImporterTest {
  TfliteVariantsTest() {
    super("net.tflite");
  }

  private static long maxLoad(Network network) {
    PlanningCase planned = Liveness.of(network, LivenessOptions.defaults().withAlignments(1, 1));
    return LoadProfile.of(planned.problem()).maxLoad();
  }

  @Test
  void twoValuesOfFourBitsShareAByte() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", INT4, 5);
    int w = builder.tensor("w", INT4, builder.buffer(new byte[3]), false, 5);
    int y = builder.tensor("y", INT4, 5);
    builder.op("ADD", new int[] {x, w}, new int[] {y});
    builder.subgraph("int4", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(3, network.weightBytes());
    assertEquals(6, maxLoad(network));

    TfliteBuilder unpacked = new TfliteBuilder();
    int lying = unpacked.tensor("w", INT4, unpacked.buffer(new byte[5]), false, 5);
    unpacked.subgraph("", new int[0], new int[] {lying});
    refused(unpacked.bytes(), "should have 3");
  }

  @Test
  void aFileMayHaveNoBuffersAtAll() throws IOException {
    TfliteBuilder builder = new TfliteBuilder().withoutBuffers();
    int x = builder.tensor("x", FLOAT32, 4);
    int y = builder.tensor("y", FLOAT32, 4);
    builder.op("ADD", new int[] {x, x}, new int[] {y});
    builder.subgraph("bare", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(0, network.weightBytes());
    assertEquals(32, maxLoad(network));

    TfliteBuilder pointing = new TfliteBuilder().withoutBuffers();
    int w = pointing.tensor("w", FLOAT32, 7, false, 4);
    pointing.subgraph("", new int[0], new int[] {w});
    refused(pointing.bytes(), "index 7 should be between 0 and 0");
  }

  /** if c then (while ..) else x + x: a loop inside of a branch. */
  @Test
  void aLoopInABranchIsLaidOutInsideOfIt() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int c = builder.tensor("c", BOOL, 1);
    int x = builder.tensor("x", FLOAT32, 8);
    int y = builder.tensor("y", FLOAT32, 8);
    builder.op("IF", new int[] {c, x}, new int[] {y}, builder.options(1, 2), 92);
    builder.subgraph("main", new int[] {c, x}, new int[] {y});
    int a = builder.tensor("a", FLOAT32, 8);
    int b = builder.tensor("b", FLOAT32, 8);
    builder.op("WHILE", new int[] {a}, new int[] {b}, builder.options(3, 4), 93);
    builder.subgraph("then", new int[] {a}, new int[] {b});
    doubling(builder, "else", "d", "e", FLOAT32, 8);
    doubling(builder, "cond", "s", "go", BOOL, 1);
    doubling(builder, "body", "t", "u", FLOAT32, 8);
    Network network = network(builder.bytes());
    assertEquals(
        "IF.enter IF.call WHILE.enter WHILE.call ADD WHILE.return WHILE.call ADD WHILE "
            + "IF.return IF.call ADD IF",
        types(network));
    assertEquals(List.of("c", "x", "y", "e"), network.ops().get(12).inputs());
    assertEquals(List.of("a", "b", "u"), network.ops().get(8).inputs());
  }

  /** A subgraph of one op, which adds eight floats to themselves. */
  private static void doubling(
      TfliteBuilder builder, String name, String from, String to, int type, int extent) {
    int x = builder.tensor(from, FLOAT32, 8);
    int y = builder.tensor(to, type, extent);
    builder.op("ADD", new int[] {x, x}, new int[] {y});
    builder.subgraph(name, new int[] {x}, new int[] {y});
  }

  @Test
  void aSubgraphThatIsNotThereIsNamed() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", FLOAT32, 8);
    int y = builder.tensor("y", FLOAT32, 8);
    builder.op("WHILE", new int[] {x}, new int[] {y}, builder.options(1, 2), 93);
    builder.subgraph("main", new int[] {x}, new int[] {y});
    refused(builder.bytes(), "WHILE that makes \"y\": runs subgraph 1; there are 1");
  }

  @Test
  void textsCountNothingAndAreNoted() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int own = builder.code(32, "Tokenize");
    int x = builder.tensor("x", STRING, 3);
    int words = builder.tensor("words", STRING, builder.buffer(new byte[21]), false, 2);
    int y = builder.tensor("y", FLOAT32, 4);
    builder.op(own, new int[] {x, words}, new int[] {y}, 0, 0);
    builder.subgraph("texts", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("words").kind());
    assertEquals(16, maxLoad(network));
    assertTrue(network.notes().toString().contains("2 tensors are strings"));
  }

  @Test
  void extentsThatMayChangeAreTakenAsTheyStandAndNoted() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.dynamicTensor("x", FLOAT32, new int[] {-1, 4}, 1, 4);
    int y = builder.dynamicTensor("y", FLOAT32, new int[] {-1, 4}, 1, 4);
    builder.op("ADD", new int[] {x, x}, new int[] {y});
    builder.subgraph("dynamic", new int[] {x}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals("F32[1, 4]", values(network, "x"));
    assertTrue(network.notes().toString().contains("2 tensors have dynamic shapes"));

    TfliteBuilder open = new TfliteBuilder();
    int z = open.tensor("z", FLOAT32, -1, 4);
    open.subgraph("", new int[] {z}, new int[] {z});
    refused(open.bytes(), "subgraph 0, tensor 0: extent -1 should be 0 or more");
  }

  @Test
  void tensorsMayBeEmpty() throws IOException {
    TfliteBuilder builder = new TfliteBuilder();
    int x = builder.tensor("x", FLOAT32, 0, 4);
    int scalar = builder.tensor("scalar", FLOAT32);
    int y = builder.tensor("y", FLOAT32, 0, 4);
    builder.op("ADD", new int[] {x, scalar}, new int[] {y});
    builder.subgraph("empty", new int[] {x, scalar}, new int[] {y});
    Network network = network(builder.bytes());
    assertEquals(0, network.tensor("y").bytes());
    assertEquals(4, network.tensor("scalar").bytes());
    assertEquals(4, maxLoad(network));
  }
}
