package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pairs of buffers a problem says something about, beyond live ranges and {@linkplain
 * PackingProblem#conflicts() extra conflicts}: reuse that has a price, buffers kept together,
 * buffers that are never alive at once although their live ranges say so, and buffers kept in
 * different banks. Buffers are indices into the problem. Immutable.
 *
 * <p>Buffers kept together, directly or through others, form a <em>group</em>: the offset of one
 * gives those of all. Example: with {@code (a, b, 16)} and {@code (c, b, 0)} the group of a, b and
 * c has the shifts 0, 16 and 16.
 *
 * @param reuse the pairs whose sharing of addresses has a price, sorted, no pair twice
 * @param together the pairs a fixed distance apart
 * @param exclusive the pairs that are never alive at once although their live ranges may overlap
 * @param otherBank the pairs that share no bank where their memory has banks, whatever their live
 *     ranges
 */
public record Relations(
    List<Reuse> reuse, List<Together> together, ConflictPairs exclusive, ConflictPairs otherBank) {
  private static final Relations NONE =
      new Relations(List.of(), List.of(), ConflictPairs.none(), ConflictPairs.none());

  /**
   * A price for letting two buffers share addresses. It is paid when they are in one memory, some
   * address belongs to both, and there is no step at which both need memory.
   *
   * @param first one buffer's index, the smaller one
   * @param second the other's
   * @param weight what it costs, 1 or more
   * @param reason why it costs that, in a few words; empty when nothing is said
   */
  public record Reuse(int first, int second, long weight, String reason) {
    /** Orders the pair and checks the weight. */
    public Reuse {
      if (weight < 1 || weight > MOST_WEIGHT) {
        throw new InvalidProblemException(
            "a reuse weight of " + weight + " should be 1 to " + MOST_WEIGHT);
      }
      if (first > second) {
        int swap = first;
        first = second;
        second = swap;
      }
      reason = reason == null ? "" : reason;
    }

    public Reuse(int first, int second, long weight) {
      this(first, second, weight, "");
    }

    private Reuse and(Reuse other) {
      boolean same = other.reason.isEmpty() || reason.equals(other.reason);
      String reasons = reason.isEmpty() ? other.reason : reason + (same ? "" : "; " + other.reason);
      return new Reuse(first, second, weight + other.weight, reasons);
    }
  }

  /** The largest weight of one pair; sums of a million of them stay within a {@code long}. */
  public static final long MOST_WEIGHT = 1L << 40;

  /**
   * Two buffers of which one is a fixed distance from the other, in the same memory. They may share
   * bytes while both are alive.
   *
   * @param first one buffer's index
   * @param second the other's
   * @param distance the second's offset less the first's, in bytes; 0 puts both at one offset
   */
  public record Together(int first, int second, long distance) {
    /** Checks that the distance is one that offsets can have. */
    public Together {
      if (Math.abs(distance) > PackingProblem.LARGEST_SUM) {
        throw new InvalidProblemException(
            "a distance of " + distance + " should be at most " + PackingProblem.LARGEST_SUM);
      }
    }
  }

  /** {@return no relations} */
  public static Relations none() {
    return NONE;
  }

  /** {@return the same with other reuse pairs, sorted, the weights of equal pairs added up} */
  public Relations withReuse(List<Reuse> pairs) {
    Map<Long, Reuse> sums = new HashMap<>();
    for (Reuse pair : pairs) {
      sums.merge((long) pair.first() << 32 | pair.second(), pair, Reuse::and);
    }
    Comparator<Reuse> byPair =
        Comparator.comparingInt(Reuse::first).thenComparingInt(Reuse::second);
    return new Relations(
        sums.values().stream().sorted(byPair).toList(), together, exclusive, otherBank);
  }

  /** {@return the same with other pairs kept together} */
  public Relations withTogether(List<Together> pairs) {
    return new Relations(reuse, List.copyOf(pairs), exclusive, otherBank);
  }

  /**
   * {@return the same with other pairs that are never alive at once, whatever their live ranges
   * say}
   */
  public Relations withExclusive(ConflictPairs pairs) {
    return new Relations(reuse, together, pairs, otherBank);
  }

  /** {@return the same with other pairs that share no bank where their memory has banks} */
  public Relations withOtherBank(ConflictPairs pairs) {
    return new Relations(reuse, together, exclusive, pairs);
  }

  /** The relations among some buffers, by their places in an order; -1 for those not in it. */
  Relations select(int[] order, int[] place) {
    if (isEmpty()) {
      return NONE;
    }
    List<Reuse> priced =
        reuse.stream()
            .filter(pair -> place[pair.first] >= 0 && place[pair.second] >= 0)
            .map(p -> new Reuse(place[p.first], place[p.second], p.weight, p.reason))
            .toList();
    List<Together> kept =
        together.stream()
            .filter(pair -> place[pair.first] >= 0 && place[pair.second] >= 0)
            .map(pair -> new Together(place[pair.first], place[pair.second], pair.distance))
            .sorted(Comparator.comparingInt(Together::first).thenComparingInt(Together::second))
            .toList();
    return new Relations(
            List.of(), kept, exclusive.select(order, place), otherBank.select(order, place))
        .withReuse(priced);
  }

  /** {@return whether nothing here constrains a placement; reuse pairs only have a price} */
  public boolean constrainNothing() {
    return together.isEmpty() && exclusive.isEmpty() && otherBank.isEmpty();
  }

  /** {@return whether there is nothing at all} */
  public boolean isEmpty() {
    return reuse.isEmpty() && constrainNothing();
  }

  /** {@return whether the two are named as together, directly} O(pairs). */
  public boolean areTogether(int first, int second) {
    for (Together pair : together) {
      if (pair.first() == first && pair.second() == second
          || pair.first() == second && pair.second() == first) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether two buffers, exclusive or kept together, may share bytes while alive} */
  public boolean mayShare(int first, int second) {
    return exclusive.contains(first, second) || areTogether(first, second);
  }

  /**
   * The groups of buffers that are together.
   *
   * @param leader for each buffer the smallest index of its group
   * @param shift for each buffer its offset less the lowest offset of its group, in bytes
   */
  public record Groups(int[] leader, long[] shift) {}

  /** {@return the groups of buffers; fails where distances contradict each other} O(n + pairs). */
  public Groups groups(int buffers) {
    int[] leader = new int[buffers];
    long[] shift = new long[buffers];
    Map<Integer, List<Together>> of = new HashMap<>();
    Arrays.fill(leader, -1);
    for (Together pair : together) {
      for (int end : new int[] {pair.first(), pair.second()}) {
        of.computeIfAbsent(end, none -> new ArrayList<>()).add(pair);
      }
    }
    int[] queue = new int[buffers];
    for (int i = 0; i < buffers; i++) {
      if (leader[i] >= 0) {
        continue;
      }
      leader[i] = i;
      queue[0] = i;
      int count = 1;
      long lowest = 0;
      for (int k = 0; k < count; k++) {
        int at = queue[k];
        for (Together pair : of.getOrDefault(at, List.of())) {
          int next = pair.first() == at ? pair.second() : pair.first();
          long place = shift[at] + (pair.first() == at ? pair.distance() : -pair.distance());
          if (leader[next] < 0) {
            leader[next] = i;
            shift[next] = place;
            lowest = Math.min(lowest, place);
            queue[count++] = next;
          } else if (shift[next] != place) {
            long found = shift[pair.second()] - shift[pair.first()];
            throw new InvalidProblemException(
                ("together: the distances between buffers %s and %s contradict each "
                        + "other; by one way it is %s, by another %s")
                    .formatted(pair.first(), pair.second(), pair.distance(), found));
          }
        }
      }
      for (int k = 0; k < count; k++) {
        shift[queue[k]] -= lowest;
      }
    }
    return new Groups(leader, shift);
  }
}
