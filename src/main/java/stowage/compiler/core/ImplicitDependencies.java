package stowage.compiler.core;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.Op;
import stowage.packing.Buffer;
import stowage.packing.IndexOrder;
import stowage.packing.Placement;

/**
 * What a placement makes ops wait for that the graph does not: where two buffers share bytes, every
 * op that touches the earlier one must be over before any op writes the later one.
 *
 * <p>An op touches a buffer if it reads or writes one of its tensors, or uses it as scratch. A pair
 * of such ops is <em>implicit</em> unless the graph's own edges, direct or through other ops, order
 * the two already. {@link #pairs} lists the implicit pairs of all buffers that share bytes; what
 * follows from others by transitivity may be in it too. The <em>critical path</em> is the longest
 * chain of ops, each op counting one; the <em>width</em> is how many ops run at once at most if
 * each starts as early as its predecessors allow.
 *
 * <p>Example: x → a → y1, x → b → y2, every tensor with bytes of its own but y2, which is where a
 * were. Then the op that makes y2 waits for the one that makes y1, for that reads a: one implicit
 * pair. The critical path is 2 ops before and 3 after.
 *
 * <p>O(n log n + pairs of buffers that share addresses + ops · edges / 64).
 */
public final class ImplicitDependencies {
  /**
   * An op that waits for another because of shared memory.
   *
   * @param earlier index of the op that must be over
   * @param later index of the op that waits
   * @param earlierBuffer the buffer, by index in the problem, that the first touches
   * @param laterBuffer the one that the second writes at the same bytes
   */
  public record Pair(int earlier, int later, int earlierBuffer, int laterBuffer) {}

  /** Which of several pairs of buffers represents a pair of ops: the first by index. */
  private static final Comparator<Pair> FIRST_BUFFERS =
      Comparator.comparingInt(Pair::earlierBuffer).thenComparingInt(Pair::laterBuffer);

  private final PlanningCase given;
  private final int[] position;
  private final BitSet[] leadsTo;
  private final Map<Long, Pair> found = new TreeMap<>();
  private final List<Pair> pairs;
  private final int[] before;
  private final int[] after;

  private ImplicitDependencies(PlanningCase given, Placement placement) {
    this.given = given;
    this.position = IndexOrder.places(given.order(), given.order().length);
    BitSet[] graphEdges = graphEdges();
    this.leadsTo = closure(graphEdges);
    collect(placement);
    this.pairs = List.copyOf(found.values());
    this.before = levels(graphEdges);
    pairs.forEach(pair -> graphEdges[position[pair.earlier]].set(position[pair.later]));
    this.after = levels(graphEdges);
  }

  /** The dependencies that a placement adds; a list of buffers has no ops and none. */
  public static ImplicitDependencies of(PlanningCase given, Placement placement) {
    if (!given.hasNetwork()) {
      throw new NotPlannableException(
          "dependencies are between ops, and a list of buffers has none");
    }
    return new ImplicitDependencies(given, placement);
  }

  /** Edges between steps: what the data itself demands. */
  private BitSet[] graphEdges() {
    BitSet[] edges = new BitSet[position.length];
    Arrays.setAll(edges, k -> new BitSet());
    for (int op = 0; op < position.length; op++) {
      for (String input : given.network().ops().get(op).presentInputs()) {
        int from = given.network().producer(input);
        if (from >= 0) {
          edges[position[from]].set(position[op]);
        }
      }
    }
    return edges;
  }

  private static BitSet[] closure(BitSet[] edges) {
    BitSet[] leadsTo = new BitSet[edges.length];
    for (int k = edges.length - 1; k >= 0; k--) {
      leadsTo[k] = (BitSet) edges[k].clone();
      BitSet reached = leadsTo[k];
      edges[k].stream().forEach(next -> reached.or(leadsTo[next]));
    }
    return leadsTo;
  }

