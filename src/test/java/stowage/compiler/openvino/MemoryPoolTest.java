package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  private int given(long bytes, AllocationType type, int node, int... restrictions) {
    BitSet all = set(restrictions);
    all.set(node);
    return pool.get(bytes, type, set(node), all).number();
  }

  private int given(long bytes, int node, int... restrictions) {
    return given(bytes, AllocationType.USM_DEVICE, node, restrictions);
  }

  @Test
  void theSmallestRecordThatSufficesWinsAndKeepsItsKey() {
    assertEquals(0, given(100, 0));
    assertEquals(1, given(40, 1, 0));
    assertEquals(2, given(40, 2, 0, 1));
    // 30 fits all three: the older of the two of 40.
    assertEquals(1, given(30, 3, 2));
    // Restricted from both users of 1 and the one of 2: the record of 100.
    assertEquals(0, given(30, 4, 1, 2));
    // The record of 40 was asked for by 30 since, and is still one of 40.
    assertEquals(1, given(40, 5, 0, 2, 4));
    assertEquals(3, given(101, 6));
    assertEquals(set(1, 3, 5), pool.entries().get(1).users());
  }

  @Test
  void aTinyRequestMayTakeAHugeRecord() {
    assertEquals(0, given(1_000_000, 0));
    assertEquals(0, given(1, 1));
  }

  @Test
  void typesDoNotMix() {
    assertEquals(0, given(64, 0));
    assertEquals(1, given(64, AllocationType.USM_HOST, 1));
  }
}
