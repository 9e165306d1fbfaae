package stowage.exact.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import stowage.exact.presolve.Component;
import stowage.exact.search.greedy.LargePlacer;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchModel;
import stowage.exact.search.model.SearchResult;
import stowage.exact.search.model.SearchStatistics;
import stowage.exact.search.tree.DisjunctiveSearch;
import stowage.packing.LeftOut;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * Team of the exact search and its companions on the threads given.
 *
 * <p>Workers do their work in shares. Left free, every thread takes the next worker whose turn it
 * is, and all share one incumbent. Deterministic runs go in rounds instead: every worker does the
 * same share on its own copy of the incumbent, and the copies are merged in a fixed order, so the
 * answer depends on the problem, the seed and the node budget alone, not on threads or time.
 */
public final class SearchTeam {
  private static final long FIRST_SHARE = 2_000;
  private static final long LARGEST_SHARE = 20_000;

  /** From so many buffers on, placing comes before searching. */
  private static final int PLACED_FIRST = 600;

  /** From so many buffers on, a node of the search costs more than it can bring. */
  private static final int PLACED_ONLY = 3_000;

  /** The same where buffers have windows: a node looks at all pairs. */
  private static final int WINDOWS_PLACED_ONLY = 1_000;

  /** How often every buffer may be placed before the search begins. */
  private static final long PLACINGS_FIRST = 60;

  /** Descents side by side at least; whatever threads the other workers leave descend too. */
  private static final int DESCENTS = 2;

  private final int threads;
  private final long seed;
  private final boolean deterministic;

