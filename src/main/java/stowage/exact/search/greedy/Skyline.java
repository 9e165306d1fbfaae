package stowage.exact.search.greedy;

/**
 * The height reached over time, as stretches of equal level under a heap that knows the lowest. A
 * stretch is named by its first section. O(log n) a change.
 */
final class Skyline {
  private final int sections;
  private final int[] end;
  private final int[] before;
  private final long[] level;

  // A binary heap of stretches by (level, start), and where each stretch is in it.
  private final int[] heap;
  private final int[] place;
  private int size;

  Skyline(int sections) {
    this.sections = sections;
    this.end = new int[sections + 1];
    this.before = new int[sections + 1];
    this.level = new long[sections + 1];
    this.heap = new int[sections + 1];
    this.place = new int[sections + 1];
    java.util.Arrays.fill(place, -1);
    end[0] = sections;
    before[0] = -1;
    if (sections > 0) {
      push(0);
    }
  }

  /** A skyline of given heights, one for each section. O(n). */
  static Skyline of(long[] heights) {
    Skyline skyline = new Skyline(heights.length);
    skyline.size = 0;
    int previous = -1;
    for (int start = 0; start < heights.length; ) {
      int stop = start + 1;
      while (stop < heights.length && heights[stop] == heights[start]) {
        stop++;
      }
      skyline.insert(start, stop, heights[start], previous);
      previous = start;
      start = stop;
    }
    return skyline;
  }

  /** Takes over the heights of another one of as many sections. O(n). */
  void copyFrom(Skyline other) {
    System.arraycopy(other.end, 0, end, 0, sections);
    System.arraycopy(other.before, 0, before, 0, sections);
    System.arraycopy(other.level, 0, level, 0, sections);
    System.arraycopy(other.heap, 0, heap, 0, other.size);
    System.arraycopy(other.place, 0, place, 0, sections);
    size = other.size;
  }

  /** The lowest stretch, the earliest of several. */
  int lowest() {
    return heap[0];
  }

  /** End (exclusive) of a stretch. */
  int end(int start) {
    return end[start];
  }

  long level(int start) {
    return level[start];
  }

  /** How far below its lower neighbour a stretch is; endless where it has none. */
  long depth(int start) {
    long rim = rim(start);
    return rim == Long.MAX_VALUE ? rim : rim - level[start];
  }

  /** How far below its higher neighbour a stretch is; endless where it has none. */
  long rise(int start) {
    long left = before[start] >= 0 ? level[before[start]] : 0;
    long right = end[start] < sections ? level[end[start]] : 0;
    return rim(start) == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(left, right) - level[start];
  }

  /** The level of the lower neighbour. */
  private long rim(int start) {
    int left = before[start];
    int right = end[start];
    long rim = left >= 0 ? level[left] : Long.MAX_VALUE;
    return right < sections ? Math.min(rim, level[right]) : rim;
  }

  /** Lifts a stretch to the level of its lower neighbour and joins the two. */
  void lift(int start) {
    level[start] = rim(start);
    settle(start);
    join(start);
  }

  /** Raises {@code [from, to)}, which is within the stretch named, to a level above it. */
  void raise(int start, int from, int to, long target) {
    int last = end[start];
    long old = level[start];
    if (to < last) {
      insert(to, last, old, from);
    }
    if (from > start) {
      end[start] = from;
      insert(from, to, target, start);
    } else {
      end[start] = to;
      level[start] = target;
      settle(start);
      if (to < last) {
        before[to] = start;
      }
    }
    join(from);
  }

  private void insert(int start, int stop, long height, int previous) {
    end[start] = stop;
    level[start] = height;
    before[start] = previous;
    if (stop < sections) {
      before[stop] = start;
    }
    push(start);
  }

  /** Joins a stretch with neighbours of the same level. */
  private void join(int start) {
    int right = end[start];
    if (right < sections && level[right] == level[start]) {
      end[start] = end[right];
      pull(right);
      if (end[start] < sections) {
        before[end[start]] = start;
      }
    }
    int left = before[start];
    if (left >= 0 && level[left] == level[start]) {
      end[left] = end[start];
      pull(start);
      if (end[left] < sections) {
        before[end[left]] = left;
      }
    }
  }

  private boolean lower(int one, int other) {
    return level[one] < level[other] || level[one] == level[other] && one < other;
  }

  private void push(int stretch) {
    heap[size] = stretch;
    place[stretch] = size++;
    settle(stretch);
  }

  private void pull(int stretch) {
    int hole = place[stretch];
    place[stretch] = -1;
    int last = heap[--size];
    if (last != stretch) {
      heap[hole] = last;
      place[last] = hole;
      settle(last);
    }
  }

  /** Moves a stretch up or down the heap after its level has changed. */
  private void settle(int stretch) {
    int at = place[stretch];
    while (at > 0 && lower(stretch, heap[at - 1 >> 1])) {
      heap[at] = heap[at - 1 >> 1];
      place[heap[at]] = at;
      at = at - 1 >> 1;
    }
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && lower(heap[child + 1], heap[child])) {
        child++;
      }
      if (!lower(heap[child], stretch)) {
        break;
      }
      heap[at] = heap[child];
      place[heap[at]] = at;
      at = child;
    }
    heap[at] = stretch;
    place[stretch] = at;
  }
}
