package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How one op of a layer group was sliced and where its result is in LMEM: what TPU-MLIR writes as
 * {@code ginfo = #tpu.lg<..>} (sophgo/tpu-mlir, include/tpu_mlir/Dialect/Tpu/IR/TpuOps.td).
 *
 * <p>Addresses and sizes are bytes of one lane. For each axis there are two lists, one entry a
 * slice: where the slice starts in the whole tensor, and how long it is. Files of 2022 know no c, d
 * and w slices; their lists are empty then.
 *
 * @param outAddress where the result is
 * @param outSize its size
 * @param bufferAddress where the op's scratch memory is
 * @param bufferSize its size, 0 when it needs none
 * @param aligned whether lanes' rows are rounded up to the vector size (EU bytes)
 * @param id the op's number in its group's flow
 * @param stage of the software pipeline: 0 loads, 1 computes, 2 stores
 * @param sliceIndex which slice it handles where slices are unrolled
 * @param groupType 0 normal, 1 3D, 2 small c, 3 int4 matrix, 4 matrix, 5 unrolled
 */
public record LayerInfo(
    long outAddress,
    long outSize,
    long bufferAddress,
    long bufferSize,
    boolean aligned,
    List<Long> nStarts,
    List<Long> nLengths,
    List<Long> cStarts,
    List<Long> cLengths,
    List<Long> dStarts,
    List<Long> dLengths,
    List<Long> hStarts,
    List<Long> hLengths,
    List<Long> wStarts,
    List<Long> wLengths,
    int id,
    int stage,
    int sliceIndex,
    int groupType) {

  /** Reads the value of a {@code ginfo} attribute. */
  static LayerInfo of(Map<?, ?> ginfo) {
    return new LayerInfo(
        integer(ginfo, "out_addr"),
        integer(ginfo, "out_size"),
        integer(ginfo, "buffer_addr"),
        integer(ginfo, "buffer_size"),
        Boolean.TRUE.equals(ginfo.get("eu_align")),
        integers(ginfo, "n_idx"),
        integers(ginfo, "n_slice"),
        integers(ginfo, "c_idx"),
        integers(ginfo, "c_slice"),
        integers(ginfo, "d_idx"),
        integers(ginfo, "d_slice"),
        integers(ginfo, "h_idx"),
        integers(ginfo, "h_slice"),
        integers(ginfo, "w_idx"),
        integers(ginfo, "w_slice"),
        (int) integer(ginfo, "id"),
        (int) integer(ginfo, "stage"),
        (int) integer(ginfo, "slice_idx"),
        (int) integer(ginfo, "group_type"));
  }

  private static long integer(Map<?, ?> ginfo, String key) {
    return ginfo.get(key) instanceof Long value ? value : 0;
  }

  /** A list of integers under a key; empty when absent or of something else. */
  static List<Long> integers(Map<?, ?> attributes, String key) {
    List<Long> integers = new ArrayList<>();
    if (attributes.get(key) instanceof List<?> list) {
      for (Object element : list) {
        if (!(element instanceof Long value)) {
          return List.of();
        }
        integers.add(value);
      }
    }
    return List.copyOf(integers);
  }
}
