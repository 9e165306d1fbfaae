package stowage.generator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * Instances in the nature of MiniMalloc's challenging set: sizes are multiples of a unit and of
 * very different orders, the capacity is nearly filled at most steps and wholly at one at least,
 * and there is a plan that fits it. So the max load and the optimum are the capacity, but simple
 * orders end far above it.
 *
 * <p>The area of all steps by the capacity is filled in three passes:
 *
 * <ol>
 *   <li>Sizes and live ranges are drawn log-uniformly, scaled down together where they exceed 85 %
 *       of the wanted area, and put down by falling area, each at a random free place that rests on
 *       something or hangs below it. What fits nowhere after some tries is cut to the largest free
 *       stretch of the last one.
 *   <li>In random turns, buffers grow to one side, at most doubling, until the wanted share of the
 *       area is filled or nothing grows for long.
 *   <li>The fullest step is filled up by new buffers.
 * </ol>
 *
 * The places are then forgotten. O(n * longest live range * capacity / unit / 64) a try.
 */
final class NearCapacityGenerator {
  private static final int TRIES = 20;
  private static final int PATIENCE = 40;
  private static final double DRAWN_SHARE = 0.85;

  private NearCapacityGenerator() {}

  /** Makes a problem of checked parameters. */
  static PackingProblem generate(ParameterValues values) {
    int count = values.count("buffers", 1, 100_000);
    int steps = values.count("steps", 1, 100_000);
    long unit = values.whole("unit", 1, 1L << 40);
    long capacity = values.multiple("capacity", "the unit " + unit, unit, unit, unit * 100_000);
    int units = (int) (capacity / unit);
    int largest = (int) Math.max(1, values.real("largest", 0, 1) * units);
    int longest = (int) Math.max(1, values.real("longest", 0, 1) * steps);
    long wanted = (long) (values.real("fill", 0, 1) * steps * units);
    Draws draws = values.draws();
    PlacementArea area = new PlacementArea(steps, units);
    List<PlacementArea.Place> places = new ArrayList<>();
    for (int[] drawn : drawn(count, longest, largest, wanted, draws)) {
      PlacementArea.Place place = area.filled < wanted ? put(area, drawn, draws) : null;
      if (place != null) {
        places.add(place);
      }
    }
    grow(area, places, wanted, draws);
    places.addAll(area.fillStep(area.fullestStep()));
    draws.shuffle(places);
    List<Buffer> buffers = new ArrayList<>();
    for (PlacementArea.Place place : places) {
      buffers.add(
          new Buffer(
              String.valueOf(buffers.size()),
              (place.high() - place.low()) * unit,
              place.start(),
              place.end()));
    }
    return PackingProblem.of("near-capacity", buffers);
  }

  /** Lives and sizes, by falling area; together they have a share of the wanted area at most. */
  private static List<int[]> drawn(int count, int longest, int largest, long wanted, Draws draws) {
    List<int[]> drawn = new ArrayList<>();
    double total = 0;
    for (int i = 0; i < count; i++) {
      int life = (int) draws.logUniform(1, longest);
      int size = (int) draws.logUniform(1, largest);
      drawn.add(new int[] {life, size});
      total += (double) life * size;
    }
    double scale = Math.min(1, StrictMath.sqrt(DRAWN_SHARE * wanted / total));
    for (int[] shape : drawn) {
      shape[0] = (int) Math.max(1, shape[0] * scale);
      shape[1] = (int) Math.max(1, shape[1] * scale);
    }
    drawn.sort(Comparator.comparingLong(shape -> -(long) shape[0] * shape[1]));
    return drawn;
  }

  private static PlacementArea.Place put(PlacementArea area, int[] drawn, Draws draws) {
    for (int k = 0; k < TRIES; k++) {
      int start = draws.below(area.steps - drawn[0] + 1);
      List<int[]> free = area.freeStretches(start, start + drawn[0]);
      List<int[]> fitting = new ArrayList<>(free);
      fitting.removeIf(stretch -> stretch[1] - stretch[0] < drawn[1]);
      if (fitting.isEmpty() && (k + 1 < TRIES || free.isEmpty())) {
        continue;
      }
      int[] chosen =
          fitting.isEmpty()
              ? free.stream().max(Comparator.comparingInt(s -> s[1] - s[0])).orElseThrow()
              : draws.oneOf(fitting);
      int size = Math.min(drawn[1], chosen[1] - chosen[0]);
      int low = draws.happens(0.5) ? chosen[0] : chosen[1] - size;
      PlacementArea.Place place = new PlacementArea.Place(start, start + drawn[0], low, low + size);
      area.take(place);
      return place;
    }
    return null;
  }

