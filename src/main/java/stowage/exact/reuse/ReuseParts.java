package stowage.exact.reuse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;

/**
 * A problem cut into parts between whose buffers nothing matters: no common step, no relation, no
 * conflict, or no memory that both may be in. The price of the whole is the sum of the parts'.
 */
public final class ReuseParts {
  private final PackingProblem problem;
  private final List<int[]> members = new ArrayList<>();
  private final List<PackingProblem> problems = new ArrayList<>();
  private final List<ReusePart> parts = new ArrayList<>();

  private ReuseParts(PackingProblem problem) {
    this.problem = problem;
  }

  /** The parts of a problem. O(n^2). */
  public static ReuseParts of(PackingProblem problem) {
    ReuseParts made = new ReuseParts(problem);
    made.cut();
    return made;
  }

  private void cut() {
    int n = problem.size();
    int[] parent = new int[n];
    for (int i = 0; i < n; i++) {
      parent[i] = i;
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        if ((problem.allowedMask(i) & problem.allowedMask(j)) != 0
            && find(parent, i) != find(parent, j)
            && (problem.aliveAtOnce(i, j)
                || problem.meet(i, j)
                || problem.conflicts().contains(i, j)
                || problem.relations().otherBank().contains(i, j))) {
          parent[find(parent, i)] = find(parent, j);
        }
      }
    }
    for (Relations.Reuse pair : problem.relations().reuse()) {
      if ((problem.allowedMask(pair.first()) & problem.allowedMask(pair.second())) != 0) {
        parent[find(parent, pair.first())] = find(parent, pair.second());
      }
    }
    for (Relations.Together pair : problem.relations().together()) {
      parent[find(parent, pair.first())] = find(parent, pair.second());
    }
    List<List<Integer>> groups = new ArrayList<>();
    int[] group = new int[n];
    Arrays.fill(group, -1);
    for (int i = 0; i < n; i++) {
      int root = find(parent, i);
      if (group[root] < 0) {
        group[root] = groups.size();
        groups.add(new ArrayList<>());
      }
      groups.get(group[root]).add(i);
    }
    for (List<Integer> one : groups) {
      int[] buffers = one.stream().mapToInt(Integer::intValue).toArray();
      members.add(buffers);
      problems.add(restricted(problem, buffers));
      parts.add(new ReusePart(problems.get(problems.size() - 1)));
    }
  }

  private static int find(int[] parent, int i) {
    int at = i;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** The part of a problem that some buffers make alone, in all memories. O(n + pairs). */
  public static PackingProblem restricted(PackingProblem problem, int[] buffers) {
    int[] position = new int[problem.size()];
    Arrays.fill(position, -1);
    for (int k = 0; k < buffers.length; k++) {
      position[buffers[k]] = k;
    }
    Relations all = problem.relations();
    List<Relations.Reuse> reuse = new ArrayList<>();
    for (Relations.Reuse pair : all.reuse()) {
      int a = position[pair.first()];
      int b = position[pair.second()];
      if (a >= 0 && b >= 0) {
        reuse.add(new Relations.Reuse(a, b, pair.weight(), pair.reason()));
      }
    }
    List<Relations.Together> together = new ArrayList<>();
    for (Relations.Together pair : all.together()) {
      if (position[pair.first()] >= 0) {
        together.add(
            new Relations.Together(
                position[pair.first()], position[pair.second()], pair.distance()));
      }
    }
    List<Memory> memories = problem.memories();
    return new PackingProblem(
        problem.name(),
        Arrays.stream(buffers).mapToObj(problem::buffer).toList(),
        memories,
        pairs(problem.conflicts(), buffers, position),
        Relations.none()
            .withReuse(reuse)
            .withTogether(together)
            .withExclusive(pairs(all.exclusive(), buffers, position))
            .withOtherBank(pairs(all.otherBank(), buffers, position)));
  }

  private static ConflictPairs pairs(ConflictPairs all, int[] buffers, int[] position) {
    List<int[]> own = new ArrayList<>();
    for (int i : buffers) {
      for (int j : all.of(i)) {
        if (i < j && position[j] >= 0) {
          own.add(new int[] {position[i], position[j]});
        }
      }
    }
    return ConflictPairs.of(buffers.length, own);
  }

  /** The number of parts. */
  public int count() {
    return parts.size();
  }

  /** A part as a problem of its own; its buffers in the order they have in the whole. */
  public PackingProblem problem(int k) {
    return problems.get(k);
  }

  /** A part as items in pairs. */
  public ReusePart part(int k) {
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
    int[] own = members.get(k);
    long[] offsets = new long[own.length];
    int[] memories = new int[own.length];
    for (int at = 0; at < own.length; at++) {
      offsets[at] = whole.offset(own[at]);
      memories[at] = whole.memory(own[at]);
    }
    return Placement.of(offsets, memories);
  }

  /** A part's cut as one of the whole. */
  public ReuseCut expand(int k, ReuseCut cut) {
    return cut instanceof ReuseCut.Hide hide
        ? new ReuseCut.Hide(
            hide.memory(), whole(k, hide.buffers()), whole(k, hide.given()), hide.divisor())
        : new ReuseCut.Turan(cut.memory(), whole(k, cut.buffers()), ((ReuseCut.Turan) cut).k());
  }

  private int[] whole(int k, int[] buffers) {
    return Arrays.stream(buffers).map(at -> members.get(k)[at]).toArray();
  }
}
