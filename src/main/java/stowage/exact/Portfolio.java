package stowage.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import stowage.exact.bound.window.WindowBounds;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.Engines;
import stowage.exact.engine.SearchEngine;
import stowage.exact.engine.SolveContext;
import stowage.heuristic.EjectionDescent;
import stowage.heuristic.GreedyPlanner;
import stowage.heuristic.HintPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.heuristic.SweepBestFit;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * The main job: bounds first, then quick heuristics, then the exact engines side by side on the
 * threads given, with the bounds of windows ({@link WindowBounds}) alongside or before them, all
 * through one incumbent; it ends when best placement and best bound meet, at the limit, or when
 * asked to stop.
 *
 * <p>A deterministic run sees the buffers in {@linkplain FileOrder an order of its own}, so that
 * the order of a file does not matter to its plan.
 *
 * <p>The search goes first: on most problems it is done before another engine has loaded. Others
 * join after a while on the problems they are good at. Without threads to spare engines take turns.
 */
public final class Portfolio {
  /**
   * How a run is made up.
   *
   * @param heuristics planners that give first placements, in this order
   * @param engines complete methods, the first one alone at the start
   * @param options what is passed on to the engines
   */
  public record Setup(List<Planner> heuristics, List<Engine> engines, EngineOptions options) {}

  /** How long the first engine is left alone before the others join it. */
  private static final double HEAD_START_SECONDS = 1.5;

  private static final double PROBE_SECONDS = 1;

  /** The share of a capacity above it from which on a greedy plan is far above. */
  private static final double FAR_ABOVE = 0.1;

  /** The share of a capacity's bytes and steps from which on a list of few buffers is full. */
  private static final double FULL = 0.8;

  private static final int FEW = 600;

  /**
   * Work for a certificate in place of a solver's claim: a few tenths of a second, and as much
   * again for every second that the run has taken.
   */
  private static final long CERTIFYING = 5 * WindowBounds.QUICK;

  private static final double MOST_SHARES = 10;

  /** With less time left, no certificate is looked for. */
  private static final double SECONDS_TO_CERTIFY = 3;

  /** Time with which the bounds may take some seconds before the engines begin. */
  private static final long AMPLE_SECONDS = 30;

  private final SolveContext context;
  private final PackingProblem problem;
  private final Incumbent incumbent;
  private final RunControl control;

  /** Stopped when the problem is closed, too: it ends the engines, not the caller's control. */
  private final RunControl together;

  private final Setup setup;
  private final List<EngineReport> reports = new CopyOnWriteArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private Portfolio(SolveContext context, Setup setup) {
    this.context = context;
    this.problem = context.problem();
    this.incumbent = context.incumbent();
    this.control = context.control();
    this.together = control.within(Double.POSITIVE_INFINITY);
    this.setup = setup;
  }

  /**
   * Runs until proven, stopped or out of time. Whatever happens, the incumbent, which may hold a
   * warm start, keeps the best verified placement and the best bounds; an engine's failure is
   * thrown only after the others have ended, and only if nothing was found. Gives what each engine
   * did that was run to its end, in the order they ended.
   */
  public static List<EngineReport> run(Incumbent incumbent, RunControl control, Setup setup) {
    return run(SolveContext.of(incumbent, control, setup.options()), setup);
  }

  /** A run with the usual openings and all engines, as {@link #run(SolveContext, Setup)}. */
  public static List<EngineReport> run(
      Incumbent incumbent, RunControl control, EngineOptions options) {
    Setup all = new Setup(Openings.of(incumbent.problem()), Engines.all(), options);
    return run(SolveContext.of(incumbent, control, options), all);
  }

  /**
   * A placement within the capacity of a problem's one memory, by the usual openings and the search
   * alone; null where none is found.
   */
  public static Placement within(PackingProblem problem, RunControl control) {
    Incumbent incumbent = new Incumbent(problem);
    EngineOptions any = EngineOptions.defaults().withFirstFit(true);
    run(incumbent, control, new Setup(Openings.of(problem), List.of(new SearchEngine()), any));
    Placement found = incumbent.placement();
    boolean fits = found != null && found.peak(problem, 0) <= problem.memories().get(0).capacity();
    return fits ? found : null;
  }

