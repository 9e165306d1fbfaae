package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * The ranges of all offsets while a search goes down and back, and what each change followed from.
 *
 * <p>A buffer i has two bounds, each of which only ever rises on the way down: bound 2i is its
 * lowest offset, bound 2i + 1 its highest offset negated. A <em>literal</em> (bound, value) says
 * that the bound is at least the value; its negation is (bound ^ 1, 1 - value). So "offset at least
 * 5" is (2i, 5), and its negation (2i + 1, -4) says "offset at most 4".
 *
 * <p>Changes are kept in the order they came, by levels: one a decision, level 0 for what holds
 * without any. All figures are units of the model.
 */
final class BoundTrail {
  /** Arguments that a rule may keep with a change. */
  private static final int ARGUMENTS = 4;

  /** Current value of every bound. */
  final int[] value;

  private final int[] size;
  private final int[] root;
  private final int[] last;
  private final int[] cursor;
  private final LiteralList conflict = new LiteralList();

  private int length;
  private int[] bound = new int[1 << 12];
  private int[] to = new int[1 << 12];
  private int[] old = new int[1 << 12];
  private int[] previous = new int[1 << 12];
  private Rule[] rule = new Rule[1 << 12];
  private int[] arguments = new int[ARGUMENTS << 12];
  private int[] levelStart = new int[256];
  private int level;

  BoundTrail(int[] size) {
    this.size = size;
    this.value = new int[2 * size.length];
    this.root = new int[value.length];
    this.last = new int[value.length];
    this.cursor = new int[value.length];
  }

  /**
   * Begins again with all offsets between 0 and what a capacity leaves.
   *
   * @param given the only offset of some buffers, negative for others; or null
   */
  void begin(int capacity, long[] given) {
    for (int i = 0; i < size.length; i++) {
      boolean free = given == null || given[i] < 0;
      value[2 * i] = free ? 0 : (int) given[i];
      value[2 * i + 1] = free ? size[i] - capacity : -value[2 * i];
    }
    length = 0;
    level = 0;
    settle();
  }

  /** At level 0: takes the present bounds for good, and forgets what they followed from. */
  void settle() {
    System.arraycopy(value, 0, root, 0, value.length);
    Arrays.fill(last, -1);
    length = 0;
  }

  int low(int buffer) {
    return value[2 * buffer];
  }

  int high(int buffer) {
    return -value[2 * buffer + 1];
  }

  boolean isFixed(int buffer) {
    return value[2 * buffer] + value[2 * buffer + 1] == 0;
  }

  boolean isTrue(int ofBound, int atLeast) {
    return value[ofBound] >= atLeast;
  }

  boolean isFalse(int ofBound, int atLeast) {
    return value[ofBound ^ 1] >= 1 - atLeast;
  }

  int length() {
    return length;
  }

  int level() {
    return level;
  }

  int bound(int at) {
    return bound[at];
  }

  int argument(int at, int k) {
    return arguments[ARGUMENTS * at + k];
  }

  /** The literals, all true, that cannot be true together, of the last failure or explanation. */
  LiteralList conflict() {
    return conflict;
  }

  /** Begins a conflict that some rule has found by itself. */
  LiteralList newConflict() {
    conflict.clear();
    rewind();
    return conflict;
  }

  /** Lets {@link #before} be asked for any position again. */
  void rewind() {
    System.arraycopy(last, 0, cursor, 0, last.length);
  }

  void descend() {
    if (++level == levelStart.length) {
      levelStart = Arrays.copyOf(levelStart, 2 * level);
    }
    levelStart[level] = length;
  }

  /** Undoes all levels above one. */
  void backTo(int target) {
    if (level > target) {
      int mark = levelStart[target + 1];
      while (length > mark) {
        length--;
        value[bound[length]] = old[length];
        last[bound[length]] = previous[length];
      }
      level = target;
    }
  }

  /**
   * Raises a bound, if it is lower.
   *
   * @param because what it follows from, with up to four arguments; null for a decision
   * @return false where this contradicts the buffer's other bound: {@link #conflict} says why
   */
  boolean raise(int ofBound, int atLeast, Rule because, int a, int b, int c, int d) {
    if (value[ofBound] >= atLeast) {
      return true;
    }
    if (length == bound.length) {
      grow();
    }
    int at = ARGUMENTS * length;
    arguments[at] = a;
    arguments[at + 1] = b;
    arguments[at + 2] = c;
    arguments[at + 3] = d;
    if (isFalse(ofBound, atLeast)) {
      newConflict();
      because.explain(ofBound, atLeast, length);
      conflict.add(ofBound ^ 1, 1 - atLeast);
      return false;
    }
    bound[length] = ofBound;
    to[length] = atLeast;
    old[length] = value[ofBound];
    previous[length] = last[ofBound];
    rule[length] = because;
    last[ofBound] = length++;
    value[ofBound] = atLeast;
    return true;
  }

  boolean raise(int ofBound, int atLeast, Rule because, int a, int b) {
    return raise(ofBound, atLeast, because, a, b, 0, 0);
  }

  private void grow() {
    int more = 2 * length;
    bound = Arrays.copyOf(bound, more);
    to = Arrays.copyOf(to, more);
    old = Arrays.copyOf(old, more);
    previous = Arrays.copyOf(previous, more);
    rule = Arrays.copyOf(rule, more);
    arguments = Arrays.copyOf(arguments, ARGUMENTS * more);
  }

  /**
   * The value that a bound had before a position. Between two beginnings of a conflict the
   * positions asked for must not rise, so that all such questions together walk each chain of
   * changes once.
   */
  int before(int ofBound, int at) {
    int k = cursor[ofBound];
    while (k >= at) {
      k = previous[k];
    }
    cursor[ofBound] = k;
    return k < 0 ? root[ofBound] : to[k];
  }

  /** Whether of two true bounds asked for last the first came to its value no later. */
  boolean isEarlier(int one, int other) {
    return cursor[one] <= cursor[other];
  }

  /** Explains a change by what came before it, in a conflict begun for that. */
  void explain(int at, int atLeast) {
    conflict.clear();
    rule[at].explain(bound[at], atLeast, at);
  }

  /** Whether a literal came true by the change at a position. */
  boolean cameTrueAt(int at, int atLeast) {
    return atLeast > old[at] && atLeast <= to[at];
  }

  /** The position at which a true literal came true; -1 where it holds without any decision. */
  int position(int ofBound, int atLeast) {
    int k = last[ofBound];
    while (k >= 0 && old[k] >= atLeast) {
      k = previous[k];
    }
    return level == 0 || k < levelStart[1] ? -1 : k;
  }

  /** Whether a true literal came true at the current level. */
  boolean isOfThisLevel(int ofBound, int atLeast) {
    int k = last[ofBound];
    while (k >= levelStart[level]) {
      k = previous[k];
    }
    return atLeast > (k < 0 ? root[ofBound] : to[k]);
  }

  /** Whether a literal needs no reason. */
  boolean holdsAtRoot(int ofBound, int atLeast) {
    return root[ofBound] >= atLeast;
  }

  int levelOf(int position) {
    int from = 0;
    int to = level;
    while (from < to) {
      int middle = from + to + 1 >>> 1;
      if (levelStart[middle] <= position) {
        from = middle;
      } else {
        to = middle - 1;
      }
    }
    return from;
  }
}
