package stowage.exact.search;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Places up to millions of buffers by filling valleys of the skyline.
 *
 * <p>The skyline is the height reached over time. Its lowest stretch is filled with a buffer whose
 * whole life lies within the stretch, so that nothing is wasted; where no buffer fits any more, the
 * stretch is lifted to its lower neighbour and the difference is lost. This is Burke, Kendall and
 * Whitwell's best-fit for strip packing (doi 10.1287/opre.1040.0109) with one axis fixed, and with
 * a preference for what covers the section with the most load still to come.
 *
 * <p>A shallow valley is better lifted at once: filled with short-lived buffers it turns into a
 * tower that cuts the skyline into valleys too narrow for what is left, and the longest lives then
 * end on top of all. What is shallow is a matter of tolerance, a share of the mean size, and
 * somewhat more where the valley is narrow. Example: a million buffers of sizes from 512 bytes to
 * 16 MB end 2.2 % above their max load without a tolerance, 1.0 % with one of 0.115, and 7.9 % with
 * one of 0.6.
 *
 * <p>Tiny buffers may wait until all others are placed. Their odd sizes would otherwise put the
 * large ones at offsets that never meet again, and at a section of full load every byte of such a
 * step is lost; on top of all they pack by themselves.
 *
 * <p>Candidates are found by width class, widest first, in trees over their start that keep the
 * least end: O(log n) each. In all O(n log n) time, about 120 bytes a buffer.
 *
 * <p>A buffer of several pieces or windows is taken as alive in full from its first to its last
 * section, and one with extra conflicts is raised above those placed before it: valid, if not
 * tight. Offsets are rounded up to what each buffer allows. Fixed offsets are not honoured.
 */
final class ValleyFiller {
  /** What a candidate is chosen for among those of its width class. */
  enum Preference {
    /** The longest life. */
    WIDE,
    /** The largest size. */
    TALL,
    /** The largest area. */
    LARGE,
    /** Leaves the least room to the nearer wall, then the longest life. */
    FLUSH,
    /** The longest life less the room to the nearer wall. */
    SNUG
  }

  private static final double CLASS_RATIO = Math.sqrt(2);

  /**
   * Candidates looked at in a class; more where the section with the most load is to be covered.
   */
  private static final int CANDIDATES = 16;

  private static final int PRESSING_CANDIDATES = 256;

  /** A valley of this share of all sections is neither narrow nor wide. */
  private static final double USUAL_WIDTH = 1 / 64.0;

  /** How the depth that is shallow falls with the width. */
  private static final double WIDTH_EXPONENT = 0.2;

  /** One step in so many strays from the preference, where that is left to chance. */
  private static final int STRAY = 8;

  private final RectangleProblem problem;
  private final Preference preference;

  /** Below this depth a valley of usual width is shallow. */
  private final double shallow;

  /** Draws a preference for every buffer; null where one is used throughout. */
  private final SplittableRandom random;

  private Preference present;

  /** Buffers left in the classes. */
  private int unplaced;

  private final int sections;
  private final int[] lifeStart;
  private final int[] lifeEnd;

  /** What is placed first, and then the rest: by width. */
  private WidthClass[] classes;

  private final long fine;
  private final RangeMaximum remaining;
  private final Skyline skyline;
  private final long[] offsets;

  /**
   * @param tolerance up to what share of the mean size a valley is shallow, at least 0
   * @param fine buffers of less than this size wait until all others are placed; 0 for none
   * @param random lets one step in some stray from the preference; null for none
   */
  ValleyFiller(
      RectangleProblem problem,
      Preference preference,
      double tolerance,
      long fine,
      SplittableRandom random) {
    this.problem = problem;
    this.preference = preference;
    this.random = random;
    this.shallow = tolerance * meanSize(problem);
    this.sections = Math.max(1, problem.sections);
    this.offsets = new long[problem.count];
    Arrays.fill(offsets, -1);
    boolean single = problem.pieceStart.length == problem.count && !problem.windowed;
    this.lifeStart = single ? problem.pieceStart : new int[problem.count];
    this.lifeEnd = single ? problem.pieceEnd : new int[problem.count];
    if (!single) {
      takeWholeLives();
    }
    this.fine = fine;
    this.classes = classes(false);
    this.remaining = new RangeMaximum(single ? problem.loads() : loadsOfWholeLives());
    this.skyline = new Skyline(sections);
  }

  private static double meanSize(RectangleProblem problem) {
    double sum = 0;
    for (long size : problem.size) {
      sum += size;
    }
    return sum / Math.max(1, problem.count);
  }

