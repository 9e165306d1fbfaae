package stowage.kernel.order;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import stowage.kernel.model.KernelOps;

/**
 * Search for an order of ops of least cost: constructions with random weights first, then annealing
 * by the moves of {@link OrderMoves} from the best of them, with the temperature following the
 * share of time used. Several searches may share one {@link BestOrder}. Not thread-safe itself.
 */
public final class OrderSearch {
  /** What an order costs, and what it costs after a move. */
  public interface OrderCost {
    /**
     * The cost of an order.
     *
     * @param limit costs above it need not be exact
     */
    double cost(int[] order, double limit);

    /** The cost of an order that moves change in place from now on. */
    double follow(int[] order);

    /** The cost after the positions from {@code from} to before {@code to} changed among them. */
    double moved(int from, int to, double limit);

    /** Keeps the last move. */
    default void keep() {}

    /** Takes the last move back, after its positions are as before. */
    default void undo(int from, int to) {}

    /** One that counts the whole order after each move. */
    static OrderCost whole(ToDoubleFunction<int[]> judge) {
      return new OrderCost() {
        private int[] followed;

        @Override
        public double cost(int[] order, double limit) {
          return judge.applyAsDouble(order);
        }

        @Override
        public double follow(int[] order) {
          followed = order;
          return judge.applyAsDouble(order);
        }

        @Override
        public double moved(int from, int to, double limit) {
          return judge.applyAsDouble(followed);
        }
      };
    }
  }

  /** Best orders found by searches that run side by side. Thread-safe. */
  public static final class BestOrder {
    private int[] order;
    private double cost = Double.MAX_VALUE;
    private boolean constructed;

    /** None yet. */
    public BestOrder() {}

    /** One from an earlier search. */
    public BestOrder(int[] order, double cost) {
      this.order = order.clone();
      this.cost = cost;
      constructed = true;
    }

    /** Whether searches have constructed orders for it before. */
    synchronized boolean isConstructed() {
      return constructed;
    }

    synchronized void setConstructed() {
      constructed = true;
    }

    /** Offers an order; returns whether it is the best so far. */
    public synchronized boolean offer(int[] found, double foundCost) {
      if (foundCost < cost) {
        cost = foundCost;
        order = found.clone();
        return true;
      }
      return false;
    }

    /** The best order; null before the first offer. */
    public synchronized int[] order() {
      return order == null ? null : order.clone();
    }

    public synchronized double cost() {
      return cost;
    }
  }

  /** The share of a search that constructs orders: the first time, and again. */
  private static final double CONSTRUCTING = 0.5;

  private static final double AGAIN = 0.15;

  /** One in so many constructions goes by scores, which takes ten times as long as by waves. */
  private static final int SCORED = 64;

  private static final int FEWEST_CONSTRUCTIONS = 12;
  private static final double HOT = 0.002;
  private static final double COLD = 0.0002;

  /**
   * Judgements for each op that the full heat needs; with fewer ahead it is lower from the start.
   */
  private static final double FULL_HEAT = 300;

  /** Moves in which it is measured how many are ahead. */
  private static final int PACE = 512;

  private static final int STARTS = 4;

  /** The most that a loose search's heat may be of the full one, where it has the time for it. */
  private static final double LOOSE_HEAT = 25;

  /** Moves without a better order, for each op, after which a small graph's search ends. */
  private static final int PATIENCE = 20_000;

  private static final int SMALL = 64;

  private final KernelOps graph;
  private final boolean loose;
  private final OrderCost judge;
  private final BestOrder elite;
  private final SplittableRandom random;
  private final BooleanSupplier stopped;
  private final DoubleSupplier progress;
  private final AnchorGreedy greedy;
  private final boolean[] feeder;
  private long idle;

  /**
   * @param loose whether most moves leave feeders where they are and one annealing, as hot as the
   *     time allows, takes the place of several: finds orders that hold blocks ahead of their use,
   *     which a whole kernel of some hundred ops gains from; others lose by it
   * @param judge used by this search alone
   * @param stopped whether to end at once, for instance where a bound is reached
   * @param progress how far the search has come, from 0 to 1; at 1 it ends
   */
  public OrderSearch(
      KernelOps graph,
      boolean loose,
      OrderCost judge,
      BestOrder elite,
      long seed,
      BooleanSupplier stopped,
      DoubleSupplier progress) {
    this.graph = graph;
    this.loose = loose;
    this.judge = judge;
    this.elite = elite;
    this.random = new SplittableRandom(seed);
    this.stopped = stopped;
    this.progress = progress;
    greedy = new AnchorGreedy(graph);
    feeder = greedy.feeders();
  }

