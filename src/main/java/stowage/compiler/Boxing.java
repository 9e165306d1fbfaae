package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Buchsbaum et al.'s boxing: jobs of any height are packed into boxes, those into larger boxes,
 * until all have one height; unpacked again they have a loose placement.
 *
 * <p>Source: Buchsbaum, Karloff, Kenyon, Reingold and Thorup, OPT versus LOAD in Dynamic Storage
 * Allocation (2003, doi 10.1145/780542.780624), Lemma 1, Theorem 2, Corollary 15 and Theorem 16; in
 * the form of cappadokes/idealloc, coreba/src/algo. A job is live at a time strictly between its
 * birth and its death; times are doubled ranks of steps, so that there is one.
 *
 * <ol>
 *   <li><em>Lemma 1</em>: jobs of one height that are all live at one time, more than twice h/ε² of
 *       them. The h/ε² born first and, of the rest, those that die last stay unresolved. What is
 *       left is cut into strips of h/ε, by birth and by death in turns; a strip's jobs, sorted by
 *       the other end, go h by h into boxes.
 *   <li><em>Theorem 2</em>: jobs of one height at any times. Critical points divide the time; the
 *       jobs live at one of them are boxed by Lemma 1 in groups, halving the points; the unresolved
 *       of all groups are coloured as intervals, h rows to a box. The gaps in the rows are new
 *       points for the jobs between the old ones, which are treated the same way. The first point,
 *       and those where no gap gives one, are drawn at random.
 *   <li><em>Corollary 15</em>: jobs of any height, by heights rounded up to powers of 1 + ε, each
 *       class by Theorem 2 into boxes of one common height.
 *   <li><em>Theorem 16</em>: the small jobs are boxed by Corollary 15 and join the large ones, as
 *       long as the ratio of heights allows.
 * </ol>
 */
record Boxing(SplittableRandom random) {
  /** A job: a rectangle of the problem, or a box of jobs. */
  record Job(long size, int birth, int death, int rectangle, List<Job> contents) {
    static Job of(int rectangle, long size, int start, int end) {
      return new Job(size, 2 * start, 2 * end, rectangle, List.of());
    }

    static Job box(List<Job> jobs, long size) {
      int birth = jobs.stream().mapToInt(Job::birth).min().orElseThrow();
      int death = jobs.stream().mapToInt(Job::death).max().orElseThrow();
      return new Job(size, birth, death, NONE, List.copyOf(jobs));
    }
  }

  /** The rectangle of boxes and of the job that only steers the heights. */
  static final int NONE = -1;

  static final double LARGEST_MU = (Math.sqrt(5) - 1) / 2;

  /** What the heights of an instance allow: Theorem 16's parameters. */
  record Safety(double ratio, double mu, double height, boolean safe) {
    static Safety of(List<Job> jobs, double epsilon) {
      long least = jobs.stream().mapToLong(Job::size).min().orElse(1);
      long most = jobs.stream().mapToLong(Job::size).max().orElse(1);
      double ratio = (double) most / least;
      double squaredLog = Math.pow(Math.log(ratio) / Math.log(2), 2);
      double mu = epsilon / squaredLog;
      double height = Math.ceil(Math.pow(mu, 5) * most / squaredLog);
      boolean safe = mu < LARGEST_MU && Math.floor(mu * height) >= least;
      return new Safety(ratio, mu, height, safe);
    }
  }

  /** Theorem 16's first phase, repeatedly, while the heights allow. */
  List<Job> boxSmall(List<Job> jobs, double epsilon) {
    List<Job> current = jobs;
    for (Safety now = Safety.of(current, epsilon); now.safe; now = Safety.of(current, epsilon)) {
      double limit = Math.floor(now.mu * now.height);
      List<Job> small = new ArrayList<>();
      List<Job> merged = new ArrayList<>();
      current.forEach(job -> (job.size <= limit ? small : merged).add(job));
      merged.addAll(corollary15(small, (long) now.height, now.mu));
      if (merged.size() >= current.size() && Safety.of(merged, epsilon).equals(now)) {
        return merged; // boxing changes nothing any more
      }
      current = merged;
    }
    return current;
  }

