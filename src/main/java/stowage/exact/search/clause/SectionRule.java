package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * The buffers live in one section are jobs on {@link OneMachine}, seen from the bottom and, with
 * addresses turned over, from the top.
 *
 * <p>Buffers with a fixed offset that lie below or above whatever is still open there are left out.
 * What raised a job, or was too much, is explained by the jobs of the set alone, each with the
 * weakest bound that still gives the sum.
 */
final class SectionRule implements Rule {
  private final LiveSets sets;
  private final BoundTrail trail;
  private final OneMachine machine = new OneMachine();
  private final boolean[] stale;

  /** The buffers of each section by lowest offset, and by highest end falling, as of lately. */
  private final int[][][] sorted = new int[2][][];

  private int failed = -1;

  SectionRule(LiveSets sets, BoundTrail trail) {
    this.sets = sets;
    this.trail = trail;
    this.stale = new boolean[sets.sections];
    for (int way = 0; way < 2; way++) {
      sorted[way] = Arrays.stream(sets.live).map(int[]::clone).toArray(int[][]::new);
    }
  }

  /** Notes that the range of a buffer has changed. */
  void touch(int buffer) {
    sets.mark(buffer, stale);
  }

  void forget() {
    Arrays.fill(stale, false);
  }

  /**
   * Looks at sections with changes, the one that failed last first, until one of them narrows a
   * range: what is cheaper has its turn then.
   */
  boolean propagate() {
    int before = trail.length();
    if (failed >= 0 && stale[failed] && !look(failed)) {
      return false;
    }
    for (int section = 0; section < stale.length && trail.length() == before; section++) {
      if (stale[section] && !look(section)) {
        failed = section;
        return false;
      }
    }
    return true;
  }

  private boolean look(int section) {
    int bottom = Integer.MAX_VALUE;
    int top = 0;
    for (int i : sets.live[section]) {
      if (!trail.isFixed(i)) {
        bottom = Math.min(bottom, trail.low(i));
        top = Math.max(top, trail.high(i) + sets.size[i]);
      }
    }
    int before = trail.length();
    for (int way = 0; way < 2 && bottom < top; way++) {
      sort(sorted[way][section], way);
      machine.clear();
      for (int i : sorted[way][section]) {
        boolean apart = trail.low(i) + sets.size[i] <= bottom || trail.low(i) >= top;
        if (!apart || !trail.isFixed(i)) {
          machine.add(i, release(i, way), sets.size[i], due(i, way));
        }
      }
      if (!machine.fits()) {
        blame(way);
        return false;
      }
      if (!raise(section, way)) {
        return false;
      }
      if (trail.length() > before) {
        return true; // this section's ranges have changed, so it comes again
      }
    }
    stale[section] = false;
    return true;
  }

  private boolean raise(int section, int way) {
    for (int at = 0; at < machine.count(); at++) {
      int i = machine.job(at);
      if (machine.isRaised(at)
          && !trail.raise(
              2 * i + way,
              machine.raised(at) + shift(i, way),
              this,
              2 * section + way,
              machine.setDue(at),
              machine.setFrom(at),
              machine.partFrom(at))) {
        return false;
      }
    }
    return true;
  }

  /** An insertion sort: little has changed since the last time. */
  private void sort(int[] buffers, int way) {
    for (int k = 1; k < buffers.length; k++) {
      int buffer = buffers[k];
      int release = release(buffer, way);
      int at = k;
      while (at > 0 && release(buffers[at - 1], way) > release) {
        buffers[at] = buffers[at - 1];
        at--;
      }
      buffers[at] = buffer;
    }
  }

  /** What the bound of a release date is above it. */
  private int shift(int i, int way) {
    return way == 0 ? 0 : sets.size[i];
  }

  private int release(int i, int way) {
    return trail.value[2 * i + way] - shift(i, way);
  }

  private int due(int i, int way) {
    return sets.size[i] - shift(i, way) - trail.value[2 * i + 1 - way];
  }

  /** The literals by which a job is released at r or later and due at d or before. */
  private void within(int i, int way, int r, int d) {
    trail.conflict().add(2 * i + way, r + shift(i, way));
    trail.conflict().add(2 * i + 1 - way, sets.size[i] - shift(i, way) - d);
  }

  private void blame(int way) {
    trail.newConflict();
    int sum = 0;
    for (int at = 0; at < machine.count(); at++) {
      sum += machine.hasFailed(at) ? sets.size[machine.job(at)] : 0;
    }
    int due = machine.failedDue();
    for (int at = 0; at < machine.count(); at++) {
      if (machine.hasFailed(at)) {
        within(machine.job(at), way, due - sum + 1, due);
      }
    }
  }

  /**
   * Let S be the jobs that lay within [from, due] then, P those of them released at part or later.
   * With a release of r or more for S and the job itself, r + lengths + the job's own pass the due
   * date, so it comes after all of S; with a release of p or more for P, p + their lengths is where
   * it begins at the earliest.
   */
  @Override
  public void explain(int bound, int value, int at) {
    int own = bound >> 1;
    int way = bound & 1;
    int due = trail.argument(at, 1);
    int from = trail.argument(at, 2);
    int part = trail.argument(at, 3);
    int[] buffers = sets.live[trail.argument(at, 0) >> 1];
    int sum = 0;
    int sumOfPart = 0;
    for (int i : buffers) {
      if (i != own && lay(i, way, from, due, at)) {
        sum += sets.size[i];
        sumOfPart += releasedBefore(i, way, at) >= part ? sets.size[i] : 0;
      }
    }
    int least = due - sum - sets.size[own] + 1;
    int leastOfPart = value - shift(own, way) - sumOfPart;
    for (int i : buffers) {
      if (i != own && lay(i, way, from, due, at)) {
        boolean ofPart = releasedBefore(i, way, at) >= part;
        within(i, way, ofPart ? Math.max(least, leastOfPart) : least, due);
      }
    }
    trail.conflict().add(bound, least + shift(own, way));
  }

  private boolean lay(int i, int way, int from, int due, int at) {
    return releasedBefore(i, way, at) >= from
        && sets.size[i] - shift(i, way) - trail.before(2 * i + 1 - way, at) <= due;
  }

  private int releasedBefore(int i, int way, int at) {
    return trail.before(2 * i + way, at) - shift(i, way);
  }
}
