package stowage.schedule.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.RunControl;
import stowage.schedule.bound.ForcedArcs;
import stowage.schedule.bound.OpCutBounds;
import stowage.schedule.model.OrderProblem;

/**
 * Finds and proves the order of least load with all that this package has.
 *
 * <p>First the bound of single ops; on most networks it meets one of the orders offered before.
 * Else beam, windows and the exact search run side by side, one thread forwards and one backwards
 * on the reversed problem; each tries in turn, with ever more downsets: whether an order is better
 * than the best (the floor just below it), and what the bound is (the floor at it). Before that
 * question is asked, the precedences that any better order keeps are added to the problem, and if
 * there are none that do not contradict each other, the best order is proven. The same, asked of
 * lower targets, raises the bound by bisection. Whatever one thread finds the other knows.
 */
public final class OrderPortfolio {
  private static final int FIRST_WIDTH = 12;
  private static final int SECOND_WIDTH = 100;
  private static final int WIDEST = 20_000;
  private static final int FIRST_STATES = 20_000;
  private static final int WINDOWS = 32;
  private static final double BISECTION_SHARE = 0.2;

  private final OrderIncumbent incumbent;
  private final RunControl control;
  private final OrderProblem problem;
  private final long unit;
  private ForcedArcs arcs;
  private long arcsTarget = Long.MAX_VALUE;

  private OrderPortfolio(OrderIncumbent incumbent, RunControl control) {
    this.incumbent = incumbent;
    this.control = control;
    this.problem = incumbent.problem();
    this.unit = problem.unit();
  }

  /**
   * Works until the best order is proven or the run ends.
   *
   * @param incumbent where orders and bounds go; it may hold good orders already
   * @param control when to stop, and how many threads; two are of use
   */
  public static void run(OrderIncumbent incumbent, RunControl control) {
    if (incumbent.problem().ops() > 0) {
      new OrderPortfolio(incumbent, control).run();
    } else {
      incumbent.offerBound(incumbent.peak(), "op-cut");
    }
  }