  /** Boxes jobs of any height into boxes of one height. */
  List<Job> corollary15(List<Job> jobs, long height, double epsilon) {
    List<Job> rest = jobs.stream().sorted(Comparator.comparingLong(Job::size)).toList();
    List<Job> boxes = new ArrayList<>();
    int from = 0;
    while (from < rest.size()) {
      long size = rest.get(from).size;
      double power = Math.ceil(Math.log(size) / Math.log1p(epsilon));
      long unit = Math.max(size, (long) Math.floor(Math.pow(1 + epsilon, power)));
      int to = from;
      while (to < rest.size() && rest.get(to).size <= unit) {
        to++;
      }
      List<Job> bucket = new ArrayList<>(rest.subList(from, to));
      int start = bucket.stream().mapToInt(Job::birth).min().orElse(0);
      int end = bucket.stream().mapToInt(Job::death).max().orElse(0);
      TreeSet<Integer> points = new TreeSet<>(List.of(start, end));
      points.add(pointWithin(bucket, start, end));
      int perBox = (int) Math.max(1, Math.min(Integer.MAX_VALUE, height / unit));
      theorem2(bucket, perBox, Math.max(height, unit), epsilon, points, boxes);
      from = to;
    }
    return boxes;
  }

  private int pointWithin(List<Job> jobs, int start, int end) {
    List<Integer> candidates = new ArrayList<>();
    for (Job job : jobs) {
      for (int time : new int[] {job.birth + 1, job.death - 1}) {
        if (start < time && time < end) {
          candidates.add(time);
        }
      }
    }
    return candidates.get(random.nextInt(candidates.size()));
  }

  private void theorem2(
      List<Job> jobs,
      int perBox,
      long height,
      double epsilon,
      TreeSet<Integer> points,
      List<Job> boxes) {
    List<Job> live = new ArrayList<>();
    int[] bounds = points.stream().mapToInt(Integer::intValue).toArray();
    List<List<Job>> between =
        Stream.<List<Job>>generate(ArrayList::new).limit(bounds.length - 1).toList();
    for (Job job : jobs) {
      if (liveAtAny(job, points)) {
        live.add(job);
      } else {
        int at = Arrays.binarySearch(bounds, job.birth);
        between.get(at >= 0 ? at : -at - 2).add(job);
      }
    }
    List<Job> unresolved = new ArrayList<>();
    for (List<Job> group : groups(live, bounds, 1, bounds.length - 1)) {
      lemma1(group, perBox, height, epsilon, boxes, unresolved);
    }
    TreeSet<Integer> gaps = new TreeSet<>();
    List<List<Job>> rows = rows(unresolved);
    rows.forEach(row -> addGaps(row, bounds[0], bounds[bounds.length - 1], gaps));
    for (int k = 0; k < rows.size(); k += perBox) {
      List<List<Job>> together = rows.subList(k, (int) Math.min(rows.size(), (long) k + perBox));
      boxes.add(Job.box(together.stream().flatMap(List::stream).toList(), height));
    }
    for (int k = 0; k < between.size(); k++) {
      List<Job> inside = between.get(k);
      if (!inside.isEmpty()) {
        TreeSet<Integer> inner = new TreeSet<>(gaps.subSet(bounds[k], false, bounds[k + 1], false));
        boolean any = inside.stream().anyMatch(job -> liveAtAny(job, inner));
        if (!any) {
          inner.add(pointWithin(inside, bounds[k], bounds[k + 1]));
        }
        inner.add(bounds[k]);
        inner.add(bounds[k + 1]);
        theorem2(inside, perBox, height, epsilon, inner, boxes);
      }
    }
  }

  private static boolean liveAtAny(Job job, TreeSet<Integer> times) {
    Integer next = times.higher(job.birth);
    return next != null && next < job.death;
  }

  /** Splits jobs, each live at some point of bounds[from, to), by the middle point, recursively. */
  private static List<List<Job>> groups(List<Job> jobs, int[] bounds, int from, int to) {
    List<List<Job>> found = new ArrayList<>();
    if (jobs.isEmpty()) {
      return found;
    }
    int middle = (from + to) >>> 1;
    int time = bounds[middle];
    List<Job> live = new ArrayList<>();
    List<Job> before = new ArrayList<>();
    List<Job> after = new ArrayList<>();
    jobs.forEach(job -> (job.death <= time ? before : job.birth < time ? live : after).add(job));
    if (!live.isEmpty()) {
      found.add(live);
    }
    found.addAll(groups(before, bounds, from, middle));
    found.addAll(groups(after, bounds, middle + 1, to));
    return found;
  }

