package stowage.exact.search.greedy;

import java.util.Arrays;

/**
 * Buffers not placed yet, from which the one is taken that suits a valley best.
 *
 * <p>They are in classes of similar width, the widest looked at first, each by start under a tree
 * that keeps the least end: the next candidate of a class whose live range is within a valley takes
 * O(log n). Most classes have none in a narrow valley; a bit for each class and each block of
 * sections says where that is so.
 */
final class SkylineCandidates {
  /** How well a buffer suits a valley; the highest wins. */
  interface Score {
    double of(int buffer, int start, int end);
  }

  private static final double CLASS_RATIO = Math.sqrt(2);

  /** Candidates looked at in a class; more where the section of most load is to be covered. */
  private static final int CANDIDATES = 16;

  private static final int PRESSING_CANDIDATES = 256;

  /** So many places are looked at one by one before the tree is asked: most valleys are narrow. */
  private static final int NEAR = 4;

  /** About so many buffers start in a block. */
  private static final int BUFFERS_PER_BLOCK = 64;

  /** A valley of more blocks is wide enough for a look at every class. */
  private static final int MOST_BLOCKS = 256;

  private final int sections;
  private final int[] lifeStart;
  private final int[] lifeEnd;
  private final WidthClass[] classes;

  /** For each block the classes, as bits, of which some candidate starts there. */
  private final long[] classesOfBlock;

  /** For each block and class, how many candidates start there. */
  private final int[] left;

  private final int blockShift;
  private int size;

  /** The candidates by ascending start, with each buffer's first section and end (exclusive). */
  SkylineCandidates(int sections, int[] lifeStart, int[] lifeEnd, int[] byStart) {
    this.sections = sections;
    this.lifeStart = lifeStart;
    this.lifeEnd = lifeEnd;
    this.size = byStart.length;
    int[] sizes = new int[classOf(Math.max(1, sections)) + 1];
    for (int buffer : byStart) {
      sizes[classOf(lifeEnd[buffer] - lifeStart[buffer])]++;
    }
    this.classes = new WidthClass[sizes.length];
    for (int k = 0; k < sizes.length; k++) {
      classes[k] =
          new WidthClass(sizes[k], (int) Math.ceil(StrictMath.pow(CLASS_RATIO, k + 1)) + 1);
    }
    int blocks = 1 + byStart.length / BUFFERS_PER_BLOCK;
    this.blockShift = 32 - Integer.numberOfLeadingZeros(sections / blocks);
    this.classesOfBlock = new long[(sections >> blockShift) + 1];
    this.left = new int[classesOfBlock.length * classes.length];
    for (int buffer : byStart) {
      int k = classOf(lifeEnd[buffer] - lifeStart[buffer]);
      classes[k].add(buffer);
      int block = lifeStart[buffer] >> blockShift;
      left[block * classes.length + k]++;
      classesOfBlock[block] |= 1L << k;
    }
    for (WidthClass widthClass : classes) {
      widthClass.build();
    }
  }

  private static int classOf(int width) {
    return (int) (StrictMath.log(width) / StrictMath.log(CLASS_RATIO));
  }

  /** Leaves what another one of the same buffers has left. O(n). */
  void copyFrom(SkylineCandidates other) {
    size = other.size;
    System.arraycopy(other.classesOfBlock, 0, classesOfBlock, 0, classesOfBlock.length);
    System.arraycopy(other.left, 0, left, 0, left.length);
    for (int k = 0; k < classes.length; k++) {
      int[] leastEnd = classes[k].leastEnd;
      System.arraycopy(other.classes[k].leastEnd, 0, leastEnd, 0, leastEnd.length);
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Takes out the best candidate whose live range is within {@code [start, end)}: one that is alive
   * in a section if there is any, else any; -1 where there is none.
   */
  int take(int start, int end, int section, Score score) {
    int widest = Math.min(classes.length - 1, classOf(end - start));
    long present = classesWithin(start, end) & -1L >>> 63 - widest;
    int found = take(present, start, end, section, score);
    return found >= 0 ? found : take(present, start, end, -1, score);
  }

  private int take(long present, int start, int end, int section, Score score) {
    for (long rest = present; rest != 0; ) {
      int k = 63 - Long.numberOfLeadingZeros(rest);
      int place = classes[k].best(start, end, section, score);
      if (place >= 0) {
        return remove(k, place);
      }
      rest ^= 1L << k;
    }
    return -1;
  }

  /** The classes, as bits, of which a candidate starts in the blocks of a range. */
  private long classesWithin(int start, int end) {
    int first = start >> blockShift;
    int last = end - 1 >> blockShift;
    if (last - first >= MOST_BLOCKS) {
      return -1L;
    }
    long classesFound = 0;
    for (int block = first; block <= last; block++) {
      classesFound |= classesOfBlock[block];
    }
    return classesFound;
  }

  private int remove(int k, int place) {
    int buffer = classes[k].remove(place);
    int block = lifeStart[buffer] >> blockShift;
    if (--left[block * classes.length + k] == 0) {
      classesOfBlock[block] &= ~(1L << k);
    }
    size--;
    return buffer;
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
    int best(int start, int end, int section, Score score) {
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
          double figure = score.of(buffer, start, end);
          if (figure > highest) {
            highest = figure;
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
      int near = Math.min(count, place + NEAR);
      int at = place;
      for (; at < near; at++) {
        if (leastEnd[leaves + at] <= end) {
          return at;
        }
        if (starts[at] >= end) {
          return -1;
        }
      }
      if (at >= count) {
        return -1;
      }
      int node = leaves + at;
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
}
