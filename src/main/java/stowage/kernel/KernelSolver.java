package stowage.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stowage.kernel.bound.KernelBounds;
import stowage.kernel.bound.PhaseBound;
import stowage.kernel.bound.ResidencyMilestones;
import stowage.kernel.bound.StayBound;
import stowage.kernel.bound.TrafficMilestones;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.order.MergedKernel;
import stowage.kernel.order.OrderCosts;
import stowage.kernel.order.OrderSearch;
import stowage.kernel.order.Replay;
import stowage.kernel.spill.ExactSpillSearch;
import stowage.packing.RunControl;
import stowage.packing.Threads;
import stowage.schedule.search.OrderIncumbent;
import stowage.schedule.search.OrderPortfolio;

/**
 * Solver of kernel graphs: order, spills and addresses together, for least residency, traffic or
 * time.
 *
 * <p>First the file's own order is replayed, so that there is a plan at once. Small graphs are
 * searched exactly. Otherwise searches over orders run on all threads except for the bounds, which
 * take a share of the time; then the spills of the best order are improved by the gap model,
 * addresses are chosen, and the best verified plan is the answer.
 *
 * <p>Where work is counted instead of time, the same input and seed give the same plan, whatever
 * the threads: one search runs, then the bounds, each with the whole limit. What is done between
 * two looks at the limits counts as a pass over the ops and their uses, in microseconds.
 */
public final class KernelSolver {
  private static final int MOST_STATES = 600_000;
  private static final int SMALL = 64;
  private static final double SECONDS_A_UNIT = 1e-6;

  /** What the last bound, plan and check take, about, in seconds an op. */
  private static final double LAST_SECONDS = 2e-4;

  /** The share of the time in which residency is lowered before the order searches take over. */
  private static final double CONSTRUCTION_SHARE = 0.35;

  private static final double BOUND_SHARE = 0.8;
  private static final double CUT_SHARE = 0.1;
  private static final double PHASES_SHARE = 0.2;
  private static final double STAYS_SHARE = 0.4;

  /**
   * Shares of the time at which the best order's spills are polished: the first round searches the
   * merged kernel, the second the whole one loosely, both from constructions.
   */
  private static final double[] ROUNDS = {0.25, 0.5, 0.6, 0.7, 0.8};

  /**
   * Milliseconds between two looks at the best order of searches; ten times as long as the plan of
   * the last one took, where that is more.
   */
  private static final long LEAST_PAUSE = 200;

  private static final double POLISH_SHARE = 0.08;

  private static final double SCATTERED = 1.01;
  private static final Replay.Fit[] PLACING = {Replay.Fit.BEST, Replay.Fit.ENDS};

  /** The share of the time that looks for fewer cycles at the least traffic. */
  private static final double TIE_SHARE = 0.1;

  /** The most of it for each op, in seconds. */
  private static final double TIE_SECONDS = 0.01;

  /** How far an order's bound may be below the traffic for the order to be taken for its cycles. */
  private static final double CLOSE_BOUND = 0.03;

  private final KernelOps graph;
  private final Caches caches;
  private final KernelGoal goal;
  private final RunControl control;
  private final KernelIncumbent incumbent;
  private final long mostTraffic;
  private final long begin = System.nanoTime();
  private final double seconds;

  /** Passes over ops and uses between looks at the limits; counts where work is limited. */
  private long work;

  /** The ops and uses of a pass. */
  private int pass;

  /** A solver for plans that, for {@link KernelGoal#TIME}, may move no more than so much. */
  public KernelSolver(
      KernelOps graph,
      KernelGoal goal,
      long mostTraffic,
      Caches caches,
      RunControl control,
      KernelIncumbent incumbent) {
    this.graph = graph;
    this.caches = caches;
    this.goal = goal;
    this.mostTraffic = mostTraffic;
    this.control = control;
    this.incumbent = incumbent;
    double all =
        control.isDeterministic()
            ? control.workLimit() * SECONDS_A_UNIT
            : Math.min(control.secondsLeft(), 1e6);
    pass = graph.ops + graph.use.length;
    this.seconds = Math.max(0.01, all - Math.min(0.1 * all, LAST_SECONDS * graph.ops));
  }

