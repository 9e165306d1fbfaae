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

  private MemoryPool.Entry given(long bytes, AllocationType type, int node, int... restrictions) {
    BitSet all = set(restrictions);
    all.set(node);
    return pool.get(bytes, type, set(node), all);
  }

  private int plain(long bytes, int node, int... restrictions) {
    return given(bytes, AllocationType.USM_DEVICE, node, restrictions).number();
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
    MemoryPool.Entry again = given(40, AllocationType.USM_DEVICE, 5, 0, 2, 4);
    assertEquals(1, again.number());
    assertEquals(3, plain(101, 6));
    assertEquals(set(1, 3, 5), again.users());
  }

  @Test
  void aTinyRequestMayTakeAHugeRecord() {
    assertEquals(0, plain(1_000_000, 0));
    assertEquals(0, plain(1, 1));
  }

  @Test
  void typesDoNotMix() {
    assertEquals(0, plain(64, 0));
    assertEquals(1, given(64, AllocationType.USM_HOST, 1).number());
    assertEquals(0, plain(64, 2));
  }
}
