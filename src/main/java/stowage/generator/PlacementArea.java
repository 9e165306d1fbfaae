package stowage.generator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** An area of steps by units of memory, in which each unit of a step is free or taken. */
final class PlacementArea {
  private final int steps;
  private final int units;
  private final BitSet[] used;
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

  int steps() {
    return steps;
  }

  /** How much is taken, in units times steps. */
  long filled() {
    return filled;
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
   * A taken place, grown to one side over what is free there, at most to double its extent.
   *
   * @param side 0 earlier, 1 later, 2 down, 3 up
   */
  Place grown(Place place, int side) {
    int start = place.start();
    int end = place.end();
    int low = place.low();
    int high = place.high();
    switch (side) {
      case 0:
        int first = Math.max(0, start - (end - start));
        while (start > first && isFree(start - 1, start, low, high)) {
          start--;
        }
        break;
      case 1:
        int last = Math.min(steps, end + (end - start));
        while (end < last && isFree(end, end + 1, low, high)) {
          end++;
        }
        break;
      case 2:
        int bottom = Math.max(0, low - (high - low));
        while (low > bottom && isFree(start, end, low - 1, low)) {
          low--;
        }
        break;
      default:
        int top = Math.min(units, high + (high - low));
        while (high < top && isFree(start, end, high, high + 1)) {
          high++;
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
      int start = step;
      while (start > 0 && isFree(start - 1, start, stretch[0], stretch[1])) {
        start--;
      }
      int end = step + 1;
      while (end < steps && isFree(end, end + 1, stretch[0], stretch[1])) {
        end++;
      }
      Place place = new Place(start, end, stretch[0], stretch[1]);
      take(place);
      places.add(place);
    }
    return places;
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
