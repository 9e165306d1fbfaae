package stowage.exact.search;

import java.util.Arrays;

/**
 * Decides whether all buffers fit below a capacity, by exhausting the canonical placements.
 *
 * <p>A placement is canonical when no buffer can be moved to a lower allowed offset by itself: each
 * lies at the bottom or, rounded up to what its constraints allow, on top of a conflicting buffer.
 * Every feasible placement becomes canonical by moving buffers down while any can be moved, so it
 * is enough to look at those. They are enumerated from the bottom to the top, in the frame of
 * Moffitt's MiniMalloc (ASPLOS 2023, doi 10.1145/3623278.3624752).
 *
 * <h2>States</h2>
 *
 * A state is a set U of unplaced buffers, each with a lowest offset L; its question is whether U
 * can be placed with every buffer at its L or above, below the capacity and without conflict. What
 * has been placed is contained in the L. The buffer c with the least (L, rank) has its turn, and
 * there are two cases:
 *
 * <ol>
 *   <li>c lies at L(c). Then it is placed, and its unplaced neighbours rise to its top: all others
 *       lie at L(c) or higher, so none fits below it.
 *   <li>c lies higher. In a canonical placement it then rests on a neighbour that is still
 *       unplaced, so L(c) rises to the least L(j) + size(j) over its unplaced neighbours j; the
 *       next buffer has its turn.
 * </ol>
 *
 * A state is a sub-problem of its own, and all prunes are argued within it: if it has a solution,
 * it has one of least sum of offsets, and no prune cuts that off. This is why they may be combined,
 * why a failed state may be remembered by (U, L) alone, and why ranks may change from state to
 * state.
 *
 * <h2>A worked example</h2>
 *
 * <pre>
 *   section  0 1 2      capacity 5; a: size 2 in [0, 2), b: size 3 in [1, 3), d: size 2 in [2, 3).
 *   a        # #        Loads 2, 5, 5. All L are 0; let the ranks be a, b, d.
 *   b          # #      Place a at 0: b rises to 2. Release dates in section 2: d at 0..2, b at 2..5,
 *   d            #      which fits. Place d at 0: b stays at 2 and rests on both. Place b at 2. Done.
 * </pre>
 *
 * With capacity 4 the first state fails at once: section 1 holds 5. Had a been placed above b, it
 * would have had to rise to 3, the top of b, its only neighbour.
 *
 * <h2>Cost</h2>
 *
 * A node copies the keys of the unplaced buffers, merges the raised ones into their order and makes
 * one pass over (buffer, section) pairs: O(sum of widths), 1 to 10 microseconds for a few hundred
 * buffers, without allocation. The arena of keys takes up to 4 n^2 bytes.
 *
 * <p>Not safe for use by several threads.
 */
final class CanonicalSearch {
  /** The state has no solution. */
  static final int FAILED = 0;

  /** A placement was found; see {@link #offsets()}. */
  static final int FOUND = 1;

  /** The node limit or the control ended the search. */
  static final int STOPPED = -1;

  private static final int POLL_MASK = 63;

  /** So that shares of work end even where every search fails at once. */
  private static final int NODES_A_START = 16;

  private final SearchModel model;
  private final SearchOptions options;
  private final SearchControl control;
  private final NogoodTable nogoods;

  // A key holds, from the top: lowest offset, rank, buffer, and whether it was lifted without
  // support.
  private final int bits;
  private final int offsetShift;
  private final int rankShift;
  private final int bufferMask;
  private final long lowMask;

  private final long[] saltHigh;
  private final long[] saltLow;
  private final long[] height;
  private final int[] narrowHeight;
  private final boolean single;

  /** Start, end, size and next row of each piece; the first pieces lie at four times the buffer. */
  private final int[] pieceRows;

  private final int[] crossing;
  private final int[] partOfSection;
  private final long[] raised;
  private final int[] buffers;
  private final int[] rank;
  private final long[] offset;

  private long[] keys = new long[1024];
  private int[] parts = new int[64];
  private int partsUsed;

  private Ranker ranker;
  private boolean rerank;
  private FailureWeights failures;
  private long capacity;
  private long nogoodCapacity = -1;
  private long nextCapacity = Long.MAX_VALUE;

