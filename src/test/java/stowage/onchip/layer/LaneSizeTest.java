package stowage.onchip.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.onchip.Chips;

class LaneSizeTest {
  @Test
  void channelsAreDealtOverTheLanes() {
    Extents image = new Extents(1, 24, 1, 64, 64);
    assertEquals(8192, LaneSize.bytes(Chips.bm1688(), 16, image, true));
    assertEquals(3 * 8192, LaneSize.bytes(Chips.cv184x(), 16, image, true));
  }

  @Test
  void imagesAreRoundedUpToTheVectorWhereAsked() {
    Extents odd = new Extents(2, 65, 1, 7, 7);
    assertEquals(2 * 2 * 64 * 2, LaneSize.bytes(Chips.bm1684x(), 16, odd, true));
    assertEquals(2 * 2 * 49 * 2, LaneSize.bytes(Chips.bm1684x(), 16, odd, false));
  }

  @Test
  void fourBitsTakeHalfABytePerElement() {
    Extents odd = new Extents(1, 1, 1, 1, 3);
    assertEquals(2, LaneSize.bytes(Chips.bm1684x(), 4, odd, false));
    assertEquals(64, LaneSize.bytes(Chips.bm1684x(), 4, odd, true));
  }

  @Test
  void fourBatchesShareAWordWherePacked() {
    Chip packed = stowage.importer.own.Chips.load("bm1684");
    Extents bytes = new Extents(4, 64, 1, 10, 10);
    assertEquals(128 * 4, LaneSize.bytes(packed, 8, bytes, true));
    assertEquals(4 * 128 * 4, LaneSize.bytes(packed, 32, bytes, true));
    assertEquals(32 * 4, LaneSize.bytes(packed, 8, new Extents(4, 64, 1, 5, 5), true));
  }
}
