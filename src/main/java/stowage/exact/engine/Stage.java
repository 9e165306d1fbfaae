package stowage.exact.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.exact.bound.LowerBounds;
import stowage.exact.presolve.NormalPart;
import stowage.exact.presolve.NormalProblem;
import stowage.exact.presolve.Normalizer;
import stowage.exact.presolve.PartProblem;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/** One stage of a {@link StagedEngine}: the peak of one memory lowered over all parts. */
final class Stage implements PartTask.Listener {

  /** What is known of one part; heights in its units. */
  private static final class PartState {
    final NormalPart part;
    final int memory;
    long lower;
    long[] offsets;
    int[] places;
    PartTask.Hint suggestion;

    PartState(NormalPart part, int memory) {
      this.part = part;
      this.memory = memory;
    }

    /** The part's bound in bytes of the whole memory. */
    long lowerBytes() {
      return memory < 0 || lower == 0 ? 0 : part.bytes(lower);
    }

    long peak() {
      return memory < 0 ? 0 : part.peak(memory, offsets, places);
    }

    long peakBytes() {
      long peak = peak();
      return peak == 0 ? 0 : part.bytes(peak);
    }
  }

  private final StagedEngine engine;
  private final StagedEngine.Session session;
  private final Incumbent incumbent;
  private final RunControl control;
  private final int memory;
  private final int figure;
  private final EngineOptions options;
  private final NormalProblem normal;
  private final PackingProblem limited;
  private final List<PartState> states = new ArrayList<>();
  private Placement seen;

  /**
   * @param limited the problem under the capacities that earlier stages have set
   * @param memory the problem's memory whose peak is lowered, or -1 for any placement
   */
  Stage(
      StagedEngine engine,
      StagedEngine.Session session,
      PackingProblem limited,
      Incumbent incumbent,
      RunControl control,
      int memory,
      EngineOptions options) {
    this.engine = engine;
    this.session = session;
    this.incumbent = incumbent;
    this.control = control;
    this.memory = memory;
    this.figure = limited.memories().size() - 1 - memory;
    this.options = options;
    this.limited = limited;
    this.normal = Normalizer.normalize(limited);
  }

  /**
   * Works until the stage is closed, stopped, or its work is spent.
   *
   * @param stagesLeft how many stages share what work there is, this one included
   */
  void run(int stagesLeft) {
    if (isHopeless()) {
      incumbent.provenInfeasible(engine.word(session), engine.name());
      return;
    }
    for (NormalPart part : normal.parts()) {
      PartState state = new PartState(part, memory < 0 ? -1 : part.indexOfMemory(memory));
      if (state.memory >= 0) {
        state.lower = lowerBound(part, state.memory);
        // What has a placement has one within the horizon, whatever a bound asks for beyond it.
        if (state.lower > Math.min(part.capacity(state.memory), part.horizon())) {
          incumbent.provenInfeasible(engine.word(session), engine.name());
          return;
        }
      }
      states.add(state);
    }
    takeHints();
    refresh();
    offerWhole();
    long work = control.workLimit() / stagesLeft;
    while (!isStopped()) {
      List<PartState> open = open();
      if (open.isEmpty()) {
        break;
      }
      for (int k = 0; k < open.size() && !isStopped(); k++) {
        double share = control.secondsLeft() / (open.size() - k);
        solve(open.get(k), control.within(share), work / open.size());
      }
      if (control.isDeterministic() || Double.isInfinite(control.secondsLeft())) {
        break; // every part had its whole share
      }
    }
    if (memory >= 0 && incumbent.infeasibility() == null) {
      engine.offerBound(incumbent, session, figure, boundBytes());
    }
  }

  private boolean isHopeless() {
    if (normal.obstacle() >= 0) {
      session.log(normal.obstacleReason());
      return true;
    }
    return normal.isOverfull();
  }

  private static long lowerBound(NormalPart part, int memory) {
    PackingProblem own = PartProblem.of(part);
    int wanted = own.memories().size() - 1 - memory;
    long value = 0;
    for (Bound bound : LowerBounds.of(own)) {
      value = bound.figure() == wanted ? Math.max(value, bound.value()) : value;
    }
    return value;
  }

  private boolean isStopped() {
    return control.isStopped()
        || Thread.currentThread().isInterrupted()
        || incumbent.infeasibility() != null
        || (!control.isDeterministic() && incumbent.isClosed())
        || (options.firstFit() && incumbent.placement() != null);
  }

  /** Whether every part has a placement that cannot, or need not, be improved. */
  boolean isClosed() {
    return open().isEmpty();
  }

  /** The peak of the stage's memory under the parts' best placements, in bytes. */
  synchronized long peak() {
    long peak = normal.settledPeak(memory);
    for (PartState state : states) {
      peak = Math.max(peak, state.peakBytes());
    }
    return peak;
  }

