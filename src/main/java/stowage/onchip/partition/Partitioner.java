package stowage.onchip.partition;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOutcome;
import stowage.onchip.search.GroupSearch;

/** A way to divide a network into layer groups. Implementations keep nothing from call to call. */
public interface Partitioner {
  /** The name on the command line: {@code tail}, {@code dp}, {@code cp}. */
  String name();

  /**
   * The partitioners whose partitions this one could have found, too; none of these costs less than
   * the best of this one.
   */
  default List<Partitioner> included() {
    return List.of();
  }

  /** Divides a network into groups, every op in one, from partitions that are known. */
  Partition partition(GroupSearch search, List<List<int[]>> starts);

  /** Every op by itself, as a network runs without layer groups: what all others compare with. */
  static Partitioner singletons() {
    return new Partitioner() {
      @Override
      public String name() {
        return "alone";
      }

      @Override
      public Partition partition(GroupSearch search, List<List<int[]>> starts) {
        List<int[]> groups =
            IntStream.range(0, search.graph().size()).mapToObj(p -> new int[] {p}).toList();
        return Partition.unproven(groups, search);
      }
    };
  }

  /** The cost of a partition; infinite where a group is not found to fit. */
  static double cost(GroupSearch search, List<int[]> groups) {
    return cost(search, groups, search::search);
  }

  /** The cost of a partition as far as it is known without more search, else infinite. */
  static double recalledCost(GroupSearch search, List<int[]> groups) {
    return cost(search, groups, search::recalled);
  }

  /** A partition, or the known one that costs least where that is less. */
  static List<int[]> cheapest(
      List<int[]> own, List<List<int[]>> known, ToDoubleFunction<List<int[]>> cost) {
    List<int[]> best = own;
    double least = cost.applyAsDouble(own);
    for (List<int[]> other : known) {
      double its = cost.applyAsDouble(other);
      if (its < least) {
        least = its;
        best = other;
      }
    }
    return best;
  }

  private static double cost(
      GroupSearch search, List<int[]> groups, Function<int[], GroupOutcome> outcomes) {
    GroupObjective objective = search.options().objective();
    double sum = 0;
    for (int[] members : groups) {
      GroupOutcome outcome = members.length == 1 ? null : outcomes.apply(members);
      if (members.length == 1) {
        sum += search.alone(members[0]);
      } else {
        sum +=
            outcome != null && outcome.fits() ? outcome.cost(objective) : Double.POSITIVE_INFINITY;
      }
    }
    return sum;
  }

  /** The positions from first to last, both included. */
  static int[] interval(int first, int last) {
    return IntStream.rangeClosed(first, last).toArray();
  }
}
