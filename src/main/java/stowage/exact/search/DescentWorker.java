package stowage.exact.search;

import java.util.Set;
import java.util.SplittableRandom;
import stowage.exact.search.local.IteratedGreedy;
import stowage.exact.search.local.Neighbourhoods;
import stowage.exact.search.local.PlacementPool;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Worker that goes down from one placement after another: rounds of {@link IteratedGreedy} and of
 * {@link Neighbourhoods} take turns on the same placement, since each moves on where the other is
 * stuck.
 *
 * <p>When both have been stuck for a while, the placement joins an {@link PlacementPool}, of which
 * one is kicked: some of its parts are arranged again below a ceiling a little above its peak, and
 * the rounds go on from there. What is near a low placement is often lower still, and a few rounds
 * show it, where a descent from the start takes dozens. Only when the pool holds nothing that is
 * worth a kick, another search gives another placement to begin from: how low a descent ends
 * depends on where it began, and a quick search some percent above the target is as good a
 * beginning as a long one just above it.
 *
 * <p>Descents continue at once from a lower placement that another method has found; those of other
 * descents are left to them.
 *
 * <p>What is learnt on the way to one beginning makes the next ones cheap, but they are much alike;
 * so after a few it is forgotten.
 *
 * <p>Source: iterated local search, H. R. Lourenço, O. C. Martin, T. Stützle, Handbook of
 * Metaheuristics (2003), doi:10.1007/0-306-48056-5_11.
 */
final class DescentWorker implements Worker {
  private static final int WEIGHT = 6;

  /** Where nothing learns, descents find nearly all. */
  private static final int WEIGHT_ALONE = 24;

  private static final int MOST_MOVES = 5_000;
  private static final int LEAST_MOVES = 200;

  /** Moves times buffers of a round: a move takes time with their number. */
  private static final int WORK_A_ROUND = 2_500_000;

  private static final long NODES_A_ROUND = 30_000;

  /** Rounds without a lower peak, of both kinds, after which the first kick comes. */
  private static final int PATIENCE = 10;

  /** The same after a kick. */
  private static final int PATIENCE_AFTER = 4;

  /** How far above the peak a kick may end at most, as a share of it. */
  private static final double HIGHEST_KICK = 0.012;

  /** Parts that one kick arranges again, one after another. */
  private static final int PARTS_A_KICK = 4;

  /** Descents begin at most so far above the target, as a share of it. */
  private static final double HIGHEST_START = 0.03;

  /** Nodes that a search for a new beginning may take. */
  private static final long NODES_TO_START = 200_000;

  /** Beginnings that share what was learnt: the first takes far longer to find than the others. */
  private static final int BEGINNINGS_A_LESSON = 6;

  /** Who descents are to others. */
  private static final Set<String> DESCENTS =
      Set.of("descent", "iterated greedy", "neighbourhoods");

  private final SearchModel model;
  private final RunControl control;
  private final SplittableRandom random;
  private final PlacementPool pool = new PlacementPool();
  private final int moves;
  private final int weight;

  /** Made at the first turn: most runs end before, and making these takes a part of them. */
  private IteratedGreedy greedy;

  private Neighbourhoods neighbourhoods;
  private WeightedWorker starts;

  /** The placement that the rounds work on; null between two descents. */
  private long[] current;

  private long peak;

  /** The best placement of all when it was last looked at. */
  private long[] seen;

  /** What the rounds were kicked from; null before the first kick of a descent. */
  private PlacementPool.PoolEntry kicked;

  private ComponentIncumbent beginning;
  private long beginningEnd;
  private int beginnings;
  private int round;
  private int stuck;
  private long nodes;
  private long descents;