  /** As {@link #run(Incumbent, RunControl, Setup)}, with bounds made beforehand. */
  public static List<EngineReport> run(SolveContext given, Setup setup) {
    SolveContext context = given.with(setup.options());
    Incumbent incumbent = context.incumbent();
    RunControl control = context.control();
    if (!incumbent.objective().isPeaks()) {
      List<EngineReport> reports = new GoalRun(context.problem(), incumbent, control, setup).run();
      placeAtLast(context, setup);
      return reports;
    }
    FileOrder order = control.isDeterministic() ? new FileOrder(context.problem()) : null;
    if (order != null && !order.isSame()) {
      return inOrder(order, context, setup);
    }
    if (context.offerBounds()) {
      return List.of();
    }
    if (!context.problem().isPlain()) {
      List<EngineReport> reports =
          new PlainFormRun(context.problem(), incumbent, control, setup).run();
      placeAtLast(context, setup);
      return reports;
    }
    Portfolio portfolio = new Portfolio(context, setup);
    List<EngineReport> reports;
    if (opensBesideEngines(context, setup)) {
      Thread opening = Threads.start("openings", () -> portfolio.open(portfolio.together));
      reports = portfolio.runEngines();
      Threads.join(opening, portfolio.together::stop);
    } else {
      portfolio.open(control);
      reports = portfolio.runEngines();
    }
    placeAtLast(context, setup);
    return reports;
  }

  /** Where the time was too short for anything else, some plan is better than none. */
  private static void placeAtLast(SolveContext context, Setup setup) {
    Incumbent incumbent = context.incumbent();
    if (incumbent.placement() == null && !incumbent.isClosed() && !setup.heuristics().isEmpty()) {
      offer(new SweepBestFit(), context.problem(), incumbent, context.control());
    }
  }

  /** Whether engines need not wait for openings: where the search begins with placings itself. */
  private static boolean opensBesideEngines(SolveContext context, Setup setup) {
    RunControl control = context.control();
    return context.problem().size() > Openings.LARGE
        && !setup.heuristics().isEmpty()
        && !setup.engines().isEmpty()
        && !setup.options().firstFit()
        && control.threads() > 1
        && !control.isDeterministic();
  }

  private void open(RunControl until) {
    boolean hopeless = isFull();
    for (Planner planner : setup.heuristics()) {
      if (!isDone(incumbent, until, setup) && !hopeless) {
        Placement placed = offer(planner, problem, incumbent, until);
        hopeless = planner instanceof GreedyPlanner && isFarAbove(placed);
      }
    }
  }

  /**
   * Whether any plan will do and the buffers, which are not many, fill the capacity at most steps:
   * greedy plans hardly ever fit then, and the search needs none to begin with.
   */
  private boolean isFull() {
    if (!setup.options().firstFit()
        || problem.memories().size() > 1
        || problem.size() > FEW
        || HintPlanner.hasHints(problem)) {
      return false;
    }
    double area = 0;
    long begin = Long.MAX_VALUE;
    long end = 0;
    for (Buffer buffer : problem.buffers()) {
      area += (double) buffer.size() * buffer.live().length();
      begin = Math.min(begin, buffer.live().start());
      end = Math.max(end, buffer.live().end());
    }
    return area > FULL * problem.memories().get(0).capacity() * (end - begin);
  }

  /**
   * Whether any plan will do and a greedy one ends so far above the capacity that others hardly
   * ever fit: in a run of a tenth of a second they would take a fifth of it.
   */
  private boolean isFarAbove(Placement placed) {
    if (!setup.options().firstFit() || placed == null || problem.memories().size() > 1) {
      return false;
    }
    long capacity = problem.memories().get(0).capacity();
    return placed.peak(problem, 0) - capacity > FAR_ABOVE * capacity;
  }