  /** What a graph's caches and goal come to; for the command and for tests. */
  public static KernelIncumbent solve(
      KernelOps graph, Caches caches, KernelGoal goal, long mostTraffic, RunControl control) {
    KernelIncumbent incumbent = new KernelIncumbent(graph.graph(), caches, goal, mostTraffic);
    new KernelSolver(graph, goal, mostTraffic, caches, control, incumbent).run();
    return incumbent;
  }

  /** The share of the limit that is used. */
  private double share() {
    return control.isDeterministic()
        ? work * SECONDS_A_UNIT / seconds
        : (System.nanoTime() - begin) / 1e9 / seconds;
  }

  /** Whether the limit is reached; each question is a look at it. */
  private boolean isStopped() {
    work += pass;
    return control.isStopped() || control.isDeterministic() && share() >= 1;
  }

  private boolean isOver() {
    return isStopped() || incumbent.isProven();
  }

  /** Solves until proven, stopped or out of time; every op's operands must fit. */
  public void run() {
    int[] order = IntStream.range(0, graph.ops).toArray();
    offer(order);
    switch (goal) {
      case RESIDENCY -> residency();
      case TRAFFIC -> traffic();
      default -> time();
    }
  }

  private void offer(int[] order) {
    if (goal == KernelGoal.RESIDENCY) {
      incumbent.offer(KernelPlan.orderOnly(OrderCosts.schedule(graph, order)), order);
    } else {
      incumbent.offer(graph, order, null, null);
    }
  }

  /**
   * Residency has no addresses and no spills, so it is the load of an order: the searches and
   * bounds of {@code schedule} take it from the best construction.
   */
  private void residency() {
    Thread bounds =
        beside(
            () -> {
              incumbent.offerBound(
                  new KernelBounds(graph, () -> isOver() || share() > CUT_SHARE)
                      .residency(incumbent.figure()));
              new ResidencyMilestones(graph, incumbent.bound(), incumbent::figure, this::isOver)
                  .residency(incumbent::offerBound);
            });
    search(
        graph,
        false,
        new OrderSearch.BestOrder(),
        () -> OrderCosts.residency(graph, incumbent.bound()),
        found -> offer(found.order()),
        graph.ops <= SMALL ? Math.min(CONSTRUCTION_SHARE, 0.3 / seconds) : CONSTRUCTION_SHARE,
        this::isOver);
    if (!isOver()) {
      OrderIncumbent orders = new OrderIncumbent(graph.residency());
      orders.addListener(
          (peak, bound, who) -> {
            incumbent.offerBound(Math.max(bound, graph.largestUnused()));
            offer(orders.order());
          });
      incumbent.setListener(
          () -> {
            orders.offer(incumbent.order(), "annealing");
            orders.offerBound(incumbent.bound(), "milestones");
          });
      OrderPortfolio.run(orders, control.withThreads(Math.max(1, control.threads() - 1)));
      incumbent.offerBound(Math.max(orders.bound(), graph.largestUnused()));
      offer(orders.order());
    }
    join(bounds);
  }

  private void traffic() {
    incumbent.offerBound(0);
    if (!isOver()) {
      leastTraffic();
    }
    breakTies();
  }

