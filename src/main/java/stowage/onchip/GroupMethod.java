package stowage.onchip;

import java.util.Locale;
import stowage.onchip.cpsat.ConvexPartitioner;
import stowage.onchip.partition.IntervalPartitioner;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.partition.TailPartitioner;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.onchip.search.GroupOptions.Lmem;
import stowage.onchip.search.GroupOptions.SlicingSearch;

/**
 * A way to divide a network into layer groups, as the options of {@code stowage group} have it.
 *
 * @param slicing how slice counts are found
 * @param overlapLimit whether a group may not read more than half of an input's rows twice; null
 *     for what {@code lmem} implies
 */
public record GroupMethod(
    Division division, Lmem lmem, SlicingSearch slicing, Boolean overlapLimit) {

  /** Which ops run together. */
  public enum Division {
    /** Every op by itself. */
    ALONE,
    /** Greedily, from the last op to the first. */
    TAIL,
    /** The best contiguous groups. */
    DP,
    /** The best convex groups. */
    CP,
    /** As a TPU-MLIR file has them. */
    FILE
  }

  /** How groups are built for an objective. */
  public GroupOptions options(GroupObjective objective) {
    boolean limited = overlapLimit == null ? lmem == Lmem.DOCUMENT : overlapLimit;
    return new GroupOptions(lmem, slicing, objective, limited);
  }

  /** A new partitioner; there is none for groups that come from a file. */
  public Partitioner newPartitioner() {
    return switch (division) {
      case ALONE -> Partitioner.singletons();
      case TAIL -> new TailPartitioner();
      case DP -> new IntervalPartitioner();
      case CP -> new ConvexPartitioner();
      case FILE -> throw new IllegalStateException("the file has the groups");
    };
  }

  /** What tables call it where the suite gives no name: {@code dp-exact-quick}. */
  public String label() {
    return division == Division.ALONE
        ? "alone"
        : (division + "-" + lmem + "-" + slicing).toLowerCase(Locale.ROOT);
  }
}
