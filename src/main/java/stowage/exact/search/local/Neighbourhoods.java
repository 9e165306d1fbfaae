package stowage.exact.search.local;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.exact.search.model.PrimitiveSort;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.tree.CanonicalSearch;
import stowage.exact.search.tree.Ranker;
import stowage.packing.RunControl;

/**
 * Large neighbourhoods with the canonical search inside: keeps part of a placement as it is, frees
 * the rest, and searches that at one below the peak with about a thousand nodes.
 *
 * <p>In half of the tries what is freed is closed upwards (with a buffer all that is above it), so
 * that what is kept stays supported and shows in the lowest offsets alone. In the others it is a
 * band in the order of offsets: of what is above, the order is kept, which then needs as much room
 * in every section as its tallest chain takes, and is stacked on the band in the end. A band in the
 * middle is small, where all above it would be most of the buffers, and so it is decided soon.
 * Where offsets are unconstrained the address axis is turned over at random.
 *
 * <p>Small parts are decided soon, either way; large ones mostly run out of nodes, but where one
 * succeeds much is arranged again, and a descent that was stuck moves on by a dozen steps at once.
 * So sizes are drawn from a wide range, searches are short, and a good part of them accepts the
 * same peak, to move sideways: many cheap tries find more than few thorough ones.
 */
public final class Neighbourhoods {
  /** Nodes of a try, and more of them for each buffer that it must place. */
  private static final long NODES_A_TRY = 1_000;

  private static final long NODES_A_BUFFER = 2;

  /** What a try costs in addition to its search, in nodes. */
  private static final long NODES_A_START = 10;

  /** The largest number of buffers freed at a time. */
  private static final int MOST_FREED = 2_000;

  /** Of so many tries ... */
  private static final int KINDS = 16;

  /** ... so many move sideways, and one goes for the target at once. */
  private static final int SIDEWAYS = 6;

  /** What is freed, as a share of the buffers. */
  private static final double LEAST_SHARE = 0.15;

  private static final double LARGEST_SHARE = 0.7;

  /** Of as many, so many free a band. */
  private static final int BANDS = 8;

  /** What a band frees, as a share of the buffers. */
  private static final double LEAST_BAND = 0.08;

  private static final double LARGEST_BAND = 0.25;

  /** Tries at one part of a kick: above the peak nearly every second one succeeds. */
  private static final int TRIES_A_PART = 50;

  private final SearchModel model;
  private final SplittableRandom random;
  private final CanonicalSearch lower;
  private final CanonicalSearch sideways;
  private final Ranker[] rankers;
  private final long[] lowest;

  /** The buffers freed, as bits. */
  private final long[] freed;

  private final int[] byOffset;

  /** Per section the height of what is kept above a band. */
  private final long[] above;

  private final StepProfile profile;
  private final boolean hasBands;

  /** From this place on in the order of offsets all is kept above the band. */
  private int top;

  private long tries;

  public Neighbourhoods(SearchModel model, RunControl control, long seed) {
    this.model = model;
    this.random = new SplittableRandom(seed);
    this.lower = new CanonicalSearch(model, control, true);
    this.sideways = new CanonicalSearch(model, control, true);
    this.rankers = Ranker.ofAll(model);
    this.lowest = new long[model.count];
    this.freed = new long[model.words];
    this.byOffset = new int[model.count];
    this.above = new long[model.sections];
    this.profile = new StepProfile(model.sections);
    boolean single = model.firstPiece[model.count] == model.count;
    this.hasBands = single && model.unconstrained && !model.problem.hasExtraConflicts();
  }

  /** Nodes so far. */
  public long nodes() {
    return lower.totalNodes() + sideways.totalNodes() + tries * NODES_A_START;
  }

  /** States found among the nogoods so far. */
  public long nogoodHits() {
    return lower.nogoodHits() + sideways.nogoodHits();
  }

  /**
   * Works for about so many nodes, or until the target is reached or the control ends it; changes a
   * placement to one that is no higher, and gives its peak.
   */
  public long improve(long[] offsets, long target, long nodes, RunControl control) {
    long end = nodes() + nodes;
    long peak = model.peak(offsets);
    while (nodes() < end && peak > target && !control.isStopped()) {
      peak = attempt(offsets, peak, target);
    }
    return peak;
  }

  /**
   * Arranges some parts again, where they may end higher than the placement does: from there other
   * placements are within reach.
   *
   * @param offsets a placement; changed to one that is no higher than the ceiling
   * @param ceiling no lower than the placement's peak; one too high to search is taken for it
   * @param parts how many parts, one after another
   * @return the peak of the new placement
   */
  public long perturb(long[] offsets, long ceiling, int parts, RunControl control) {
    long peak = model.peak(offsets);
    long capacity = sideways.representable(ceiling) ? ceiling : peak;
    for (int part = 0; part < parts; part++) {
      boolean arranged = false;
      for (int k = 0; k < TRIES_A_PART && !arranged && !control.isStopped(); k++) {
        arranged = attempt(offsets, peak, capacity, sideways);
      }
      peak = model.peak(offsets);
    }
    return peak;
  }

  private long attempt(long[] offsets, long peak, long target) {
    int kind = random.nextInt(KINDS);
    boolean arranged;
    if (kind < SIDEWAYS) {
      arranged = attempt(offsets, peak, peak, sideways);
    } else {
      arranged = attempt(offsets, peak, kind == SIDEWAYS ? target : peak - 1, lower);
    }
    return arranged ? model.peak(offsets) : peak;
  }

