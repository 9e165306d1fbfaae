package stowage.exact.choco;

import java.util.Arrays;
import org.chocosolver.sat.Reason;
import org.chocosolver.solver.constraints.Propagator;
import org.chocosolver.solver.constraints.PropagatorPriority;
import org.chocosolver.solver.exception.ContradictionException;
import org.chocosolver.solver.variables.IntVar;
import org.chocosolver.solver.variables.events.IntEventType;
import org.chocosolver.solver.variables.events.PropagatorEventType;
import org.chocosolver.util.ESat;
import stowage.exact.presolve.Component;
import stowage.exact.search.clause.OneMachine;

/**
 * Propagator that keeps buffers apart on the {@link Axis}, and looks ahead. It reasons on the
 * lowest and highest position of every buffer:
 *
 * <ol>
 *   <li><b>Positions.</b> Both are positions that the buffer may have.
 *   <li><b>Pairs.</b> Positions with no allowed difference to a neighbour's range are passed over.
 *   <li><b>Sections.</b> In every section the live buffers that are bound to one memory are jobs on
 *       {@link OneMachine}.
 *   <li><b>Rest</b> (where asked for). Some placement of least sum of positions exists if any does,
 *       and in it every buffer that is not fixed is as low as its memory allows or rests: on the
 *       next lower position that it may have, some neighbour would be in its way. So the lowest
 *       position is one that some neighbour can support.
 *   <li><b>Twins.</b> Exchangeable buffers are in their order.
 * </ol>
 *
 * <p>Rest demands more than validity, but never more than what some valid placement keeps, and
 * exchanging twins keeps the sum; so the rules go together.
 */
final class StackingPropagator extends Propagator<IntVar> {
  private final Axis axis;
  private final Component part;
  private final boolean sections;
  private final boolean rest;
  private final int[] twinGap;
  private final int[] laterTwin;
  private final int[][] spansOfSection;
  private final int[] ownerOfSpan;
  private final OneMachine machine = new OneMachine();

  // Buffers whose range has changed since the rules last saw it. Left over after a failure they
  // only cost time.
  private final int[] queue;
  private int queueFrom;
  private int queued;
  private final boolean[] inQueue;
  private final boolean[] dirtySection;
  private final boolean[] restless;

  StackingPropagator(Axis axis, IntVar[] positions, boolean sections, boolean rest) {
    super(positions, PropagatorPriority.CUBIC, true);
    this.axis = axis;
    this.part = axis.part;
    this.sections = sections;
    this.rest = rest;
    int n = axis.count;
    queue = new int[n];
    inQueue = new boolean[n];
    restless = new boolean[n];
    dirtySection = new boolean[part.sections()];
    twinGap = new int[n];
    laterTwin = new int[n];
    ownerOfSpan = part.spanOwners();
    Arrays.fill(laterTwin, -1);
    for (int i = 0; i < n; i++) {
      if (part.twins()[i] >= 0) {
        twinGap[i] = part.isWhole(i) ? axis.size[i] : 0;
        laterTwin[part.twins()[i]] = i;
      }
    }
    spansOfSection = part.spansBySection();
  }

  @Override
  public int getPropagationConditions(int index) {
    return IntEventType.boundAndInst();
  }

  @Override
  public void propagate(int index, int mask) throws ContradictionException {
    push(index);
    forcePropagate(PropagatorEventType.CUSTOM_PROPAGATION);
  }

  @Override
  public void propagate(int mask) throws ContradictionException {
    if (PropagatorEventType.isFullPropagation(mask)) {
      for (int i = 0; i < axis.count; i++) {
        push(i);
      }
    }
    while (queued > 0) {
      while (queued > 0) {
        int i = pop();
        lower(i, vars[i].getLB());
        upper(i, vars[i].getUB());
        pairs(i);
        twins(i);
        touch(i);
      }
      if (rest) {
        restAll();
      }
      if (sections && queued == 0) {
        machines();
      }
    }
  }

  private void push(int i) {
    if (!inQueue[i]) {
      inQueue[i] = true;
      queue[(queueFrom + queued++) % queue.length] = i;
    }
  }

  private int pop() {
    int i = queue[queueFrom];
    queueFrom = (queueFrom + 1) % queue.length;
    queued--;
    inQueue[i] = false;
    return i;
  }

  /** Notes whom a change of a buffer's range may concern. */
  private void touch(int i) {
    if (rest) {
      restless[i] = true;
      for (int j : axis.neighbours[i]) {
        restless[j] = true;
      }
    }
    if (sections) {
      for (int s = part.firstSpans()[i]; s < part.firstSpans()[i + 1]; s++) {
        Arrays.fill(dirtySection, part.spanStarts()[s], part.spanEnds()[s], true);
      }
    }
  }

  /** Raises a lowest position to the next that the buffer may have. */
  private void lower(int i, int position) throws ContradictionException {
    int allowed = axis.next(i, position);
    if (allowed == Axis.NONE) {
      fails();
    } else if (vars[i].updateLowerBound(allowed, this, bounds())) {
      push(i);
    }
  }

  /** Lowers a highest position to the next that the buffer may have. */
  private void upper(int i, int position) throws ContradictionException {
    int allowed = axis.previous(i, position);
    if (allowed == Axis.NONE) {
      fails();
    } else if (vars[i].updateUpperBound(allowed, this, bounds())) {
      push(i);
    }
  }

