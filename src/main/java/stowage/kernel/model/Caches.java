package stowage.kernel.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Capacities of the caches of a neural processor, by name.
 *
 * @param units the capacity of each cache, in its units
 */
public record Caches(Map<String, Long> units) {
  /** The caches of the public contest of 2025, whose kernel graphs name no capacities. */
  public static final Caches DEFAULT = new Caches(defaults());

  /** Keeps an unmodifiable copy. */
  public Caches {
    units = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(units));
  }

  private static Map<String, Long> defaults() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("L1", 4096L);
    units.put("UB", 1024L);
    units.put("L0A", 256L);
    units.put("L0B", 256L);
    units.put("L0C", 512L);
    return units;
  }

  /** The same with some capacities set. */
  public Caches with(Map<String, Long> others) {
    Map<String, Long> all = new LinkedHashMap<>(units);
    all.putAll(others);
    return new Caches(all);
  }

  /** The names, in order. */
  public List<String> names() {
    return List.copyOf(units.keySet());
  }
}
