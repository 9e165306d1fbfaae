package stowage.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Verifier of objects and bounds of their total against the problem definition. It shares no code
 * with what makes them, and takes conflicts from the buffers again.
 */
public final class ObjectVerifier {
  private ObjectVerifier() {}

  /**
   * {@return what is wrong with an assignment, in a sentence; empty when nothing is} O(n log n +
   * extra conflicts).
   *
   * @param objectOf the object of each item, any numbers
   * @param total the claimed sum of the objects' sizes, in bytes
   */
  public static Optional<String> fault(ObjectProblem given, int[] objectOf, long total) {
    if (objectOf.length != given.count()) {
      return Optional.of(objectOf.length + " items assigned of " + given.count());
    }
    int[] wrong = sharingPair(given, objectOf);
    if (wrong != null) {
      return Optional.of(
          "%s and %s share object %s"
              .formatted(name(given, wrong[0]), name(given, wrong[1]), objectOf[wrong[0]]));
    }
    Map<Integer, Long> largest = new HashMap<>();
    for (int item = 0; item < objectOf.length; item++) {
      largest.merge(objectOf[item], given.size(item), Math::max);
    }
    long sum = largest.values().stream().mapToLong(Long::longValue).sum();
    return sum == total
        ? Optional.empty()
        : Optional.of("the objects add up to " + sum + " bytes, not " + total);
  }

  private static int[] sharingPair(ObjectProblem given, int[] objectOf) {
    int[] itemOf = new int[given.problem().size()];
    Arrays.fill(itemOf, -1);
    for (int item = 0; item < objectOf.length; item++) {
      itemOf[given.buffer(item)] = item;
    }
    int[] order =
        IndexOrder.of(
            IntStream.range(0, objectOf.length),
            Comparator.comparingInt((Integer item) -> objectOf[item])
                .thenComparingInt(item -> life(given, item).start()));
    // Within an object, live ranges are free of overlaps where none begins before one of them ends.
    int first = -1;
    int last = -1;
    for (int item : order) {
      if (first < 0 || objectOf[first] != objectOf[item]) {
        first = item;
        last = -1;
      }
      if (given.kind(first) != given.kind(item)) {
        return new int[] {first, item};
      }
      for (int buffer : given.problem().conflicts().of(given.buffer(item))) {
        if (itemOf[buffer] >= 0 && objectOf[itemOf[buffer]] == objectOf[item]) {
          return new int[] {itemOf[buffer], item};
        }
      }
      if (!life(given, item).isEmpty()) {
        if (last >= 0 && life(given, item).start() < life(given, last).end()) {
          return new int[] {last, item};
        }
        last = item;
      }
    }
    return null;
  }

  private static LiveRange life(ObjectProblem given, int item) {
    return given.problem().buffer(given.buffer(item)).live();
  }

  /**
   * {@return the total that sets of items prove, each set of items of which every two conflict}
   * Such a set needs as many objects as it has items; so the k-th largest object is no smaller than
   * the k-th largest item of any set, and the largest of these add up.
   *
   * @throws IllegalArgumentException naming two items of a set that do not conflict
   */
  public static long provenBy(ObjectProblem given, List<int[]> sets) {
    long[] least = new long[given.count()];
    for (int[] set : sets) {
      for (int a = 0; a < set.length; a++) {
        for (int b = 0; b < a; b++) {
          if (set[a] == set[b] || !apart(given, set[a], set[b])) {
            throw new IllegalArgumentException(
                name(given, set[a]) + " and " + name(given, set[b]) + " do not conflict");
          }
        }
      }
      long[] sizes = Arrays.stream(set).mapToLong(given::size).sorted().toArray();
      for (int k = 0; k < sizes.length; k++) {
        least[k] = Math.max(least[k], sizes[sizes.length - 1 - k]);
      }
    }
    return Arrays.stream(least).sum();
  }

  private static boolean apart(ObjectProblem given, int one, int other) {
    int first = given.buffer(one);
    int second = given.buffer(other);
    LiveRange life = given.problem().buffer(first).live();
    LiveRange otherLife = given.problem().buffer(second).live();
    boolean together =
        Math.max(life.start(), otherLife.start()) < Math.min(life.end(), otherLife.end());
    boolean pair = Arrays.stream(given.problem().conflicts().of(first)).anyMatch(b -> b == second);
    return together || pair || given.kind(one) != given.kind(other);
  }

  private static String name(ObjectProblem given, int item) {
    return "buffer \"" + given.problem().buffer(given.buffer(item)).id() + "\"";
  }
}
