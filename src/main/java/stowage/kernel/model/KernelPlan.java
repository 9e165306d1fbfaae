package stowage.kernel.model;

/**
 * A schedule of a kernel graph with addresses and spills. Buffers are positions in the graph's list
 * of buffers. The k-th spill (from 0) of a graph with N nodes has the nodes N + 2k, which moves the
 * buffer out, and N + 2k + 1, which moves it back in.
 *
 * @param schedule node ids in order, spills included
 * @param offsets where each buffer begins in its cache before its first spill; null for an order
 *     without addresses
 * @param spilled the buffer of each spill
 * @param spillOffsets where the buffer begins after the spill
 */
public record KernelPlan(int[] schedule, long[] offsets, int[] spilled, long[] spillOffsets) {

  /** An order without addresses, as the least residency needs it. */
  public static KernelPlan orderOnly(int[] schedule) {
    return new KernelPlan(schedule, null, new int[0], new long[0]);
  }

  /** How often a buffer leaves its cache. */
  public int spills() {
    return spilled.length;
  }
}
