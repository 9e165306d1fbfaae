package stowage.exact.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.PresolvedProblem;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** One stage of a {@link StagedEngine}: the peak of one memory lowered over all parts. */
final class MemoryStage implements ComponentTask.Listener {
  /** What is known of one part; heights in its units. */
  private static final class PartState {
    final Component part;
    final int memory;
    long lower;
    long[] offsets;
    int[] places;
    ComponentTask.Hint suggestion;

    PartState(Component part, int memory) {
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
  private final PresolvedProblem presolved;
  private final PackingProblem limited;
  private final List<PartState> states = new ArrayList<>();

  /** A bound of the memory's peak that follows from the capacities, in bytes. */
  private final long derived;

  private volatile Placement seen;

  /**
   * @param presolved the problem, presolved, under the capacities that earlier stages have set
   * @param derived a bound of the memory's peak that follows from these capacities, in bytes
   * @param memory the problem's memory whose peak is lowered, or -1 for any placement
   */
  MemoryStage(
      StagedEngine engine,
      StagedEngine.Session session,
      SolveContext context,
      PresolvedProblem presolved,
      long derived,
      int memory) {
    this.engine = engine;
    this.session = session;
    this.incumbent = context.incumbent();
    this.control = context.control();
    this.options = context.options();
    this.memory = memory;
    this.figure = presolved.problem().memories().size() - 1 - memory;
    this.presolved = presolved;
    this.limited = presolved.problem();
    this.derived = derived;
  }

  /** Works until the stage is closed or stopped, or has had its share of the work for stages. */
  void run(int stagesLeft) {
    if (isHopeless()) {
      incumbent.provenInfeasible(engine.claim(session), engine.name());
      return;
    }
    for (Component part : presolved.components()) {
      PartState state = new PartState(part, memory < 0 ? -1 : part.indexOfMemory(memory));
      if (state.memory >= 0) {
        state.lower = part.maxLoad(state.memory);
        // What has a placement has one within the horizon, whatever a bound asks for beyond it.
        if (state.lower > Math.min(part.capacity(state.memory), part.horizon())) {
          incumbent.provenInfeasible(engine.claim(session), engine.name());
          return;
        }
      }
      states.add(state);
    }
    takeHints();
    refresh();
    offerWhole();
    long limit = control.workLimit();
    long work = limit == Long.MAX_VALUE ? limit : limit / stagesLeft;
    while (!isStopped()) {
      List<PartState> open = open();
      if (open.isEmpty()) {
        break;
      }
      for (int k = 0; k < open.size() && !isStopped(); k++) {
        double share = control.secondsLeft() / (open.size() - k);
        long ofWork = work == Long.MAX_VALUE ? work : work / open.size();
        solve(open.get(k), control.within(share), ofWork);
      }
      boolean timed = !control.isDeterministic() && control.secondsLeft() < Double.MAX_VALUE;
      if (!timed) {
        break; // every part had its whole share
      }
    }
    if (memory >= 0 && incumbent.infeasibility() == null) {
      engine.offerBound(incumbent, session, figure, boundBytes());
    }
  }

  private boolean isHopeless() {
    if (presolved.obstacle() >= 0) {
      session.log(presolved.infeasibilityReason());
      return true;
    }
    return presolved.exceedsCapacity();
  }

  private boolean isStopped() {
    return control.isStopped()
        || incumbent.infeasibility() != null
        || (options.firstFit() && incumbent.placement() != null);
  }

  /** Whether every part has a placement that cannot, or need not, be improved. */
  boolean isClosed() {
    return open().isEmpty();
  }

  /** The peak of the stage's memory under the parts' best placements, in bytes. */
  synchronized long peak() {
    long settled = presolved.settledPeaks()[memory];
    return Math.max(settled, states.stream().mapToLong(PartState::peakBytes).max().orElse(0));
  }

  /** What this stage can answer for: no placement has a lower peak in the memory. */
  synchronized long boundBytes() {
    long known = Math.max(derived, presolved.settledPeaks()[memory]);
    return Math.max(known, states.stream().mapToLong(PartState::lowerBytes).max().orElse(0));
  }

  /** The highest bound known, 0 without a memory; what is not above it need not be lowered. */
  private long floor() {
    if (memory < 0) {
      return 0;
    }
    Bound known = incumbent.bound(figure);
    return Math.max(known == null ? 0 : known.value(), boundBytes());
  }

  private synchronized List<PartState> open() {
    long floor = floor();
    return states.stream()
        .filter(s -> s.offsets == null || s.memory >= 0 && s.peakBytes() > floor)
        .sorted((one, other) -> Long.compare(other.lowerBytes(), one.lowerBytes()))
        .toList();
  }

  private void solve(PartState state, RunControl share, long work) {
    refresh();
    ComponentTask task;
    synchronized (this) {
      boolean valid = state.offsets != null;
      long floor = state.memory < 0 ? 0 : floor();
      if (valid && (state.memory < 0 || state.peakBytes() <= floor)) {
        return;
      }
      long enough = state.memory < 0 ? 0 : Math.max(0, state.part.unitsBelow(floor));
      ComponentTask.Hint hint =
          valid ? new ComponentTask.Hint(state.offsets, state.places) : state.suggestion;
      task =
          new ComponentTask(
              state.part, state.memory, state.lower, enough, hint, valid, work, share, this);
    }
    session.solve(task);
  }

  @Override
  public void found(ComponentTask task, long[] offsets, int[] places) {
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
  public void proven(ComponentTask task) {
    long before;
    long after;
    synchronized (this) {
      PartState state = stateOf(task);
      before = memory < 0 ? 0 : boundBytes();
      state.lower = Math.max(state.lower, task.lower());
      after = memory < 0 ? 0 : boundBytes();
    }
    if (task.isImpossible()) {
      incumbent.provenInfeasible(engine.claim(session), engine.name());
    } else if (after > before) {
      engine.offerBound(incumbent, session, figure, after);
    }
  }

  private PartState stateOf(ComponentTask task) {
    return states.stream().filter(state -> state.part == task.part()).findFirst().orElseThrow();
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
      whole = presolved.expand(offsets, places);
    }
    if (incumbent.offer(whole, engine.name())) {
      seen = whole;
    }
  }

  @Override
  public void sync(ComponentTask task) {
    if (incumbent.placement() != seen) {
      refresh();
      synchronized (this) {
        PartState state = stateOf(task);
        if (state.offsets != null) {
          task.adopt(state.offsets, state.places);
        }
      }
    }
  }

  @Override
  public void began(String what) {
    incumbent.began(what, engine.name());
  }

  @Override
  public void flattened(int tries) {
    if (states.size() == 1) {
      control.flattened(tries);
    }
  }

  /** Takes over what others have put into the incumbent since the last look. */
  private void refresh() {
    Placement best = incumbent.placement();
    if (best == null || best == seen || (seen != null && control.isDeterministic())) {
      return;
    }
    seen = best;
    if (!isWithinCapacities(best)) {
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

  private boolean isWithinCapacities(Placement placement) {
    for (int i = 0; i < limited.size(); i++) {
      Buffer buffer = limited.buffer(i);
      long capacity = limited.memories().get(placement.memory(i)).capacity();
      if (buffer.needsMemory() && placement.offset(i) > capacity - buffer.size()) {
        return false;
      }
    }
    return true;
  }

  private void takeHints() {
    for (Placement hint : options.hints()) {
      for (PartState state : states) {
        if (state.suggestion == null) {
          long[] offsets = state.part.project(hint);
          int[] places = state.part.projectMemories(hint);
          if (offsets != null && places != null && Arrays.stream(offsets).allMatch(o -> o >= 0)) {
            state.suggestion =
                new ComponentTask.Hint(offsets, state.part.memories() == 1 ? null : places);
          }
        }
      }
    }
  }
}
