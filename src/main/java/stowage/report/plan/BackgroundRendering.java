package stowage.report.plan;

import java.util.function.BiFunction;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.Threads;
import stowage.report.RunReport;

/**
 * Rendering of the long parts of a large plan's files in the background, again after each
 * improvement, so that a run that is stopped only has to copy them: a million buffers take about a
 * second and a half to check, print and draw, and a fifth of that to copy.
 *
 * <p>They stay in memory until the end. A file on disk would be left behind if a signal kills the
 * process outright, and no one is to find a plan before the run has ended.
 *
 * <p>One thread works on one plan at a time; of what improves meanwhile only the latest is taken.
 */
public final class BackgroundRendering implements Incumbent.Listener {
  /** Plans of fewer buffers are written in a few tenths of a second anyway. */
  public static final int FEWEST_BUFFERS = 50_000;

  /** What the parts of one buffer take, about; two plans are held while a new one is made. */
  private static final long BYTES_A_BUFFER = 320;

  /** The parts may take one byte in so many. */
  private static final int SHARE_OF_MEMORY = 8;

  private final Incumbent incumbent;
  private final BiFunction<Plan, RunReport, RunReport> report;
  private final boolean files;

  // Guarded by this object.
  private boolean improved;
  private boolean working;
  private boolean ended;

  /** What is worked on; null while that is nothing, or not known yet. */
  private Placement underWay;

  /** The last parts that were finished, or null. */
  private RenderedPlan latest;

  private BackgroundRendering(
      Incumbent incumbent, BiFunction<Plan, RunReport, RunReport> report, boolean files) {
    this.incumbent = incumbent;
    this.report = report;
    this.files = files;
  }

  /**
   * Starts to work ahead where that is worth its memory.
   *
   * @param report makes the report of a plan, perhaps after one of the same run
   * @param files whether files will be asked for; else only the bound is checked ahead
   * @return null where the problem is small, or too large for the memory
   */
  public static BackgroundRendering watch(
      Incumbent incumbent, BiFunction<Plan, RunReport, RunReport> report, boolean files) {
    if (!isWorthwhile(incumbent.problem(), Runtime.getRuntime().maxMemory())) {
      return null;
    }
    BackgroundRendering ahead = new BackgroundRendering(incumbent, report, files);
    incumbent.addListener(ahead);
    Threads.start("plan-ahead", ahead::work);
    return ahead;
  }

  static boolean isWorthwhile(PackingProblem problem, long memoryBytes) {
    return problem.size() >= FEWEST_BUFFERS
        && problem.size() * BYTES_A_BUFFER <= memoryBytes / SHARE_OF_MEMORY;
  }

  @Override
  public synchronized void improved(Incumbent.Event event) {
    improved = true;
    notifyAll();
  }

  /**
   * Ends the work, and waits for what is under way if it is the plan asked for.
   *
   * @return the parts of that plan, or else those made last, whose report has the bound checked;
   *     null where there are none
   */
  public synchronized RenderedPlan finish(Plan plan) {
    try {
      while (isComing(plan.placement())) {
        wait();
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    ended = true;
    notifyAll();
    return latest;
  }

  private boolean isComing(Placement placement) {
    return working ? underWay == null || underWay == placement : improved && !ended;
  }

  private void work() {
    try {
      RenderedPlan made = null;
      while (awaitImprovement()) {
        // Outside of this object's lock: who improves holds the incumbent's when it calls here.
        Plan plan = Plan.of(incumbent);
        begin(plan.placement());
        if (plan.placement() != null) {
          RunReport next = report.apply(plan, made == null ? null : made.report());
          made = files ? RenderedPlan.inMemory(next) : RenderedPlan.streamed(next);
        }
        end(made);
      }
    } catch (RuntimeException | OutOfMemoryError failure) {
      // The end of the run will make them, and say what is wrong.
    } finally {
      endForGood();
    }
  }

  private synchronized void endForGood() {
    ended = true;
    working = false;
    notifyAll();
  }

  private synchronized boolean awaitImprovement() {
    try {
      while (!improved && !ended) {
        wait();
      }
    } catch (InterruptedException nobodyAsks) {
      return false;
    }
    improved = false;
    working = !ended;
    return working;
  }

  private synchronized void begin(Placement placement) {
    underWay = placement;
    notifyAll();
  }

  private synchronized void end(RenderedPlan made) {
    latest = made;
    underWay = null;
    working = false;
    notifyAll();
  }
}
