package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * The buffers live in one section as jobs on one machine: the address is the time, the bytes needed
 * are the length, the lowest position the release date, the highest end the due date.
 *
 * <p>Two classical rules (Carlier and Pinson, "An algorithm for solving the job-shop problem",
 * Management Science 35(2), 1989, doi 10.1287/mnsc.35.2.164), for every set of jobs with releases
 * from r on and due dates up to d:
 *
 * <ul>
 *   <li><b>overload</b>: r + the sum of their lengths must not pass d;
 *   <li><b>edge finding</b>: a job outside the set, due later, that cannot start before the set
 *       ends within d must come after all of it, so it starts no earlier than any part of the set
 *       can end.
 * </ul>
 *
 * <p>Example: jobs of 4 and 5 due at 10, both released at 0, and one of 3 due at 14: 0 + 9 + 3 >
 * 10, so the third comes last and starts at 9. For due dates the same rule works on the reversed
 * axis.
 *
 * <p>For one d, let the set grow with falling releases. A job released before the whole set is
 * compared with the set of those released after it; a job released within it with the set, begun no
 * later than itself, whose release and lengths add up to most. Two passes over the jobs for each of
 * k due dates: O(k^2). Due dates by which all jobs can end, in the order of release, say nothing:
 * no set and no job alongside it can be shown to end later than that. In sections with room to
 * spare that leaves none, and O(k).
 */
public final class OneMachine {
  /** The load of a job outside the set, with which no sum passes a due date. */
  private static final int NONE = Integer.MIN_VALUE / 2;

  private int count;
  private int[] release = new int[16];
  private int[] length = new int[16];
  private int[] due = new int[16];
  private int[] job = new int[16];
  private int[] raised = new int[16];
  private int[] load = new int[16];
  private int[] earliestEnd = new int[16];

  /** Of the set that raised a job: due date, release from which on, and that of the latest part. */
  private int[] setDue = new int[16];

  private int[] setFrom = new int[16];
  private int[] partFrom = new int[16];
  private int[] endFrom = new int[16];

  /** The largest load of the set grown last. */
  private int most;

  /** The longest of the jobs due later than that set. */
  private int longest;

  private int failedDue;
  private int failedFrom;

  /** Takes out all jobs. */
  public void clear() {
    count = 0;
  }

  /** Adds a job; quick where jobs come by rising release dates. */
  public void add(int which, int from, int lasting, int until) {
    if (count == job.length) {
      grow();
    }
    int at = count++;
    while (at > 0 && release[at - 1] > from) {
      release[at] = release[at - 1];
      length[at] = length[at - 1];
      due[at] = due[at - 1];
      job[at] = job[at - 1];
      at--;
    }
    release[at] = from;
    length[at] = lasting;
    due[at] = until;
    job[at] = which;
  }

  private void grow() {
    release = Arrays.copyOf(release, 2 * count);
    length = Arrays.copyOf(length, 2 * count);
    due = Arrays.copyOf(due, 2 * count);
    job = Arrays.copyOf(job, 2 * count);
    raised = new int[2 * count];
    load = new int[2 * count];
    earliestEnd = new int[2 * count];
    setDue = new int[2 * count];
    setFrom = new int[2 * count];
    partFrom = new int[2 * count];
    endFrom = new int[2 * count];
  }

  public int count() {
    return count;
  }

  /** The job at a place of the order by release date. */
  public int job(int at) {
    return job[at];
  }

  /** The release date found for the job at a place. */
  public int raised(int at) {
    return raised[at];
  }

  /** Whether the release date of the job at a place has risen. */
  boolean isRaised(int at) {
    return raised[at] > release[at];
  }

  /** Up to when the jobs are due after which a raised job comes. */
  int setDue(int at) {
    return setDue[at];
  }

  /** From when on those jobs are released. */
  int setFrom(int at) {
    return setFrom[at];
  }

  /** From when on the ones among them are released that end where the raised job begins. */
  int partFrom(int at) {
    return partFrom[at];
  }

  /** After a failure: up to when the jobs are due that do not fit. */
  int failedDue() {
    return failedDue;
  }

  /** Whether the job at a place is among those that do not fit. */
  boolean hasFailed(int at) {
    return release[at] >= failedFrom && due[at] <= failedDue;
  }

  /**
   * Applies both rules. Returns whether the jobs may fit; if so, {@link #raised} holds the release
   * dates.
   */
  public boolean fits() {
    int end = Integer.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      raised[i] = release[i];
      end = Math.max(end, release[i]) + length[i];
    }
    for (int u = 0; u < count; u++) {
      if (due[u] < end && release[u] + length[u] < due[u] && !isRepeated(u)) {
        if (!growSet(due[u])) {
          return false;
        }
        if (most + longest > due[u]) {
          raiseWithin(due[u]);
        }
      }
    }
    return true;
  }

  private boolean isRepeated(int at) {
    for (int i = 0; i < at; i++) {
      if (due[i] == due[at] && release[i] + length[i] < due[i]) {
        return true;
      }
    }
    return false;
  }

  /** Grows the set by falling release dates; raises jobs released before it. */
  private boolean growSet(int latest) {
    int sum = 0;
    int end = Integer.MIN_VALUE;
    int from = 0;
    most = NONE;
    longest = 0;
    for (int l = count - 1; l >= 0; l--) {
      load[l] = NONE;
      if (due[l] <= latest) {
        sum += length[l];
        load[l] = release[l] + sum;
        most = Math.max(most, load[l]);
        if (load[l] >= end) {
          end = load[l];
          from = release[l];
        }
        if (load[l] > latest) {
          failedDue = latest;
          failedFrom = release[l];
          return false;
        }
        earliestEnd[l] = end;
        endFrom[l] = from;
      } else {
        longest = Math.max(longest, length[l]);
        if (raised[l] < end && release[l] + sum + length[l] > latest) {
          raise(l, end, latest, release[l], from);
        }
      }
    }
    return true;
  }

  /** Raises jobs released after the begin of a set that cannot end within {@code latest}. */
  private void raiseWithin(int latest) {
    int reached = NONE;
    int first = -1;
    for (int i = 0; i < count; i++) {
      if (load[i] > reached) {
        reached = load[i];
        first = i;
      } else if (reached + length[i] > latest
          && load[i] == NONE
          && raised[i] < earliestEnd[first]) {
        raise(i, earliestEnd[first], latest, release[first], endFrom[first]);
      }
    }
  }

  private void raise(int at, int to, int latest, int from, int part) {
    raised[at] = to;
    setDue[at] = latest;
    setFrom[at] = from;
    partFrom[at] = part;
  }
}