  DescentWorker(SearchModel model, RunControl control, long seed) {
    this.model = model;
    this.control = control;
    this.random = new SplittableRandom(seed);
    this.weight = LearningWorker.worth(model) == 0 ? WEIGHT_ALONE : WEIGHT;
    this.moves =
        Math.max(LEAST_MOVES, Math.min(MOST_MOVES, WORK_A_ROUND / Math.max(1, model.count)));
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long share) {
    if (greedy == null) {
      greedy = new IteratedGreedy(model, random.nextLong());
      neighbourhoods = new Neighbourhoods(model, control, random.nextLong());
      starts = new WeightedWorker(model, control, WeightedWorker.Capacities.STEPS);
    }
    long end = nodes + share;
    while (nodes < end && !incumbent.ended()) {
      if (current == null) {
        begin(incumbent, end - nodes);
      } else {
        takeOver(incumbent);
        descend(incumbent);
      }
    }
  }

  @Override
  public int weight() {
    return weight;
  }

  @Override
  public long nodes() {
    return nodes;
  }

  @Override
  public long nogoodHits() {
    return greedy == null ? 0 : neighbourhoods.nogoodHits() + starts.nogoodHits();
  }

  @Override
  public long restarts() {
    return descents;
  }

  /** Looks for a placement to begin from, for at most so many nodes now. */
  private void begin(ComponentIncumbent incumbent, long share) {
    long target = incumbent.target();
    long[] known = incumbent.offsets();
    if (descents == 0 && known != null && model.peak(known) <= target * (1 + HIGHEST_START)) {
      start(known.clone());
      return;
    }
    if (beginning == null) {
      long goal = target + (long) (target * HIGHEST_START * random.nextDouble());
      beginning = incumbent.apart(goal);
      if (++beginnings % BEGINNINGS_A_LESSON == 0) {
        starts.beginAnew(random);
      }
      beginningEnd = nodes + NODES_TO_START;
    }
    long before = starts.nodes();
    starts.advance(beginning, share);
    nodes += Math.max(1, starts.nodes() - before);
    incumbent.merge(beginning, "descent");
    if (beginning.met() || nodes >= beginningEnd) {
      long[] found = beginning.offsets();
      beginning = null;
      if (found != null) {
        start(found.clone());
      } else if (incumbent.offsets() != null) {
        start(incumbent.offsets().clone());
      }
    }
  }

  /** Goes on from a lower placement that another method has found. */
  private void takeOver(ComponentIncumbent incumbent) {
    long[] known = incumbent.offsets();
    boolean isNew = known != seen && known != null;
    seen = known;
    if (isNew && !DESCENTS.contains(incumbent.finder()) && model.peak(known) < peak) {
      start(known.clone());
    }
  }

  private void start(long[] placement) {
    current = placement;
    peak = model.peak(placement);
    kicked = null;
    descents++;
    stuck = 0;
  }

  private void descend(ComponentIncumbent incumbent) {
    long before = peak;
    long target = incumbent.target();
    boolean orders = round++ % 2 == 0 && model.stackable;
    if (orders) {
      peak = greedy.improve(current, target, moves, control);
      nodes += (long) moves * IteratedGreedy.NODES_A_MOVE;
    } else {
      long done = neighbourhoods.nodes();
      peak = neighbourhoods.improve(current, target, NODES_A_ROUND, control);
      nodes += Math.max(1, neighbourhoods.nodes() - done);
    }
    incumbent.offer(current, orders ? "iterated greedy" : "neighbourhoods");
    stuck = peak < before ? 0 : stuck + 1;
    if (stuck > (kicked == null ? PATIENCE : PATIENCE_AFTER)) {
      goOn(target);
    }
  }

  /** Kicks the placement that is worth it most, or ends the descent. */
  private void goOn(long target) {
    if (kicked == null) {
      pool.add(current, peak);
    } else {
      pool.replace(kicked, current, peak);
    }
    kicked = pool.next(target);
    if (kicked == null) {
      current = null;
      return;
    }
    current = kicked.offsets().clone();
    double height = HIGHEST_KICK * random.nextDouble();
    long ceiling = kicked.peak() + 1 + (long) (kicked.peak() * height);
    long done = neighbourhoods.nodes();
    peak = neighbourhoods.perturb(current, ceiling, PARTS_A_KICK, control);
    nodes += Math.max(1, neighbourhoods.nodes() - done);
    stuck = 0;
  }
}