  private synchronized long boundBytes() {
    long bound = normal.settledPeak(memory);
    for (PartState state : states) {
      bound = Math.max(bound, state.lowerBytes());
    }
    return bound;
  }

  /** Parts that are not good enough yet, the highest bound first. */
  private synchronized List<PartState> open() {
    long floor = memory < 0 ? 0 : boundBytes();
    List<PartState> open = new ArrayList<>();
    for (PartState state : states) {
      if (state.offsets == null || (state.memory >= 0 && state.peakBytes() > floor)) {
        open.add(state);
      }
    }
    open.sort(Comparator.comparingLong(PartState::lowerBytes).reversed());
    return open;
  }

  private void solve(PartState state, RunControl share, long work) {
    refresh();
    PartTask task;
    synchronized (this) {
      boolean valid = state.offsets != null;
      long floor = state.memory < 0 ? 0 : boundBytes();
      if (valid && (state.memory < 0 || state.peakBytes() <= floor)) {
        return;
      }
      task =
          new PartTask(
              state.part,
              state.memory,
              state.lower,
              state.memory < 0 ? 0 : Math.max(0, state.part.unitsBelow(floor)),
              valid ? new PartTask.Hint(state.offsets, state.places) : state.suggestion,
              valid,
              work,
              share,
              this);
    }
    Thread solving = Thread.currentThread();
    Thread watch = new Thread(() -> watch(share, solving), engine.name() + "-watch");
    watch.setDaemon(true);
    watch.start();
    try {
      session.solve(task);
    } finally {
      watch.interrupt();
    }
  }

  /** Stops a share when others have made it needless. */
  private void watch(RunControl share, Thread solving) {
    try {
      while (!share.isStopped()) {
        if (isStopped() || solving.isInterrupted()) {
          share.stop();
          return;
        }
        Thread.sleep(20);
      }
    } catch (InterruptedException ended) {
      // The share is over.
    }
  }

  @Override
  public void found(PartTask task, long[] offsets, int[] places) {
    synchronized (this) {
      PartState state = stateOf(task);
      long before = state.offsets == null ? Long.MAX_VALUE : state.peak();
      if (state.part.peak(Math.max(0, state.memory), offsets, places) > before) {
        return;
      }
      state.offsets = offsets;
      state.places = places;
    }
    offerWhole();
  }

  @Override
  public void proven(PartTask task) {
    long before;
    long after;
    synchronized (this) {
      PartState state = stateOf(task);
      before = memory < 0 ? 0 : boundBytes();
      state.lower = Math.max(state.lower, task.lower());
      after = memory < 0 ? 0 : boundBytes();
    }
    if (task.isImpossible()) {
      incumbent.provenInfeasible(engine.word(session), engine.name());
    } else if (after > before) {
      engine.offerBound(incumbent, session, figure, after);
    }
  }

  private PartState stateOf(PartTask task) {
    for (PartState state : states) {
      if (state.part == task.part()) {
        return state;
      }
    }
    throw new IllegalStateException("a task of another stage");
  }

  /** Offers the parts' best placements together, once every part has one. */
  private void offerWhole() {
    Placement whole;
    synchronized (this) {
      List<long[]> offsets = new ArrayList<>();
      List<int[]> places = new ArrayList<>();
      for (PartState state : states) {
        if (state.offsets == null) {
          return;
        }
        offsets.add(state.offsets);
        places.add(state.places);
      }
      whole = normal.expand(offsets, places);
    }
    incumbent.offer(whole, engine.name());
  }

  /** Takes over what others have put into the incumbent since the last look. */
  private void refresh() {
    Placement best = incumbent.placement();
    if (best == null || best == seen || (seen != null && control.isDeterministic())) {
      return;
    }
    seen = best;
    if (!Verifier.isValid(limited, best)) {
      return; // its earlier figures are not at their optimum
    }
    synchronized (this) {
      for (PartState state : states) {
        long[] offsets = state.part.project(best);
        int[] places = state.part.memories() == 1 ? null : state.part.projectMemories(best);
        boolean better =
            state.offsets == null
                || (state.memory >= 0
                    && state.part.peak(state.memory, offsets, places) < state.peak());
        if (better) {
          state.offsets = offsets;
          state.places = places;
        }
      }
    }
  }

  /** Hints that are not valid as a whole may still suggest something for a part. */
  private void takeHints() {
    for (Placement hint : options.hints()) {
      for (PartState state : states) {
        if (state.suggestion == null) {
          long[] offsets = state.part.project(hint);
          int[] places = state.part.projectMemories(hint);
          if (offsets != null && places != null && Arrays.stream(offsets).allMatch(o -> o >= 0)) {
            state.suggestion =
                new PartTask.Hint(offsets, state.part.memories() == 1 ? null : places);
          }
        }
      }
    }
  }
}
