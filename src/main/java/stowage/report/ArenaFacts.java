package stowage.report;

import java.util.List;

/**
 * The models that share one memory.
 *
 * @param run {@code sequential} or {@code concurrent}
 * @param models in the order given
 */
public record ArenaFacts(String run, List<Model> models) {

  /**
   * A model's part.
   *
   * @param name begins the ids of its buffers
   * @param file the model
   * @param buffers how many it has
   * @param stateBytes of its state that survives between runs, in this memory
   * @param start the first byte it uses; 0 where nothing is placed
   * @param end the byte after the last it uses; 0 where nothing is placed
   */
  public record Model(
      String name, String file, int buffers, long stateBytes, long start, long end) {}

  /** How the models run, in words. */
  public String words() {
    return run.equals("sequential") ? "one after the other" : "side by side";
  }
}
