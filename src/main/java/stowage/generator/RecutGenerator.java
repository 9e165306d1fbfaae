package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * A full memory cut repeatedly into new segments: it is divided into segments, each a buffer; every
 * few steps some neighbouring ones end together, and their room is cut at other places. A share of
 * the buffers is then left out. So a plan within the capacity exists, and is an optimum where some
 * step has lost nothing. O(buffers * segments).
 *
 * <p>Unlike in {@link ExchangeGenerator} rooms are connected, and unlike in {@link
 * NearCapacityGenerator} nothing is put where there is room: almost every byte is taken at almost
 * every step.
 */
final class RecutGenerator {
  /** Below so many segments more are made than end. */
  private static final int LEAST_SEGMENTS = 5;

  /** The most neighbours that end together. */
  private static final int TOGETHER = 3;

  /** Steps from one cut to the next, at most. */
  private static final int PAUSE = 4;

  private record Segment(int low, int high, int start) {}

  private RecutGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 1, 100_000);
    int segments = values.count("segments", 0, 200);
    long unit = values.whole("unit", 1, 1L << 40);
    long capacity = values.whole("capacity", 256 * unit, unit * 100_000);
    double dropped = values.real("dropped", 0, 1);
    if (capacity % unit != 0) {
      throw values.contradiction("capacity", "a multiple of the unit " + unit);
    }
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
