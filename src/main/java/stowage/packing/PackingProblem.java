package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Buffers with fixed live ranges, and the memories they are to be placed in.
 *
 * <p>Two buffers of one memory may share addresses unless they are alive at a common step (with the
 * bytes they need there, see {@link Gap}) or are in {@link #conflicts()}, which forbids any sharing
 * of their whole extents. Most problems have one memory, {@code main}; where there are several,
 * they are listed from the most wanted to the least, and the objective lowers the peak of the last
 * one first.
 *
 * <p>Immutable; any number of threads may share one.
 */
public final class PackingProblem {
  /**
   * No problem's sizes and alignments, those of buffers and memories taken together, add up to more
   * bytes than this, so that whatever stacks all buffers with their padding stays within a {@code
   * long}.
   */
  public static final long LARGEST_SUM = Long.MAX_VALUE / 4;

  private final String name;
  private final List<Buffer> buffers;
  private final List<Memory> memories;
  private final ConflictPairs conflicts;
  private final Relations relations;
  private final long[] allowed;
  private List<Goal> goals = List.of();

  /** Indices by id; built on first use and never changed afterwards. */
  private volatile Map<String, Integer> indices;

  /**
   * Checks the whole and builds the problem. O(n).
   *
   * @param name what the problem is called in reports
   * @param buffers the buffers, with unique ids
   * @param memories at least one and at most 63 memories, most wanted first
   * @param conflicts extra pairs that must not share addresses
   * @throws InvalidProblemException naming the buffer or memory, the value and what would be right
   */
  public PackingProblem(
      String name, List<Buffer> buffers, List<Memory> memories, ConflictPairs conflicts) {
    this(name, buffers, memories, conflicts, Relations.none());
  }

  /**
   * The same with further relations between buffers.
   *
   * @param conflicts pairs that must not share addresses
   * @throws InvalidProblemException also when buffers kept together have no memory in common or
   *     their distances contradict each other
   */
  public PackingProblem(
      String name,
      List<Buffer> buffers,
      List<Memory> memories,
      ConflictPairs conflicts,
      Relations relations) {
    this.name = name;
    this.buffers = List.copyOf(buffers);
    this.memories = List.copyOf(memories);
    this.conflicts = conflicts;
    this.relations = relations;
    checkMemories();
    checkIds();
    this.allowed = allowedMemories();
    checkGroups();
  }

  /** {@return a builder of a problem, which gives each buffer an int handle} */
  public static ProblemBuilder builder(String name) {
    return new ProblemBuilder(name);
  }

  /** {@return a problem of one unbounded memory without alignment, banks or extra conflicts} */
  public static PackingProblem of(String name, List<Buffer> buffers) {
    return new PackingProblem(name, buffers, List.of(Memory.main()), ConflictPairs.none());
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

  private void checkIds() {
    Map<String, Integer> seen = new HashMap<>(buffers.size() * 4 / 3 + 1);
    for (int i = 0; i < buffers.size(); i++) {
      Buffer buffer = buffers.get(i);
      Integer earlier = seen.putIfAbsent(buffer.id(), i);
      if (earlier != null) {
        throw new InvalidProblemException(
            "buffer id \"%s\" is defined twice, as buffers %s and %s"
                .formatted(buffer.id(), earlier, i));
      }
    }
  }

  private void checkGroups() {
    if (relations.together().isEmpty()) {
      return;
    }
    int[] leader = relations.groups(buffers.size()).leader();
    long[] common = new long[leader.length];
    for (int i = 0; i < leader.length; i++) {
      common[leader[i]] = leader[i] == i ? allowed[i] : common[leader[i]] & allowed[i];
      if (common[leader[i]] == 0) {
        throw new InvalidProblemException(
            "together: buffer \""
                + buffers.get(i).id()
                + "\" has no memory in common with those it must be placed together with");
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
      long alignment = checkAgainstMemories(buffer, mask);
      boolean small = buffer.size() <= LARGEST_SUM && alignment <= LARGEST_SUM;
      if (!small || (sum += buffer.size() + alignment) > LARGEST_SUM) {
        throw new InvalidProblemException(
            ("buffer \"%s\": size %s with alignment %s takes the sum of all sizes "
                    + "and alignments beyond %s bytes")
                .formatted(buffer.id(), buffer.size(), alignment, LARGEST_SUM));
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
    for (int m = 0; m < memories.size(); m++) {
      if (memories.get(m).name().equals(wanted)) {
        return m;
      }
    }
    throw new InvalidProblemException(
        "buffer \"%s\": memory \"%s\" should be one of %s"
            .formatted(buffer.id(), wanted, memories.stream().map(Memory::name).toList()));
  }

  /**
   * Checks a buffer against the memories it may be in.
   *
   * @return the largest of its alignments in them
   */
  private long checkAgainstMemories(Buffer buffer, long mask) {
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
    if (factor > LARGEST_SUM / memory.alignment()) {
      throw new InvalidProblemException(
          ("buffer \"%s\": alignment %s and alignment %s of memory \"%s\" have "
                  + "no common multiple up to %s")
              .formatted(
                  buffer.id(), buffer.alignment(), memory.alignment(), memory.name(), LARGEST_SUM));
    }
    return factor * memory.alignment();
  }

  /** {@return what the problem is called} */
  public String name() {
    return name;
  }

  /** {@return the buffers; a buffer's index is its position here} */
  public List<Buffer> buffers() {
    return buffers;
  }

  /** {@return the number of buffers} */
  public int size() {
    return buffers.size();
  }

  /** {@return the buffer at an index} */
  public Buffer buffer(int index) {
    return buffers.get(index);
  }

  /**
   * {@return the index of the buffer with an id} O(1) after the first call, which is O(n).
   *
   * @throws IllegalArgumentException when the problem has no such buffer
   */
  public int indexOf(String id) {
    Map<String, Integer> known = indices;
    if (known == null) {
      known = new HashMap<>(buffers.size() * 4 / 3 + 1);
      for (int i = 0; i < buffers.size(); i++) {
        known.put(buffers.get(i).id(), i);
      }
      indices = known;
    }
    Integer index = known.get(id);
    if (index == null) {
      throw new IllegalArgumentException(
          "buffer \"" + id + "\" is not one of the " + size() + " buffers of \"" + name + "\"");
    }
    return index;
  }

  /** {@return the memories, most wanted first} */
  public List<Memory> memories() {
    return memories;
  }

  /** {@return the extra pairs that must not share addresses} */
  public ConflictPairs conflicts() {
    return conflicts;
  }

  /**
   * {@return the goals its file asks for, in turn; empty where it says nothing, which means the
   * peaks}
   */
  public List<Goal> goals() {
    return goals;
  }

  /** {@return the same problem with the goals that its file asks for} */
  public PackingProblem withGoals(List<Goal> others) {
    PackingProblem same = new PackingProblem(name, buffers, memories, conflicts, relations);
    same.goals = List.copyOf(others);
    return same;
  }

  private PackingProblem asking(PackingProblem other) {
    other.goals = goals;
    return other;
  }

  /**
   * {@return what the problem says of pairs of buffers beyond their lives and the extra conflicts}
   */
  public Relations relations() {
    return relations;
  }

  /**
   * {@return whether lives, extra conflicts and the buffers' own fields are all that constrains a
   * placement: no buffers kept together or in other banks, no exclusive pairs, no reserved ranges,
   * no buffer that holds its place at every step} Prices of reuse may be there. O(n).
   */
  public boolean isPlain() {
    if (!relations.constrainNothing()) {
      return false;
    }
    for (Memory memory : memories) {
      if (!memory.reserved().isEmpty()) {
        return false;
      }
    }
    for (Buffer buffer : buffers) {
      if (buffer.holdsPlace()) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return whether two buffers are both alive at some step, by their lives less their gaps, and
   * may not share bytes then} False for pairs that are exclusive or kept together, unless one holds
   * its place at every step.
   */
  public boolean meet(int first, int second) {
    Buffer one = buffers.get(first);
    Buffer other = buffers.get(second);
    if (one.holdsPlace() || other.holdsPlace()) {
      return one.needsMemory() && other.needsMemory();
    }
    return aliveAtOnce(first, second) && !relations.mayShare(first, second);
  }

  /**
   * {@return whether there is a step at which both buffers need memory, whatever the relations say}
   */
  public boolean aliveAtOnce(int first, int second) {
    if (buffers.get(first).gaps().isEmpty()
        && buffers.get(second).gaps().isEmpty()
        && !buffers.get(first).holdsPlace()
        && !buffers.get(second).holdsPlace()) {
      return buffers.get(first).live().overlaps(buffers.get(second).live())
          && buffers.get(first).size() > 0
          && buffers.get(second).size() > 0;
    }
    for (Buffer.Span a : buffers.get(first).spans()) {
      for (Buffer.Span b : buffers.get(second).spans()) {
        if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * {@return whether a pair pays where it shares addresses: both need memory, and at no step both
   * do, or they are exclusive}
   *
   * @param pair a pair of the relations
   */
  public boolean isPayable(Relations.Reuse pair) {
    return buffers.get(pair.first()).needsMemory()
        && buffers.get(pair.second()).needsMemory()
        && (relations.exclusive().contains(pair.first(), pair.second())
            || !aliveAtOnce(pair.first(), pair.second()));
  }

  /** {@return whether a buffer may be in a memory} O(1). */
  public boolean allows(int buffer, int memory) {
    return (allowed[buffer] >> memory & 1) != 0;
  }

  /** {@return the memories a buffer may be in, as a bit set: bit m for memory m} */
  public long allowedMask(int buffer) {
    return allowed[buffer];
  }

  /**
   * {@return the memory a buffer prefers: the first one it names, or the first it is allowed in}
   */
  public int preferredMemory(int buffer) {
    for (String wanted : buffers.get(buffer).memories()) {
      int memory = indexOfMemory(buffers.get(buffer), wanted);
      if (allows(buffer, memory)) {
        return memory;
      }
    }
    return Long.numberOfTrailingZeros(allowed[buffer]);
  }

  /**
   * {@return what a buffer's offset must be a multiple of in a memory: of its own and the memory's}
   */
  public long alignment(int buffer, int memory) {
    long own = buffers.get(buffer).alignment();
    long common = memories.get(memory).alignment();
    return own == common || common == 1 ? own : own / Rounding.gcd(own, common) * common;
  }

  /** {@return whether a buffer must stay within one bank when it is in a memory} */
  public boolean staysInBank(int buffer, int memory) {
    return buffers.get(buffer).withinBank() && memories.get(memory).bankSize() > 0;
  }

  /**
   * {@return the problem of some buffers alone, in a given order, with all memories, goals, extra
   * conflicts and relations among them} A relation with a buffer that is left out goes with it. O(n
   * + pairs).
   *
   * @param order indices of the buffers, none twice
   */
  public PackingProblem select(int[] order) {
    int[] place = new int[size()];
    Arrays.fill(place, -1);
    for (int k = 0; k < order.length; k++) {
      place[order[k]] = k;
    }
    return asking(
        new PackingProblem(
            name,
            Arrays.stream(order).mapToObj(buffers::get).toList(),
            memories,
            conflicts.select(order, place),
            relations.select(order, place)));
  }

  /** {@return the same problem with other memories} */
  public PackingProblem withMemories(List<Memory> others) {
    return asking(new PackingProblem(name, buffers, others, conflicts, relations));
  }

  /**
   * {@return the same problem with a capacity for one memory}
   *
   * @param capacity bytes, or {@link Memory#UNBOUNDED}
   */
  public PackingProblem withCapacity(int memory, long capacity) {
    List<Memory> others = new ArrayList<>(memories);
    others.set(memory, others.get(memory).withCapacity(capacity));
    return withMemories(others);
  }

  /** {@return the same problem with other buffers (the same number where conflicts are kept)} */
  public PackingProblem withBuffers(List<Buffer> others) {
    return asking(new PackingProblem(name, others, memories, conflicts, relations));
  }

  /** {@return the same problem under another name} */
  public PackingProblem withName(String other) {
    return asking(new PackingProblem(other, buffers, memories, conflicts, relations));
  }

  /** {@return the same problem with other extra conflicts} */
  public PackingProblem withConflicts(ConflictPairs others) {
    return asking(new PackingProblem(name, buffers, memories, others, relations));
  }

  /** {@return the same problem with other relations} */
  public PackingProblem withRelations(Relations others) {
    return asking(new PackingProblem(name, buffers, memories, conflicts, others));
  }
}