  private boolean isOver(double share) {
    return stopped.getAsBoolean()
        || progress.getAsDouble() >= share
        || graph.ops <= SMALL && idle > (long) PATIENCE * graph.ops;
  }

  /** Searches until the progress is at 1 or it is stopped. */
  public void run() {
    construct(loose || elite.isConstructed() ? AGAIN : CONSTRUCTING);
    elite.setConstructed();
    int starts = loose ? 1 : STARTS;
    for (int start = 0; start < starts && !isOver(1); start++) {
      double from = progress.getAsDouble();
      anneal(from, from + (1 - from) / (starts - start), start == 0 ? HOT : HOT / (1 + start));
    }
  }

  /** Offers the order of the file, then constructions. */
  private void construct(double until) {
    int[] order = new int[graph.ops];
    Arrays.setAll(order, v -> v);
    elite.offer(order, judge.cost(order, Double.MAX_VALUE));
    WaveOrders waves = new WaveOrders(graph, feeder);
    AnchorGreedy.Weights bestWeights = null;
    double best = Double.MAX_VALUE;
    WaveOrders.Shape bestShape = null;
    double bestWave = Double.MAX_VALUE;
    for (int k = 0; !stopped.getAsBoolean(); k++) {
      if (k >= FEWEST_CONSTRUCTIONS && progress.getAsDouble() >= until) {
        break;
      }
      if (waves.isUseful() && random.nextInt(SCORED) > 0) {
        boolean near = bestShape != null && random.nextBoolean();
        WaveOrders.Shape shape = near ? waves.varied(bestShape, random) : waves.random(random);
        waves.build(order, shape, random);
        double cost = judge.cost(order, Double.MAX_VALUE);
        if (cost <= bestWave) {
          bestWave = cost;
          bestShape = shape;
        }
        elite.offer(order, cost);
        continue;
      }
      AnchorGreedy.Weights weights = AnchorGreedy.Weights.random(random);
      if (bestWeights != null && random.nextInt(3) == 0) {
        weights = bestWeights.varied(random);
      }
      greedy.build(order, weights, random);
      double cost = judge.cost(order, Double.MAX_VALUE);
      if (cost < best) {
        best = cost;
        bestWeights = weights;
      }
      elite.offer(order, cost);
    }
  }

  private void anneal(double begin, double end, double hot) {
    int[] current = elite.order();
    OrderMoves moves = new OrderMoves(graph, feeder, loose);
    moves.follow(current);
    double before = progress.getAsDouble();
    double cost = judge.follow(current);
    double heat = hot;
    double temperature = heat * Math.max(1, cost);
    for (long k = 0; ; k++) {
      if ((k & 15) == 0) {
        if (isOver(end)) {
          return;
        }
        double now = progress.getAsDouble();
        if (k <= PACE) {
          double ahead = (end - now) * k / Math.max(1e-12, now - before);
          heat =
              Math.max(
                  COLD, hot * Math.min(loose ? LOOSE_HEAT : 1, ahead / (FULL_HEAT * graph.ops)));
        }
        double share = (now - begin) / Math.max(1e-9, end - begin);
        temperature = Math.max(1, cost) * heat * Math.pow(COLD / HOT, Math.min(1, share));
      }
      if (k % graph.ops == graph.ops - 1) {
        cost = judge.follow(current);
      }
      moves.random(random);
      idle++;
      if (moves.low == moves.high) {
        continue;
      }
      double limit = cost - temperature * Math.log(1 - random.nextDouble());
      double found = judge.moved(moves.low, moves.high, limit);
      if (found > limit) {
        moves.undo();
        judge.undo(moves.low, moves.high);
        continue;
      }
      judge.keep();
      cost = found;
      if (cost < elite.cost()) {
        cost = judge.follow(current);
        if (elite.offer(current, cost)) {
          idle = 0;
        }
      }
    }
  }
}
