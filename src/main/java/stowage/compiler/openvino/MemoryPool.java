package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The pool of one network: gives out allocations again that none of the requester's restrictions
 * forbids.
 *
 * <p>Source: openvinotoolkit/openvino, src/plugins/intel_gpu/src/runtime/memory_pool.cpp.
 *
 * <ul>
 *   <li><em>Without padding</em>: records are by the bytes of their first request. From the bytes
 *       wanted upwards, of equal ones the older first, the first record of the same type whose
 *       users are all outside the request's restrictions is taken. It keeps its key and never
 *       grows; a tiny request may take a huge record.
 *   <li><em>With padding</em>: records are by format, element type, the spatial extents and the
 *       padding; in order of their making the first is taken whose batch and feature counts are at
 *       least those wanted, of the same type, without conflict.
 *   <li>Blocked formats: a record or request in fs_b_yx_fsv32 is never shared; a request in
 *       b_fs_yx_fsv32 or b_fs_zyx_fsv32 only if its features are a multiple of 32.
 * </ul>
 *
 * Images are never reused. The waste threshold of one half holds for dynamic shapes alone, which do
 * not occur here. A conflict is looked for in the requester's set, one way.
 *
 * <p>O(records · users) a request.
 */
public final class MemoryPool {
  /**
   * What is asked for: the format, such as {@code bfyx}, the element type, such as {@code f16}, the
   * innermost spatial extent, the next one, and the padding as text, empty for none.
   */
  public record Layout(
      long bytes,
      String format,
      String elementType,
      long batch,
      long feature,
      long spatial0,
      long spatial1,
      String padding) {

    /** A layout without padding in the plain format, of which only the bytes matter. */
    public static Layout ofBytes(long bytes) {
      return new Layout(bytes, "bfyx", "u8", 1, bytes, 1, 1, "");
    }

    /** What records with padding have in common that may be given for each other. */
    private Layout shared() {
      return new Layout(0, format, elementType, 0, 0, spatial0, spatial1, padding);
    }

    private boolean fitsBlocks() {
      return switch (format) {
        case "fs_b_yx_fsv32" -> false;
        case "b_fs_yx_fsv32", "b_fs_zyx_fsv32" -> feature % 32 == 0;
        default -> true;
      };
    }
  }

  /**
   * One allocation of the pool: what it was made for, where it is, its number in the order of
   * making over both kinds, and the nodes that use it, to which more are added.
   */
  public record Entry(Layout layout, AllocationType type, int number, BitSet users) {}

  private final TreeMap<Long, List<Entry>> plain = new TreeMap<>();
  private final Map<Layout, List<Entry>> padded = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();

  /** An allocation for a request of some nodes, there or new, not shared with the restrictions. */
  public Entry get(Layout wanted, AllocationType type, BitSet users, BitSet restrictions) {
    Entry found =
        candidates(wanted)
            .filter(entry -> admits(entry, wanted, type, restrictions))
            .findFirst()
            .orElse(null);
    if (found == null) {
      found = new Entry(wanted, type, entries.size(), new BitSet());
      entries.add(found);
      if (wanted.padding().isEmpty()) {
        plain.computeIfAbsent(wanted.bytes(), bytes -> new ArrayList<>()).add(found);
      } else {
        padded.computeIfAbsent(wanted.shared(), key -> new ArrayList<>()).add(found);
      }
    }
    found.users.or(users);
    return found;
  }

  /** The records that are large enough, in the order in which they are looked at. */
  private Stream<Entry> candidates(Layout wanted) {
    return wanted.padding().isEmpty()
        ? plain.tailMap(wanted.bytes(), true).values().stream().flatMap(List::stream)
        : padded.getOrDefault(wanted.shared(), List.of()).stream()
            .filter(entry -> wanted.feature() <= entry.layout.feature())
            .filter(entry -> wanted.batch() <= entry.layout.batch());
  }

  private static boolean admits(
      Entry entry, Layout wanted, AllocationType type, BitSet restrictions) {
    return entry.type == type
        && !entry.layout.format().equals("fs_b_yx_fsv32")
        && wanted.fitsBlocks()
        && !entry.users.intersects(restrictions);
  }

  int size() {
    return entries.size();
  }

  /** All allocations, in the order of making. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }
}