  /** Part of every state's hash; differs where nogoods of before are not valid any more. */
  private long generation;

  private long nodeLimit;

  /** Whether schedules fit into ints: none ends above the capacity plus a section's load. */
  private boolean narrow;

  private int lastFailed = -1;
  private long nodes;
  private long totalNodes;
  private long nogoodHits;
  private long polls;

  /** Sum of the hashes of the child made last. */
  private long childHigh;

  private long childLow;

  /** Whether a lift is being checked: its failures teach little, since its alternatives failed. */
  private boolean lifting;

  /** Sections whose schedule the child made last may have changed. */
  private int changedStart;

  private int changedEnd;

  CanonicalSearch(SearchModel model, SearchOptions options, SearchControl control) {
    this.model = model;
    this.options = options;
    this.control = control;
    this.nogoods = new NogoodTable(1 << 20);
    this.bits = Math.max(1, 32 - Integer.numberOfLeadingZeros(Math.max(1, model.count - 1)));
    this.offsetShift = 2 * bits + 1;
    this.rankShift = bits + 1;
    this.bufferMask = (1 << bits) - 1;
    this.lowMask = (1L << offsetShift) - 1;
    this.saltHigh = new long[model.count];
    this.saltLow = new long[model.count];
    for (int buffer = 0; buffer < model.count; buffer++) {
      saltHigh[buffer] = mix(0x9e3779b97f4a7c15L * (2 * buffer + 1));
      saltLow[buffer] = mix(0xd1b54a32d192ed03L * (2 * buffer + 2));
    }
    this.height = new long[model.sections];
    this.pieceRows = pieceRows(model);
    this.narrowHeight = new int[model.sections];
    this.single = model.pieceStart.length == model.count;
    this.crossing = new int[model.sections + 1];
    this.partOfSection = new int[model.sections + 1];
    this.raised = new long[model.count];
    this.buffers = new int[model.count];
    this.rank = new int[model.count];
    this.offset = new long[model.count];
  }

  /**
   * Whether a capacity can be searched at all: offsets must fit into a key beside rank and buffer.
   *
   * @param units the capacity in units of the model
   */
  boolean representable(long units) {
    return units < 1L << 62 - offsetShift;
  }

  /**
   * Searches for a placement of some buffers, no two of them conflicting with others outside.
   *
   * @param members the buffers; their number is the length of the array
   * @param lowest for every buffer of the model the offset from which on it may lie, in units
   * @param capacityUnits the capacity in units of the model
   * @param limit the number of nodes after which to give up
   * @param newRanker the ranks to use
   * @param weights where to count failures, or null
   * @return {@link #FOUND}, {@link #FAILED} (proven), or {@link #STOPPED}
   */
  int search(
      int[] members,
      long[] lowest,
      long capacityUnits,
      long limit,
      Ranker newRanker,
      boolean reranking,
      FailureWeights weights) {
    this.ranker = newRanker;
    this.rerank = reranking && newRanker.dynamic();
    this.failures = weights;
    this.capacity = capacityUnits;
    this.narrow = capacityUnits + model.maxLoad < Integer.MAX_VALUE;
    this.lastFailed = -1;
    if (capacityUnits > nogoodCapacity) {
      // What failed below may fit now: from here on every state has another hash.
      generation += 0x9e3779b97f4a7c15L;
      nextCapacity = Long.MAX_VALUE;
    }
    nogoodCapacity = capacityUnits;
    this.nodeLimit = limit;
    this.nodes = 0;
    totalNodes += NODES_A_START;
    this.partsUsed = 0;
    int count = members.length;
    if (count == 0) {
      return FOUND;
    }
    reserve(count);
    for (int k = 0; k < count; k++) {
      int buffer = members[k];
      long low = model.roundUp(buffer, lowest[buffer]);
      if (low < 0) {
        return FAILED;
      }
      if (low > capacity - model.size[buffer]) {
        failed(low + model.size[buffer]);
        return FAILED;
      }
      keys[k] = low << offsetShift | (long) buffer << 1;
      buffers[k] = buffer;
    }
    applyRanks(0, count);
    Arrays.fill(crossing, 0);
    for (int k = 0; k < count; k++) {
      cross(members[k], 1);
    }
    if (!fits(0, count, 0, model.sections)) {
      return FAILED;
    }
    int result = exploreParts(0, count, 0, model.sections, 0, 0);
    totalNodes += nodes;
    return result;
  }

