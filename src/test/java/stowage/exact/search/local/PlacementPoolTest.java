package stowage.exact.search.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Which placement is kicked, and when a new descent begins. */
class PlacementPoolTest {
  private static final long TARGET = 1_000;

  @Test
  void theExampleOfTheClass() {
    PlacementPool pool = new PlacementPool();
    pool.add(new long[] {1}, 980);
    pool.add(new long[] {2}, 990);
    PlacementPool.PoolEntry kicked = null;
    for (int kick = 0; kick < 11; kick++) {
      kicked = pool.next(TARGET);
      assertEquals(980, kicked.peak());
    }
    assertNull(pool.next(TARGET), "worth 985.5, and a new descent 985");
    pool.replace(kicked, new long[] {3}, 976);
    for (int kick = 0; kick < 19; kick++) {
      assertEquals(976, pool.next(TARGET).peak());
    }
    assertNull(pool.next(TARGET));
  }

  @Test
  void theFirstDescentIsKickedOnceAndThenHasAnother() {
    PlacementPool pool = new PlacementPool();
    pool.add(new long[] {1}, 980);
    assertEquals(980, pool.next(TARGET).peak());
    assertNull(pool.next(TARGET));
  }

  @Test
  void aKickThatEndsHigherChangesNothingAndAnEqualOneMovesSideways() {
    PlacementPool pool = new PlacementPool();
    long[] offsets = {1};
    pool.add(offsets, 980);
    PlacementPool.PoolEntry elite = pool.next(TARGET);
    offsets[0] = 7;
    pool.replace(elite, offsets, 981);
    assertEquals(980, elite.peak());
    assertArrayEquals(new long[] {1}, elite.offsets());
    pool.replace(elite, offsets, 980);
    assertArrayEquals(new long[] {7}, elite.offsets());
    assertNull(pool.next(TARGET), "a sideways move gives no further kicks");
  }

  @Test
  void thoseNoLongerWorthKeepingAreDroppedWithoutChangingTheAverage() {
    PlacementPool pool = new PlacementPool();
    for (int peak = 971; peak <= 990; peak++) {
      pool.add(new long[] {peak}, peak);
    }
    // From 971 up to the average, 980.5: every one until it is worth that much.
    int kicks = 0;
    while (pool.next(TARGET) != null) {
      kicks++;
    }
    int expected = 0;
    for (int peak = 971; peak < 979; peak++) {
      expected += (int) Math.floor((980.5 - peak) / 0.5) + 1;
    }
    assertEquals(expected, kicks);
  }
}
