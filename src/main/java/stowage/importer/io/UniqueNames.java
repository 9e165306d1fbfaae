package stowage.importer.io;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Distinct names: names that are taken get {@code #2}, {@code #3}, ... */
public final class UniqueNames {
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Integer> next = new HashMap<>();

  /** The name wanted, or the first free one with a number after it. O(1) on average. */
  public String of(String wanted) {
    String candidate = wanted;
    while (!taken.add(candidate)) {
      candidate = wanted + "#" + next.merge(wanted, 2, (number, first) -> number + 1);
    }
    return candidate;
  }

  /** Makes a name free again. */
  public void release(String name) {
    taken.remove(name);
    next.remove(name);
  }
}
