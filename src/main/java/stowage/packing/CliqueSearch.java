package stowage.packing;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Search for heavy sets of vertices of which every two are neighbours.
 *
 * <p>Greedy sets come first: from one of the first vertices on, each later one that is a neighbour
 * of all before. Then branch and bound: candidates are coloured greedily, so that no two of one
 * colour are neighbours. A set has at most one of each colour, so the heaviest of each colour add
 * up to a bound (Tomita and Seki 2003, doi 10.1007/3-540-45066-1_22, for equal weights). The nodes
 * are limited, of which one that colours many vertices counts as several; what is found is such a
 * set whether or not it is the heaviest.
 */
public final class CliqueSearch {
  /** Which vertices are neighbours. */
  @FunctionalInterface
  public interface Neighbours {
    /** {@return whether two different vertices are} */
    boolean are(int one, int other);
  }

  /** Words of rows that colouring goes through for each node counted. */
  private static final int WORDS_A_NODE = 256;

  private final long[] weight;
  private final BitSet[] neighbours;
  private final int[] current;
  private int[] best;
  private long heaviest;
  private long enough;
  private int nodes;

  /** A search; weights are 0 or more and falling, neighbours a row of bits for each vertex. */
  public CliqueSearch(long[] weight, BitSet[] neighbours) {
    this.weight = weight;
    this.neighbours = neighbours;
    this.current = new int[weight.length];
  }

  /** {@return a graph as a row of bits for each vertex} O(n²). */
  public static BitSet[] graph(int vertices, Neighbours neighbours) {
    BitSet[] rows = new BitSet[vertices];
    for (int a = 0; a < vertices; a++) {
      rows[a] = new BitSet(vertices);
      for (int b = 0; b < a; b++) {
        if (neighbours.are(a, b)) {
          rows[a].set(b);
          rows[b].set(a);
        }
      }
    }
    return rows;
  }

  /**
   * {@return a set heavier than one known, ascending; null where none was found}
   *
   * @param among the vertices to choose from
   * @param seeds how many of the first vertices greedy sets begin with
   * @param limit a weight that is enough
   * @param mostNodes of the branch and bound
   */
  public int[] heavier(BitSet among, long known, int seeds, long limit, int mostNodes) {
    best = null;
    heaviest = known;
    enough = limit;
    nodes = mostNodes;
    for (int seed = 0; seed < seeds && seed < weight.length; seed++) {
      greedy(seed);
    }
    extend(0, 0, (BitSet) among.clone());
    if (best != null) {
      Arrays.sort(best);
    }
    return best;
  }

  /** {@return the nodes that the last search left} */
  public int nodesLeft() {
    return Math.max(0, nodes);
  }

  private void greedy(int seed) {
    current[0] = seed;
    int count = 1;
    long sum = weight[seed];
    BitSet left = (BitSet) neighbours[seed].clone();
    for (int a = left.nextSetBit(0); a >= 0; a = left.nextSetBit(a + 1)) {
      current[count++] = a;
      sum += weight[a];
      left.and(neighbours[a]);
    }
    record(count, sum);
  }

  private void record(int count, long sum) {
    if (sum > heaviest) {
      heaviest = sum;
      best = Arrays.copyOf(current, count);
    }
  }

  private void extend(int count, long sum, BitSet candidates) {
    record(count, sum);
    if (heaviest >= enough || --nodes < 0) {
      return;
    }
    int[] order = new int[candidates.cardinality()];
    nodes -= (int) ((long) order.length * weight.length / Long.SIZE / WORDS_A_NODE);
    long[] bound = new long[order.length];
    colour(candidates, order, bound);
    for (int k = order.length - 1; k >= 0 && sum + bound[k] > heaviest; k--) {
      BitSet next = (BitSet) candidates.clone();
      next.and(neighbours[order[k]]);
      current[count] = order[k];
      extend(count + 1, sum + weight[order[k]], next);
      candidates.clear(order[k]);
      if (heaviest >= enough || nodes < 0) {
        return;
      }
    }
  }

  /** Fills the order, colour by colour, and for each place a bound of the vertices up to there. */
  private void colour(BitSet candidates, int[] order, long[] bound) {
    BitSet left = (BitSet) candidates.clone();
    long before = 0;
    for (int count = 0; count < order.length; ) {
      BitSet free = (BitSet) left.clone();
      long most = 0;
      for (int a = free.nextSetBit(0); a >= 0; a = free.nextSetBit(a + 1)) {
        most = Math.max(most, weight[a]);
        order[count] = a;
        bound[count++] = before + most;
        left.clear(a);
        free.andNot(neighbours[a]);
      }
      before += most;
    }
  }
}