  private void collect(Placement placement) {
    int count = given.problem().size();
    List<BitSet> touching = Stream.generate(BitSet::new).limit(count).toList();
    List<BitSet> writing = Stream.generate(BitSet::new).limit(count).toList();
    followUses(touching, writing);
    int[][] touches = touching.stream().map(set -> set.stream().toArray()).toArray(int[][]::new);
    int[][] writes = writing.stream().map(set -> set.stream().toArray()).toArray(int[][]::new);
    int[] upwards =
        IndexOrder.of(
            IntStream.range(0, count).filter(b -> given.problem().buffer(b).needsMemory()),
            Comparator.<Integer>comparingInt(placement::memory)
                .thenComparingLong(placement::offset));
    for (int k = 0; k < upwards.length; k++) {
      int low = upwards[k];
      Buffer lower = given.problem().buffer(low);
      long end = placement.offset(low) + lower.size();
      for (int l = k + 1; l < upwards.length; l++) {
        int high = upwards[l];
        if (placement.memory(high) != placement.memory(low) || placement.offset(high) >= end) {
          break;
        }
        addPairs(placement, low, high, touches[low], writes[high]);
        addPairs(placement, high, low, touches[high], writes[low]);
      }
    }
  }

  private void followUses(List<BitSet> touches, List<BitSet> writes) {
    Map<String, Integer> bufferOf = given.bufferOf();
    for (int b = 0; b < touches.size(); b++) {
      if (given.isScratch(b)) {
        int step = given.problem().buffer(b).live().start();
        touches.get(b).set(step);
        writes.get(b).set(step);
      }
    }
    for (int k = 0; k < position.length; k++) {
      Op op = given.network().ops().get(k);
      int step = position[k];
      Stream.concat(op.presentInputs().stream(), op.presentOutputs().stream())
          .filter(bufferOf::containsKey)
          .forEach(tensor -> touches.get(bufferOf.get(tensor)).set(step));
      op.presentOutputs().stream()
          .filter(bufferOf::containsKey)
          .forEach(tensor -> writes.get(bufferOf.get(tensor)).set(step));
    }
  }

  private void addPairs(Placement placement, int earlier, int later, int[] touches, int[] writes) {
    Buffer first = given.problem().buffer(earlier);
    Buffer second = given.problem().buffer(later);
    long distance = placement.offset(later) - placement.offset(earlier);
    for (int touching : touches) {
      Buffer.Span before = first.spanAt(touching);
      for (int writing : writes) {
        if (writing > touching
            && !leadsTo[touching].get(writing)
            && shareBytes(before, second.spanAt(writing), distance)) {
          Pair pair = new Pair(given.order()[touching], given.order()[writing], earlier, later);
          found.merge(((long) touching << 32) | writing, pair, BinaryOperator.minBy(FIRST_BUFFERS));
        }
      }
    }
  }

  /** Whether bytes needed of a buffer at one step are where those of one so far above it are. */
  private static boolean shareBytes(Buffer.Span lower, Buffer.Span upper, long distance) {
    return lower != null
        && upper != null
        && lower.low() < distance + upper.high()
        && distance + upper.low() < lower.high();
  }

  /** For each step how many ops run before it on the longest chain that leads to it. */
  private static int[] levels(BitSet[] edges) {
    int[] level = new int[edges.length];
    for (int k = 0; k < edges.length; k++) {
      int own = level[k];
      edges[k].stream().forEach(next -> level[next] = Math.max(level[next], own + 1));
    }
    return level;
  }

  /** The pairs that the graph itself does not order, by the ops' steps. */
  public List<Pair> pairs() {
    return pairs;
  }

  /** Ops on the longest chain of the graph alone. */
  public int criticalPathBefore() {
    return Arrays.stream(before).max().orElse(-1) + 1;
  }

  /** Ops on the longest chain with the implicit pairs added. */
  public int criticalPathAfter() {
    return Arrays.stream(after).max().orElse(-1) + 1;
  }

  /** The most ops that run at once when each starts as early as the graph allows. */
  public int widthBefore() {
    return width(before);
  }

  /** The same with the implicit pairs added. */
  public int widthAfter() {
    return width(after);
  }

  /** The most steps of one level. */
  public static int width(int[] level) {
    int[] count = new int[level.length];
    int widest = 0;
    for (int own : level) {
      widest = Math.max(widest, ++count[own]);
    }
    return widest;
  }
}
