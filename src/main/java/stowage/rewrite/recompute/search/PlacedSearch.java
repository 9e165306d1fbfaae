package stowage.rewrite.recompute.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Function;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * All sequences of a small graph by rising extra cost, until one can be placed. Left out are only
 * sequences in which a computation's results are never read before they are computed again: without
 * it every live range is the same or shorter. So when all sequences below a cost are proven not to
 * fit, that cost is a bound. Exponential in the number of repetitions.
 */
public final class PlacedSearch {
  private static final int MOST_NODES = 60_000;

  /** Whether a sequence's buffers fit: yes, proven not, or not known. */
  public enum Verdict {
    FITS,
    TOO_LARGE,
    UNKNOWN
  }

  /**
   * What was found.
   *
   * @param sequence the first sequence that fits; null for none
   * @param bound all cheaper sequences are proven not to fit
   */
  public record Answer(int[] sequence, long bound) {}

  private record Node(long cost, int done, int[] sequence) {}

  private final RecomputeProblem problem;

  /** The same without kept values: the beginning of a sequence may compute them again later. */
  private final RecomputeProblem open;

  private final long capacity;
  private final Function<int[], Verdict> places;

  /** A search; {@code places} says whether a whole sequence's buffers fit into the capacity. */
  public PlacedSearch(RecomputeProblem problem, long capacity, Function<int[], Verdict> places) {
    this.problem = problem;
    this.open = problem.withoutKept();
    this.capacity = capacity;
    this.places = places;
  }

  /** Searches until a sequence fits, or the control or the number of nodes ends it. */
  public Answer run(RunControl control) {
    PriorityQueue<Node> queue =
        new PriorityQueue<>(
            Comparator.comparingLong(Node::cost)
                .thenComparingInt(node -> -node.done())
                .thenComparingInt(node -> node.sequence().length));
    queue.add(new Node(0, 0, new int[0]));
    long proven = Long.MAX_VALUE;
    int nodes = 0;
    while (!queue.isEmpty()) {
      Node node = queue.remove();
      if (control.isStopped() || nodes++ > MOST_NODES) {
        return new Answer(null, Math.min(proven, node.cost()));
      }
      if (node.done() == problem.ops && new Timeline(problem, node.sequence()).peak <= capacity) {
        Verdict verdict = places.apply(node.sequence());
        if (verdict == Verdict.FITS) {
          return new Answer(node.sequence(), Math.min(proven, node.cost()));
        }
        if (verdict == Verdict.UNKNOWN) {
          proven = Math.min(proven, node.cost());
        }
      }
      for (int v = 0; v <= node.done() && v < problem.ops; v++) {
        boolean again = v < node.done();
        if (again && (problem.until[v] < node.done() || isUnread(node.sequence(), v))) {
          continue;
        }
        int[] longer = Arrays.copyOf(node.sequence(), node.sequence().length + 1);
        longer[longer.length - 1] = v;
        if (fits(longer)) {
          long cost = node.cost() + (again ? problem.cost[v] : 0);
          queue.add(new Node(cost, Math.max(node.done(), v + 1), longer));
        }
      }
    }
    return new Answer(null, proven);
  }

  /** Whether a sequence's beginning is within the capacity as far as it has been read. */
  private boolean fits(int[] beginning) {
    return new Timeline(open, beginning).peak <= capacity;
  }

  /** Whether an op's results have not been read since it ran again. */
  private boolean isUnread(int[] sequence, int op) {
    int runs = 0;
    for (int v : sequence) {
      runs += v == op ? 1 : 0;
    }
    if (runs < 2) {
      return false;
    }
    for (int s = sequence.length - 1; sequence[s] != op; s--) {
      for (int i : problem.reads[sequence[s]]) {
        if (problem.maker[i] == op) {
          return false;
        }
      }
    }
    return true;
  }
}
