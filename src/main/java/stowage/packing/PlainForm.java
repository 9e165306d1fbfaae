package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A problem in the words that every planner knows: live ranges, gaps with windows, fixed offsets
 * and extra conflicts. It is made from a problem that says more, and its placements are placements
 * of that problem.
 *
 * <ul>
 *   <li>A buffer that <b>holds its place</b> becomes one that is alive at all steps.
 *   <li>A <b>reserved range</b> becomes a buffer fixed there, alive at all steps.
 *   <li>Buffers kept <b>together</b> become one buffer that spans all that need memory; at each
 *       step its gap or window leaves what the members alive then need. A member that needs no
 *       memory only has its place: the lowest offset of all is the joint buffer's.
 *   <li><b>Exclusive</b> pairs are forgotten: they are kept apart while both are alive.
 *   <li><b>Other banks</b> cannot be said; neither can distances that break an alignment.
 * </ul>
 *
 * <p>Where nothing is lost the problem is {@linkplain #isExact() exact}: it has a placement within
 * given capacities exactly when the other one has. Where something is lost it asks for more than
 * the other one does, and only its placements mean something, not its bounds.
 *
 * <p>Example: a of 8 bytes during [0, 4) and b of 4 bytes during [2, 9), b together with a at
 * distance 4. The joint buffer has 8 bytes and the live range [0, 9), with a gap during [4, 9) that
 * leaves the window [4, 8).
 */
public final class PlainForm {
  private final PackingProblem original;
  private final Relations.Groups groups;
  private final int[] position;
  private PackingProblem problem;
  private boolean exact = true;
  private String refusal;
  private Certificate.Contradiction obstacle;
  private final boolean[] changed;
  private final long[] reservedTop;

  private PlainForm(PackingProblem original) {
    this.original = original;
    this.groups = original.relations().groups(original.size());
    this.position = new int[original.size()];
    this.changed = new boolean[original.size()];
    this.reservedTop = new long[original.memories().size()];
    build();
  }

  /** {@return the plain form of a problem; the problem itself where it is plain} O(n log n). */
  public static PlainForm of(PackingProblem problem) {
    return new PlainForm(problem);
  }

  /** {@return the plain problem; null where there is a refusal or an obstacle} */
  public PackingProblem problem() {
    return problem;
  }

  /** {@return what plain problems cannot say of this one, as part of a sentence; else null} */
  public String refusal() {
    return refusal;
  }

  /** {@return why no placement exists at all; null when nothing is known} */
  public Certificate.Contradiction obstacle() {
    return obstacle;
  }

  /** {@return whether both problems have placements within the same capacities} */
  public boolean isExact() {
    return exact;
  }

  /** {@return the end of the highest reserved range that is a buffer here, in bytes; else 0} */
  public long reservedTop(int memory) {
    return reservedTop[memory];
  }

  /** {@return the placement of the original problem that one of the plain problem represents} */
  public Placement expand(Placement placement) {
    Placement leaders =
        placement.select(Arrays.stream(groups.leader()).map(i -> position[i]).toArray());
    long[] offsets = leaders.offsets();
    Arrays.setAll(offsets, i -> offsets[i] + groups.shift()[i]);
    return Placement.of(offsets, leaders.memories());
  }

  /**
   * {@return what a bound of the plain problem says of the original one: the same certificate where
   * all buffers it names are the original's own and it proves the bound there too, else a solver's
   * claim} A bound up to {@link #reservedTop} says nothing of the original.
   */
  public Bound expand(Bound bound) {
    boolean same =
        Arrays.stream(bound.certificate().buffers())
            .allMatch(at -> at < position.length && position[at] == at && !changed[at]);
    return bound.certificate() instanceof SolverClaim
            || same && BoundVerifier.fault(original, bound).isEmpty()
        ? bound
        : new Bound(bound.figure(), bound.value(), claim(bound.certificate()));
  }

  /** {@return a proof of infeasibility as one of the original problem, or a solver's claim} */
  public Certificate expandInfeasible(Certificate why) {
    int memory = why.memory();
    if (memory < 0 || why instanceof SolverClaim) {
      return why;
    }
    int figure = original.memories().size() - 1 - memory;
    long above = original.memories().get(memory).capacity() + 1;
    return expand(new Bound(figure, above, why)).certificate();
  }

  private static Certificate claim(Certificate certificate) {
    return SolverClaim.because(
        "the problem with each group kept together as one buffer needs as much, by "
            + certificate.kind());
  }

  private void build() {
    refuseOtherBanks();
    int first = Integer.MAX_VALUE;
    int last = Integer.MIN_VALUE;
    for (Buffer buffer : original.buffers()) {
      first = Math.min(first, buffer.live().start());
      last = Math.max(last, buffer.live().end());
    }
    if (first >= last) {
      first = Math.min(first, Integer.MAX_VALUE - 1);
      last = first + 1;
    }
    LiveRange steps = new LiveRange(first, last);
    List<List<Integer>> members = new ArrayList<>();
    for (int i = 0; i < original.size(); i++) {
      members.add(groups.leader()[i] == i ? new ArrayList<>() : null);
      members.get(groups.leader()[i]).add(i);
    }
    boolean one = original.memories().size() == 1;
    long common = one && hasReserved() ? original.memories().get(0).alignment() : 1;
    List<Buffer> buffers = new ArrayList<>();
    JoinedBuffer[] joined = new JoinedBuffer[original.size()];
    for (int i = 0; i < original.size() && refusal == null && obstacle == null; i++) {
      if (members.get(i) != null) {
        position[i] = buffers.size();
        joined[i] = new JoinedBuffer(original, groups, members.get(i), steps);
        exact &= joined[i].isExact();
        add(joined[i], i, common, buffers);
      }
    }
    if (refusal != null || obstacle != null) {
      return;
    }
    List<Memory> memories = new ArrayList<>();
    for (int m = 0; m < original.memories().size(); m++) {
      Memory memory = original.memories().get(m);
      if (!memory.reserved().isEmpty()) {
        addReserved(memory, m, one, steps, buffers);
      }
      memories.add(
          (one && hasReserved() ? memory.withAlignment(1) : memory).withReserved(List.of()));
    }
    try {
      problem =
          new PackingProblem(original.name(), buffers, memories, conflicts(joined, buffers.size()));
    } catch (InvalidProblemException wrong) {
      refusal = wrong.getMessage();
    }
    ConflictPairs exclusive = original.relations().exclusive();
    for (int i = 0; i < original.size() && !exclusive.isEmpty(); i++) {
      for (int j : exclusive.of(i)) {
        exact &= !original.aliveAtOnce(i, j) || original.meet(i, j); // else they may share bytes
      }
    }
  }

  private void add(JoinedBuffer joined, int leader, long common, List<Buffer> buffers) {
    refusal = joined.refusal();
    obstacle = joined.obstacle();
    Buffer made = joined.buffer();
    if (made != null) {
      changed[leader] = made != original.buffer(leader);
      long alignment = Rounding.lcm(made.alignment(), common);
      if (made.isFixed() && made.fixedOffset() % alignment != 0) {
        obstacle = joined.brokenAlignment(alignment);
      } else {
        buffers.add(made.withAlignment(alignment));
      }
    }
  }

  private void refuseOtherBanks() {
    ConflictPairs pairs = original.relations().otherBank();
    for (int i = 0; i < original.size() && !pairs.isEmpty(); i++) {
      for (int m = 0; pairs.of(i).length > 0 && m < original.memories().size(); m++) {
        if (original.allows(i, m) && original.memories().get(m).bankSize() > 0) {
          refusal = "buffers that must use other banks than others";
        }
      }
    }
  }

  private boolean hasReserved() {
    return original.memories().stream().anyMatch(memory -> !memory.reserved().isEmpty());
  }

  private ConflictPairs conflicts(JoinedBuffer[] joined, int count) {
    if (original.conflicts().isEmpty()) {
      return ConflictPairs.none();
    }
    if (original.relations().together().isEmpty() && count == original.size()) {
      return original.conflicts();
    }
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < original.size(); i++) {
      for (int j : original.conflicts().of(i)) {
        int one = groups.leader()[i];
        int other = groups.leader()[j];
        boolean needed = original.buffer(i).needsMemory() && original.buffer(j).needsMemory();
        if (i < j && one != other && needed) {
          pairs.add(new int[] {position[one], position[other]});
          exact &= joined[one].isSpannedBy(i) && joined[other].isSpannedBy(j);
        }
      }
    }
    return ConflictPairs.of(count, pairs);
  }

  private void addReserved(
      Memory memory, int m, boolean one, LiveRange steps, List<Buffer> buffers) {
    Set<String> ids = new HashSet<>();
    buffers.forEach(buffer -> ids.add(buffer.id()));
    for (ReservedRange range : memory.reserved()) {
      long to = Math.min(range.to(), memory.capacity());
      // Offsets are multiples of the memory's alignment; a fixed buffer's has to be one, too.
      long from = one ? range.from() : range.from() - range.from() % memory.alignment();
      exact &= from == range.from();
      if (from >= to) {
        continue;
      }
      String id = "reserved " + range.from() + " of " + memory.name();
      while (!ids.add(id)) {
        id += "'";
      }
      buffers.add(
          new Buffer(id, to - from, steps.start(), steps.end())
              .withFixedOffset(from)
              .withMemories(List.of(memory.name())));
      reservedTop[m] = Math.max(reservedTop[m], to);
    }
  }
}
