package stowage.exact.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;

/**
 * A complete method: given time enough, it finds the optimum and proves it.
 *
 * <p>Everything it finds goes through the incumbent, where it is verified: placements, bounds with
 * the solver claim as certificate, and proofs of infeasibility. The answer of a run is therefore
 * what the incumbent holds; the report only describes the work.
 *
 * <p>One object serves one run. {@link Engines} finds the engines of the class path.
 */
public interface Engine {
  /** The name by which the command line knows it, such as {@code cpsat}. */
  String name();

  /** The kind its word has as a certificate, such as {@code cp-sat}. */
  String kind();

  /** The solver behind it and its version. */
  String version();

  /**
   * {@return the version of a library such as {@code org.choco-solver/choco-solver}, from its jar:
   * asking the library might load it}
   */
  static String versionOf(String artifact) {
    String file = "/META-INF/maven/" + artifact + "/pom.properties";
    Properties properties = new Properties();
    try (InputStream in = Engine.class.getResourceAsStream(file)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      // Its version is of no consequence.
    }
    return properties.getProperty("version", "of unknown version");
  }

  /** How it works, in one sentence without a period. */
  default String summary() {
    return version();
  }

  /**
   * Works on a problem until it is closed, the control says stop, or nothing more can be done.
   *
   * <p>The peaks are lowered one after the other in the order of {@link
   * stowage.packing.Objective#peaks}: with the first at its proven optimum its memory's capacity is
   * set to it and the next is lowered. Where no buffer has a choice of memories the peaks do not
   * depend on each other, and an open one does not hold up the next.
   *
   * @param context the problem, what is known of it beforehand, and where findings go
   * @throws NotPlannableException when the engine cannot hold the problem, with the reason
   */
  EngineReport run(SolveContext context);

  /**
   * As {@link #run(SolveContext)}, for a run of this engine alone.
   *
   * @param incumbent the problem, what is known beforehand, and where findings go
   * @param control when to stop; threads and seed
   * @param options settings, hints and the mode
   */
  default EngineReport run(Incumbent incumbent, RunControl control, EngineOptions options) {
    return run(SolveContext.of(incumbent, control, options));
  }

  /**
   * Whether the engine takes problems with relations between buffers, reserved ranges and buffers
   * that hold their place, and objectives other than the peaks. Others get the {@linkplain
   * stowage.packing.PlainForm plain form}.
   */
  default boolean knowsRelations() {
    return false;
  }

  /** Whether the engine lowers the figures of a goal; the peaks alone unless it says more. */
  default boolean lowers(Goal goal) {
    return goal == Goal.PEAK;
  }

  /**
   * Up to how many buffers the engine is worth a share of the threads alongside the first engine.
   * Named alone, it takes problems of any size.
   *
   * @param threads how many there are to share
   */
  default int suitableBuffers(int threads) {
    return Integer.MAX_VALUE;
  }
}
