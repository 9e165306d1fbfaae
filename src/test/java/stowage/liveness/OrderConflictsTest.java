package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.InvalidProblemException;

class OrderConflictsTest {
  /** The rule as it is written, asked of each pair, on buffers whose ops are drawn. */
  @Test
  void thePairsAreThoseOfWhichNeitherCanFollowTheOther() {
    int found = 0;
    for (long seed = 1; seed <= 1000; seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, 4 + random.nextInt(12));
      LivenessOptions options =
          LivenessOptions.defaults().withOrder(LivenessOptions.Order.OUT_OF_ORDER);
      Precedence precedence = Precedence.of(network, network.executionOrder(), options);
      List<Buffer> buffers = new ArrayList<>();
      List<OrderConflicts.Use> uses = new ArrayList<>();
      for (int b = 0; b < 12; b++) {
        int steps = precedence.steps();
        int[] touches = random.ints(random.nextInt(4), 0, steps).sorted().distinct().toArray();
        int[] writes = Arrays.copyOf(touches, Math.min(touches.length, random.nextInt(3)));
        int start = touches.length == 0 ? random.nextInt(steps) : touches[0];
        int end = touches.length == 0 ? start + 1 : touches[touches.length - 1] + 1;
        end -= random.nextInt(12) == 0 && end > start + 1 ? 1 : 0;
        buffers.add(new Buffer("b" + b, random.nextInt(6), start, end));
        boolean given = random.nextInt(8) == 0;
        uses.add(new OrderConflicts.Use(writes, touches, given, random.nextInt(8) == 0));
      }
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < buffers.size(); i++) {
        for (int j = i + 1; j < buffers.size(); j++) {
          if (buffers.get(i).needsMemory()
              && buffers.get(j).needsMemory()
              && !buffers.get(i).live().overlaps(buffers.get(j).live())
              && !canFollow(uses.get(i), uses.get(j), precedence)
              && !canFollow(uses.get(j), uses.get(i), precedence)) {
            expected.add("[" + i + ", " + j + "]");
          }
        }
      }
      int count = expected.size();
      ConflictPairs pairs = OrderConflicts.between(buffers, uses, precedence, count);
      List<String> actual = new ArrayList<>();
      for (int i = 0; i < buffers.size(); i++) {
        for (int j : pairs.of(i)) {
          if (i < j) {
            actual.add("[" + i + ", " + j + "]");
          }
        }
      }
      assertEquals(expected, actual, "seed " + seed);
      if (count > 0) {
        InvalidProblemException many =
            assertThrows(
                InvalidProblemException.class,
                () -> OrderConflicts.between(buffers, uses, precedence, count - 1));
        assertTrue(many.getMessage().contains("more than " + (count - 1) + " pairs"));
      }
      found += count;
    }
    assertTrue(found > 2000, found + " pairs");
  }

  private static boolean canFollow(
      OrderConflicts.Use earlier, OrderConflicts.Use later, Precedence precedence) {
    return !earlier.toTheEnd()
        && !later.fromTheStart()
        && Arrays.stream(earlier.touches())
            .allMatch(
                touch ->
                    Arrays.stream(later.writes())
                        .allMatch(write -> precedence.precedes(touch, write)));
  }

  @Test
  void pairsOfBothAreThereOnce() {
    ConflictPairs one = ConflictPairs.of(4, List.of(new int[] {0, 1}, new int[] {2, 3}));
    ConflictPairs other = ConflictPairs.of(4, List.of(new int[] {1, 0}, new int[] {0, 3}));
    for (ConflictPairs both : List.of(one.and(other), other.and(one))) {
      assertEquals(3, both.count());
      assertArrayEquals(new int[] {1, 3}, both.of(0));
      assertArrayEquals(new int[] {0, 2}, both.of(3));
    }
    assertEquals(2, one.and(ConflictPairs.none()).count());
    assertEquals(2, ConflictPairs.none().and(one).count());
  }
}
