package stowage.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Builder of a {@link PackingProblem} that names buffers by handles: the numbers 0, 1, 2, ... in
 * the order in which they are added. A handle is the buffer's index in the problem, and {@link
 * Plan#offset(int)} answers for it.
 *
 * <p>Every call checks its arguments and throws {@link InvalidProblemException}, an {@link
 * IllegalArgumentException}, with one line that names the buffer, the value and what would be
 * right; it returns the builder where it has nothing else to return. A buffer added without an id
 * is named by its handle, such as {@code "b3"}.
 *
 * <p>Not thread-safe; the problem it builds is immutable.
 */
public final class ProblemBuilder {
  private final String name;
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();
  private final List<int[]> conflicts = new ArrayList<>();
  private final List<int[]> exclusive = new ArrayList<>();
  private final List<int[]> otherBanks = new ArrayList<>();
  private final List<Relations.Reuse> reuse = new ArrayList<>();
  private final List<Relations.Together> together = new ArrayList<>();

  ProblemBuilder(String name) {
    if (name == null) {
      throw new InvalidProblemException("a problem needs a name");
    }
    this.name = name;
  }

  /**
   * Adds a buffer and returns its handle.
   *
   * @param size bytes, 0 or more
   * @param lower the first step at which it is alive
   * @param upper the first step after its live range, not below {@code lower}
   */
  public int buffer(long size, int lower, int upper) {
    return buffer("b" + buffers.size(), size, lower, upper);
  }

  /** As {@link #buffer(long, int, int)}, with an id of its own, unique in the problem. */
  public int buffer(String id, long size, int lower, int upper) {
    if (upper < lower) {
      throw new InvalidProblemException(
          "buffer \"" + id + "\": upper " + upper + " should be " + lower + ", the lower, or more");
    }
    buffers.add(new Buffer(id, size, lower, upper));
    return buffers.size() - 1;
  }

  /**
   * Adds many buffers; the k-th has the k-th entry of each array.
   *
   * @param sizes bytes, each 0 or more
   * @param uppers first steps after the live ranges
   * @return the handle of the first; the others follow
   */
  public int buffers(long[] sizes, int[] lowers, int[] uppers) {
    if (lowers.length != sizes.length || uppers.length != sizes.length) {
      throw new InvalidProblemException(
          "%s sizes, %s lowers and %s uppers should be as many of each"
              .formatted(sizes.length, lowers.length, uppers.length));
    }
    int first = buffers.size();
    for (int k = 0; k < sizes.length; k++) {
      buffer(sizes[k], lowers[k], uppers[k]);
    }
    return first;
  }

  /** Makes a buffer's offset a multiple of {@code bytes}, 1 or more. */
  public ProblemBuilder align(int handle, long bytes) {
    return change(handle, buffer -> buffer.withAlignment(bytes));
  }

  /** Fixes a buffer's offset, in bytes. */
  public ProblemBuilder fix(int handle, long offset) {
    return change(handle, buffer -> buffer.withFixedOffset(offset(buffer, offset)));
  }

  /** Gives an offset in bytes that planners may try first; it binds none of them. */
  public ProblemBuilder hint(int handle, long offset) {
    return change(handle, buffer -> buffer.withHint(offset(buffer, offset)));
  }

  private static long offset(Buffer buffer, long offset) {
    if (offset < 0) {
      throw new InvalidProblemException(
          "buffer \"" + buffer.id() + "\": offset " + offset + " should be 0 or more");
    }
    return offset;
  }

  /** Adds a gap: in the steps {@code [from, to)} of its live range a buffer needs no memory. */
  public ProblemBuilder gap(int handle, int from, int to) {
    return gap(handle, from, to, 0, 0);
  }

  /**
   * Adds a gap with a window: in the steps {@code [from, to)} of its live range a buffer needs only
   * its bytes {@code [low, high)}, counted from its offset.
   */
  public ProblemBuilder gap(int handle, int from, int to, long low, long high) {
    Buffer buffer = checked(handle);
    List<Gap> gaps = new ArrayList<>(buffer.gaps());
    try {
      gaps.add(new Gap(new LiveRange(from, to), low, high));
    } catch (InvalidProblemException wrong) {
      throw new InvalidProblemException("buffer \"" + buffer.id() + "\": " + wrong.getMessage());
    }
    buffers.set(handle, buffer.withGaps(gaps));
    return this;
  }

