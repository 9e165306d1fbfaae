package stowage.compiler.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;

/**
 * What a planner's own rules admit, stated as a problem: whatever the planner gives satisfies it,
 * so that no bound of it is above the planner's peak, and an exact method that solves it shows what
 * the rules alone cost.
 *
 * @param problem the case's buffers in the same order, at least as constrained as in the case
 * @param wholeObjects whether buffers are put into objects that hold one at a time, laid end to end
 * @param kinds with whole objects: only buffers of equal figures share one; null when all may
 * @param words what the rules ask beyond the case itself, each in a few words; empty for nothing
 */
public record PlannerRules(
    PackingProblem problem, boolean wholeObjects, int[] kinds, List<String> words) {

  public PlannerRules {
    kinds = kinds == null ? null : kinds.clone();
    words = List.copyOf(words);
  }

  /**
   * What all planners of real systems have in common here: a buffer holds its bytes from its first
   * step to its last, gaps or not, and where there are alignments every offset is a multiple of
   * their least common multiple.
   */
  public static PlannerRules of(PackingProblem problem) {
    return withoutGaps(problem).aligned(HullList.commonAlignment(problem));
  }

  /** The problem's own alignments, and every buffer holds its bytes over gaps in its live range. */
  public static PlannerRules withoutGaps(PackingProblem problem) {
    PlannerRules rules = none(problem);
    return problem.buffers().stream().allMatch(buffer -> buffer.gaps().isEmpty())
        ? rules
        : rules.with(
            problem.withBuffers(
                problem.buffers().stream().map(b -> b.withGaps(List.of())).toList()),
            "gaps not used");
  }

  /** No rule beyond the problem's own: each buffer has its own alignment and gaps. */
  public static PlannerRules none(PackingProblem problem) {
    return new PlannerRules(problem, false, null, List.of());
  }

  private PlannerRules with(PackingProblem other, String word) {
    List<String> more = new ArrayList<>(words);
    more.add(word);
    return new PlannerRules(other, wholeObjects, kinds, more);
  }

  /**
   * The same with every offset a multiple of a figure. Where an offset is fixed nothing changes:
   * what is above such a buffer need not be a multiple of anything.
   */
  public PlannerRules aligned(long multiple) {
    boolean known = true;
    for (int b = 0; b < problem.size(); b++) {
      Buffer buffer = problem.buffer(b);
      if (buffer.isFixed()) {
        return this;
      }
      for (int m = 0; m < problem.memories().size(); m++) {
        if (problem.memories().get(m).base() % multiple != 0) {
          return this;
        }
        known &=
            !buffer.needsMemory()
                || !problem.allows(b, m)
                || problem.alignment(b, m) % multiple == 0;
      }
    }
    return known
        ? this
        : with(
            problem.withBuffers(
                problem.buffers().stream()
                    .map(b -> b.withAlignment(Rounding.lcm(b.alignment(), multiple)))
                    .toList()),
            "offsets at multiples of " + multiple);
  }

  /** The same with some buffers, by index, alive from the first step of all to the last. */
  public PlannerRules alwaysAlive(IntPredicate chosen, String word) {
    return stretched(chosen, true, word);
  }

  /** The same with some buffers, by index, alive from their first step to the last of all. */
  public PlannerRules neverFreed(IntPredicate chosen, String word) {
    return stretched(chosen, false, word);
  }

  private PlannerRules stretched(IntPredicate chosen, boolean fromTheFirst, String word) {
    int first = Integer.MAX_VALUE;
    int last = Integer.MIN_VALUE;
    for (Buffer buffer : problem.buffers()) {
      if (buffer.needsMemory()) {
        first = Math.min(first, buffer.live().start());
        last = Math.max(last, buffer.live().end());
      }
    }
    List<Buffer> buffers = new ArrayList<>(problem.buffers());
    boolean changed = false;
    for (int b = 0; b < buffers.size(); b++) {
      Buffer buffer = buffers.get(b);
      if (buffer.needsMemory() && chosen.test(b)) {
        int start = fromTheFirst ? first : buffer.live().start();
        changed |= start < buffer.live().start() || buffer.live().end() < last;
        buffers.set(b, buffer.withLive(start, last));
      }
    }
    return changed ? with(problem.withBuffers(buffers), word) : this;
  }

  /** The same with more pairs kept apart. */
  public PlannerRules apart(ConflictPairs pairs, String word) {
    return pairs.count() == problem.conflicts().count()
        ? this
        : with(problem.withConflicts(pairs), word);
  }

  /** The same with some buffers, by index, kept out of every memory but the last. */
  public PlannerRules inLastMemory(IntPredicate chosen, String word) {
    int last = problem.memories().size() - 1;
    List<Buffer> buffers = new ArrayList<>(problem.buffers());
    boolean changed = false;
    for (int b = 0; b < buffers.size(); b++) {
      if (chosen.test(b) && problem.allows(b, last)) {
        buffers.set(b, buffers.get(b).withMemories(List.of(problem.memories().get(last).name())));
        changed = true;
      }
    }
    return changed ? with(problem.withBuffers(buffers), word) : this;
  }

  /** The same where buffers are put into objects that hold one at a time. */
  public PlannerRules inWholeObjects() {
    PlannerRules rules = with(problem, "whole objects");
    return new PlannerRules(rules.problem, true, kinds, rules.words);
  }

  /** The same where only buffers of equal kinds, by index, share an object. */
  public PlannerRules ofKinds(int[] figures, String word) {
    PlannerRules rules = with(problem, word);
    return new PlannerRules(rules.problem, wholeObjects, figures, rules.words);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PlannerRules that && isLike(that) && words.equals(that.words);
  }

  /** Whether two planners' rules admit the same, whatever they are called. */
  public boolean isLike(PlannerRules that) {
    return wholeObjects == that.wholeObjects
        && Arrays.equals(kinds, that.kinds)
        && sameProblem(that.problem);
  }

  /** Whether the rules' problem is another, except for its name. */
  public boolean sameProblem(PackingProblem that) {
    return problem == that
        || (problem.buffers().equals(that.buffers())
            && problem.memories().equals(that.memories())
            && sameConflicts(that.conflicts()));
  }

  private boolean sameConflicts(ConflictPairs that) {
    if (problem.conflicts() == that) {
      return true;
    }
    boolean same = problem.conflicts().count() == that.count();
    for (int b = 0; b < problem.size() && same; b++) {
      same = Arrays.equals(problem.conflicts().of(b), that.of(b));
    }
    return same;
  }

  @Override
  public int hashCode() {
    return 31 * problem.buffers().hashCode() + words.hashCode();
  }
}