  /** The placement found last, in units, at the index of each member. */
  long[] offsets() {
    return offset;
  }

  /**
   * The least capacity that some failure since the nogoods were last cleared asked for. After
   * {@link #FAILED} no lower capacity has a placement: the search would fail in the same places.
   *
   * @return units, {@link Long#MAX_VALUE} where no capacity would do
   */
  long nextCapacity() {
    return nextCapacity;
  }

  /** Nodes of the last search. */
  long nodes() {
    return nodes;
  }

  /** Nodes of all searches; beginning one counts as a few. */
  long totalNodes() {
    return totalNodes;
  }

  /** States found among the nogoods. */
  long nogoodHits() {
    return nogoodHits;
  }

  /** Explores the state whose sorted keys lie at {@code [base, base + count)}. */
  private int explore(int base, int count, long high, long low) {
    if (count == 1) {
      long key = keys[base];
      offset[(int) key >> 1 & bufferMask] = key >>> offsetShift;
      return FOUND;
    }
    if (++nodes > nodeLimit || (++polls & POLL_MASK) == 0 && control.ended()) {
      return STOPPED;
    }
    if (options.nogoods() && nogoods.contains(high, low)) {
      nogoodHits++;
      return FAILED;
    }
    long lowestTop = options.dominance() ? lowestTop(base, count) : Long.MAX_VALUE;
    long stateHigh = high;
    long stateLow = low;
    while (true) {
      long key = keys[base];
      long bottom = key >>> offsetShift;
      if (bottom >= lowestTop) {
        break;
      }
      if ((key & 1) == 0) {
        int result = tryFirst(base, count, stateHigh, stateLow);
        if (result != FAILED) {
          return result;
        }
        if (hatless) {
          break;
        }
      }
      long lifted = liftFirst(base, count);
      if (lifted < 0) {
        break;
      }
      int buffer = (int) key >> 1 & bufferMask;
      stateHigh += hashHigh(lifted) - hashHigh(key);
      stateLow += hashLow(lifted) - hashLow(key);
      lifting = true;
      boolean fits = fits(base, count, model.hullStart[buffer], model.hullEnd[buffer]);
      lifting = false;
      if (!fits) {
        break;
      }
      if (options.nogoods() && nogoods.contains(stateHigh, stateLow)) {
        nogoodHits++;
        break;
      }
    }
    if (options.nogoods()) {
      nogoods.add(high, low);
    }
    return FAILED;
  }

  /** Whether the buffer tried last raised no neighbour: then it need not be tried elsewhere. */
  private boolean hatless;

  /** Places the first buffer of a state at its lowest offset and explores what is left. */
  private int tryFirst(int base, int count, long high, long low) {
    long key = keys[base];
    int buffer = (int) key >> 1 & bufferMask;
    int child = base + count;
    int raisedCount = makeChild(base, count, high, low);
    hatless = raisedCount == 0 && options.hatless();
    if (raisedCount < 0) {
      hatless = false;
      return FAILED;
    }
    if (raisedCount > 0 && !fits(child, count - 1, changedStart, changedEnd)) {
      return FAILED;
    }
    boolean noHat = hatless;
    boolean cut = cross(buffer, -1);
    int result;
    if (cut && options.decomposition()) {
      result =
          exploreParts(
              child,
              count - 1,
              model.spanStart[buffer],
              model.spanEnd[buffer],
              childHigh,
              childLow);
    } else {
      result = explore(child, count - 1, childHigh, childLow);
    }
    if (result == FOUND) {
      offset[buffer] = key >>> offsetShift;
    }
    // Even after success: another part of the same cut may fail, and all this be tried again.
    cross(buffer, 1);
    hatless = noHat;
    return result;
  }