  /** Keeps a buffer from crossing a border between two banks of its memory. */
  public ProblemBuilder withinBank(int handle) {
    return change(handle, buffer -> buffer.withinBank(true));
  }

  /**
   * Forbids two different buffers to share an address, although their live ranges may be disjoint.
   */
  public ProblemBuilder conflict(int first, int second) {
    conflicts.add(pair(first, second, "conflict"));
    return this;
  }

  /** Prices the sharing of addresses at different times; weights of a pair, 1 or more, add up. */
  public ProblemBuilder reuse(int first, int second, long weight) {
    pair(first, second, "pay");
    reuse.add(new Relations.Reuse(first, second, weight));
    return this;
  }

  /**
   * Keeps the second buffer {@code distance} bytes above the first, in the same memory; they may
   * share bytes.
   *
   * @param distance the second's offset less the first's, in bytes
   */
  public ProblemBuilder together(int first, int second, long distance) {
    pair(first, second, "be placed together");
    together.add(new Relations.Together(first, second, distance));
    return this;
  }

  /** Says that two buffers are never alive at once, although their live ranges may overlap. */
  public ProblemBuilder exclusive(int first, int second) {
    exclusive.add(pair(first, second, "be exclusive"));
    return this;
  }

  /** Keeps two buffers from touching one bank, whatever their live ranges. */
  public ProblemBuilder otherBank(int first, int second) {
    otherBanks.add(pair(first, second, "avoid the bank it shares"));
    return this;
  }

  /** Gives a buffer its bytes for all steps, in its live range or not. */
  public ProblemBuilder holdsPlace(int handle) {
    return change(handle, buffer -> buffer.holdsPlace(true));
  }

  private int[] pair(int first, int second, String verb) {
    check(first);
    check(second);
    if (first == second) {
      throw new InvalidProblemException(
          "buffer \"" + buffers.get(first).id() + "\" should not " + verb + " with itself");
    }
    return new int[] {first, second};
  }

  /**
   * Adds a memory, the most wanted first, and returns its handle: the memory's index in the
   * problem. A problem without any has one, {@code main}, without a capacity.
   *
   * @param memoryName unique in the problem
   * @param capacity bytes, or {@link Memory#UNBOUNDED}
   */
  public int memory(String memoryName, long capacity) {
    return memory(new Memory(memoryName, capacity, 1, 0, 0));
  }

  /** As {@link #memory(String, long)}, for a memory with an alignment, a base or banks. */
  public int memory(Memory memory) {
    memories.add(memory);
    return memories.size() - 1;
  }

  /** Restricts a buffer to some memories, by their handles, the most wanted first. */
  public ProblemBuilder allow(int handle, int... memoryHandles) {
    List<String> names = new ArrayList<>(memoryHandles.length);
    for (int memory : memoryHandles) {
      if (memory < 0 || memory >= memories.size()) {
        throw new InvalidProblemException(
            "buffer \"%s\": memory %s is not one of the %s memories added before"
                .formatted(checked(handle).id(), memory, memories.size()));
      }
      names.add(memories.get(memory).name());
    }
    return change(handle, buffer -> buffer.withMemories(names));
  }

  /**
   * Checks the whole and builds the problem; the builder may be used further. O(n log n).
   *
   * @throws InvalidProblemException naming the buffer or memory, the value and what would be right
   */
  public PackingProblem build() {
    int count = buffers.size();
    List<Memory> homes = memories.isEmpty() ? List.of(Memory.main()) : memories;
    Relations relations =
        Relations.none()
            .withReuse(reuse)
            .withTogether(together)
            .withExclusive(ConflictPairs.of(count, exclusive))
            .withOtherBank(ConflictPairs.of(count, otherBanks));
    return new PackingProblem(name, buffers, homes, ConflictPairs.of(count, conflicts), relations);
  }

  private ProblemBuilder change(int handle, UnaryOperator<Buffer> change) {
    buffers.set(handle, change.apply(checked(handle)));
    return this;
  }

  private Buffer checked(int handle) {
    check(handle);
    return buffers.get(handle);
  }

  private void check(int handle) {
    if (handle < 0 || handle >= buffers.size()) {
      throw new InvalidProblemException(
          "buffer " + handle + " is not one of the " + buffers.size() + " handles given out");
    }
  }
}
