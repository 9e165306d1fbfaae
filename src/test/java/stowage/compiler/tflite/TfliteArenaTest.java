package stowage.compiler.tflite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import stowage.compiler.core.HullList;
import stowage.packing.Buffers;
import stowage.packing.RunControl;

class TfliteArenaTest {
  /**
   * At step 1, alignment 4: the gap [1, 12) from 4 on has 8 bytes and is remembered as 11; the gap
   * [13, 24) from 16 on has 8 bytes too, which is less than 11: taken.
   */
  @Test
  void theComparisonForgetsTheAlignmentOfTheBestGap() {
    String buffers = "a:1[0,3)%4 gap1:7[0,1) c:1[0,3)%4 gap2:7[0,1) e:1[0,3)%4 f:4[1,3)%4";
    HullList all = HullList.of("test", Buffers.problem(buffers));
    assertArrayEquals(
        new long[] {0, 4, 12, 16, 24, 16},
        TfliteArena.place(all, new int[] {0, 1, 2, 3, 4, 5}, RunControl.unlimited()));
  }
}
