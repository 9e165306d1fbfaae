package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.network.memory.MemoryMap;

/**
 * Times of a choice's transfers and steps. A step takes as long as its accesses, one after another,
 * each at the speed of the memory it goes to; computing is not counted beside them. Transfers run
 * one after another. Without a DMA channel no step runs meanwhile. With one, a fetch begins once
 * its place is taken: with the step before where that is held for it, else when that step has
 * ended; a write-back begins when its step has ended, and the step at which its place may be taken
 * again waits for it.
 *
 * @param moves the transfers
 * @param starts when each step begins, in nanoseconds
 * @param ends when each step ends
 */
public record ResidencyTiming(List<ResidencyPlan.Move> moves, long[] starts, long[] ends) {

  /** Computes the times of a choice. O(events). */
  public static ResidencyTiming of(ResidencyProblem problem, Choice choice) {
    int steps = problem.steps();
    boolean overlap = problem.map().overlap();
    List<List<int[]>> in = lists(steps);
    List<List<int[]>> out = lists(steps);
    long[] length = lengths(problem, choice.fast());
    for (int i = 0; i < choice.fast().length; i++) {
      boolean[] back = choice.writesBack(problem, i);
      for (int e = 0; e < back.length; e++) {
        int step = problem.items().get(i).events().get(e).step();
        if (choice.fetches(problem, i, e)) {
          in.get(step).add(new int[] {i, e});
        }
        if (back[e]) {
          out.get(step).add(new int[] {i, e});
        }
      }
    }
    List<ResidencyPlan.Move> moves = new ArrayList<>();
    long[] starts = new long[steps];
    long[] ends = new long[steps];
    long[] waits = new long[steps + 3];
    long channel = 0;
    long now = 0;
    for (int t = 0; t < steps; t++) {
      long ready = Math.max(now, waits[t]);
      for (int[] fetch : in.get(t)) {
        boolean early = choice.early()[fetch[0]][fetch[1]];
        long free = early ? starts[t - 1] : Math.max(now, waits[t]);
        long begin = Math.max(channel, overlap ? free : Math.max(now, free));
        channel = begin + duration(problem, fetch[0]);
        moves.add(new ResidencyPlan.Move(fetch[0], true, t, begin, channel));
        ready = Math.max(ready, channel);
      }
      starts[t] = overlap ? ready : Math.max(ready, channel);
      ends[t] = starts[t] + length[t];
      now = ends[t];
      for (int[] back : out.get(t)) {
        long begin = Math.max(channel, now);
        channel = begin + duration(problem, back[0]);
        moves.add(new ResidencyPlan.Move(back[0], false, t, begin, channel));
        int reuse = choice.late()[back[0]][back[1]] ? t + 2 : t + 1;
        waits[reuse] = Math.max(waits[reuse], channel);
      }
    }
    return new ResidencyTiming(moves, starts, ends);
  }

  private static long[] lengths(ResidencyProblem problem, boolean[][] fast) {
    long[] length = new long[problem.steps()];
    for (int i = 0; i < fast.length; i++) {
      Item item = problem.items().get(i);
      for (int e = 0; e < fast[i].length; e++) {
        Item.Event use = item.events().get(e);
        MemoryMap.Space space =
            fast[i][e] ? problem.map().fast() : problem.map().homes().get(Math.max(0, item.home()));
        length[use.step()] +=
            space.nanoseconds(use.readBytes()) + space.nanoseconds(use.writtenBytes());
      }
    }
    return length;
  }

  private static long duration(ResidencyProblem problem, int i) {
    Item item = problem.items().get(i);
    return problem.map().homes().get(item.home()).nanoseconds(item.bytes());
  }

  private static List<List<int[]>> lists(int count) {
    List<List<int[]>> lists = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  /** When the last step and the last transfer have ended. */
  public long nanoseconds() {
    long end = ends.length == 0 ? 0 : ends[ends.length - 1];
    for (ResidencyPlan.Move move : moves) {
      end = Math.max(end, move.endNanos());
    }
    return end;
  }

  /** How long the network takes with everything in the fast memory throughout. */
  public static long leastNanoseconds(ResidencyProblem problem) {
    boolean[][] all = problem.none();
    for (boolean[] events : all) {
      Arrays.fill(events, true);
    }
    return Arrays.stream(lengths(problem, all)).sum();
  }
}
