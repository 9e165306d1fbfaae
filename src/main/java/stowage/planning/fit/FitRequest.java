package stowage.planning.fit;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.Rewriting;

/**
 * What is asked of a run: which network is to fit, into how much, at which price, by which means.
 *
 * @param liveness alignment, inputs and variables; what may share where {@link Lever#SHARING} is on
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

  /** With a curve the plan that is written adds at most one part in so many. */
  private static final long USUAL = 20;

  private static final int MANY_OPS = 1000;

  /** Copies the levers. */
  public FitRequest {
    levers = levers.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(levers));
  }

  /** What may share a buffer: all that can, unless the options name what may. */
  public static LivenessOptions shared(LivenessOptions options, boolean given) {
    return given ? options : options.withInPlace(LivenessOptions.InPlace.OPTIMAL);
  }

  public boolean allows(Lever lever) {
    return levers.contains(lever);
  }

  public FitRequest without(Lever lever) {
    Set<Lever> rest = EnumSet.noneOf(Lever.class);
    rest.addAll(levers);
    rest.remove(lever);
    return new FitRequest(network, liveness, rest, capacity, loadLimit, maxExtra, curve, engines);
  }

  /** The same with limits of memory so many times as large. */
  public FitRequest withLimitsTimes(double factor) {
    long most = capacity < 0 ? -1 : (long) (capacity * factor);
    long live = loadLimit < 0 ? -1 : (long) (loadLimit * factor);
    return new FitRequest(network, liveness, levers, most, live, maxExtra, curve, engines);
  }

  /** Whether a plan of this peak and load is within the limits. */
  public boolean admits(long peak, long load) {
    return (capacity < 0 || peak <= capacity) && (loadLimit < 0 || load <= loadLimit);
  }

  /** Whether some limit of memory is given. */
  public boolean limited() {
    return capacity >= 0 || loadLimit >= 0;
  }

  /** With a curve the most compute that the plan which is written adds: a twentieth. */
  public long usual() {
    return FitCompute.of(network) / USUAL;
  }

  /** Extra compute of a first way down: any where a limit counts, else a usual or the given one. */
  long firstPrice() {
    return limited() ? FitCompute.of(network) : curve ? usual() : maxExtra;
  }

  /** Whether all that can may share a buffer, so that a plan with less of it counts too. */
  boolean sharesAll() {
    return liveness.inPlace() == LivenessOptions.InPlace.OPTIMAL;
  }

  /** What shares a buffer under some levers: nothing without {@link Lever#SHARING}. */
  public LivenessOptions liveness(Set<Lever> climbed) {
    return climbed.contains(Lever.SHARING)
        ? liveness
        : liveness.withInPlace(LivenessOptions.InPlace.NONE);
  }

  /**
   * The buffers of a network that runs in its own order: with {@link Lever#SHARING}, where all that
   * can may share, only what is needed of them at each step, see {@link Liveness#inBands}.
   */
  public PlanningCase buffers(Network other) {
    LivenessOptions chosen = liveness(levers);
    if (other != network) {
      chosen = chosen.withAliases(List.of());
    }
    return allows(Lever.SHARING) && sharesAll()
        ? Liveness.inBands(other, other.executionOrder(), chosen)
        : Liveness.of(other, chosen);
  }

  /** Whether the run-time is TensorFlow Lite Micro, which keeps bytes for every op. */
  public boolean keepsOps() {
    return network.format().equals("tflite");
  }

  /** What the run-time keeps for the ops that a rewriting adds, in bytes; 0 where none is known. */
  public long kept(Rewriting rewriting) {
    return keepsOps() ? FitCompute.kept(rewriting) : 0;
  }

  /** The lower of both limits of memory, in bytes; the largest number where there is none. */
  public long limit() {
    long most = capacity < 0 ? Long.MAX_VALUE : capacity;
    return loadLimit < 0 ? most : Math.min(most, loadLimit);
  }

  /** Whether time is over for what takes long on a network of many ops and may be left out. */
  boolean isOver(RunControl control) {
    return network.ops().size() > MANY_OPS && control.isStopped();
  }
}
