package stowage.liveness;

import java.util.List;
import java.util.Map;

/**
 * The choices that turn a network into a packing problem.
 *
 * @param inPlace which tensors may share one buffer
 * @param inputs how long graph inputs live
 * @param order which buffers may share addresses, by how ops may run
 * @param alignment activations' offsets are multiples of it and their sizes are rounded up to it
 * @param weightAlignment each weight starts at a multiple of it
 * @param variables whether state that survives between runs is in the planned memory
 * @param streams the stream of each op, by op name, for {@link Order#STREAMS}; else empty
 * @param sharing what becomes of buffers of ops that may run side by side
 * @param aliases pairs of graph inputs and outputs that are one place, see {@link StatePairs}
 */
public record LivenessOptions(
    InPlace inPlace,
    Inputs inputs,
    Order order,
    long alignment,
    long weightAlignment,
    Variables variables,
    Map<String, String> streams,
    Sharing sharing,
    List<String> aliases) {

  private static final long TFLITE_MICRO_ALIGNMENT = 16;

  /** Which tensors may share one buffer. */
  public enum InPlace {
    /** Every tensor has a buffer of its own. */
    NONE,
    /** Views (reshapes, fusible slices, mergeable concats) share their source's buffer. */
    VIEWS,
    /** Views, and elementwise ops write over an input of the same size that dies there. */
    ELEMENTWISE,
    /**
     * Views and elementwise ops, and of a buffer that carries several tensors only the stretch that
     * those alive need is taken at each step; {@code schedule} also tries the others, and bounds
     * all choices.
     */
    OPTIMAL,
    /**
     * As {@link #OPTIMAL}, and of a buffer only bytes that an op has written and another will still
     * read are taken, see {@link Liveness#inBands}: what {@code fit} plans with.
     */
    BANDS,
    /** What ONNX Runtime's kernels for processors do, see {@link OpTraits#onnxRuntimeInPlace}. */
    ONNXRUNTIME,
    /** What ggml's graph allocator does; of this and the next two see {@link InPlaceRule}. */
    GGML,
    /** What XNNPACK's runtime does. */
    XNNPACK,
    /** What ONNX Simplifier's planner does. */
    ONNXSIM
  }

  /** How long graph inputs live. */
  public enum Inputs {
    /** From the start to their last use. */
    FREE,
    /** From the start to the end. */
    KEEP,
    /** Like graph outputs in memory of the caller's own; nothing is planned for either. */
    CALLER
  }

  /** Where state that survives between runs is. */
  public enum Variables {
    /** In the planned memory, from the start to the end. */
    ARENA,
    /** In memory of the run-time's own; nothing is planned for it. */
    OUTSIDE
  }

  /** What becomes of buffers that share addresses only if some op waits for another. */
  public enum Sharing {
    /** They never share. */
    FORBIDDEN,
    /** They may, at a price: see {@link ReusePrices}. */
    PRICED
  }

  /** Which ops may run side by side; {@link Sharing} says what follows for their buffers. */
  public enum Order {
    /** One op after the other, in execution order. */
    IN_ORDER,
    /** Any order the graph allows. */
    OUT_OF_ORDER,
    /** Parallel branches may run side by side; a branch itself runs in order. */
    BRANCHES,
    /** Ops of one stream run in order; streams wait for each other only where data flows. */
    STREAMS
  }

  public LivenessOptions {
    if (alignment < 1 || weightAlignment < 1) {
      throw new IllegalArgumentException(
          "alignments " + alignment + " and " + weightAlignment + " should be 1 or more");
    }
    streams = Map.copyOf(streams);
    aliases = List.copyOf(aliases);
  }

  /** The defaults: views in place, inputs freed, variables planned, in order, 4 KiB. */
  public static LivenessOptions defaults() {
    return new LivenessOptions(
        InPlace.VIEWS,
        Inputs.FREE,
        Order.IN_ORDER,
        4096,
        4096,
        Variables.ARENA,
        Map.of(),
        Sharing.FORBIDDEN,
        List.of());
  }

  /**
   * What the run-time of a format does. TFLite Micro rounds sizes up to 16 bytes
   * (MicroArenaBufferAlignment), gives every tensor a buffer of its own, and keeps variables apart
   * from its plan (tensorflow/tflite-micro, tensorflow/lite/micro/micro_allocator.cc). Of other
   * formats nothing is known, so they have the {@linkplain #defaults() defaults}.
   *
   * @param format a network's {@link stowage.network.Network#format format}
   */
  public static LivenessOptions defaultsOf(String format) {
    return format.equals("tflite")
        ? defaults()
            .withInPlace(InPlace.NONE)
            .withAlignments(TFLITE_MICRO_ALIGNMENT, TFLITE_MICRO_ALIGNMENT)
            .withVariables(Variables.OUTSIDE)
        : defaults();
  }

  /** The same options with other alignments. */
  public LivenessOptions withAlignments(long activations, long weights) {
    return new LivenessOptions(
        inPlace, inputs, order, activations, weights, variables, streams, sharing, aliases);
  }

  /** The same options with another choice of what shares a buffer. */
  public LivenessOptions withInPlace(InPlace other) {
    return new LivenessOptions(
        other, inputs, order, alignment, weightAlignment, variables, streams, sharing, aliases);
  }

  /** The same options with another live range of graph inputs. */
  public LivenessOptions withInputs(Inputs other) {
    return new LivenessOptions(
        inPlace, other, order, alignment, weightAlignment, variables, streams, sharing, aliases);
  }

  /** The same options with another freedom of the ops' order. */
  public LivenessOptions withOrder(Order other) {
    return new LivenessOptions(
        inPlace, inputs, other, alignment, weightAlignment, variables, streams, sharing, aliases);
  }

  /** The same options with ops on streams, by op name. */
  public LivenessOptions withStreams(Map<String, String> others) {
    Order own = Order.STREAMS;
    return new LivenessOptions(
        inPlace, inputs, own, alignment, weightAlignment, variables, others, sharing, aliases);
  }

  /** The same options with another place of variables. */
  public LivenessOptions withVariables(Variables other) {
    return new LivenessOptions(
        inPlace, inputs, order, alignment, weightAlignment, other, streams, sharing, aliases);
  }

  /** The same options with buffers of ops side by side kept apart, or sharing at a price. */
  public LivenessOptions withSharing(Sharing other) {
    return new LivenessOptions(
        inPlace, inputs, order, alignment, weightAlignment, variables, streams, other, aliases);
  }

  /** The same options with pairs of graph inputs and outputs that are one place. */
  public LivenessOptions withAliases(List<String> others) {
    return new LivenessOptions(
        inPlace, inputs, order, alignment, weightAlignment, variables, streams, sharing, others);
  }
}
