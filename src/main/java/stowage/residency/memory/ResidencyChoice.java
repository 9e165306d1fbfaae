package stowage.residency.memory;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a residency plan decides before addresses, for each item and event.
 *
 * @param uses the way each event is served; each begins where the value is after the one before
 * @param early how many steps before the event its new places are taken, so that transfers run
 *     alongside the ops of these steps
 * @param late how many steps longer places that end with the event are held, so that they can be
 *     written out while ops run
 */
public record ResidencyChoice(Access[][] uses, int[][] early, int[][] late) {
  /** A choice without places held for transfers. */
  public static ResidencyChoice of(Access[][] uses) {
    int[][] none = new int[uses.length][];
    Arrays.setAll(none, i -> new int[uses[i].length]);
    int[][] late = new int[uses.length][];
    Arrays.setAll(late, i -> new int[uses[i].length]);
    return new ResidencyChoice(uses, none, late);
  }

  /**
   * The ways of least price whose places in one fast memory are those of a rule, as far as ops
   * allow; other fast memories are used where an op or a link needs them. Null where a buffer has
   * no way at all.
   *
   * @param fast whether the buffer is in its fast memory at each event
   * @param kept whether it stays there until the next event
   * @param memory number of the fast memory of each buffer
   */
  public static ResidencyChoice like(
      AccessTable table, boolean[][] fast, boolean[][] kept, int[] memory) {
    long wrong = 1L << 56;
    Access[][] uses = new Access[fast.length][];
    for (int i = 0; i < fast.length; i++) {
      boolean[] at = fast[i];
      boolean[] stays = kept[i];
      int m = memory[i];
      int levels = table.problem().levels(table.problem().items().get(i));
      boolean byTime = table.problem().byTime();
      uses[i] =
          table.cheapest(
              i,
              (e, use) -> {
                boolean differs =
                    m < levels
                        && ((use.held() >> m & 1) != 0 != at[e]
                            || (use.after() >> m & 1) != 0 != stays[e]);
                int others = (1 << levels) - 1 & ~(1 << m);
                int places =
                    Integer.bitCount(use.held() & others) + Integer.bitCount(use.after() & others);
                return (differs ? wrong : 0) + ((long) places << 48) + use.price(byTime);
              });
      if (uses[i] == null) {
        return null;
      }
    }
    return of(uses);
  }

  /** Number of the memory in which each item is used at each event. */
  public int[][] access() {
    int[][] access = new int[uses.length][];
    Arrays.setAll(access, i -> Arrays.stream(uses[i]).mapToInt(Access::access).toArray());
    return access;
  }

  /** Bytes of the transfers, and of accesses outside of what ops compute from. */
  public long bytes() {
    return Arrays.stream(uses).flatMap(Arrays::stream).mapToLong(Access::bytes).sum();
  }

  /** Bytes in use of each fast memory at each step. */
  public long[][] loads(ResidencyProblem problem) {
    long[][] loads = new long[problem.map().fastCount()][];
    Arrays.setAll(loads, problem::pinned);
    for (int i = 0; i < uses.length; i++) {
      add(problem, loads, i, 1);
    }
    return loads;
  }

  /** Adds the places of an item to loads, or takes them off with a sign of -1. */
  void add(ResidencyProblem problem, long[][] loads, int i, int sign) {
    HeldBuffer item = problem.items().get(i);
    long bytes = sign * item.bytes();
    for (int e = 0; e < uses[i].length; e++) {
      Access use = uses[i][e];
      int step = item.events().get(e).step();
      for (int m = 0; m < problem.levels(item); m++) {
        if ((use.held() >> m & 1) != 0) {
          loads[m][step] += bytes;
          for (int t = 1; t <= early[i][e] && isTaken(i, e, m); t++) {
            loads[m][step - t] += bytes;
          }
          for (int t = 1; t <= late[i][e] && isGivenUp(i, e, m); t++) {
            loads[m][step + t] += bytes;
          }
        }
        int next = e + 1 < uses[i].length ? item.events().get(e + 1).step() : step;
        for (int t = step + 1; (use.after() >> m & 1) != 0 && t < next; t++) {
          loads[m][t] += bytes;
        }
      }
    }
  }

