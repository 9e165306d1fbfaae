package stowage.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Buffers kept together as one buffer, which spans all of them that need memory; at each step its
 * gap or window leaves what the members alive then need. A buffer that is together with none is its
 * own joint buffer, alive at all steps where it holds its place.
 */
final class JoinedBuffer {
  private final PackingProblem original;
  private final Relations.Groups groups;
  private final List<Integer> members;
  private final LiveRange steps;
  private final Buffer buffer;
  private boolean exact = true;
  private String refusal;
  private Certificate.Contradiction obstacle;

  /** Joins buffers of a problem whose steps reach from its first to its last. */
  JoinedBuffer(
      PackingProblem original, Relations.Groups groups, List<Integer> members, LiveRange steps) {
    this.original = original;
    this.groups = groups;
    this.members = members;
    this.steps = steps;
    this.buffer = members.size() == 1 ? alone(original.buffer(members.get(0)), steps) : joined();
  }

  /** The joint buffer; null where there is a refusal or an obstacle. */
  Buffer buffer() {
    return buffer;
  }

  /** Whether the joint buffer takes no byte that the members leave to others. */
  boolean isExact() {
    return exact;
  }

  /** What one buffer cannot say of the members, or null. */
  String refusal() {
    return refusal;
  }

  /** Why the members have no place, or null. */
  Certificate.Contradiction obstacle() {
    return obstacle;
  }

  /** Why the joint buffer, fixed at no multiple of an alignment, has no place. */
  Certificate.Contradiction brokenAlignment(long alignment) {
    String what =
        "buffer \"%s\", by itself or by those placed together with it, is fixed at no multiple of"
            + " the alignment %s";
    return contradiction(what, original.buffer(members.get(0)).id(), alignment);
  }

  /** Whether a member alone reaches from the lowest byte of the group to the highest. */
  boolean isSpannedBy(int member) {
    for (int other : members) {
      long end = shift(other) + original.buffer(other).size();
      if (original.buffer(other).needsMemory() && end > original.buffer(member).size()) {
        return false;
      }
    }
    return shift(member) == 0;
  }

  private long shift(int member) {
    return groups.shift()[member];
  }

  private static Buffer alone(Buffer buffer, LiveRange steps) {
    return buffer.holdsPlace()
        ? buffer.withGaps(List.of()).withLive(steps.start(), steps.end()).holdsPlace(false)
        : buffer;
  }

  private Certificate.Contradiction contradiction(String sentence, Object... values) {
    return new Certificate.Contradiction(
        members.stream().mapToInt(Integer::intValue).toArray(), sentence.formatted(values));
  }

  private Buffer joined() {
    long size = 0;
    long alignment = 1;
    long fixed = Buffer.NONE;
    long hint = Buffer.NONE;
    boolean withinBank = false;
    long boundSize = 0;
    for (int i : members) {
      Buffer member = original.buffer(i);
      if (shift(i) % member.alignment() != 0) {
        refusal = "distances that are no multiple of an alignment";
        return null;
      }
      // What needs no memory takes none; only a bank holds it, where it has to stay within one.
      boolean counts = member.needsMemory() || member.withinBank();
      size = counts ? Math.max(size, shift(i) + member.size()) : size;
      exact &= member.needsMemory() || !member.withinBank() || member.size() == 0;
      alignment = Rounding.lcm(alignment, member.alignment());
      if (member.isFixed()) {
        long base = member.fixedOffset() - shift(i);
        if (base < 0 || (fixed != Buffer.NONE && fixed != base)) {
          String what =
              "buffer \"%s\", fixed at %s, cannot be placed together with the others at the given"
                  + " distances";
          obstacle = contradiction(what, member.id(), member.fixedOffset());
          return null;
        }
        fixed = base;
      }
      if (member.hint() != Buffer.NONE && hint == Buffer.NONE && member.hint() >= shift(i)) {
        hint = member.hint() - shift(i);
      }
      if (member.withinBank()) {
        withinBank = true;
        boundSize = Math.max(boundSize, member.size());
      }
    }
    exact &= !withinBank || boundSize == size;
    Buffer leader = original.buffer(members.get(0));
    List<String> memories = memories(leader);
    if (memories.isEmpty()) {
      String what =
          "buffer \"%s\" and those together with it break the alignment of every memory they are"
              + " allowed in";
      obstacle = contradiction(what, leader.id());
    } else if (fixed != Buffer.NONE && fixed % alignment != 0) {
      obstacle = brokenAlignment(alignment);
    } else {
      obstacle = clash();
    }
    if (obstacle != null) {
      return null;
    }
    Life life = life(size);
    LiveRange live = new LiveRange(life.start, life.end);
    return new Buffer(
        leader.id(), size, live, alignment, fixed, hint, life.gaps, memories, withinBank);
  }