  /** Frees a part and searches it below a capacity; answers whether it was arranged again. */
  private boolean attempt(long[] offsets, long peak, long capacity, CanonicalSearch search) {
    tries++;
    if (model.unconstrained && random.nextInt(2) == 0) {
      for (int buffer = 0; buffer < model.count; buffer++) {
        offsets[buffer] = peak - offsets[buffer] - model.size[buffer];
      }
    }
    boolean isBand = hasBands && random.nextInt(KINDS) < BANDS;
    int[] members = isBand ? freeBand(offsets) : free(offsets);
    for (int buffer : members) {
      lowest[buffer] = bottom(buffer, offsets);
    }
    Ranker ranker = rankers[random.nextInt(rankers.length)];
    boolean reranking = random.nextInt(4) > 0;
    long limit = NODES_A_TRY + NODES_A_BUFFER * members.length;
    long[] room = isBand ? above : null;
    int answer = search.search(members, lowest, room, capacity, limit, ranker, reranking, null);
    if (answer != CanonicalSearch.FOUND) {
      return false;
    }
    for (int buffer : members) {
      offsets[buffer] = search.offsets()[buffer];
      keep(buffer);
    }
    for (int k = isBand ? top : byOffset.length; k < byOffset.length; k++) {
      int buffer = byOffset[k];
      offsets[buffer] = bottom(buffer, offsets);
      keep(buffer);
    }
    return true;
  }

  /**
   * Frees some buffers, and with each of them all that is above it: the highest ones, or those of a
   * window, where no bands do that with less.
   */
  private int[] free(long[] offsets) {
    double share = LEAST_SHARE + (LARGEST_SHARE - LEAST_SHARE) * random.nextDouble();
    int wanted = (int) Math.max(2, model.count * share);
    sort(offsets);
    if (hasBands || random.nextInt(2) == 0 || model.count > 2 * MOST_FREED) {
      int least = Math.max(0, byOffset.length - Math.min(wanted, MOST_FREED));
      for (int k = least; k < byOffset.length; k++) {
        free(byOffset[k]);
      }
    } else {
      freeWindow(wanted);
    }
    return IntStream.range(0, model.count)
        .filter(buffer -> (freed[buffer >> 6] >>> buffer & 1) != 0)
        .toArray();
  }

  private void sort(long[] offsets) {
    Arrays.fill(freed, 0);
    Arrays.setAll(byOffset, k -> k);
    PrimitiveSort.byKey(byOffset, byOffset.length, offsets);
  }

  /**
   * Frees some buffers from a place in the order of offsets on: all of them, or those within a
   * window of sections and what is above these. What comes later in the order stays above them.
   */
  private int[] freeBand(long[] offsets) {
    sort(offsets);
    double share = LEAST_BAND + (LARGEST_BAND - LEAST_BAND) * random.nextDouble();
    int[] members = new int[Math.min(MOST_FREED, (int) Math.max(2, model.count * share))];
    int width = random.nextBoolean() ? model.sections : 1 + random.nextInt(model.sections);
    int from = random.nextInt(model.sections - width + 1);
    int count = 0;
    top = random.nextInt(Math.max(1, model.count - members.length / 2));
    for (; top < byOffset.length && count < members.length; top++) {
      int buffer = byOffset[top];
      if (model.hullStart[buffer] >= from && model.hullEnd[buffer] <= from + width
          || isAbove(buffer)) {
        free(buffer);
        members[count++] = buffer;
      }
    }
    profile.clear();
    for (int k = byOffset.length - 1; k >= top; k--) {
      int buffer = byOffset[k];
      free(buffer);
      profile.pile(model.hullStart[buffer], model.hullEnd[buffer], model.size[buffer]);
    }
    Arrays.setAll(above, section -> profile.highest(section, section + 1));
    return Arrays.copyOf(members, count);
  }

  /** The lowest offset of a buffer above all that conflict with it and are not freed. */
  private long bottom(int buffer, long[] offsets) {
    long bottom = 0;
    for (int word = 0; word < freed.length; word++) {
      long kept = model.conflicts[buffer * freed.length + word] & ~freed[word];
      for (; kept != 0; kept &= kept - 1) {
        int other = (word << 6) + Long.numberOfTrailingZeros(kept);
        bottom = Math.max(bottom, offsets[other] + model.size[other]);
      }
    }
    return bottom;
  }

  /** Frees a window of sections widened until enough buffers are in it or above it. */
  private void freeWindow(int wanted) {
    int middle = random.nextInt(model.sections);
    int reach = 1;
    while (true) {
      int from = Math.max(0, middle - reach);
      int to = Math.min(model.sections, middle + reach);
      int count = 0;
      for (int buffer : byOffset) {
        if (model.hullStart[buffer] >= from && model.hullEnd[buffer] <= to || isAbove(buffer)) {
          free(buffer);
          count++;
        }
      }
      if (count >= wanted || from == 0 && to == model.sections) {
        return;
      }
      reach += 1 + reach / 2;
      Arrays.fill(freed, 0);
    }
  }

  private void free(int buffer) {
    freed[buffer >> 6] |= 1L << buffer;
  }

  private void keep(int buffer) {
    freed[buffer >> 6] &= ~(1L << buffer);
  }

  /** Whether a buffer conflicts with one that is freed. */
  private boolean isAbove(int buffer) {
    long common = 0;
    for (int word = 0; word < freed.length; word++) {
      common |= model.conflicts[buffer * freed.length + word] & freed[word];
    }
    return common != 0;
  }
}