  private boolean isShallow(int width, long depth) {
    return depth < 3 * shallow
        && depth < shallow * Math.pow(USUAL_WIDTH * sections / width, WIDTH_EXPONENT);
  }

  private void takeWholeLives() {
    for (int buffer = 0; buffer < problem.count; buffer++) {
      int first = problem.firstPiece[buffer];
      int last = problem.firstPiece[buffer + 1];
      // What is never live may lie anywhere: the first section will do.
      lifeStart[buffer] = first == last ? 0 : problem.pieceStart[first];
      lifeEnd[buffer] = first == last ? 1 : problem.pieceEnd[last - 1];
    }
  }

  private long[] loadsOfWholeLives() {
    long[] loads = new long[sections + 1];
    for (int buffer = 0; buffer < problem.count; buffer++) {
      loads[lifeStart[buffer]] += problem.size[buffer];
      loads[lifeEnd[buffer]] -= problem.size[buffer];
    }
    for (int section = 1; section < sections; section++) {
      loads[section] += loads[section - 1];
    }
    return Arrays.copyOf(loads, sections);
  }

  /**
   * Places everything.
   *
   * @return the offsets, or null where the control ended it first or a buffer has no allowed offset
   */
  long[] fill(SearchControl control) {
    int placed = 0;
    long steps = 0;
    while (placed < problem.count) {
      if (unplaced == 0) {
        classes = classes(true);
      }
      if ((++steps & 1023) == 0 && control.ended()) {
        return null;
      }
      int start = skyline.lowest();
      int end = skyline.end(start);
      long level = skyline.level(start);
      if (isShallow(end - start, skyline.depth(start))) {
        skyline.lift(start);
        continue;
      }
      present = preference;
      if (random != null && random.nextInt(STRAY) == 0) {
        present = Preference.values()[random.nextInt(Preference.values().length)];
      }
      int buffer = take(start, end);
      if (buffer < 0) {
        skyline.lift(start);
        continue;
      }
      long offset = problem.roundUp(buffer, Math.max(level, conflictTop(buffer)));
      if (offset < 0) {
        return null;
      }
      offsets[buffer] = offset;
      placed++;
      unplaced--;
      int from = lifeStart[buffer];
      int to = lifeEnd[buffer];
      remaining.add(from, to, -problem.size[buffer]);
      skyline.raise(start, from, to, offset + problem.size[buffer]);
    }
    return offsets;
  }

  /** Where the highest extra conflict of a buffer among those placed ends. */
  private long conflictTop(int buffer) {
    long top = 0;
    if (problem.extraConflicts != null && problem.extraConflicts[buffer] != null) {
      for (int other : problem.extraConflicts[buffer]) {
        if (offsets[other] >= 0) {
          top = Math.max(top, offsets[other] + problem.size[other]);
        }
      }
    }
    return top;
  }

  /** Takes out the best candidate that lives within {@code [start, end)}, or returns -1. */
  private int take(int start, int end) {
    int widest = Math.min(classes.length - 1, classOf(end - start));
    int pressing = remaining.argMax(start, end);
    for (int k = widest; k >= 0; k--) {
      int place = classes[k].best(start, end, pressing);
      if (place >= 0) {
        return classes[k].remove(place);
      }
    }
    for (int k = widest; k >= 0; k--) {
      int place = classes[k].best(start, end, -1);
      if (place >= 0) {
        return classes[k].remove(place);
      }
    }
    return -1;
  }

  private static int classOf(int width) {
    return (int) (Math.log(width) / Math.log(CLASS_RATIO));
  }

  private WidthClass[] classes(boolean ofFine) {
    int[] byStart = new int[problem.count];
    long[] start = lifeStarts();
    int[] sizes = new int[classOf(Math.max(1, sections)) + 1];
    int count = 0;
    for (int buffer = 0; buffer < problem.count; buffer++) {
      if (problem.size[buffer] < fine == ofFine) {
        byStart[count++] = buffer;
        sizes[classOf(lifeEnd[buffer] - lifeStart[buffer])]++;
      }
    }
    unplaced = count;
    PrimitiveSort.byKey(byStart, count, start);
    WidthClass[] result = new WidthClass[sizes.length];
    for (int k = 0; k < sizes.length; k++) {
      result[k] = new WidthClass(sizes[k], (int) Math.ceil(Math.pow(CLASS_RATIO, k + 1)) + 1);
    }
    for (int k = 0; k < count; k++) {
      int buffer = byStart[k];
      result[classOf(lifeEnd[buffer] - lifeStart[buffer])].add(buffer);
    }
    for (WidthClass widthClass : result) {
      widthClass.build();
    }
    return result;
  }