  private List<String> memories(Buffer leader) {
    List<String> names = new ArrayList<>(leader.memories());
    List<String> admitted = new ArrayList<>();
    for (int m = 0; m < original.memories().size(); m++) {
      Memory memory = original.memories().get(m);
      int at = m;
      if (members.stream()
          .allMatch(i -> original.allows(i, at) && shift(i) % memory.alignment() == 0)) {
        admitted.add(memory.name());
      }
    }
    names.retainAll(admitted);
    admitted.removeAll(names);
    names.addAll(admitted);
    return names;
  }

  private Certificate.Contradiction clash() {
    for (int a = 0; a < members.size(); a++) {
      for (int b = a + 1; b < members.size(); b++) {
        int i = members.get(a);
        int j = members.get(b);
        if (clash(i, j)) {
          String what =
              "buffers \"%s\" and \"%s\" share bytes at the distances that buffers are kept"
                  + " together at, and may not";
          return contradiction(what, original.buffer(i).id(), original.buffer(j).id());
        }
      }
    }
    return null;
  }

  private boolean clash(int i, int j) {
    Buffer one = original.buffer(i);
    Buffer other = original.buffer(j);
    long at = shift(i);
    long there = shift(j);
    if (!one.needsMemory()
        || !other.needsMemory()
        || Math.max(at, there) >= Math.min(at + one.size(), there + other.size())) {
      return false;
    }
    return original.conflicts().contains(i, j)
        || original.meet(i, j) && one.clashes(at, other, there);
  }

  /** The joint live range: from the first step to the last, with gaps and windows. */
  private record Life(int start, int end, List<Gap> gaps) {}

  private Life life(long size) {
    TreeSet<Integer> borders = new TreeSet<>();
    for (int i : members) {
      for (Buffer.Span span : alone(original.buffer(i), steps).spans()) {
        borders.add(span.start());
        borders.add(span.end());
      }
    }
    if (borders.isEmpty()) {
      int start = original.buffer(members.get(0)).live().start();
      boolean needed = members.stream().anyMatch(i -> original.buffer(i).needsMemory());
      int first = steps.start();
      return needed
          ? new Life(first, first + 1, List.of(Gap.empty(first, first + 1)))
          : new Life(start, start, List.of());
    }
    Integer[] cuts = borders.toArray(Integer[]::new);
    List<Gap> gaps = new ArrayList<>();
    for (int c = 0; c + 1 < cuts.length; c++) {
      long[] window = window(cuts[c]);
      if (window[0] == 0 && window[1] == size) {
        continue;
      }
      int start = cuts[c];
      Gap before = gaps.isEmpty() ? null : gaps.get(gaps.size() - 1);
      if (before != null
          && before.range().end() == start
          && before.windowStart() == window[0]
          && before.windowEnd() == window[1]) {
        start = gaps.remove(gaps.size() - 1).range().start();
      }
      gaps.add(new Gap(new LiveRange(start, cuts[c + 1]), window[0], window[1]));
    }
    return new Life(cuts[0], cuts[cuts.length - 1], gaps);
  }

  /** The bytes that the members alive at a step need, relative to the group; 0, 0 for none. */
  private long[] window(int step) {
    List<long[]> needed = new ArrayList<>();
    for (int i : members) {
      Buffer.Span span = alone(original.buffer(i), steps).spanAt(step);
      if (span != null) {
        needed.add(new long[] {shift(i) + span.low(), shift(i) + span.high()});
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
}
