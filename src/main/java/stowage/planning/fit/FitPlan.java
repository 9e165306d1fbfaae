package stowage.planning.fit;

import java.util.List;
import stowage.liveness.PlanningCase;
import stowage.network.Op;
import stowage.packing.Incumbent;
import stowage.packing.LoadProfile;
import stowage.packing.Plan;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;

/**
 * A network that does the work of the given one, with an order and a verified placement.
 *
 * @param rewriting what runs: the given network in an order, or one rewritten
 * @param planned the buffers that were placed; its order is that of the rewritten network's ops
 * @param placement the placement and its bound
 * @param extra compute added to the given network's
 * @param extraBytes bytes that added ops move
 * @param persistentExtra bytes that a run-time is estimated to keep for added ops
 * @param runs the ops that are executed piece by piece
 */
public record FitPlan(
    Rewriting rewriting,
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
   * @param split how they are cut, by their places in the order that was rewritten
   */
  public record Run(List<String> ops, RunSplit split) {
    /** Copies the list. */
    public Run {
      ops = List.copyOf(ops);
    }

    /** What they are cut along: rows, columns, tokens or batch. */
    public List<String> axes() {
      return split.axes().stream().map(cut -> cut.axis().label()).toList();
    }

    /** The number of pieces along each axis. */
    public List<Integer> pieces() {
      return split.axes().stream().map(AxisSplit::pieces).toList();
    }
  }

  /** Copies the lists. */
  public FitPlan {
    runs = List.copyOf(runs);
  }

  /**
   * In which direction the pieces of a run's first op run: {@code top-down} or {@code bottom-up}.
   * Where pieces take turns it may be another than that in which the run is cut.
   */
  public String direction(Run run) {
    List<Op> given = rewriting.given().ops();
    List<OpOrigin> pieces =
        rewriting.ops().stream()
            .filter(op -> op.kind() == OpOrigin.Kind.PIECE)
            .filter(op -> given.get(op.op()).name().equals(run.ops().get(0)))
            .toList();
    return FitOrigins.direction(pieces, run.split().topDown());
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

  /** A plan of a rewriting that was placed; the bytes kept follow from the request. */
  static FitPlan of(
      FitRequest request,
      Rewriting rewriting,
      PlanningCase planned,
      Incumbent placement,
      List<Run> runs) {
    return new FitPlan(
        rewriting,
        planned,
        placement,
        FitCompute.extra(rewriting),
        FitCompute.moved(rewriting, planned),
        request.kept(rewriting),
        runs);
  }

  /** The same, with the runs that the network was cut by before. */
  FitPlan withRuns(List<Run> cut) {
    return new FitPlan(rewriting, planned, placement, extra, extraBytes, persistentExtra, cut);
  }

  List<RunSplit> splits() {
    return runs.stream().map(Run::split).toList();
  }

  /** Extra compute, bytes moved and ops: what plans are compared by, in this order. */
  long[] price() {
    return new long[] {extra, extraBytes, rewriting.network().ops().size()};
  }
}
