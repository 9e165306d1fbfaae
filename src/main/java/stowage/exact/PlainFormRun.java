package stowage.exact;

import java.util.ArrayList;
import java.util.List;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Bound;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.PlainForm;
import stowage.packing.ReservedRange;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;

/**
 * A run of the portfolio on a problem that is not plain: the planners and engines work on its
 * {@linkplain PlainForm plain form}, and every placement they find is one of the problem. What the
 * plain form cannot say, an engine that {@linkplain Engine#knowsRelations() knows relations} works
 * on directly.
 *
 * <p><b>Reserved ranges.</b> In the plain form they are buffers, whose ends would count in the
 * peak. So the run asks level by level, from the lowest range up: is there a placement whose peak
 * is not above the start of range k, with the ranges below it in place? When the answer is no, the
 * peak is above the end of range k. Example: ranges [100, 200) and [900, 1000), load 300. Level 0
 * (peak up to 100) is ruled out by the load, level 1 (up to 900, the first range in place) answers.
 */
final class PlainFormRun {
  private final PackingProblem problem;
  private final Incumbent incumbent;
  private final RunControl control;
  private final EngineOptions options;

  /** Without hints, which are placements of the problem and not of its plain form. */
  private final Portfolio.Setup plainSetup;

  private final List<Engine> knowing = new ArrayList<>();
  private final List<EngineReport> reports = new ArrayList<>();

  /** Bytes that no peak is below, since all lower levels are ruled out; only with one memory. */
  private long floor;

  PlainFormRun(
      PackingProblem problem, Incumbent incumbent, RunControl control, Portfolio.Setup setup) {
    this.problem = problem;
    this.incumbent = incumbent;
    this.control = control;
    List<Engine> plain = new ArrayList<>();
    for (Engine engine : setup.engines()) {
      if (engine.lowers(Goal.PEAK)) {
        (engine.knowsRelations() ? knowing : plain).add(engine);
      }
    }
    this.options = setup.options();
    this.plainSetup = new Portfolio.Setup(setup.heuristics(), plain, options.withHints(List.of()));
  }

  List<EngineReport> run() {
    PlainForm plain = PlainForm.of(problem);
    if (plain.obstacle() != null) {
      incumbent.provenInfeasible(plain.obstacle(), "relations");
      return reports;
    }
    if (plain.refusal() != null && knowing.isEmpty()) {
      throw new NotPlannableException(
          "the problem has " + plain.refusal() + ", which only the planner pairs knows");
    }
    boolean worthwhile = !plainSetup.engines().isEmpty() || !plainSetup.heuristics().isEmpty();
    if (plain.refusal() == null && worthwhile && !isDone()) {
      boolean alone = plain.isExact() || knowing.isEmpty();
      levels(alone ? control : control.within(control.secondsLeft() / 3));
    }
    for (Engine engine : knowing) {
      if (!isDone()) {
        reports.add(engine.run(incumbent, control, options));
      }
    }
    return reports;
  }

  private boolean isDone() {
    return control.isStopped()
        || incumbent.isClosed()
        || (options.firstFit() && incumbent.placement() != null);
  }

  private void levels(RunControl limit) {
    List<Memory> memories = problem.memories();
    List<ReservedRange> ranges = memories.get(0).reserved();
    if (memories.size() > 1 || ranges.isEmpty() || options.firstFit()) {
      plainRun(problem, limit, memories.size() == 1 && ranges.isEmpty(), true);
      return;
    }
    Memory memory = memories.get(0);
    for (int level = 0; level <= ranges.size() && !isDone(); level++) {
      boolean last = level == ranges.size() || ranges.get(level).from() >= memory.capacity();
      long top = last ? memory.capacity() : ranges.get(level).from();
      Memory below = memory.withReserved(ranges.subList(0, level)).withCapacity(top);
      PackingProblem part = problem.withMemories(List.of(below));
      RunControl share = last ? limit : limit.within(limit.secondsLeft() / 2);
      boolean excluded = !last && incumbent.bestBound() > top || plainRun(part, share, true, last);
      if (last || incumbent.placement() != null && incumbent.score().figure(0) <= top) {
        return;
      }
      if (excluded && floor >= 0) {
        floor = ranges.get(level).to() + 1;
        String why = "no placement ends below the reserved range, level by level";
        incumbent.offer(Bound.of(floor, SolverClaim.because(why)), "reserved ranges");
      } else {
        floor = -1; // a lower level stays open, and higher ones bound nothing
      }
    }
  }

  /**
   * Works on a problem's plain form, whose bounds or infeasibility may be the whole problem's;
   * whether it is proven to have no placement.
   */
  private boolean plainRun(PackingProblem part, RunControl limit, boolean bounding, boolean whole) {
    PlainForm plain = PlainForm.of(part);
    Incumbent inner = new Incumbent(plain.problem());
    RunControl own = limit.within(Double.POSITIVE_INFINITY);
    boolean free = problem.memories().stream().allMatch(memory -> memory.reserved().isEmpty());
    boolean bounds = plain.isExact() && (bounding || free) && floor >= 0;
    inner.feed(
        incumbent,
        plain::expand,
        bound -> bounds && isAboveReserved(plain, bound) ? plain.expand(bound) : null,
        proof -> null);
    inner.addListener(
        event -> {
          if (isDone()) {
            own.stop();
          }
        });
    reports.addAll(Portfolio.run(inner, own, plainSetup));
    boolean excluded = inner.infeasibility() != null && plain.isExact();
    if (excluded && whole && floor >= 0) {
      incumbent.provenInfeasible(plain.expandInfeasible(inner.infeasibility()), "portfolio");
    }
    return excluded;
  }

  /** Whether a bound is above the reserved ranges, which are no buffers of the problem. */
  private boolean isAboveReserved(PlainForm plain, Bound bound) {
    int memory = problem.memories().size() - 1 - bound.figure();
    Memory home = problem.memories().get(memory);
    return bound.value() > plain.reservedTop(memory)
        && (home.reserved().isEmpty() || bound.value() <= home.capacity());
  }
}
