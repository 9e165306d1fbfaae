package stowage.packing;

/**
 * Room in one memory in which all buffers that may be in it can be above each other: a height that
 * a plan with the least peak, or with the least price of reuse, does not have to exceed.
 *
 * <p>Buffers kept together move as one. Where such a group can begin depends on the remainders that
 * alignments and banks leave at its members' distances, and these repeat with the least common
 * multiple of all of them. So above whatever is fixed or reserved, a group needs at most that
 * multiple and the bytes from its lowest to its highest offset.
 *
 * <p>Example: three buffers of 1 byte at alignments 7, 11 and 13, distances 1 and 2: the lowest one
 * begins at 791 at the earliest, and somewhere below any 1,001 bytes further up.
 */
public final class StackedRoom {
  /** More than any sum of sizes, and far below what would overflow. */
  public static final long LARGEST = Long.MAX_VALUE / 4;

  private StackedRoom() {}

  /**
   * {@return bytes within which every placement can be brought, capacity aside; {@link #LARGEST}
   * where that is not known to be enough} O(n + pairs).
   *
   * @param wholeBanks whether the banks that buffers touch count, so that all move by whole periods
   */
  public static long of(PackingProblem problem, int memory, boolean wholeBanks) {
    Relations.Groups groups = problem.relations().groups(problem.size());
    boolean otherBanks = wholeBanks || !problem.relations().otherBank().isEmpty();
    int n = problem.size();
    long[] period = new long[n];
    long[] extent = new long[n];
    boolean[] banked = new boolean[n];
    var reserved = problem.memories().get(memory).reserved();
    long floor = reserved.stream().mapToLong(ReservedRange::to).max().orElse(0);
    for (int i = 0; i < n; i++) {
      if (!problem.allows(i, memory)) {
        continue;
      }
      Buffer buffer = problem.buffer(i);
      int leader = groups.leader()[i];
      period[leader] = Rounding.lcm(Math.max(1, period[leader]), problem.alignment(i, memory));
      extent[leader] = Math.max(extent[leader], sum(groups.shift()[i], buffer.size()));
      banked[leader] |= otherBanks || buffer.withinBank();
    }
    for (int i = 0; i < n; i++) {
      if (problem.buffer(i).isFixed() && problem.allows(i, memory)) {
        floor = Math.max(floor, sum(problem.buffer(i).fixedOffset(), extent[groups.leader()[i]]));
      }
    }
    long bank = problem.memories().get(memory).bankSize();
    long common = 1;
    for (int i = 0; i < n; i++) {
      if (banked[i] && bank > 0) {
        period[i] = Rounding.lcm(period[i], bank);
        extent[i] = sum(extent[i], bank);
      }
      common = period[i] > 0 ? Rounding.lcm(common, period[i]) : common;
    }
    long room = floor;
    for (int i = 0; i < n; i++) {
      if (period[i] > 0) {
        room = sum(room, sum(extent[i], wholeBanks ? sum(common, common) : period[i]));
      }
    }
    return room;
  }

  private static long sum(long one, long other) {
    return one >= LARGEST - other ? LARGEST : one + other;
  }
}
