package stowage.kernel.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Capacities of the caches of a neural processor, by name. */
public record Caches(Map<String, Long> units) {
  /** The caches of the public contest of 2025, whose kernel graphs name no capacities. */
  public static final Caches DEFAULT =
      new Caches(Map.of())
          .with("L1", 4096)
          .with("UB", 1024)
          .with("L0A", 256)
          .with("L0B", 256)
          .with("L0C", 512);

  public Caches {
    units = Collections.unmodifiableMap(new LinkedHashMap<>(units));
  }

  private Caches with(String name, long capacity) {
    return with(Map.of(name, capacity));
  }

  /** The same with some capacities set. */
  public Caches with(Map<String, Long> others) {
    Map<String, Long> all = new LinkedHashMap<>(units);
    all.putAll(others);
    return new Caches(all);
  }

  public List<String> names() {
    return List.copyOf(units.keySet());
  }
}
