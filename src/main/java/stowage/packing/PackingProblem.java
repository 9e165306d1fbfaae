package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
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
    this.allowed = new ProblemCheck(this.buffers, this.memories).allowed(relations);
  }

  /** {@return a builder of a problem, which gives each buffer an int handle} */
  public static ProblemBuilder builder(String name) {
    return new ProblemBuilder(name);
  }

  /** {@return a problem of one unbounded memory without alignment, banks or extra conflicts} */
  public static PackingProblem of(String name, List<Buffer> buffers) {
    return new PackingProblem(name, buffers, List.of(Memory.main()), ConflictPairs.none());
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

  /** {@return the index of the buffer with an id, else fails} O(1) after the first call. */
  public int indexOf(String id) {
    if (indices == null) {
      indices = ProblemCheck.indices(buffers);
    }
    Integer index = indices.get(id);
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

  /** {@return the goals its file asks for, in turn; empty, which means the peaks, for none} */
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

  /** {@return what the problem says of pairs beyond their live ranges and the extra conflicts} */
  public Relations relations() {
    return relations;
  }

  /**
   * {@return whether live ranges, extra conflicts and the buffers' own fields are all that
   * constrains a placement: no buffers kept together or in other banks, no exclusive pairs, no
   * reserved ranges, no buffer that holds its place at every step} Prices of reuse may be there.
   * O(n).
   */
  public boolean isPlain() {
    return relations.constrainNothing()
        && memories.stream().allMatch(memory -> memory.reserved().isEmpty())
        && buffers.stream().noneMatch(Buffer::holdsPlace);
  }

  /**
   * {@return whether two buffers are both alive at some step, by their live ranges less their gaps,
   * and may not share bytes then} False for pairs that are exclusive or kept together, unless one
   * holds its place at every step.
   */
  public boolean meet(int first, int second) {
    Buffer one = buffers.get(first);
    Buffer other = buffers.get(second);
    if (one.holdsPlace() || other.holdsPlace()) {
      return one.needsMemory() && other.needsMemory();
    }
    return aliveAtOnce(first, second) && !relations.mayShare(first, second);
  }

  /** {@return whether at some step both buffers need memory, whatever the relations say} */
  public boolean aliveAtOnce(int first, int second) {
    Buffer one = buffers.get(first);
    Buffer other = buffers.get(second);
    boolean whole = one.gaps().isEmpty() && other.gaps().isEmpty();
    if (whole && !one.holdsPlace() && !other.holdsPlace()) {
      return one.live().overlaps(other.live()) && one.size() > 0 && other.size() > 0;
    }
    return one.anyAtOnce(other, (a, b) -> true);
  }

  /** {@return whether a pair pays where it shares addresses: never both need memory at a step} */
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

  /** {@return the memory a buffer prefers: the first it names, or the first it is allowed in} */
  public int preferredMemory(int buffer) {
    for (String wanted : buffers.get(buffer).memories()) {
      int memory = Memory.indexOf(memories, wanted);
      if (allows(buffer, memory)) {
        return memory;
      }
    }
    return Long.numberOfTrailingZeros(allowed[buffer]);
  }

  /** {@return what a buffer's offset in a memory is a multiple of: both alignments} */
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
   * {@return the least offset not below one that a buffer's alignment and bank admit in a memory;
   * -1 where there is none}
   *
   * @param offset in bytes, 0 or more
   */
  public long roundUp(int buffer, int memory, long offset) {
    long bank = staysInBank(buffer, memory) ? memories.get(memory).bankSize() : 0;
    return Rounding.up(offset, buffers.get(buffer).size(), alignment(buffer, memory), bank);
  }

  /** {@return the largest offset not above one that alignment and bank admit; -1 for none} */
  public long roundDown(int buffer, int memory, long offset) {
    long bank = staysInBank(buffer, memory) ? memories.get(memory).bankSize() : 0;
    return Rounding.down(offset, buffers.get(buffer).size(), alignment(buffer, memory), bank);
  }

  /**
   * {@return the problem of some buffers alone, in a given order, with all memories, goals, extra
   * conflicts and relations among them, no others} O(n + pairs).
   */
  public PackingProblem select(int[] order) {
    int[] place = IndexOrder.places(order, size());
    List<Buffer> chosen = Arrays.stream(order).mapToObj(buffers::get).toList();
    ConflictPairs pairs = conflicts.select(order, place);
    return asking(
        new PackingProblem(name, chosen, memories, pairs, relations.select(order, place)));
  }

  /** {@return the same problem with other memories} */
  public PackingProblem withMemories(List<Memory> others) {
    return asking(new PackingProblem(name, buffers, others, conflicts, relations));
  }

  /** {@return the same problem with a memory's capacity, in bytes or {@link Memory#UNBOUNDED}} */
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
