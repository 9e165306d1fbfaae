package stowage.exact.search.tree;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import stowage.exact.search.model.FailureWeights;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Search that decides whether all buffers fit below a capacity, by exhausting the canonical
 * placements.
 *
 * <p>A placement is canonical when no buffer can be moved to a lower allowed offset by itself: each
 * is at the bottom or, rounded up to what its constraints allow, on top of a conflicting buffer.
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
 *   <li>c is at L(c). Then it is placed, and its unplaced neighbours rise to its top: all others
 *       are at L(c) or higher, so none fits below it.
 *   <li>c is higher. In a canonical placement it then rests on a neighbour that is still unplaced,
 *       so L(c) rises to the least L(j) + size(j) over its unplaced neighbours j; the next buffer
 *       has its turn.
 * </ol>
 *
 * A state is a sub-problem of its own, and all prunes are argued within it: if it has a solution,
 * it has one of least sum of offsets, and no prune cuts that off. So they may be combined, a failed
 * state may be remembered by (U, L) alone, and ranks may change from state to state.
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
 * A node copies the keys of the unplaced buffers, moves the raised ones to their place in the order
 * of offsets, and looks at the sections whose schedule may have become too long ({@link
 * ReleaseDateBound}): a few microseconds for a few hundred buffers, without allocation. The arena
 * of keys takes up to 4 n^2 bytes.
 *
 * <p>Not safe for use by several threads.
 */
public final class CanonicalSearch {
  /** The state has no solution. */
  public static final int FAILED = 0;

  /** A placement was found; see {@link #offsets()}. */
  public static final int FOUND = 1;

  /** The node limit or the control ended the search. */
  static final int STOPPED = -1;

  private static final int POLL_MASK = 63;

  private static final int MOST_NOGOODS = 1 << 20;
  private static final int MOST_NOGOODS_OF_BRIEF = 1 << 14;

  /** So that shares of work end even where every search fails at once. */
  private static final int NODES_A_START = 16;

  private final SearchModel model;
  private final RunControl control;
  private final StateKeys layout;
  private final StateHash hash;
  private final ReleaseDateBound bound;
  private final TimeCuts cuts;
  private final NogoodTable nogoods;
  private final StateArena states;

  private final boolean bounding;
  private final boolean relifting;
  private final boolean remembering;
  private final boolean dominance;
  private final boolean hatlessCut;
  private final boolean decomposing;

  private final int[] buffers;
  private final int[] rank;
  private final long[] offset;

  /** Of the parts of a state that wait: their number of keys, above where these begin. */
  private long[] parts = new long[64];

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
  private long nodes;
  private long totalNodes;
  private long polls;

  /** Whether the buffer tried last raised no neighbour: then it need not be tried elsewhere. */
  private boolean hatless;

  public CanonicalSearch(SearchModel model, RunControl control) {
    this(model, control, false);
  }

  /**
   * @param brief for many short searches: few failed states are remembered, and a state that fails
   *     is left at the first section that shows it
   */
  public CanonicalSearch(SearchModel model, RunControl control, boolean brief) {
    this(model, EnumSet.allOf(Prune.class), control, brief);
  }

  CanonicalSearch(SearchModel model, Set<Prune> prunes, RunControl control, boolean brief) {
    this.nogoods = new NogoodTable(brief ? MOST_NOGOODS_OF_BRIEF : MOST_NOGOODS);
    this.model = model;
    this.control = control;
    this.layout = new StateKeys(model.count);
    this.hash = new StateHash(model.count);
    this.bound = new ReleaseDateBound(model, layout, !brief);
    this.cuts = new TimeCuts(model);
    this.bounding = prunes.contains(Prune.RELEASE_DATES);
    boolean skipLifting = prunes.contains(Prune.SKIP_LIFTING);
    this.relifting = skipLifting && prunes.contains(Prune.RELIFTING);
    this.states = new StateArena(model, layout, hash, skipLifting, relifting);
    this.remembering = prunes.contains(Prune.NOGOODS);
    this.dominance = prunes.contains(Prune.DOMINANCE);
    this.hatlessCut = prunes.contains(Prune.HATLESS);
    this.decomposing = prunes.contains(Prune.DECOMPOSITION);
    this.buffers = new int[model.count];
    this.rank = new int[model.count];
    this.offset = new long[model.count];
  }

  /** Whether a key has enough bits for a rank, a buffer and an offset below so many units. */
  public boolean representable(long units) {
    return layout.hold(units);
  }

