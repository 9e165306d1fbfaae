package stowage.packing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A problem in the words that every planner knows: lives, gaps with windows, fixed offsets and
 * extra conflicts. It is made from a problem that says more, and its placements are placements of
 * that problem.
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
 * distance 4. The joint buffer has 8 bytes and the life [0, 9), with a gap during [4, 9) that
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

  /**
   * {@return what plain problems cannot say of this one, as part of a sentence; null when all is
   * said}
   */
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

  /**
   * {@return the end of the highest reserved range that is a buffer here, in bytes; 0 without one}
   */
  public long reservedTop(int memory) {
    return reservedTop[memory];
  }

  /**
   * {@return the placement of the original problem that a placement of the plain one represents}
   */
  public Placement expand(Placement placement) {
    long[] offsets = new long[original.size()];
    int[] memories = new int[original.size()];
    for (int i = 0; i < offsets.length; i++) {
      int at = position[groups.leader()[i]];
      offsets[i] = placement.offset(at) + groups.shift()[i];
      memories[i] = placement.memory(at);
    }
    return Placement.of(offsets, memories);
  }

  /**
   * {@return what a bound of the plain problem says of the original one: the same certificate where
   * all buffers it names are the original's own and it proves the bound there too, else a solver's
   * claim} A bound up to {@link #reservedTop} says nothing of the original.
   */
  public Bound expand(Bound bound) {
    boolean same = true;
    for (int at : bound.certificate().buffers()) {
      same &= at < position.length && position[at] == at && !changed[at];
    }
    same &=
        bound.certificate() instanceof Certificate.SolverClaim
            || (same && BoundVerifier.fault(original, bound).isEmpty());
    return same ? bound : new Bound(bound.figure(), bound.value(), claim(bound.certificate()));
  }

  /**
   * {@return the certificate of infeasibility as one of the original problem, or a solver's claim}
   */
  public Certificate expandInfeasible(Certificate why) {
    int memory = why.memory();
    if (memory < 0 || why instanceof Certificate.SolverClaim) {
      return why;
    }
    int figure = original.memories().size() - 1 - memory;
    long above = original.memories().get(memory).capacity() + 1;
    return expand(new Bound(figure, above, why)).certificate();
  }

  private static Certificate claim(Certificate certificate) {
    return Certificate.SolverClaim.because(
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
    List<List<Integer>> members = new ArrayList<>();
    for (int i = 0; i < original.size(); i++) {
      members.add(groups.leader()[i] == i ? new ArrayList<>() : null);
      members.get(groups.leader()[i]).add(i);
    }
    boolean one = original.memories().size() == 1;
    long common = one && hasReserved() ? original.memories().get(0).alignment() : 1;
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < original.size(); i++) {
      if (members.get(i) == null) {
        continue;
      }
      position[i] = buffers.size();
      Buffer made =
          members.get(i).size() == 1
              ? alone(original.buffer(i), first, last)
              : joined(members.get(i), first, last);
      changed[i] = made != original.buffer(i);
      if (refusal != null || obstacle != null) {
        return;
      }
      long alignment = Rounding.lcm(made.alignment(), common);
      if (made.isFixed() && made.fixedOffset() % alignment != 0) {
        obstacle = contradiction(members.get(i), brokenAlignment(made, alignment));
        return;
      }
      buffers.add(made.withAlignment(alignment));
    }
    List<Memory> memories = new ArrayList<>();
    for (int m = 0; m < original.memories().size(); m++) {
      Memory memory = original.memories().get(m);
      if (!memory.reserved().isEmpty()) {
        addReserved(memory, m, one, first, last, buffers);
      }
      memories.add(
          (one && hasReserved() ? memory.withAlignment(1) : memory).withReserved(List.of()));
    }
    try {
      problem =
          new PackingProblem(
              original.name(), buffers, memories, conflicts(members, buffers.size()));
    } catch (InvalidProblemException wrong) {
      refusal = wrong.getMessage();
    }
    if (!original.relations().exclusive().isEmpty()) {
      exact &= exclusiveMean();
    }
  }

  private void refuseOtherBanks() {
    ConflictPairs pairs = original.relations().otherBank();
    for (int i = 0; i < original.size() && !pairs.isEmpty(); i++) {
      if (pairs.of(i).length == 0) {
        continue;
      }
      for (int m = 0; m < original.memories().size(); m++) {
        if (original.allows(i, m) && original.memories().get(m).bankSize() > 0) {
          refusal = "buffers that must use other banks than others";
        }
      }
    }
  }

  private boolean hasReserved() {
    return original.memories().stream().anyMatch(memory -> !memory.reserved().isEmpty());
  }

  /** Whether forgetting the exclusive pairs changes anything: some are alive at once. */
  private boolean exclusiveMean() {
    for (int i = 0; i < original.size(); i++) {
      for (int j : original.relations().exclusive().of(i)) {
        if (original.aliveAtOnce(i, j) && !original.meet(i, j)) {
          return false;
        }
      }
    }
    return true;
  }

  private static Buffer alone(Buffer buffer, int first, int last) {
    return buffer.holdsPlace()
        ? buffer.withGaps(List.of()).withLive(first, last).holdsPlace(false)
        : buffer;
  }

  /** One buffer for all that are together; sets a refusal or an obstacle where there is none. */
  private Buffer joined(List<Integer> members, int first, int last) {
    long size = 0;
    long alignment = 1;
    long fixed = Buffer.NONE;
    long hint = Buffer.NONE;
    boolean withinBank = false;
    long boundSize = 0;
    long mask = -1;
    for (int i : members) {
      Buffer buffer = original.buffer(i);
      long shift = groups.shift()[i];
      if (shift % buffer.alignment() != 0) {
        refusal = "distances that are no multiple of an alignment";
        return null;
      }
      // What needs no memory takes none; only a bank holds it, where it has to stay within one.
      boolean counts = buffer.needsMemory() || buffer.withinBank();
      size = counts ? Math.max(size, shift + buffer.size()) : size;
      exact &= buffer.needsMemory() || !buffer.withinBank() || buffer.size() == 0;
      alignment = Rounding.lcm(alignment, buffer.alignment());
      mask &= original.allowedMask(i);
      if (buffer.isFixed()) {
        long base = buffer.fixedOffset() - shift;
        if (base < 0 || (fixed != Buffer.NONE && fixed != base)) {
          obstacle =
              contradiction(
                  members,
                  ("buffer \"%s\", fixed at %s, cannot be placed together with the "
                          + "others at the given distances")
                      .formatted(buffer.id(), buffer.fixedOffset()));
          return null;
        }
        fixed = base;
      }
      if (buffer.hint() != Buffer.NONE && hint == Buffer.NONE && buffer.hint() >= shift) {
        hint = buffer.hint() - shift;
      }
      if (buffer.withinBank()) {
        withinBank = true;
        boundSize = Math.max(boundSize, buffer.size());
      }
    }
    for (int m = 0; m < original.memories().size(); m++) {
      Memory memory = original.memories().get(m);
      for (int i : members) {
        if (groups.shift()[i] % memory.alignment() != 0) {
          mask &= ~(1L << m);
        }
      }
    }
    if (mask == 0) {
      obstacle =
          contradiction(
              members,
              ("buffer \"%s\" and those together with it break the alignment of "
                      + "every memory they are allowed in")
                  .formatted(original.buffer(members.get(0)).id()));
      return null;
    }
    if (fixed != Buffer.NONE && fixed % alignment != 0) {
      obstacle =
          contradiction(members, brokenAlignment(original.buffer(members.get(0)), alignment));
      return null;
    }
    exact &= !withinBank || boundSize == size;
    if (!checkInside(members)) {
      return null;
    }
    Buffer leader = original.buffer(members.get(0));
    Life life = life(members, size, first, last);
    return new Buffer(
        leader.id(),
        size,
        new LiveRange(life.start, life.end),
        alignment,
        fixed,
        hint,
        life.gaps,
        names(members, mask),
        withinBank);
  }

  private static Certificate.Contradiction contradiction(List<Integer> members, String sentence) {
    return new Certificate.Contradiction(
        members.stream().mapToInt(Integer::intValue).toArray(), sentence);
  }

  private static String brokenAlignment(Buffer buffer, long alignment) {
    return ("buffer \"%s\", by itself or by those placed together with it, is "
            + "fixed at no multiple of the alignment %s")
        .formatted(buffer.id(), alignment);
  }

  private List<String> names(List<Integer> members, long mask) {
    List<String> wanted = original.buffer(members.get(0)).memories();
    List<String> names = new ArrayList<>();
    for (String name : wanted) {
      if ((mask >> index(name) & 1) != 0) {
        names.add(name);
      }
    }
    for (int m = 0; m < original.memories().size(); m++) {
      String name = original.memories().get(m).name();
      if ((mask >> m & 1) != 0 && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private int index(String memory) {
    int m = 0;
    while (!original.memories().get(m).name().equals(memory)) {
      m++;
    }
    return m;
  }

  /** Whether buffers of one group get along at their distances; sets the obstacle where not. */
  private boolean checkInside(List<Integer> members) {
    for (int a = 0; a < members.size(); a++) {
      for (int b = a + 1; b < members.size(); b++) {
        int i = members.get(a);
        int j = members.get(b);
        if (clash(i, j)) {
          obstacle =
              contradiction(
                  members,
                  ("buffers \"%s\" and \"%s\" share bytes at the distances that buffers "
                          + "are kept together at, and may not")
                      .formatted(original.buffer(i).id(), original.buffer(j).id()));
          return false;
        }
      }
    }
    return true;
  }

  private boolean clash(int i, int j) {
    Buffer one = original.buffer(i);
    Buffer other = original.buffer(j);
    long at = groups.shift()[i];
    long there = groups.shift()[j];
    if (!one.needsMemory()
        || !other.needsMemory()
        || Math.max(at, there) >= Math.min(at + one.size(), there + other.size())) {
      return false;
    }
    if (original.conflicts().contains(i, j)) {
      return true;
    }
    if (!original.meet(i, j)) {
      return false;
    }
    for (Buffer.Span a : one.spans()) {
      for (Buffer.Span b : other.spans()) {
        if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())
            && Math.max(at + a.low(), there + b.low())
                < Math.min(at + a.high(), there + b.high())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The joint life: from the first step to the last, with gaps and windows. */
  private record Life(int start, int end, List<Gap> gaps) {}

  private Life life(List<Integer> members, long size, int first, int last) {
    TreeSet<Integer> steps = new TreeSet<>();
    for (int i : members) {
      for (Buffer.Span span : alone(original.buffer(i), first, last).spans()) {
        steps.add(span.start());
        steps.add(span.end());
      }
    }
    if (steps.isEmpty()) {
      int start = original.buffer(members.get(0)).live().start();
      boolean needed = members.stream().anyMatch(i -> original.buffer(i).needsMemory());
      return needed
          ? new Life(first, first + 1, List.of(Gap.empty(first, first + 1)))
          : new Life(start, start, List.of());
    }
    Integer[] cuts = steps.toArray(Integer[]::new);
    List<Gap> gaps = new ArrayList<>();
    for (int c = 0; c + 1 < cuts.length; c++) {
      long[] window = window(members, cuts[c], first, last);
      if (window[0] == 0 && window[1] == size) {
        continue;
      }
      Gap before = gaps.isEmpty() ? null : gaps.get(gaps.size() - 1);
      if (before != null
          && before.range().end() == cuts[c]
          && before.windowStart() == window[0]
          && before.windowEnd() == window[1]) {
        gaps.remove(gaps.size() - 1);
        LiveRange range = new LiveRange(before.range().start(), cuts[c + 1]);
        gaps.add(new Gap(range, window[0], window[1]));
      } else {
        gaps.add(new Gap(new LiveRange(cuts[c], cuts[c + 1]), window[0], window[1]));
      }
    }
    return new Life(cuts[0], cuts[cuts.length - 1], gaps);
  }

  /** The bytes that the members alive at a step need, relative to the group; 0, 0 for none. */
  private long[] window(List<Integer> members, int step, int first, int last) {
    List<long[]> needed = new ArrayList<>();
    for (int i : members) {
      for (Buffer.Span span : alone(original.buffer(i), first, last).spans()) {
        if (span.start() <= step && step < span.end()) {
          needed.add(new long[] {groups.shift()[i] + span.low(), groups.shift()[i] + span.high()});
        }
      }
    }
    needed.sort((one, other) -> Long.compare(one[0], other[0]));
    long low = needed.isEmpty() ? 0 : needed.get(0)[0];
    long high = needed.isEmpty() ? 0 : needed.get(0)[1];
    for (long[] range : needed) {
      exact &= range[0] <= high; // a hole between the members is closed to others
      high = Math.max(high, range[1]);
    }
    return new long[] {low, high};
  }

  private ConflictPairs conflicts(List<List<Integer>> members, int count) {
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
          exact &= spansGroup(i, members) && spansGroup(j, members);
        }
      }
    }
    return ConflictPairs.of(count, pairs);
  }

  private boolean spansGroup(int i, List<List<Integer>> members) {
    for (int other : members.get(groups.leader()[i])) {
      long end = groups.shift()[other] + original.buffer(other).size();
      if (original.buffer(other).needsMemory() && end > original.buffer(i).size()) {
        return false;
      }
    }
    return groups.shift()[i] == 0;
  }

  private void addReserved(
      Memory memory, int m, boolean one, int first, int last, List<Buffer> buffers) {
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
          new Buffer(
              id,
              to - from,
              new LiveRange(first, last),
              1,
              from,
              Buffer.NONE,
              List.of(),
              List.of(memory.name()),
              false));
      reservedTop[m] = Math.max(reservedTop[m], to);
    }
  }

  @Override
  public String toString() {
    return "plain form of " + original.name() + (exact ? "" : ", stricter");
  }
}
