package stowage.exact.reuse;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.DisjointSets;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;

/**
 * A problem cut into parts between whose buffers nothing matters: no common step, no relation, no
 * conflict, or no memory that both may be in. The price of the whole is the sum of the parts'.
 */
public final class ReuseSplit {
  private final PackingProblem problem;
  private final List<int[]> members = new ArrayList<>();
  private final List<PackingProblem> problems = new ArrayList<>();
  private final List<ReuseItems> parts = new ArrayList<>();

  private ReuseSplit(PackingProblem problem) {
    this.problem = problem;
  }

  /** The parts of a problem. O(n^2). */
  public static ReuseSplit of(PackingProblem problem) {
    ReuseSplit made = new ReuseSplit(problem);
    made.cut();
    return made;
  }

  private void cut() {
    int n = problem.size();
    DisjointSets sets = new DisjointSets(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        if ((problem.allowedMask(i) & problem.allowedMask(j)) != 0
            && sets.root(i) != sets.root(j)
            && (problem.aliveAtOnce(i, j)
                || problem.meet(i, j)
                || problem.conflicts().contains(i, j)
                || problem.relations().otherBank().contains(i, j))) {
          sets.join(i, j);
        }
      }
    }
    for (Relations.Reuse pair : problem.relations().reuse()) {
      if ((problem.allowedMask(pair.first()) & problem.allowedMask(pair.second())) != 0) {
        sets.join(pair.first(), pair.second());
      }
    }
    for (Relations.Together pair : problem.relations().together()) {
      sets.join(pair.first(), pair.second());
    }
    for (int[] buffers : sets.sets()) {
      members.add(buffers);
      problems.add(problem.select(buffers));
      parts.add(new ReuseItems(problems.get(problems.size() - 1)));
    }
  }

  public int count() {
    return parts.size();
  }

  /** A part as a problem of its own; its buffers in the order they have in the whole. */
  public PackingProblem problem(int k) {
    return problems.get(k);
  }

  public ReuseItems part(int k) {
    return parts.get(k);
  }

  /** The placement of the whole that placements of all parts make. */
  public Placement expand(Placement[] placements) {
    long[] offsets = new long[problem.size()];
    int[] memories = new int[problem.size()];
    for (int k = 0; k < placements.length; k++) {
      for (int at = 0; at < members.get(k).length; at++) {
        offsets[members.get(k)[at]] = placements[k].offset(at);
        memories[members.get(k)[at]] = placements[k].memory(at);
      }
    }
    return Placement.of(offsets, memories);
  }

  /** What a placement of the whole is for a part. */
  public Placement restricted(int k, Placement whole) {
    return whole.select(members.get(k));
  }

  /** A part's cut as one of the whole. */
  public ReuseCut expand(int k, ReuseCut cut) {
    return cut.renumbered(at -> members.get(k)[at]);
  }
}
