package stowage.exact.search;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.presolve.Component;
import stowage.exact.search.clause.LearningSearch;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * Worker that searches at the target with the memory filled up by {@link Fillers}. A guess that is
 * right is completed or refuted within some ten failures, so each is given few. One that is refuted
 * is weakened and tried again, one that is neither gives way to another.
 *
 * <p>It finds placements only: that there is none with fillers proves nothing.
 */
final class FillerWorker implements Worker {
  private static final int FAILURES = 300;

  /** Runs of a guess that is given little; others have twice, four times as many, and so on. */
  private static final int RUNS = 2;

  /** How often a guess is weakened. */
  private static final int WEAKENED = 40;

  /** With a larger share of the area free, guesses are hardly ever right. */
  private static final double MOST_FREE = 0.15;

  /** With more fillers for each buffer neither. */
  private static final double MOST_FILLERS = 0.2;

  /** With so few for each buffer guesses are often right, and worth two workers. */
  private static final double FEW_FILLERS = 0.08;

  private static final int WEIGHT = 12;
  private static final int LOW_WEIGHT = 2;

  private final SearchModel model;
  private final RunControl control;
  private final SplittableRandom random;
  private final int weight;
  private final int number;
  private long target = -1;
  private long[] free;
  private int guesses;
  private Fillers fillers;
  private LearningSearch search;
  private Component filled;
  private int weakened;
  private int runs;
  private long left;
  private long nodes;
  private long restarts;

  /** A worker with {@code number} of its kind before it, which make other guesses. */
  FillerWorker(SearchModel model, RunControl control, long seed, int number) {
    this.model = model;
    this.control = control;
    this.random = new SplittableRandom(seed + number);
    this.number = number;
    this.guesses = number;
    this.weight = worth(model) > 1 ? WEIGHT : LOW_WEIGHT;
  }

  /**
   * How many such workers a model is worth: none, one, or two. Guesses may be right for problems
   * full at most steps, with few buffers at a time.
   */
  static int worth(SearchModel model) {
    if (LearningWorker.worth(model) < 2) {
      return 0;
    }
    long[] free = Fillers.free(model, model.maxLoad);
    double share = Arrays.stream(free).sum() / ((double) model.maxLoad * Math.max(1, free.length));
    Fillers guess = Fillers.guess(model, free, Fillers.Choice.LATEST, null);
    if (share == 0 || share > MOST_FREE || guess.count() > MOST_FILLERS * model.count) {
      return 0;
    }
    return guess.count() <= FEW_FILLERS * model.count ? 2 : 1;
  }

  @Override
  public void advance(ComponentIncumbent incumbent, long share) {
    long end = nodes + share;
    while (!incumbent.ended() && nodes < end) {
      if (incumbent.target() != target) {
        target = incumbent.target();
        free = Fillers.free(model, target);
        search = null;
      }
      if (!LearningSearch.takes(model, target)) {
        nodes = end;
      } else if (search == null) {
        fillers = Fillers.guess(model, free, choice(), random);
        weakened = 0;
        begin();
      } else if (left <= 0) {
        restart();
      } else {
        look(incumbent, end);
      }
    }
  }

  /** The first two guesses end the latest and the earliest filler, all others a drawn one. */
  private Fillers.Choice choice() {
    Fillers.Choice[] all = Fillers.Choice.values();
    return all[Math.min(guesses++, all.length - 1)];
  }

  private void begin() {
    filled = fillers.component();
    search = new LearningSearch(new SearchModel(filled), control);
    search.begin(target, null);
    nodes += LearningWorker.NODES_A_PROPAGATION * (long) filled.count();
    runs = 0;
    left = 0;
  }

  /** The first run of a guess takes the usual order. */
  private void restart() {
    if (runs >= RUNS * LearningWorker.luby(guesses)) {
      search = null;
      return;
    }
    int[] order =
        runs == 0
            ? BottomLeftOrder.of(filled)
            : BottomLeftOrder.drawn(filled, random.nextInt(1 << 16), random);
    search.restart(order, LearningSearch.Ties.FAILURES, null);
    left = FAILURES;
    runs++;
    restarts++;
  }

  private void look(ComponentIncumbent incumbent, long end) {
    long failures = search.failures();
    long before = search.propagations();
    long most = (end - nodes) / LearningWorker.NODES_A_PROPAGATION + 1;
    LearningSearch.Answer answer = search.advance(left, most);
    left -= search.failures() - failures;
    nodes += LearningWorker.NODES_A_PROPAGATION * (search.propagations() - before);
    if (answer == LearningSearch.Answer.FOUND) {
      incumbent.offer(Arrays.copyOf(search.offsets(), model.count), "learning, memory filled");
      search = null;
    } else if (answer == LearningSearch.Answer.NONE) {
      weaken();
    }
  }

  private void weaken() {
    if (fillers.count() == 0 || weakened == WEAKENED) {
      search = null;
      return;
    }
    fillers.weaken(search.blame(), random);
    weakened++;
    begin();
  }

  @Override
  public int weight() {
    return weight;
  }

  /** Where guesses are often right, most are within a tenth of a second. */
  @Override
  public double patience() {
    return weight == WEIGHT ? 1 + number : LATE;
  }

  @Override
  public long nodes() {
    return nodes;
  }

  @Override
  public long restarts() {
    return restarts;
  }
}
