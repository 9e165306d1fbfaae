package stowage.exact.search.model;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;

/**
 * A component with one memory as the canonical search reads it: with the conflicts as rows of bits.
 * Built once, shared by all workers, never written to again.
 */
public final class SearchModel {
  /** The largest number of buffers for which a model is built: its bit rows take n^2 / 8 bytes. */
  public static final int LARGEST = 1 << 14;

  public final Component problem;

  public final int count;
  public final int sections;
  public final long[] size;
  public final int[] firstPiece;
  public final int[] spanStart;
  public final int[] spanEnd;

  /** Hull of a buffer's pieces in sections, half-open. */
  public final int[] hullStart;

  public final int[] hullEnd;

  /** Hull of a buffer and of all it extra-conflicts with: what time decomposition must not cut. */
  public final int[] reachStart;

  public final int[] reachEnd;

  /** Number of sections a buffer is live in. */
  public final int[] width;

  /** Words of a conflict row. */
  public final int words;

  /** Row b, words {@code [b * words, (b + 1) * words)}: the buffers that conflict with b. */
  public final long[] conflicts;

  /** The largest load of a section. */
  public final long maxLoad;

  /** Whether every offset is allowed for every buffer. */
  public final boolean unconstrained;

  /** Whether every order of the buffers can be stacked: no offset is fixed, every buffer fits. */
  public final boolean stackable;

  /**
   * @throws IllegalArgumentException where the problem has windows (bottom-left placements are not
   *     complete for those) or more than {@link #LARGEST} buffers
   */
  public SearchModel(Component problem) {
    if (problem.hasWindows() || problem.count() > LARGEST) {
      throw new IllegalArgumentException(
          "count(" + problem.count() + ") must be at most " + LARGEST + ", without windows");
    }
    this.problem = problem;
    this.count = problem.count();
    this.sections = problem.sections();
    this.firstPiece = problem.firstSpans();
    this.spanStart = problem.spanStarts();
    this.spanEnd = problem.spanEnds();
    this.size = problem.sizes();
    this.width = new int[count];
    this.hullStart = new int[count];
    this.hullEnd = new int[count];
    boolean free = true;
    for (int b = 0; b < count; b++) {
      free &= problem.alignment(b, 0) == 1 && problem.fixedOffsets()[b] < 0;
      free &= !problem.withinBanks()[b] || problem.bankSize(0) == 0;
      for (int piece = firstPiece[b]; piece < firstPiece[b + 1]; piece++) {
        width[b] += spanEnd[piece] - spanStart[piece];
      }
      if (firstPiece[b] < firstPiece[b + 1]) {
        hullStart[b] = spanStart[firstPiece[b]];
        hullEnd[b] = spanEnd[firstPiece[b + 1] - 1];
      }
    }
    this.unconstrained = free;
    this.stackable =
        IntStream.range(0, count)
            .allMatch(b -> problem.fixedOffsets()[b] < 0 && roundUp(b, 0) >= 0);
    this.maxLoad = problem.maxLoad();
    this.reachStart = hullStart.clone();
    this.reachEnd = hullEnd.clone();
    this.words = count + 63 >>> 6;
    this.conflicts = new long[count * words];
    fillConflicts();
  }

  /**
   * A builder that has some of the buffers, as if they had no alignments and banks, in units and
   * sections of this model. O(members * their extra conflicts).
   *
   * @param members ascending
   */
  public ComponentBuilder copy(int[] members) {
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    for (int i : members) {
      int k = builder.add(size[i], hullStart[i], hullEnd[i]);
      for (int p = firstPiece[i] + 1; p < firstPiece[i + 1]; p++) {
        if (spanEnd[p - 1] < spanStart[p]) {
          builder.gap(spanEnd[p - 1], spanStart[p]);
        }
      }
      for (int other : problem.extraConflicts(i)) {
        int at = Arrays.binarySearch(members, other);
        if (at >= 0) {
          builder.conflict(k, at);
        }
      }
    }
    return builder;
  }

  /** The smallest allowed offset of a buffer that is not below the given one, or -1. */
  public long roundUp(int buffer, long offset) {
    return unconstrained ? offset : problem.roundUp(buffer, 0, offset);
  }

  /** The peak of a placement in units. */
  public long peak(long[] offsets) {
    return problem.peak(offsets);
  }

  /** The buffers live in each section, the last one first. O(sections + lengths of all pieces). */
  public int[][] live() {
    int[] owner = problem.spanOwners();
    int[][] live = problem.spansBySection();
    for (int[] here : live) {
      int[] pieces = here.clone();
      Arrays.setAll(here, k -> owner[pieces[pieces.length - 1 - k]]);
    }
    return live;
  }

  /** Whether two buffers conflict. */
  public boolean conflict(int one, int other) {
    return (conflicts[one * words + (other >> 6)] >>> other & 1) != 0;
  }

  private void fillConflicts() {
    for (int one = 0; one < count; one++) {
      int start = hullStart[one];
      int end = hullEnd[one];
      boolean single = firstPiece[one + 1] - firstPiece[one] == 1;
      for (int other = one + 1; other < count; other++) {
        if (hullStart[other] < end && start < hullEnd[other]) {
          if (single && firstPiece[other + 1] - firstPiece[other] == 1
              || problem.conflict(one, other)) {
            join(one, other);
          }
        }
      }
    }
    for (int one = 0; one < count; one++) {
      for (int other : problem.extraConflicts(one)) {
        join(one, other);
        reachStart[one] = Math.min(reachStart[one], hullStart[other]);
        reachEnd[one] = Math.max(reachEnd[one], hullEnd[other]);
      }
    }
  }

  private void join(int one, int other) {
    conflicts[one * words + (other >> 6)] |= 1L << other;
    conflicts[other * words + (one >> 6)] |= 1L << one;
  }
}
