package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * Placement of one stretch of steps after the other, for problems in which few buffers live across
 * the cuts between them: placed buffers keep their addresses, and where a stretch does not fit, the
 * one before it is placed again, with the largest buffer that outlives it at another address.
 *
 * <p>Stretches are small, so that each takes a moment. The search is depth first and ends after a
 * number of placements.
 */
public final class TurnPlacer {
  private static final int MOST_TRIES = 80;

  private static final long ANYWHERE = -1;

  private final PackingProblem problem;
  private final int[] cuts;
  private final long capacity;
  private final Function<PackingProblem, Placement> placed;
  private final BooleanSupplier isOver;

  /** By buffer where it is; -1 for not yet. */
  private final long[] offsets;

  private int tries;

  /**
   * A placer.
   *
   * @param cuts first steps of all stretches but the first, rising
   * @param placed places a stretch's buffers, some given, within the capacity; null if it cannot
   */
  public TurnPlacer(
      PackingProblem problem,
      int[] cuts,
      long capacity,
      Function<PackingProblem, Placement> placed,
      BooleanSupplier isOver) {
    this.problem = problem;
    this.cuts = cuts.clone();
    this.capacity = capacity;
    this.placed = placed;
    this.isOver = isOver;
    this.offsets = new long[problem.size()];
    Arrays.fill(offsets, ANYWHERE);
  }

  /** A placement within the capacity; null where none is found. */
  public Placement placement() {
    return place(0) ? Placement.of(offsets) : null;
  }

  private boolean place(int turn) {
    if (turn > cuts.length) {
      return true;
    }
    int from = turn == 0 ? Integer.MIN_VALUE : cuts[turn - 1];
    int to = turn == cuts.length ? Integer.MAX_VALUE : cuts[turn];
    int[] own =
        IntStream.range(0, problem.size())
            .filter(b -> problem.buffer(b).live().start() < to || turn == cuts.length)
            .filter(b -> problem.buffer(b).live().end() > from || turn == 0)
            .toArray();
    int[] open = Arrays.stream(own).filter(b -> offsets[b] < 0).toArray();
    int leaving = -1;
    for (int b : open) {
      boolean lives = problem.buffer(b).live().end() > to;
      boolean larger = leaving < 0 || problem.buffer(b).size() > problem.buffer(leaving).size();
      leaving = lives && larger ? b : leaving;
    }
    List<Long> places = new ArrayList<>(List.of(ANYWHERE));
    if (leaving >= 0) {
      long most = capacity - problem.buffer(leaving).size();
      places.add(0, 0L);
      places.add(0, problem.roundDown(leaving, 0, Math.max(0, most)));
    }
    for (long at : places) {
      if (isOver.getAsBoolean() || tries++ > MOST_TRIES) {
        return false;
      }
      Placement found = placed.apply(stretch(own, leaving, at));
      if (found == null) {
        continue;
      }
      for (int k = 0; k < own.length; k++) {
        offsets[own[k]] = found.offset(k);
      }
      if (place(turn + 1)) {
        return true;
      }
      for (int b : open) {
        offsets[b] = ANYWHERE;
      }
    }
    return false;
  }

  /** The buffers of a stretch, those that are placed and one that leaves it at their places. */
  private PackingProblem stretch(int[] own, int leaving, long at) {
    PackingProblem chosen = problem.select(own);
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < own.length; k++) {
      long offset = own[k] == leaving && offsets[own[k]] < 0 ? at : offsets[own[k]];
      Buffer buffer = chosen.buffer(k);
      buffers.add(offset < 0 ? buffer : buffer.withFixedOffset(offset));
    }
    return chosen.withBuffers(buffers).withCapacity(0, capacity);
  }
}
