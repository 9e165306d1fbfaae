package stowage.exact.search.clause;

import java.util.Arrays;

/**
 * Clauses learnt from failures: of the literals of each at least one is true in every placement
 * looked for. Each is watched at two literals that are not false; when one of them becomes false,
 * another is looked for, and where there is none, the second must be true.
 *
 * <p>Source: M. W. Moskewicz et al., "Chaff: engineering an efficient SAT solver", DAC 2001, doi
 * 10.1145/378239.379017; for bounds of integers O. Ohrimenko, P. J. Stuckey, M. Codish,
 * "Propagation via lazy clause generation", Constraints 14, 2009, doi 10.1007/s10601-008-9064-x.
 */
final class LearntClauses implements Rule {
  /** With more clauses, older ones of more than {@link #SHORT} literals are forgotten. */
  private static final int MOST = 8_000;

  private static final int SHORT = 8;

  private final BoundTrail trail;
  private int[][] clauses = new int[1024][];
  private int count;

  /**
   * For each bound the clauses that watch the negation of one of its literals, each with the value
   * from which on that literal is false: most rises of a bound end below it, and the clause need
   * not be looked at.
   */
  private final int[][] watching;

  private final int[] watches;

  LearntClauses(BoundTrail trail) {
    this.trail = trail;
    this.watching = new int[trail.value.length][8];
    this.watches = new int[trail.value.length];
  }

  void begin() {
    count = 0;
    Arrays.fill(watches, 0);
  }

  /**
   * Adds a clause, pairs of bound and value, whose first literal follows from the others being
   * false, the second of them last, and keeps it.
   */
  boolean add(int[] clause) {
    if (count == clauses.length) {
      clauses = Arrays.copyOf(clauses, 2 * count);
    }
    clauses[count] = clause;
    if (clause.length > 2) {
      watch(clause, count);
    }
    return trail.raise(clause[0], clause[1], this, count++, 0);
  }

  private void watch(int[] clause, int index) {
    watch(clause, 0, index);
    watch(clause, 2, index);
  }

  private void watch(int[] clause, int at, int index) {
    int bound = clause[at] ^ 1;
    if (watches[bound] == watching[bound].length) {
      watching[bound] = Arrays.copyOf(watching[bound], 2 * watches[bound]);
    }
    watching[bound][watches[bound]++] = index;
    watching[bound][watches[bound]++] = 1 - clause[at + 1];
  }

  /** At level 0: drops clauses that hold for good, and old long ones when there are many. */
  void tidy() {
    int older = count > MOST ? count - MOST / 2 : 0;
    int kept = 0;
    Arrays.fill(watches, 0);
    for (int c = 0; c < count; c++) {
      int[] clause = clauses[c];
      if (clause.length > 2 && (c >= older || clause.length <= 2 * SHORT) && !holds(clause)) {
        for (int q = 0, free = 0; free < 4; q += 2) {
          if (!trail.isFalse(clause[q], clause[q + 1])) {
            swap(clause, free, q);
            free += 2;
          }
        }
        clauses[kept] = clause;
        watch(clause, kept++);
      }
    }
    Arrays.fill(clauses, kept, count, null);
    count = kept;
  }

  private boolean holds(int[] clause) {
    for (int q = 0; q < clause.length; q += 2) {
      if (trail.isTrue(clause[q], clause[q + 1])) {
        return true;
      }
    }
    return false;
  }

  /** Exchanges the literals at two places of a clause. */
  static void swap(int[] clause, int one, int other) {
    int bound = clause[one];
    int value = clause[one + 1];
    clause[one] = clause[other];
    clause[one + 1] = clause[other + 1];
    clause[other] = bound;
    clause[other + 1] = value;
  }

  /** Looks at the clauses that watch a bound which has risen. */
  boolean propagate(int bound) {
    int many = watches[bound];
    int kept = 0;
    boolean sound = true;
    int[] list = watching[bound];
    for (int k = 0; k < many; k += 2) {
      int index = list[k];
      int from = list[k + 1];
      boolean concerned = sound && trail.value[bound] >= from;
      if (!concerned || !moves(clauses[index], bound, index)) {
        list[kept++] = index;
        list[kept++] = from;
        sound = concerned ? follow(clauses[index], bound, index) : sound;
      }
    }
    watches[bound] = kept;
    return sound;
  }

  /** The place of the watched literal that is false because of a bound, or -1. */
  private int falseWatch(int[] clause, int bound) {
    for (int at = 0; at < 4; at += 2) {
      if ((clause[at] ^ 1) == bound && trail.isFalse(clause[at], clause[at + 1])) {
        return at;
      }
    }
    return -1;
  }

  /** Whether a clause is watched at another bound from now on. */
  private boolean moves(int[] clause, int bound, int index) {
    int at = falseWatch(clause, bound);
    if (at < 0 || trail.isTrue(clause[2 - at], clause[3 - at])) {
      return false;
    }
    for (int q = 4; q < clause.length; q += 2) {
      if (!trail.isFalse(clause[q], clause[q + 1])) {
        swap(clause, at, q);
        if ((clause[at] ^ 1) == bound) {
          return false; // the value kept with the watch is too low now, which only costs looks
        }
        watch(clause, at, index);
        return true;
      }
    }
    return false;
  }

  /** Where one literal is left, makes it true. */
  private boolean follow(int[] clause, int bound, int index) {
    int at = falseWatch(clause, bound);
    if (at < 0 || trail.isTrue(clause[2 - at], clause[3 - at])) {
      return true;
    }
    if (at == 0) {
      swap(clause, 0, 2);
    }
    if (trail.isFalse(clause[0], clause[1])) {
      LiteralList conflict = trail.newConflict();
      for (int q = 0; q < clause.length; q += 2) {
        conflict.add(clause[q] ^ 1, 1 - clause[q + 1]);
      }
      return false;
    }
    return trail.raise(clause[0], clause[1], this, index, 0);
  }

  @Override
  public void explain(int bound, int value, int at) {
    int[] clause = clauses[trail.argument(at, 0)];
    for (int q = 2; q < clause.length; q += 2) {
      trail.conflict().add(clause[q] ^ 1, 1 - clause[q + 1]);
    }
  }
}
