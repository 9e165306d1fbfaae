package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {
  private final MemoryPool pool = new MemoryPool();

  private static BitSet set(int... members) {
    BitSet set = new BitSet();
    for (int member : members) {
      set.set(member);
    }
    return set;
  }

  private int given(MemoryPool.Layout layout, AllocationType type, int node, int... restrictions) {
    BitSet all = set(restrictions);
    all.set(node);
    return pool.get(layout, type, set(node), all).number();
  }

  private int given(MemoryPool.Layout layout, int node, int... restrictions) {
    return given(layout, AllocationType.USM_DEVICE, node, restrictions);
  }

  private int plain(long bytes, int node, int... restrictions) {
    return given(MemoryPool.Layout.ofBytes(bytes), node, restrictions);
  }

  @Test
  void theSmallestRecordThatSufficesWinsAndKeepsItsKey() {
    assertEquals(0, plain(100, 0));
    assertEquals(1, plain(40, 1, 0));
    assertEquals(2, plain(40, 2, 0, 1));
    // 30 fits all three: the older of the two of 40.
    assertEquals(1, plain(30, 3, 2));
    // Restricted from both users of 1 and the one of 2: the record of 100.
    assertEquals(0, plain(30, 4, 1, 2));
    // The record of 40 was asked for by 30 since, and is still one of 40.
    assertEquals(1, plain(40, 5, 0, 2, 4));
    assertEquals(3, plain(101, 6));
    assertEquals(set(1, 3, 5), pool.entries().get(1).users());
  }

  @Test
  void aTinyRequestMayTakeAHugeRecord() {
    assertEquals(0, plain(1_000_000, 0));
    assertEquals(0, plain(1, 1));
  }

  @Test
  void typesAndBlockedFormatsDoNotMix() {
    assertEquals(0, plain(64, 0));
    assertEquals(1, given(MemoryPool.Layout.ofBytes(64), AllocationType.USM_HOST, 1));
    MemoryPool.Layout odd = new MemoryPool.Layout(60, "b_fs_yx_fsv32", "u8", 1, 30, 2, 1, "");
    assertEquals(2, given(odd, 2));
    MemoryPool.Layout even = new MemoryPool.Layout(64, "b_fs_yx_fsv32", "u8", 1, 32, 2, 1, "");
    assertEquals(0, given(even, 3));
    MemoryPool.Layout never = new MemoryPool.Layout(8, "fs_b_yx_fsv32", "u8", 1, 8, 1, 1, "");
    assertEquals(3, given(never, 4));
    // The record in that format is not shared either.
    assertNotEquals(3, plain(8, 5));
  }

  @Test
  void paddedRequestsLookAtShapesNotAtBytes() {
    MemoryPool.Layout large = new MemoryPool.Layout(800, "bfyx", "f16", 2, 16, 5, 5, "1,1");
    MemoryPool.Layout fewer = new MemoryPool.Layout(200, "bfyx", "f16", 1, 8, 5, 5, "1,1");
    MemoryPool.Layout more = new MemoryPool.Layout(400, "bfyx", "f16", 1, 32, 5, 5, "1,1");
    MemoryPool.Layout other = new MemoryPool.Layout(100, "bfyx", "f16", 1, 8, 5, 5, "2,2");
    assertEquals(0, given(large, 0));
    assertEquals(0, given(fewer, 1));
    assertEquals(1, given(more, 2));
    assertEquals(2, given(other, 3));
    // In the order of making, whatever the sizes.
    assertEquals(1, given(fewer, 4, 0));
    // Without padding it is the other pool.
    assertEquals(3, plain(100, 5));
  }
}
