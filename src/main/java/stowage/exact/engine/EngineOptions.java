package stowage.exact.engine;

import java.util.List;
import java.util.function.Consumer;
import stowage.packing.Placement;

/**
 * How an engine is to be run.
 *
 * @param config name of a settings file under {@code solver-configs}, or the path of one
 * @param firstFit whether any placement within the capacities ends the run
 * @param hints placements to start from; valid ones become the incumbent when they are better
 * @param log receives lines of the engine's own log; it must be quick and thread-safe
 */
public record EngineOptions(
    String config, boolean firstFit, List<Placement> hints, Consumer<String> log) {

  /** The settings taken when none are named. */
  public static final String DEFAULT_CONFIG = "default";

  /** Takes over the hints. */
  public EngineOptions {
    hints = List.copyOf(hints);
  }

  /** Default settings, no hints, minimising. */
  public static EngineOptions defaults() {
    return new EngineOptions(DEFAULT_CONFIG, false, List.of(), line -> {});
  }

  /** The same with other settings. */
  public EngineOptions withConfig(String nameOrPath) {
    return new EngineOptions(nameOrPath, firstFit, hints, log);
  }

  public EngineOptions withHints(List<Placement> placements) {
    return new EngineOptions(config, firstFit, placements, log);
  }

  /** The same, ending at the first placement within the capacities or not. */
  public EngineOptions withFirstFit(boolean first) {
    return new EngineOptions(config, first, hints, log);
  }

  /** The same with a listener for the engine's log. */
  public EngineOptions withLog(Consumer<String> listener) {
    return new EngineOptions(config, firstFit, hints, listener);
  }
}