  /**
   * Writes the keys of the state without its first buffer behind it, its neighbours raised to its
   * top.
   *
   * @return how many were raised, or -1 where one of them is pushed out of the memory
   */
  private int makeChild(int base, int count, long high, long low) {
    reserve(base + 2 * count);
    long[] arena = keys;
    long first = arena[base];
    int placed = (int) first >> 1 & bufferMask;
    long top = (first >>> offsetShift) + model.size[placed];
    long[] conflicts = model.conflicts;
    int row = placed * model.words;
    int end = base + count;
    int kept = end;
    int lifted = 0;
    int from = model.hullStart[placed];
    int to = model.hullEnd[placed];
    long sumHigh = high - hashHigh(first);
    long sumLow = low - hashLow(first);
    for (int k = base + 1; k < end; k++) {
      long key = arena[k];
      int buffer = (int) key >> 1 & bufferMask;
      long bottom = key >>> offsetShift;
      boolean free = bottom >= top && (key & 1) == 0;
      if (free || (conflicts[row + (buffer >> 6)] >>> buffer & 1) == 0) {
        arena[kept++] = key;
        continue;
      }
      long rise = model.roundUp(buffer, top);
      if (bottom >= top && rise < bottom) {
        arena[kept++] = key;
        continue;
      }
      if (rise < 0 || rise > capacity - model.size[buffer]) {
        if (rise >= 0) {
          failed(rise + model.size[buffer]);
        }
        if (failures != null) {
          failures.count(buffer);
        }
        return -1;
      }
      long changed = rise << offsetShift | key & lowMask - 1;
      sumHigh += hashHigh(changed) - hashHigh(key);
      sumLow += hashLow(changed) - hashLow(key);
      if (rise == bottom) {
        arena[kept++] = changed;
        continue;
      }
      from = Math.min(from, model.hullStart[buffer]);
      to = Math.max(to, model.hullEnd[buffer]);
      int place = lifted++;
      while (place > 0 && raised[place - 1] > changed) {
        raised[place] = raised[place - 1];
        place--;
      }
      raised[place] = changed;
    }
    int left = kept - 1;
    int next = lifted - 1;
    for (int target = kept + lifted - 1; next >= 0; target--) {
      arena[target] = left >= end && arena[left] > raised[next] ? arena[left--] : raised[next--];
    }
    childHigh = sumHigh;
    childLow = sumLow;
    changedStart = from;
    changedEnd = to;
    return lifted;
  }

  /**
   * Lifts the first buffer of a state onto the lowest top of an unplaced neighbour and moves it to
   * its new place.
   *
   * @return its new key, or -1 where it has nothing to rest on or is lifted out of the memory
   */
  private long liftFirst(int base, int count) {
    long[] arena = keys;
    long first = arena[base];
    int lifted = (int) first >> 1 & bufferMask;
    int row = lifted * model.words;
    long bottom = first >>> offsetShift;
    long support = Long.MAX_VALUE;
    for (int k = base + 1; k < base + count; k++) {
      long key = arena[k];
      long other = key >>> offsetShift;
      if (other >= support) {
        break;
      }
      int buffer = (int) key >> 1 & bufferMask;
      if ((model.conflicts[row + (buffer >> 6)] >>> buffer & 1) != 0 || !options.skipLifting()) {
        support = Math.min(support, other + model.size[buffer]);
      }
    }
    if (support == Long.MAX_VALUE) {
      return -1;
    }
    long rise = model.roundUp(lifted, Math.max(support, bottom + 1));
    if (rise < 0) {
      return -1;
    }
    if (rise > capacity - model.size[lifted]) {
      failed(rise + model.size[lifted]);
      return -1;
    }
    long flag = options.relifting() && options.skipLifting() ? 1 : 0;
    long key = rise << offsetShift | first & lowMask - 1 | flag;
    int place = base;
    while (place + 1 < base + count && arena[place + 1] < key) {
      arena[place] = arena[place + 1];
      place++;
    }
    arena[place] = key;
    return key;
  }