  /**
   * @param deterministic whether the answer must not depend on timing
   */
  public SearchTeam(int threads, long seed, boolean deterministic) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads(" + threads + ") must be at least 1");
    }
    this.threads = threads;
    this.seed = seed;
    this.deterministic = deterministic;
  }

  /** Looks for a placement of a component on its own; see {@link #search}. */
  public SearchResult search(Component problem, long capacity, RunControl control) {
    return search(new ComponentIncumbent(problem), capacity, control);
  }

  /**
   * Looks for a placement below a capacity.
   *
   * @param incumbent of a component with one memory; what is found goes there
   * @param capacity in the component's unit
   * @return FEASIBLE or OPTIMAL with offsets, INFEASIBLE, or UNKNOWN if the control ended it
   */
  public SearchResult search(ComponentIncumbent incumbent, long capacity, RunControl control) {
    incumbent.begin(capacity, control);
    incumbent.limit(capacity);
    return searchesPairs(incumbent)
        ? disjunctive(incumbent, control, engine -> engine.search(capacity))
        : run(incumbent, capacity, false, control);
  }

  /**
   * Looks for the lowest peak, from the incumbent's placement on if it has one.
   *
   * @param incumbent of a component with one memory; what is found goes there
   * @param enough a peak that is low enough to end at; 0 for none
   * @return OPTIMAL, also where the peak is low enough, FEASIBLE with the best found, INFEASIBLE
   *     where fixed offsets clash, or UNKNOWN
   */
  public SearchResult minimise(ComponentIncumbent incumbent, long enough, RunControl control) {
    incumbent.begin(enough, control);
    incumbent.raise(incumbent.part().maxLoad(), "");
    if (!searchesPairs(incumbent) || incumbent.ended()) {
      return run(incumbent, enough, true, control);
    }
    if (incumbent.offsets() == null) {
      place(incumbent, false, control);
    }
    return disjunctive(incumbent, control, DisjunctiveSearch::minimise);
  }

  private static boolean searchesPairs(ComponentIncumbent incumbent) {
    Component part = incumbent.part();
    return part.hasWindows() && part.count() <= WINDOWS_PLACED_ONLY;
  }

  /** Runs the engine for windows, on a thread whose stack is deep enough. */
  private static SearchResult disjunctive(
      ComponentIncumbent incumbent,
      RunControl control,
      Function<DisjunctiveSearch, SearchResult> question) {
    SearchResult[] answer = new SearchResult[1];
    run(1, 1, task -> answer[0] = question.apply(new DisjunctiveSearch(incumbent, control)));
    return answer[0];
  }

  /**
   * @param goal the capacity asked for, or the peak that is low enough
   * @param lowers whether the peak is to be lowered as far as possible
   */
  private SearchResult run(
      ComponentIncumbent incumbent, long goal, boolean lowers, RunControl control) {
    Component problem = incumbent.part();
    incumbent.raise(problem.maxLoad(), "");
    SearchStatistics statistics = new SearchStatistics(0, 0, 0, "", "");
    if (incumbent.ended()) {
      return answer(incumbent, goal, lowers, statistics);
    }
    boolean alone = problem.count() > (problem.hasWindows() ? WINDOWS_PLACED_ONLY : PLACED_ONLY);
    if (problem.count() >= PLACED_FIRST) {
      SearchResult placed = place(incumbent, alone, control);
      statistics = alone ? placed.statistics() : statistics;
      if (incumbent.offsets() == null && placed.offsets() != null) {
        incumbent.adopt(placed.offsets(), null); // above the capacity, but a beginning
      }
      incumbent.begin(goal, control);
    }
    // The model of a thousand buffers takes a tenth of a second.
    if (alone || control.isStopped()) {
      return answer(incumbent, goal, lowers, statistics);
    }
    SearchModel model = new SearchModel(problem);
    List<Worker> workers = workers(model, control, lowers);
    if (deterministic) {
      runInRounds(workers, incumbent, control);
    } else {
      runFreely(workers, incumbent, control);
    }
    statistics =
        new SearchStatistics(
            nodes(workers),
            workers.stream().mapToLong(Worker::nogoodHits).sum(),
            workers.stream().mapToLong(Worker::restarts).sum(),
            incumbent.finder(),
            incumbent.prover());
    return answer(incumbent, goal, lowers, statistics);
  }

  /** Places without a search, which large problems begin with and the largest end with. */
  private SearchResult place(ComponentIncumbent incumbent, boolean alone, RunControl control) {
    RunControl limit =
        alone ? control : control.withWork(PLACINGS_FIRST * incumbent.part().count());
    return new LargePlacer(threads, seed, deterministic).place(incumbent, limit);
  }

  /** The workers that lower the peak as far as possible, or else fit it to a capacity. */
  private List<Worker> workers(SearchModel model, RunControl control, boolean lowers) {
    List<Worker> workers = new ArrayList<>();
    workers.add(new ExactWorker(model, control));
    int most = deterministic ? 1 : 2;
    int learners = LeftOut.has("learning") ? 0 : Math.min(most, LearningWorker.worth(model));
    for (int k = 0; k < learners; k++) {
      workers.add(new LearningWorker(model, control, seed, k));
    }
    int fillers = LeftOut.has("filled") ? 0 : Math.min(most, FillerWorker.worth(model));
    for (int k = 0; k < fillers; k++) {
      workers.add(new FillerWorker(model, control, seed, k));
    }
    if (!LeftOut.has("weights")) {
      workers.add(new WeightedWorker(model, control, WeightedWorker.Capacities.AIMS));
      if (lowers) {
        workers.add(new WeightedWorker(model, control, WeightedWorker.Capacities.STEPS));
      }
    }
    int growths = LeftOut.has("windows") || !GrowthWorker.isWorth(model) ? 0 : most;
    for (int k = 0; k < growths; k++) {
      workers.add(new GrowthWorker(model, control, seed, k));
    }
    for (int k = 0; k < growths; k++) {
      workers.add(new RepairWorker(model, control, seed, k));
    }
    int others = workers.size();
    int descents = deterministic ? DESCENTS : Math.max(DESCENTS, threads - others);
    descents = LeftOut.has("descent") ? 0 : descents;
    for (int k = 0; k < descents; k++) {
      workers.add(new DescentWorker(model, control, seed + k));
    }
    return workers;
  }

  /** The control is the way to end a search; an interrupt is passed on afterwards. */
  private static void run(int threads, int tasks, IntConsumer task) {
    Threads.run("stowage-search", threads, tasks, task, () -> {});
  }

  private void runInRounds(List<Worker> workers, ComponentIncumbent incumbent, RunControl control) {
    long share = FIRST_SHARE;
    while (!incumbent.ended() && nodes(workers) < control.workLimit()) {
      ComponentIncumbent[] copies = new ComponentIncumbent[workers.size()];
      Arrays.setAll(copies, k -> incumbent.snapshot());
      long nodes = share;
      run(threads, copies.length, k -> workers.get(k).advance(copies[k], nodes));
      for (ComponentIncumbent copy : copies) {
        incumbent.merge(copy, null);
      }
      share = Math.min(LARGEST_SHARE, 2 * share);
    }
  }

  private void runFreely(List<Worker> workers, ComponentIncumbent incumbent, RunControl control) {
    WorkerSchedule queue = new WorkerSchedule(workers);
    int team = Math.min(threads, workers.size());
    run(
        team,
        team,
        thread -> {
          long share = FIRST_SHARE;
          while (!incumbent.ended() && nodes(workers) < control.workLimit()) {
            int turn = queue.take();
            Worker worker = workers.get(turn);
            long before = incumbent.best();
            long begin = System.nanoTime();
            worker.advance(incumbent, share);
            long nanos = System.nanoTime() - begin;
            queue.giveBack(turn, share, nanos, incumbent.best() < before);
            share = Math.min(LARGEST_SHARE, 2 * share);
          }
        });
  }

  private static long nodes(List<Worker> workers) {
    return workers.stream().mapToLong(Worker::nodes).sum();
  }

  private static SearchResult answer(
      ComponentIncumbent incumbent, long goal, boolean lowers, SearchStatistics statistics) {
    boolean fits = incumbent.offsets() != null && (lowers || incumbent.peak() <= goal);
    long bound = lowers ? incumbent.target() : incumbent.bound();
    SearchResult known =
        SearchResult.of(incumbent.part(), fits ? incumbent.offsets() : null, bound, statistics);
    if (!incumbent.exhausted() && (fits || lowers || bound <= goal)) {
      return known;
    }
    SearchResult.Status status =
        fits ? SearchResult.Status.OPTIMAL : SearchResult.Status.INFEASIBLE;
    return new SearchResult(status, known.offsets(), known.peak(), bound, statistics);
  }
}
