package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.List;

/**
 * A layer group: ops that run together in LMEM, slice after slice.
 *
 * @param op the group as one op: what it reads from GMEM and writes there
 * @param body its loads, computing ops and stores in the file's order; a store's output is one of
 *     the group's outputs
 * @param rows the ids ({@link LayerInfo#id}) of the ops of each time step: computing ones first,
 *     then loads and stores
 */
public record TpuGroup(TpuOp op, List<GroupOp> body, List<List<Integer>> rows) {

  /**
   * An op of a group.
   *
   * @param op a {@code tpu.Load}, a {@code tpu.Store} or a computing op
   * @param info its slices and its place in LMEM
   */
  public record GroupOp(TpuOp op, LayerInfo info) {
    /** Whether it brings a tensor from GMEM. */
    public boolean isLoad() {
      return op.kind().equals("Load");
    }

    /** Whether it takes a tensor to GMEM. */
    public boolean isStore() {
      return op.kind().equals("Store");
    }
  }

  /** Copies the lists. */
  public TpuGroup {
    body = List.copyOf(body);
    rows = List.copyOf(rows);
  }

  /**
   * Into how many slices an axis ({@code n}, {@code c}, {@code d}, {@code h}, {@code w}) is cut.
   */
  public int slices(char axis) {
    return (int) op.integer(axis + "secs", 1);
  }

  /** The group's type, as {@link LayerInfo#groupType}. */
  public int type() {
    return (int) op.integer("group_type", 0);
  }

  /** Stages of the software pipeline: 3, or 1 where slices do not overlap in time. */
  public int pipelineStages() {
    return (int) op.integer("swpipl_stage_num", 1);
  }

  /** Splits a {@code flow} attribute: a negative entry starts a time step, others are ids. */
  static List<List<Integer>> rows(List<Long> flow) {
    List<List<Integer>> rows = new ArrayList<>();
    for (long entry : flow) {
      if (entry < 0) {
        rows.add(new ArrayList<>());
      } else if (!rows.isEmpty()) {
        rows.get(rows.size() - 1).add((int) entry);
      }
    }
    rows.replaceAll(List::copyOf);
    return rows;
  }
}