  /** Cuts a state where nothing crosses, within the given sections, and explores the parts. */
  private int exploreParts(int base, int count, int start, int end, long high, long low) {
    int part = 0;
    partOfSection[start] = 0;
    for (int section = start + 1; section < end; section++) {
      if (crossing[section] == 0 && options.decomposition()) {
        part++;
      }
      partOfSection[section] = part;
    }
    int last = part;
    int firstPart = partsUsed;
    int target = base + count;
    reserve(base + 2 * count);
    for (part = 0; part <= last; part++) {
      int from = target;
      for (int k = base; k < base + count; k++) {
        int buffer = (int) keys[k] >> 1 & bufferMask;
        int at = model.spanStart[buffer];
        if ((at < start ? 0 : at >= end ? last : partOfSection[at]) == part) {
          keys[target++] = keys[k];
        }
      }
      if (target > from) {
        if (partsUsed + 2 > parts.length) {
          parts = Arrays.copyOf(parts, 2 * parts.length);
        }
        parts[partsUsed++] = from;
        parts[partsUsed++] = target - from;
      }
    }
    int endPart = partsUsed;
    int result = FOUND;
    if (endPart - firstPart == 2 && high != 0) {
      result = explore(base, count, high, low);
    } else {
      // Small parts first: they are refuted soonest.
      for (int size = 1, left = count;
          left > 0 && result == FOUND;
          size = nextSize(firstPart, endPart, size)) {
        for (int p = firstPart; p < endPart && result == FOUND; p += 2) {
          if (parts[p + 1] == size) {
            result = explorePart(parts[p], size, target);
            left -= size;
          }
        }
      }
    }
    partsUsed = firstPart;
    return result;
  }

  private int nextSize(int firstPart, int endPart, int size) {
    int next = Integer.MAX_VALUE;
    for (int p = firstPart; p < endPart; p += 2) {
      if (parts[p + 1] > size) {
        next = Math.min(next, parts[p + 1]);
      }
    }
    return next;
  }

  private int explorePart(int from, int count, int free) {
    reserve(free + count);
    System.arraycopy(keys, from, keys, free, count);
    if (rerank && count > 2) {
      for (int k = 0; k < count; k++) {
        buffers[k] = (int) keys[free + k] >> 1 & bufferMask;
      }
      applyRanks(free, count);
    }
    long high = generation;
    long low = 0;
    for (int k = free; k < free + count; k++) {
      high += hashHigh(keys[k]);
      low += hashLow(keys[k]);
    }
    return explore(free, count, high, low);
  }

  /** Ranks the buffers at {@code buffers[0, count)} anew and sorts their keys. */
  private void applyRanks(int base, int count) {
    ranker.rank(buffers, count, rank);
    long others = ~((1L << bits) - 1 << rankShift);
    for (int k = base; k < base + count; k++) {
      int buffer = (int) keys[k] >> 1 & bufferMask;
      keys[k] = keys[k] & others | (long) rank[buffer] << rankShift;
    }
    Arrays.sort(keys, base, base + count);
  }

  /** Whether the schedule by release dates of every section in {@code [from, to)} ends in time. */
  private boolean fits(int base, int count, int from, int to) {
    if (!options.releaseDates() || from >= to) {
      return true;
    }
    if (lastFailed >= from && lastFailed < to && scheduleOne(base, count, lastFailed) > capacity) {
      return fail(base, count, lastFailed, scheduleOne(base, count, lastFailed));
    }
    int worst =
        narrow ? scheduleNarrow(base, count, from, to) : scheduleWide(base, count, from, to);
    if (worst < 0) {
      return true;
    }
    lastFailed = worst;
    return fail(base, count, worst, narrow ? narrowHeight[worst] : height[worst]);
  }

  private boolean fail(int base, int count, int section, long needed) {
    failed(needed);
    if (failures != null && !lifting) {
      countFailures(base, count, section);
    }
    return false;
  }

  /** The end of one section's schedule: most failures repeat the one before. */
  private long scheduleOne(int base, int count, int section) {
    long top = 0;
    for (int k = base; k < base + count; k++) {
      long key = keys[k];
      int buffer = (int) key >> 1 & bufferMask;
      if (section >= model.hullStart[buffer] && section < model.hullEnd[buffer]) {
        if (!single && !live(buffer, section)) {
          continue;
        }
        top = Math.max(top, key >>> offsetShift) + model.size[buffer];
      }
    }
    return top;
  }

  /** The section whose schedule ends last above the capacity, or -1. */
  private int scheduleWide(int base, int count, int from, int to) {
    long[] arena = keys;
    long[] top = height;
    Arrays.fill(top, from, to, 0);
    for (int k = base; k < base + count; k++) {
      long key = arena[k];
      int buffer = (int) key >> 1 & bufferMask;
      long release = key >>> offsetShift;
      long length = model.size[buffer];
      for (int piece = model.firstPiece[buffer]; piece < model.firstPiece[buffer + 1]; piece++) {
        int end = Math.min(to, model.pieceEnd[piece]);
        for (int section = Math.max(from, model.pieceStart[piece]); section < end; section++) {
          top[section] = Math.max(top[section], release) + length;
        }
      }
    }
    int worst = -1;
    long highest = capacity;
    for (int section = from; section < to; section++) {
      if (top[section] > highest) {
        highest = top[section];
        worst = section;
      }
    }
    return worst;
  }