  private static void lemma1(
      List<Job> jobs,
      int perBox,
      long height,
      double epsilon,
      List<Job> boxes,
      List<Job> unresolved) {
    double outer = perBox * Math.ceil(1 / (epsilon * epsilon));
    if (jobs.size() <= 2 * outer) {
      unresolved.addAll(jobs);
      return;
    }
    Comparator<Job> byBirth = Comparator.comparingInt(Job::birth);
    Comparator<Job> byDeath = Comparator.comparingInt((Job job) -> -job.death);
    List<Job> left = new ArrayList<>(jobs);
    unresolved.addAll(cut(left, byBirth, (int) outer));
    unresolved.addAll(cut(left, byDeath, (int) outer));
    int inner = (int) Math.min(Integer.MAX_VALUE, perBox * Math.ceil(1 / epsilon));
    boolean vertical = true;
    while (!left.isEmpty()) {
      List<Job> strip = cut(left, vertical ? byBirth : byDeath, inner);
      strip.sort(vertical ? byDeath : byBirth);
      for (int k = 0; k < strip.size(); k += perBox) {
        boxes.add(Job.box(strip.subList(k, Math.min(strip.size(), k + perBox)), height));
      }
      vertical = !vertical;
    }
  }

  private static List<Job> cut(List<Job> from, Comparator<Job> order, int count) {
    from.sort(order);
    List<Job> strip = new ArrayList<>(from.subList(0, Math.min(count, from.size())));
    from.subList(0, strip.size()).clear();
    return strip;
  }

  /** Interval colouring: rows of jobs that do not overlap, as few as are live at once. */
  static List<List<Job>> rows(List<Job> jobs) {
    List<Job> byBirth = jobs.stream().sorted(Comparator.comparingInt(Job::birth)).toList();
    PriorityQueue<long[]> ending = new PriorityQueue<>(Comparator.comparingLong(pair -> pair[0]));
    TreeSet<Integer> free = new TreeSet<>();
    List<List<Job>> rows = new ArrayList<>();
    for (Job job : byBirth) {
      while (!ending.isEmpty() && ending.peek()[0] <= job.birth) {
        free.add((int) ending.remove()[1]);
      }
      Integer row = free.pollFirst();
      if (row == null) {
        row = rows.size();
        rows.add(new ArrayList<>());
      }
      rows.get(row).add(job);
      ending.add(new long[] {job.death, row});
    }
    return rows;
  }

  private static void addGaps(List<Job> row, int start, int end, TreeSet<Integer> gaps) {
    int free = start;
    for (Job job : row) {
      if (free < job.birth) {
        gaps.add(free);
        gaps.add(job.birth);
      }
      free = job.death;
    }
    if (free < end) {
      gaps.add(free);
    }
  }

  /** Offsets of all rectangles in boxes of one height: rows by colouring, boxes opened in place. */
  static void unbox(List<Job> jobs, long offset, long[] loose) {
    long at = offset;
    List<Job> bySize = new ArrayList<>(jobs);
    bySize.sort(Comparator.comparingLong((Job job) -> -job.size));
    int from = 0;
    while (from < bySize.size()) {
      int to = from;
      while (to < bySize.size() && bySize.get(to).size == bySize.get(from).size) {
        to++;
      }
      for (List<Job> row : rows(bySize.subList(from, to))) {
        place(row, at, loose);
        at += bySize.get(from).size;
      }
      from = to;
    }
  }

  /** Places jobs that do not overlap at an offset, each box with what is in it. */
  private static void place(List<Job> row, long at, long[] loose) {
    for (Job job : row) {
      if (job.rectangle != NONE) {
        loose[job.rectangle] = at;
      } else if (rows(job.contents).size() > 1) {
        unbox(job.contents, at, loose);
      } else {
        place(job.contents, at, loose);
      }
    }
  }
}