  /** Looks for fewer cycles at the traffic reached, without a worse bound at the order. */
  private void breakTies() {
    SpillsAtOrder polish = new SpillsAtOrder(graph, incumbent, control);
    if (incumbent.orderBound() < 0) {
      incumbent.offerOrderBound(incumbent.order(), polish.bound(incumbent.order()));
    }
    long traffic = incumbent.figures().traffic();
    boolean[] leave = OrderCosts.leaves(graph, incumbent.plan());
    KernelIncumbent faster =
        new KernelIncumbent(graph.graph(), caches, KernelGoal.TRAFFIC, traffic);
    faster.offer(incumbent.plan(), incumbent.order());
    OrderSearch.BestOrder elite = new OrderSearch.BestOrder();
    OrderSearch.OrderCost judge = OrderCosts.time(graph, traffic, leave);
    elite.offer(incumbent.order(), judge.cost(incumbent.order(), Double.MAX_VALUE));
    long fewest = new KernelBounds(graph, this::isStopped).cycles();
    search(
        graph,
        false,
        elite,
        () -> OrderCosts.time(graph, traffic, leave),
        found -> faster.offer(graph, found.order(), leave, null),
        Math.min(0.97, share() + Math.min(TIE_SHARE, TIE_SECONDS * graph.ops / seconds)),
        () -> isStopped() || faster.figures().cycles() <= fewest);
    long bound = polish.bound(faster.order());
    if (bound >= incumbent.orderBound() || traffic - bound <= CLOSE_BOUND * traffic) {
      incumbent.offer(faster.plan(), faster.order());
      incumbent.offerOrderBound(faster.order(), bound);
    }
  }

  private void leastTraffic() {
    if (ExactSpillSearch.suits(graph)) {
      exact(false);
      exact(true);
    }
    Thread bounds =
        beside(
            () -> {
              raise(
                  new KernelBounds(graph, () -> isOver() || share() > CUT_SHARE)
                      .traffic(incumbent.figure()));
              incumbent.offerBound(
                  new PhaseBound(graph, () -> isOver() || share() > PHASES_SHARE).traffic());
              incumbent.offerBound(
                  new StayBound(graph, () -> isOver() || share() > STAYS_SHARE).traffic());
              new TrafficMilestones(
                      graph,
                      incumbent.bound(),
                      incumbent::figure,
                      () -> isOver() || share() > BOUND_SHARE,
                      incumbent::offerBound)
                  .traffic();
            });
    SpillsAtOrder polish = new SpillsAtOrder(graph, incumbent, control);
    MergedKernel merged = new MergedKernel(graph);
    MergedKernel whole = MergedKernel.none(graph);
    int[] least = null; // by volume
    double leastCost = Double.MAX_VALUE;
    boolean isMerged = true; // whether the least was found on the merged kernel
    int volumeRounds = 0;
    int placedRounds = 0;
    int[] polished = null;
    for (double until : ROUNDS) {
      boolean loose = until == ROUNDS[1];
      // where addresses cost more than volumes say, replays with addresses judge as many rounds
      boolean scattered =
          least != null
              && !loose
              && incumbent.figures().traffic() > SCATTERED * leastCost
              && placedRounds <= volumeRounds;
      MergedKernel kernel = least == null || scattered && isMerged ? merged : whole;
      OrderSearch.BestOrder best = new OrderSearch.BestOrder();
      Supplier<OrderSearch.OrderCost> judge = () -> OrderCosts.traffic(kernel.ops());
      if (scattered) {
        placedRounds++;
        long traffic = incumbent.figures().traffic();
        best = new OrderSearch.BestOrder(kernel.of(incumbent.order()), traffic);
        AtomicInteger next = new AtomicInteger();
        judge =
            () ->
                OrderCosts.replayed(kernel.ops(), PLACING[next.getAndIncrement() % PLACING.length]);
      } else {
        volumeRounds++;
        best =
            least == null || loose ? best : new OrderSearch.BestOrder(kernel.of(least), leastCost);
      }
      search(
          kernel.ops(),
          loose,
          best,
          judge,
          found -> offer(kernel.whole(found.order())),
          until,
          this::isOver);
      int[] order = best.order() == null ? incumbent.order() : kernel.whole(best.order());
      if (!scattered && best.order() != null && best.cost() < leastCost) {
        least = order;
        leastCost = best.cost();
        isMerged &= !loose;
      }
      boolean last = until == ROUNDS[ROUNDS.length - 1];
      boolean open = last && incumbent.figure() > incumbent.orderBound();
      if (!isOver() && (open || !Arrays.equals(order, polished))) {
        double rest =
            control.isDeterministic() ? 2 * POLISH_SHARE * seconds : control.secondsLeft();
        polish.run(order, last ? rest / 2 : Math.min(POLISH_SHARE * seconds, rest));
        polished = order;
      }
    }
    if (!isStopped() && !Arrays.equals(polished, incumbent.order())) {
      double rest = control.isDeterministic() ? POLISH_SHARE * seconds : control.secondsLeft();
      polish.run(incumbent.order(), 0.9 * rest);
    }
    join(bounds);
  }

