package stowage.exact.search;

import java.util.SplittableRandom;

/**
 * Large neighbourhoods with the canonical search inside: keeps part of a placement as it lies,
 * frees the rest, and searches that at one below the peak with a few thousand nodes.
 *
 * <p>What is freed is closed upwards (with a buffer all that lies above it), so that what is kept
 * stays supported and shows in the lowest offsets alone. Some tries accept the same peak, to move
 * sideways, and where offsets are unconstrained the address axis is turned over at random.
 */
final class NeighbourhoodWorker implements Worker {
  private static final long NODES_A_TRY = 4_000;

  /** The largest number of buffers freed at a time. */
  private static final int MOST_FREED = 2_000;

  private final SearchModel model;
  private final SplittableRandom random;
  private final CanonicalSearch lower;
  private final CanonicalSearch sideways;
  private final Ranker[] rankers;
  private final long[] lowest;
  private final boolean[] freed;
  private long[] current;
  private long[] origin;
  private long currentPeak;
  private double share = 0.6;
  private long tries;

  NeighbourhoodWorker(SearchModel model, SearchOptions options, SearchControl control, long seed) {
    this.model = model;
    this.random = new SplittableRandom(seed);
    this.lower = new CanonicalSearch(model, options, control);
    this.sideways = new CanonicalSearch(model, options, control);
    Ordering[] orderings = Ordering.values();
    this.rankers = new Ranker[orderings.length];
    for (int k = 0; k < rankers.length; k++) {
      rankers[k] = new Ranker(model, orderings[k]);
    }
    this.lowest = new long[model.count];
    this.freed = new boolean[model.count];
  }

  @Override
  public void advance(Board board, long nodes) {
    long end = nodes() + nodes;
    while (nodes() < end && !board.ended()) {
      long[] known = board.offsets();
      if (known == null) {
        return;
      }
      if (known != origin) {
        origin = known;
        current = known.clone();
        currentPeak = peak(current);
      }
      attempt(board);
    }
  }

  @Override
  public long nodes() {
    return lower.totalNodes() + sideways.totalNodes() + tries * 10;
  }

  @Override
  public long restarts() {
    return tries;
  }

  private void attempt(Board board) {
    tries++;
    if (model.plain && random.nextInt(2) == 0) {
      turnOver();
    }
    int[] members = free();
    if (members.length == 0) {
      return;
    }
    // Mostly one below; a quarter of the tries moves sideways, one in sixteen goes for the target.
    int kind = random.nextInt(16);
    CanonicalSearch search = kind < 4 ? sideways : lower;
    long capacity = kind < 4 ? currentPeak : kind == 4 ? board.target() : currentPeak - 1;
    Ranker ranker = rankers[random.nextInt(rankers.length)];
    int answer =
        search.search(members, lowest, capacity, NODES_A_TRY, ranker, random.nextInt(4) > 0, null);
    if (answer == CanonicalSearch.FOUND) {
      for (int buffer : members) {
        current[buffer] = search.offsets()[buffer];
      }
      long peak = peak(current);
      if (peak < currentPeak) {
        currentPeak = peak;
        board.offer(current, "neighbourhoods");
        origin = board.offsets();
      }
    } else if (answer == CanonicalSearch.STOPPED) {
      share = Math.max(0.2, share * 0.99);
    } else {
      share = Math.min(0.9, share * 1.002);
    }
  }

  private void turnOver() {
    for (int buffer = 0; buffer < model.count; buffer++) {
      current[buffer] = currentPeak - current[buffer] - model.size[buffer];
    }
  }

  /** Chooses what to free and computes the lowest offsets that what is kept leaves. */
  private int[] free() {
    java.util.Arrays.fill(freed, false);
    int wanted =
        (int) Math.max(2, model.count * Math.min(0.95, share * (0.6 + 0.8 * random.nextDouble())));
    int[] byOffset = new int[model.count];
    for (int k = 0; k < byOffset.length; k++) {
      byOffset[k] = k;
    }
    PrimitiveSort.byKey(byOffset, byOffset.length, current);
    if (random.nextInt(2) == 0 || model.count > 2 * MOST_FREED) {
      for (int k = byOffset.length - 1; k >= byOffset.length - wanted && k >= 0; k--) {
        freed[byOffset[k]] = true;
      }
    } else {
      freeWindow(byOffset, wanted);
    }
    int count = 0;
    for (boolean free : freed) {
      count += free ? 1 : 0;
    }
    int[] members = new int[count];
    count = 0;
    for (int buffer = 0; buffer < model.count; buffer++) {
      if (!freed[buffer]) {
        continue;
      }
      members[count++] = buffer;
      long bottom = 0;
      for (int other = 0; other < model.count; other++) {
        if (!freed[other] && model.conflict(buffer, other)) {
          bottom = Math.max(bottom, current[other] + model.size[other]);
        }
      }
      lowest[buffer] = bottom;
    }
    return members;
  }

  /** Frees a window of sections widened until enough buffers lie in it or above it. */
  private void freeWindow(int[] byOffset, int wanted) {
    int middle = random.nextInt(model.sections);
    int reach = 1;
    while (true) {
      int from = Math.max(0, middle - reach);
      int to = Math.min(model.sections, middle + reach);
      int count = 0;
      for (int k = 0; k < byOffset.length; k++) {
        int buffer = byOffset[k];
        boolean free = model.hullStart[buffer] >= from && model.hullEnd[buffer] <= to;
        for (int below = 0; below < k && !free; below++) {
          int other = byOffset[below];
          free = freed[other] && model.conflict(buffer, other);
        }
        freed[buffer] = free;
        count += free ? 1 : 0;
      }
      if (count >= wanted || from == 0 && to == model.sections) {
        return;
      }
      reach += 1 + reach / 2;
      java.util.Arrays.fill(freed, false);
    }
  }

  private long peak(long[] offsets) {
    long peak = 0;
    for (int buffer = 0; buffer < model.count; buffer++) {
      peak = Math.max(peak, offsets[buffer] + model.size[buffer]);
    }
    return peak;
  }
}
