package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.Portfolio;
import stowage.network.memory.MemoryMap;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** Addresses of a choice: of the segments in fast memories, and of the buffers in their homes. */
public final class ResidencyPlacer {
  private ResidencyPlacer() {}

  /** The segments of a choice with addresses; null where none were found in so many seconds. */
  public static List<ResidencyPlan.Segment> segments(
      ResidencyProblem problem, ResidencyChoice choice, RunControl control, double seconds) {
    List<ResidencyPlan.Segment> placed = new ArrayList<>();
    for (int m = 0; m < problem.map().fastCount(); m++) {
      List<ResidencyPlan.Segment> segments = times(problem, choice, m);
      List<Buffer> buffers = new ArrayList<>();
      for (ResidencyPlan.Segment segment : segments) {
        long bytes = problem.items().get(segment.item()).bytes();
        if (bytes > 0) {
          buffers.add(new Buffer("s" + buffers.size(), bytes, segment.from(), segment.to()));
        }
      }
      long[] offsets = place(buffers, problem.map().space(m), control, seconds);
      if (offsets == null) {
        return null;
      }
      int at = 0;
      for (ResidencyPlan.Segment segment : segments) {
        boolean empty = problem.items().get(segment.item()).bytes() == 0;
        placed.add(
            new ResidencyPlan.Segment(
                segment.item(), m, empty ? 0 : offsets[at++], segment.from(), segment.to()));
      }
    }
    return placed;
  }

  /** The times of all buffers in a fast memory, without addresses. */
  private static List<ResidencyPlan.Segment> times(
      ResidencyProblem problem, ResidencyChoice choice, int m) {
    List<ResidencyPlan.Segment> segments = new ArrayList<>();
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      if (item.home() == m) {
        int to = item.homeTo(problem.steps());
        segments.add(new ResidencyPlan.Segment(i, m, 0, item.homeFrom(), to));
      }
      int from = -1;
      for (int e = 0; m < problem.levels(item) && e < item.events().size(); e++) {
        int step = item.events().get(e).step();
        if (choice.isTaken(i, e, m)) {
          from = step - choice.early()[i][e];
        } else if ((choice.uses()[i][e].held() >> m & 1) == 0) {
          if (from >= 0) { // it moves on right before the step
            segments.add(new ResidencyPlan.Segment(i, m, 0, from, step));
          }
          from = -1;
        }
        if (from >= 0 && choice.isGivenUp(i, e, m)) {
          int to = step + 1 + choice.late()[i][e];
          segments.add(new ResidencyPlan.Segment(i, m, 0, from, to));
          from = -1;
        }
      }
    }
    return segments;
  }

  /** The offsets of items in their homes, -1 for those never there; null where none were found. */
  public static long[] homes(
      ResidencyProblem problem, ResidencyChoice choice, RunControl control, double seconds) {
    long[] offsets = new long[problem.items().size()];
    Arrays.fill(offsets, -1);
    for (int m = problem.map().fastCount(); m < problem.map().count(); m++) {
      List<Buffer> buffers = new ArrayList<>();
      List<Integer> whose = new ArrayList<>();
      MemoryMap.Space home = problem.map().space(m);
      for (int i = 0; i < problem.items().size(); i++) {
        HeldBuffer item = problem.items().get(i);
        if (item.home() != m || !touchesHome(item, choice.uses()[i]) || item.bytes() == 0) {
          continue;
        }
        long unit = home.alignment();
        long bytes = (item.bytes() + unit - 1) / unit * unit;
        int from = item.homeFrom();
        int to = Math.max(from + 1, item.homeTo(problem.steps()));
        buffers.add(new Buffer("h" + i, bytes, from, to));
        whose.add(i);
      }
      long[] found = place(buffers, home, control, seconds);
      if (found == null) {
        return null;
      }
      for (int k = 0; k < found.length; k++) {
        offsets[whose.get(k)] = found[k];
      }
    }
    return offsets;
  }

  private static boolean touchesHome(HeldBuffer item, Access[] uses) {
    return item.given()
        || item.wanted()
        || Arrays.stream(uses).anyMatch(use -> use.touches(item.home()));
  }

  private static long[] place(
      List<Buffer> buffers, MemoryMap.Space space, RunControl control, double seconds) {
    if (buffers.isEmpty()) {
      return new long[0];
    }
    PackingProblem problem =
        PackingProblem.of(space.name(), buffers)
            .withMemories(
                List.of(new Memory(space.name(), space.capacity(), space.alignment(), 0, 0)));
    Placement placement = Portfolio.within(problem, control.within(seconds));
    return placement == null ? null : placement.offsets();
  }
}
