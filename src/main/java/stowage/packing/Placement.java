package stowage.packing;

import java.util.Arrays;

/**
 * An offset, and a memory, for every buffer of a problem. Immutable; says nothing of validity,
 * which is the {@link Verifier}'s business.
 */
public final class Placement {
  private final long[] offsets;
  private final int[] memories;

  private Placement(long[] offsets, int[] memories) {
    this.offsets = offsets;
    this.memories = memories;
  }

  /** {@return a placement in memory 0; the array is copied} */
  public static Placement of(long[] offsets) {
    return new Placement(offsets.clone(), null);
  }

  /** {@return a placement over several memories; the arrays are copied} */
  public static Placement of(long[] offsets, int[] memories) {
    if (memories.length != offsets.length) {
      throw new IllegalArgumentException(
          offsets.length + " offsets, but " + memories.length + " memories");
    }
    boolean first = Arrays.stream(memories).allMatch(memory -> memory == 0);
    return new Placement(offsets.clone(), first ? null : memories.clone());
  }

  /** {@return the places of some buffers, in a given order; a buffer may come more than once} */
  public Placement select(int[] order) {
    long[] chosen = new long[order.length];
    int[] homes = new int[order.length];
    for (int k = 0; k < order.length; k++) {
      chosen[k] = offset(order[k]);
      homes[k] = memory(order[k]);
    }
    return of(chosen, homes);
  }

  /** {@return the number of buffers} */
  public int size() {
    return offsets.length;
  }

  /** {@return the offset of a buffer in its memory, in bytes} */
  public long offset(int buffer) {
    return offsets[buffer];
  }

  /** {@return the index of the memory a buffer is in} */
  public int memory(int buffer) {
    return memories == null ? 0 : memories[buffer];
  }

  /** {@return a copy of all offsets} */
  public long[] offsets() {
    return offsets.clone();
  }

  /** {@return a copy of all memory indices} */
  public int[] memories() {
    return memories == null ? new int[offsets.length] : memories.clone();
  }

  /** {@return the highest end of a buffer that needs memory, in one memory of the problem} O(n). */
  public long peak(PackingProblem problem, int memory) {
    long peak = 0;
    for (int i = 0; i < offsets.length; i++) {
      Buffer buffer = problem.buffer(i);
      if (memory(i) == memory && buffer.needsMemory()) {
        peak = Math.max(peak, offsets[i] + buffer.size());
      }
    }
    return peak;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Placement that
        && Arrays.equals(offsets, that.offsets)
        && Arrays.equals(memories, that.memories);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(memories);
  }
}
