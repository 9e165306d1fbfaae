package stowage.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import stowage.exact.Engine;
import stowage.exact.SearchEngine;
import stowage.exact.cpsat.CpSatEngine;

/** The exact engines by name; each run takes new ones. */
final class Engines {
  private static final Map<String, Supplier<Engine>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("search", SearchEngine::new);
    BY_NAME.put("cpsat", CpSatEngine::new);
  }

  private Engines() {}

  /** A new engine, or null for an unknown name. */
  static Engine named(String name) {
    Supplier<Engine> maker = BY_NAME.get(name);
    return maker == null ? null : maker.get();
  }

  /** One of each, the first to be tried first. */
  static List<Engine> all() {
    List<Engine> engines = new ArrayList<>();
    BY_NAME.values().forEach(maker -> engines.add(maker.get()));
    return engines;
  }

  /** Their names. */
  static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }
}
