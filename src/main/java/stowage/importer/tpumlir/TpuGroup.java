package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.network.CompiledNetwork.Part;

/**
 * A layer group: ops that run together in LMEM, slice after slice.
 *
 * @param op the group as one op: what it reads from GMEM and writes there
 * @param body its loads, computing ops and stores in the file's order; a store's output is one of
 *     the group's outputs
 * @param rows the {@linkplain GroupOp#id ids} of the ops of each time step: computing ones first,
 *     then loads and stores
 */
public record TpuGroup(TpuOp op, List<GroupOp> body, List<List<Integer>> rows) {
  static final List<String> AXES = List.of("n", "c", "d", "h", "w");

  /**
   * An op of a group: how it was sliced and where its result is in LMEM, as TPU-MLIR writes it in
   * {@code ginfo = #tpu.lg<..>} (sophgo/tpu-mlir, include/tpu_mlir/Dialect/Tpu/IR/TpuOps.td).
   * Addresses and sizes are bytes of one lane; what the file does not say is 0.
   *
   * @param op a {@code tpu.Load}, a {@code tpu.Store} or a computing op
   * @param ginfo the fields as they are in the file
   */
  public record GroupOp(TpuOp op, Map<?, ?> ginfo) {
    /** Whether it brings a tensor from GMEM. */
    public boolean isLoad() {
      return op.kind().equals("Load");
    }

    /** Whether it takes a tensor to GMEM. */
    public boolean isStore() {
      return op.kind().equals("Store");
    }

    /** A field such as {@code out_addr}, {@code buffer_size} or {@code stage}. */
    public long field(String key) {
      return ginfo.get(key) instanceof Long value ? value : 0;
    }

    /** The op's number in its group's flow. */
    public int id() {
      return (int) field("id");
    }

    /** The slices by axis; axes of which the file says nothing are absent. */
    public Map<String, List<Part>> slices() {
      Map<String, List<Part>> slices = new LinkedHashMap<>();
      for (String axis : AXES) {
        List<Long> starts = integers(ginfo.get(axis + "_idx"));
        List<Long> lengths = integers(ginfo.get(axis + "_slice"));
        if (!starts.isEmpty() && starts.size() == lengths.size()) {
          IntFunction<Part> part = k -> new Part(starts.get(k), lengths.get(k));
          slices.put(axis, IntStream.range(0, starts.size()).mapToObj(part).toList());
        }
      }
      return slices;
    }
  }

  /** A group whose attribute {@code flow} says its steps: a negative entry begins one. */
  static TpuGroup of(TpuOp op, List<GroupOp> body) {
    List<List<Integer>> rows = new ArrayList<>();
    for (long entry : integers(op.attributes().get("flow"))) {
      if (entry < 0) {
        rows.add(new ArrayList<>());
      } else if (!rows.isEmpty()) {
        rows.get(rows.size() - 1).add((int) entry);
      }
    }
    rows.replaceAll(List::copyOf);
    return new TpuGroup(op, body, rows);
  }

  /** Into how many slices an axis of {@link #AXES} is cut. */
  public int slices(String axis) {
    return (int) op.integer(axis + "secs", 1);
  }

  /** Stages of the software pipeline: 3, or 1 where slices do not overlap in time. */
  public int pipelineStages() {
    return (int) op.integer("swpipl_stage_num", 1);
  }

  /** A list of integers; empty when the value is absent or of something else. */
  private static List<Long> integers(Object value) {
    boolean integers =
        value instanceof List<?> list && list.stream().allMatch(Long.class::isInstance);
    return integers ? ((List<?>) value).stream().map(Long.class::cast).toList() : List.of();
  }
}
