package stowage.onchip.cpsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.packing.RunControl;

class GroupCoverTest {
  private static final int OPS = 5;

  /** The least cost over all covers without a whole circle. */
  private static double least(List<ConvexGroup> pool, List<List<ConvexGroup>> circles) {
    double least = Double.POSITIVE_INFINITY;
    for (int set = 0; set < 1 << pool.size(); set++) {
      int chosen = set;
      List<ConvexGroup> groups =
          IntStream.range(0, pool.size())
              .filter(k -> (chosen >> k & 1) != 0)
              .mapToObj(pool::get)
              .toList();
      int[] members = groups.stream().flatMapToInt(g -> IntStream.of(g.members)).toArray();
      boolean covers = members.length == OPS && IntStream.of(members).distinct().count() == OPS;
      if (covers && circles.stream().noneMatch(groups::containsAll)) {
        least = Math.min(least, groups.stream().mapToDouble(g -> g.lower).sum());
      }
    }
    return least;
  }

  @Test
  void groupsOfACircleAreNeverChosenTogether() {
    int dearer = 0;
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      List<ConvexGroup> pool = new ArrayList<>();
      IntStream.range(0, OPS).forEach(p -> pool.add(new ConvexGroup(new int[] {p}, 9)));
      for (int k = 0; k < 6; k++) {
        int[] members = random.ints(2 + random.nextInt(2), 0, OPS).distinct().sorted().toArray();
        if (members.length > 1) {
          pool.add(new ConvexGroup(members, 1 + random.nextInt(9)));
        }
      }
      GroupCover cover = new GroupCover(OPS);
      List<List<ConvexGroup>> circles = new ArrayList<>();
      double before = 0;
      for (int round = 0; round < 5; round++) {
        String what = "seed " + seed + ", round " + round;
        double least = least(pool, circles);
        GroupCover.Whole whole = cover.whole(pool, g -> g.lower, 1000, RunControl.unlimited());
        assertEquals(least, whole.groups().stream().mapToDouble(g -> g.lower).sum(), what);
        assertTrue(whole.bound() <= least, what);
        GroupCover.Relaxation relaxed = cover.relaxed(pool, RunControl.unlimited());
        assertTrue(relaxed.bound() <= least + 1e-6, what + ": " + relaxed.bound());
        for (int k = 0; k < pool.size(); k++) {
          double price = relaxed.bound() + relaxed.reduced()[k];
          boolean chosen = whole.groups().contains(pool.get(k));
          assertTrue(!chosen || price <= least + 1e-6, what + ", group " + k);
        }
        dearer += least > before && round > 0 ? 1 : 0;
        before = least;
        circles.add(whole.groups());
        cover.keepApart(whole.groups());
        if (whole.groups().size() == OPS) {
          break;
        }
      }
    }
    assertTrue(dearer > 20, dearer + " covers dearer than those kept apart");
  }
}
