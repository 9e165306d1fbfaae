package stowage.exact.choco;

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
 * 10, so the third comes last and starts at 9. The mirrored rule for due dates is this one on the
 * reversed axis.
 *
 * <p>For one d, let the set grow with falling releases. A job released before the whole set is
 * compared with the set of those released after it; a job released within it with the set, begun no
 * later than itself, whose release and lengths add up to most. Two passes over the jobs for each of
 * k due dates: O(k^2).
 */
final class OneMachine {
  private int count;
  private int[] release = new int[16];
  private int[] length = new int[16];
  private int[] due = new int[16];
  private int[] job = new int[16];
  private int[] raised = new int[16];
  private int[] load = new int[16];
  private int[] earliestEnd = new int[16];

  void clear() {
    count = 0;
  }

  void add(int which, int from, int lasting, int until) {
    if (count == job.length) {
      release = Arrays.copyOf(release, 2 * count);
      length = Arrays.copyOf(length, 2 * count);
      due = Arrays.copyOf(due, 2 * count);
      job = Arrays.copyOf(job, 2 * count);
      raised = new int[2 * count];
      load = new int[2 * count];
      earliestEnd = new int[2 * count];
    }
    // Kept sorted by release date: an insertion sort, since few jobs change from call to call.
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

  int count() {
    return count;
  }

  /** The job at a place of the order by release date. */
  int job(int at) {
    return job[at];
  }

  /** The release date found for the job at a place. */
  int raised(int at) {
    return raised[at];
  }

  /**
   * Applies both rules.
   *
   * @return whether the jobs may fit; when they do, {@link #raised} holds the release dates
   */
  boolean fits() {
    System.arraycopy(release, 0, raised, 0, count);
    for (int u = 0; u < count; u++) {
      if (!growSet(due[u])) {
        return false;
      }
      raiseWithin(due[u]);
    }
    return true;
  }

  /** Grows the set by falling release dates; raises jobs released before it. */
  private boolean growSet(int latest) {
    int sum = 0;
    int end = Integer.MIN_VALUE;
    for (int l = count - 1; l >= 0; l--) {
      if (due[l] <= latest) {
        sum += length[l];
        end = Math.max(end, release[l] + sum);
        if (release[l] + sum > latest) {
          return false;
        }
      } else if (raised[l] < end && release[l] + sum + length[l] > latest) {
        raised[l] = end;
      }
      load[l] = release[l] + sum;
      earliestEnd[l] = end;
    }
    return true;
  }

  /** Raises jobs released after the begin of a set that cannot end within {@code latest}. */
  private void raiseWithin(int latest) {
    int most = Integer.MIN_VALUE / 2;
    int end = 0;
    for (int i = 0; i < count; i++) {
      if (due[i] <= latest) {
        if (load[i] > most) {
          most = load[i];
          end = earliestEnd[i];
        }
      } else if (raised[i] < end && most + length[i] > latest) {
        raised[i] = end;
      }
    }
  }
}