  private void run() {
    BooleanSupplier stopped = control::isStopped;
    OpCutBounds bounds = new OpCutBounds(problem);
    incumbent.offerCut(bounds.best(incumbent.order(), stopped));
    if (incumbent.settled()) {
      return;
    }
    List<Side> sides = new ArrayList<>();
    sides.add(new Side(false));
    if (problem.idle() == 0) {
      sides.add(new Side(true));
    }
    if (control.threads() == 1 || sides.size() == 1) {
      for (int round = 0; !over(); round++) {
        for (Side side : sides) {
          side.round(round);
        }
      }
    } else {
      Thread other = new Thread(() -> sides.get(1).work(), "stowage-order-reversed");
      other.setDaemon(true);
      other.start();
      sides.get(0).work();
      try {
        other.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean over() {
    return incumbent.settled() || control.isStopped();
  }

  /** The precedences that orders better than the best one keep; they may be of an earlier best. */
  private synchronized ForcedArcs arcs() {
    long target = incumbent.peak() - 1;
    if (target < arcsTarget && !over()) {
      ForcedArcs found = ForcedArcs.find(problem, target, this::over);
      arcsTarget = target;
      arcs = found;
      if (found.impossible()) {
        incumbent.offerBound(target + 1, "two-op-cut");
      }
    }
    return arcs;
  }

  /** Raises the bound to the highest target that forced precedences refute, by bisection. */
  private void bisect() {
    RunControl share = control.within(BISECTION_SHARE * control.secondsLeft());
    long low = incumbent.bound() / unit;
    long high = incumbent.peak() / unit - 1;
    while (low < high && !over() && !share.isStopped()) {
      long middle = (low + high) / 2;
      ForcedArcs found =
          ForcedArcs.find(problem, middle * unit + unit - 1, () -> over() || share.isStopped());
      if (found.impossible()) {
        low = middle + 1;
        incumbent.offerBound(low * unit, "two-op-cut");
      } else {
        high = middle;
      }
    }
  }

  /** One direction. */
  private final class Side implements DownsetSearch.Board {
    private final boolean reversed;
    private final WindowSearch windows;
    private ForcedArcs known;
    private OrderProblem way;
    private int[] names;
    private DownsetSearch plain;
    private DownsetSearch withSets;
    private String doing = "";

    Side(boolean reversed) {
      this.reversed = reversed;
      this.windows = new WindowSearch(problem, control.seed() + (reversed ? 1 : 0));
      adopt(problem, IntStream.range(0, problem.ops()).toArray());
    }

    private void adopt(OrderProblem sharper, int[] order) {
      way = reversed ? sharper.reversed() : sharper;
      names = order;
      plain = new DownsetSearch(way, Rules.DEFAULT);
      withSets = new DownsetSearch(way, Rules.WITH_SETS);
    }

    void work() {
      for (int round = 0; !over(); round++) {
        round(round);
      }
    }

    void round(int round) {
      if (round == 0) {
        beam(FIRST_WIDTH);
        windows(WINDOWS);
        beam(SECOND_WIDTH);
        question(plain, FIRST_STATES / 8);
        question(withSets, FIRST_STATES / 32);
      } else if (SECOND_WIDTH << round <= WIDEST) {
        beam(SECOND_WIDTH << round);
      }
      sharpen();
      if (round == 0 && !reversed) {
        bisect();
      }
      long most = Math.min(plain.statesWithin(Runtime.getRuntime().maxMemory() / 6), 100_000_000);
      int states = (int) Math.min(most, (long) FIRST_STATES << Math.min(30, 2 * round));
      question(plain, states);
      windows(WINDOWS << Math.min(round + 1, 20));
      sharpen();
      ascend(plain, states);
      question(withSets, states / 8);
    }

    private void sharpen() {
      ForcedArcs found = over() ? null : arcs();
      if (found != null && found != known && !found.impossible()) {
        known = found;
        adopt(found.problem(), found.order());
      }
    }

    private void windows(int tries) {
      int left = tries;
      while (!over() && left > 0) {
        int[] order =
            windows.improve(incumbent.order(), Math.min(left, WINDOWS), OrderPortfolio.this::over);
        if (order != null) {
          incumbent.offer(order, "windows");
        } else {
          left -= WINDOWS;
        }
      }
    }

    private void beam(int width) {
      if (over()) {
        return;
      }
      doing = "beam";
      BeamSearch beam = new BeamSearch(way, Rules.DEFAULT);
      int[] order = beam.run(width, incumbent.bound(), incumbent.peak(), OrderPortfolio.this::over);
      if (order != null) {
        found(order);
      }
    }

    /** Asks for something better, again and again, until there is nothing or the states run out. */
    private void question(DownsetSearch search, int states) {
      doing = "search";
      DownsetSearch.End end = DownsetSearch.End.FOUND;
      while (!over() && (end == DownsetSearch.End.FOUND || end == DownsetSearch.End.OVERTAKEN)) {
        end = search.run(this, incumbent.peak() - 1, states, OrderPortfolio.this::over);
      }
    }

    private void ascend(DownsetSearch search, int states) {
      doing = "search";
      if (!over()) {
        search.run(this, incumbent.bound(), states, OrderPortfolio.this::over);
      }
    }

    @Override
    public long bar() {
      return incumbent.peak();
    }

    @Override
    public void proven(long bound) {
      incumbent.offerBound(bound, "search");
    }

    @Override
    public void found(int[] order) {
      int[] forward = new int[order.length];
      for (int k = 0; k < order.length; k++) {
        forward[k] = names[reversed ? order.length - 1 - order[order.length - 1 - k] : order[k]];
      }
      incumbent.offer(forward, reversed ? doing + " backwards" : doing);
    }
  }
}