  /** A run on the problem in another order of buffers, whose plans and bounds come back from it. */
  private static List<EngineReport> inOrder(FileOrder order, SolveContext given, Setup setup) {
    Incumbent outer = given.incumbent();
    Incumbent inner = new Incumbent(order.problem(), outer.objective());
    if (outer.placement() != null) {
      inner.offer(order.toSorted(outer.placement()), outer.finder());
    }
    Consumer<String> passBack =
        inner.feed(outer, order::toOriginal, order::toOriginal, order::toOriginal);
    EngineOptions options =
        setup.options().withHints(setup.options().hints().stream().map(order::toSorted).toList());
    Setup same = new Setup(setup.heuristics(), setup.engines(), options);
    List<EngineReport> reports = run(inner, given.control(), same);
    passBack.accept(inner.finder()); // certificates may have replaced an engine's claim
    inner.remarks().forEach(outer::remark);
    return reports;
  }

  private static Placement offer(
      Planner planner, PackingProblem problem, Incumbent incumbent, RunControl control) {
    incumbent.working(planner.name(), true);
    try {
      Placement placed = planner.planAny(problem, control);
      incumbent.offer(placed, planner.name());
      return placed;
    } catch (NotPlannableException rejected) {
      // Another planner admits the problem; this one's word is for those who asked for it alone.
    } catch (OutOfMemoryError | StackOverflowError shortage) {
      incumbent.remark(ranOut(planner.name()));
    } finally {
      incumbent.working(planner.name(), false);
    }
    return null;
  }

  private static boolean isDone(Incumbent incumbent, RunControl control, Setup setup) {
    return control.isStopped()
        || incumbent.isClosed()
        || (setup.options().firstFit() && incumbent.placement() != null);
  }

  private List<EngineReport> runEngines() {
    if (setup.engines().isEmpty() || isDone(incumbent, control, setup)) {
      return List.of();
    }
    Incumbent.Listener ending = event -> stopWhereDone();
    incumbent.addListener(ending);
    try {
      boolean searches =
          setup.engines().stream().anyMatch(engine -> engine instanceof SearchEngine);
      Ejections ejections =
          new Ejections(
              context.within(together), searches, thrown -> failed(EjectionDescent.NAME, thrown));
      if (control.isDeterministic() || control.threads() == 1) {
        if (!control.isDeterministic()) {
          lookForWindows(incumbent.bestBound(), WindowBounds.QUICK);
          probe();
        }
        if (!isDone(incumbent, together, setup)) {
          lookForWindows(incumbent.bestBound(), workForBounds());
          ejections.first();
          takeTurns();
        }
      } else {
        ejections.during(this::runBesideBounds);
      }
    } finally {
      incumbent.removeListener(ending);
    }
    if (isWord()) {
      double shares = control.isDeterministic() ? 0 : Math.min(MOST_SHARES, incumbent.seconds());
      lookForWindows(incumbent.bestBound() - 1, CERTIFYING + (long) (CERTIFYING * shares));
    }
    if (incumbent.placement() == null && !incumbent.isClosed()) {
      throwFailure();
    }
    return List.copyOf(reports);
  }

  /** On one thread what a search closes soon need not wait for bounds that take seconds. */
  private void probe() {
    Engine first = setup.engines().get(0);
    if (!isDone(incumbent, together, setup) && !first.knowsRelations()) {
      runOne(first, together.within(Math.min(PROBE_SECONDS, together.secondsLeft() / 4)));
    }
  }

  private void stopWhereDone() {
    if (!control.isDeterministic() && isDone(incumbent, together, setup)) {
      together.stop();
    }
  }

  private void runBesideBounds() {
    try (BoundWatch watch =
        BoundWatch.over(context.within(together), thrown -> failed("bounds", thrown))) {
      if (setup.engines().size() == 1) {
        takeTurns();
      } else {
        runSideBySide();
      }
    }
  }