  private void raise(long bound) {
    incumbent.offerBound(KernelBounds.whole(graph, bound));
  }

  /**
   * Starts work alongside the searches; where work is counted, {@link #join} does it after them.
   */
  private Thread beside(Runnable work) {
    Thread thread = Threads.of("kernel-bounds", work);
    if (!control.isDeterministic()) {
      thread.start();
    }
    return thread;
  }

  private void join(Thread thread) {
    if (control.isDeterministic()) {
      long before = work;
      work = 0;
      thread.run();
      work = before;
      return;
    }
    Threads.join(thread, () -> {});
  }

  private void exact(boolean addresses) {
    if (isOver()) {
      return;
    }
    ExactSpillSearch.Answer answer =
        ExactSpillSearch.search(
            graph, addresses, incumbent.figure(), MOST_STATES, () -> isOver() || share() > 0.4);
    raise(answer.bound());
    if (answer.order() != null) {
      offer(answer.order());
      boolean[] leave = OrderCosts.leaves(graph, answer.order(), answer.leaves());
      int[] cells = addresses ? OrderCosts.cells(graph, answer) : null;
      incumbent.offer(graph, answer.order(), leave, cells);
    }
  }

  private void time() {
    incumbent.offerBound(new KernelBounds(graph, this::isOver).cycles());
    search(
        graph,
        false,
        new OrderSearch.BestOrder(),
        () -> OrderCosts.time(graph, mostTraffic, null),
        found -> offer(found.order()),
        1,
        this::isOver);
    if (incumbent.plan() != null) { // the same spills with every rule for addresses
      boolean[] leave = OrderCosts.leaves(graph, incumbent.plan());
      incumbent.offer(graph, incumbent.order(), leave, null);
    }
  }

  /** Runs searches over orders side by side up to a share of the time. */
  private void search(
      KernelOps of,
      boolean loose,
      OrderSearch.BestOrder elite,
      Supplier<OrderSearch.OrderCost> judge,
      Consumer<OrderSearch.BestOrder> found,
      double until,
      BooleanSupplier stopped) {
    if (stopped.getAsBoolean() || of.ops < 2) {
      return;
    }
    double begun = share();
    LongFunction<OrderSearch> searches =
        seed ->
            new OrderSearch(
                of,
                loose,
                judge.get(),
                elite,
                seed,
                stopped,
                () -> (share() - begun) / Math.max(1e-9, until - begun));
    if (control.isDeterministic()) {
      pass = of.ops + of.use.length;
      searches.apply(control.seed()).run();
      pass = graph.ops + graph.use.length;
      found.accept(elite);
      return;
    }
    List<Thread> threads = new ArrayList<>();
    // bounds of residency are worth a thread of their own
    int free = goal == KernelGoal.RESIDENCY ? control.threads() - 1 : control.threads();
    for (int k = 0; k < Math.max(1, free); k++) {
      threads.add(Threads.start("order-search-" + k, searches.apply(control.seed() + k)::run));
    }
    try {
      double seen = Double.MAX_VALUE;
      long pause = LEAST_PAUSE;
      for (Thread thread : threads) {
        while (thread.isAlive()) {
          thread.join(pause);
          if (elite.cost() < seen && thread.isAlive()) {
            seen = elite.cost();
            long from = System.nanoTime();
            found.accept(elite);
            pause = Math.max(LEAST_PAUSE, (System.nanoTime() - from) / 100_000);
          }
        }
      }
      if (elite.cost() < seen) {
        found.accept(elite);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
