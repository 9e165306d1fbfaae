package stowage.residency.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.network.memory.MemoryMap;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** Addresses of a choice: of the segments in the fast memory, and of the buffers in their homes. */
public final class MemoryPlacer {
  private MemoryPlacer() {}

  /**
   * The segments of a choice with addresses; null where none were found in time.
   *
   * @param seconds for the search at most
   */
  public static List<ResidencyPlan.Segment> segments(
      ResidencyProblem problem, Choice choice, RunControl control, double seconds) {
    List<ResidencyPlan.Segment> segments = new ArrayList<>();
    for (int i = 0; i < problem.items().size(); i++) {
      Item item = problem.items().get(i);
      int from = -1;
      for (int e = 0; e < item.events().size(); e++) {
        int step = item.events().get(e).step();
        if (!choice.fast()[i][e]) {
          continue;
        }
        from = from >= 0 ? from : choice.early()[i][e] ? step - 1 : step;
        if (!choice.kept()[i][e] || e + 1 == item.events().size()) {
          int to = choice.late()[i][e] ? step + 2 : step + 1;
          segments.add(new ResidencyPlan.Segment(i, 0, from, to));
          from = -1;
        }
      }
    }
    List<Buffer> buffers = new ArrayList<>();
    for (ResidencyPlan.Segment segment : segments) {
      long bytes = problem.items().get(segment.item()).bytes();
      if (bytes > 0) {
        buffers.add(new Buffer("s" + buffers.size(), bytes, segment.from(), segment.to()));
      }
    }
    long[] offsets = place(buffers, problem.map().fast(), control, seconds);
    if (offsets == null) {
      return null;
    }
    List<ResidencyPlan.Segment> placed = new ArrayList<>();
    int at = 0;
    for (ResidencyPlan.Segment segment : segments) {
      long offset = problem.items().get(segment.item()).bytes() > 0 ? offsets[at++] : 0;
      placed.add(new ResidencyPlan.Segment(segment.item(), offset, segment.from(), segment.to()));
    }
    return placed;
  }

  /**
   * The offsets of the items in their homes; -1 for items that never touch it.
   *
   * @return null where they do not fit, or were not found to in time
   */
  public static long[] homes(
      ResidencyProblem problem, Choice choice, RunControl control, double seconds) {
    long[] offsets = new long[problem.items().size()];
    Arrays.fill(offsets, -1);
    for (int h = 0; h < problem.map().homes().size(); h++) {
      List<Buffer> buffers = new ArrayList<>();
      List<Integer> whose = new ArrayList<>();
      MemoryMap.Space home = problem.map().homes().get(h);
      for (int i = 0; i < problem.items().size(); i++) {
        Item item = problem.items().get(i);
        if (item.home() != h || !touchesHome(problem, choice, i) || item.bytes() == 0) {
          continue;
        }
        boolean always = item.kind() == MemoryMap.Kind.WEIGHTS;
        int from = item.given() ? 0 : item.events().get(0).step();
        int to =
            item.wanted() || always
                ? problem.steps()
                : item.events().get(item.events().size() - 1).step() + 1;
        long unit = home.alignment();
        long bytes = (item.bytes() + unit - 1) / unit * unit;
        buffers.add(new Buffer("h" + i, bytes, from, Math.max(from + 1, to)));
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

  private static boolean touchesHome(ResidencyProblem problem, Choice choice, int i) {
    Item item = problem.items().get(i);
    if (item.given() || item.wanted()) {
      return true;
    }
    boolean[] back = choice.writesBack(problem, i);
    for (int e = 0; e < back.length; e++) {
      if (!choice.fast()[i][e] || back[e] || choice.fetches(problem, i, e)) {
        return true;
      }
    }
    return false;
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
    Incumbent incumbent = new Incumbent(problem);
    Portfolio.run(
        problem,
        incumbent,
        control.within(seconds),
        new Portfolio.Setup(
            Portfolio.openings(problem),
            List.of(new SearchEngine()),
            EngineOptions.defaults().withFirstFit(true)));
    Placement placement = incumbent.placement();
    return placement == null || placement.peak(problem, 0) > space.capacity()
        ? null
        : placement.offsets();
  }
}
