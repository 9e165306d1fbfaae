package stowage.packing;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A named address space that buffers are in.
 *
 * <p>Offsets count from {@code base}; alignments hold for addresses, that is base + offset, and a
 * base must be a multiple of every alignment used in it, so that both readings agree.
 *
 * @param name the memory's name; {@code main} in problems that have only one
 * @param capacity bytes that can be used, or {@link #UNBOUNDED}
 * @param alignment every offset in this memory is a multiple of it; 1 when free
 * @param base address of offset 0
 * @param bankSize bytes of one bank, or 0 when the memory has no banks; borders are at the offsets
 *     that are its multiples, whatever the base
 * @param reserved ranges of offsets that no buffer may touch, in order and disjoint
 */
public record Memory(
    String name,
    long capacity,
    long alignment,
    long base,
    long bankSize,
    List<ReservedRange> reserved) {

  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** The name of the only memory of most problems. */
  public static final String MAIN = "main";

  /** Checks signs and that the base is aligned. */
  public Memory {
    if (name == null || name.isBlank()) {
      throw new InvalidProblemException("a memory needs a name");
    }
    require(capacity >= 0, name, "capacity", capacity, "0 or more");
    require(alignment >= 1, name, "alignment", alignment, "1 or more");
    require(base >= 0, name, "base", base, "0 or more");
    require(base % alignment == 0, name, "base", base, "a multiple of the alignment " + alignment);
    require(bankSize >= 0, name, "bankSize", bankSize, "0 (no banks) or more");
    reserved = ReservedRange.joined(reserved);
  }

  /** A memory without reserved ranges. */
  public Memory(String name, long capacity, long alignment, long base, long bankSize) {
    this(name, capacity, alignment, base, bankSize, List.of());
  }

  private static void require(boolean holds, String name, String field, long value, String right) {
    if (!holds) {
      throw new InvalidProblemException(
          "memory \"" + name + "\": " + field + " " + value + " should be " + right);
    }
  }

  /** {@return the memory {@code main}, unbounded, without alignment or banks} */
  public static Memory main() {
    return new Memory(MAIN, UNBOUNDED, 1, 0, 0);
  }

  /** {@return the index of the memory of a name, or -1} O(memories). */
  public static int indexOf(List<Memory> memories, String name) {
    return IntStream.range(0, memories.size())
        .filter(m -> memories.get(m).name().equals(name))
        .findFirst()
        .orElse(-1);
  }

  /** {@return the same memory with another capacity} */
  public Memory withCapacity(long bytes) {
    return new Memory(name, bytes, alignment, base, bankSize, reserved);
  }

  /** {@return the same memory with another alignment} */
  public Memory withAlignment(long bytes) {
    return new Memory(name, capacity, bytes, base, bankSize, reserved);
  }

  /** {@return the same memory with banks of the given size, 0 for none} */
  public Memory withBankSize(long bytes) {
    return new Memory(name, capacity, alignment, base, bytes, reserved);
  }

  /** {@return the same memory with other reserved ranges} */
  public Memory withReserved(List<ReservedRange> ranges) {
    return new Memory(name, capacity, alignment, base, bankSize, ranges);
  }

  /** {@return whether the capacity is a real limit} */
  public boolean isBounded() {
    return capacity != UNBOUNDED;
  }
}
