package stowage.planning.fit;

import java.util.EnumSet;
import java.util.Set;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;

/**
 * What is asked of a run: which network is to fit, into how much, at which price, by which means.
 *
 * @param network what is to fit
 * @param liveness alignment, inputs and variables; what shares a buffer where {@link Lever#SHARING}
 *     is allowed
 * @param levers the means allowed
 * @param capacity most bytes of the peak, or -1 for no limit
 * @param loadLimit most bytes live at a step, or -1 for no limit
 * @param maxExtra most extra compute in the network's unit, or -1 for no limit
 * @param curve whether the least extra compute is wanted for every peak
 * @param engines how exact engines are set up
 */
public record FitRequest(
    Network network,
    LivenessOptions liveness,
    Set<Lever> levers,
    long capacity,
    long loadLimit,
    long maxExtra,
    boolean curve,
    EngineOptions engines) {

  /** Copies the levers. */
  public FitRequest {
    levers = levers.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(levers));
  }

  /** Whether a lever is allowed. */
  public boolean allows(Lever lever) {
    return levers.contains(lever);
  }

  /** Whether a plan of this peak and load is within the limits. */
  public boolean admits(long peak, long load) {
    return (capacity < 0 || peak <= capacity) && (loadLimit < 0 || load <= loadLimit);
  }

  /** Whether some limit of memory is given. */
  public boolean limited() {
    return capacity >= 0 || loadLimit >= 0;
  }

  /** What shares a buffer under some levers: nothing without {@link Lever#SHARING}. */
  public LivenessOptions liveness(Set<Lever> climbed) {
    return climbed.contains(Lever.SHARING)
        ? liveness
        : liveness.withInPlace(LivenessOptions.InPlace.NONE);
  }
}
