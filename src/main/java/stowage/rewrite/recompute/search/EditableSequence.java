package stowage.rewrite.recompute.search;

import java.util.Arrays;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * A sequence of computations that is edited in place: repetitions are inserted and taken out, and
 * the copies of values, the bytes alive at each step and their sum above the limit follow. Edits
 * since the last {@link #commit} can be undone. The bytes are those of {@link Timeline}.
 *
 * <p>A <i>run</i> is one computation of an op; runs keep their number while they stay in the
 * sequence. The end of the sequence counts as a run that reads the values to be kept, and each
 * input of the network has a run before step 0. An edit takes O(steps + readers + range of what it
 * changes).
 */
final class EditableSequence {
  private final RecomputeProblem problem;
  private final long limit;

  /** Most results of an op: the copies of run r are numbered from r * width on. */
  private final int width;

  private long inputBytes;
  private int length;
  private int[] runAt = new int[64];
  private long[] load = new long[64];

  /** A bit for each step whose bytes are above the limit. */
  private long[] above = new long[1];

  private int runs;
  private int[] op = new int[64];
  private int[] step = new int[64];
  private int[] unused = new int[64];
  private int unusedCount;
  private final int[] first;
  private final int end;

  private int[] repeats = new int[64];
  private int[] repeatIndex = new int[64];
  private int repeatCount;

  private final int[][] copies;
  private final int[] copyCount;
  private int[][] readers;
  private int[] readerCount;

  /** Edits since the last commit: the op, complemented where it was taken out, and its step. */
  private int[] edits = new int[64];

  private int editCount;
  private long excess;
  private long extra;

  /** Builds the bytes of a sequence, in which an op runs after what it reads. */
  EditableSequence(RecomputeProblem problem, long limit, int[] sequence) {
    this.problem = problem;
    this.limit = limit;
    this.first = new int[problem.ops];
    Arrays.fill(first, -1);
    this.copies = new int[problem.values][2];
    this.copyCount = new int[problem.values];
    this.width = Arrays.stream(problem.writes).mapToInt(w -> w.length).reduce(1, Math::max);
    this.readers = new int[64 * width][];
    this.readerCount = new int[64 * width];
    this.end = newRun(-1);
    runAt[0] = end;
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] < 0) {
        int copy = newRun(-1) * width;
        step[copy / width] = -1;
        addCopy(i, copy);
        inputBytes += problem.bytes[i];
        if (problem.kept[i]) {
          addReader(copy, end);
          load[0] += problem.bytes[i];
        }
      }
    }
    excess = over(load[0]);
    mark(0);
    for (int v : sequence) {
      insert(v, length);
    }
    extra = problem.extra(sequence);
    commit();
  }

  int length() {
    return length;
  }

  /** Bytes above the limit, summed over all steps; 0 where the sequence is within it. */
  long excess() {
    return excess;
  }

  /** What the sequence costs above computing each op once. */
  long extra() {
    return extra;
  }

  /** Bytes alive at a step. */
  long load(int at) {
    return load[at];
  }

  /** The first step from a given one on with bytes above the limit, else the first of all. */
  int nextAbove(int from) {
    long word = above[from >> 6] & -1L << from;
    int at = from >> 6;
    for (int k = 0; word == 0 && k < above.length; k++) {
      at = at + 1 < above.length ? at + 1 : 0;
      word = above[at];
    }
    return (at << 6) + Long.numberOfTrailingZeros(word);
  }

  /** How many runs are not the first of their op. */
  int repeats() {
    return repeatCount;
  }

  /** One of the runs that are not the first of their op. */
  int repeat(int index) {
    return repeats[index];
  }

  /** The last step before which an op may run again. */
  int until(int v) {
    return problem.until[v] < problem.ops ? step[first[problem.until[v]]] : length;
  }

  int op(int run) {
    return op[run];
  }

  int step(int run) {
    return step[run];
  }

  int[] ops() {
    return Arrays.stream(runAt, 0, length).map(run -> op[run]).toArray();
  }

  /** The copy of a value that is the latest before a step; -1 for none. O(copies of the value). */
  int latest(int value, int before) {
    int latest = -1;
    int at = -2;
    int[] all = copies[value];
    for (int k = copyCount[value] - 1; k >= 0; k--) {
      int begin = step[all[k] / width];
      if (begin < before && begin > at) {
        at = begin;
        latest = all[k];
      }
    }
    return latest;
  }

  /** The last step at which a copy is alive. O(readers). */
  int end(int copy) {
    return touchBefore(copy, Integer.MAX_VALUE);
  }

  /** The last step before a given one at which a copy is computed or read. O(readers). */
  int touchBefore(int copy, int before) {
    int last = Math.max(0, step[copy / width]);
    int[] all = readers[copy];
    for (int k = readerCount[copy] - 1; k >= 0; k--) {
      int at = step[all[k]];
      last = at < before && at > last ? at : last;
    }
    return last;
  }

  /** The first step after a given one at which a copy is read; the length for the end. */
  int readAfter(int copy, int after) {
    int next = Integer.MAX_VALUE;
    int[] all = readers[copy];
    for (int k = readerCount[copy] - 1; k >= 0; k--) {
      int at = step[all[k]];
      next = at > after && at < next ? at : next;
    }
    return next;
  }

  /** Bytes above the limit that so many bytes fewer would take away, from a step up to another. */
  long relief(int from, int to, long bytes) {
    long sum = 0;
    for (int s = from; s < to; s++) {
      sum += Math.min(bytes, over(load[s]));
    }
    return sum;
  }

  /** Whether so many bytes more would be above the limit somewhere between two steps. */
  boolean exceeds(int from, int to, long bytes) {
    for (int s = from; s < to; s++) {
      if (load[s] + bytes > limit) {
        return true;
      }
    }
    return false;
  }

  /** Runs an op just before a step; all later runs move by one. */
  void insert(int v, int at) {
    long across = at == 0 ? inputBytes : load[at] - born(runAt[at]);
    int run = newRun(v);
    if (length + 2 > runAt.length) {
      runAt = Arrays.copyOf(runAt, 2 * runAt.length);
      load = Arrays.copyOf(load, 2 * load.length);
      above = Arrays.copyOf(above, load.length >> 6);
    }
    length++;
    System.arraycopy(runAt, at, runAt, at + 1, length - at);
    System.arraycopy(load, at, load, at + 1, length - at);
    runAt[at] = run;
    load[at] = across + problem.scratch[v];
    moveUp(at);
    mark(at);
    for (int s = at; s <= length; s++) {
      step[runAt[s]] = s;
    }
    excess += over(load[at]);
    extra += problem.cost[v];
    for (int i : problem.reads[v]) {
      int copy = latest(i, at);
      change(end(copy) + 1, at + 1, problem.bytes[i]);
      addReader(copy, run);
    }
    int copy = run * width;
    for (int i : problem.writes[v]) {
      int earlier = latest(i, at);
      addCopy(i, copy);
      if (earlier < 0) {
        if (problem.kept[i]) {
          addReader(copy, end);
        }
        change(at, end(copy) + 1, problem.bytes[i]);
      } else if (end(earlier) > at) {
        moveReaders(earlier, copy, at);
        change(end(earlier) + 1, at, -problem.bytes[i]);
      } else {
        change(at, at + 1, problem.bytes[i]);
      }
      copy++;
    }
    if (first[v] < 0) {
      first[v] = run;
    } else {
      repeatIndex[run] = repeatCount;
      repeats[repeatCount++] = run;
    }
    log(v, at);
  }

  /** Takes out a run that is not the first of its op; its readers read the copy before. */
  void remove(int run) {
    int v = op[run];
    int at = step[run];
    int copy = run * width;
    for (int i : problem.writes[v]) {
      takeOut(copies[i], copyCount[i]--, copy);
      if (readerCount[copy] == 0) {
        change(at, at + 1, -problem.bytes[i]);
      } else {
        int earlier = latest(i, at);
        change(end(earlier) + 1, at, problem.bytes[i]);
        moveReaders(copy, earlier, -1);
      }
      copy++;
    }
    for (int i : problem.reads[v]) {
      copy = latest(i, at);
      takeOut(readers[copy], readerCount[copy]--, run);
      change(end(copy) + 1, at + 1, -problem.bytes[i]);
    }
    excess -= over(load[at]);
    extra -= problem.cost[v];
    System.arraycopy(runAt, at + 1, runAt, at, length - at);
    System.arraycopy(load, at + 1, load, at, length - at);
    moveDown(at);
    length--;
    for (int s = at; s <= length; s++) {
      step[runAt[s]] = s;
    }
    int last = repeats[--repeatCount];
    repeats[repeatIndex[run]] = last;
    repeatIndex[last] = repeatIndex[run];
    unused[unusedCount++] = run;
    log(~v, at);
  }

  /** Takes out runs of which nothing is read, and what only they read, among some ops' runs. */
  void sweep() {
    for (int k = repeatCount - 1; k >= 0; k = Math.min(k, repeatCount) - 1) {
      int run = repeats[k];
      boolean read = false;
      for (int copy = run * width; copy < (run + 1) * width; copy++) {
        read |= readerCount[copy] > 0;
      }
      if (!read) {
        remove(run);
        k = repeatCount;
      }
    }
  }

  /** Makes the edits since the last commit stay. */
  void commit() {
    editCount = 0;
  }

  /** Takes back the edits since the last commit. */
  void undo() {
    int count = editCount;
    for (int k = count - 2; k >= 0; k -= 2) {
      if (edits[k] >= 0) {
        remove(runAt[edits[k + 1]]);
      } else {
        insert(~edits[k], edits[k + 1]);
      }
    }
    editCount = 0;
  }

  private void log(int v, int at) {
    edits = with(edits, editCount++, v);
    edits = with(edits, editCount++, at);
  }

  /** Bytes that only a run itself brings to its step. */
  private long born(int run) {
    if (run == end) {
      return 0;
    }
    long bytes = problem.scratch[op[run]];
    for (int i : problem.writes[op[run]]) {
      bytes += problem.bytes[i];
    }
    return bytes;
  }

  private void change(int from, int to, long bytes) {
    for (int s = from; s < to; s++) {
      long now = load[s] + bytes;
      long more = over(now) - over(load[s]);
      load[s] = now;
      if (more != 0) {
        excess += more;
        mark(s);
      }
    }
  }

  private void mark(int at) {
    long bit = 1L << at;
    above[at >> 6] = load[at] > limit ? above[at >> 6] | bit : above[at >> 6] & ~bit;
  }

  /** The bits from a step on move by one. */
  private void moveUp(int at) {
    for (int k = length >> 6; k > at >> 6; k--) {
      above[k] = above[k] << 1 | above[k - 1] >>> 63;
    }
    long low = (1L << at) - 1;
    above[at >> 6] = (above[at >> 6] & low) | (above[at >> 6] & ~low) << 1;
  }

  /** The bits after a step move onto it. */
  private void moveDown(int at) {
    long low = (1L << at) - 1;
    above[at >> 6] = (above[at >> 6] & low) | (above[at >> 6] >>> 1 & ~low);
    for (int k = (at >> 6) + 1; k <= length >> 6; k++) {
      above[k - 1] |= above[k] << 63;
      above[k] >>>= 1;
    }
  }

  private long over(long bytes) {
    return Math.max(0, bytes - limit);
  }

  private int newRun(int v) {
    int run = unusedCount > 0 ? unused[--unusedCount] : runs++;
    if (run == op.length) {
      op = Arrays.copyOf(op, 2 * run);
      step = Arrays.copyOf(step, 2 * run);
      unused = Arrays.copyOf(unused, 2 * run);
      repeats = Arrays.copyOf(repeats, 2 * run);
      repeatIndex = Arrays.copyOf(repeatIndex, 2 * run);
      readers = Arrays.copyOf(readers, 2 * run * width);
      readerCount = Arrays.copyOf(readerCount, 2 * run * width);
    }
    op[run] = v;
    return run;
  }

  private void addCopy(int value, int copy) {
    copies[value] = with(copies[value], copyCount[value]++, copy);
  }

  private void addReader(int copy, int run) {
    readers[copy] = with(readers[copy], readerCount[copy]++, run);
  }

  /** A list of so many numbers with one more. */
  private static int[] with(int[] list, int count, int one) {
    int[] room = list == null ? new int[4] : list;
    room = count < room.length ? room : Arrays.copyOf(room, 2 * count);
    room[count] = one;
    return room;
  }

  /** A list's last number comes in place of another. */
  private static void takeOut(int[] list, int count, int one) {
    int k = 0;
    while (list[k] != one) {
      k++;
    }
    list[k] = list[count - 1];
  }

  private void moveReaders(int from, int to, int after) {
    int kept = 0;
    int[] all = readers[from];
    for (int k = 0; k < readerCount[from]; k++) {
      if (step[all[k]] > after) {
        addReader(to, all[k]);
      } else {
        all[kept++] = all[k];
      }
    }
    readerCount[from] = kept;
  }
}
