package stowage.planning.fit.piece;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.rewrite.BarrierException;
import stowage.rewrite.MacCount;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitModel;

class OpRunsTest {
  private static SplitModel model(String text) {
    return new SplitModel(Graphs.of(text).network());
  }

  /** The pieces of each op that is a run, after its name. */
  private static String runs(SplitModel model, int pieces) {
    List<Integer> all = IntStream.range(0, model.network().ops().size()).boxed().toList();
    return new OpRuns(model)
        .of(all, pieces).stream()
            .map(run -> model.network().ops().get(run.ops()[0]).name() + run.pieces())
            .collect(Collectors.joining(" "));
  }

  @Test
  void aTransposedConvolutionComputesNoRowTwice() throws BarrierException {
    String text =
        "x:1x2x6x6; weight w:2x2x2x2; a:1x2x12x12 = ConvTranspose x w kernel_shape=[2,2]"
            + " strides=[2,2]; b:1x1x12x12 = Conv a window=3,1,1; -> b";
    SplitModel model = model(text);
    Network network = model.network();
    for (int pieces = 2; pieces <= 12; pieces++) {
      RunSplit run = new OpRuns(model).of(List.of(0), pieces).get(0);
      assertEquals(Math.min(pieces, 6), run.pieces(), pieces + " pieces");
      assertEquals(
          MacCount.of(network, network.ops().get(0)),
          model.run(run).program(run.axes(), true).macs(),
          run.toString());
    }
  }

  @Test
  void whatHasToBeWholeAndIsNoSmallerThanWhatItsOpReadsIsMadeWhole() {
    String chain = "x:1x2x8x8; a:1x4x8x8 = Conv x window=3,1,1; b:1x4x8x8 = Relu a; ";
    assertEquals("", runs(model(chain + "-> b"), 4));
    assertEquals("c4", runs(model(chain + "c:1x2x8x8 = Conv b window=3,1,1; -> b c"), 4));
    String sum = chain + "c:1x2x8x8 = Conv b window=3,1,1; d:1x2x8x8 = Unknown c; -> d";
    assertEquals("a4 b4 c4", runs(model(sum), 4));
    assertEquals("", runs(model(chain + "d:1x4x8x8 = Unknown b; -> d"), 4));
  }

  @Test
  void rowsAreHalvedUntilTheyAreFew() {
    OpRuns runs =
        new OpRuns(
            model(
                "x:1x2x40x8; a:1x2x40x8 = Relu x; b:1x2x20x8 = MaxPool a kernel_shape=[2,1]"
                    + " strides=[2,1]; -> b"));
    assertEquals(Set.of(40, 20), runs.rows(64));
    assertEquals(Set.of(20), runs.rows(39));
    assertEquals(Set.of(10), runs.rows(16));
  }
}
