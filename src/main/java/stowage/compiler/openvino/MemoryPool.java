package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * The pool of one network: gives out allocations again that none of the requester's restrictions
 * forbids.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/runtime/memory_pool.cpp, for
 * layouts without padding in plain formats, of which only the bytes matter. Records are by the
 * bytes of their first request. From the bytes wanted upwards, of equal ones the older first, the
 * first record of the same type whose users are all outside the request's restrictions is taken. It
 * keeps its key and never grows; a tiny request may take a huge record.
 *
 * <p>The waste threshold of one half holds for dynamic shapes alone, which do not occur here. A
 * conflict is looked for in the requester's set, one way.
 *
 * <p>O(records · users) a request.
 */
public final class MemoryPool {
  /**
   * One allocation of the pool: its type, its number in the order of making, and the nodes that use
   * it, to which more are added.
   */
  public record Entry(AllocationType type, int number, BitSet users) {}

  private final TreeMap<Long, List<Entry>> entries = new TreeMap<>();
  private int size;

  /** An allocation for a request of some nodes, there or new, not shared with the restrictions. */
  public Entry get(long bytes, AllocationType type, BitSet users, BitSet restrictions) {
    Entry found = find(bytes, type, restrictions);
    if (found == null) {
      found = new Entry(type, size++, new BitSet());
      entries.computeIfAbsent(bytes, first -> new ArrayList<>()).add(found);
    }
    found.users.or(users);
    return found;
  }

  private Entry find(long bytes, AllocationType type, BitSet restrictions) {
    for (List<Entry> ofSize : entries.tailMap(bytes, true).values()) {
      for (Entry entry : ofSize) {
        if (entry.type == type && !entry.users.intersects(restrictions)) {
          return entry;
        }
      }
    }
    return null;
  }

  int size() {
    return size;
  }
}
