package stowage.report.group;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import stowage.importer.io.UniqueNames;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Slice;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.search.GroupPlan;
import stowage.onchip.slice.GroupModel;
import stowage.report.format.Table;

/** The tables of one group: its buffers in LMEM, its steps, its slices. */
public final class GroupCsv {
  private GroupCsv() {}

  /**
   * {@code id,kind,start,end,size,alignment,offset,shares}: bytes a lane, steps half-open; a live
   * range with start &gt;= end goes around the end of the table.
   */
  public static String lmem(GroupPlan plan) {
    Table table = new Table().texts("id", "kind");
    table.figures("start", "end", "size", "alignment", "offset").texts("shares");
    LmemProblem problem = plan.problem();
    LmemPlacement placement = plan.placement();
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      int shares = placement.shares(b);
      table.cells(buffer.id(), buffer.kind().name().toLowerCase(Locale.ROOT));
      table.cells(buffer.start(), buffer.end(), buffer.size(), problem.chip().vectorBytes());
      table.cells(placement.offset(b));
      table.cells(shares == LmemPlacement.OWN ? "" : problem.buffer(shares).id());
    }
    return table.csv();
  }

  /**
   * {@code step,kind,op,reads,writes}: ids separated by blanks; a load's writes and a store's reads
   * name the buffer in LMEM.
   */
  public static String steps(GroupPlan plan) {
    Table table = new Table().figures("step").texts("kind", "op", "reads", "writes");
    LmemProblem problem = plan.problem();
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      for (LmemProblem.Compute compute : step.computes()) {
        String reads = ids(problem, compute.reads());
        table.row(s, "compute", plain(compute.op()), reads, ids(problem, compute.writes()));
      }
      for (LmemProblem.Move load : step.loads()) {
        String id = problem.buffer(load.buffer()).id();
        table.row(s, "load", "load." + id, plain(load.tensor()), id);
      }
      for (LmemProblem.Move store : step.stores()) {
        String id = problem.buffer(store.buffer()).id();
        table.row(s, "store", "store." + id, id, plain(store.tensor()));
      }
    }
    return table.csv();
  }

  /** {@code tensor,dim,slice,begin,size}: every slice of every activation along every axis. */
  public static String slices(GroupPlan plan) {
    Table table = new Table().texts("tensor", "dim").figures("slice", "begin", "size");
    GroupModel group = plan.group();
    UniqueNames ids = new UniqueNames();
    for (int t = 0; t < group.tensorCount(); t++) {
      String id = ids.of(plain(group.graph().tensor(group.tensor(t)).name()));
      for (Axis axis : Axis.values()) {
        List<Slice> slices = plan.sliced().slices(t, axis);
        for (int k = 0; k < slices.size(); k++) {
          table.row(id, axis.label(), k, slices.get(k).begin(), slices.get(k).size());
        }
      }
    }
    return table.csv();
  }

  private static String ids(LmemProblem problem, List<Integer> buffers) {
    return buffers.stream().map(b -> problem.buffer(b).id()).collect(Collectors.joining(" "));
  }

  private static String plain(String name) {
    return name.replaceAll("[\\s,\"]+", "_");
  }
}