  /**
   * What a change follows from, for clause learning: the bounds of all, those of the changed buffer
   * too (Choco's own default leaves them out, and every rule here looks at them).
   */
  private Reason bounds() {
    if (!lcg()) {
      return Reason.undef();
    }
    int[] literals = new int[1 + 2 * vars.length]; // the first is the solver's own
    for (int i = 0; i < vars.length; i++) {
      literals[1 + 2 * i] = vars[i].getMinLit();
      literals[2 + 2 * i] = vars[i].getMaxLit();
    }
    return Reason.r(literals);
  }

  private void pairs(int i) throws ContradictionException {
    int low = vars[i].getLB();
    int high = vars[i].getUB();
    int[] near = axis.neighbours[i];
    for (int k = 0; k < near.length; k++) {
      int j = near[k];
      int[] open = axis.forbidden[i][k];
      for (int f = 0; f < open.length; f += 2) {
        int from = vars[j].getLB();
        if (open[f] < from - high && from - low < open[f + 1]) {
          lower(j, low + open[f + 1]);
        }
      }
      for (int f = open.length - 2; f >= 0; f -= 2) {
        int to = vars[j].getUB();
        if (open[f] < to - high && to - low < open[f + 1]) {
          upper(j, high + open[f]);
        }
      }
    }
  }

  private void twins(int i) throws ContradictionException {
    int later = laterTwin[i];
    if (later >= 0 && vars[later].getLB() < vars[i].getLB() + twinGap[later]) {
      lower(later, vars[i].getLB() + twinGap[later]);
    }
    int earlier = part.twins()[i];
    if (earlier >= 0 && vars[earlier].getUB() > vars[i].getUB() - twinGap[i]) {
      upper(earlier, vars[i].getUB() - twinGap[i]);
    }
  }

  private void restAll() throws ContradictionException {
    for (int i = 0; i < axis.count; i++) {
      if (restless[i]) {
        restless[i] = false;
        rest(i);
      }
    }
  }

  /** Raises a lowest position to the first at which something can be below the buffer. */
  private void rest(int i) throws ContradictionException {
    if (part.fixedOffsets()[i] >= 0) {
      return;
    }
    int low = vars[i].getLB();
    int best = Integer.MAX_VALUE;
    for (int m = 0; m < part.memories(); m++) {
      if (part.allows(i, m)) {
        int bottom = axis.next(i, axis.start(m));
        if (bottom >= low && bottom < best) {
          best = bottom;
        }
      }
    }
    int[] near = axis.neighbours[i];
    for (int k = 0; k < near.length && best > low; k++) {
      IntVar support = vars[near[k]];
      int[] open = axis.forbidden[i][k];
      // The difference is j - i here, so i rests where i - j is the end -a of a forbidden range.
      for (int f = 0; f < open.length; f += 2) {
        int highest = axis.next(i, support.getUB() - open[f]);
        if (highest != Axis.NONE && highest < low) {
          continue;
        }
        int lowest = axis.next(i, support.getLB() - open[f]);
        if (lowest != Axis.NONE) {
          best = Math.min(best, Math.max(low, lowest));
        }
      }
    }
    if (best == Integer.MAX_VALUE) {
      restless[i] = true;
      fails();
    }
    if (best > low) {
      lower(i, best);
    }
  }

  private void machines() throws ContradictionException {
    for (int section = 0; section < dirtySection.length; section++) {
      if (!dirtySection[section]) {
        continue;
      }
      for (int m = 0; m < part.memories(); m++) {
        machine(section, m, false);
        machine(section, m, true);
      }
      dirtySection[section] = false;
      if (queued > 0) {
        return; // cheaper rules first
      }
    }
  }

  /** Applies the one-machine rules to a section of a memory, or to its mirror image. */
  private void machine(int section, int m, boolean mirrored) throws ContradictionException {
    machine.clear();
    for (int s : spansOfSection[section]) {
      int i = ownerOfSpan[s];
      int from = vars[i].getLB();
      int to = vars[i].getUB();
      if (from < axis.start(m) || to >= axis.end(m)) {
        continue; // it may be elsewhere
      }
      int low = (int) part.spanLows()[s];
      int high = (int) part.spanHighs()[s];
      if (mirrored) {
        machine.add(s, -(to + high), high - low, -(from + low));
      } else {
        machine.add(s, from + low, high - low, to + high);
      }
    }
    if (!machine.fits()) {
      fails();
    }
    for (int at = 0; at < machine.count(); at++) {
      int s = machine.job(at);
      int i = ownerOfSpan[s];
      if (mirrored) {
        int highest = -machine.raised(at) - (int) part.spanHighs()[s];
        if (highest < vars[i].getUB()) {
          upper(i, highest);
        }
      } else {
        int lowest = machine.raised(at) - (int) part.spanLows()[s];
        if (lowest > vars[i].getLB()) {
          lower(i, lowest);
        }
      }
    }
  }

  @Override
  public ESat isEntailed() {
    for (int i = 0; i < axis.count; i++) {
      if (!vars[i].isInstantiated()) {
        return ESat.UNDEFINED;
      }
      if (axis.next(i, vars[i].getValue()) != vars[i].getValue()) {
        return ESat.FALSE;
      }
    }
    for (int i = 0; i < axis.count; i++) {
      for (int k = 0; k < axis.neighbours[i].length; k++) {
        int difference = vars[axis.neighbours[i][k]].getValue() - vars[i].getValue();
        int[] open = axis.forbidden[i][k];
        for (int f = 0; f < open.length; f += 2) {
          if (open[f] < difference && difference < open[f + 1]) {
            return ESat.FALSE;
          }
        }
      }
    }
    return ESat.TRUE;
  }
}