  private long[] lifeStarts() {
    long[] starts = new long[problem.count];
    for (int buffer = 0; buffer < starts.length; buffer++) {
      starts[buffer] = lifeStart[buffer];
    }
    return starts;
  }

  /** The unplaced buffers of similar width, by start, under a tree of least ends. */
  private final class WidthClass {
    private final int[] buffers;
    private final int[] starts;
    private final int[] leastEnd;

    /** The first place whose buffer starts in a bucket of {@code 2^shift} sections, or later. */
    private final int[] firstOfBucket;

    private final int shift;
    private final int leaves;
    private final int largestWidth;
    private int count;

    WidthClass(int size, int largestWidth) {
      this.buffers = new int[size];
      this.starts = new int[size];
      int perBucket = sections / Math.max(1, size);
      this.shift = 32 - Integer.numberOfLeadingZeros(perBucket);
      this.firstOfBucket = new int[(sections >> shift) + 2];
      this.leaves = Integer.highestOneBit(Math.max(1, 2 * size - 1));
      this.leastEnd = new int[2 * leaves];
      this.largestWidth = largestWidth;
      Arrays.fill(leastEnd, Integer.MAX_VALUE);
    }

    void add(int buffer) {
      leastEnd[leaves + count] = lifeEnd[buffer];
      starts[count] = lifeStart[buffer];
      firstOfBucket[(lifeStart[buffer] >> shift) + 1]++;
      buffers[count++] = buffer;
    }

    void build() {
      for (int bucket = 1; bucket < firstOfBucket.length; bucket++) {
        firstOfBucket[bucket] += firstOfBucket[bucket - 1];
      }
      for (int node = leaves - 1; node > 0; node--) {
        leastEnd[node] = Math.min(leastEnd[2 * node], leastEnd[2 * node + 1]);
      }
    }

    int remove(int place) {
      int node = leaves + place;
      leastEnd[node] = Integer.MAX_VALUE;
      for (node >>= 1; node > 0; node >>= 1) {
        leastEnd[node] = Math.min(leastEnd[2 * node], leastEnd[2 * node + 1]);
      }
      return buffers[place];
    }

    /**
     * The preferred of the first candidates that live within {@code [start, end)} and, unless it is
     * -1, through a section.
     */
    int best(int start, int end, int section) {
      if (leastEnd[1] > end) {
        return -1;
      }
      int from = section < 0 ? start : Math.max(start, section - largestWidth);
      int place = next(firstFrom(from), end);
      int best = -1;
      double highest = Double.NEGATIVE_INFINITY;
      int most = section < 0 ? CANDIDATES : PRESSING_CANDIDATES;
      for (int seen = 0; place >= 0 && seen < most; seen++) {
        int buffer = buffers[place];
        if (section >= 0 && starts[place] > section) {
          break;
        }
        if (section < 0 || lifeEnd[buffer] > section) {
          double score = score(buffer, start, end);
          if (score > highest) {
            highest = score;
            best = place;
          }
        }
        place = next(place + 1, end);
      }
      return best;
    }

    /** The first place whose buffer does not start before a section. */
    private int firstFrom(int start) {
      int place = firstOfBucket[start >> shift];
      while (place < count && starts[place] < start) {
        place++;
      }
      return place;
    }

    /** The first place not before the one given whose buffer ends by {@code end}, or -1. */
    private int next(int place, int end) {
      if (place >= leaves) {
        return -1;
      }
      int node = leaves + place;
      while (leastEnd[node] > end) {
        while ((node & 1) == 1) {
          node >>= 1;
        }
        if (node == 0) {
          return -1;
        }
        node++;
      }
      while (node < leaves) {
        node *= 2;
        if (leastEnd[node] > end) {
          node++;
        }
      }
      return node - leaves;
    }
  }

  private double score(int buffer, int start, int end) {
    int from = lifeStart[buffer];
    int to = lifeEnd[buffer];
    switch (present) {
      case TALL:
        return problem.size[buffer];
      case LARGE:
        return (double) problem.size[buffer] * (to - from);
      case SNUG:
        return (to - from) - (double) Math.min(from - start, end - to);
      case FLUSH:
        return (to - from) - (double) sections * Math.min(from - start, end - to);
      default:
        return to - from;
    }
  }
}
