package stowage.exact;

import java.util.List;

/**
 * Settings of the engines.
 *
 * @param firstFit whether the first placement that fits the capacities is enough
 * @param configs names or files of settings, at most one for each engine
 */
public record EngineOptions(boolean firstFit, List<String> configs) {

  /** Everything to the end, with default settings. */
  public static EngineOptions defaults() {
    return new EngineOptions(false, List.of());
  }

  /** Copies the list. */
  public EngineOptions {
    configs = List.copyOf(configs);
  }
}