  /** The same in ints, which the compiler turns into vector instructions. */
  private int scheduleNarrow(int base, int count, int from, int to) {
    long[] arena = keys;
    int[] top = narrowHeight;
    int[] rows = pieceRows;
    Arrays.fill(top, from, to, 0);
    for (int k = base; k < base + count; k++) {
      long key = arena[k];
      int row = ((int) key >> 1 & bufferMask) << 2;
      int release = (int) (key >>> offsetShift);
      do {
        int start = Math.max(from, rows[row]);
        int end = Math.min(to, rows[row + 1]);
        int length = rows[row + 2];
        for (int section = start; section < end; section++) {
          top[section] = Math.max(top[section], release) + length;
        }
        row = rows[row + 3];
      } while (row != 0);
    }
    int worst = -1;
    int highest = (int) capacity;
    for (int section = from; section < to; section++) {
      if (top[section] > highest) {
        highest = top[section];
        worst = section;
      }
    }
    return worst;
  }

  /** Notes that a state has failed for all capacities below the one given. */
  private void failed(long needed) {
    nextCapacity = Math.min(nextCapacity, needed);
  }

  private void countFailures(int base, int count, int section) {
    for (int k = base; k < base + count; k++) {
      int buffer = (int) keys[k] >> 1 & bufferMask;
      if (live(buffer, section)) {
        failures.count(buffer);
      }
    }
  }

  private static int[] pieceRows(SearchModel model) {
    int[] rows = new int[4 * (model.count + model.pieceStart.length)];
    int free = 4 * model.count;
    for (int buffer = 0; buffer < model.count; buffer++) {
      int row = 4 * buffer;
      for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
        rows[row] = model.pieceStart[p];
        rows[row + 1] = model.pieceEnd[p];
        rows[row + 2] = (int) model.size[buffer];
        if (p + 1 < model.firstPiece[buffer + 1]) {
          rows[row + 3] = free;
          row = free;
          free += 4;
        }
      }
    }
    return rows;
  }

  private boolean live(int buffer, int section) {
    for (int p = model.firstPiece[buffer]; p < model.firstPiece[buffer + 1]; p++) {
      if (model.pieceStart[p] <= section && section < model.pieceEnd[p]) {
        return true;
      }
    }
    return false;
  }

  private long lowestTop(int base, int count) {
    long lowest = Long.MAX_VALUE;
    for (int k = base; k < base + count; k++) {
      long bottom = keys[k] >>> offsetShift;
      if (bottom >= lowest) {
        break;
      }
      lowest = Math.min(lowest, bottom + model.size[(int) keys[k] >> 1 & bufferMask]);
    }
    return lowest;
  }

  /**
   * Counts a buffer in or out at the borders between the sections of its span.
   *
   * @return whether some border is crossed by nothing any more
   */
  private boolean cross(int buffer, int step) {
    boolean free = false;
    int end = model.spanEnd[buffer];
    for (int border = model.spanStart[buffer] + 1; border < end; border++) {
      free |= (crossing[border] += step) == 0;
    }
    return free;
  }

  private void reserve(int length) {
    if (length > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(length, 2 * keys.length));
    }
  }

  private long hashHigh(long key) {
    int buffer = (int) key >> 1 & bufferMask;
    return mix((key >>> offsetShift << 1 | key & 1) * 0x9e3779b97f4a7c15L + saltHigh[buffer]);
  }

  private long hashLow(long key) {
    int buffer = (int) key >> 1 & bufferMask;
    return mix((key >>> offsetShift << 1 | key & 1) * 0xc2b2ae3d27d4eb4fL ^ saltLow[buffer]);
  }

  private static long mix(long value) {
    value = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    value = (value ^ value >>> 27) * 0x94d049bb133111ebL;
    return value ^ value >>> 31;
  }
}
