package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/** Memories that are full, or nearly, at every step. */
final class FullMemoryGenerators {
  private FullMemoryGenerators() {}

  private record Begun(int start, long size) {}

  /**
   * A memory that is full, or nearly, at every step: at each step some buffers end, and others
   * begin that take up the bytes they leave. Since these bytes are apart, most such instances need
   * more than their max load, by an amount that is not known beforehand: they are made for bounds
   * above the max load, and are of any length. O(buffers * live).
   */
  static PackingProblem exchange(ParameterValues values) {
    int count = values.count("buffers", 1, 1_000_000);
    int live = values.count("live", 2, 1000);
    int turnover = values.count("turnover", 2, 1000);
    long unit = values.whole("unit", 1, 1L << 40);
    long most = PackingProblem.LARGEST_SUM / count / 2;
    long units = values.multiple("capacity", "the unit " + unit, unit, live * unit, most) / unit;
    double fill = values.real("fill", 0, 1);
    Draws draws = values.draws();
    List<Buffer> buffers = new ArrayList<>();
    List<Begun> alive = new ArrayList<>();
    long load = 0;
    int step = 0;
    for (; step == 0 || buffers.size() + alive.size() < count; step++) {
      int ending = step == 0 ? 0 : 2 + draws.below(turnover - 1);
      for (int k = 0; k < ending && !alive.isEmpty(); k++) {
        Begun gone = alive.remove(draws.below(alive.size()));
        load -= gone.size;
        buffers.add(buffer(buffers.size(), gone, step, unit));
      }
      long free = units - load - draws.uniform(0, (long) ((1 - fill) * units));
      int wanted = live - alive.size() + draws.below(3) - 1;
      if (free > 0) {
        for (long size : cutInto(free, (int) Math.max(1, Math.min(free, wanted)), draws)) {
          alive.add(new Begun(step, size));
          load += size;
        }
      }
    }
    for (Begun last : alive) {
      buffers.add(buffer(buffers.size(), last, step, unit));
    }
    return PackingProblem.of("exchange", buffers);
  }

  private static Buffer buffer(int index, Begun begun, int end, long unit) {
    return new Buffer(String.valueOf(index), begun.size * unit, begun.start, end);
  }

  /** Cuts a total into parts of one or more, every set of cuts alike. */
  private static List<Long> cutInto(long total, int count, Draws draws) {
    TreeSet<Long> cuts = new TreeSet<>(List.of(total));
    while (cuts.size() < count) {
      cuts.add(draws.uniform(1, total - 1));
    }
    List<Long> sizes = new ArrayList<>();
    long before = 0;
    for (long cut : cuts) {
      sizes.add(cut - before);
      before = cut;
    }
    return sizes;
  }

  /** Below so many segments more are made than end. */
  private static final int LEAST_SEGMENTS = 5;

  /** The most neighbours that end together. */
  private static final int TOGETHER = 3;

  /** Steps from one cut to the next, at most. */
  private static final int PAUSE = 4;

  private record Segment(int low, int high, int start) {}

  /**
   * A full memory cut repeatedly into new segments: it is divided into segments, each a buffer;
   * every few steps some neighbouring ones end together, and their room is cut at other places. A
   * share of the buffers is then left out. So a plan within the capacity exists, and is an optimum
   * where some step has lost nothing. O(buffers * segments).
   *
   * <p>Unlike in {@link #exchange} rooms are connected, and unlike in {@link NearCapacityGenerator}
   * nothing is put where there is room: almost every byte is taken at almost every step.
   */
  static PackingProblem recut(ParameterValues values) {
    int count = values.count("buffers", 1, 100_000);
    int segments = values.count("segments", 0, 200);
    long unit = values.whole("unit", 1, 1L << 40);
    long capacity =
        values.multiple("capacity", "the unit " + unit, unit, 256 * unit, unit * 100_000);
    double dropped = values.real("dropped", 0, 1);
    if (segments != 0 && segments < LEAST_SEGMENTS) {
      throw values.contradiction("segments", LEAST_SEGMENTS + " or more, or 0 to draw them");
    }
    Draws draws = values.draws();
    double share = draws.uniform(0, 1_000_000) * 1e-6 * dropped;
    int first = segments == 0 ? (int) draws.uniform(6, 24) : segments;
    List<Segment> now = new ArrayList<>(cut(0, (int) (capacity / unit), first, 0, draws));
    List<Buffer> buffers = new ArrayList<>();
    int step = 0;
    while (buffers.size() + now.size() < count * (1 + dropped / 2)) {
      step += 1 + draws.below(PAUSE);
      int ending = 1 + draws.below(Math.min(TOGETHER, now.size()));
      int at = draws.below(now.size() - ending + 1);
      List<Segment> gone = now.subList(at, at + ending);
      int low = gone.get(0).low;
      int high = gone.get(ending - 1).high;
      for (Segment segment : gone) {
        buffers.add(buffer(buffers.size(), segment, step, unit));
      }
      boolean few = now.size() <= LEAST_SEGMENTS;
      int parts = few ? ending + 1 : ending + draws.below(3) - 1;
      gone.clear();
      now.addAll(at, cut(low, high, Math.max(1, parts), step, draws));
    }
    for (Segment segment : now) {
      buffers.add(buffer(buffers.size(), segment, step + 2, unit));
    }
    buffers.removeIf(buffer -> draws.happens(share));
    draws.shuffle(buffers);
    return PackingProblem.of("recut", buffers);
  }

  /** Cuts a stretch into so many segments, or as many as it has units. */
  private static List<Segment> cut(int low, int high, int parts, int start, Draws draws) {
    List<Integer> cuts = new ArrayList<>(List.of(low, high));
    int wanted = Math.min(parts, high - low);
    while (cuts.size() <= wanted) {
      int place = (int) draws.uniform(low + 1, high - 1);
      if (!cuts.contains(place)) {
        cuts.add(place);
      }
    }
    cuts.sort(null);
    List<Segment> segments = new ArrayList<>();
    for (int k = 0; k + 1 < cuts.size(); k++) {
      segments.add(new Segment(cuts.get(k), cuts.get(k + 1), start));
    }
    return segments;
  }

  private static Buffer buffer(int index, Segment segment, int end, long unit) {
    long size = (segment.high - segment.low) * unit;
    return new Buffer(String.valueOf(index), size, segment.start, end);
  }
}