  /**
   * Searches for a placement of some buffers, no two of them conflicting with others outside.
   *
   * @param members the buffers; their number is the length of the array
   * @param lowest for every buffer of the model the offset from which on it may be, in units
   * @param above for every section what must fit above all that is live in it; null for nothing
   * @param limit the number of nodes after which to give up
   * @param reranking whether parts left by a cut in time are ranked again
   * @param weights where to count failures, or null
   * @return {@link #FOUND}, {@link #FAILED} (proven), or {@link #STOPPED}
   */
  public int search(
      int[] members,
      long[] lowest,
      long[] above,
      long capacityUnits,
      long limit,
      Ranker newRanker,
      boolean reranking,
      FailureWeights weights) {
    this.ranker = newRanker;
    this.rerank = reranking && newRanker.dynamic();
    this.failures = weights;
    this.capacity = capacityUnits;
    if (capacityUnits > nogoodCapacity || above != null) {
      // What failed below may fit now: from here on every state has another hash.
      generation += 0x9e3779b97f4a7c15L;
      nextCapacity = Long.MAX_VALUE;
    }
    nogoodCapacity = above == null ? capacityUnits : -1;
    this.nodeLimit = limit;
    this.nodes = 0;
    totalNodes += NODES_A_START;
    this.partsUsed = 0;
    int count = members.length;
    if (count == 0) {
      return FOUND;
    }
    if (!begin(members, lowest, above)) {
      return FAILED;
    }
    int result = exploreParts(0, count, 0, model.sections, 0, 0);
    totalNodes += nodes;
    return result;
  }

  /** Makes the first state; false where it fails at once. */
  private boolean begin(int[] members, long[] lowest, long[] above) {
    int count = members.length;
    states.reserve(count);
    bound.begin(capacity, above);
    states.begin(capacity, members, above);
    cuts.begin();
    for (int k = 0; k < count; k++) {
      int buffer = members[k];
      long low = model.roundUp(buffer, lowest[buffer]);
      if (!states.fits(buffer, low)) {
        failed(states.needed);
        return false;
      }
      states.keys[k] = layout.of(low, buffer);
      buffers[k] = buffer;
    }
    applyRanks(0, count);
    for (int buffer : members) {
      bound.add(buffer);
      cuts.add(buffer);
    }
    return fits(0, count, 0, model.sections, capacity, -1, false);
  }

  /** The placement found last, in units, at the index of each member. */
  public long[] offsets() {
    return offset;
  }

  /**
   * The least capacity that some failure since the nogoods were last cleared asked for. After
   * {@link #FAILED} no lower capacity has a placement: the search would fail in the same places.
   *
   * @return units, {@link Long#MAX_VALUE} where no capacity would do
   */
  public long nextCapacity() {
    return nextCapacity;
  }

  /** Nodes of all searches; beginning one counts as a few. */
  public long totalNodes() {
    return totalNodes;
  }

  /** States found among the nogoods. */
  public long nogoodHits() {
    return nogoods.hits();
  }

  /** Explores the state whose keys are at {@code [base, base + count)} by ascending offset. */
  private int explore(int base, int count, long high, long low) {
    if (count == 1) {
      offset[layout.buffer(states.keys[base])] = layout.offset(states.keys[base]);
      return FOUND;
    }
    if (++nodes > nodeLimit || (++polls & POLL_MASK) == 0 && control.isStopped()) {
      return STOPPED;
    }
    if (nogoods.contains(high, low)) {
      return FAILED;
    }
    long lowestTop = dominance ? states.lowestTop(base, count) : Long.MAX_VALUE;
    long stateHigh = high;
    long stateLow = low;
    while (true) {
      states.bringFirst(base, count);
      long key = states.keys[base];
      long bottom = layout.offset(key);
      if (bottom >= lowestTop) {
        break;
      }
      if (layout.unsupported(key) == 0) {
        int result = tryFirst(base, count, stateHigh, stateLow);
        if (result != FAILED) {
          return result;
        }
        if (hatless) {
          break;
        }
      }
      long rise = states.liftFirst(base, count);
      if (rise < 0) {
        failed(states.needed);
        break;
      }
      int buffer = layout.buffer(key);
      long flag = relifting ? 1 : 0;
      long before = layout.unsupported(key);
      stateHigh += hash.high(buffer, rise, flag) - hash.high(buffer, bottom, before);
      stateLow += hash.low(buffer, rise, flag) - hash.low(buffer, bottom, before);
      if (!fits(base, count, model.hullStart[buffer], model.hullEnd[buffer], rise, -1, true)
          || nogoods.contains(stateHigh, stateLow)) {
        break;
      }
    }
    if (remembering) {
      nogoods.add(high, low);
    }
    return FAILED;
  }

