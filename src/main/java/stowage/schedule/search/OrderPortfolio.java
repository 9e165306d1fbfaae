package stowage.schedule.search;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.RunControl;
import stowage.packing.Threads;
import stowage.schedule.bound.ForcedPrecedences;
import stowage.schedule.bound.OpCutBounds;
import stowage.schedule.model.OrderProblem;

/**
 * Portfolio that finds and proves the order of least load with all that this package has.
 *
 * <p>First the bound of single ops; on most networks it meets one of the orders offered before.
 * Else beam, windows and the exact search run side by side, one thread forwards and one backwards
 * on the reversed problem; each tries in turn, with ever more downsets: whether an order is better
 * than the best (the floor just below it), and what the bound is (the floor at it). A small search
 * of that kind comes first of all: on most networks it finds the best order and proves it. Before
 * larger ones are asked, the precedences that any better order keeps are added to the problem, and
 * if there are none that do not contradict each other, the best order is proven. The same, asked of
 * lower targets, raises the bound by bisection. Whatever one thread finds the other knows.
 */
public final class OrderPortfolio {
  private static final int FIRST_WIDTH = 12;
  private static final int SECOND_WIDTH = 100;
  private static final int WIDEST = 20_000;
  private static final int FIRST_STATES = 20_000;
  private static final int WINDOWS = 32;

  /** With fewer ops forced precedences are found in less time than windows and wide beams take. */
  private static final int FEW_OPS = 300;

  private static final double BISECTION_SHARE = 0.2;

  /** A share of the peak: bisection ends where the bound is known so closely. */
  private static final double BISECTION_STEP = 0.004;

  /** Work units of what is done between two looks at the limits, roughly. */
  private static final long UNITS_A_LOOK = 100;

  /** What brings nothing is tried in every second, fourth, ... round, at last in every eighth. */
  private static final int RAREST = 3;

  private final OrderIncumbent incumbent;
  private final RunControl control;
  private final OrderProblem problem;
  private final long unit;
  private ForcedPrecedences arcs;
  private long arcsTarget = Long.MAX_VALUE;

  /** How often the limits have been looked at; counts where one thread works deterministically. */
  private long looks;

  private OrderPortfolio(OrderIncumbent incumbent, RunControl control) {
    this.incumbent = incumbent;
    this.control = control;
    this.problem = incumbent.problem();
    this.unit = problem.unit();
  }

  /**
   * Works until the best order is proven or the run ends. The incumbent may hold good orders
   * already; two threads are of use. Where the control limits work, one thread works, and the
   * answer depends on nothing else.
   */
  public static void run(OrderIncumbent incumbent, RunControl control) {
    if (incumbent.problem().ops() > 0) {
      new OrderPortfolio(incumbent, control).run();
    } else {
      incumbent.offerBound(incumbent.peak(), "op-cut");
    }
  }

  private void run() {
    OpCutBounds bounds = new OpCutBounds(problem);
    incumbent.offerCut(bounds.best(incumbent.order(), control::isStopped));
    if (incumbent.settled() || control.isStopped()) {
      return;
    }
    List<Direction> sides = new ArrayList<>();
    sides.add(new Direction(false));
    if (problem.idle() == 0) {
      sides.add(new Direction(true));
    }
    if (control.threads() == 1 || control.isDeterministic() || sides.size() == 1) {
      for (int round = 0; !over(); round++) {
        for (Direction side : sides) {
          side.round(round);
        }
      }
    } else {
      Thread other = Threads.start("stowage-order-reversed", sides.get(1)::work);
      sides.get(0).work();
      Threads.join(other, control::stop);
    }
  }

  private boolean over() {
    if (control.isDeterministic() && ++looks > control.workLimit() / UNITS_A_LOOK) {
      return true;
    }
    return incumbent.settled() || control.isStopped();
  }

  /** The precedences that orders better than the best one keep; they may be of an earlier best. */
  private synchronized ForcedPrecedences arcs() {
    long target = incumbent.peak() - 1;
    if (target < arcsTarget && !over()) {
      ForcedPrecedences found = ForcedPrecedences.find(problem, target, this::over);
      arcsTarget = target;
      arcs = found;
      if (found.impossible()) {
        incumbent.offerBound(target + 1, "two-op-cut");
      }
    }
    return arcs;
  }

