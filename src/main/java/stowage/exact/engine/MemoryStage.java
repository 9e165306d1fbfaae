package stowage.exact.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.PresolvedProblem;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** One stage of a {@link StagedEngine}: the peak of one memory lowered over all parts. */
final class MemoryStage implements ComponentIncumbent.Listener {
  private final StagedEngine engine;
  private final StagedEngine.Session session;
  private final Incumbent incumbent;
  private final RunControl control;
  private final int memory;
  private final int figure;
  private final EngineOptions options;
  private final PresolvedProblem presolved;
  private final PackingProblem limited;
  private final List<ComponentIncumbent> parts = new ArrayList<>();

  /** A bound of the memory's peak that follows from the capacities, in bytes. */
  private final long derived;

  /** The bound that was offered last, in bytes. */
  private long offered;

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
      int own = memory < 0 ? -1 : part.indexOfMemory(memory);
      ComponentIncumbent known = new ComponentIncumbent(part, own, this);
      known.raise(own < 0 ? 0 : part.maxLoad(own), "");
      // What has a placement has one within the horizon, whatever a bound asks for beyond it.
      if (known.isImpossible()) {
        incumbent.provenInfeasible(engine.claim(session), engine.name());
        return;
      }
      parts.add(known);
    }
    offered = boundBytes();
    takeHints();
    sync();
    offerWhole();
    long limit = control.workLimit();
    long work = limit == Long.MAX_VALUE ? limit : limit / stagesLeft;
    while (!isStopped()) {
      List<ComponentIncumbent> open = open();
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

  private static long bytes(ComponentIncumbent part, long units) {
    return units == 0 ? 0 : part.part().bytes(units);
  }

  /** The peak of the stage's memory under the parts' best placements, in bytes. */
  long peak() {
    long settled = presolved.settledPeaks()[memory];
    return Math.max(
        settled, parts.stream().mapToLong(part -> bytes(part, part.peak())).max().orElse(0));
  }

  /** What this stage can answer for: no placement has a lower peak in the memory; 0 without one. */
  long boundBytes() {
    long known = memory < 0 ? 0 : Math.max(derived, presolved.settledPeaks()[memory]);
    return Math.max(
        known, parts.stream().mapToLong(part -> bytes(part, part.bound())).max().orElse(0));
  }

  /** The highest bound known, 0 without a memory; what is not above it need not be lowered. */
  private long floor() {
    Bound known = memory < 0 ? null : incumbent.bound(figure);
    return Math.max(known == null ? 0 : known.value(), boundBytes());
  }

  private List<ComponentIncumbent> open() {
    long floor = floor();
    return parts.stream()
        .filter(part -> isOpen(part, floor))
        .sorted((one, other) -> Long.compare(bytes(other, other.bound()), bytes(one, one.bound())))
        .toList();
  }

  private static boolean isOpen(ComponentIncumbent part, long floor) {
    ComponentIncumbent.Placed known = part.placement();
    return known == null || bytes(part, known.peak()) > floor;
  }

  private void solve(ComponentIncumbent part, RunControl share, long work) {
    long floor = floor();
    if (isOpen(part, floor)) {
      part.begin(part.memory() < 0 ? 0 : Math.max(0, part.part().unitsBelow(floor)), share);
      session.solve(part, work);
    }
  }

  @Override
  public void found(ComponentIncumbent part) {
    offerWhole();
  }

  @Override
  public void proven(ComponentIncumbent part) {
    if (part.isImpossible()) {
      incumbent.provenInfeasible(engine.claim(session), engine.name());
      return;
    }
    long bytes = boundBytes();
    synchronized (this) {
      if (bytes <= offered) {
        return;
      }
      offered = bytes;
    }
    engine.offerBound(incumbent, session, figure, bytes);
  }

  /** Offers the parts' best placements together, once every part has one. */
  private void offerWhole() {
    List<long[]> offsets = new ArrayList<>();
    List<int[]> places = new ArrayList<>();
    for (ComponentIncumbent part : parts) {
      ComponentIncumbent.Placed known = part.placement();
      if (known == null) {
        return;
      }
      offsets.add(known.offsets());
      places.add(known.places());
    }
    Placement whole = presolved.expand(offsets, places);
    if (incumbent.offer(whole, engine.name())) {
      seen = whole;
    }
  }

  @Override
  public void began(String what) {
    incumbent.began(what, engine.name());
  }

  @Override
  public void flattened(int tries) {
    if (parts.size() == 1) {
      control.flattened(tries);
    }
  }

  /** Takes over what others have put into the incumbent since the last look. */
  @Override
  public void sync() {
    Placement best = incumbent.placement();
    if (best == null || best == seen || (seen != null && control.isDeterministic())) {
      return;
    }
    seen = best;
    if (isWithinCapacities(best)) { // else its earlier figures are not at their optimum
      for (ComponentIncumbent part : parts) {
        Component own = part.part();
        long[] offsets = own.project(best);
        if (offsets != null) {
          part.adopt(offsets, own.memories() == 1 ? null : own.projectMemories(best));
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
      for (ComponentIncumbent part : parts) {
        long[] offsets = part.part().project(hint);
        int[] places = part.part().projectMemories(hint);
        if (offsets != null && places != null && Arrays.stream(offsets).allMatch(o -> o >= 0)) {
          part.suggest(offsets, part.part().memories() == 1 ? null : places);
        }
      }
    }
  }
}
