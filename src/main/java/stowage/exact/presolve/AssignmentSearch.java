package stowage.exact.presolve;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A local search for a spread of a part's buffers over memories with all loads within limits.
 *
 * <p>At a section whose load is above its memory's limit, one of the buffers there moves to another
 * memory: the move after which least is above the limits, summed over sections and memories. A
 * buffer that moved stays for some moves, unless less is above than ever before (tabu search,
 * Glover, doi 10.1287/ijoc.1.3.190). Sizes count as rounded up to the alignment, which is what they
 * take in a stack. Loads within the limits do not mean that there is a placement.
 *
 * <p>A move takes O(sections * memories + buffers alive there * their lengths).
 */
public final class AssignmentSearch {
  private static final int LEAST_STAY = 3;
  private static final int MOST_STAY = 12;

  private final Component part;
  private final SplittableRandom random;
  private final int[] places;
  private final long[][] load;

  private final int[][] movable;

  private final long[] staysUntil;
  private long moves;

  /** A search from a memory of each buffer; for null from the first that each may be in. */
  public AssignmentSearch(Component part, int[] start, long seed) {
    this.part = part;
    this.random = new SplittableRandom(seed);
    this.places = new int[part.count()];
    this.load = new long[part.memories()][part.sections()];
    this.staysUntil = new long[part.count()];
    int[] owner = part.spanOwners();
    this.movable = part.spansBySection();
    for (int s = 0; s < movable.length; s++) {
      movable[s] =
          Arrays.stream(movable[s])
              .map(span -> owner[span])
              .filter(i -> Long.bitCount(part.allowed(i)) > 1)
              .toArray();
    }
    for (int i = 0; i < part.count(); i++) {
      places[i] = start == null ? Long.numberOfTrailingZeros(part.allowed(i)) : start[i];
      add(i, places[i], 1);
    }
  }

  /** How many buffers may be in more than one memory. */
  public static int choices(Component part) {
    return (int)
        IntStream.range(0, part.count()).filter(i -> Long.bitCount(part.allowed(i)) > 1).count();
  }

  /** Moves buffers, at most so often, until every load is within its memory's limit in units. */
  public boolean settle(long[] limits, long most, BooleanSupplier stop) {
    long above = 0;
    for (int memory = 0; memory < load.length; memory++) {
      for (long here : load[memory]) {
        above += Math.max(0, here - limits[memory]);
      }
    }
    long least = above;
    for (long end = moves + most; above > 0 && moves < end; moves++) {
      if ((moves & 63) == 0 && stop.getAsBoolean()) {
        return false;
      }
      above += move(limits, above, least);
      least = Math.min(least, above);
    }
    return above == 0;
  }

  /** The memory of each buffer; a copy. */
  public int[] places() {
    return places.clone();
  }

  /** Makes the best move at some section above its limit; answers by how much more is above. */
  private long move(long[] limits, long above, long least) {
    int seen = 0;
    int from = -1;
    int section = -1;
    for (int memory = 0; memory < load.length; memory++) {
      for (int s = 0; s < load[memory].length; s++) {
        if (load[memory][s] > limits[memory] && random.nextInt(++seen) == 0) {
          from = memory;
          section = s;
        }
      }
    }
    long best = Long.MAX_VALUE;
    int moved = -1;
    int target = -1;
    int equals = 0;
    for (int i : movable[section]) {
      for (int to = 0; places[i] == from && to < load.length; to++) {
        if (to == from || !part.allows(i, to)) {
          continue;
        }
        long change = change(i, from, -1, limits) + change(i, to, 1, limits);
        boolean stays = staysUntil[i] > moves && above + change >= least;
        if (stays || change > best) {
          continue;
        }
        equals = change < best ? 1 : equals + 1;
        best = change;
        if (random.nextInt(equals) == 0) {
          moved = i;
          target = to;
        }
      }
    }
    if (moved < 0) {
      return 0;
    }
    add(moved, from, -1);
    add(moved, target, 1);
    places[moved] = target;
    staysUntil[moved] = moves + random.nextInt(LEAST_STAY, MOST_STAY);
    return best;
  }

  private long height(int buffer, int span, int memory) {
    long alignment = Math.max(1, part.alignment(buffer, memory));
    long height = part.spanHighs()[span] - part.spanLows()[span];
    return (height + alignment - 1) / alignment * alignment;
  }

  /** By how much more is above a memory's limit with a buffer added or taken away. */
  private long change(int buffer, int memory, int sign, long[] limits) {
    long change = 0;
    for (int span = part.firstSpans()[buffer]; span < part.firstSpans()[buffer + 1]; span++) {
      long height = sign * height(buffer, span, memory);
      for (int s = part.spanStarts()[span]; s < part.spanEnds()[span]; s++) {
        long over = load[memory][s] - limits[memory];
        change += Math.max(0, over + height) - Math.max(0, over);
      }
    }
    return change;
  }

  private void add(int buffer, int memory, int sign) {
    for (int span = part.firstSpans()[buffer]; span < part.firstSpans()[buffer + 1]; span++) {
      long height = sign * height(buffer, span, memory);
      for (int s = part.spanStarts()[span]; s < part.spanEnds()[span]; s++) {
        load[memory][s] += height;
      }
    }
  }
}
