package stowage.compiler.dsa;

import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.heuristic.NotPlannableException;
import stowage.packing.RunControl;

/**
 * Cypress's allocation as dsa-solver has it: no two nodes of a memory may share; while they do not
 * fit, one pair more may, in the order of ids, and all is packed again.
 *
 * <p>Sources: Yadav et al., Task-Based Tensor Computations on Modern GPUs (PLDI 2025); the packing
 * of Knight et al., Compilation for Explicitly Managed Memory Hierarchies (PPoPP 2007): all nodes
 * begin at 0; the lowest unfinished one (of equal ones that with most neighbours, then the largest)
 * is finished, and its neighbours that overlap it move above it; dsa-solver's {@code
 * docs/cypress_relaxation.md} for the order of the pairs, which the paper leaves open. Prices do
 * not count. O(pairs · n²).
 *
 * @see <a
 *     href="https://github.com/tonibohnlein/dsa-solver/blob/7656c0ed54076bc5b42b3a90290a8c9bcd6d0f77/docs/cypress_relaxation.md">tonibohnlein/dsa-solver@7656c0ed:cypress_relaxation.md</a>
 */
public final class CypressRelaxation extends DsaPlanner {
  public CypressRelaxation() {
    super(
        "dsa-cypress",
        "dsa-solver's Cypress: nothing shares, then one pair after the other may until it fits");
  }

  @Override
  long[] place(DsaNodes nodes, RunControl control) {
    boolean[][] apart = new boolean[nodes.count][nodes.count];
    long[] offsets = new long[nodes.count];
    for (int i = 0; i < nodes.count; i++) {
      for (int j = 0; j < nodes.count; j++) {
        apart[i][j] = i != j && nodes.memory[i] == nodes.memory[j];
      }
    }
    for (int m = 0; m < nodes.memories(); m++) {
      pack(nodes, m, apart, offsets, control);
      for (int i = 0; i < nodes.count && !fits(nodes, m, offsets); i++) {
        for (int j = i + 1; j < nodes.count && !fits(nodes, m, offsets); j++) {
          if (nodes.memory[i] == m && nodes.memory[j] == m && !nodes.hard[i][j]) {
            apart[i][j] = false;
            apart[j][i] = false;
            pack(nodes, m, apart, offsets, control);
          }
        }
      }
      if (!fits(nodes, m, offsets)) {
        return null;
      }
    }
    return offsets;
  }

  private static boolean fits(DsaNodes nodes, int memory, long[] offsets) {
    return IntStream.range(0, nodes.count)
        .allMatch(i -> nodes.memory[i] != memory || nodes.fits(i, offsets[i]));
  }

  private static void pack(
      DsaNodes nodes, int memory, boolean[][] apart, long[] offsets, RunControl control) {
    int[] degree = new int[nodes.count];
    boolean[] done = new boolean[nodes.count];
    for (int i = 0; i < nodes.count; i++) {
      done[i] = nodes.memory[i] != memory;
      for (int j = 0; j < nodes.count && !done[i]; j++) {
        degree[i] += apart[i][j] ? 1 : 0;
      }
      offsets[i] = done[i] ? offsets[i] : nodes.unreserved(i, 0);
    }
    Comparator<Integer> lowest =
        Comparator.comparingLong((Integer i) -> offsets[i])
            .thenComparingInt(i -> -degree[i])
            .thenComparingLong(i -> -nodes.size[i]);
    for (int k = 0; k < nodes.count; k++) {
      NotPlannableException.throwIfStopped(control, k, nodes.count);
      int next =
          IntStream.range(0, nodes.count).filter(i -> !done[i]).boxed().min(lowest).orElse(-1);
      if (next < 0) {
        return;
      }
      done[next] = true;
      for (int j = 0; j < nodes.count; j++) {
        if (!done[j] && apart[next][j] && nodes.overlap(next, offsets[next], j, offsets[j])) {
          offsets[j] = nodes.unreserved(j, offsets[next] + nodes.size[next]);
        }
      }
    }
  }
}
