package stowage.planning.fit;

import java.util.List;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.Plan;

/**
 * A network that does the work of the given one, with an order and a verified placement.
 *
 * @param network what runs: the given network, or one rewritten
 * @param origins for each op of {@code network} the op of the given network that it is, or is a
 *     piece of, by index
 * @param planned the order and the buffers that were placed
 * @param placement the placement and its bound
 * @param extra compute added to the given network's
 * @param extraBytes bytes that added ops move
 * @param persistentExtra bytes that a run-time is estimated to keep for added ops
 * @param runs the ops that are executed piece by piece
 */
public record FitPlan(
    Network network,
    List<Integer> origins,
    PlanningCase planned,
    Incumbent placement,
    long extra,
    long extraBytes,
    long persistentExtra,
    List<Run> runs) {

  /**
   * Ops that are executed piece by piece.
   *
   * @param ops names of the given network's ops
   * @param axes what they are cut along: rows, columns, tokens or batch
   * @param pieces the number of pieces along each axis
   * @param direction {@code top-down} or {@code bottom-up}: which piece is first
   */
  public record Run(List<String> ops, List<String> axes, List<Integer> pieces, String direction) {
    /** Copies the lists. */
    public Run {
      ops = List.copyOf(ops);
      axes = List.copyOf(axes);
      pieces = List.copyOf(pieces);
    }
  }

  /** Copies the lists. */
  public FitPlan {
    origins = List.copyOf(origins);
    runs = List.copyOf(runs);
  }

  /** The placement as it is now. */
  public Plan plan() {
    return Plan.of(placement);
  }

  /** The highest address in use, in bytes. */
  public long peak() {
    return plan().peak();
  }

  /** The largest sum of live bytes at a step. */
  public long load() {
    return LoadProfile.of(placement.problem()).maxLoad();
  }

  /** Whether this plan is to be preferred to another of no lower price. */
  boolean isBetterThan(FitPlan other) {
    if (other == null) {
      return true;
    }
    long[] own = {extra, peak(), extraBytes, planned.order().length};
    long[] others = {other.extra, other.peak(), other.extraBytes, other.planned.order().length};
    for (int k = 0; k < own.length; k++) {
      if (own[k] != others[k]) {
        return own[k] < others[k];
      }
    }
    return false;
  }
}
