package stowage.onchip.slice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.AxisRule;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Slice;

class BackwardSlicerTest {
  private static GroupModel whole(Chip chip, String network) {
    LayerGraph graph = Groups.layers(chip, network);
    for (Layer layer : graph.layers()) {
      assertNull(layer.obstacle(), layer.op().name());
    }
    return Groups.whole(graph);
  }

  private static List<Slice> rows(SlicedGroup sliced, String tensor) {
    GroupModel group = sliced.group();
    for (int t = 0; t < group.tensorCount(); t++) {
      if (group.graph().tensor(group.tensor(t)).name().equals(tensor)) {
        return sliced.slices(t, Axis.H);
      }
    }
    throw new AssertionError(tensor);
  }

  @Test
  void moreThanHalfOfTheRowsTwiceIsTooMuch() {
    assertTrue(BackwardSlicer.repeatsTooMuch(List.of(new Slice(0, 80), new Slice(20, 80)), 100));
    assertFalse(BackwardSlicer.repeatsTooMuch(List.of(new Slice(0, 60), new Slice(20, 80)), 100));
  }

  @Test
  void overlapLimitFailsAGroupOnlyWhereItIsAsked() throws SlicingException {
    String network = "x:1x8x100x16; y:1x8x100x16 = Conv x window=61,1,30; -> y";
    GroupModel group = whole(Chips.bm1688(), network);
    Slicing two = Slicing.WHOLE.with(Axis.H, 2);
    assertEquals(
        List.of(new Slice(0, 80), new Slice(20, 80)), rows(Groups.sliced(group, two), "x"));
    assertThrows(
        SlicingException.class,
        () -> new BackwardSlicer(BackwardSlicer.Rules.DOCUMENT).slice(group, two));
  }

  @Test
  void convolutionReachesOverTheBorder() throws SlicingException {
    // 5x5, stride 2, one row of zeros above and two below: 128 rows give 64, cut in three.
    String network =
        "x:1x3x128x128; weight w:1x24x1x200; "
            + "y:1x24x64x64 = tpu.Conv2D x w kernel_shape=[5,5] strides=[2,2] pads=[1,1,2,2]; "
            + "-> y";
    SlicedGroup sliced =
        Groups.sliced(whole(Chips.cv184x(), network), Slicing.WHOLE.with(Axis.H, 3));
    assertEquals(
        List.of(new Slice(0, 22), new Slice(22, 21), new Slice(43, 21)), rows(sliced, "y"));
    assertEquals(
        List.of(new Slice(0, 46), new Slice(43, 45), new Slice(85, 43)), rows(sliced, "x"));
    assertEquals(1200, sliced.group().weightLaneBytes(0));
  }

  @Test
  void unequalBranchesAreJoinedTodayAndFailInTheDocument() throws SlicingException {
    String network =
        "x:1x8x32x32; a:1x8x32x32 = Conv x window=3,1,1; "
            + "b:1x8x32x32 = Conv x window=1,1,0; y:1x8x32x32 = Add a b; -> y";
    GroupModel group = whole(Chips.bm1684x(), network);
    Slicing two = Slicing.WHOLE.with(Axis.H, 2);
    SlicedGroup sliced = Groups.sliced(group, two);
    assertEquals(List.of(new Slice(0, 17), new Slice(15, 17)), rows(sliced, "x"));
    assertThrows(
        SlicingException.class,
        () -> new BackwardSlicer(new BackwardSlicer.Rules(false, false)).slice(group, two));
  }

  @Test
  void poolUpsampleTransposedPadAndSliceFollowTheirRules() {
    Slice second = new Slice(4, 4);
    assertEquals(new Slice(8, 8), new AxisRule.Window(2, 2, 0).operand(second, 16, 32));
    assertEquals(new Slice(2, 2), new AxisRule.Repeated(2, true).operand(second, 16, 8));
    assertEquals(new Slice(1, 2), new AxisRule.Repeated(2, true).operand(new Slice(3, 2), 16, 8));
    assertNull(new AxisRule.Repeated(2, false).operand(new Slice(3, 2), 16, 8));
    // kernel 4, stride 2, pad 1: P = 2; i = ceil(2 / 2) = 1; e = 8 + 2 = 10, j = floor(8 / 2) = 4
    assertEquals(new Slice(1, 4), new AxisRule.Transposed(4, 2, 1).operand(second, 16, 8));
    assertEquals(new Slice(0, 3), new AxisRule.Padded(1, 2).operand(new Slice(0, 4), 16, 13));
    assertEquals(new Slice(3, 4), new AxisRule.Padded(1, 2).operand(second, 16, 13));
    assertEquals(new Slice(11, 2), new AxisRule.Padded(1, 2).operand(new Slice(12, 4), 16, 13));
    assertEquals(new Slice(4, 10), new AxisRule.Taken(6, 1).operand(second, 16, 40));
    assertEquals(Slice.whole(9), AxisRule.WHOLE.operand(second, 16, 9));
    assertNull(AxisRule.UNCUT.operand(second, 16, 16));
    assertEquals(Slice.whole(1), AxisRule.SAME.operand(second, 16, 1));
  }

  @Test
  void channelsAreCutInRoundsOfLanes() {
    assertEquals(
        List.of(new Slice(0, 128), new Slice(128, 64), new Slice(192, 8)),
        BackwardSlicer.cut(200, 3, 64));
    assertEquals(
        List.of(new Slice(0, 4), new Slice(4, 3), new Slice(7, 3)), BackwardSlicer.cut(10, 3, 1));
  }

  @Test
  void matrixRowsCanBeCutAndTheRightOperandStaysWhole() throws SlicingException {
    String network = "q:1x4x64x32 k:1x4x32x64; y:1x4x64x64 = MatMul q k; -> y";
    GroupModel group = whole(Chips.bm1684x(), network);
    SlicedGroup sliced = Groups.sliced(group, Slicing.WHOLE.with(Axis.H, 4));
    assertEquals(List.of(new Slice(0, 16), new Slice(16, 16)), rows(sliced, "q").subList(0, 2));
    assertEquals(Slice.whole(32), rows(sliced, "k").get(3));
    assertThrows(SlicingException.class, () -> Groups.sliced(group, Slicing.WHOLE.with(Axis.W, 2)));
  }
}