  /** Raises the bound towards the highest target that forced precedences refute, by bisection. */
  private void bisect() {
    RunControl share = control.within(BISECTION_SHARE * control.secondsLeft());
    long mostLooks = looks + (long) (BISECTION_SHARE * control.workLimit() / UNITS_A_LOOK);
    long step = Math.max(1, (long) (BISECTION_STEP * incumbent.peak() / unit));
    long low = incumbent.bound() / unit;
    long high = incumbent.peak() / unit - 1;
    while (high - low >= step && !over() && !share.isStopped()) {
      long middle = (low + high) / 2;
      ForcedPrecedences found =
          ForcedPrecedences.find(
              problem,
              middle * unit + unit - 1,
              () ->
                  over() || share.isStopped() || (control.isDeterministic() && looks > mostLooks));
      if (found.impossible()) {
        low = middle + 1;
        incumbent.offerBound(low * unit, "two-op-cut");
      } else {
        high = middle;
      }
    }
  }

  /** One direction. */
  private final class Direction implements DownsetSearch.Board {
    private final boolean reversed;
    private final WindowSearch windows;
    private ForcedPrecedences known;
    private OrderProblem way;
    private int[] names;
    private DownsetSearch plain;
    private DownsetSearch withSets;
    private String doing = "";

    /** How often in a row each part of a round brought nothing: beam, question, windows, sets. */
    private final int[] fails = new int[4];

    Direction(boolean reversed) {
      this.reversed = reversed;
      this.windows = new WindowSearch(problem, control.seed() + (reversed ? 1 : 0));
      adopt(problem, IntStream.range(0, problem.ops()).toArray());
    }

    private void adopt(OrderProblem sharper, int[] order) {
      way = reversed ? sharper.reversed() : sharper;
      names = order;
      plain = new DownsetSearch(way, RunAtOnceRules.DEFAULT);
      withSets = new DownsetSearch(way, RunAtOnceRules.WITH_SETS);
    }

    void work() {
      for (int round = 0; !over(); round++) {
        round(round);
      }
    }

    void round(int round) {
      if (round == 0) {
        question(plain, FIRST_STATES / 8);
        beam(FIRST_WIDTH);
        if (!reversed && problem.ops() <= FEW_OPS) {
          sharpen();
        }
        windows(WINDOWS);
        beam(SECOND_WIDTH);
        question(plain, FIRST_STATES / 8);
        question(withSets, FIRST_STATES / 32);
      } else if ((long) SECOND_WIDTH << Math.min(round, Integer.SIZE) <= WIDEST) {
        part(0, round, () -> beam(SECOND_WIDTH << round));
      }
      sharpen();
      if (round == 0 && !reversed) {
        bisect();
      }
      long most = Math.min(plain.statesWithin(Runtime.getRuntime().maxMemory() / 6), 100_000_000);
      int states = (int) Math.min(most, (long) FIRST_STATES << Math.min(30, 2 * round));
      part(1, round, () -> question(plain, states));
      part(2, round, () -> windows(WINDOWS << Math.min(round + 1, 20)));
      sharpen();
      ascend(plain, states, (int) most);
      part(3, round, () -> question(withSets, states / 8));
    }

    /** A part of a round, more and more seldom while it brings no better order. */
    private void part(int which, int round, Runnable work) {
      if (round % (1 << Math.min(RAREST, fails[which])) == 0) {
        long before = incumbent.peak();
        work.run();
        fails[which] = incumbent.peak() < before ? 0 : fails[which] + 1;
      }
    }

    private void sharpen() {
      ForcedPrecedences found = over() ? null : arcs();
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
      BeamSearch beam = new BeamSearch(way, RunAtOnceRules.DEFAULT);
      int[] order = beam.run(width, incumbent.bound(), incumbent.peak(), OrderPortfolio.this::over);
      if (order != null) {
        found(order);
      }
    }

    /** Asks for something better, repeatedly, until there is nothing or the states run out. */
    private void question(DownsetSearch search, int states) {
      doing = "search";
      DownsetSearch.End end = DownsetSearch.End.FOUND;
      while (!over() && (end == DownsetSearch.End.FOUND || end == DownsetSearch.End.OVERTAKEN)) {
        end = search.run(this, incumbent.peak() - 1, states, OrderPortfolio.this::over);
      }
    }

    /** Raises the bound by search, with more and more downsets as long as that helps. */
    private void ascend(DownsetSearch search, int states, int most) {
      doing = "search";
      int allowed = states;
      long before = -1;
      while (!over() && incumbent.bound() > before) {
        before = incumbent.bound();
        search.run(this, before, allowed, OrderPortfolio.this::over);
        allowed = (int) Math.min(most, 4L * allowed);
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
