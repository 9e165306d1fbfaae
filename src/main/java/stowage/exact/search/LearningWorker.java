package stowage.exact.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;

/**
 * Worker that searches at the target with what failures teach, in one drawn order after another.
 * Runs are short and now and then long, as the sequence 1, 1, 2, 1, 1, 2, 4, ... says, which is
 * within a constant of the best lengths whatever the tail is like.
 *
 * <p>Source of the sequence: M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas
 * algorithms", Information Processing Letters 47, 1993, doi 10.1016/0020-0190(93)90029-9.
 */
final class LearningWorker implements Worker {
  /** Failures of the shortest run. */
  private static final int FAILURES = 250;

  /** One application of the rules takes about as long as so many nodes of the other searches. */
  static final int NODES_A_PROPAGATION = 16;

  /** Of more buffers the lists alone take long. */
  private static final int MOST_BUFFERS = 1_000;

  /** With more buffers live at a time, rules take long and say little. */
  private static final int MOST_LIVE = 45;

  /** With more than these a run takes seconds and finds nothing. */
  private static final int TOO_MANY_LIVE = 64;

  private static final int WEIGHT = 12;

  /** Of so many sections the fullest is where a run begins. */
  private static final int DRAWS = 30;

  private final SearchModel model;
  private final RunControl control;
  private final SplittableRandom random;
  private final boolean strong;
  private final int number;
  private LearningSearch search;
  private long target = -1;
  private long left;
  private int runs;

  /** A worker with {@code number} of its kind before it, which begin with other orders. */
  LearningWorker(SearchModel model, RunControl control, long seed, int number) {
    this.model = model;
    this.control = control;
    this.random = new SplittableRandom(seed + number);
    this.number = number;
    this.runs = number;
    this.strong = live(model) <= MOST_LIVE;
  }

  /** How many such workers a model is worth, which learn apart: none, one, or two. */
  static int worth(SearchModel model) {
    if (model.count > MOST_BUFFERS || !LearningSearch.takes(model, model.maxLoad)) {
      return 0;
    }
    double live = live(model);
    if (live > TOO_MANY_LIVE) {
      return 0;
    }
    return live <= MOST_LIVE ? 2 : 1;
  }

  /** Buffers live in a section, on average. */
  private static double live(SearchModel model) {
    return (double) Arrays.stream(model.width).sum() / Math.max(1, model.sections);
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long nodes) {
    long end = nodes() + nodes;
    while (!incumbent.ended() && nodes() < end) {
      if (incumbent.target() != target) {
        target = incumbent.target();
        if (!LearningSearch.takes(model, target)) {
          return;
        }
        begin();
      }
      if (left <= 0) {
        restart();
      }
      long before = search.failures();
      LearningSearch.Answer answer =
          search.advance(left, (end - nodes()) / NODES_A_PROPAGATION + 1);
      left -= search.failures() - before;
      if (answer == LearningSearch.Answer.FOUND) {
        incumbent.offer(search.offsets(), "learning");
        return;
      } else if (answer == LearningSearch.Answer.NONE) {
        incumbent.raise(target + 1, "learning");
      }
    }
  }

  private void begin() {
    if (search == null) {
      search = new LearningSearch(model, control);
    }
    search.begin(target, null);
    left = 0;
  }

  /**
   * The first run takes the usual order; most let failures decide among equals. The second worker
   * goes section by section in two runs of three.
   */
  private void restart() {
    int[] order =
        runs == 0
            ? BottomLeftOrder.of(model.problem)
            : BottomLeftOrder.drawn(model.problem, runs, random);
    search.restart(
        order,
        runs % 4 == 3 ? LearningSearch.Ties.ORDER : LearningSearch.Ties.FAILURES,
        number == 0 || runs % 3 == 0 ? null : sections());
    left = FAILURES * luby(++runs);
  }

  /** From a full section outwards. */
  private int[] sections() {
    long[] free = Fillers.free(model, target);
    int from = random.nextInt(free.length);
    for (int draw = 0; draw < DRAWS; draw++) {
      int other = random.nextInt(free.length);
      from = free[other] < free[from] ? other : from;
    }
    int center = from;
    return IndexOrder.of(
        IntStream.range(0, free.length),
        Comparator.comparingInt(section -> Math.abs(section - center)));
  }

  /** The n-th figure of 1, 1, 2, 1, 1, 2, 4, 1, ..., from n = 1. */
  static long luby(int n) {
    int power = Integer.highestOneBit(n + 1);
    return power == n + 1 ? power / 2 : luby(n + 1 - power);
  }

  @Override
  public int weight() {
    return strong ? WEIGHT : 1;
  }

  /** Where it is strong it often needs a tenth of a second, less than the turns of the others. */
  @Override
  public double patience() {
    return 1 + number;
  }

  @Override
  public long nodes() {
    return search == null ? 0 : NODES_A_PROPAGATION * search.propagations();
  }

  @Override
  public long restarts() {
    return runs;
  }
}
