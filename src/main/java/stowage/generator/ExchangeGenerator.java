package stowage.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * A memory that is full, or nearly, at every step: at each step some buffers end, and others begin
 * that take up the bytes they leave. Since these bytes are apart, most such instances need more
 * than their max load, by an amount that is not known beforehand: they are made for bounds above
 * the max load, and are of any length. O(buffers * live).
 */
final class ExchangeGenerator {

  /** A buffer that has begun. */
  private record Begun(int start, long size) {}

  private ExchangeGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 1, 1_000_000);
    int live = values.count("live", 2, 1000);
    int turnover = values.count("turnover", 2, 1000);
    long unit = values.whole("unit", 1, 1L << 40);
    long capacity = values.whole("capacity", live * unit, PackingProblem.LARGEST_SUM / count / 2);
    if (capacity % unit != 0) {
      throw values.contradiction("capacity", "a multiple of the unit " + unit);
    }
    long units = capacity / unit;
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
        for (long size : parts(free, (int) Math.max(1, Math.min(free, wanted)), draws)) {
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
  private static List<Long> parts(long total, int count, Draws draws) {
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
}
