package stowage.liveness;

import java.util.Map;

/**
 * The choices that turn a network into a packing problem.
 *
 * @param inPlace which tensors may share one buffer
 * @param inputs how long graph inputs live
 * @param order which buffers may share addresses, by how ops may run
 * @param alignment activations' offsets are multiples of it and their sizes are rounded up to it
 * @param weightAlignment each weight starts at a multiple of it
 * @param streams the stream of each op, by op name, for {@link Order#STREAMS}; else empty
 */
public record LivenessOptions(
    InPlace inPlace,
    Inputs inputs,
    Order order,
    long alignment,
    long weightAlignment,
    Map<String, String> streams) {

  /** Which tensors may share one buffer. */
  public enum InPlace {
    /** Every tensor has a buffer of its own. */
    NONE,
    /** Views (reshapes, fusible slices, mergeable concats) share their source's buffer. */
    VIEWS,
    /** Views, and elementwise ops write over an input of the same size that dies there. */
    ELEMENTWISE
  }

  /** How long graph inputs live. */
  public enum Inputs {
    /** From the start to their last use. */
    FREE,
    /** From the start to the end. */
    KEEP
  }

  /** Which ops may run side by side; buffers of such ops never share. */
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

  /** Checks the alignments and copies the streams. */
  public LivenessOptions {
    if (alignment < 1 || weightAlignment < 1) {
      throw new IllegalArgumentException(
          "alignments " + alignment + " and " + weightAlignment + " should be 1 or more");
    }
    streams = Map.copyOf(streams);
  }

  /** Options without streams. */
  public LivenessOptions(
      InPlace inPlace, Inputs inputs, Order order, long alignment, long weightAlignment) {
    this(inPlace, inputs, order, alignment, weightAlignment, Map.of());
  }

  /** The defaults: views in place, inputs freed, in order, 4 KiB. */
  public static LivenessOptions defaults() {
    return new LivenessOptions(InPlace.VIEWS, Inputs.FREE, Order.IN_ORDER, 4096, 4096);
  }

  /** The same options with other alignments. */
  public LivenessOptions withAlignments(long activations, long weights) {
    return new LivenessOptions(inPlace, inputs, order, activations, weights, streams);
  }

  /** The same options with another choice of what shares a buffer. */
  public LivenessOptions withInPlace(InPlace other) {
    return new LivenessOptions(other, inputs, order, alignment, weightAlignment, streams);
  }

  /** The same options with another life of graph inputs. */
  public LivenessOptions withInputs(Inputs other) {
    return new LivenessOptions(inPlace, other, order, alignment, weightAlignment, streams);
  }

  /** The same options with another freedom of the ops' order. */
  public LivenessOptions withOrder(Order other) {
    return new LivenessOptions(inPlace, inputs, other, alignment, weightAlignment, streams);
  }

  /** The same options with ops on streams, by op name. */
  public LivenessOptions withStreams(Map<String, String> others) {
    return new LivenessOptions(inPlace, inputs, Order.STREAMS, alignment, weightAlignment, others);
  }
}
