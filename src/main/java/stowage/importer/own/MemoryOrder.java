package stowage.importer.own;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Memory;

/**
 * Puts memories in the order that the buffers' preferences suggest, for files that name memories in
 * their rows alone: one that some row prefers to another is before it; else the one named first
 * does. Where preferences contradict each other, the order of naming decides.
 *
 * <p>Example: rows {@code dram} and {@code sram dram} give sram, dram.
 */
final class MemoryOrder {
  private static final int MOST = 63;

  private final Map<String, Integer> indices = new LinkedHashMap<>();
  private final long[] before = new long[MOST]; // bit a of before[b]: a is preferred to b somewhere

  /** Takes in one row's names, most wanted first; false when there are too many memories. */
  boolean add(List<String> names) {
    long earlier = 0;
    for (String name : names) {
      Integer index = indices.get(name);
      if (index == null) {
        if (indices.size() == MOST) {
          return false;
        }
        index = indices.size();
        indices.put(name, index);
      }
      before[index] |= earlier;
      earlier |= 1L << index;
    }
    return true;
  }

  /** The memories, unbounded; {@code main} alone when none was named. */
  List<Memory> memories() {
    if (indices.isEmpty()) {
      return List.of(Memory.main());
    }
    List<String> names = new ArrayList<>(indices.keySet());
    List<Memory> ordered = new ArrayList<>();
    long left = (1L << names.size()) - 1;
    while (left != 0) {
      int next = Long.numberOfTrailingZeros(left);
      for (int m = 0; m < names.size(); m++) {
        if ((left >> m & 1) != 0 && (before[m] & left) == 0) {
          next = m;
          break;
        }
      }
      left &= ~(1L << next);
      ordered.add(new Memory(names.get(next), Memory.UNBOUNDED, 1, 0, 0));
    }
    return ordered;
  }
}
