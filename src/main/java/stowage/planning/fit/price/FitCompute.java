package stowage.planning.fit.price;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.MacCount;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;

/**
 * The prices of a rewriting: compute, bytes moved, bytes that a run-time keeps.
 *
 * <p>The unit is the ops' cost where the network has costs, else multiply-accumulates. A piece of
 * an op costs its share, rounded up; a slice that takes rows of pieces costs what it did.
 */
public final class FitCompute {
  /** Of a clone of a convolution in TFLite Micro with 64-bit pointers, and for each channel. */
  private static final long KEPT_CLONE = 180;

  private static final long KEPT_CHANNEL = 8;
  private static final long KEPT_TENSOR = 24;
  private static final long KEPT_PLAIN = 100;
  private static final long KEPT_SLICE = 120;
  private static final long KEPT_PAD = 190;

  private FitCompute() {}

  /** The unit of a network's compute: {@code cost} or {@code macs}. */
  public static String unit(Network network) {
    return hasCosts(network) ? "cost" : "macs";
  }

  private static boolean hasCosts(Network network) {
    return !network.ops().isEmpty() && network.ops().get(0).cost() >= 0;
  }

  /** The compute of a network, in its unit. */
  public static long of(Network network) {
    return hasCosts(network)
        ? network.ops().stream().mapToLong(Op::cost).reduce(0, Math::addExact)
        : MacCount.of(network);
  }

  /** Whether so many times the compute of a network fits into a long. */
  public static boolean isCountable(Network network, int times) {
    try {
      return of(network) <= Long.MAX_VALUE / times;
    } catch (ArithmeticException beyond) {
      return false;
    }
  }

  /** The compute that a rewriting adds; {@link Long#MAX_VALUE} where it is beyond a long. */
  public static long extra(Rewriting rewriting) {
    try {
      return of(rewriting.network()) - of(rewriting.given());
    } catch (ArithmeticException beyond) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * The bytes that added ops move, given the rewritten network's buffers: what slices, pads and
   * concats write, except for what is in its place already.
   */
  public static long moved(Rewriting rewriting, PlanningCase planned) {
    Map<String, long[]> places = new HashMap<>();
    List<PlanningCase.BufferContents> contents = planned.contents();
    for (int b = 0; b < contents.size(); b++) {
      for (PlanningCase.Part part : contents.get(b).parts()) {
        places.put(part.tensor(), new long[] {b, part.offset()});
      }
    }
    Network network = rewriting.network();
    long sum = 0;
    for (int k = 0; k < rewriting.ops().size(); k++) {
      OpOrigin.Kind kind = rewriting.ops().get(k).kind();
      Op op = network.ops().get(k);
      String origin = rewriting.given().ops().get(rewriting.ops().get(k).op()).name();
      boolean takes = kind == OpOrigin.Kind.SLICE || kind == OpOrigin.Kind.CONCAT;
      if (takes ? op.name().equals(origin) : kind != OpOrigin.Kind.PAD) {
        continue; // is no added op, or does what a given slice does
      }
      Tensor result = network.tensor(op.presentOutputs().get(0));
      long[] to = places.get(result.name());
      if (kind != OpOrigin.Kind.CONCAT) {
        long[] from = places.get(op.inputs().get(0));
        boolean moves = kind == OpOrigin.Kind.PAD || from == null || to == null || from[0] != to[0];
        sum += moves ? result.bytes() : 0;
        continue;
      }
      for (String input : op.presentInputs()) {
        long[] from = places.get(input);
        sum += from != null && to != null && from[0] == to[0] ? 0 : network.tensor(input).bytes();
      }
    }
    return sum;
  }

  /** What TFLite Micro is estimated to keep for added ops, in bytes, with 64-bit pointers. */
  public static long kept(Rewriting rewriting) {
    Set<Integer> seen = new HashSet<>();
    Network network = rewriting.network();
    long sum = 0;
    for (int k = 0; k < rewriting.ops().size(); k++) {
      OpOrigin origin = rewriting.ops().get(k);
      Op op = network.ops().get(k);
      boolean added =
          switch (origin.kind()) {
            case GIVEN -> false;
            case PIECE -> !seen.add(origin.op());
            case COPY -> origin.copy() > 1;
            default -> true;
          };
      if (!added) {
        continue;
      }
      Tensor result = network.tensor(op.presentOutputs().get(0));
      sum += kept(origin.kind(), keepsChannels(network, op), result);
    }
    return sum;
  }

  /** Whether TFLite Micro keeps figures for each channel of an op's result. */
  public static boolean keepsChannels(Network network, Op op) {
    return MacCount.basis(network, op) != null && !op.type().equals("FULLY_CONNECTED");
  }

  /** The same of one added op, with figures for each channel of its result if {@code channels}. */
  public static long kept(OpOrigin.Kind kind, boolean channels, Tensor result) {
    return KEPT_TENSOR
        + switch (kind) {
          case SLICE -> KEPT_SLICE;
          case PAD -> KEPT_PAD;
          default ->
              channels ? KEPT_CLONE + KEPT_CHANNEL * result.extent(result.rank() - 1) : KEPT_PLAIN;
        };
  }
}
