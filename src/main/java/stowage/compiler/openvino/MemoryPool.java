package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * The pool of one network: gives out allocations again that none of the requester's restrictions
 * forbids.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/runtime/memory_pool.cpp.
 *
 * <p>Records are by the bytes of their first request. From the bytes wanted upwards, of equal ones
 * the older first, the first record of the same type whose users are all outside the request's
 * restrictions is taken. It keeps its key and never grows; a tiny request may take a huge record. A
 * conflict is looked for in the requester's set, one way.
 *
 * <p>What the plugin pools in another way does not occur here: layouts with padding, blocked
 * formats and images, and dynamic shapes, for which alone no more than half of a record is wasted.
 *
 * <p>O(records · users) a request.
 */
public final class MemoryPool {
  /**
   * One allocation of the pool: where it is, its number in the order of making, and the nodes that
   * use it, to which more are added.
   */
  public record Entry(AllocationType type, int number, BitSet users) {}

  private final TreeMap<Long, List<Entry>> records = new TreeMap<>();
  private final List<Entry> entries = new ArrayList<>();

  /** An allocation for a request of some nodes, there or new, not shared with the restrictions. */
  public Entry get(long bytes, AllocationType type, BitSet users, BitSet restrictions) {
    Entry found =
        records.tailMap(bytes, true).values().stream()
            .flatMap(List::stream)
            .filter(entry -> entry.type == type && !entry.users.intersects(restrictions))
            .findFirst()
            .orElse(null);
    if (found == null) {
      found = new Entry(type, entries.size(), new BitSet());
      entries.add(found);
      records.computeIfAbsent(bytes, absent -> new ArrayList<>()).add(found);
    }
    found.users.or(users);
    return found;
  }

  int size() {
    return entries.size();
  }

  /** All allocations, in the order of making. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }
}
