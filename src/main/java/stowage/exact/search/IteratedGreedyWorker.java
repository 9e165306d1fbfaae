package stowage.exact.search;

import java.util.SplittableRandom;

/**
 * Improves the order of a placement: takes out a few buffers of the tallest chains and puts each
 * back where the chain through it becomes shortest, accepting worse orders at a falling
 * temperature.
 *
 * <p>The cost of an order is the sum, over all buffers, of how far the tallest chain through the
 * buffer exceeds a level just below the best peak; it falls long before the peak does.
 */
final class IteratedGreedyWorker implements Worker {
  /** A move costs about as much as so many nodes of the search, which makes shares comparable. */
  private static final int NODES_A_MOVE = 3;

  private static final int MOVES_A_ROUND = 20_000;

  /** Temperatures at the ends of a round, in thousandths of the best peak. */
  private static final double HOT = 2;

  private static final double COLD = 0.1;

  private final SearchModel model;
  private final SplittableRandom random;
  private final StackingOrder current;
  private final StackingOrder trial;
  private final int[] taken = new int[4];
  private final int[] critical;

  /** Per place of the order: the tallest chain above a buffer put there. */
  private final long[] suffix;

  private long[] origin;
  private long best;
  private long target;
  private double cost;
  private int moves;
  private long nodes;
  private long rounds;

  IteratedGreedyWorker(SearchModel model, long seed) {
    this.model = model;
    this.random = new SplittableRandom(seed);
    this.current = new StackingOrder(model);
    this.trial = new StackingOrder(model);
    this.critical = new int[model.count];
    this.suffix = new long[model.count + 1];
  }

  @Override
  public void advance(Board board, long share) {
    long end = nodes + share;
    while (nodes < end && !board.ended()) {
      long[] known = board.offsets();
      if (known == null || !model.stackable) {
        return;
      }
      target = board.target();
      if (known != origin || moves >= MOVES_A_ROUND) {
        begin(known);
      }
      move(board);
      nodes += NODES_A_MOVE;
    }
  }

  @Override
  public long nodes() {
    return nodes;
  }

  @Override
  public long restarts() {
    return rounds;
  }

  private void begin(long[] offsets) {
    origin = offsets;
    current.read(offsets);
    best = current.stack();
    current.hang();
    cost = cost(current, level());
    moves = 0;
    rounds++;
  }

  /** From where on a chain counts as too tall: never below the target, which is good enough. */
  private long level() {
    return Math.max(target, best - Math.max(1, best / 200));
  }

  private double cost(StackingOrder stacking, long level) {
    double sum = 0;
    for (int k = 0; k < stacking.length; k++) {
      sum += Math.max(0, stacking.path(stacking.order[k]) - level);
    }
    return sum;
  }

  private void move(Board board) {
    moves++;
    long level = level();
    int candidates = 0;
    for (int k = 0; k < current.length; k++) {
      if (current.path(current.order[k]) > level) {
        critical[candidates++] = current.order[k];
      }
    }
    if (candidates == 0) {
      return;
    }
    trial.copy(current);
    int count = 1 + random.nextInt(Math.min(taken.length, candidates));
    for (int k = 0; k < count; k++) {
      int pick = random.nextInt(candidates);
      taken[k] = critical[pick];
      critical[pick] = critical[--candidates];
      trial.remove(taken[k]);
    }
    for (int k = 0; k < count; k++) {
      trial.stack();
      trial.hang();
      insert(taken[k]);
    }
    long peak = trial.stack();
    trial.hang();
    double next = cost(trial, level);
    double scale = Math.max(1, best / 1000.0);
    double temperature = scale * HOT * Math.pow(COLD / HOT, (double) moves / MOVES_A_ROUND);
    if (next <= cost || random.nextDouble() < Math.exp((cost - next) / temperature)) {
      current.copy(trial);
      cost = next;
      if (peak < best) {
        best = peak;
        board.offer(current.head, "iterated greedy");
        origin = board.offsets();
        cost = cost(current, level());
      }
    }
  }

  /** Puts a buffer back where the tallest chain through it is shortest, ties at random. */
  private void insert(int buffer) {
    int[] order = trial.order;
    int row = buffer * model.words;
    long above = 0;
    int length = trial.length;
    suffix[length] = 0;
    for (int k = length - 1; k >= 0; k--) {
      int other = order[k];
      if ((model.conflicts[row + (other >> 6)] >>> other & 1) != 0) {
        above = Math.max(above, trial.tail[other] + model.size[other]);
      }
      suffix[k] = above;
    }
    long below = 0;
    long least = Long.MAX_VALUE;
    int place = 0;
    int ties = 0;
    for (int k = 0; k <= length; k++) {
      boolean border = k == length;
      if (!border) {
        int other = order[k];
        border = (model.conflicts[row + (other >> 6)] >>> other & 1) != 0;
      }
      if (border) {
        long path = below + suffix[k];
        if (path < least || path == least && random.nextInt(++ties) == 0) {
          if (path < least) {
            ties = 1;
          }
          least = path;
          place = k;
        }
        if (k < length) {
          below = Math.max(below, trial.head[order[k]] + model.size[order[k]]);
        }
      }
    }
    trial.insert(buffer, place);
  }
}