  private static void grow(
      PlacementArea area, List<PlacementArea.Place> places, long wanted, Draws draws) {
    long idle = 0;
    while (!places.isEmpty() && area.filled < wanted && idle < (long) PATIENCE * places.size()) {
      int index = draws.below(places.size());
      PlacementArea.Place grown = area.grown(places.get(index), draws.below(4));
      idle = grown.equals(places.get(index)) ? idle + 1 : 0;
      area.take(grown);
      places.set(index, grown);
    }
  }

  /** An area of steps by units of memory, in which each unit of a step is free or taken. */
  private static final class PlacementArea {
    private final int steps;
    private final int units;
    private final BitSet[] used;

    /** How much is taken, in units times steps. */
    private long filled;

    /** A rectangle of the area: steps {@code [start, end)}, units {@code [low, high)}. */
    record Place(int start, int end, int low, int high) {}

    PlacementArea(int steps, int units) {
      this.steps = steps;
      this.units = units;
      this.used = new BitSet[steps];
      for (int step = 0; step < steps; step++) {
        used[step] = new BitSet(units);
      }
    }

    /** Takes a place; what is taken already stays so. */
    void take(Place place) {
      for (int step = place.start(); step < place.end(); step++) {
        filled -= used[step].cardinality();
        used[step].set(place.low(), place.high());
        filled += used[step].cardinality();
      }
    }

    /** The stretches of units that are free throughout some steps, from the lowest. */
    List<int[]> freeStretches(int start, int end) {
      BitSet taken = new BitSet(units);
      for (int step = start; step < end; step++) {
        taken.or(used[step]);
      }
      List<int[]> stretches = new ArrayList<>();
      for (int low = taken.nextClearBit(0); low < units; ) {
        int next = taken.nextSetBit(low);
        int high = next < 0 ? units : next;
        stretches.add(new int[] {low, high});
        low = taken.nextClearBit(high);
      }
      return stretches;
    }

    /**
     * A taken place, grown over what is free to at most twice its extent on a side: earlier (0),
     * later (1), down (2) or up (3).
     */
    Place grown(Place place, int side) {
      int start = place.start();
      int end = place.end();
      int low = place.low();
      int high = place.high();
      int life = end - start;
      int size = high - low;
      switch (side) {
        case 0 -> start = earliest(start, Math.max(0, start - life), low, high);
        case 1 -> end = latest(end, Math.min(steps, end + life), low, high);
        case 2 -> {
          int bottom = Math.max(0, low - size);
          while (low > bottom && isFree(start, end, low - 1, low)) {
            low--;
          }
        }
        default -> {
          int top = Math.min(units, high + size);
          while (high < top && isFree(start, end, high, high + 1)) {
            high++;
          }
        }
      }
      return new Place(start, end, low, high);
    }

    /** The first of the steps at which most is taken. */
    int fullestStep() {
      int best = 0;
      for (int step = 1; step < steps; step++) {
        if (used[step].cardinality() > used[best].cardinality()) {
          best = step;
        }
      }
      return best;
    }

    /** Fills one step: each free stretch by a place that lasts as long as the stretch is free. */
    List<Place> fillStep(int step) {
      List<Place> places = new ArrayList<>();
      for (int[] stretch : freeStretches(step, step + 1)) {
        int start = earliest(step, 0, stretch[0], stretch[1]);
        int end = latest(step + 1, steps, stretch[0], stretch[1]);
        Place place = new Place(start, end, stretch[0], stretch[1]);
        take(place);
        places.add(place);
      }
      return places;
    }

    private int earliest(int start, int least, int low, int high) {
      int first = start;
      while (first > least && isFree(first - 1, first, low, high)) {
        first--;
      }
      return first;
    }

    private int latest(int end, int most, int low, int high) {
      int last = end;
      while (last < most && isFree(last, last + 1, low, high)) {
        last++;
      }
      return last;
    }

    private boolean isFree(int start, int end, int low, int high) {
      for (int step = start; step < end; step++) {
        int next = used[step].nextSetBit(low);
        if (next >= 0 && next < high) {
          return false;
        }
      }
      return true;
    }
  }
}