  private void lookForWindows(long known, long work) {
    try {
      WindowBounds.offer(context.presolved(), incumbent, control, known, work, Runnable::run);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError broken) {
      failed("bounds", broken);
    }
  }

  private void failed(String who, Throwable broken) {
    if (broken instanceof OutOfMemoryError || broken instanceof StackOverflowError) {
      incumbent.remark(ranOut(who));
    }
    failure.compareAndSet(null, broken);
  }

  private static String ranOut(String who) {
    return who + " ended early: not enough memory; STOWAGE_JAVA_OPTS=-Xmx gives more";
  }

  private void throwFailure() {
    Throwable broken = failure.get();
    if (broken instanceof RuntimeException usual) {
      throw usual;
    } else if (broken instanceof VirtualMachineError shortage) {
      throw shortage;
    } else if (broken != null) {
      throw new IllegalStateException(broken);
    }
  }

  /** Whether a claim ended the run, and there is time to look for a certificate instead. */
  private boolean isWord() {
    if (!control.isDeterministic() && control.secondsLeft() < SECONDS_TO_CERTIFY) {
      return false;
    }
    Certificate infeasibility = incumbent.infeasibility();
    Bound bound = incumbent.bound(0);
    return incumbent.isClosed()
        && !(infeasibility != null ? infeasibility : bound.certificate()).checkable();
  }

  /** On one thread bounds come before the engines, with a small share of what time there is. */
  private long workForBounds() {
    boolean ample =
        control.isDeterministic()
            ? control.workLimit() >= AMPLE_SECONDS * 1_000_000
            : control.secondsLeft() >= AMPLE_SECONDS;
    return ample ? WindowBounds.THOROUGH : WindowBounds.QUICK;
  }

  /**
   * One engine after the other, each with a share of what is left; the first then has the rest.
   * Which of them come does not depend on the threads, so that deterministic runs agree.
   */
  private void takeTurns() {
    double left = together.secondsLeft();
    int engines = setup.engines().size();
    for (Engine engine : suitable(Integer.MAX_VALUE)) {
      boolean alone = engines == 1 || control.isDeterministic();
      if (!isDone(incumbent, together, setup)) {
        runOne(engine, alone ? together : together.within(left / (engines + 1)));
      }
    }
    if (engines > 1 && !control.isDeterministic() && !isDone(incumbent, together, setup)) {
      runOne(setup.engines().get(0), together);
    }
  }

  private void runSideBySide() {
    List<Thread> threads = new ArrayList<>();
    for (Engine engine : suitable(control.threads())) {
      boolean waits = engine != setup.engines().get(0);
      Runnable run =
          () -> {
            if (!waits || !endsWithinHeadStart()) {
              runOne(engine, together);
            }
          };
      threads.add(Threads.start(engine.name(), run));
    }
    threads.forEach(thread -> Threads.join(thread, together::stop));
  }

  /** The first engine and those that are good at problems of this size where nothing is related. */
  private List<Engine> suitable(int threads) {
    List<Engine> engines = setup.engines();
    // Where buffers choose their memory, few threads are no reason to leave an engine out.
    int enough = problem.memories().size() > 1 ? Integer.MAX_VALUE : threads;
    return engines.stream()
        .filter(engine -> engines.size() == 1 || !engine.knowsRelations())
        .filter(
            engine -> engine == engines.get(0) || problem.size() <= engine.suitableBuffers(enough))
        .toList();
  }

  private boolean endsWithinHeadStart() {
    try {
      return together.awaitStop(HEAD_START_SECONDS);
    } catch (InterruptedException ended) {
      return true;
    }
  }

  private void runOne(Engine engine, RunControl limit) {
    incumbent.working(engine.name(), true);
    try {
      reports.add(engine.run(context.within(limit)));
    } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError broken) {
      failed(engine.name(), broken);
    } finally {
      incumbent.working(engine.name(), false);
    }
  }
}
