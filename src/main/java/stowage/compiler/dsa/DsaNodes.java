package stowage.compiler.dsa;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Buffer;
import stowage.packing.IndexOrder;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Relations;
import stowage.packing.ReservedRange;
import stowage.packing.Rounding;

/**
 * A problem as dsa-solver's methods see it: nodes, each a buffer or buffers kept at one offset, in
 * one memory each, with hard pairs, and soft pairs that have a price.
 *
 * <p>Refused, as there, are buffers with a choice of memories, fixed offsets, and banks; also
 * distances, which its documents cannot hold, and more than {@value #MOST} buffers. Windows of gaps
 * count as the whole buffer. O(n²).
 */
final class DsaNodes {
  /** Buffers up to which a table of all pairs takes less than a gigabyte. */
  private static final int MOST = 10_000;

  final int count;
  final long[] size;
  final long[] alignment;
  final int[] memory;
  final int[] birth;
  final boolean[][] hard;
  final long[][] soft;
  private final PackingProblem problem;
  private final int[] nodeOf;

  DsaNodes(PackingProblem problem, String planner) {
    this.problem = problem;
    int n = problem.size();
    if (n > MOST) {
      throw new NotPlannableException(
          planner + " keeps a table of all pairs: at most " + MOST + " buffers, here are " + n);
    }
    int[] leader = problem.relations().groups(n).leader();
    nodeOf = new int[n];
    int nodes = 0;
    for (int i = 0; i < n; i++) {
      nodeOf[i] = leader[i] == i ? nodes++ : nodeOf[leader[i]];
    }
    count = nodes;
    size = new long[count];
    alignment = new long[count];
    memory = new int[count];
    birth = new int[count];
    hard = new boolean[count][count];
    soft = new long[count][count];
    Arrays.fill(alignment, 1);
    Arrays.fill(memory, -1);
    Arrays.fill(birth, Integer.MAX_VALUE);
    for (Relations.Together pair : problem.relations().together()) {
      refuse(pair.distance() != 0, planner, "buffers kept together at a distance");
    }
    refuse(!problem.relations().otherBank().isEmpty(), planner, "banks");
    for (int i = 0; i < n; i++) {
      add(i, planner);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        boolean windows = problem.buffer(i).hasWindows() || problem.buffer(j).hasWindows();
        boolean apart =
            problem.meet(i, j)
                || problem.conflicts().contains(i, j)
                || windows && problem.aliveAtOnce(i, j);
        if (nodeOf[i] != nodeOf[j] && apart && needed(i) && needed(j)) {
          hard[nodeOf[i]][nodeOf[j]] = true;
          hard[nodeOf[j]][nodeOf[i]] = true;
        }
      }
    }
    for (Relations.Reuse pair : problem.relations().reuse()) {
      int a = nodeOf[pair.first()];
      int b = nodeOf[pair.second()];
      if (a != b && !hard[a][b] && memory[a] == memory[b]) {
        soft[a][b] += pair.weight();
        soft[b][a] = soft[a][b];
      }
    }
  }

  private boolean needed(int buffer) {
    return problem.buffer(buffer).needsMemory();
  }

  private void add(int i, String planner) {
    Buffer buffer = problem.buffer(i);
    int node = nodeOf[i];
    refuse(Long.bitCount(problem.allowedMask(i)) != 1, planner, "buffers with several memories");
    refuse(buffer.isFixed() || buffer.holdsPlace(), planner, "fixed offsets");
    refuse(buffer.withinBank(), planner, "banks");
    int own = Long.numberOfTrailingZeros(problem.allowedMask(i));
    refuse(memory[node] >= 0 && memory[node] != own, planner, "groups over several memories");
    memory[node] = own;
    size[node] = Math.max(size[node], needed(i) ? buffer.size() : 0);
    birth[node] = Math.min(birth[node], buffer.live().start());
    alignment[node] = Rounding.lcm(alignment[node], problem.alignment(i, own));
  }

  private static void refuse(boolean found, String planner, String what) {
    if (found) {
      throw new NotPlannableException(planner + " knows no " + what);
    }
  }

  int memories() {
    return problem.memories().size();
  }

  long capacity(int node) {
    return problem.memories().get(memory[node]).capacity();
  }

  List<ReservedRange> reserved(int node) {
    return problem.memories().get(memory[node]).reserved();
  }

  boolean fits(int node, long offset) {
    return capacity(node) == Memory.UNBOUNDED || offset + size[node] <= capacity(node);
  }

  long aligned(int node, long from) {
    return (from + alignment[node] - 1) / alignment[node] * alignment[node];
  }

  /** The least aligned offset from a place on at which a node is in no reserved range. */
  long unreserved(int node, long from) {
    long at = aligned(node, from);
    boolean moved = true;
    while (moved) {
      moved = false;
      for (ReservedRange range : reserved(node)) {
        if (at < range.to() && range.from() < at + size[node]) {
          at = aligned(node, range.to());
          moved = true;
        }
      }
    }
    return at;
  }

  boolean overlap(int one, long at, int other, long otherAt) {
    return memory[one] == memory[other] && at < otherAt + size[other] && otherAt < at + size[one];
  }

  long price(long[] offsets) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < i; j++) {
        sum += soft[i][j] > 0 && overlap(i, offsets[i], j, offsets[j]) ? soft[i][j] : 0;
      }
    }
    return sum;
  }

  /** Orders in which nodes are tried: the largest first, by birth, by the weight of soft pairs. */
  List<int[]> orders() {
    long[] weight = new long[count];
    Arrays.setAll(weight, i -> Arrays.stream(soft[i]).sum());
    Comparator<Integer> largest = Comparator.comparingLong(i -> -size[i]);
    Comparator<Integer> first = Comparator.comparingInt(i -> birth[i]);
    Comparator<Integer> heaviest = Comparator.comparingLong(i -> -weight[i]);
    return List.of(
        sorted(largest.thenComparing(first)),
        sorted(first),
        sorted(heaviest.thenComparing(largest)));
  }

  private int[] sorted(Comparator<Integer> order) {
    return IndexOrder.of(IntStream.range(0, count), order);
  }

  Placement placement(long[] offsets) {
    long[] at = new long[nodeOf.length];
    int[] in = new int[nodeOf.length];
    for (int i = 0; i < at.length; i++) {
      at[i] = offsets[nodeOf[i]];
      in[i] = memory[nodeOf[i]];
    }
    return Placement.of(at, in);
  }
}
