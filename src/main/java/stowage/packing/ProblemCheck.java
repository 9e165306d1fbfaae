package stowage.packing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The check of a problem as a whole: names that are used once, memories that admit their buffers,
 * and sums that stay within a {@code long}.
 */
final class ProblemCheck {
  private final List<Buffer> buffers;
  private final List<Memory> memories;

  ProblemCheck(List<Buffer> buffers, List<Memory> memories) {
    this.buffers = buffers;
    this.memories = memories;
  }

  /** The memories that each buffer may be in, as bit sets, once all is checked. O(n). */
  long[] allowed(Relations relations) {
    checkMemories();
    indices(buffers);
    long[] allowed = allowedMemories();
    checkGroups(allowed, relations);
    return allowed;
  }

  private void checkMemories() {
    if (memories.isEmpty() || memories.size() > 63) {
      throw new InvalidProblemException(
          "a problem has " + memories.size() + " memories; it should have 1 to 63");
    }
    Map<String, Memory> seen = new HashMap<>();
    for (Memory memory : memories) {
      if (seen.put(memory.name(), memory) != null) {
        throw new InvalidProblemException("memory \"" + memory.name() + "\" is defined twice");
      }
    }
  }

  static Map<String, Integer> indices(List<Buffer> buffers) {
    Map<String, Integer> indices = new HashMap<>(buffers.size() * 4 / 3 + 1);
    for (int i = 0; i < buffers.size(); i++) {
      Integer earlier = indices.putIfAbsent(buffers.get(i).id(), i);
      if (earlier != null) {
        throw new InvalidProblemException(
            "buffer id \"%s\" is defined twice, as buffers %s and %s"
                .formatted(buffers.get(i).id(), earlier, i));
      }
    }
    return indices;
  }

  private void checkGroups(long[] allowed, Relations relations) {
    if (relations.together().isEmpty()) {
      return;
    }
    int[] leader = relations.groups(buffers.size()).leader();
    long[] common = new long[leader.length];
    for (int i = 0; i < leader.length; i++) {
      common[leader[i]] = leader[i] == i ? allowed[i] : common[leader[i]] & allowed[i];
      if (common[leader[i]] == 0) {
        throw new InvalidProblemException(
            ("together: buffer \"%s\" has no memory in common with those it must be placed"
                    + " together with")
                .formatted(buffers.get(i).id()));
      }
    }
  }

  private long[] allowedMemories() {
    long all = (1L << memories.size()) - 1;
    long[] masks = new long[buffers.size()];
    long sum = 0;
    for (int i = 0; i < masks.length; i++) {
      Buffer buffer = buffers.get(i);
      long mask = buffer.memories().isEmpty() ? all : 0;
      for (String wanted : buffer.memories()) {
        mask |= 1L << indexOfMemory(buffer, wanted);
      }
      mask &= ~tooSmallBanks(buffer, mask);
      masks[i] = mask;
      long alignment = largestAlignment(buffer, mask);
      boolean small =
          buffer.size() <= PackingProblem.LARGEST_SUM && alignment <= PackingProblem.LARGEST_SUM;
      if (!small || (sum += buffer.size() + alignment) > PackingProblem.LARGEST_SUM) {
        throw new InvalidProblemException(
            ("buffer \"%s\": size %s with alignment %s takes the sum of all sizes "
                    + "and alignments beyond %s bytes")
                .formatted(buffer.id(), buffer.size(), alignment, PackingProblem.LARGEST_SUM));
      }
    }
    return masks;
  }

  /** The memories whose banks a buffer within one bank is too large for: it is in another one. */
  private long tooSmallBanks(Buffer buffer, long mask) {
    long small = 0;
    long largest = 0;
    for (int m = 0; m < memories.size() && buffer.withinBank(); m++) {
      long bank = memories.get(m).bankSize();
      if ((mask >> m & 1) != 0 && bank > 0 && buffer.size() > bank) {
        small |= 1L << m;
        largest = Math.max(largest, bank);
      }
    }
    if (small != 0 && small == mask) {
      throw new InvalidProblemException(
          ("buffer \"%s\": size %s should be at most the bank size %s, since it "
                  + "must not cross a bank border")
              .formatted(buffer.id(), buffer.size(), largest));
    }
    return small;
  }

  private int indexOfMemory(Buffer buffer, String wanted) {
    int index = Memory.indexOf(memories, wanted);
    if (index < 0) {
      throw new InvalidProblemException(
          "buffer \"%s\": memory \"%s\" should be one of %s"
              .formatted(buffer.id(), wanted, memories.stream().map(Memory::name).toList()));
    }
    return index;
  }

  /** The largest of a buffer's alignments in the memories it may be in, which are checked. */
  private long largestAlignment(Buffer buffer, long mask) {
    if (memories.size() == 1
        && memories.get(0).base() == 0
        && memories.get(0).alignment() == 1
        && !buffer.withinBank()) {
      return buffer.alignment(); // nothing below can fail, and a million buffers pass here
    }
    long largest = buffer.alignment();
    for (int m = 0; m < memories.size(); m++) {
      if ((mask >> m & 1) == 0) {
        continue;
      }
      Memory memory = memories.get(m);
      if (memory.base() % buffer.alignment() != 0) {
        throw new InvalidProblemException(
            ("buffer \"%s\": alignment %s should divide the base %s of memory " + "\"%s\"")
                .formatted(buffer.id(), buffer.alignment(), memory.base(), memory.name()));
      }
      largest = Math.max(largest, checkedAlignment(buffer, memory));
    }
    return largest;
  }

  /** The least common multiple of a buffer's and a memory's alignment, if a long can hold it. */
  private static long checkedAlignment(Buffer buffer, Memory memory) {
    long factor = buffer.alignment() / Rounding.gcd(buffer.alignment(), memory.alignment());
    if (factor > PackingProblem.LARGEST_SUM / memory.alignment()) {
      String of = "%s and alignment %s of memory \"%s\"";
      of = of.formatted(buffer.alignment(), memory.alignment(), memory.name());
      throw new InvalidProblemException(
          "buffer \"%s\": alignment %s have no common multiple up to %s"
              .formatted(buffer.id(), of, PackingProblem.LARGEST_SUM));
    }
    return factor * memory.alignment();
  }
}
