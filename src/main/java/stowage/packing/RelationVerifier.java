package stowage.packing;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The part of the {@link Verifier} that checks relations between buffers: what is kept together is
 * together, other banks are other banks, and where some pairs may share bytes all others do not.
 * Each pair is looked at by itself, by the definitions alone.
 */
final class RelationVerifier {
  private RelationVerifier() {}

  /**
   * Adds the first overlap of two buffers that are alive at once and may not share bytes. Used
   * where some may, so that no order of addresses can be relied on. Pairs of one address range that
   * start before the other ends are looked at: O(n log n + such pairs).
   */
  static void checkOverlaps(PackingProblem problem, Placement placement, List<Violation> found) {
    int[] byOffset =
        IndexOrder.of(
            IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).needsMemory()),
            Comparator.comparingLong(placement::offset));
    for (int a = 0; a < byOffset.length; a++) {
      int i = byOffset[a];
      long end = placement.offset(i) + problem.buffer(i).size();
      for (int b = a + 1; b < byOffset.length && placement.offset(byOffset[b]) < end; b++) {
        int j = byOffset[b];
        if (placement.memory(i) == placement.memory(j) && clash(problem, placement, i, j, found)) {
          return;
        }
      }
    }
  }

  private static boolean clash(
      PackingProblem problem, Placement placement, int i, int j, List<Violation> found) {
    Buffer one = problem.buffer(i);
    Buffer other = problem.buffer(j);
    boolean holds = one.holdsPlace() || other.holdsPlace();
    boolean meet = one.live().overlaps(other.live());
    if (!holds && (!meet || problem.relations().mayShare(i, j))) {
      return false;
    }
    for (Buffer.Span a : one.spans()) {
      for (Buffer.Span b : other.spans()) {
        long low = Math.max(placement.offset(i) + a.low(), placement.offset(j) + b.low());
        long high = Math.min(placement.offset(i) + a.high(), placement.offset(j) + b.high());
        int step = Math.max(a.start(), b.start());
        if (low < high && step < Math.min(a.end(), b.end())) {
          String when = holds ? "; one of them holds its place at every step" : " at step " + step;
          String text =
              "buffers \"%s\" and \"%s\" overlap in bytes [%s, %s)%s"
                  .formatted(one.id(), other.id(), low, high, when);
          found.add(new Violation(Violation.Kind.OVERLAP, List.of(i, j), step, low, high, text));
          return true;
        }
      }
    }
    return false;
  }

  static void checkRelations(PackingProblem problem, Placement placement, List<Violation> found) {
    for (Relations.Together pair : problem.relations().together()) {
      int i = pair.first();
      int j = pair.second();
      long distance = placement.offset(j) - placement.offset(i);
      boolean apart = placement.memory(i) != placement.memory(j);
      if (apart || distance != pair.distance()) {
        String but = apart ? "are in different memories" : "lie " + distance + " bytes apart";
        String text = "should be in one memory, %s bytes apart, but %s";
        text = text.formatted(pair.distance(), but);
        found.add(ofPair(Violation.Kind.TOGETHER, problem, placement, i, j, text));
        return;
      }
    }
    ConflictPairs pairs = problem.relations().otherBank();
    for (int i = 0; i < problem.size() && !pairs.isEmpty(); i++) {
      for (int j : pairs.of(i)) {
        if (i < j && shareBank(problem, placement, i, j)) {
          long bank = problem.memories().get(placement.memory(i)).bankSize();
          long shared = Math.max(placement.offset(i), placement.offset(j)) / bank;
          String text = "should be in different banks of %s bytes, but both touch bank %s";
          text = text.formatted(bank, shared);
          found.add(ofPair(Violation.Kind.OTHER_BANK, problem, placement, i, j, text));
          return;
        }
      }
    }
  }

  private static Violation ofPair(
      Violation.Kind kind, PackingProblem problem, Placement at, int i, int j, String what) {
    String ids = "buffers \"%s\" and \"%s\" ";
    String text = ids.formatted(problem.buffer(i).id(), problem.buffer(j).id()) + what;
    return new Violation(kind, List.of(i, j), -1, at.offset(i), at.offset(j), text);
  }

  private static boolean shareBank(PackingProblem problem, Placement placement, int i, int j) {
    long bank = problem.memories().get(placement.memory(i)).bankSize();
    if (placement.memory(i) != placement.memory(j)
        || bank == 0
        || !problem.buffer(i).needsMemory()
        || !problem.buffer(j).needsMemory()) {
      return false;
    }
    long one = placement.offset(i);
    long other = placement.offset(j);
    return Math.max(one, other) / bank
        <= Math.min(one + problem.buffer(i).size() - 1, other + problem.buffer(j).size() - 1)
            / bank;
  }
}