  /** Places the first buffer of a state at its lowest offset and explores what is left. */
  private int tryFirst(int base, int count, long high, long low) {
    long key = states.keys[base];
    int buffer = layout.buffer(key);
    int child = base + count;
    int raisedCount = states.makeChild(base, count, high, low);
    if (raisedCount < 0) {
      hatless = false;
      failed(states.needed);
      if (failures != null) {
        failures.count(states.blocked);
      }
      return FAILED;
    }
    boolean noHat = raisedCount == 0 && hatlessCut;
    hatless = noHat;
    bound.remove(buffer);
    int settled = model.unconstrained ? buffer : -1;
    if (raisedCount > 0
        && !fits(
            child,
            count - 1,
            states.changedStart,
            states.changedEnd,
            states.risen,
            settled,
            false)) {
      bound.add(buffer);
      return FAILED;
    }
    boolean cut = cuts.remove(buffer);
    int result;
    if (cut && decomposing) {
      int start = model.reachStart[buffer];
      int end = model.reachEnd[buffer];
      result = exploreParts(child, count - 1, start, end, states.high, states.low);
    } else {
      result = explore(child, count - 1, states.high, states.low);
    }
    if (result == FOUND) {
      offset[buffer] = layout.offset(key);
    }
    // Even after success: another part of the same cut may fail, and all this be tried again.
    cuts.add(buffer);
    bound.add(buffer);
    hatless = noHat;
    return result;
  }

  /** Cuts a state where nothing crosses, within the given sections, and explores the parts. */
  private int exploreParts(int base, int count, int start, int end, long high, long low) {
    int numbered = decomposing ? cuts.number(start, end) : 1;
    int firstPart = partsUsed;
    int target = base + count;
    states.reserve(base + 2 * count);
    for (int part = 0; part < numbered; part++) {
      int from = target;
      for (int k = base; k < base + count; k++) {
        int buffer = layout.buffer(states.keys[k]);
        if (numbered == 1 || cuts.partOf(buffer, start, end, numbered) == part) {
          states.keys[target++] = states.keys[k];
        }
      }
      if (target > from) {
        if (partsUsed == parts.length) {
          parts = Arrays.copyOf(parts, 2 * parts.length);
        }
        parts[partsUsed++] = (long) (target - from) << 32 | from;
      }
    }
    int endPart = partsUsed;
    int result = FOUND;
    if (endPart - firstPart == 1 && high != 0) {
      result = explore(base, count, high, low);
    } else {
      Arrays.sort(parts, firstPart, endPart); // small ones first: they are refuted soonest
      for (int p = firstPart; p < endPart && result == FOUND; p++) {
        result = explorePart((int) parts[p], (int) (parts[p] >>> 32), target);
      }
    }
    partsUsed = firstPart;
    return result;
  }

  private int explorePart(int from, int count, int free) {
    states.reserve(free + count);
    System.arraycopy(states.keys, from, states.keys, free, count);
    if (rerank && count > 2) {
      for (int k = 0; k < count; k++) {
        buffers[k] = layout.buffer(states.keys[free + k]);
      }
      applyRanks(free, count);
    }
    long high = generation;
    long low = 0;
    for (int k = free; k < free + count; k++) {
      int buffer = layout.buffer(states.keys[k]);
      long bottom = layout.offset(states.keys[k]);
      long flag = layout.unsupported(states.keys[k]);
      high += hash.high(buffer, bottom, flag);
      low += hash.low(buffer, bottom, flag);
    }
    return explore(free, count, high, low);
  }

  /** Ranks {@code buffers[0, count)} again and sorts their keys. */
  private void applyRanks(int base, int count) {
    ranker.rank(buffers, count, rank);
    for (int k = base; k < base + count; k++) {
      states.keys[k] = layout.ranked(states.keys[k], rank[layout.buffer(states.keys[k])]);
    }
    Arrays.sort(states.keys, base, base + count);
  }

  /** {@link ReleaseDateBound#fits}, with failures counted. */
  private boolean fits(
      int base, int count, int from, int to, long risen, int settled, boolean lifting) {
    if (!bounding || bound.fits(states.keys, base, count, from, to, risen, settled)) {
      return true;
    }
    failed(bound.needed());
    // The failure of a lift teaches little: the alternatives to it have failed before.
    if (failures != null && !lifting) {
      for (int k = base; k < base + count; k++) {
        int buffer = layout.buffer(states.keys[k]);
        if (bound.live(buffer, bound.failedSection())) {
          failures.count(buffer);
        }
      }
    }
    return false;
  }

  /** Notes that a state has failed for all capacities below the one given. */
  private void failed(long needed) {
    nextCapacity = Math.min(nextCapacity, needed);
  }
}