  /** Whether an event begins a place in a memory. */
  boolean isTaken(int i, int e, int m) {
    return (uses[i][e].held() >> m & 1) != 0 && (uses[i][e].before() >> m & 1) == 0;
  }

  /** Whether an event ends a place in a memory. */
  boolean isGivenUp(int i, int e, int m) {
    return (uses[i][e].held() >> m & 1) != 0
        && (e + 1 == uses[i].length || (uses[i][e].after() >> m & 1) == 0);
  }

  /** Whether each memory holds what is there at once. */
  public boolean fits(ResidencyProblem problem) {
    long[][] loads = loads(problem);
    return IntStream.range(0, loads.length)
        .allMatch(
            m -> Arrays.stream(loads[m]).max().orElse(0) <= problem.map().space(m).capacity());
  }

  /** The same choice without places held for transfers. */
  public ResidencyChoice plain() {
    return of(uses);
  }

  /**
   * The same choice with more places held for transfers, wherever the capacities allow, in the
   * order of steps and so many steps early or longer at most; for maps with a DMA channel.
   */
  public ResidencyChoice overlapped(ResidencyProblem problem, int most) {
    ResidencyChoice made = of(uses);
    for (int i = 0; i < uses.length; i++) {
      System.arraycopy(early[i], 0, made.early[i], 0, uses[i].length);
      System.arraycopy(late[i], 0, made.late[i], 0, uses[i].length);
    }
    long[][] loads = made.loads(problem);
    int given =
        Stream.of(early, late).flatMap(Stream::of).flatMapToInt(Arrays::stream).max().orElse(0);
    boolean more = true;
    for (int round = 1; round <= most && (more || round <= given + 1); round++) {
      more = false;
      for (int i = 0; i < uses.length; i++) {
        HeldBuffer item = problem.items().get(i);
        for (int e = 0; e < uses[i].length; e++) {
          int step = item.events().get(e).step();
          int from = e == 0 ? -1 : item.events().get(e - 1).step() + made.late[i][e - 1];
          if (made.early[i][e] == round - 1
              && !uses[i][e].inward().isEmpty()
              && step - round > from
              && made.hold(problem, loads, i, e, step - round, true)) {
            made.early[i][e] = round;
            more = true;
          }
          int to = item.nextStep(e, problem.steps());
          if (e + 1 < uses[i].length) {
            to += isBesideNext(item, e, uses[i][e], uses[i][e + 1]) ? 1 : -made.early[i][e + 1];
          }
          if (made.late[i][e] == round - 1
              && !uses[i][e].outward().isEmpty()
              && step + round < to
              && made.hold(problem, loads, i, e, step + round, false)) {
            made.late[i][e] = round;
            more = true;
          }
        }
      }
    }
    return made;
  }

  /** Whether transfers out may run alongside the next event: its op reads what stays in place. */
  public static boolean isBesideNext(HeldBuffer item, int e, Access use, Access next) {
    return !item.writes(e + 1)
        && next.inward().isEmpty()
        && (use.held() & ~(use.after() & next.held())) == 0
        && use.outward().stream().noneMatch(hop -> hop.to() == next.access());
  }

  /** Holds the places that an event begins or ends at one more step, where memories have room. */
  private boolean hold(
      ResidencyProblem problem, long[][] loads, int i, int e, int step, boolean before) {
    long bytes = problem.items().get(i).bytes();
    int levels = problem.levels(problem.items().get(i));
    for (int m = 0; m < levels; m++) {
      boolean moves = before ? isTaken(i, e, m) : isGivenUp(i, e, m);
      if (moves && loads[m][step] + bytes > problem.map().space(m).capacity()) {
        return false;
      }
    }
    for (int m = 0; m < levels; m++) {
      loads[m][step] += (before ? isTaken(i, e, m) : isGivenUp(i, e, m)) ? bytes : 0;
    }
    return true;
  }
}
