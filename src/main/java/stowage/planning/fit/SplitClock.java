package stowage.planning.fit;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.RunControl;

/**
 * The time of a search for runs: its stages, and when it has gone on long enough without a better
 * plan. Where limits count work, so does all of this.
 */
final class SplitClock {
  /** For how long an exact engine places at most, or how much work that is. */
  static final double MOST_SECONDS = 2;

  private static final long PLACING_WORK = 300_000;

  /** Work of a quick placement. */
  private static final long QUICK_WORK = 20_000;

  /** For how long a choice of a way down is placed at most, its part of the time left, and work. */
  private static final double SETTLING_SECONDS = 0.5;

  private static final double SETTLINGS = 40;

  private static final long SETTLING_WORK = 300_000;

  /** Seconds without a better plan after which walks end, and as a multiple of the last one's. */
  private static final double PATIENCE = 5;

  private static final double PATIENCE_EACH = 2;

  /** A plan for a price known before that needs less by no more than this share is no better. */
  private static final double GAIN = 0.005;

  /** Seconds below which another turn is not worth it. */
  private static final double LEAST_TURN = 0.5;

  /** The share of the work after which another turn is not worth it. */
  private static final double MOST_DONE = 0.95;

  private static final double UNITS = 1e6;

  /** With less time left one way follows the other. */
  static final double BRIEF_SECONDS = 15;

  private record Known(double bytes, long extra) {}

  private final FitRequest request;
  private final RunControl control;
  private final long start = System.nanoTime();
  private final List<Known> gains = new ArrayList<>();
  private boolean answered;
  private double lastGain;

  /** The time that walks took before the present one, and up to the last gain. */
  private double walked;

  private double walkedAtGain;

  /** When the present walk began; -1 outside of walks. */
  private double walking = -1;

  private final boolean brief;

  /** Work done, in units of about a microsecond. */
  private long work;

  private RunControl stage;
  private long stageWork;

  SplitClock(FitRequest request, RunControl control) {
    this.request = request;
    this.control = control;
    this.brief = !control.isDeterministic() && control.secondsLeft() < BRIEF_SECONDS;
    this.stage = control;
    this.stageWork = control.workLimit();
  }

  /**
   * The time of a way that another thread goes; null where limits count work, for one thread, and
   * where the time is so short that compiling Java's code takes much of the other core.
   */
  SplitClock sideBySide() {
    boolean alone = control.isDeterministic() || control.threads() < 2;
    return alone || control.secondsLeft() < BRIEF_SECONDS ? null : new SplitClock(request, control);
  }

  /** Whether it began with so little time that choices of a way down are placed by quick rules. */
  boolean isBrief() {
    return brief;
  }

  void stop() {
    control.stop();
  }

  /** Gives the next stage a share of the time, or of the work, that is left. */
  void begin(double share) {
    stage = control.isDeterministic() ? control : control.within(share * control.secondsLeft());
    stageWork = work + (long) (share * (control.workLimit() - work));
  }

  void did(long units) {
    work += units;
  }

  /** Counts the work of some quick placements. */
  void didPlace(int plans) {
    did(QUICK_WORK * plans);
  }

  /** The share of an exact engine that places. */
  RunControl placing() {
    did(PLACING_WORK);
    return control.isDeterministic()
        ? control.withWork(PLACING_WORK)
        : control.within(Math.min(MOST_SECONDS, control.secondsLeft() / 12));
  }

  /** A moment to place a choice of a way down, on one thread. */
  RunControl settling() {
    did(SETTLING_WORK);
    return (control.isDeterministic()
            ? control.withWork(SETTLING_WORK)
            : control.within(Math.min(SETTLING_SECONDS, control.secondsLeft() / SETTLINGS)))
        .withThreads(1);
  }

  /** Whether the stage's time is over; where limits count work, whether that is done. */
  boolean isOver() {
    return isStopped() || control.isDeterministic() && work >= stageWork;
  }

  /** Whether the stage's time is over, as any thread may ask. */
  boolean isStopped() {
    return stage.isStopped();
  }

  /** Whether too little is left for another turn. */
  boolean isLast() {
    return control.isDeterministic()
        ? work >= MOST_DONE * control.workLimit()
        : control.secondsLeft() < LEAST_TURN;
  }

  /** Seconds since the search began; where limits count work, millions of its units. */
  private double now() {
    return control.isDeterministic() ? work / UNITS : (System.nanoTime() - start) / 1e9;
  }

  /**
   * Notes a plan found, and the bytes that count of its memory. Above a limit it is better than
   * others where it is cheaper than what is within: walks go on from there.
   */
  synchronized void found(FitPlan plan, long bytes) {
    boolean priced = request.maxExtra() >= 0;
    boolean answers =
        priced ? plan.extra() <= request.maxExtra() : request.admits(plan.peak(), plan.load());
    answered |= answers;
    Known own = new Known(request.limited() && answers ? 0 : bytes, priced ? 0 : plan.extra());
    if ((answers || request.limited())
        && gains.stream()
            .noneMatch(one -> one.extra <= own.extra && (1 - GAIN) * one.bytes <= own.bytes)) {
      gains.add(own);
      lastGain = now();
      walkedAtGain = walked();
    }
  }

  /** Notes that a walk begins: {@link #isFlat} counts the time of walks alone. */
  synchronized void beginWalk() {
    walking = now();
  }

  synchronized void endWalk() {
    walked = walked();
    walking = -1;
  }

  private double walked() {
    return walked + (walking < 0 ? 0 : now() - walking);
  }

  /** Whether there is a plan that answers, and walks have found nothing better for long. */
  synchronized boolean isFlat() {
    return answered && walked() - walkedAtGain > Math.max(PATIENCE, PATIENCE_EACH * lastGain);
  }

  /**
   * For how long nothing better came, at the end of a search that its limit did not end; 0 where it
   * did, or where no plan answers.
   */
  synchronized double idle() {
    boolean limited =
        control.isStopped() || control.isDeterministic() && work >= control.workLimit();
    return limited || !answered ? 0 : now() - lastGain;
  }
}
